//! A loss of power: every process dies, and each cell holds one of the values that the disk may hold.

use crate::bounds::PROCESSES_MAX;
use crate::cell::Cell;
use crate::model::{Model, Transition};
use crate::reader::Reader;
use crate::state::{FRAMES_MAX, INODES_MAX, POSITIONS_MAX, State};
use crate::step::Step;
use crate::value::ValueId;

const CELLS_IN_FILE: usize = 2 + POSITIONS_MAX;
const CELLS_IN_LOG: usize = 3 + FRAMES_MAX;
const NAMES: usize = 3;

/// How many cells a state has.
pub(crate) const N_CELLS: usize = CELLS_IN_LOG + NAMES + INODES_MAX * CELLS_IN_FILE;

/// A cell of a state, and its name.
pub(crate) fn cell(state: &mut State, idx: usize) -> (&mut Cell, CellName) {
    if idx < CELLS_IN_LOG {
        let cell = match idx {
            0 => &mut state.log.name,
            1 | 2 => &mut state.log.slots[idx - 1],
            _ => &mut state.log.frames[idx - 3],
        };
        return (cell, CellName(idx));
    }
    let folder_idx = idx - CELLS_IN_LOG;
    if folder_idx < NAMES {
        let [memory, old, temporary] = state.folder.names_mut();
        let cell = match folder_idx {
            0 => memory,
            1 => old,
            _ => temporary,
        };
        return (cell, CellName(idx));
    }
    let file_idx = (folder_idx - NAMES) / CELLS_IN_FILE;
    let file = &mut state.files[file_idx];
    let cell = match (folder_idx - NAMES) % CELLS_IN_FILE {
        0 => &mut file.superblock,
        1 => &mut file.size,
        position => &mut file.rows[position - 2],
    };
    (cell, CellName(idx))
}

/// The name of a cell, for traces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellName(usize);

impl std::fmt::Display for CellName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 < CELLS_IN_LOG {
            return match self.0 {
                0 => write!(f, "log name"),
                1 | 2 => write!(f, "slot {}", self.0 - 1),
                idx => write!(f, "frame {}", idx - 3),
            };
        }
        let folder_idx = self.0 - CELLS_IN_LOG;
        if folder_idx < NAMES {
            return f.write_str(["memory name", "old name", "temporary name"][folder_idx]);
        }
        let inode = (folder_idx - NAMES) / CELLS_IN_FILE;
        match (folder_idx - NAMES) % CELLS_IN_FILE {
            0 => write!(f, "superblock of {inode}"),
            1 => write!(f, "size of {inode}"),
            position => write!(f, "rows {} of {inode}", position - 2),
        }
    }
}

/// All outcomes of a loss of power.
pub(crate) fn lose(model: &Model, state: &State, out: &mut Vec<Transition>) {
    if state.left.n_power_losses == 0 {
        return;
    }
    let mut base = *state;
    base.left.n_power_losses -= 1;
    (0..PROCESSES_MAX).for_each(|process| base.die(process));
    base.reader = Reader::default();
    base.exclusive = 0;
    if model.bounds.has_names() {
        base.forget_unused_files();
    }
    let mut outcomes = vec![base];
    for idx in 0..N_CELLS {
        let (unsettled, _) = cell(&mut base, idx);
        if unsettled.alternatives().len() == 1 {
            continue;
        }
        let unsettled = *unsettled;
        outcomes = outcomes
            .iter()
            .flat_map(|outcome| {
                unsettled.alternatives().iter().map(move |value| {
                    let mut outcome = *outcome;
                    *cell(&mut outcome, idx).0 = Cell::settled(*value);
                    outcome
                })
            })
            .collect();
    }
    for mut outcome in outcomes {
        make_consistent(model, &mut outcome);
        out.push(Transition::of_machine(Step::PowerLoss, &outcome));
    }
}

/// What has no name is gone; what lies behind the end of a file is not there.
fn make_consistent(model: &Model, state: &mut State) {
    if state.log.name.current() == ValueId::ABSENT {
        state.log.cells().for_each(|it| *it = Cell::absent());
    }
    if model.bounds.has_sizes() {
        for file in &mut state.files {
            let size = usize::from(file.size());
            file.rows
                .iter_mut()
                .skip(size)
                .for_each(|it| *it = Cell::absent());
        }
    }
    if model.bounds.has_names() {
        state.forget_unused_files();
    }
}
