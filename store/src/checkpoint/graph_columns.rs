//! Entities and relations as columns.

use std::sync::Arc;

use palimpsest_hdf5::{Editor, Hdf5File};

use super::columns::{Columns, Field, part, set};
use super::dictionary::Dictionaries;
use super::memory_row::memory_id;
use super::problem::{FileProblem, Result};
use super::rows::{GraphRow, Table};
use super::schema::Dictionary;
use super::text_column;
use crate::{Entity, EntityId, Lifespan, Relation, Seq};

const ENTITY: &str = "/graph/entity";
const RELATION: &str = "/graph/relation";

pub(super) fn write_entities(
    editor: &mut Editor<'_>,
    dictionaries: &mut Dictionaries,
    table: &Table<GraphRow<Entity>>,
) -> palimpsest_hdf5::Result<()> {
    write_lifespans(editor, ENTITY, table)?;
    let rows = &table.new;
    let ids: Vec<u64> = rows.iter().map(|row| row.record.id.0).collect();
    editor.append("/graph/entity/id", &ids)?;
    let scopes = rows
        .iter()
        .map(|row| dictionaries.code(Dictionary::Scope, &row.record.scope));
    let scopes: Vec<u32> = scopes.collect();
    editor.append("/graph/entity/scope", &scopes)?;
    let kinds = rows.iter().map(|row| row.record.kind.as_ref());
    let kinds = kinds.map(|kind| dictionaries.code_or_none(Dictionary::EntityKind, kind));
    let kinds: Vec<u32> = kinds.collect();
    editor.append("/graph/entity/kind", &kinds)?;
    let n_aliases = editor
        .shape("/graph/entity/alias")?
        .first()
        .copied()
        .unwrap_or(0);
    let mut alias_end = n_aliases;
    let mut ends = Vec::with_capacity(rows.len());
    let mut aliases: Vec<&str> = Vec::new();
    for row in rows {
        alias_end += row.record.aliases.len() as u64;
        ends.push(alias_end);
        aliases.extend(row.record.aliases.iter().map(|alias| &**alias));
    }
    editor.append("/graph/entity/alias_end", &ends)?;
    text_column::append(editor, "/graph/entity/alias", n_aliases, &aliases)?;
    let names: Vec<&str> = rows.iter().map(|row| &*row.record.name).collect();
    text_column::append(editor, "/graph/entity/name", table.n_before, &names)
}

pub(super) fn write_relations(
    editor: &mut Editor<'_>,
    dictionaries: &mut Dictionaries,
    table: &Table<GraphRow<Relation>>,
) -> palimpsest_hdf5::Result<()> {
    write_lifespans(editor, RELATION, table)?;
    let rows = &table.new;
    let ids: [Field<Relation, u64>; 3] = [
        ("from", |relation| relation.from.0),
        ("to", |relation| relation.to.0),
        ("memory_id", |relation| relation.memory.0),
    ];
    for (name, id) in ids {
        let ids: Vec<u64> = rows.iter().map(|row| id(&row.record)).collect();
        editor.append(&format!("{RELATION}/{name}"), &ids)?;
    }
    let verbs = rows
        .iter()
        .map(|row| dictionaries.code(Dictionary::Relation, &row.record.relation));
    let verbs: Vec<u32> = verbs.collect();
    editor.append("/graph/relation/relation", &verbs)?;
    let weights: Vec<f32> = rows.iter().map(|row| row.record.weight).collect();
    editor.append("/graph/relation/weight", &weights)
}

fn write_lifespans<T>(
    editor: &mut Editor<'_>,
    group: &str,
    table: &Table<GraphRow<T>>,
) -> palimpsest_hdf5::Result<()> {
    let column = format!("{group}/died");
    for death in &table.deaths {
        set(editor, &column, death.row, death.died.0)?;
    }
    let births: Vec<u64> = table.new.iter().map(|row| row.lifespan.born.0).collect();
    let deaths: Vec<u64> = table.new.iter().map(|row| row.lifespan.died.0).collect();
    editor.append(&format!("{group}/born"), &births)?;
    editor.append(&column, &deaths)
}

