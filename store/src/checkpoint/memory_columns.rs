//! Memories and commits as columns.

use std::sync::Arc;

use palimpsest_hdf5::{Editor, Hdf5File};

use super::columns::{Columns, Field, set, to_idx};
use super::dictionary::Dictionaries;
use super::memory_row::{NewRows, memory_id};
use super::problem::{FileProblem, Result};
use super::rows::{CommitRow, Death, MemoryRow, Table};
use super::schema::{ALWAYS, Dictionary, NO_ID, NOT_YET};
use super::text_column;
use crate::{Lifespan, Seq, Timestamp, Verb};

pub(super) fn write_commits(
    editor: &mut Editor<'_>,
    commits: &[CommitRow],
) -> palimpsest_hdf5::Result<()> {
    let seqs: Vec<u64> = commits.iter().map(|it| it.seq.0).collect();
    let times: Vec<i64> = commits.iter().map(|it| it.at.0).collect();
    let verbs: Vec<u8> = commits.iter().map(|it| it.verb.code()).collect();
    editor.append("/commit/seq", &seqs)?;
    editor.append("/commit/at", &times)?;
    editor.append("/commit/verb", &verbs)
}

/// How many commits are not after `since`, and the others.
pub(super) fn read_commits(file: &Hdf5File, since: Seq) -> Result<(u64, Vec<CommitRow>)> {
    let columns = Columns::of(file, "/commit", "seq")?;
    let seqs = columns.read::<u64>("seq", 0)?;
    let first = seqs.partition_point(|seq| *seq <= since.0);
    let from = first as u64;
    let times = columns.read::<i64>("at", from)?;
    let verbs = columns.read::<u8>("verb", from)?;
    let mut commits = Vec::with_capacity(times.len());
    let mut last = since;
    let later = seqs.iter().skip(first);
    for (row, ((seq, at), verb)) in (from..).zip(later.zip(times).zip(verbs)) {
        if *seq <= last.0 || *seq == Seq::NEVER.0 {
            return Err(FileProblem::row(
                "/commit/seq",
                row,
                "more than the one before",
                seq,
            ));
        }
        last = Seq(*seq);
        let verb = Verb::from_code(verb)
            .ok_or_else(|| FileProblem::row("/commit/verb", row, "1, 2 or 3", verb))?;
        commits.push(CommitRow {
            seq: last,
            at: Timestamp(at),
            verb,
        });
    }
    Ok((from, commits))
}

/// Adds versions, and ends those that were there.
pub(super) fn write(
    editor: &mut Editor<'_>,
    dictionaries: &mut Dictionaries,
    table: &Table<MemoryRow>,
) -> palimpsest_hdf5::Result<()> {
    for death in &table.deaths {
        set(editor, "/memory/died", death.row, death.died.0)?;
        if death.reason.is_some() {
            let code = dictionaries.code_or_none(Dictionary::Reason, death.reason.as_ref());
            set(editor, "/memory/reason", death.row, code)?;
        }
    }
    let rows = &table.new;
    write_numbers(editor, rows)?;
    write_codes(editor, dictionaries, rows)?;
    write_lists(editor, dictionaries, rows)?;
    let texts: Vec<&str> = rows.iter().map(|row| &*row.record.text).collect();
    text_column::append(editor, "/memory/text", table.n_before, &texts)
}

fn write_numbers(editor: &mut Editor<'_>, rows: &[MemoryRow]) -> palimpsest_hdf5::Result<()> {
    let wholes: [Field<MemoryRow, u64>; 4] = [
        ("/memory/id", |row| row.record.id.0),
        ("/memory/born", |row| row.lifespan.born.0),
        ("/memory/died", |row| row.lifespan.died.0),
        ("/memory/superseded_by", |row| {
            row.record.superseded_by.map_or(NO_ID, |id| id.0)
        }),
    ];
    for (path, value) in wholes {
        editor.append(path, &rows.iter().map(value).collect::<Vec<u64>>())?;
    }
    let times: [Field<MemoryRow, i64>; 3] = [
        ("/memory/created_at", |row| row.record.created_at.0),
        ("/memory/valid_from", |row| {
            row.record.valid_from.map_or(ALWAYS, |time| time.0)
        }),
        ("/memory/valid_to", |row| {
            row.record.valid_to.map_or(NOT_YET, |time| time.0)
        }),
    ];
    for (path, value) in times {
        editor.append(path, &rows.iter().map(value).collect::<Vec<i64>>())?;
    }
    let importances: Vec<f32> = rows.iter().map(|row| row.record.importance).collect();
    editor.append("/memory/importance", &importances)
}

