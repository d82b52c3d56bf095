//! What is answered when the log's bytes are not those that were written.

use std::path::Path;

use palimpsest_hdf5::{Backend, File, OpenMode, RamBackend};

use super::{keep, keep_together, open, texts};
use crate::Error;
use crate::log::FRAMES_OFFSET;

const SLOT_LEN: usize = 204;
const KEPT: [&str; 4] = ["first", "second", "third", "fourth"];

fn log_of(machine: &RamBackend) -> Box<dyn File> {
    machine
        .open(Path::new("/home/memory.h5.log"), OpenMode::Create)
        .unwrap()
}

/// The bytes of a log of a few commits, single and together.
fn small_log() -> Vec<u8> {
    let machine = RamBackend::new();
    let store = open(machine.clone()).unwrap();
    keep(&store, KEPT[0]).unwrap();
    for outcome in keep_together(&store, &KEPT[1..3]) {
        outcome.unwrap();
    }
    keep(&store, KEPT[3]).unwrap();
    let log = log_of(&machine);
    let mut bytes = vec![0; usize::try_from(log.len_bytes().unwrap()).unwrap()];
    log.read_at(&mut bytes, 0).unwrap();
    bytes
}

/// What a store answers whose log has these bytes.
fn read(bytes: &[u8]) -> Result<Vec<String>, Error> {
    let machine = RamBackend::new();
    machine.create_folder(Path::new("/home")).unwrap();
    log_of(&machine).write_at(bytes, 0).unwrap();
    let found = texts(&open(machine.clone())?)?;
    // What is read once is kept: recovery has ended.
    assert_eq!(texts(&open(machine.another_process())?)?, found);
    Ok(found)
}

/// Whether an error says what is damaged and where.
fn names_a_structure(error: &Error) -> bool {
    matches!(error, Error::Damaged { .. } | Error::UnreadableFrame { .. })
}

#[test]
fn a_flipped_byte_changes_no_text() {
    let bytes = small_log();
    let frames = usize::try_from(FRAMES_OFFSET).unwrap();
    let slots = (0..SLOT_LEN).chain(4096..4096 + SLOT_LEN);
    let dead_zones = (SLOT_LEN..4096).chain(4096 + SLOT_LEN..frames).step_by(61);
    let mut n_errors = 0;
    for at in slots.chain(dead_zones).chain(frames..bytes.len()) {
        for mask in [0x01, 0x80, 0xff] {
            let mut flipped = bytes.clone();
            flipped[at] ^= mask;
            match read(&flipped) {
                Ok(found) => assert_eq!(found, KEPT, "byte {at} flipped by {mask:#x}"),
                Err(error) => {
                    n_errors += 1;
                    assert!(
                        names_a_structure(&error),
                        "byte {at} flipped by {mask:#x}: {error}"
                    );
                    assert!(at >= frames, "one slot is enough, but byte {at}: {error}");
                }
            }
        }
    }
    assert_eq!(
        n_errors,
        3 * (bytes.len() - frames),
        "every byte of a frame is checked"
    );
}

#[test]
fn a_log_cut_short_is_damaged_and_never_a_shorter_memory() {
    let bytes = small_log();
    for len in 0..bytes.len() {
        match read(&bytes[..len]) {
            // Nothing tells this from a log that was never begun.
            Ok(found) => assert!(len < SLOT_LEN && found.is_empty(), "{len} bytes: {found:?}"),
            Err(error) => assert!(names_a_structure(&error), "{len} bytes: {error}"),
        }
    }
}

#[test]
fn both_slots_lost_is_damage_where_frames_follow() {
    let mut bytes = small_log();
    bytes[100] ^= 1;
    bytes[4096 + 100] ^= 1;
    let error = read(&bytes).unwrap_err();
    let Error::Damaged {
        structure: "log header",
        offset_bytes: 0,
        ..
    } = error
    else {
        panic!("{error:?}");
    };
    assert!(
        error
            .to_string()
            .starts_with("damaged log header at byte 0 of /home/memory.h5.log")
    );
    assert_eq!(
        read(&bytes[..8192]).unwrap(),
        Vec::<String>::new(),
        "nothing follows"
    );
}

/// The log as it was before the durable length advanced over the last commit.
fn before_last_slot(bytes: &[u8]) -> Vec<u8> {
    let counter = |at: usize| u64::from_le_bytes(bytes[at + 16..at + 24].try_into().unwrap());
    let newest = if counter(0) > counter(4096) { 0 } else { 4096 };
    let mut older = bytes.to_vec();
    older[newest..newest + SLOT_LEN].fill(0);
    older
}

#[test]
fn a_whole_frame_beyond_the_durable_length_is_kept_and_a_torn_one_cut() {
    let older = before_last_slot(&small_log());
    assert_eq!(read(&older).unwrap(), KEPT);
    let last_frame = older
        .windows(6)
        .rposition(|bytes| bytes == b"fourth")
        .unwrap();
    for len in last_frame..older.len() {
        assert_eq!(read(&older[..len]).unwrap(), KEPT[..3], "torn at {len}");
    }
    for at in last_frame..older.len() {
        let mut torn = older.clone();
        torn[at] ^= 0x10;
        assert_eq!(read(&torn).unwrap(), KEPT[..3], "damaged at {at}");
    }
}