/// The lifespans of a table from its first row after `since` on, and which row that is.
fn read_lifespans(columns: &Columns<'_>, since: Seq) -> Result<(u64, Vec<Lifespan>)> {
    let births = columns.read::<u64>("born", 0)?;
    let from = births.partition_point(|born| *born <= since.0);
    let deaths = columns.read::<u64>("died", from as u64)?;
    let lifespans = births
        .iter()
        .skip(from)
        .zip(deaths)
        .map(|(born, died)| Lifespan {
            born: Seq(*born),
            died: Seq(died),
        });
    Ok((from as u64, lifespans.collect()))
}

/// The versions of entities born after `since`. Who ended follows from who took their place.
pub(super) fn read_entities(
    file: &Hdf5File,
    dictionaries: &Dictionaries,
    since: Seq,
) -> Result<Table<GraphRow<Entity>>> {
    let columns = Columns::of(file, ENTITY, "id")?;
    let (from, lifespans) = read_lifespans(&columns, since)?;
    let ids = columns.read::<u64>("id", from)?;
    let scopes = columns.read::<u32>("scope", from)?;
    let kinds = columns.read::<u32>("kind", from)?;
    let names = columns.read_texts("name", from)?;
    let mut ends = columns.read::<u64>("alias_end", from.saturating_sub(1))?;
    let alias_from = if from == 0 || ends.is_empty() {
        0
    } else {
        ends.remove(0)
    };
    let aliases: Vec<Arc<str>> = text_column::read(file, "/graph/entity/alias", alias_from)?
        .into_iter()
        .map(Into::into)
        .collect();
    let mut rows = Vec::with_capacity(ids.len());
    let mut start = alias_from;
    for (idx, lifespan) in lifespans.into_iter().enumerate() {
        let row = from + idx as u64;
        let end = ends[idx];
        let of_row = part(&aliases, alias_from, (start, end)).ok_or_else(|| {
            let expected = "not before the row before it, within the list";
            FileProblem::row("/graph/entity/alias_end", row, expected, end)
        })?;
        start = end;
        let entity = Entity {
            id: entity_id(ids[idx], "/graph/entity/id", row)?,
            scope: dictionaries.string(
                Dictionary::Scope,
                scopes[idx],
                "/graph/entity/scope",
                row,
            )?,
            name: names[idx].as_str().into(),
            kind: dictionaries.string_or_none(
                Dictionary::EntityKind,
                kinds[idx],
                "/graph/entity/kind",
                row,
            )?,
            aliases: of_row.to_vec(),
        };
        rows.push(GraphRow {
            record: Arc::new(entity),
            lifespan,
        });
    }
    Ok(Table {
        n_before: from,
        new: rows,
        deaths: Vec::new(),
    })
}

/// The versions of relations born after `since`.
pub(super) fn read_relations(
    file: &Hdf5File,
    dictionaries: &Dictionaries,
    since: Seq,
) -> Result<Table<GraphRow<Relation>>> {
    let columns = Columns::of(file, RELATION, "from")?;
    let (from, lifespans) = read_lifespans(&columns, since)?;
    let starts = columns.read::<u64>("from", from)?;
    let ends = columns.read::<u64>("to", from)?;
    let memories = columns.read::<u64>("memory_id", from)?;
    let verbs = columns.read::<u32>("relation", from)?;
    let weights = columns.read::<f32>("weight", from)?;
    let mut rows = Vec::with_capacity(starts.len());
    for (idx, lifespan) in lifespans.into_iter().enumerate() {
        let row = from + idx as u64;
        let weight = weights[idx];
        if !(0.0..=1.0).contains(&weight) {
            return Err(FileProblem::row(
                "/graph/relation/weight",
                row,
                "0 to 1",
                weight,
            ));
        }
        let verb = "/graph/relation/relation";
        let relation = Relation {
            from: entity_id(starts[idx], "/graph/relation/from", row)?,
            relation: dictionaries.string(Dictionary::Relation, verbs[idx], verb, row)?,
            to: entity_id(ends[idx], "/graph/relation/to", row)?,
            weight,
            memory: memory_id(memories[idx], "/graph/relation/memory_id", row)?,
        };
        rows.push(GraphRow {
            record: Arc::new(relation),
            lifespan,
        });
    }
    Ok(Table {
        n_before: from,
        new: rows,
        deaths: Vec::new(),
    })
}

fn entity_id(id: u64, column: &str, row: u64) -> Result<EntityId> {
    if id == 0 || id == u64::MAX {
        return Err(FileProblem::row(column, row, "1 to 2^64 - 2", id));
    }
    Ok(EntityId(id))
}
