//! An operation as the payload of a log frame, and back. Knows no frame and no file.
//!
//! FORMAT.md has the layout ("The payload of a frame"). The bytes are hostile until decoded: every
//! length is checked against what is there before anything is allocated for it.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::sync::Arc;

use super::reader::Reader;
use super::{Change, Operation, Verb, WindowVector};
use crate::error::PayloadProblem;
use crate::{Entity, EntityId, Error, MemoryId, MemoryRecord, ModelId, Relation, Timestamp};

const CHANGE_PUT: u8 = 1;
const CHANGE_RETIRE: u8 = 2;
const CHANGE_EMBED: u8 = 3;
const CHANGE_PUT_ENTITY: u8 = 4;
const CHANGE_PUT_RELATION: u8 = 5;

/// Tag and body length.
const CHANGE_LEN_MIN_BYTES: usize = 1 + 4;
/// A string of no bytes.
const STRING_LEN_MIN_BYTES: usize = 4;
const ID_LEN_BYTES: usize = 8;
const F32_LEN_BYTES: usize = 4;

impl Operation {
    /// The payload of this operation's log frame.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![self.verb.code()];
        put_count(&mut bytes, self.changes.len());
        for change in &self.changes {
            let (tag, body) = encode_change(change);
            bytes.push(tag);
            put_count(&mut bytes, body.len());
            bytes.extend_from_slice(&body);
        }
        bytes
    }

    /// The operation whose payload `bytes` is: the inverse of [`Self::encode`].
    ///
    /// # Errors
    /// [`Error::UnknownTag`] where a newer version wrote it; [`Error::Payload`] where nobody did.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, "operation");
        let tag = reader.u8()?;
        let verb = Verb::from_code(tag).ok_or_else(|| reader.unknown_tag("verb", tag))?;
        let changes = reader.list(CHANGE_LEN_MIN_BYTES, decode_change)?;
        reader.finish()?;
        Ok(Self { verb, changes })
    }
}

fn encode_change(change: &Change) -> (u8, Vec<u8>) {
    let mut body = Vec::new();
    let tag = match change {
        Change::Put(memory) => {
            put_memory(&mut body, memory);
            CHANGE_PUT
        }
        Change::Retire { id, reason } => {
            put_u64(&mut body, id.0);
            put_option(&mut body, reason.as_deref(), put_string);
            CHANGE_RETIRE
        }
        Change::Embed {
            memory,
            model,
            windows,
        } => {
            put_embed(&mut body, *memory, *model, windows);
            CHANGE_EMBED
        }
        Change::PutEntity(entity) => {
            put_entity(&mut body, entity);
            CHANGE_PUT_ENTITY
        }
        Change::PutRelation(relation) => {
            put_u64(&mut body, relation.from.0);
            put_string(&mut body, &relation.relation);
            put_u64(&mut body, relation.to.0);
            put_f32(&mut body, relation.weight);
            put_u64(&mut body, relation.memory.0);
            CHANGE_PUT_RELATION
        }
    };
    (tag, body)
}

fn decode_change(reader: &mut Reader<'_>) -> Result<Change, Error> {
    let tag = reader.u8()?;
    let tag_offset = reader.mark_tag();
    let mut body = reader.sub("change")?;
    let change = match tag {
        CHANGE_PUT => Change::Put(Arc::new(decode_memory(&mut body)?)),
        CHANGE_RETIRE => {
            body.enter("retirement");
            Change::Retire {
                id: decode_memory_id(&mut body)?,
                reason: body.option(Reader::string)?,
            }
        }
        CHANGE_EMBED => decode_embed(&mut body)?,
        CHANGE_PUT_ENTITY => Change::PutEntity(Arc::new(decode_entity(&mut body)?)),
        CHANGE_PUT_RELATION => {
            body.enter("relation");
            Change::PutRelation(Arc::new(Relation {
                from: decode_entity_id(&mut body)?,
                relation: body.string()?,
                to: decode_entity_id(&mut body)?,
                weight: decode_share(&mut body)?,
                memory: decode_memory_id(&mut body)?,
            }))
        }
        tag => {
            return Err(Error::UnknownTag {
                structure: "change",
                offset_bytes: tag_offset,
                tag,
            });
        }
    };
    body.finish()?;
    Ok(change)
}

fn put_memory(body: &mut Vec<u8>, memory: &MemoryRecord) {
    put_u64(body, memory.id.0);
    put_string(body, &memory.text);
    put_string(body, &memory.scope);
    put_string(body, &memory.kind);
    put_option(body, memory.topic.as_deref(), put_string);
    put_option(body, memory.source.as_deref(), put_string);
    put_strings(body, &memory.tags);
    put_count(body, memory.entities.len());
    for entity in &memory.entities {
        put_u64(body, entity.0);
    }
    put_f32(body, memory.importance);
    put_i64(body, memory.created_at.0);
    put_option(body, memory.valid_from.map(|time| time.0), put_i64);
    put_option(body, memory.valid_to.map(|time| time.0), put_i64);
    put_option(body, memory.superseded_by.map(|id| id.0), put_u64);
}

