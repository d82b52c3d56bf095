//! A dataset: a grid of values.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

pub(crate) mod description;
pub(crate) mod storage;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use crate::attribute::{self, Attribute};
use crate::chunk_index::{ChunkGrid, ChunkTable};
use crate::data::{self, check_limit};
use crate::dataspace::Extent;
use crate::datatype::Datatype;
use crate::element::{Element, check_fits, convert, is_native};
use crate::error::{Error, Result};
use crate::hyperslab::Hyperslab;
use crate::message::layout::Layout;
use crate::object_header::ObjectHeader;
use crate::source::Source;
use crate::value::Value;
use description::Description;

/// A dataset of an open file.
#[derive(Debug, Clone)]
pub struct Dataset {
    pub(crate) source: Arc<Source>,
    pub(crate) header: ObjectHeader,
    pub(crate) description: Description,
    pub(crate) chunks: OnceLock<Arc<(ChunkGrid, ChunkTable)>>,
    /// Chunks of the last reading that it took only a part of, unfiltered, by number.
    pub(crate) kept: Arc<Mutex<KeptChunks>>,
}

/// Unfiltered chunks by number.
pub(crate) type KeptChunks = HashMap<u64, Arc<Vec<u8>>>;

/// How a dataset's values are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Storage {
    /// In the object header.
    Compact,
    /// In one piece.
    Contiguous,
    /// In chunks of this shape.
    Chunked(Vec<u64>),
    /// In other datasets.
    Virtual,
    /// In other files.
    External,
}

impl Dataset {
    pub(crate) fn open(source: Arc<Source>, header: ObjectHeader) -> Result<Self> {
        let description = Description::decode(&source, &header)?;
        Ok(Self {
            source,
            header,
            description,
            chunks: OnceLock::new(),
            kept: Arc::default(),
        })
    }

    /// Where in the file it is: two names of one dataset have one address.
    pub fn address(&self) -> u64 {
        self.header.address
    }

    /// How many values there are, and how many there may be.
    pub fn extent(&self) -> &Extent {
        &self.description.extent
    }

    /// The dimensions; none for a scalar.
    pub fn shape(&self) -> &[u64] {
        self.extent().shape()
    }

    /// What its values are.
    pub fn datatype(&self) -> &Datatype {
        &self.description.datatype
    }

    /// How its values are stored.
    pub fn storage(&self) -> Storage {
        match &self.description.layout {
            _ if self.description.external => Storage::External,
            Layout::Compact { .. } => Storage::Compact,
            Layout::Contiguous { .. } => Storage::Contiguous,
            Layout::Chunked(layout) => Storage::Chunked(layout.chunk_shape.clone()),
            Layout::Virtual => Storage::Virtual,
        }
    }

    /// The registered numbers of its filters, in the order in which a chunk is written.
    pub fn filters(&self) -> Vec<u16> {
        self.description
            .pipeline
            .entries
            .iter()
            .map(|entry| entry.number)
            .collect()
    }

    /// How many bytes of the file its values take, their index left out.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] and its like where its chunk index is.
    pub fn stored_bytes(&self) -> Result<u64> {
        match &self.description.layout {
            Layout::Compact { .. } | Layout::Virtual | Layout::Contiguous { address: None, .. } => {
                Ok(0)
            }
            Layout::Contiguous { .. } => self.all_bytes(),
            Layout::Chunked(_) => {
                let chunks = self.chunk_table()?;
                Ok(chunks
                    .1
                    .entries()
                    .iter()
                    .fold(0, |sum, (_, chunk)| sum.saturating_add(chunk.len_bytes)))
            }
        }
    }

    /// How many bytes all its values have, unfiltered.
    pub(crate) fn all_bytes(&self) -> Result<u64> {
        self.n_elements()?
            .checked_mul(self.element_bytes())
            .ok_or(Error::Limit {
                structure: "dataspace",
                offset_bytes: self.address(),
                asked: u64::MAX,
                limit: u64::MAX,
            })
    }

    fn n_elements(&self) -> Result<u64> {
        self.extent().n_elements().ok_or(Error::Limit {
            structure: "dataspace",
            offset_bytes: self.address(),
            asked: u64::MAX,
            limit: u64::MAX,
        })
    }

    fn element_bytes(&self) -> u64 {
        self.datatype().size_bytes().into()
    }

    /// Everything of the dataset, as a selection.
    pub fn all(&self) -> Hyperslab {
        Hyperslab::all(self.shape())
    }

    /// All values as numbers, in C order.
    ///
    /// # Errors
    ///
    /// [`Error::WrongType`] where not every value of its type is a `T`, [`Error::Limit`] where
    /// they are more than [`READ_BYTES_MAX`](crate::READ_BYTES_MAX) bytes, [`Error::NotSupported`], and
    /// [`Error::Corrupt`] and its like.
    pub fn read<T: Element>(&self) -> Result<Vec<T>> {
        self.read_slice(&self.all())
    }

    /// The selected values as numbers, in C order.
    ///
    /// # Errors
    ///
    /// As [`Self::read`], and [`Error::Request`] where the selection is not within the dataset.
    pub fn read_slice<T: Element>(&self, slab: &Hyperslab) -> Result<Vec<T>> {
        check_fits::<T>(self.datatype())?;
        let each = self.element_bytes().max(size_of::<T>() as u64);
        let n = check_limit("dataset", self.n_selected(slab)?, each)?;
        let mut values = vec![T::zeroed(); n];
        self.read_into(slab, &mut values)?;
        Ok(values)
    }

