//! Several threads and several processes on one memory.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use palimpsest_hdf5::{FaultyBackend, FileBackend, RamBackend, Unsynced};
use proptest::prelude::*;

use super::{keep, keep_together, open, texts};
use crate::{Store, StoreOptions};

#[test]
fn a_process_that_opens_a_memory_twice_shares_it() {
    let machine = RamBackend::new();
    let [one, two] = [
        open(machine.clone()).unwrap(),
        open(machine.clone()).unwrap(),
    ];
    assert!(Arc::ptr_eq(&one.shared, &two.shared));
    let other = open(machine.another_process()).unwrap();
    assert!(!Arc::ptr_eq(&one.shared, &other.shared));
    keep(&one, "first").unwrap();
    drop((one, two));
    let anew = open(machine).unwrap();
    assert_eq!(texts(&anew).unwrap(), ["first"]);
}

/// Four threads commit through each of two stores at once.
fn four_threads_two_stores(stores: &[Store; 2], fresh: impl FnOnce() -> Store) {
    const N: usize = 25;
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                for i in 0..N {
                    let store = &stores[thread % 2];
                    let text = format!("{thread} {i:02}");
                    keep(store, &text).unwrap();
                    assert!(
                        texts(store).unwrap().contains(&text),
                        "one's own commit is seen"
                    );
                }
            });
        }
    });
    let [one, two] = stores.each_ref().map(|store| texts(store).unwrap());
    assert_eq!(one, two);
    assert_eq!(one, texts(&fresh()).unwrap());
    for thread in 0..8 {
        let own: Vec<_> = one
            .iter()
            .filter(|text| text.starts_with(&thread.to_string()))
            .collect();
        assert_eq!(own.len(), N, "nothing is lost or there twice");
        assert!(own.is_sorted(), "in the order of the commits");
    }
    assert_eq!(one.len(), 8 * N);
}

#[test]
fn four_threads_and_two_stores_lose_nothing_in_memory() {
    let machine = RamBackend::new();
    let other = || open(machine.another_process()).unwrap();
    four_threads_two_stores(&[other(), other()], other);
}

#[test]
fn four_threads_and_two_stores_lose_nothing_in_real_files() {
    let folder = tempfile::tempdir().unwrap();
    let open = |process| {
        let path: PathBuf = folder.path().join("deeper/memory.h5");
        let lock_wait = Duration::from_secs(60);
        let backend = Arc::new(FileBackend::as_process(process));
        Store::open(backend, StoreOptions { path, lock_wait }).unwrap()
    };
    four_threads_two_stores(&[open(1), open(2)], || open(3));
}

/// One step of two processes.
#[derive(Debug, Clone)]
enum Act {
    Keep(usize),
    KeepTogether(usize, usize),
    Read(usize),
    Reopen(usize),
    LosePower(u64),
}

fn act() -> impl Strategy<Value = Act> {
    let process = 0..2_usize;
    prop_oneof![
        4 => process.clone().prop_map(Act::Keep),
        2 => (process.clone(), 1..5_usize).prop_map(|(process, n)| Act::KeepTogether(process, n)),
        3 => process.clone().prop_map(Act::Read),
        2 => process.prop_map(Act::Reopen),
        1 => any::<u64>().prop_map(Act::LosePower),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn two_processes_are_as_one_list(acts in prop::collection::vec(act(), 1..40)) {
        let mut machine = FaultyBackend::new();
        let other = |machine: &FaultyBackend| open(machine.another_process()).unwrap();
        let mut stores = [other(&machine), other(&machine)];
        let mut list: Vec<String> = Vec::new();
        for act in acts {
            match act {
                Act::Keep(process) => {
                    let text = list.len().to_string();
                    keep(&stores[process], &text).unwrap();
                    list.push(text);
                }
                Act::KeepTogether(process, n) => {
                    let all: Vec<String> = (list.len()..).take(n).map(|i| i.to_string()).collect();
                    let all_str: Vec<&str> = all.iter().map(String::as_str).collect();
                    for (outcome, n_before) in
                        keep_together(&stores[process], &all_str).into_iter().zip(list.len() as u64..)
                    {
                        prop_assert_eq!(outcome.unwrap().seq().0, n_before + 1);
                    }
                    list.extend(all);
                }
                Act::Read(process) => prop_assert_eq!(&texts(&stores[process]).unwrap(), &list),
                Act::Reopen(process) => stores[process] = other(&machine),
                Act::LosePower(seed) => {
                    machine = machine.after_power_loss(Unsynced::Seeded(seed));
                    stores = [other(&machine), other(&machine)];
                }
            }
        }
        for store in &stores {
            prop_assert_eq!(&texts(store).unwrap(), &list);
        }
    }
}
