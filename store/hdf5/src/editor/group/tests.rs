use super::check_link;
use crate::cursor::{Cursor, Sizes};
use crate::message::link::{Link, LinkTarget, encode};

/// A link as it is read, where each `?` was a byte that no UTF-8 has.
fn link(name: &str, target: &LinkTarget) -> Link {
    let mut bytes = encode(name, target, None).unwrap();
    for byte in &mut bytes {
        *byte = if *byte == b'?' { 0xff } else { *byte };
    }
    Link::decode(&mut Cursor::new("link", 0, &bytes, Sizes::WRITTEN)).unwrap()
}

#[test]
fn a_link_that_could_not_be_written_again_is_refused() {
    let external = |file: &str| LinkTarget::External {
        file: file.to_owned(),
        path: "a".to_owned(),
    };
    // U+FFFD, in whose place a wrong byte is read, is a character like any other.
    for kept in ["a\u{e4}", "a\u{fffd}"] {
        check_link(&link(kept, &LinkTarget::Hard(7))).unwrap();
        check_link(&link("a", &LinkTarget::Soft(kept.to_owned()))).unwrap();
        check_link(&link("a", &external(kept))).unwrap();
    }
    let user = Link {
        target: LinkTarget::User(65),
        ..link("a", &LinkTarget::Hard(7))
    };
    for refused in [
        user,
        link("a?", &LinkTarget::Hard(7)),
        link("a", &LinkTarget::Soft("?".to_owned())),
        link("a", &external("?")),
    ] {
        assert!(check_link(&refused).unwrap_err().is_not_supported());
    }
}
