use super::check_link;
use crate::message::link::{Link, LinkTarget};

#[test]
fn a_link_that_could_not_be_written_again_is_refused() {
    let link = |name: &str, target| Link {
        name: name.to_owned(),
        target,
    };
    let external = |file: &str| LinkTarget::External {
        file: file.to_owned(),
        path: "a".to_owned(),
    };
    check_link(&link("a\u{e4}", LinkTarget::Hard(7))).unwrap();
    check_link(&link("a", external("b"))).unwrap();
    for refused in [
        link("a", LinkTarget::User(65)),
        link("a\u{fffd}", LinkTarget::Hard(7)),
        link("a", LinkTarget::Soft("\u{fffd}".to_owned())),
        link("a", external("\u{fffd}")),
    ] {
        assert!(check_link(&refused).unwrap_err().is_not_supported());
    }
}
