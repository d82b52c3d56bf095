use super::*;

#[test]
fn a_text_is_the_mean_of_its_tokens_at_unit_length() {
    for (token_vectors, expect) in [
        (vec![3.0, 4.0], Some(vec![0.6, 0.8])),
        (vec![6.0, 0.0, 0.0, 8.0], Some(vec![0.6, 0.8])),
        (vec![1.0, -5.0, 1.0, 5.0], Some(vec![1.0, 0.0])),
        (vec![f32::MAX, 0.0, f32::MAX, 0.0], Some(vec![1.0, 0.0])),
    ] {
        assert_eq!(
            mean_at_unit_length(&token_vectors, 2),
            expect,
            "{token_vectors:?}"
        );
    }
}

#[test]
fn a_mean_without_a_direction_is_no_vector() {
    for token_vectors in [
        vec![f32::NAN, 1.0],
        vec![f32::INFINITY, 1.0],
        vec![f32::INFINITY, 1.0, f32::NEG_INFINITY, 1.0],
        vec![0.0, 0.0],
        vec![1.0, 2.0, -1.0, -2.0],
    ] {
        assert_eq!(
            mean_at_unit_length(&token_vectors, 2),
            None,
            "{token_vectors:?}"
        );
    }
}
