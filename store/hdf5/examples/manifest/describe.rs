//! A file as the JSON of the corpus' manifest.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use palimpsest_hdf5::{
    Attribute, ByteOrder, Charset, Dataset, Datatype, Error, Extent, Group, Hdf5File, LinkTarget,
    Object, Padding, ReferenceKind, Result, Storage,
};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// All objects of a file by path; an object that cannot be read has an `error` in place of values.
///
/// # Errors
///
/// Where the root group itself cannot be read.
pub(crate) fn file(file: &Hdf5File) -> Result<Value> {
    let mut walk = Walk {
        objects: Map::new(),
        seen: BTreeMap::new(),
        soft: Map::new(),
    };
    walk.group("/", &file.root()?)?;
    Ok(json!({
        "objects": walk.objects,
        "soft": walk.soft,
        "superblock": file.superblock_version(),
        "userblock": file.user_block_bytes(),
    }))
}

struct Walk {
    objects: Map<String, Value>,
    /// The first path of each address.
    seen: BTreeMap<u64, String>,
    soft: Map<String, Value>,
}

fn join(path: &str, name: &str) -> String {
    if path == "/" {
        format!("/{name}")
    } else {
        format!("{path}/{name}")
    }
}

impl Walk {
    fn group(&mut self, path: &str, group: &Group) -> Result<()> {
        self.seen.insert(group.address(), path.to_owned());
        let mut children = Vec::new();
        let mut objects = Vec::new();
        for link in group.links()? {
            let child = join(path, &link.name);
            match link.target {
                LinkTarget::Hard(address) => {
                    let object = group.object_at(address);
                    let kind = match &object {
                        Ok(Object::Group(_)) => "group",
                        Ok(Object::Dataset(_)) => "dataset",
                        Ok(Object::Datatype(_)) => "datatype",
                        Err(_) => "unreadable",
                    };
                    children.push(json!([link.name, kind]));
                    objects.push((child, address, object));
                }
                LinkTarget::Soft(target) => {
                    self.soft.insert(child, target.into());
                }
                LinkTarget::External { .. } | LinkTarget::User(_) => {}
            }
        }
        let mut entry = json!({ "kind": "group", "children": children });
        let attributes = attributes(group.attributes());
        entry["attrs"] = attributes;
        self.objects.insert(path.to_owned(), entry);
        for (child, address, object) in objects {
            if self.seen.contains_key(&address) {
                continue;
            }
            self.seen.insert(address, child.clone());
            match object {
                Ok(Object::Group(inner)) => self.group(&child, &inner)?,
                Ok(Object::Dataset(inner)) => {
                    self.objects.insert(child, dataset(&inner));
                }
                Ok(Object::Datatype(_)) => {
                    self.objects.insert(child, json!({ "kind": "datatype" }));
                }
                Err(error) => {
                    self.objects.insert(child, failure(&error));
                }
            }
        }
        Ok(())
    }
}

fn failure(error: &Error) -> Value {
    json!({ "error": error.to_string(), "not_supported": error.is_not_supported() })
}

fn attributes(found: Result<Vec<(String, Result<Attribute>)>>) -> Value {
    let found = match found {
        Ok(found) => found,
        Err(error) => return failure(&error),
    };
    let describe = |(name, found): (String, Result<Attribute>)| {
        let described = found.and_then(|found| attribute(&found));
        (name, described.unwrap_or_else(|error| failure(&error)))
    };
    found
        .into_iter()
        .map(describe)
        .collect::<Map<_, _>>()
        .into()
}

fn attribute(attribute: &Attribute) -> Result<Value> {
    let mut entry = Map::new();
    entry.insert("shape".into(), shape(attribute.extent()));
    entry.insert("type".into(), datatype(attribute.datatype()));
    if *attribute.extent() != Extent::Null {
        let read = Read {
            datatype: attribute.datatype(),
            bytes: attribute.bytes().to_vec(),
            strings: &|| attribute.read_byte_strings(),
            sequences: &|| attribute.read_sequences(),
        };
        read.hashes(&mut entry)?;
    }
    Ok(entry.into())
}

