//! How text is laid out, and what never reaches a terminal.

use std::sync::{Arc, Mutex};

use super::*;

#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("one thread").write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn written(styles: Styles, width: usize, write: impl FnOnce(&mut Printer)) -> String {
    let page = Page::default();
    let mut printer = Printer::new(Box::new(page.clone()), width, styles);
    write(&mut printer);
    printer.flush().expect("a page takes everything");
    let bytes = page.0.lock().expect("one thread").clone();
    String::from_utf8(bytes).expect("we write text")
}

#[test]
fn a_long_text_is_wrapped_below_its_label() {
    let text = written(Styles::Off, 34, |printer| {
        printer
            .hanging(" 7  ", "the kettle on the stove sings when it boils")
            .unwrap();
        printer.aside(4, "fact").unwrap();
    });
    assert_eq!(
        text,
        " 7  the kettle on the stove sings\n    when it boils\n    fact\n"
    );
}

#[test]
fn wide_characters_count_twice() {
    let text = written(Styles::Off, 30, |printer| {
        printer
            .hanging("記憶  ", "あいうえおかきくけこさしすせそ")
            .unwrap();
    });
    assert_eq!(text, "記憶  あいうえおかきくけこさし\n      すせそ\n");
}

#[test]
fn text_is_styled_only_where_styles_are_on() {
    let write = |printer: &mut Printer| printer.heading("Title").unwrap();
    assert_eq!(written(Styles::Off, 80, write), "Title\n");
    assert!(written(Styles::On, 80, write).contains('\u{1b}'));
}

#[test]
fn a_memory_cannot_steer_the_terminal() {
    let evil = "a\u{1b}[2Jb\u{7}c\r\u{9b}31m\nd";
    let text = written(Styles::Off, 80, |printer| {
        printer.hanging(evil, evil).unwrap();
        printer.aside(2, evil).unwrap();
        printer.verbatim(evil).unwrap();
        printer.heading(evil).unwrap();
    });
    assert!(
        text.contains("a\\u{1b}[2Jb\\u{7}c\\u{d}\\u{9b}31m"),
        "{text}"
    );
    let steers = |c: char| c.is_control() && c != '\n';
    assert!(!text.contains(steers), "{text:?}");
}

#[test]
fn lines_of_a_text_stay_lines() {
    let text = written(Styles::Off, 80, |printer| {
        printer.hanging("1 ", "one\ntwo").unwrap();
    });
    assert_eq!(text, "1 one\n  two\n");
}
