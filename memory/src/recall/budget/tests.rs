//! Budgets by tables, and as a promise.

use proptest::prelude::*;

use super::Room::{Nothing, Part, Whole};
use super::{PART_TOKENS_MIN, Room, share_out};

fn part(n_tokens: usize) -> Room {
    Part { n_tokens }
}

#[test]
fn what_fits_is_whole() {
    assert_eq!(share_out(&[5, 5, 5], 100), [Whole, Whole, Whole]);
    assert_eq!(share_out(&[5, 5], 10), [Whole, Whole]);
    assert_eq!(share_out(&[5, 5, 5], 10), [Whole, Whole, Nothing]);
    assert_eq!(share_out(&[5, 500, 5], 10), [Whole, Nothing, Whole]);
    assert_eq!(share_out(&[], 10), []);
}

#[test]
fn of_the_best_a_part_is_shown_however_small_the_budget_is() {
    assert_eq!(share_out(&[500], 10), [part(10)]);
    assert_eq!(share_out(&[500, 500], 10), [part(10), Nothing]);
    assert_eq!(share_out(&[500, 5, 5], 10), [part(10), Nothing, Nothing]);
}

#[test]
fn a_huge_text_leaves_room_for_the_others_and_takes_what_they_do_not_need() {
    assert_eq!(
        share_out(&[5_000, 100, 100, 100], 2_000),
        [part(1_700), Whole, Whole, Whole]
    );
    assert_eq!(
        share_out(&[5_000, 550, 5_000, 20], 2_000),
        [part(955), Whole, part(475), Whole]
    );
}

#[test]
fn many_huge_texts_share_alike_down_to_the_least_part() {
    assert_eq!(share_out(&[900; 4], 400), [part(100); 4]);
    assert_eq!(
        share_out(&[900; 4], 120),
        [part(70), part(50), Nothing, Nothing]
    );
}

proptest! {
    #[test]
    fn the_budget_is_a_promise(
        n_tokens in prop::collection::vec(1..3_000usize, 0..30),
        max_tokens in 1..5_000usize,
    ) {
        let rooms = share_out(&n_tokens, max_tokens);
        prop_assert_eq!(rooms.len(), n_tokens.len());
        let taken = rooms.iter().zip(&n_tokens).map(|(room, needed)| match room {
            Whole => *needed,
            Part { n_tokens } => *n_tokens,
            Nothing => 0,
        });
        prop_assert!(taken.sum::<usize>() <= max_tokens);
        for (rank, (room, needed)) in rooms.iter().zip(&n_tokens).enumerate() {
            if let Part { n_tokens } = room {
                prop_assert!(n_tokens < needed);
                prop_assert!(rank == 0 || *n_tokens >= PART_TOKENS_MIN);
            }
            prop_assert!(rank > 0 || *room != Nothing);
        }
    }
}
