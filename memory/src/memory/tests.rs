//! The verbs together.

mod answers;
mod model;
mod scopes;
mod sharing;
mod time;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Memory, Options};
use crate::test_rig::{LONG, SCOPE, text};
use crate::{Remember, Settings, SystemClock};

/// On real files, with the system's clock.
pub(super) fn open_on_disk(folder: &Path, model: Option<PathBuf>) -> Memory {
    let options = Options {
        path: folder.join("memory.h5"),
        model,
        lock_wait: LONG,
        settings: Settings::default(),
    };
    Memory::open(options, Arc::new(SystemClock)).expect("the folder can be written")
}

pub(super) fn keep(memory: &Memory, texts: &[&str]) -> Vec<u64> {
    let items = texts.iter().map(|it| text(it)).collect();
    let answer = memory
        .remember(Remember::explicit(SCOPE, items))
        .expect("they are in range");
    answer
        .items
        .iter()
        .map(|item| item.id.expect("it is kept").0)
        .collect()
}
