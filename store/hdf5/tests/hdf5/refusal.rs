//! What is refused is refused by the call that asked for it, and leaves everything as it was; and
//! so does a question.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use palimpsest_hdf5::{
    AttributeValue, Backend as _, ByteOrder, DatasetSpec, Datatype, Extent, File, FileBuilder,
    Filter, Hdf5File, Hyperslab, Member, OpenMode, RamBackend, Result, Transaction,
};

/// What a publication without a change writes: the superblock.
const NOTHING_BYTES: u64 = 48;

fn open(backend: &RamBackend) -> Arc<dyn File> {
    Arc::from(
        backend
            .open(Path::new("/refusal.h5"), OpenMode::Create)
            .unwrap(),
    )
}

fn publish(transaction: &mut Transaction) -> u64 {
    let publication = transaction.publish(|_| Ok::<_, Infallible>(()));
    publication.unwrap().written_bytes
}

/// A transaction on a file with something of everything, newly opened.
fn begin(backend: &RamBackend) -> Transaction {
    let mut transaction = Transaction::create(open(backend), 4096).unwrap();
    let rows = DatasetSpec::growing(Datatype::unsigned(4), &[0], &[4]);
    transaction.create_dataset("a/rows", &rows).unwrap();
    transaction.append("a/rows", &[1_u32, 2, 3]).unwrap();
    let text = DatasetSpec::growing(Datatype::text(), &[0], &[4]);
    transaction.create_dataset("text", &text).unwrap();
    transaction.append_strings("text", &["a"]).unwrap();
    let fixed = DatasetSpec {
        extent: Extent::Simple {
            shape: vec![2],
            max_shape: vec![Some(3)],
        },
        ..DatasetSpec::chunked(Datatype::text(), &[2], &[2])
    };
    transaction.create_dataset("fixed text", &fixed).unwrap();
    let plain = DatasetSpec::contiguous(Datatype::unsigned(1), &[3]);
    transaction.create_dataset("plain", &plain).unwrap();
    let far = DatasetSpec::growing(Datatype::unsigned(1), &[1 << 60], &[1]);
    transaction.create_dataset("far", &far).unwrap();
    transaction.set_attribute("/", "name", "value").unwrap();
    publish(&mut transaction);
    transaction.close().unwrap();
    Transaction::open(open(backend), 4096).unwrap()
}

type Ask = fn(&mut Transaction) -> Result<()>;

fn dataset(transaction: &mut Transaction, spec: &DatasetSpec) -> Result<()> {
    transaction.create_dataset("new/deep/dataset", spec)
}

fn raw(datatype: Datatype, extent: Extent) -> AttributeValue {
    let n_bytes = extent.n_elements().unwrap() * u64::from(datatype.size_bytes());
    let bytes = vec![0; n_bytes as usize];
    AttributeValue::Raw {
        datatype,
        extent,
        bytes,
    }
}

fn outside_its_compound() -> Datatype {
    let members = vec![Member {
        name: "outside".to_owned(),
        offset_bytes: 2,
        datatype: Datatype::unsigned(4),
    }];
    Datatype::Compound {
        size_bytes: 4,
        members,
    }
}

fn wide_compound() -> Datatype {
    let members = (0..700).map(|n| (format!("{n:0>100}"), Datatype::unsigned(1)));
    Datatype::packed(members.collect())
}

