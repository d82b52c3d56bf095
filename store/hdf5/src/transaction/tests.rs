//! The bytes of a file, counted by a walk through all that lives in it.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;

use super::Transaction;
use crate::backend::{Backend as _, File, OpenMode, RamBackend};
use crate::editor::live::{Live, live_bytes};
use crate::{DatasetSpec, Datatype, Error, Filter, Hyperslab};

const DATASETS: [&str; 4] = ["rows", "group/filtered", "group/aligned", "group/deep/text"];

/// What is done to the file.
#[derive(Debug, Clone)]
enum Change {
    Append { which: usize, n_rows: usize },
    Rewrite { which: usize, n_rows: usize },
    Attribute { name: u8, n_bytes: usize },
    Numbers { name: u8, n_bytes: usize },
    RemoveAttribute { name: u8 },
    Group { name: u8 },
    Unlink { which: usize },
    UnlinkGroup { name: u8 },
    WriteAhead,
    Publish,
    Reopen { published: bool },
}

fn any_change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => (0..4_usize, 1..30_usize).prop_map(|(which, n_rows)| Change::Append { which, n_rows }),
        2 => (0..3_usize, 1..9_usize).prop_map(|(which, n_rows)| Change::Rewrite { which, n_rows }),
        3 => (0..14_u8, 0..9000_usize)
            .prop_map(|(name, n_bytes)| Change::Attribute { name, n_bytes }),
        2 => (0..14_u8, 0..70_000_usize)
            .prop_map(|(name, n_bytes)| Change::Numbers { name, n_bytes }),
        1 => (0..14_u8).prop_map(|name| Change::RemoveAttribute { name }),
        3 => (0..30_u8).prop_map(|name| Change::Group { name }),
        1 => (0..4_usize).prop_map(|which| Change::Unlink { which }),
        1 => (0..30_u8).prop_map(|name| Change::UnlinkGroup { name }),
        1 => Just(Change::WriteAhead),
        5 => Just(Change::Publish),
        2 => any::<bool>().prop_map(|published| Change::Reopen { published }),
    ]
}

fn spec(which: usize) -> DatasetSpec {
    match which {
        0 => DatasetSpec::growing(Datatype::unsigned(1), &[0], &[7]),
        1 => DatasetSpec::growing(Datatype::unsigned(1), &[0], &[1]).filtered(&[
            Filter::Shuffle,
            Filter::Deflate { level: 1 },
            Filter::Fletcher32,
        ]),
        2 => DatasetSpec::growing(Datatype::unsigned(1), &[0], &[16]).aligned(64),
        _ => DatasetSpec::growing(Datatype::text(), &[0], &[5]),
    }
}

/// A transaction and what its texts take: those of rows are not counted when they die.
struct Twin {
    backend: RamBackend,
    transaction: Transaction,
    row_text_bytes: u64,
    row_text_bytes_published: u64,
    dead_bytes: u64,
}

impl Twin {
    fn new() -> Self {
        let backend = RamBackend::new();
        let transaction = Transaction::create(open(&backend), 4096).unwrap();
        Self {
            backend,
            transaction,
            row_text_bytes: 0,
            row_text_bytes_published: 0,
            dead_bytes: 0,
        }
    }

    fn change(&mut self, change: &Change) -> crate::Result<()> {
        let transaction = &mut self.transaction;
        match change {
            Change::Append { which, n_rows } => {
                let path = DATASETS[*which];
                match transaction.create_dataset(path, &spec(*which)) {
                    Ok(()) | Err(Error::Request { .. }) => {}
                    Err(other) => return Err(other),
                }
                if *which < 3 {
                    return transaction.append(path, &vec![7_u8; *n_rows]);
                }
                let texts = vec!["text ".repeat(*n_rows); *n_rows];
                let each = (texts[0].len() as u64 + 16).next_multiple_of(8);
                self.row_text_bytes += each * *n_rows as u64;
                transaction.append_strings(path, &texts)
            }
            Change::Rewrite { which, n_rows } => {
                let path = DATASETS[*which];
                let n_rows = transaction.shape(path)?[0].min(*n_rows as u64);
                let slab = Hyperslab::block(&[0], &[n_rows]);
                transaction.write_bytes(path, &slab, vec![9; usize::try_from(n_rows).unwrap()])
            }
            Change::Attribute { name, n_bytes } => {
                transaction.set_attribute("/", &name.to_string(), &*"t".repeat(*n_bytes))
            }
            Change::Numbers { name, n_bytes } => {
                let list = crate::AttributeValue::list(&vec![1_u8; *n_bytes]);
                transaction.create_group("group")?;
                transaction.set_attribute("group", &name.to_string(), list)
            }
            Change::RemoveAttribute { name } => {
                transaction.remove_attribute("/", &name.to_string())
            }
            Change::Group { name } => {
                let path = format!("groups/{name}/inner");
                transaction.create_group(&path)?;
                transaction.set_attribute(&path, "name", "of a group")
            }
            Change::Unlink { which } => transaction.unlink(DATASETS[*which]),
            Change::UnlinkGroup { name: 0 } => transaction.unlink("groups"),
            Change::UnlinkGroup { name: 1 } => transaction.unlink("group"),
            Change::UnlinkGroup { name } => transaction.unlink(&format!("groups/{name}")),
            Change::WriteAhead => transaction.write_ahead(),
            Change::Publish => self.publish(),
            Change::Reopen { published } => {
                if *published {
                    self.publish()?;
                }
                self.row_text_bytes = self.row_text_bytes_published;
                self.transaction = Transaction::open(open(&self.backend), 4096)?;
                Ok(())
            }
        }
    }

    fn publish(&mut self) -> crate::Result<()> {
        let publication = self.transaction.publish(|_| Ok::<_, Infallible>(()))?;
        self.dead_bytes += publication.dead_bytes;
        self.row_text_bytes_published = self.row_text_bytes;
        let Live {
            structures_bytes,
            attribute_texts_bytes,
            collections,
        } = live_bytes(&open(&self.backend), publication.end_bytes);
        let heads_bytes = 16 * collections;
        let live_bytes =
            structures_bytes + attribute_texts_bytes + heads_bytes + self.row_text_bytes;
        assert_eq!(
            publication.end_bytes,
            live_bytes + self.dead_bytes,
            "{live_bytes} live, {} dead",
            self.dead_bytes
        );
        Ok(())
    }
}

fn open(backend: &RamBackend) -> Arc<dyn File> {
    Arc::from(
        backend
            .open(Path::new("/counted.h5"), OpenMode::Create)
            .unwrap(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_byte_lives_or_is_counted_dead(
        changes in prop::collection::vec(any_change(), 0..60)
    ) {
        let mut twin = Twin::new();
        for change in &changes {
            match twin.change(change) {
                Ok(()) | Err(Error::NotFound { .. }) => {}
                Err(other) => panic!("{change:?}: {other}"),
            }
        }
        twin.publish().unwrap();
    }
}
