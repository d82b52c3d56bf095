//! Whether an operation may be written: exactly what the codec will read back. Knows no bytes.

use super::{Change, Operation, WindowVector};
use crate::error::PayloadProblem;
use crate::{EntityId, Error, MemoryId, MemoryRecord};

impl Operation {
    /// Refuses what [`Operation::decode`] would refuse, before it is written.
    ///
    /// # Errors
    /// [`Error::BadChange`] names the first change that cannot be kept.
    pub(crate) fn check(&self) -> Result<(), Error> {
        for (change_idx, change) in self.changes.iter().enumerate() {
            check_change(change).map_err(|problem| Error::BadChange {
                change: change_idx,
                problem,
            })?;
        }
        Ok(())
    }
}

fn check_change(change: &Change) -> Result<(), PayloadProblem> {
    match change {
        Change::Put(memory) => check_memory(memory),
        Change::Retire { id, .. } => check_memory_id(*id),
        Change::Embed {
            memory, windows, ..
        } => {
            check_memory_id(*memory)?;
            check_windows(windows)
        }
        Change::PutEntity(entity) => check_entity_id(entity.id),
        Change::PutRelation(relation) => {
            check_entity_id(relation.from)?;
            check_entity_id(relation.to)?;
            check_memory_id(relation.memory)?;
            check_share(relation.weight)
        }
    }
}

fn check_memory(memory: &MemoryRecord) -> Result<(), PayloadProblem> {
    check_memory_id(memory.id)?;
    memory.superseded_by.map_or(Ok(()), check_memory_id)?;
    memory
        .entities
        .iter()
        .copied()
        .try_for_each(check_entity_id)?;
    check_share(memory.importance)
}

/// Whether the vectors of a memory can be compared with each other and with a query.
pub(crate) fn check_windows(windows: &[WindowVector]) -> Result<(), PayloadProblem> {
    let first = windows.first().ok_or(PayloadProblem::BadVector)?;
    let dim = first.embedding.len();
    windows
        .iter()
        .try_for_each(|window| palimpsest_vector::check_vector(&window.embedding, dim))
        .map_err(|_| PayloadProblem::BadVector)
}

fn check_memory_id(id: MemoryId) -> Result<(), PayloadProblem> {
    check_id(id.0)
}

fn check_entity_id(id: EntityId) -> Result<(), PayloadProblem> {
    check_id(id.0)
}

fn check_id(id: u64) -> Result<(), PayloadProblem> {
    match id {
        0 | u64::MAX => Err(PayloadProblem::BadIdentifier),
        _ => Ok(()),
    }
}

fn check_share(share: f32) -> Result<(), PayloadProblem> {
    if (0.0..=1.0).contains(&share) {
        Ok(())
    } else {
        Err(PayloadProblem::OutOfRange)
    }
}
