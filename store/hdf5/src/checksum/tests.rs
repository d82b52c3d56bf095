use super::*;

#[test]
fn lookup3_of_known_texts_is_the_published_value() {
    // The values of lookup3.c's own driver, and of superblocks that the C library wrote.
    assert_eq!(lookup3(b""), 0xdead_beef);
    assert_eq!(lookup3(b"Four score and seven years ago"), 0x1777_0551);
}

#[test]
fn fletcher32_of_known_bytes_is_the_value_of_the_c_library() {
    assert_eq!(fletcher32(&[]), 0);
    // Words 0x0001, 0x0203, 0x0405: sums 0x0609 and 0x0001 + 0x0204 + 0x0609.
    assert_eq!(fletcher32(&[0, 1, 2, 3, 4, 5]), 0x080e_0609);
}