    /// Reads the selected values into `to`, which has room for exactly as many.
    ///
    /// # Errors
    ///
    /// As [`Self::read_slice`], but for the limit, and [`Error::Request`] where `to` is of another length.
    pub fn read_into<T: Element>(&self, slab: &Hyperslab, to: &mut [T]) -> Result<()> {
        check_fits::<T>(self.datatype())?;
        self.check_room(slab, to.len() as u64, 1)?;
        if is_native::<T>(self.datatype()) {
            return self.read_raw(slab, bytemuck::cast_slice_mut(to));
        }
        let n_bytes = check_limit("dataset", to.len() as u64, self.element_bytes())?;
        let size = usize::try_from(self.element_bytes()).unwrap_or(usize::MAX);
        let mut bytes = vec![0; n_bytes.saturating_mul(size)];
        self.read_raw(slab, &mut bytes)?;
        convert(self.datatype(), &bytes, to)
    }

    /// Reads the selected values' bytes into `to`, in the file's own type and byte order.
    ///
    /// # Errors
    ///
    /// As [`Self::read_into`].
    pub fn read_bytes_into(&self, slab: &Hyperslab, to: &mut [u8]) -> Result<()> {
        self.check_room(slab, to.len() as u64, self.element_bytes())?;
        self.read_raw(slab, to)
    }

    /// The selected values' bytes, in the file's own type and byte order.
    ///
    /// # Errors
    ///
    /// As [`Self::read_slice`].
    pub fn read_bytes(&self, slab: &Hyperslab) -> Result<Vec<u8>> {
        let n = check_limit("dataset", self.n_selected(slab)?, self.element_bytes())?;
        let size = usize::try_from(self.element_bytes()).unwrap_or(usize::MAX);
        let mut bytes = vec![0; n.saturating_mul(size)];
        self.read_raw(slab, &mut bytes)?;
        Ok(bytes)
    }

    /// The selected values as strings.
    ///
    /// # Errors
    ///
    /// As [`Self::read_slice`], and [`Error::Corrupt`] where they are no UTF-8.
    pub fn read_strings(&self, slab: &Hyperslab) -> Result<Vec<String>> {
        data::utf8(self.read_byte_strings(slab)?)
    }

    /// The selected values as strings, whatever their encoding.
    ///
    /// # Errors
    ///
    /// As [`Self::read_slice`].
    pub fn read_byte_strings(&self, slab: &Hyperslab) -> Result<Vec<Vec<u8>>> {
        data::strings(&self.source, self.datatype(), &self.read_bytes(slab)?)
    }

    /// The elements of each selected vlen sequence, as bytes in the file's order.
    ///
    /// # Errors
    ///
    /// As [`Self::read_slice`].
    pub fn read_sequences(&self, slab: &Hyperslab) -> Result<Vec<Vec<u8>>> {
        data::sequences(&self.source, self.datatype(), &self.read_bytes(slab)?)
    }

    /// The selected values, whatever their type.
    ///
    /// # Errors
    ///
    /// As [`Self::read_slice`].
    pub fn read_values(&self, slab: &Hyperslab) -> Result<Vec<Value>> {
        data::values(&self.source, self.datatype(), &self.read_bytes(slab)?)
    }

    /// All values in place, in C order, where the file is in memory or mapped and they lie there as
    /// they would in a slice: contiguous, of exactly this type and byte order, and aligned.
    pub fn mapped<T: Element>(&self) -> Option<&[T]> {
        let Layout::Contiguous {
            address: Some(address),
            ..
        } = &self.description.layout
        else {
            return None;
        };
        if self.description.external || !is_native::<T>(self.datatype()) {
            return None;
        }
        let bytes = self.source.in_place(*address, self.all_bytes().ok()?)?;
        bytemuck::try_cast_slice(bytes).ok()
    }

    /// The values of one chunk in place, in C order, under the same conditions and without
    /// filters. `coordinates` count chunks. At an edge the chunk is longer than what is in the dataset.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] and its like where the chunk index is.
    pub fn mapped_chunk<T: Element>(&self, coordinates: &[u64]) -> Result<Option<&[T]>> {
        let Layout::Chunked(layout) = &self.description.layout else {
            return Ok(None);
        };
        if !self.description.pipeline.is_empty() || !is_native::<T>(self.datatype()) {
            return Ok(None);
        }
        let chunks = self.chunk_table()?;
        let chunk = chunks
            .0
            .number(coordinates)
            .and_then(|number| chunks.1.get(number));
        let bytes =
            chunk.and_then(|chunk| self.source.in_place(chunk.address, layout.chunk_bytes()));
        Ok(bytes.and_then(|bytes| bytemuck::try_cast_slice(bytes).ok()))
    }

    fn n_selected(&self, slab: &Hyperslab) -> Result<u64> {
        match self.extent() {
            Extent::Null => Ok(0),
            extent => slab.n_elements_in(extent.shape()),
        }
    }

    fn check_room(&self, slab: &Hyperslab, room: u64, each: u64) -> Result<()> {
        if self.n_selected(slab)?.checked_mul(each) == Some(room) {
            return Ok(());
        }
        let (what, rule) = ("the length of the buffer", "that of the selection");
        Err(Error::Request {
            what,
            rule,
            found: room,
        })
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