fn dataset(dataset: &Dataset) -> Value {
    let mut entry = Map::new();
    entry.insert("kind".into(), "dataset".into());
    entry.insert("shape".into(), shape(dataset.extent()));
    entry.insert("type".into(), datatype(dataset.datatype()));
    entry.insert("filters".into(), dataset.filters().into());
    let layout = match dataset.storage() {
        Storage::Compact => "compact",
        Storage::Contiguous | Storage::External => "contiguous",
        Storage::Chunked(chunk) => {
            entry.insert("chunk".into(), chunk.into());
            entry.insert("maxshape".into(), dataset.extent().max_shape().into());
            "chunked"
        }
        Storage::Virtual => "virtual",
    };
    entry.insert("layout".into(), layout.into());
    entry.insert("attrs".into(), attributes(dataset.attributes()));
    if *dataset.extent() != Extent::Null {
        let all = dataset.all();
        let hashed = dataset.read_bytes(&all).and_then(|bytes| {
            let read = Read {
                datatype: dataset.datatype(),
                bytes,
                strings: &|| dataset.read_byte_strings(&all),
                sequences: &|| dataset.read_sequences(&all),
            };
            read.hashes(&mut entry)
        });
        if let Err(error) = hashed {
            entry.insert("error".into(), error.to_string().into());
            entry.insert("not_supported".into(), error.is_not_supported().into());
        }
    }
    entry.into()
}

fn shape(extent: &Extent) -> Value {
    match extent {
        Extent::Null => Value::Null,
        extent => extent.shape().into(),
    }
}

/// Values and how to read them otherwise.
struct Read<'a> {
    datatype: &'a Datatype,
    bytes: Vec<u8>,
    strings: &'a dyn Fn() -> Result<Vec<Vec<u8>>>,
    sequences: &'a dyn Fn() -> Result<Vec<Vec<u8>>>,
}

impl Read<'_> {
    fn hashes(&self, entry: &mut Map<String, Value>) -> Result<()> {
        if !self.datatype.has_heap_data() && !has_reference(self.datatype) {
            entry.insert("raw_len".into(), self.bytes.len().into());
            entry.insert("raw_sha256".into(), hash([&self.bytes[..]]));
        }
        match self.datatype {
            Datatype::Integer {
                order, size_bytes, ..
            }
            | Datatype::Float {
                order, size_bytes, ..
            } => {
                let mut bytes = self.bytes.clone();
                if *order == ByteOrder::Big {
                    bytes
                        .chunks_exact_mut(*size_bytes as usize)
                        .for_each(<[u8]>::reverse);
                }
                entry.insert("le_sha256".into(), hash([&bytes[..]]));
            }
            Datatype::FixedString { .. } | Datatype::VlenString { .. } => {
                let strings = (self.strings)()?;
                entry.insert("strings_sha256".into(), hash_all(&strings, 1));
            }
            Datatype::Sequence { base, .. } if !base.has_heap_data() && !has_reference(base) => {
                let sequences = (self.sequences)()?;
                entry.insert(
                    "vlen_sha256".into(),
                    hash_all(&sequences, base.size_bytes() as usize),
                );
            }
            _ => {}
        }
        Ok(())
    }
}

fn has_reference(datatype: &Datatype) -> bool {
    match datatype {
        Datatype::Reference { .. } => true,
        Datatype::Compound { members, .. } => members.iter().any(|m| has_reference(&m.datatype)),
        Datatype::Array { base, .. } | Datatype::Sequence { base, .. } => has_reference(base),
        _ => false,
    }
}

fn hash<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Value {
    let mut hasher = Sha256::new();
    pieces.into_iter().for_each(|piece| hasher.update(piece));
    let mut hex = String::new();
    for byte in hasher.finalize() {
        write!(hex, "{byte:02x}").expect("a string takes all that is written to it");
    }
    hex.into()
}

