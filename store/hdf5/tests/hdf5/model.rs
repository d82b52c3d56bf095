//! Whole files against a map of paths: whatever is made, named, unlinked, given up or copied.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use palimpsest_hdf5::{
    Backend as _, DatasetSpec, Datatype, File, FileBuilder, Group, Hdf5File, LinkTarget, Object,
    OpenMode, RamBackend, Transaction,
};
use proptest::prelude::*;

/// What has a path, but for its attributes.
#[derive(Debug, Clone, PartialEq)]
enum Thing {
    Group,
    Rows(Vec<u32>),
    Texts(Vec<String>),
    SoftLink(String),
}

/// Everything by its path, with its attributes.
type Model = BTreeMap<String, (Thing, BTreeMap<String, String>)>;

#[derive(Debug, Clone)]
enum Change {
    Group(String),
    Append(String, Vec<u32>),
    AppendTexts(String, Vec<String>),
    SoftLink(String, String),
    Attribute(String, u8, String),
    Unlink(String),
    Publish,
    GiveUp,
    Copy,
}

fn any_path() -> impl Strategy<Value = String> {
    prop::collection::vec(0..12_u8, 1..4).prop_map(|names| {
        let names = names.iter().map(|name| format!("/n\u{e4}me {name}"));
        names.collect()
    })
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[a-z\u{e4}]{0,9}", 1 => (0..9000_usize).prop_map(|n| "t".repeat(n))]
}

fn any_change() -> impl Strategy<Value = Change> {
    let rows = prop::collection::vec(any::<u32>(), 0..12);
    let texts = prop::collection::vec(any_text(), 0..6);
    prop_oneof![
        4 => any_path().prop_map(Change::Group),
        4 => (any_path(), rows).prop_map(|(path, rows)| Change::Append(path, rows)),
        3 => (any_path(), texts).prop_map(|(path, texts)| Change::AppendTexts(path, texts)),
        1 => (any_path(), any_path()).prop_map(|(path, to)| Change::SoftLink(path, to)),
        6 => (any_path(), 0..12_u8, any_text())
            .prop_map(|(path, name, text)| Change::Attribute(path, name, text)),
        3 => any_path().prop_map(Change::Unlink),
        3 => Just(Change::Publish),
        1 => Just(Change::GiveUp),
        1 => Just(Change::Copy),
    ]
}

/// Whether all groups on the way to `path` are groups or can be made; then they are.
fn make_groups(model: &mut Model, path: &str) -> bool {
    let ends = path.match_indices('/').map(|(end, _)| &path[..end]);
    let parents: Vec<_> = ends.filter(|parent| !parent.is_empty()).collect();
    let is_group = |parent: &&str| {
        model
            .get(*parent)
            .is_none_or(|(thing, _)| *thing == Thing::Group)
    };
    if !parents.iter().all(is_group) {
        return false;
    }
    for parent in parents {
        let group = || (Thing::Group, BTreeMap::new());
        model.entry(parent.to_owned()).or_insert_with(group);
    }
    true
}

/// Does a change to the model; whether it can be done.
fn apply(model: &mut Model, change: &Change) -> bool {
    let made = |model: &mut Model, path: &String, thing: Thing| {
        make_groups(model, path) && {
            let entry = model.entry(path.clone());
            entry.or_insert((thing, BTreeMap::new()));
            true
        }
    };
    match change {
        Change::Group(path) => made(model, path, Thing::Group) && model[path].0 == Thing::Group,
        Change::Append(path, new) => {
            made(model, path, Thing::Rows(Vec::new()))
                && match &mut model.get_mut(path).unwrap().0 {
                    Thing::Rows(rows) => {
                        rows.extend(new);
                        true
                    }
                    _ => false,
                }
        }
        Change::AppendTexts(path, new) => {
            made(model, path, Thing::Texts(Vec::new()))
                && match &mut model.get_mut(path).unwrap().0 {
                    Thing::Texts(texts) => {
                        texts.extend(new.iter().cloned());
                        true
                    }
                    _ => false,
                }
        }
        Change::SoftLink(path, to) => {
            let is_new = !model.contains_key(path);
            is_new && made(model, path, Thing::SoftLink(to.clone()))
        }
        Change::Attribute(path, name, text) => match model.get_mut(path) {
            Some((Thing::SoftLink(_), _)) | None => false,
            Some((_, attributes)) => {
                attributes.insert(name.to_string(), text.clone());
                true
            }
        },
        Change::Unlink(path) => {
            let below = format!("{path}/");
            let is_there = model.remove(path).is_some();
            model.retain(|path, _| !path.starts_with(&below));
            is_there
        }
        Change::Publish | Change::GiveUp | Change::Copy => true,
    }
}

