//! Everything that can be written, read back by ourselves, by h5py and by h5dump.

use std::path::Path;

use palimpsest_hdf5::{
    AttributeValue, DatasetSpec, Datatype, Editor, Extent, FileBuilder, Filter, Hdf5File,
    Hyperslab, LayoutSpec, Object,
};

use crate::{python, ramp};

fn types() -> Vec<(&'static str, Datatype)> {
    let colors = Datatype::enumeration(
        Datatype::signed(2),
        &[("RED", &[0, 0]), ("GR\u{dc}N", &[1, 0]), ("BLUE", &[2, 0])],
    );
    let compound = Datatype::packed(vec![
        ("x".to_owned(), Datatype::signed(4)),
        ("color".to_owned(), colors.clone()),
        ("grid".to_owned(), Datatype::array(Datatype::f32(), &[2, 3])),
        ("name".to_owned(), Datatype::fixed_text(6)),
    ]);
    vec![
        ("u8", Datatype::unsigned(1)),
        ("u16", Datatype::unsigned(2)),
        ("u32", Datatype::unsigned(4)),
        ("u64", Datatype::unsigned(8)),
        ("i8", Datatype::signed(1)),
        ("i16", Datatype::signed(2)),
        ("i32", Datatype::signed(4)),
        ("i64", Datatype::signed(8)),
        ("f16", Datatype::f16()),
        ("f32", Datatype::f32()),
        ("f64", Datatype::f64()),
        ("bool", Datatype::bool()),
        ("enum", colors),
        ("fixed text", Datatype::fixed_text(7)),
        ("array", Datatype::array(Datatype::signed(4), &[3, 2])),
        ("compound", compound),
    ]
}

const PIPELINES: [(&str, &[Filter]); 5] = [
    ("plain", &[]),
    ("deflate", &[Filter::Deflate { level: 6 }]),
    (
        "shuffle deflate",
        &[Filter::Shuffle, Filter::Deflate { level: 4 }],
    ),
    ("fletcher32", &[Filter::Fletcher32]),
    (
        "all",
        &[
            Filter::Shuffle,
            Filter::Deflate { level: 1 },
            Filter::Fletcher32,
        ],
    ),
];

fn add(file: &mut Editor<'_>, path: &str, spec: &DatasetSpec) {
    let shape = spec.extent.shape().to_vec();
    let n = spec.extent.n_elements().unwrap();
    file.create_dataset(path, spec).unwrap();
    file.set_attribute(path, "expect", "ramp").unwrap();
    if n > 0 {
        let bytes = ramp::bytes(&spec.datatype, 0, n);
        file.write_bytes(path, &Hyperslab::all(&shape), bytes)
            .unwrap();
    }
}

fn chunked(datatype: Datatype, shape: &[u64], max: &[Option<u64>], chunk: &[u64]) -> DatasetSpec {
    let extent = Extent::Simple {
        shape: shape.to_vec(),
        max_shape: max.to_vec(),
    };
    let mut spec = DatasetSpec::chunked(datatype, shape, chunk);
    spec.extent = extent;
    spec
}

/// Each type in each layout, and one of them through each pipeline.
fn add_types(file: &mut Editor<'_>) {
    for (name, datatype) in types() {
        let path = |layout: &str| format!("types/{name}/{layout}");
        let mut scalar = DatasetSpec::contiguous(datatype.clone(), &[]);
        scalar.extent = Extent::Scalar;
        add(file, &path("scalar"), &scalar);
        add(
            file,
            &path("compact"),
            &DatasetSpec::compact(datatype.clone(), &[3, 5]),
        );
        add(
            file,
            &path("contiguous"),
            &DatasetSpec::contiguous(datatype.clone(), &[4, 25]),
        );
        add(
            file,
            &path("single"),
            &DatasetSpec::chunked(datatype.clone(), &[4, 25], &[4, 25]),
        );
        add(
            file,
            &path("fixed"),
            &DatasetSpec::chunked(datatype.clone(), &[7, 25], &[2, 10]),
        );
        let growing = DatasetSpec::growing(datatype.clone(), &[7, 25], &[2, 25]);
        add(
            file,
            &path("growing"),
            &growing.filtered(&[Filter::Shuffle, Filter::Deflate { level: 6 }]),
        );
        add(
            file,
            &path("empty"),
            &DatasetSpec::contiguous(datatype.clone(), &[0]),
        );
        add(
            file,
            &path("empty growing"),
            &DatasetSpec::growing(datatype, &[0, 3], &[5, 3]),
        );
    }
    for (name, filters) in PIPELINES {
        let path = |index: &str| format!("filters/{name}/{index}");
        let spec = DatasetSpec::chunked(Datatype::f32(), &[100], &[100]);
        add(file, &path("single"), &spec.filtered(filters));
        let spec = DatasetSpec::chunked(Datatype::f64(), &[50, 30], &[7, 30]);
        add(file, &path("fixed"), &spec.filtered(filters).aligned(4096));
        let spec = DatasetSpec::growing(Datatype::signed(2), &[3000], &[5]);
        add(file, &path("growing"), &spec.filtered(filters));
    }
}