fn write_codes(
    editor: &mut Editor<'_>,
    dictionaries: &mut Dictionaries,
    rows: &[MemoryRow],
) -> palimpsest_hdf5::Result<()> {
    type Named = fn(&MemoryRow) -> Option<&Arc<str>>;
    let columns: [(&str, Dictionary, Named); 5] = [
        ("/memory/scope", Dictionary::Scope, |row| {
            Some(&row.record.scope)
        }),
        ("/memory/kind", Dictionary::Kind, |row| {
            Some(&row.record.kind)
        }),
        ("/memory/source", Dictionary::Source, |row| {
            row.record.source.as_ref()
        }),
        ("/memory/topic", Dictionary::Topic, |row| {
            row.record.topic.as_ref()
        }),
        ("/memory/reason", Dictionary::Reason, |row| {
            row.reason.as_ref()
        }),
    ];
    for (path, kind, name) in columns {
        let codes = rows
            .iter()
            .map(|row| dictionaries.code_or_none(kind, name(row)));
        let codes: Vec<u32> = codes.collect();
        editor.append(path, &codes)?;
    }
    Ok(())
}

/// Lists stand one behind the other, and each row says where its own ends.
fn write_lists(
    editor: &mut Editor<'_>,
    dictionaries: &mut Dictionaries,
    rows: &[MemoryRow],
) -> palimpsest_hdf5::Result<()> {
    let mut tag_end = editor.shape("/memory/tag")?.first().copied().unwrap_or(0);
    let mut entity_end = editor
        .shape("/memory/entity")?
        .first()
        .copied()
        .unwrap_or(0);
    let (mut tags, mut tag_ends) = (Vec::new(), Vec::new());
    let (mut entities, mut entity_ends) = (Vec::new(), Vec::new());
    for row in rows {
        tag_end += row.record.tags.len() as u64;
        tag_ends.push(tag_end);
        tags.extend(
            row.record
                .tags
                .iter()
                .map(|tag| dictionaries.code(Dictionary::Tag, tag)),
        );
        entity_end += row.record.entities.len() as u64;
        entity_ends.push(entity_end);
        entities.extend(row.record.entities.iter().map(|id| id.0));
    }
    editor.append("/memory/tag", &tags)?;
    editor.append("/memory/tag_end", &tag_ends)?;
    editor.append("/memory/entity", &entities)?;
    editor.append("/memory/entity_end", &entity_ends)
}

/// The versions born after `since`, and what ended after it of those before.
pub(super) fn read(
    file: &Hdf5File,
    dictionaries: &Dictionaries,
    since: Seq,
) -> Result<Table<MemoryRow>> {
    let columns = Columns::of(file, "/memory", "id")?;
    let born = columns.read::<u64>("born", 0)?;
    let died = columns.read::<u64>("died", 0)?;
    let from = born.partition_point(|born| *born <= since.0) as u64;
    let new = NewRows::read(file, &columns, from)?;
    let mut table = Table {
        n_before: from,
        new: Vec::with_capacity(new.len()),
        deaths: Vec::new(),
    };
    let mut last = since.0;
    for (row, (born, died)) in (0_u64..).zip(born.iter().zip(&died)).skip(to_idx(from)) {
        if *born < last || died <= born {
            let expected = "in order, and died after it was born";
            return Err(FileProblem::row(
                "/memory/born",
                row,
                expected,
                format!("{born} to {died}"),
            ));
        }
        last = *born;
        let lifespan = Lifespan {
            born: Seq(*born),
            died: Seq(*died),
        };
        table.new.push(new.row(dictionaries, row, lifespan)?);
    }
    let ended = (0_u64..from)
        .zip(&died)
        .filter(|(_, died)| **died > since.0 && **died != Seq::NEVER.0);
    let ended: Vec<(u64, u64)> = ended.map(|(row, died)| (row, *died)).collect();
    if !ended.is_empty() {
        let ids = columns.read::<u64>("id", 0)?;
        let reasons = columns.read::<u32>("reason", 0)?;
        for (row, died) in ended {
            let at = to_idx(row);
            let (id, reason) = (ids.get(at).copied(), reasons.get(at).copied());
            let (id, reason) = (id.unwrap_or_default(), reason.unwrap_or_default());
            table.deaths.push(Death {
                row,
                died: Seq(died),
                id: memory_id(id, "/memory/id", row)?,
                reason: dictionaries.string_or_none(
                    Dictionary::Reason,
                    reason,
                    "/memory/reason",
                    row,
                )?,
            });
        }
    }
    Ok(table)
}
