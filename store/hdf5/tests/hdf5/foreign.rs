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

/// Has h5py look at the file `name` as it should have become of those that are called `kind`.
fn check(interpreter: &Path, folder: &Path, name: &str, kind: &str) {
    let arguments = [
        "check".as_ref(),
        folder.as_os_str(),
        name.as_ref(),
        kind.as_ref(),
    ];
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
    check(&interpreter, folder.path(), "copy", "filled");
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
fn a_name_with_the_character_for_a_wrong_byte_is_a_name() {
    let Some((folder, _)) = files("a_name_with_the_character_for_a_wrong_byte_is_a_name") else {
        return;
    };
    let path = folder.path().join("replaced.h5");
    let mut change = transaction(&path);
    change.create_group("a\u{fffd}/e\u{fffd}").unwrap();
    change.publish(|_| Ok::<_, Infallible>(())).unwrap();
    change.close().unwrap();
    copied(&path, &folder.path().join("replaced copy.h5"));
    for name in ["replaced.h5", "replaced copy.h5"] {
        let file = Hdf5File::open(&folder.path().join(name)).unwrap();
        let group = file.group("a\u{fffd}").unwrap();
        let names: Vec<_> = group.links().unwrap().into_iter().map(|l| l.name).collect();
        assert_eq!(names, ["e\u{fffd}", "soft"]);
        let attribute = group.attribute("b\u{fffd}").unwrap();
        assert_eq!(attribute.datatype().to_string(), "{c\u{fffd}: i32}");
    }
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

fn copied(from: &Path, to: &Path) {
    let mut copy = FileBuilder::new();
    copy.copy_live(&Hdf5File::open(from).unwrap()).unwrap();
    std::fs::write(to, copy.into_bytes().unwrap()).unwrap();
}

/// A group, and an object that is written again, no longer said in which order their links and
/// attributes were made.
#[test]
fn the_order_in_which_links_and_attributes_were_made_is_kept() {
    let test = "the_order_in_which_links_and_attributes_were_made_is_kept";
    let Some((folder, interpreter)) = files(test) else {
        return;
    };
    let path = folder.path().join("ordered.h5");
    // The third of the names of `foreign.py`; few are in headers, many in storage of their own.
    for (group, third) in [("z 5", "04 2"), ("z 40", "14 2")] {
        let mut change = transaction(&path);
        change.unlink(&format!("{group}/{third}")).unwrap();
        change.remove_attribute(group, third).unwrap();
        let soft = format!("{group}/0 new");
        change.create_soft_link(&soft, "/nowhere").unwrap();
        let rows = format!("{group}/rows");
        for object in [group, &rows] {
            change.set_attribute(object, "0 new", 1_u8).unwrap();
            change.set_attribute(object, "0 new", 2_u8).unwrap();
        }
        change.append(&rows, &[7_i64]).unwrap();
        change.publish(|_| Ok::<_, Infallible>(())).unwrap();
        change.close().unwrap();
    }
    let mut change = transaction(&path);
    change.create_group("0").unwrap();
    change.set_attribute("none", "gone", 1_u8).unwrap();
    change.remove_attribute("none", "gone").unwrap();
    change.publish(|_| Ok::<_, Infallible>(())).unwrap();
    change.set_attribute("none", "0 new", 1_u8).unwrap();
    change.publish(|_| Ok::<_, Infallible>(())).unwrap();
    change.close().unwrap();
    copied(&path, &folder.path().join("ordered copy.h5"));
    check(&interpreter, folder.path(), "ordered", "ordered");
    check(&interpreter, folder.path(), "ordered copy", "ordered");
}

/// An object that lost one of its names kept the count of all.
#[test]
fn an_object_has_as_many_links_as_lead_to_it_when_a_name_goes() {
    let test = "an_object_has_as_many_links_as_lead_to_it_when_a_name_goes";
    let Some((folder, interpreter)) = files(test) else {
        return;
    };
    for name in ["several latest", "several earliest"] {
        let path = folder.path().join(format!("{name}.h5"));
        let mut change = transaction(&path);
        change.unlink("same group").unwrap();
        change.unlink("rows").unwrap();
        change.unlink("group").unwrap();
        // With one name left it can be changed like any other.
        change.set_attribute("outer", "a", 1_u8).unwrap();
        let refused = change.set_attribute("two", "a", 2_u8).unwrap_err();
        assert!(refused.is_not_supported());
        change.publish(|_| Ok::<_, Infallible>(())).unwrap();
        change.close().unwrap();
        check(&interpreter, folder.path(), name, "several");
    }
}
