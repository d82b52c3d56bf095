//! Transactions against a slow twin: whatever is done to a dataset, it reads as a plain grid would.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use palimpsest_hdf5::{
    Backend as _, DatasetSpec, Datatype, File, Filter, Hdf5File, Hyperslab, OpenMode, RamBackend,
    Transaction,
};
use proptest::prelude::*;

/// What is done to the dataset.
#[derive(Debug, Clone)]
enum Change {
    Append {
        n_rows: u64,
    },
    Write {
        first: prop::sample::Index,
        n_rows: u64,
    },
    WriteAhead,
    Publish,
    Reopen,
}

fn any_change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => (0..4_u64).prop_map(|n_rows| Change::Append { n_rows }),
        2 => (9..40_u64).prop_map(|n_rows| Change::Append { n_rows }),
        4 => (any::<prop::sample::Index>(), 1..9_u64)
            .prop_map(|(first, n_rows)| Change::Write { first, n_rows }),
        1 => Just(Change::WriteAhead),
        2 => Just(Change::Publish),
        1 => Just(Change::Reopen),
    ]
}

fn publish(transaction: &mut Transaction) {
    transaction.publish(|_| Ok::<_, Infallible>(())).unwrap();
}

/// Does `changes` to a dataset of rows of `dim` values, and to a vector of them.
fn check(dim: u64, chunk: [u64; 2], filters: &[Filter], changes: &[Change]) {
    let backend = RamBackend::new();
    let open = || -> Arc<dyn File> {
        Arc::from(
            backend
                .open(Path::new("/twin.h5"), OpenMode::Create)
                .unwrap(),
        )
    };
    let mut transaction = Transaction::create(open(), 4096).unwrap();
    let spec = DatasetSpec::growing(Datatype::unsigned(4), &[0, dim], &chunk);
    transaction
        .create_dataset("rows", &spec.filtered(filters))
        .unwrap();
    let mut twin: Vec<u32> = Vec::new();
    let mut next = 0_u32;
    let mut values = |n: u64| -> Vec<u32> {
        let values = (next..).take(n as usize).collect::<Vec<_>>();
        next += n as u32;
        values
    };
    for change in changes {
        match change {
            Change::Append { n_rows } => {
                let rows = values(n_rows * dim);
                transaction.append("rows", &rows).unwrap();
                twin.extend(&rows);
            }
            Change::Write { first, n_rows } => {
                let n_all = twin.len() as u64 / dim;
                if n_all == 0 {
                    continue;
                }
                let first = first.index(n_all as usize) as u64;
                let n_rows = (*n_rows).min(n_all - first);
                let rows = values(n_rows * dim);
                let bytes: Vec<u8> = rows.iter().flat_map(|value| value.to_le_bytes()).collect();
                let slab = Hyperslab::rows(&[n_all, dim], first, n_rows);
                transaction.write_bytes("rows", &slab, bytes).unwrap();
                twin[(first * dim) as usize..][..rows.len()].copy_from_slice(&rows);
            }
            Change::WriteAhead => transaction.write_ahead().unwrap(),
            Change::Publish => publish(&mut transaction),
            Change::Reopen => {
                publish(&mut transaction);
                transaction.close().unwrap();
                transaction = Transaction::open(open(), 4096).unwrap();
            }
        }
    }
    publish(&mut transaction);
    let file = Hdf5File::open_device(open()).unwrap();
    let dataset = file.dataset("rows").unwrap();
    assert_eq!(dataset.shape(), [twin.len() as u64 / dim, dim]);
    assert_eq!(dataset.read::<u32>().unwrap(), twin);
}

proptest! {
    #[test]
    fn a_dataset_reads_as_a_plain_grid_would_whatever_was_done_to_it(
        dim in 1..6_u64, chunk in (1..9_u64, 1..6_u64), is_filtered in any::<bool>(),
        changes in prop::collection::vec(any_change(), 0..30)
    ) {
        let filters: &[Filter] = if is_filtered { &[Filter::Fletcher32] } else { &[] };
        check(dim, [chunk.0, chunk.1.min(dim)], filters, &changes);
    }
}
