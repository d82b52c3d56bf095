//! Whether an operation may be written: exactly what the codec will read back. Knows no bytes.

use super::{Change, Operation, TEXT_LEN_BYTES_MAX, WindowVector};
use crate::error::PayloadProblem;
use crate::{Entity, EntityId, Error, MemoryId, MemoryRecord, Relation};

/// Far more than a frame holds, and far less than a length in a payload can say.
const OPERATION_LEN_BYTES_MAX: usize = 1 << 30;

impl Operation {
    /// Refuses what [`Operation::decode`] would refuse, before it is written.
    ///
    /// # Errors
    /// [`Error::BadChange`] names the first change that cannot be kept.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let mut len_bytes = 0_usize;
        for (change_idx, change) in self.changes.iter().enumerate() {
            let checked = check_change(change).and_then(|change_len_bytes| {
                len_bytes = len_bytes.saturating_add(change_len_bytes);
                let fits = len_bytes <= OPERATION_LEN_BYTES_MAX;
                fits.then_some(()).ok_or(PayloadProblem::TooLong)
            });
            checked.map_err(|problem| Error::BadChange {
                change: change_idx,
                problem,
            })?;
        }
        Ok(())
    }
}

/// About how long the change is in bytes, if it can be kept.
fn check_change(change: &Change) -> Result<usize, PayloadProblem> {
    match change {
        Change::Put(memory) => check_memory(memory),
        Change::Retire { id, reason } => {
            check_id(id.0)?;
            check_texts(reason.as_deref())
        }
        Change::Embed {
            memory, windows, ..
        } => {
            check_id(memory.0)?;
            check_windows(windows)?;
            let dim = windows.first().map_or(0, |window| window.embedding.len());
            Ok(windows.len().saturating_mul(dim * size_of::<f32>()))
        }
        Change::PutEntity(entity) => check_entity(entity),
        Change::PutRelation(relation) => check_relation(relation),
    }
}

fn check_memory(memory: &MemoryRecord) -> Result<usize, PayloadProblem> {
    let MemoryId(id) = memory.id;
    check_id(id)?;
    memory.superseded_by.map_or(Ok(()), |id| check_id(id.0))?;
    let entities = memory.entities.iter();
    entities
        .clone()
        .try_for_each(|EntityId(id)| check_id(*id))?;
    check_share(memory.importance)?;
    let named = [&memory.text, &memory.scope, &memory.kind].into_iter();
    let texts = named
        .chain(&memory.topic)
        .chain(&memory.source)
        .chain(&memory.tags);
    let len_bytes = check_texts(texts.map(|text| &**text))?;
    Ok(len_bytes.saturating_add(entities.len().saturating_mul(size_of::<u64>())))
}

fn check_entity(entity: &Entity) -> Result<usize, PayloadProblem> {
    check_id(entity.id.0)?;
    let named = [&entity.scope, &entity.name].into_iter();
    let texts = named.chain(&entity.kind).chain(&entity.aliases);
    check_texts(texts.map(|text| &**text))
}

fn check_relation(relation: &Relation) -> Result<usize, PayloadProblem> {
    check_id(relation.from.0)?;
    check_id(relation.to.0)?;
    check_id(relation.memory.0)?;
    check_share(relation.weight)?;
    check_texts([&*relation.relation])
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

/// The bytes of the texts and their lengths, if none is too long.
fn check_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<usize, PayloadProblem> {
    texts.into_iter().try_fold(0_usize, |len_bytes, text| {
        if text.len() > TEXT_LEN_BYTES_MAX {
            return Err(PayloadProblem::TooLong);
        }
        Ok(len_bytes.saturating_add(size_of::<u32>() + text.len()))
    })
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

#[cfg(test)]
mod tests;