fn decode_memory(body: &mut Reader<'_>) -> Result<MemoryRecord, Error> {
    body.enter("memory");
    Ok(MemoryRecord {
        id: decode_memory_id(body)?,
        text: body.string()?,
        scope: body.string()?,
        kind: body.string()?,
        topic: body.option(Reader::string)?,
        source: body.option(Reader::string)?,
        tags: body.list(STRING_LEN_MIN_BYTES, Reader::string)?,
        entities: body.list(ID_LEN_BYTES, decode_entity_id)?,
        importance: decode_share(body)?,
        created_at: Timestamp(body.i64()?),
        valid_from: body.option(Reader::i64)?.map(Timestamp),
        valid_to: body.option(Reader::i64)?.map(Timestamp),
        superseded_by: body.option(decode_memory_id)?,
    })
}

/// All windows of one change have one length, so it stands before them.
fn put_embed(body: &mut Vec<u8>, memory: MemoryId, model: ModelId, windows: &[WindowVector]) {
    put_u64(body, memory.0);
    body.extend_from_slice(&model.0);
    let dim = windows.first().map_or(0, |window| window.embedding.len());
    put_count(body, dim);
    put_count(body, windows.len());
    for window in windows {
        body.extend_from_slice(&window.token_start.to_le_bytes());
        for component in &*window.embedding {
            put_f32(body, *component);
        }
    }
}

fn decode_embed(body: &mut Reader<'_>) -> Result<Change, Error> {
    body.enter("embedding");
    let memory = decode_memory_id(body)?;
    let model = ModelId(body.array()?);
    let dim = usize::try_from(body.u32()?).unwrap_or(usize::MAX);
    if dim == 0 || dim > palimpsest_vector::DIM_MAX {
        return Err(body.problem(PayloadProblem::BadVector));
    }
    let window_len_bytes = dim.saturating_mul(F32_LEN_BYTES).saturating_add(4);
    let windows = body.list(window_len_bytes, |body| {
        Ok(WindowVector {
            token_start: body.u32()?,
            embedding: decode_vector(body, dim)?,
        })
    })?;
    if windows.is_empty() {
        return Err(body.problem(PayloadProblem::BadVector));
    }
    Ok(Change::Embed {
        memory,
        model,
        windows,
    })
}

fn decode_vector(body: &mut Reader<'_>, dim: usize) -> Result<Arc<[f32]>, Error> {
    let bytes = body.bytes(dim.saturating_mul(F32_LEN_BYTES))?;
    let (components, _) = bytes.as_chunks::<F32_LEN_BYTES>();
    let vector: Arc<[f32]> = components.iter().map(|b| f32::from_le_bytes(*b)).collect();
    match palimpsest_vector::check_vector(&vector, dim) {
        Ok(()) => Ok(vector),
        Err(_) => Err(body.problem(PayloadProblem::BadVector)),
    }
}

fn put_entity(body: &mut Vec<u8>, entity: &Entity) {
    put_u64(body, entity.id.0);
    put_string(body, &entity.scope);
    put_string(body, &entity.name);
    put_option(body, entity.kind.as_deref(), put_string);
    put_strings(body, &entity.aliases);
}

fn decode_entity(body: &mut Reader<'_>) -> Result<Entity, Error> {
    body.enter("entity");
    Ok(Entity {
        id: decode_entity_id(body)?,
        scope: body.string()?,
        name: body.string()?,
        kind: body.option(Reader::string)?,
        aliases: body.list(STRING_LEN_MIN_BYTES, Reader::string)?,
    })
}

fn decode_memory_id(body: &mut Reader<'_>) -> Result<MemoryId, Error> {
    decode_id(body).map(MemoryId)
}

fn decode_entity_id(body: &mut Reader<'_>) -> Result<EntityId, Error> {
    decode_id(body).map(EntityId)
}

/// Identifiers are given from 1, and the last one is never given, so that a next one always exists.
fn decode_id(body: &mut Reader<'_>) -> Result<u64, Error> {
    match body.u64()? {
        0 | u64::MAX => Err(body.problem(PayloadProblem::BadIdentifier)),
        id => Ok(id),
    }
}

/// An importance or a weight: 0 to 1.
fn decode_share(body: &mut Reader<'_>) -> Result<f32, Error> {
    let share = body.f32()?;
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err(body.problem(PayloadProblem::OutOfRange))
    }
}

fn put_count(bytes: &mut Vec<u8>, count: usize) {
    let count = u32::try_from(count).expect("the log refuses an operation of more than 64 MiB");
    bytes.extend_from_slice(&count.to_le_bytes());
}

fn put_u64(bytes: &mut Vec<u8>, value: u64) {
    bytes.extend_from_slice(&value.to_le_bytes());
}

fn put_i64(bytes: &mut Vec<u8>, value: i64) {
    bytes.extend_from_slice(&value.to_le_bytes());
}

fn put_f32(bytes: &mut Vec<u8>, value: f32) {
    bytes.extend_from_slice(&value.to_le_bytes());
}

fn put_string(bytes: &mut Vec<u8>, text: &str) {
    put_count(bytes, text.len());
    bytes.extend_from_slice(text.as_bytes());
}

fn put_strings(bytes: &mut Vec<u8>, texts: &[Arc<str>]) {
    put_count(bytes, texts.len());
    for text in texts {
        put_string(bytes, text);
    }
}

fn put_option<T>(bytes: &mut Vec<u8>, value: Option<T>, put: impl FnOnce(&mut Vec<u8>, T)) {
    bytes.push(u8::from(value.is_some()));
    if let Some(value) = value {
        put(bytes, value);
    }
}

#[cfg(test)]
mod tests;
