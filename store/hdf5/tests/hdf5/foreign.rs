//! Files that h5py wrote, copied and changed: whole, or plainly not.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use palimpsest_hdf5::{
    Backend as _, DatasetSpec, Datatype, Extent, File, FileBackend, FileBuilder, Hdf5File,
    Hyperslab, OpenMode, ReferenceKind, Transaction,
};

use crate::python;

/// A folder with the files of `foreign.py`, and the interpreter; none where there is none.
fn files(test: &str) -> Option<(tempfile::TempDir, PathBuf)> {
    let interpreter = python::interpreter(test)?;
    let folder = tempfile::tempdir().unwrap();
    run(&interpreter, "make", folder.path());
    Some((folder, interpreter))
}

fn run(interpreter: &Path, verb: &str, folder: &Path) {
    let arguments = [verb.as_ref(), folder.as_os_str()];
    python::run(interpreter, "foreign.py", &arguments);
}

fn transaction(path: &Path) -> Transaction {
    let device: Arc<dyn File> = Arc::from(FileBackend::new().open(path, OpenMode::Write).unwrap());
    Transaction::open(device, 4096).unwrap()
}

#[test]
fn a_copy_has_its_own_texts_wherever_they_are() {
    let Some((folder, interpreter)) = files("a_copy_has_its_own_texts_wherever_they_are") else {
        return;
    };
    let path = folder.path().join("filled.h5");
    let mut change = transaction(&path);
    change
        .write_strings("text", &Hyperslab::block(&[0], &[1]), &["zero"])
        .unwrap();
    change.publish(|_| Ok::<_, Infallible>(())).unwrap();
    change.close().unwrap();
    let mut copy = FileBuilder::new();
    copy.copy_live(&Hdf5File::open(&path).unwrap()).unwrap();
    let bytes = copy.into_bytes().unwrap();
    std::fs::write(folder.path().join("copy.h5"), bytes).unwrap();
    let file = Hdf5File::open(&folder.path().join("copy.h5")).unwrap();
    let text = file.dataset("text").unwrap();
    let texts = text.read_strings(&text.all()).unwrap();
    assert_eq!(
        (texts[0].as_str(), texts[9].as_str()),
        ("zero", "not yet \u{e4}")
    );
    run(&interpreter, "check", folder.path());
}

#[test]
fn references_to_objects_are_not_copied_whatever_holds_them() {
    for kind in [ReferenceKind::Object, ReferenceKind::Region] {
        let size_bytes = if kind == ReferenceKind::Object { 8 } else { 12 };
        let reference = Datatype::Reference { size_bytes, kind };
        for datatype in [
            reference.clone(),
            Datatype::array(reference.clone(), &[1]),
            Datatype::packed(vec![("a".to_owned(), reference)]),
        ] {
            for spec in [
                DatasetSpec::compact(datatype.clone(), &[1]),
                DatasetSpec::contiguous(datatype.clone(), &[1]),
                DatasetSpec::chunked(datatype.clone(), &[1], &[1]),
                DatasetSpec::growing(datatype.clone(), &[1], &[2]),
            ] {
                let mut file = FileBuilder::new();
                file.create_dataset("a", &spec).unwrap();
                let bytes = vec![1; size_bytes as usize];
                // What refers into a heap is not written as bytes: then it was never written.
                let _written = file.write_bytes("a", &Hyperslab::all(&[1]), bytes);
                let file = Hdf5File::from_bytes(file.into_bytes().unwrap()).unwrap();
                let error = FileBuilder::new().copy_live(&file).unwrap_err();
                assert!(error.is_not_supported(), "{spec:?}: {error}");
            }
        }
    }
}

#[test]
fn an_object_with_several_names_is_not_changed_under_one_of_them() {
    let test = "an_object_with_several_names_is_not_changed_under_one_of_them";
    let Some((folder, _)) = files(test) else {
        return;
    };
    let path = folder.path().join("two names.h5");
    let mut change = transaction(&path);
    for refused in [
        change.append("rows", &[8_i64]),
        change.set_attribute("same rows", "a", 1_u8),
        change.create_group("group/new"),
    ] {
        assert!(refused.unwrap_err().is_not_supported());
    }
    change.append("other", &[2_i64]).unwrap();
    change.publish(|_| Ok::<_, Infallible>(())).unwrap();
    let file = Hdf5File::open(&path).unwrap();
    for name in ["rows", "same rows"] {
        let found = file.dataset(name).unwrap().read::<i64>().unwrap();
        assert_eq!(found, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
    assert_eq!(
        file.dataset("other").unwrap().read::<i64>().unwrap(),
        [0, 1, 2]
    );
}

#[test]
fn names_that_are_no_utf_8_are_not_written_again_as_others() {
    let Some((folder, _)) = files("names_that_are_no_utf_8_are_not_written_again_as_others") else {
        return;
    };
    let path = folder.path().join("names.h5");
    let mut change = transaction(&path);
    let spec = DatasetSpec {
        extent: Extent::Scalar,
        ..DatasetSpec::compact(Datatype::unsigned(1), &[])
    };
    for refused in [
        change.create_dataset("latin/new", &spec),
        change.set_attribute("latin/inner", "a", 1_u8),
        change.set_attribute("attributes", "a", 1_u8),
    ] {
        assert!(refused.unwrap_err().is_not_supported());
    }
    change.create_dataset("new", &spec).unwrap();
    change.publish(|_| Ok::<_, Infallible>(())).unwrap();
    let file = Hdf5File::open(&path).unwrap();
    assert_eq!(file.group("latin").unwrap().links().unwrap().len(), 3);
    let error = FileBuilder::new().copy_live(&file).unwrap_err();
    assert!(error.is_not_supported(), "{error}");
}

#[test]
fn groups_may_not_lie_in_each_other_without_end() {
    // Each level takes a part of the stack: 100,000 of them took all of it.
    let mut file = FileBuilder::new();
    file.create_group(&"g/".repeat(128)).unwrap();
    file.create_group(&"g/".repeat(129)).unwrap_err();
    let file = Hdf5File::from_bytes(file.into_bytes().unwrap()).unwrap();
    FileBuilder::new().copy_live(&file).unwrap();
}
