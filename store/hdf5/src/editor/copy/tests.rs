use super::{DatasetNode, Node};
use crate::datatype::Datatype;
use crate::editor::Editor;
use crate::heap::global::HeapReference;
use crate::value::Value;
use crate::{DatasetSpec, FileBuilder, Hdf5File};

/// A file with one dataset of `datatype`, whose fill value `fill` makes of the reference to "old".
fn filled(datatype: &Datatype, fill: impl Fn(&HeapReference) -> Vec<u8>) -> Hdf5File {
    let mut file = FileBuilder::new();
    let editor: &mut Editor<'_> = &mut file;
    // What the old file has in front of the text is not in the copy, so that addresses differ.
    let spec = DatasetSpec::contiguous(Datatype::unsigned(1), &[10_000]);
    editor.create_dataset("before", &spec).unwrap();
    editor.write("before", &[1_u8; 10_000]).unwrap();
    let spec = DatasetSpec::growing(datatype.clone(), &[3], &[2]);
    let mut node = DatasetNode::new(&spec).unwrap();
    let references = editor.heap.add_all(&[b"old"], editor.target.sink());
    node.fill = Some(fill(&references.unwrap()[0]));
    editor
        .insert(super::ROOT, "filled", Node::Dataset(Box::new(node)))
        .unwrap();
    editor.unlink("before").unwrap();
    Hdf5File::from_bytes(file.into_bytes().unwrap()).unwrap()
}

fn copied(file: &Hdf5File) -> crate::Result<Vec<Value>> {
    let mut copy = FileBuilder::new();
    copy.copy_live(file)?;
    let file = Hdf5File::from_bytes(copy.into_bytes()?)?;
    let dataset = file.dataset("filled")?;
    dataset.read_values(&dataset.all())
}

#[test]
fn a_fill_value_refers_to_the_heap_of_the_copy_however_deep_it_holds_its_text() {
    let text = Datatype::text();
    let old = || Value::Text("old".to_owned());
    let file = filled(&text, |reference| reference.encode().to_vec());
    assert_eq!(copied(&file).unwrap(), vec![old(); 3]);

    let array = Datatype::array(text, &[2]);
    let pair = vec![
        ("n".to_owned(), Datatype::unsigned(2)),
        ("texts".to_owned(), array),
    ];
    let file = filled(&Datatype::packed(pair), |reference| {
        [&[7, 0][..], &reference.encode(), &reference.encode()].concat()
    });
    let expected = Value::Compound(vec![
        ("n".to_owned(), Value::Unsigned(7)),
        ("texts".to_owned(), Value::Array(vec![old(), old()])),
    ]);
    assert_eq!(copied(&file).unwrap(), vec![expected; 3]);
}

#[test]
fn chunks_that_are_padded_with_the_fill_value_share_one_text() {
    let file = filled(&Datatype::text(), |reference| reference.encode().to_vec());
    let mut padded = FileBuilder::new();
    padded.copy_live(&file).unwrap();
    for row in [0, 2] {
        let slab = crate::Hyperslab::block(&[row], &[1]);
        padded.write_strings("filled", &slab, &["new"]).unwrap();
    }
    let padded = Hdf5File::from_bytes(padded.into_bytes().unwrap()).unwrap();
    let [new, old] = ["new", "old"].map(|text| Value::Text(text.to_owned()));
    assert_eq!(copied(&padded).unwrap(), [new.clone(), old, new]);
    let mut copy = FileBuilder::new();
    copy.copy_live(&padded).unwrap();
    let bytes = copy.into_bytes().unwrap();
    let n_texts = bytes.windows(3).filter(|found| found == b"old").count();
    assert_eq!(n_texts, 1);
}

#[test]
fn a_value_that_countless_elements_share_is_not_copied_for_each() {
    // 2,000 references to one text of 60,000 bytes, each to another length of it.
    let mut file = FileBuilder::new();
    let editor: &mut Editor<'_> = &mut file;
    let spec = DatasetSpec::chunked(Datatype::text(), &[2000], &[2000]);
    editor.create_dataset("shared", &spec).unwrap();
    let text = vec![b'a'; 60_000];
    let references = editor.heap.add_all(&[&text], editor.target.sink());
    let reference = references.unwrap()[0];
    let all = (0..2000).flat_map(|n| {
        let len = 60_000 - n;
        HeapReference { len, ..reference }.encode()
    });
    let node = editor.node_at("shared").unwrap();
    let slab = crate::Hyperslab::all(&[2000]);
    editor
        .write_slab(node, &slab, all.collect::<Vec<_>>().into())
        .unwrap();
    let file = Hdf5File::from_bytes(file.into_bytes().unwrap()).unwrap();
    let error = FileBuilder::new().copy_live(&file).unwrap_err();
    assert!(matches!(error, crate::Error::Limit { .. }), "{error}");
}
