//! Source and what of it is code.

use super::RustSource;

fn check(text: &str, code: &str) {
    assert_eq!(RustSource::new(text).code(), code, "of {text:?}");
}

#[test]
fn comments_and_the_insides_of_literals_are_blank() {
    check("a // b\nc", "a     \nc");
    check("a /* b /* c */ d */ e", "a                   e");
    check("f(\"x // y\") // z", "f(        )     ");
    check("f(\"\\\"x\") + y", "f(     ) + y");
    check("f(r#\"a \" b\"#, c)", "f(          , c)");
    check("f(br\"\\\", c)", "f(     , c)");
    check("r\"\\\" d", "     d");
    check("'\"' a \"b\"", "    a    ");
    check("'\\'' a \"b\"", "     a    ");
    check("fn f<'a>(x: &'a str) {}", "fn f< a>(x: & a str) {}");
    check("for\"x\"", "for   ");
    check("\u{fc}'\u{fc}'\u{fc}", "\u{fc}   \u{fc}");
}

#[test]
fn a_word_is_not_found_inside_another() {
    let source = RustSource::new("unsafe_code\n// unsafe\nx unsafe { y }\n\"unsafe\"");
    assert_eq!(source.lines_with_word("unsafe").collect::<Vec<_>>(), [3]);
    assert!(source.has_word("unsafe_code"));
    assert!(!source.has_word("code"));
}
