use super::Half;

#[test]
fn a_question_is_in_the_half_that_its_checksum_says() {
    // CRC-32C of "123456789" is e3069283 (RFC 3720, appendix B.4 gives the polynomial): odd.
    for (id, expected) in [
        ("123456789", Half::HeldOut),
        ("", Half::Tuned),
        ("a", Half::Tuned),
    ] {
        assert_eq!(Half::of(id), expected, "{id:?}");
        assert!(Half::All.holds(id) && expected.holds(id));
        let other = if expected == Half::Tuned {
            Half::HeldOut
        } else {
            Half::Tuned
        };
        assert!(!other.holds(id), "{id:?}");
    }
}
