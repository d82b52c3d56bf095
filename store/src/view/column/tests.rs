//! A column against a `Vec`.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum Step {
    Push(u16),
    Set(prop::sample::Index, u16),
    /// Keep a copy, which must not change any more.
    Keep,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => any::<u16>().prop_map(Step::Push),
        2 => (any::<prop::sample::Index>(), any::<u16>()).prop_map(|(idx, item)| Step::Set(idx, item)),
        1 => Just(Step::Keep),
    ]
}

fn check(column: &Column<u16>, twin: &[u16]) {
    assert_eq!(column.iter().copied().collect::<Vec<_>>(), twin);
    assert_eq!((column.len(), column.last()), (twin.len(), twin.last()));
    let mut cursor = Cursor::new(column);
    for idx in (0..twin.len() + 70).rev().step_by(7) {
        assert_eq!(column.get(idx), twin.get(idx));
        assert_eq!(cursor.get(idx), twin.get(idx));
        let rest = twin.get(idx..).unwrap_or_default();
        assert_eq!(column.iter_from(idx).next(), rest.first());
        assert_eq!(column.iter_from(idx).count(), rest.len());
    }
}

proptest! {
    #[test]
    fn a_column_is_a_list_and_its_copies_never_change(
        n_before in 0..5_000_u16, steps in vec(step(), 0..300),
    ) {
        let mut twin: Vec<u16> = (0..n_before).collect();
        let mut column = Column::default();
        for item in &twin {
            column.push(*item);
        }
        let mut kept = Vec::new();
        for step in steps {
            match step {
                Step::Push(item) => {
                    column.push(item);
                    twin.push(item);
                }
                Step::Set(idx, item) if !twin.is_empty() => {
                    let idx = idx.index(twin.len());
                    *column.get_mut(idx) = item;
                    twin[idx] = item;
                }
                Step::Set(..) => {}
                Step::Keep => kept.push((column.clone(), twin.clone())),
            }
        }
        kept.truncate(5);
        kept.push((column, twin));
        for (column, twin) in &kept {
            check(column, twin);
        }
    }
}

#[test]
fn a_column_of_four_levels_finds_every_item() {
    let mut column = Column::default();
    let n_items = LEAF_LEN * BRANCH_LEN * BRANCH_LEN * 2 + 3;
    (0..n_items).for_each(|item| column.push(item));
    assert!((0..n_items).all(|idx| column.get(idx) == Some(&idx)));
    assert_eq!(column.get(n_items), None);
    assert_eq!(column.partition_point(|item| *item < 70_000), 70_000);
}
