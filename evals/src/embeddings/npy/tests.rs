#![expect(
    clippy::indexing_slicing,
    reason = "a test that cuts where it should not fails"
)]

use super::Array;

fn npy(header: &str, numbers: &[f32]) -> Vec<u8> {
    let header = format!("{header}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

const HEADER: &str = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
const NUMBERS: [f32; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];

#[test]
fn rows_stand_one_after_the_other() {
    let array = Array::parse(&npy(HEADER, &NUMBERS)).unwrap();
    assert_eq!(array.n_rows(), 2);
    assert_eq!(array.row(1), Some(&NUMBERS[3..]));
    assert_eq!(array.row(2), None);
}

#[test]
fn what_is_not_such_an_array_is_refused() {
    let whole = npy(HEADER, &NUMBERS);
    for len in 0..whole.len() {
        assert!(Array::parse(&whole[..len]).is_err(), "cut at {len}");
    }
    for (from, to) in [
        ("<f4", "<f8"),
        ("False", "True"),
        ("(2, 3)", "(6,)"),
        ("(2, 3)", "(18446744073709551615, 3)"),
        ("(2, 3)", "(6, 0)"),
    ] {
        assert!(
            Array::parse(&npy(&HEADER.replace(from, to), &NUMBERS)).is_err(),
            "{to}"
        );
    }
}