fn hash_all(values: &[Vec<u8>], unit: usize) -> Value {
    let counts: Vec<_> = values
        .iter()
        .map(|value| u32::try_from(value.len() / unit).unwrap_or(u32::MAX))
        .map(u32::to_le_bytes)
        .collect();
    hash(
        counts
            .iter()
            .zip(values)
            .flat_map(|(count, value)| [&count[..], &value[..]]),
    )
}

/// The type as h5py sees it: in memory, where a string of any length is a pointer.
fn datatype(datatype: &Datatype) -> Value {
    let order = |order: &ByteOrder| {
        if *order == ByteOrder::Little {
            "le"
        } else {
            "be"
        }
    };
    let padding = |padding: &Padding| match padding {
        Padding::NulTerminated => 0,
        Padding::NulPadded => 1,
        Padding::SpacePadded => 2,
    };
    let charset = |charset: &Charset| u8::from(*charset == Charset::Utf8);
    let size = memory_bytes(datatype);
    match datatype {
        Datatype::Integer { order: o, .. } => {
            json!({"class": "int", "order": order(o), "size": size})
        }
        Datatype::Float { order: o, .. } => {
            json!({"class": "float", "order": order(o), "size": size})
        }
        Datatype::Bitfield { order: o, .. } => {
            json!({"class": "bitfield", "order": order(o), "size": size})
        }
        Datatype::Time { .. } => json!({"class": "time", "size": size}),
        Datatype::Opaque { .. } => json!({"class": "opaque", "size": size}),
        Datatype::FixedString {
            padding: p,
            charset: c,
            ..
        } => json!({
            "class": "string", "cset": charset(c), "pad": padding(p), "size": size, "vlen": false
        }),
        Datatype::VlenString {
            padding: p,
            charset: c,
            ..
        } => json!({
            "class": "string", "cset": charset(c), "pad": padding(p), "size": size, "vlen": true
        }),
        Datatype::Reference { .. } => json!({"class": "reference", "size": size}),
        Datatype::Enum { base, .. } => {
            json!({"class": "enum", "base": self::datatype(base), "size": size})
        }
        Datatype::Sequence { base, .. } => {
            json!({"class": "vlen", "base": self::datatype(base), "size": size})
        }
        Datatype::Array { dims, base } => {
            json!({"class": "array", "base": self::datatype(base), "dims": dims, "size": size})
        }
        Datatype::Compound { members, .. } => {
            let mut shift = 0_i64;
            let mut described = Vec::new();
            for member in members {
                let offset = i64::from(member.offset_bytes) + shift;
                described.push(json!([
                    member.name,
                    offset,
                    self::datatype(&member.datatype)
                ]));
                shift += memory_bytes(&member.datatype) - i64::from(member.datatype.size_bytes());
            }
            json!({"class": "compound", "members": described, "size": size})
        }
        other => json!({"class": other.to_string(), "size": size}),
    }
}

fn memory_bytes(datatype: &Datatype) -> i64 {
    match datatype {
        Datatype::VlenString { .. } => 8,
        Datatype::Sequence { .. } => 16,
        Datatype::Reference {
            kind: ReferenceKind::Region,
            ..
        } => 12,
        Datatype::Reference {
            kind: ReferenceKind::Standard(_),
            ..
        } => 64,
        Datatype::Array { dims, base } => dims
            .iter()
            .fold(memory_bytes(base), |size, len| size * i64::from(*len)),
        Datatype::Compound {
            size_bytes,
            members,
        } => {
            let grown = members
                .iter()
                .map(|m| memory_bytes(&m.datatype) - i64::from(m.datatype.size_bytes()));
            i64::from(*size_bytes) + grown.sum::<i64>()
        }
        other => other.size_bytes().into(),
    }
}
