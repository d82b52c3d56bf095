//! A group: names that lead to objects.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

pub(crate) mod dense_write;
pub(crate) mod links;
mod symbol_table;

use std::sync::Arc;

use crate::attribute::{self, Attribute};
use crate::dataset::Dataset;
use crate::datatype::Datatype;
use crate::error::{Error, Result};
use crate::message::link::{Link, LinkTarget};
use crate::message::{DATATYPE, LAYOUT};
use crate::object_header::ObjectHeader;
use crate::source::Source;

/// How many soft links one path may go through.
const SOFT_LINKS_MAX: u32 = 32;

/// A group of an open file.
#[derive(Debug, Clone)]
pub struct Group {
    pub(crate) source: Arc<Source>,
    root: u64,
    pub(crate) header: ObjectHeader,
}

/// Something that has a name.
#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "made one at a time, and taken apart at once"
)]
pub enum Object {
    /// A group.
    Group(Group),
    /// A dataset.
    Dataset(Dataset),
    /// A type with a name, and nothing else.
    Datatype(Datatype),
}

impl Group {
    pub(crate) fn root(source: Arc<Source>, root: u64) -> Result<Self> {
        let header = ObjectHeader::read(&source, root)?;
        Ok(Self {
            source,
            root,
            header,
        })
    }

    /// Where in the file it is: two names of one group have one address.
    pub fn address(&self) -> u64 {
        self.header.address
    }

    /// All its links, in the order of their names.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] and its like where the group's own structures are.
    pub fn links(&self) -> Result<Vec<Link>> {
        links::read_all(&self.source, &self.header)
    }

    /// The group at `path`, which may go through other groups; a leading slash means the root.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], [`Error::WrongKind`], and what opening an object can give.
    pub fn group(&self, path: &str) -> Result<Self> {
        match self.object(path)? {
            Object::Group(group) => Ok(group),
            _ => Err(Error::WrongKind {
                path: path.to_owned(),
                expected: "group",
            }),
        }
    }

    /// The dataset at `path`.
    ///
    /// # Errors
    ///
    /// As [`Self::group`].
    pub fn dataset(&self, path: &str) -> Result<Dataset> {
        match self.object(path)? {
            Object::Dataset(dataset) => Ok(dataset),
            _ => Err(Error::WrongKind {
                path: path.to_owned(),
                expected: "dataset",
            }),
        }
    }

    /// The object at `path`, following soft links; an external link is not followed.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], and what opening an object can give.
    pub fn object(&self, path: &str) -> Result<Object> {
        let header = self.resolve(path, SOFT_LINKS_MAX)?;
        self.open(header)
    }

    /// The object at the end of a hard link.
    ///
    /// # Errors
    ///
    /// What opening an object can give.
    pub fn object_at(&self, address: u64) -> Result<Object> {
        self.open(ObjectHeader::read(&self.source, address)?)
    }

    fn open(&self, header: ObjectHeader) -> Result<Object> {
        let source = Arc::clone(&self.source);
        if header.find(LAYOUT).is_some() {
            return Dataset::open(source, header).map(Object::Dataset);
        }
        if links::is_group(&header) {
            return Ok(Object::Group(Self {
                source,
                root: self.root,
                header,
            }));
        }
        let message = header.require(DATATYPE, "a group, a dataset or a datatype")?;
        let message = message.resolved(&source)?;
        Datatype::decode(&mut message.cursor("datatype", &source)).map(Object::Datatype)
    }

    fn resolve(&self, path: &str, n_soft: u32) -> Result<ObjectHeader> {
        let not_found = || Error::NotFound {
            path: path.to_owned(),
        };
        let mut here = if path.starts_with('/') && self.header.address != self.root {
            ObjectHeader::read(&self.source, self.root)?
        } else {
            self.header.clone()
        };
        for name in path
            .split('/')
            .filter(|name| !name.is_empty() && *name != ".")
        {
            let link = links::find(&self.source, &here, name)?.ok_or_else(not_found)?;
            here = match link.target {
                LinkTarget::Hard(address) => ObjectHeader::read(&self.source, address)?,
                LinkTarget::Soft(target) => {
                    let n_soft = n_soft.checked_sub(1).ok_or_else(not_found)?;
                    let group = Self {
                        header: here,
                        ..self.clone()
                    };
                    group.resolve(&target, n_soft)?
                }
                LinkTarget::External { .. } => {
                    return Err(Error::not_supported("following an external link"));
                }
                LinkTarget::User(kind) => {
                    return Err(Error::not_supported_number(
                        "following a link of type",
                        kind,
                    ));
                }
            };
        }
        Ok(here)
    }

    /// The names of its attributes.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] and its like.
    pub fn attribute_names(&self) -> Result<Vec<String>> {
        attribute::names(&self.source, &self.header)
    }

    /// All its attributes by name; one that cannot be read does not keep the others from it. For all of
    /// many this takes less than finding each.
    ///
    /// # Errors
    ///
    /// As [`Self::attribute_names`].
    pub fn attributes(&self) -> Result<Vec<(String, Result<Attribute>)>> {
        attribute::all(&self.source, &self.header)
    }

    /// The attribute of this name.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], and [`Error::Corrupt`] and its like.
    pub fn attribute(&self, name: &str) -> Result<Attribute> {
        attribute::find(&self.source, &self.header, name)
    }
}
