//! What goes into a memory file comes out again.

use std::path::PathBuf;
use std::sync::Arc;

use palimpsest_hdf5::{Backend as _, File, Hdf5File, OpenMode, RamBackend, Transaction};
use proptest::collection::vec;
use proptest::prelude::*;

use super::{Addition, State, create, read};
use crate::snapshot::tests::{Rows, check_everything, commits, questions};
use crate::view::{Commit, View};
use crate::{EntityId, MemoryId, Seq, Snapshot, Timestamp};

const AHEAD_BYTES: u64 = 1 << 20;

/// A memory file on a file system in memory.
struct Rig {
    backend: RamBackend,
    path: PathBuf,
}

impl Rig {
    fn new() -> Self {
        Self {
            backend: RamBackend::new(),
            path: PathBuf::from("/memory.h5"),
        }
    }

    fn device(&self) -> Arc<dyn File> {
        Arc::from(self.backend.open(&self.path, OpenMode::Create).unwrap())
    }

    fn file(&self) -> Hdf5File {
        Hdf5File::open_device(self.device()).unwrap()
    }

    /// Brings the file from `held` to what `view` holds.
    fn write(&self, view: &View, held: Seq) {
        let state = state(view, 1);
        let (mut transaction, mut addition) = if held == Seq::ZERO {
            let mut new = Transaction::create(self.device(), AHEAD_BYTES).unwrap();
            create(&mut new).unwrap();
            (new, Addition::to_nothing())
        } else {
            let addition = Addition::to(&self.file(), held).unwrap();
            let open = Transaction::open(self.device(), AHEAD_BYTES).unwrap();
            (open, addition)
        };
        addition.advance(&mut transaction, view).unwrap();
        Addition::state(&mut transaction, &state).unwrap();
        let keep = |_: &_| Ok::<_, std::convert::Infallible>(());
        transaction.publish(keep).unwrap();
    }

    fn read(&self, since: Seq) -> Vec<Commit> {
        read(&self.file(), since).unwrap()
    }
}

fn state(view: &View, checkpoint: u64) -> State {
    State {
        store_id: 77,
        checkpoint,
        seq: view.seq(),
        absorbed: 5,
        created: Timestamp(3),
        next_memory: view.next_memory(),
        next_entity: view.next_entity(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Written at once or in parts, read at once or behind what is known already.
    #[test]
    fn a_file_answers_as_the_log_does(
        commits in commits(), cuts in vec(1..24_usize, 0..3), ask in vec(questions(), 1..3),
    ) {
        let rig = Rig::new();
        let mut ends: Vec<usize> = cuts.into_iter().map(|cut| cut.min(commits.len())).collect();
        ends.push(commits.len());
        ends.sort_unstable();
        ends.dedup();
        let (mut view, mut rows, mut start) = (View::empty(), Rows::default(), 0);
        let mut known = View::empty();
        for end in ends {
            let held = view.seq();
            let part = &commits[start..end];
            rows.apply_all(part);
            view = view.apply(part.to_vec());
            rig.write(&view, held);
            start = end;
            let whole = View::empty().apply(rig.read(Seq::ZERO));
            known = known.apply(rig.read(known.seq()));
            for read in [&whole, &known] {
                prop_assert_eq!((read.seq(), read.at()), (view.seq(), view.at()));
                for seq in (0..=view.seq().0).rev().step_by(3) {
                    let snapshot = Snapshot::new(read.clone()).at(Seq(seq)).unwrap();
                    check_everything(&snapshot, &rows, &ask);
                }
            }
        }
    }
}

#[test]
fn what_a_file_says_of_itself_is_read_again() {
    let rig = Rig::new();
    let view = View::empty().with_next(MemoryId(9), EntityId(4));
    rig.write(&view, Seq::ZERO);
    let read = State::read(&rig.file()).unwrap();
    assert_eq!(read, state(&view, 1));
}