/// Sizes that force every form of every index.
fn add_indexes(file: &mut Editor<'_>) {
    for n in [
        1,
        4,
        5,
        36,
        243,
        244,
        245,
        1023,
        1024,
        1025,
        2100,
        200_000_u64,
    ] {
        for (name, filters) in [PIPELINES[0], PIPELINES[3]] {
            if n == 200_000 && name != "plain" {
                continue;
            }
            let path = |index: &str| format!("indexes/{name}/{index} {n}");
            let spec = DatasetSpec::chunked(Datatype::unsigned(1), &[n], &[1]).filtered(filters);
            add(file, &path("fixed"), &spec);
            let spec = DatasetSpec::growing(Datatype::unsigned(1), &[n], &[1]).filtered(filters);
            add(file, &path("growing"), &spec);
        }
    }
    let u16 = || Datatype::unsigned(2);
    let cases: [(&str, DatasetSpec); 6] = [
        (
            "second unlimited",
            chunked(u16(), &[5, 9], &[Some(7), None], &[2, 4]),
        ),
        (
            "room to grow",
            chunked(u16(), &[5, 9], &[Some(70), Some(90)], &[2, 4]),
        ),
        ("room in one", chunked(u16(), &[5], &[Some(70)], &[70])),
        (
            "three dimensions",
            chunked(u16(), &[5, 6, 7], &[Some(5), Some(6), Some(7)], &[2, 4, 3]),
        ),
        (
            "middle unlimited",
            chunked(u16(), &[5, 6, 7], &[Some(5), None, Some(9)], &[2, 4, 3]),
        ),
        (
            "131,100 chunks",
            DatasetSpec::growing(u16(), &[131_100], &[1]),
        ),
    ];
    for (name, spec) in cases {
        add(file, &format!("indexes/{name}"), &spec);
    }
}

fn add_texts(file: &mut Editor<'_>) {
    for (name, spec) in [
        (
            "contiguous",
            DatasetSpec::contiguous(Datatype::text(), &[500]),
        ),
        (
            "chunked",
            DatasetSpec::chunked(Datatype::text(), &[20, 25], &[6, 25]),
        ),
        (
            "deflate",
            DatasetSpec::growing(Datatype::text(), &[500], &[64]).filtered(PIPELINES[2].1),
        ),
    ] {
        let path = format!("texts/{name}");
        file.create_dataset(&path, &spec).unwrap();
        file.set_attribute(&path, "expect", "ramp").unwrap();
        let all = Hyperslab::all(spec.extent.shape());
        file.write_strings(&path, &all, &ramp::texts(500)).unwrap();
    }
    file.create_dataset(
        "texts/long",
        &DatasetSpec::growing(Datatype::text(), &[0], &[8]),
    )
    .unwrap();
    file.set_attribute("texts/long", "expect", "one megabyte")
        .unwrap();
    file.append_strings(
        "texts/long",
        &["short".to_owned(), "x".repeat(1 << 20), "short".into()],
    )
    .unwrap();
}

fn add_unwritten(file: &mut Editor<'_>) {
    for (name, spec) in [
        (
            "contiguous",
            DatasetSpec::contiguous(Datatype::signed(4), &[9]).filled(-7_i32),
        ),
        (
            "chunked",
            DatasetSpec::chunked(Datatype::f64(), &[9, 9], &[2, 2]).filled(0.5_f64),
        ),
        (
            "growing",
            DatasetSpec::growing(Datatype::unsigned(2), &[9], &[2]),
        ),
        (
            "compact",
            DatasetSpec::compact(Datatype::unsigned(2), &[9]).filled(9_u16),
        ),
    ] {
        let path = format!("unwritten/{name}");
        file.create_dataset(&path, &spec).unwrap();
        file.set_attribute(&path, "expect", "fill").unwrap();
    }
    // One row of many: what lies around it is the fill value of its chunk.
    let spec = DatasetSpec::chunked(Datatype::signed(4), &[9, 9], &[4, 4]).filled(3_i32);
    file.create_dataset("unwritten/in part", &spec).unwrap();
    file.set_attribute("unwritten/in part", "expect", "fill")
        .unwrap();
    file.write_bytes(
        "unwritten/in part",
        &Hyperslab::rows(&[9, 9], 5, 1),
        [3, 0, 0, 0].repeat(9),
    )
    .unwrap();
}