fn ask(transaction: &mut Transaction, change: &Change) -> palimpsest_hdf5::Result<()> {
    match change {
        Change::Group(path) => transaction.create_group(path),
        Change::Append(path, rows) => {
            let spec = DatasetSpec::growing(Datatype::unsigned(4), &[0], &[5]);
            // It may be there already.
            let _made = transaction.create_dataset(path, &spec);
            transaction.append(path, rows)
        }
        Change::AppendTexts(path, texts) => {
            let spec = DatasetSpec::growing(Datatype::text(), &[0], &[3]);
            let _made = transaction.create_dataset(path, &spec);
            transaction.append_strings(path, texts)
        }
        Change::SoftLink(path, to) => transaction.create_soft_link(path, to),
        Change::Attribute(path, name, text) => {
            transaction.set_attribute(path, &name.to_string(), text.as_str())
        }
        Change::Unlink(path) => transaction.unlink(path),
        Change::Publish | Change::GiveUp | Change::Copy => Ok(()),
    }
}

/// Everything of a file.
fn read(group: &Group, path: &str, model: &mut Model) -> palimpsest_hdf5::Result<()> {
    for link in group.links()? {
        let path = format!("{path}/{}", link.name);
        let LinkTarget::Hard(address) = link.target else {
            if let LinkTarget::Soft(to) = link.target {
                model.insert(path, (Thing::SoftLink(to), BTreeMap::new()));
            }
            continue;
        };
        let mut attributes = BTreeMap::new();
        let thing = match group.object_at(address)? {
            Object::Group(inner) => {
                for name in inner.attribute_names()? {
                    attributes.insert(name.clone(), inner.attribute(&name)?.text()?);
                }
                read(&inner, &path, model)?;
                Thing::Group
            }
            Object::Dataset(dataset) => {
                for name in dataset.attribute_names()? {
                    attributes.insert(name.clone(), dataset.attribute(&name)?.text()?);
                }
                match dataset.datatype() {
                    Datatype::Integer { .. } => Thing::Rows(dataset.read()?),
                    _ => Thing::Texts(dataset.read_strings(&dataset.all())?),
                }
            }
            Object::Datatype(_) => unreachable!("none is written"),
        };
        model.insert(path, (thing, attributes));
    }
    Ok(())
}

fn everything(file: &Hdf5File) -> Model {
    let mut model = Model::new();
    read(&file.root().unwrap(), "", &mut model).unwrap();
    model
}

fn check(changes: &[Change]) {
    let backend = RamBackend::new();
    let mut path = "/model 0.h5".to_owned();
    let open = |path: &str| -> Arc<dyn File> {
        Arc::from(backend.open(Path::new(path), OpenMode::Create).unwrap())
    };
    let mut transaction = Transaction::create(open(&path), 4096).unwrap();
    let (mut model, mut published) = (Model::new(), Model::new());
    for (number, change) in changes.iter().chain([&Change::Copy]).enumerate() {
        let asked = ask(&mut transaction, change);
        let can = apply(&mut model, change);
        assert_eq!(asked.is_ok(), can, "{change:?}: {asked:?}");
        match change {
            Change::Publish | Change::Copy => {
                transaction.publish(|_| Ok::<_, Infallible>(())).unwrap();
                published.clone_from(&model);
                let file = Hdf5File::open_device(open(&path)).unwrap();
                assert_eq!(everything(&file), model);
                if matches!(change, Change::Publish) {
                    continue;
                }
                let mut copy = FileBuilder::new();
                copy.copy_live(&file).unwrap();
                path = format!("/model {number}.h5");
                open(&path)
                    .write_at(&copy.into_bytes().unwrap(), 0)
                    .unwrap();
                let file = Hdf5File::open_device(open(&path)).unwrap();
                assert_eq!(everything(&file), model);
                transaction = Transaction::open(open(&path), 4096).unwrap();
            }
            Change::GiveUp => {
                transaction = Transaction::open(open(&path), 4096).unwrap();
                model.clone_from(&published);
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_file_holds_what_was_done_to_it_and_not_what_was_given_up(
        changes in prop::collection::vec(any_change(), 0..60)
    ) {
        check(&changes);
    }
}
