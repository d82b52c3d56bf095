use std::path::Path;
use std::sync::Arc;

use crate::backend::{Backend as _, OpenMode, RamBackend};
use crate::{DatasetSpec, Datatype, Hyperslab, Transaction};

/// What waits in memory decides when all of it is written: counted for ever, the bytes of datasets
/// that are gone would have every later change written by itself.
#[test]
fn chunks_of_a_dataset_that_is_gone_wait_no_longer() {
    let device = RamBackend::new().open(Path::new("/a.h5"), OpenMode::Create);
    let mut transaction = Transaction::create(Arc::from(device.unwrap()), 4096).unwrap();
    let spec = DatasetSpec::growing(Datatype::unsigned(1), &[0], &[100]);
    for path in ["kept", "gone", "group/gone"] {
        transaction.create_dataset(path, &spec).unwrap();
        transaction.append(path, &[7_u8; 150]).unwrap();
    }
    assert_eq!(transaction.open_bytes, 300);
    transaction.unlink("gone").unwrap();
    assert_eq!(transaction.open_bytes, 200);
    transaction.unlink("group").unwrap();
    assert_eq!(transaction.open_bytes, 100);
}

/// However many chunks are begun, what waits in memory is bounded.
#[test]
fn chunks_that_wait_are_written_before_they_are_too_many() {
    const CHUNK: u64 = 1 << 20;
    let device = RamBackend::new().open(Path::new("/a.h5"), OpenMode::Create);
    let mut transaction = Transaction::create(Arc::from(device.unwrap()), 4096).unwrap();
    let spec = DatasetSpec::growing(Datatype::unsigned(1), &[70 * CHUNK], &[CHUNK]);
    transaction.create_dataset("a", &spec).unwrap();
    for chunk in 0..70 {
        let one = Hyperslab::block(&[chunk * CHUNK], &[1]);
        transaction.write_bytes("a", &one, vec![7]).unwrap();
        assert!(transaction.open_bytes <= 64 << 20);
    }
    assert!(transaction.open_bytes > 0);
}