#[test]
fn a_file_that_is_not_ours_is_refused_and_left_as_it_is() {
    let long = b"a line of another program\n".repeat(400);
    for bytes in [&b"x"[..], b"junk\n\n", &long[..5000], &long] {
        let machine = RamBackend::new();
        machine.create_folder(Path::new("/home")).unwrap();
        let log = log_of(&machine);
        log.write_at(bytes, 0).unwrap();
        let error = open(machine.clone()).unwrap_err();
        assert!(matches!(error, Error::NotALog { .. }), "{error}");
        let mut after = vec![0; bytes.len() + 1];
        assert_eq!(log.read_at(&mut after, 0).unwrap(), bytes.len());
        assert_eq!(&after[..bytes.len()], bytes, "it is as it was");
    }
    let memory = RamBackend::new();
    memory.create_folder(Path::new("/home")).unwrap();
    let path = Path::new("/home/memory.h5");
    let file = memory.open(path, OpenMode::Create).unwrap();
    let mut other = palimpsest_hdf5::FileBuilder::new();
    other.create_group("/spectra").unwrap();
    for bytes in [b"a picture".to_vec(), other.into_bytes().unwrap()] {
        file.write_at(&bytes, 0).unwrap();
        let error = open(memory.clone()).unwrap_err();
        assert!(matches!(error, Error::NotAMemory { .. }), "{error}");
        let mut after = vec![0; bytes.len() + 1];
        assert_eq!(file.read_at(&mut after, 0).unwrap(), bytes.len());
        assert_eq!(after[..bytes.len()], bytes, "it is as it was");
    }
}

#[test]
fn recovery_cuts_only_beyond_the_durable_length() {
    let whole = small_log();
    for garbage in [&b"x"[..], &[0; 5000], &whole[8192..]] {
        let mut bytes = whole.clone();
        bytes.extend_from_slice(garbage);
        assert_eq!(read(&bytes).unwrap(), KEPT);
        let machine = RamBackend::new();
        machine.create_folder(Path::new("/home")).unwrap();
        let log = log_of(&machine);
        log.write_at(&bytes, 0).unwrap();
        let store = open(machine.clone()).unwrap();
        assert_eq!(log.len_bytes().unwrap(), whole.len() as u64);
        // A writer cuts what another one left since.
        log.write_at(garbage, whole.len() as u64).unwrap();
        keep(&store, "fifth").unwrap();
        assert_eq!(
            texts(&store).unwrap(),
            ["first", "second", "third", "fourth", "fifth"]
        );
    }
}

#[test]
fn a_frame_is_whole_only_behind_the_frame_that_it_was_planned_on() {
    // Two memories with the same generation and the same first commit, and different second ones.
    let log_with = |second: &str| {
        let machine = RamBackend::new();
        let store = open(machine.clone()).unwrap();
        keep(&store, "first").unwrap();
        let len = usize::try_from(store.status().unwrap().log_len_bytes).unwrap();
        keep(&store, second).unwrap();
        let second_end = usize::try_from(store.status().unwrap().log_len_bytes).unwrap();
        keep(&store, "third").unwrap();
        let log = log_of(&machine);
        let mut bytes = vec![0; usize::try_from(log.len_bytes().unwrap()).unwrap()];
        log.read_at(&mut bytes, 0).unwrap();
        (bytes, len, second_end)
    };
    let (bytes, first_end, second_end) = log_with("second");
    let (other, other_first_end, other_second_end) = log_with("SECOND");
    assert_eq!((first_end, second_end), (other_first_end, other_second_end));
    let mut spliced = before_last_slot(&bytes);
    assert_eq!(read(&spliced).unwrap(), ["first", "second", "third"]);
    spliced[second_end..].copy_from_slice(&other[second_end..]);
    assert_eq!(read(&spliced).unwrap(), ["first", "second"]);
}

#[test]
fn a_follower_names_damage_and_recovers_when_it_is_mended() {
    let machine = RamBackend::new();
    let one = open(machine.clone()).unwrap();
    let two = open(machine.another_process()).unwrap();
    keep(&one, "first").unwrap();
    let log = log_of(&machine);
    let mut byte = [0];
    log.read_at(&mut byte, FRAMES_OFFSET + 40).unwrap();
    log.write_at(&[byte[0] ^ 1], FRAMES_OFFSET + 40).unwrap();
    let error = texts(&two).unwrap_err();
    let expected = "damaged log frame at byte 8192 of /home/memory.h5.log: its checksum is wrong";
    assert!(error.to_string().starts_with(expected), "{error}");
    log.write_at(&byte, FRAMES_OFFSET + 40).unwrap();
    assert_eq!(texts(&two).unwrap(), ["first"]);
}

#[test]
fn a_log_that_was_cut_while_it_was_open_is_not_written() {
    let machine = RamBackend::new();
    let store = open(machine.clone()).unwrap();
    keep(&store, "first").unwrap();
    let log = log_of(&machine);
    log.set_len(FRAMES_OFFSET + 50).unwrap();
    let error = keep(&store, "second").unwrap_err();
    let expected = "damaged log header at byte 0 of /home/memory.h5.log: the file ends before";
    assert!(error.to_string().starts_with(expected), "{error}");
    assert_eq!(log.len_bytes().unwrap(), FRAMES_OFFSET + 50);
}

#[test]
fn an_older_log_put_back_in_place_is_noticed() {
    let machine = RamBackend::new();
    let store = open(machine.clone()).unwrap();
    keep(&store, "first").unwrap();
    let log = log_of(&machine);
    let mut older = vec![0; usize::try_from(log.len_bytes().unwrap()).unwrap()];
    log.read_at(&mut older, 0).unwrap();
    keep(&store, "second").unwrap();
    log.write_at(&older, 0).unwrap();
    log.set_len(older.len() as u64).unwrap();
    for error in [
        texts(&store).unwrap_err(),
        keep(&store, "third").unwrap_err(),
    ] {
        assert!(
            error
                .to_string()
                .contains("the durable part was longer before"),
            "{error}"
        );
    }
    assert_eq!(log.len_bytes().unwrap(), older.len() as u64);
}