/// What is asked, and a part of the answer.
const REFUSED: [(&str, Ask); 34] = [
    ("16,777,216", |t| {
        dataset(
            t,
            &DatasetSpec::chunked(Datatype::unsigned(1), &[1 << 27], &[1]),
        )
    }),
    ("16,777,216", |t| {
        dataset(
            t,
            &DatasetSpec::growing(Datatype::unsigned(1), &[0, 1 << 40, 1 << 20], &[1, 1, 1]),
        )
    }),
    ("16,777,216", |t| {
        let extent = Extent::Simple {
            shape: vec![1, 1],
            max_shape: vec![Some(1 << 40); 2],
        };
        let spec = DatasetSpec::chunked(Datatype::unsigned(1), &[1, 1], &[1, 1]);
        dataset(t, &DatasetSpec { extent, ..spec })
    }),
    ("16,777,216", |t| {
        let last = Hyperslab::block(&[(1 << 60) - 1], &[1]);
        t.write_bytes("far", &last, vec![1_u8])
    }),
    ("16,777,216", |t| t.append("far", &[1_u8])),
    ("2^64", |t| t.resize("a/rows", &[u64::MAX])),
    ("not supported", |t| t.resize("a/rows", &[2])),
    ("greatest size", |t| t.resize("fixed text", &[4])),
    ("greatest size", |t| {
        t.append_strings("fixed text", &["a", "b"])
    }),
    ("within the dataset", |t| {
        t.write_strings("fixed text", &Hyperslab::block(&[1], &[2]), &["a", "b"])
    }),
    ("length of the values", |t| {
        t.write_strings("fixed text", &Hyperslab::block(&[0], &[2]), &["a"])
    }),
    ("without NUL", |t| t.append_strings("text", &["a", "b\0"])),
    ("chunked", |t| t.append("plain", &[1_u8])),
    ("all of it", |t| {
        t.write_bytes("plain", &Hyperslab::block(&[0], &[1]), vec![1_u8])
    }),
    ("65,535", |t| {
        t.create_soft_link("new/soft", &"n".repeat(65_536))
    }),
    ("without NUL", |t| t.create_soft_link("new/soft", "a\0b")),
    ("1 to 65,535", |t| t.create_soft_link("new/soft", "")),
    ("4,000", |t| {
        t.create_group(&format!("new/{}/group", "n".repeat(4001)))
    }),
    ("at most 128", |t| t.create_group(&"new/".repeat(129))),
    ("a dot", |t| t.create_group("new/./group")),
    ("nothing has in its group", |t| {
        t.create_dataset("text", &DatasetSpec::compact(Datatype::unsigned(1), &[1]))
    }),
    ("not a group", |t| t.create_group("text/new")),
    ("there is no", |t| t.unlink("new/object")),
    ("there is no", |t| t.unlink("a/new")),
    ("there is no", |t| t.remove_attribute("/", "new")),
    ("there is no", |t| t.set_attribute("new", "number", 1_u8)),
    ("at most 65,534", |t| {
        t.set_attribute("/", &"n".repeat(65_535), "text")
    }),
    ("at most 32", |t| {
        t.set_attribute(
            "/",
            "a",
            raw(Datatype::unsigned(1), Extent::fixed(&[1; 33])),
        )
    }),
    ("members within", |t| {
        t.set_attribute("/", "a", raw(outside_its_compound(), Extent::Scalar))
    }),
    ("members within", |t| {
        dataset(t, &DatasetSpec::contiguous(outside_its_compound(), &[1]))
    }),
    ("at most 65,535", |t| {
        dataset(t, &DatasetSpec::contiguous(wide_compound(), &[1]))
    }),
    ("at most 65,529", |t| {
        let fill = Some(vec![0; 70_000]);
        let spec = DatasetSpec::contiguous(Datatype::fixed_text(70_000), &[1]);
        dataset(t, &DatasetSpec { fill, ..spec })
    }),
    ("variable length", |t| {
        let fill = Some(vec![0; 16]);
        let spec = DatasetSpec::growing(Datatype::text(), &[0], &[1]);
        dataset(t, &DatasetSpec { fill, ..spec })
    }),
    ("at most 32", |t| {
        let spec = DatasetSpec::chunked(Datatype::unsigned(1), &[1], &[1]);
        dataset(t, &spec.filtered(&[Filter::Shuffle; 33]))
    }),
];

#[test]
fn what_is_refused_is_refused_at_once_and_leaves_everything_as_it_was() {
    let backend = RamBackend::new();
    for (row, (expected, ask)) in REFUSED.iter().enumerate() {
        let mut transaction = begin(&backend);
        let error = ask(&mut transaction).expect_err(&format!("row {row}: {expected}"));
        let error = error.to_string();
        assert!(error.contains(expected), "row {row}: {error}");
        assert_eq!(
            publish(&mut transaction),
            NOTHING_BYTES,
            "row {row}: {expected}"
        );
        transaction.append("a/rows", &[4_u32]).unwrap();
        transaction.append_strings("text", &["b"]).unwrap();
        publish(&mut transaction);
        let file = Hdf5File::open_device(open(&backend)).unwrap();
        assert_eq!(
            file.dataset("a/rows").unwrap().read::<u32>().unwrap(),
            [1, 2, 3, 4]
        );
        assert_eq!(file.dataset("text").unwrap().shape(), [2]);
        assert_eq!(file.root().unwrap().links().unwrap().len(), 5);
    }
}

#[test]
fn types_that_the_format_cannot_hold_are_refused() {
    let bits = |bit_offset, precision_bits| Datatype::Integer {
        size_bytes: 4,
        order: ByteOrder::Little,
        signed: true,
        bit_offset,
        precision_bits,
    };
    let opaque = |n| Datatype::Opaque {
        size_bytes: 4,
        tag: "t".repeat(n),
    };
    let nested =
        |depth| (0..depth).fold(Datatype::unsigned(1), |base, _| Datatype::array(base, &[1]));
    let allowed = [
        bits(3, 20),
        opaque(248),
        nested(31),
        Datatype::array(Datatype::f32(), &[1; 32]),
    ];
    let refused = [
        bits(30, 60),
        opaque(249),
        nested(32),
        Datatype::array(Datatype::f32(), &[1; 33]),
        Datatype::array(Datatype::f32(), &[1 << 16, 1 << 16]),
        Datatype::enumeration(Datatype::f32(), &[("A", &[0; 4])]),
    ];
    for (datatype, is_allowed) in allowed
        .iter()
        .map(|datatype| (datatype, true))
        .chain(refused.iter().map(|datatype| (datatype, false)))
    {
        let mut file = FileBuilder::new();
        let made = file.create_dataset("a", &DatasetSpec::growing(datatype.clone(), &[0], &[1]));
        assert_eq!(made.is_ok(), is_allowed, "{datatype:?}");
        if is_allowed {
            let file = Hdf5File::from_bytes(file.into_bytes().unwrap()).unwrap();
            assert_eq!(file.dataset("a").unwrap().datatype(), datatype);
        }
    }
}

