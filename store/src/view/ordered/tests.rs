//! A map against a `BTreeMap`.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn check(ordered: &Ordered<u16, u32>, twin: &BTreeMap<u16, u32>) {
    let all: Vec<_> = ordered.range_from(&0).collect();
    assert_eq!(all, twin.iter().collect::<Vec<_>>());
    for key in (0..3_000).step_by(11) {
        assert_eq!(ordered.get(&key), twin.get(&key));
        assert_eq!(ordered.range_from(&key).next(), twin.range(key..).next());
        assert_eq!(ordered.range_from(&key).count(), twin.range(key..).count());
    }
}

proptest! {
    #[test]
    fn a_map_is_sorted_and_its_copies_never_change(
        n_ascending in 0..2_500_u16, steps in vec((0..3_000_u16, any::<u32>(), 0..9_u8), 0..1_500),
    ) {
        let mut ordered = Ordered::default();
        let mut twin = BTreeMap::new();
        for key in 0..n_ascending {
            ordered.insert(key, u32::from(key));
            twin.insert(key, u32::from(key));
        }
        let mut kept = Vec::new();
        for (key, value, kind) in steps {
            match kind {
                0 if kept.len() < 3 => kept.push((ordered.clone(), twin.clone())),
                0..3 => {
                    prop_assert_eq!(ordered.find_mut(|other| other.cmp(&key)).is_some(), twin.contains_key(&key));
                    if let Some(known) = ordered.find_mut(|other| other.cmp(&key)) {
                        *known = value;
                        twin.insert(key, value);
                    }
                }
                _ => {
                    ordered.insert(key, value);
                    twin.insert(key, value);
                }
            }
        }
        kept.push((ordered, twin));
        for (ordered, twin) in &kept {
            check(ordered, twin);
        }
    }
}