fn add_attributes_and_links(file: &mut Editor<'_>) {
    for n in [0, 1, 8, 9, 128, 1000_i64] {
        let path = format!("attributes/numbers {n}");
        file.create_group(&path).unwrap();
        for k in 0..n {
            file.set_attribute(&path, &format!("number{k}"), k).unwrap();
        }
    }
    let path = "attributes/others";
    file.create_group(path).unwrap();
    for k in 0..7_u64 {
        file.set_attribute(path, &format!("text{k}"), ramp::text(k).as_str())
            .unwrap();
    }
    let texts = (0..20).map(ramp::text).collect();
    file.set_attribute(path, "texts20", AttributeValue::Texts(texts))
        .unwrap();
    let null = AttributeValue::Raw {
        datatype: Datatype::f32(),
        extent: Extent::Null,
        bytes: Vec::new(),
    };
    file.set_attribute(path, "null", null).unwrap();
    // Past 64 KiB an attribute goes to dense storage, as an object of its own.
    for len in [600_u64, 8800, 80_000] {
        let list: Vec<_> = (0..len).map(ramp::number).collect();
        let path = format!("attributes/long {len}");
        file.create_group(&path).unwrap();
        file.set_attribute(&path, &format!("list{len}"), AttributeValue::list(&list))
            .unwrap();
        file.set_attribute(&path, "number1", 1_i32).unwrap();
    }
    for n in [0, 1, 8, 9, 100, 3000_u64] {
        let path = format!("links/{n}");
        file.create_group(&path).unwrap();
        file.set_attribute(&path, "n", n).unwrap();
        for k in 0..n {
            file.create_group(&format!("{path}/link {k}")).unwrap();
        }
    }
    file.create_soft_link("a soft link", "/links").unwrap();
    file.create_group("\u{e4}\u{4e16}/\u{1f600}").unwrap();
    file.set_attribute("\u{e4}\u{4e16}/\u{1f600}", "\u{fc}", "\u{e4}")
        .unwrap();
}

fn build() -> Vec<u8> {
    let mut file = FileBuilder::new();
    add_types(&mut file);
    add_indexes(&mut file);
    add_texts(&mut file);
    add_unwritten(&mut file);
    add_attributes_and_links(&mut file);
    file.into_bytes().unwrap()
}

fn check_group(group: &palimpsest_hdf5::Group, path: &str, n_datasets: &mut u32) {
    for link in group.links().unwrap() {
        let path = format!("{path}/{}", link.name);
        match group.object(&link.name).unwrap() {
            Object::Group(_) if link.name == "a soft link" => {}
            Object::Group(inner) => check_group(&inner, &path, n_datasets),
            Object::Dataset(dataset) => {
                *n_datasets += 1;
                let expect = dataset.attribute("expect").unwrap().text().unwrap();
                let n = dataset.extent().n_elements().unwrap();
                if *dataset.datatype() == Datatype::text() {
                    let found = dataset.read_strings(&dataset.all()).unwrap();
                    if expect == "ramp" {
                        assert_eq!(found, ramp::texts(n), "{path}");
                    }
                } else if expect == "ramp" {
                    let found = dataset.read_bytes(&dataset.all()).unwrap();
                    assert!(found == ramp::bytes(dataset.datatype(), 0, n), "{path}");
                }
            }
            Object::Datatype(_) => panic!("{path} is a datatype"),
        }
    }
}

#[test]
fn everything_that_is_written_reads_back() {
    let file = Hdf5File::from_bytes(build()).unwrap();
    let mut n_datasets = 0;
    check_group(&file.root().unwrap(), "", &mut n_datasets);
    assert!(n_datasets > 180, "{n_datasets}");
    let fill = file
        .dataset("unwritten/contiguous")
        .unwrap()
        .read::<i32>()
        .unwrap();
    assert_eq!(fill, [-7; 9]);
    let fill = file
        .dataset("unwritten/chunked")
        .unwrap()
        .read::<f64>()
        .unwrap();
    assert_eq!(fill, [0.5; 81]);
    let long = file.dataset("texts/long").unwrap();
    assert_eq!(long.read_strings(&long.all()).unwrap()[1].len(), 1 << 20);
    let group = file.group("attributes/long 80000").unwrap();
    assert_eq!(
        group
            .attribute("list80000")
            .unwrap()
            .read::<u64>()
            .unwrap()
            .len(),
        80_000
    );
    let group = file.group("attributes/numbers 1000").unwrap();
    assert_eq!(
        group
            .attribute("number777")
            .unwrap()
            .scalar::<i64>()
            .unwrap(),
        777
    );
}