#[test]
fn a_question_changes_nothing() {
    let backend = RamBackend::new();
    let mut transaction = begin(&backend);
    assert_eq!(transaction.shape("a/rows").unwrap(), [3]);
    assert_eq!(transaction.shape("/text").unwrap(), [1]);
    transaction.shape("a").unwrap_err();
    transaction.shape("a/new").unwrap_err();
    // What is there already, and what is none, is no change either.
    transaction.create_group("a").unwrap();
    transaction.resize("a/rows", &[3]).unwrap();
    transaction.append::<u32>("a/rows", &[]).unwrap();
    assert_eq!(publish(&mut transaction), NOTHING_BYTES);
}

#[test]
fn a_soft_link_as_long_as_can_be_is_written() {
    let backend = RamBackend::new();
    let mut transaction = begin(&backend);
    let longest = "n".repeat(65_535);
    transaction.create_soft_link("longest", &longest).unwrap();
    publish(&mut transaction);
    let links = Hdf5File::open_device(open(&backend)).unwrap();
    let links = links.root().unwrap().links().unwrap();
    let found = links.iter().find(|link| link.name == "longest").unwrap();
    assert_eq!(found.target, palimpsest_hdf5::LinkTarget::Soft(longest));
}

#[test]
fn a_resize_by_steps_is_refused_where_the_index_would_be_too_long() {
    let mut file = FileBuilder::new();
    let spec = DatasetSpec::chunked(Datatype::unsigned(8), &[10], &[5]);
    file.create_dataset("a", &spec).unwrap();
    file.write("a", &[1_u64; 10]).unwrap();
    let refused = file.resize("a", &[1 << 40]).unwrap_err().to_string();
    assert!(refused.contains("16,777,216"), "{refused}");
    file.append("a", &[2_u64]).unwrap();
    let file = Hdf5File::from_bytes(file.into_bytes().unwrap()).unwrap();
    let mut expected = [1; 11];
    expected[10] = 2;
    assert_eq!(file.dataset("a").unwrap().read::<u64>().unwrap(), expected);
}

#[test]
fn a_builder_keeps_the_rest_of_a_chunk_that_it_writes_again() {
    for filters in [&[][..], &[Filter::Shuffle, Filter::Deflate { level: 1 }]] {
        let mut file = FileBuilder::new();
        let spec = DatasetSpec::chunked(Datatype::signed(4), &[10], &[5]).filtered(filters);
        file.create_dataset("a", &spec).unwrap();
        let all: Vec<i32> = (0..10).collect();
        file.write("a", &all).unwrap();
        file.write_slice("a", &Hyperslab::block(&[2], &[1]), &[99])
            .unwrap();
        let file = Hdf5File::from_bytes(file.into_bytes().unwrap()).unwrap();
        let found = file.dataset("a").unwrap().read::<i32>().unwrap();
        assert_eq!(found, [0, 1, 99, 3, 4, 5, 6, 7, 8, 9]);
    }
}

#[test]
fn a_name_of_an_attribute_is_neither_empty_nor_has_a_nul() {
    for name in ["", "\0", "a\0b"] {
        let refused = FileBuilder::new()
            .set_attribute("/", name, 1_u8)
            .unwrap_err();
        assert!(
            matches!(refused, palimpsest_hdf5::Error::Request { .. }),
            "{refused}"
        );
    }
}

#[test]
fn a_dataset_has_up_to_32_dimensions() {
    let shape = |rank| {
        (0..rank)
            .map(|dim| 1 + u64::from(dim % 16 == 0))
            .collect::<Vec<_>>()
    };
    for spec in [
        DatasetSpec::contiguous(Datatype::unsigned(1), &shape(32)),
        DatasetSpec::chunked(Datatype::unsigned(1), &shape(32), &[1; 32]),
    ] {
        let mut file = FileBuilder::new();
        file.create_dataset("a", &spec).unwrap();
        file.write("a", &[1_u8, 2, 3, 4]).unwrap();
        let file = Hdf5File::from_bytes(file.into_bytes().unwrap()).unwrap();
        let found = file.dataset("a").unwrap();
        assert_eq!(found.shape(), shape(32));
        assert_eq!(found.read::<u8>().unwrap(), [1, 2, 3, 4]);
    }
    let spec = DatasetSpec::contiguous(Datatype::unsigned(1), &shape(33));
    FileBuilder::new().create_dataset("a", &spec).unwrap_err();
}