#[test]
fn h5py_reads_everything_that_is_written() {
    if let Some(interpreter) = python::interpreter("h5py_reads_everything_that_is_written") {
        check_with(&interpreter, None);
    }
}

#[test]
fn h5dump_reads_everything_that_is_written() {
    let test = "h5dump_reads_everything_that_is_written";
    if let Some((interpreter, h5dump)) = python::interpreter_and_h5dump(test) {
        check_with(&interpreter, Some(h5dump));
    }
}

#[expect(clippy::print_stdout, reason = "what the script counted")]
fn check_with(interpreter: &Path, h5dump: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("written.h5");
    std::fs::write(&path, build()).unwrap();
    let mut arguments = vec![path.into_os_string()];
    arguments.extend(h5dump.map(Into::into));
    println!("{}", python::run(interpreter, "written.py", &arguments));
}

#[test]
fn numbers_through_pcodec_read_back_by_ourselves() {
    let mut file = FileBuilder::new();
    let numbers = types().into_iter().filter(|(name, _)| {
        let sizes = ["16", "32", "64"];
        sizes.iter().any(|size| name.ends_with(size))
    });
    for (name, datatype) in numbers {
        let spec = DatasetSpec::growing(datatype, &[5000], &[999]);
        add(
            &mut file,
            name,
            &spec.filtered(&[Filter::Pcodec { level: 8 }]),
        );
    }
    let file = Hdf5File::from_bytes(file.into_bytes().unwrap()).unwrap();
    let mut n_datasets = 0;
    check_group(&file.root().unwrap(), "", &mut n_datasets);
    assert_eq!(n_datasets, 9);
    let stored_bytes = file.dataset("u64").unwrap().stored_bytes().unwrap();
    assert!(stored_bytes < 5000 * 8 / 4, "{stored_bytes}");
}

#[test]
fn what_cannot_be_written_is_refused_in_words() {
    let mut file = FileBuilder::new();
    let spec = DatasetSpec::contiguous(Datatype::f32(), &[4]);
    file.create_dataset("a", &spec).unwrap();
    let mut too_long = DatasetSpec::compact(Datatype::unsigned(1), &[65_532]);
    let refusals = [
        file.create_dataset("a", &spec).unwrap_err().to_string(),
        file.create_dataset("b", &too_long).unwrap_err().to_string(),
        file.create_dataset("b", &DatasetSpec::chunked(Datatype::f32(), &[4], &[0]))
            .unwrap_err()
            .to_string(),
        file.create_dataset(
            "b",
            &chunked(Datatype::f32(), &[4, 4], &[None, None], &[1, 1]),
        )
        .unwrap_err()
        .to_string(),
        file.write::<f64>("a", &[0.0; 4]).unwrap_err().to_string(),
        file.write::<f32>("a", &[0.0; 3]).unwrap_err().to_string(),
        file.write::<f32>("b", &[0.0; 3]).unwrap_err().to_string(),
        file.append::<f32>("a", &[0.0; 3]).unwrap_err().to_string(),
        file.create_group("a/b").unwrap_err().to_string(),
        file.create_group("a\0b").unwrap_err().to_string(),
    ];
    let expected = [
        "the name of a new object must be one that nothing has in its group, and is 1",
        "a compact dataset must be at most 65,531 bytes long, and is 65532",
        "each dimension of a chunk must be at least 1, and is 0",
        "not supported: a new dataset with several unlimited dimensions: 2",
        "the values are f32, which cannot be read or written as f64",
        "the length of the values must be that of the selection, and is 12",
        "there is no \"b\"",
        "the layout of a dataset that grows must be chunked, and is 0",
        "\"a/b\" is not a group",
        "a name must be 1 to 4,000 bytes long, without NUL, and not a dot, and is 3",
    ];
    assert_eq!(refusals, expected);
    too_long.layout = LayoutSpec::Contiguous;
    file.create_dataset("b", &too_long).unwrap();
}

#[test]
fn a_builder_that_writes_column_by_column_keeps_every_column() {
    let shape = [1 << 20, 20];
    let mut builder = FileBuilder::new();
    let spec = DatasetSpec::chunked(Datatype::signed(4), &shape, &[1 << 16, 20]);
    builder.create_dataset("x", &spec).unwrap();
    for column in 0..20 {
        let slab = Hyperslab::block(&[0, column], &[1 << 20, 1]);
        builder
            .write_bytes("x", &slab, vec![1_u8; 4 << 20])
            .unwrap();
    }
    let file = Hdf5File::from_bytes(builder.into_bytes().unwrap()).unwrap();
    let dataset = file.dataset("x").unwrap();
    let bytes = dataset.read_bytes(&Hyperslab::all(&shape)).unwrap();
    assert!(bytes.iter().all(|byte| *byte == 1));
}
