//! The global heap: values of variable length, in collections of many.
//!
//! Source: HDF5 file format specification, III.E "Disk Format: Level 1E - Global Heap".
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::cursor::Cursor;
use crate::encoder::Encoder;
use crate::error::{Error, Result};
use crate::sink::Sink;
use crate::source::{Budget, Source};

const NAME: &str = "global heap collection";
/// The C library never makes a smaller collection, and refuses one in some versions.
const COLLECTION_BYTES_MIN: usize = 4096;
/// A collection is closed before it gets longer than this, unless by one value: a reader fetches a
/// collection whole for a single value.
const COLLECTION_BYTES_MAX: usize = 65_536;
const HEADER_BYTES: usize = 16;
/// How many bytes of collections a reading operation keeps; where its values are is kept of all.
const KEPT_BYTES_MAX: usize = 64 << 20;

/// Where a value of variable length is: what its element in a dataset says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeapReference {
    /// How many elements (for a string, bytes) the value has.
    pub(crate) len: u32,
    pub(crate) collection: u64,
    pub(crate) index: u32,
}

impl HeapReference {
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self> {
        let len = cursor.u32()?;
        // An empty value has an address of 0 or none.
        let collection = cursor.address()?.unwrap_or_default();
        Ok(Self {
            len,
            collection,
            index: cursor.u32()?,
        })
    }

    /// How many bytes of its collection the value takes, where its elements are bytes.
    pub(crate) fn stored_bytes(&self) -> u64 {
        if self.collection == 0 {
            return 0;
        }
        object_bytes(usize::try_from(self.len).unwrap_or(usize::MAX)) as u64
    }

    pub(crate) fn encode(&self) -> [u8; 16] {
        let mut encoder = Encoder::new();
        encoder.u32(self.len).u64(self.collection).u32(self.index);
        encoder.into_bytes().try_into().unwrap_or_default()
    }
}

/// A collection, of which at least is known where its objects are.
#[derive(Debug)]
struct Collection {
    /// All of it, where it is kept.
    bytes: Vec<u8>,
    objects: BTreeMap<u32, Range<usize>>,
}

impl Collection {
    /// Reads the collection at `address`; its bytes are kept where they are not more than `kept_max`,
    /// nor in memory anyway.
    fn read(source: &Source, address: u64, kept_max: usize, budget: &mut Budget) -> Result<Self> {
        let bytes = source.read(NAME, address, HEADER_BYTES as u64)?;
        let mut cursor = source.cursor(NAME, address, &bytes);
        cursor.signature(*b"GCOL")?;
        cursor.version(1)?;
        cursor.skip(3)?;
        let len = cursor.length()?;
        budget.take(NAME, address, len)?;
        let bytes = source.read(NAME, address, len)?;
        let mut cursor = source.cursor(NAME, address, &bytes);
        cursor.skip(8)?;
        cursor.length()?;
        let mut objects = BTreeMap::new();
        let head = usize::from(source.sizes().length_bytes).saturating_add(8);
        while cursor.remaining() >= head {
            let index = u32::from(cursor.u16()?);
            cursor.skip(6)?;
            let len = usize::try_from(cursor.length()?).unwrap_or(usize::MAX);
            if index == 0 {
                break; // free space, to the end
            }
            let start = cursor.taken();
            cursor.skip(len)?;
            objects.insert(index, start..cursor.taken());
            cursor.align(8);
        }
        let bytes = match bytes {
            Cow::Owned(bytes) if bytes.len() <= kept_max => bytes,
            _ => Vec::new(),
        };
        Ok(Self { bytes, objects })
    }
}

/// Reads values. Each collection is looked through once, however many values are asked of it, and
/// those that lie over each other are refused: else every value could cost as much as the file.
#[derive(Debug)]
pub(crate) struct HeapReader<'a> {
    source: &'a Source,
    collections: HashMap<u64, Collection>,
    kept_bytes: usize,
    budget: Budget,
    /// A value of a collection that is not kept.
    value: Vec<u8>,
}

impl<'a> HeapReader<'a> {
    pub(crate) fn new(source: &'a Source) -> Self {
        Self {
            source,
            collections: HashMap::new(),
            kept_bytes: 0,
            budget: Budget::of(source),
            value: Vec::new(),
        }
    }

    /// The value of `n_bytes` bytes that `reference` leads to.
    pub(crate) fn value(&mut self, reference: HeapReference, n_bytes: u64) -> Result<&[u8]> {
        if n_bytes == 0 || reference.collection == 0 {
            return Ok(&[]);
        }
        let address = reference.collection;
        let collection = match self.collections.entry(address) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let kept_max = KEPT_BYTES_MAX.saturating_sub(self.kept_bytes);
                let read = Collection::read(self.source, address, kept_max, &mut self.budget)?;
                self.kept_bytes = self.kept_bytes.saturating_add(read.bytes.len());
                unknown.insert(read)
            }
        };
        let found = collection.objects.get(&reference.index);
        let len = usize::try_from(n_bytes).unwrap_or(usize::MAX);
        let object = found.filter(|object| object.len() >= len);
        let object = object.ok_or(Error::Corrupt {
            structure: NAME,
            offset_bytes: address,
            expected: "an object of this index, as long as its reference says",
            found: reference.index.into(),
        })?;
        let end = object.start.saturating_add(len);
        if let Some(kept) = collection.bytes.get(object.start..end) {
            self.source.note_work(n_bytes);
            return Ok(kept);
        }
        let place = address.saturating_add(object.start as u64);
        match self.source.read(NAME, place, n_bytes)? {
            Cow::Borrowed(value) => Ok(value),
            Cow::Owned(value) => {
                self.value = value;
                Ok(&self.value)
            }
        }
    }
}

/// Values on their way into collections. A collection's place in the file is kept when its first
/// value comes, so that references to it can be given out at once.
#[derive(Debug, Default)]
pub(crate) struct HeapWriter {
    open: Option<OpenCollection>,
    free_bytes: u64,
}

#[derive(Debug)]
struct OpenCollection {
    address: u64,
    len: usize,
    objects: Encoder,
    n_objects: u16,
}

impl OpenCollection {
    fn has_room(&self, len: usize) -> bool {
        let after = self
            .objects
            .len()
            .saturating_add(object_bytes(len))
            .saturating_add(HEADER_BYTES);
        after <= self.len && self.n_objects < u16::MAX
    }

    fn encode(self) -> Vec<u8> {
        let objects = self.objects.into_bytes();
        let free = self
            .len
            .saturating_sub(objects.len())
            .saturating_sub(HEADER_BYTES);
        let mut encoder = Encoder::signed(*b"GCOL", 1);
        encoder.zeros(3).u64(self.len as u64).put(&objects);
        if free >= HEADER_BYTES {
            encoder.u64(0).u64(free as u64);
        }
        encoder.pad_to(self.len);
        encoder.into_bytes()
    }
}

/// How many bytes of a collection a value takes.
fn object_bytes(len: usize) -> usize {
    len.saturating_add(HEADER_BYTES)
        .checked_next_multiple_of(8)
        .unwrap_or(usize::MAX)
}

impl HeapWriter {
    /// Adds all `values` (in units of one byte); their references, in order.
    pub(crate) fn add_all(
        &mut self,
        values: &[&[u8]],
        sink: &mut dyn Sink<'_>,
    ) -> Result<Vec<HeapReference>> {
        let mut left = values.iter().fold(0_usize, |sum, value| {
            sum.saturating_add(object_bytes(value.len()))
        });
        let mut references = Vec::with_capacity(values.len());
        for value in values {
            let len = u32::try_from(value.len()).map_err(|_| Error::Request {
                what: "a value of variable length",
                rule: "less than 4 GiB long",
                found: value.len() as u64,
            })?;
            if value.is_empty() {
                references.push(HeapReference {
                    len: 0,
                    collection: 0,
                    index: 0,
                });
                continue;
            }
            let mut collection = match self.open.take() {
                Some(open) if open.has_room(value.len()) => open,
                full => {
                    self.open = full;
                    self.finish(sink)?;
                    open_collection(value.len(), left, sink)?
                }
            };
            collection.n_objects = collection.n_objects.saturating_add(1);
            let index = collection.n_objects;
            let objects = &mut collection.objects;
            objects
                .u16(index)
                .u16(0)
                .u32(0)
                .u64(value.len() as u64)
                .put(value);
            objects.pad_to(objects.len().next_multiple_of(8));
            references.push(HeapReference {
                len,
                collection: collection.address,
                index: index.into(),
            });
            self.open = Some(collection);
            left = left.saturating_sub(object_bytes(value.len()));
        }
        Ok(references)
    }

    /// Writes the collection that is open.
    pub(crate) fn finish(&mut self, sink: &mut dyn Sink<'_>) -> Result<()> {
        let Some(open) = self.open.take() else {
            return Ok(());
        };
        let free = open
            .len
            .saturating_sub(open.objects.len())
            .saturating_sub(HEADER_BYTES);
        self.free_bytes = self.free_bytes.saturating_add(free as u64);
        sink.fill(open.address, &open.encode())
    }

    /// How many bytes of closed collections hold nothing, since this was last asked.
    pub(crate) fn take_free_bytes(&mut self) -> u64 {
        std::mem::take(&mut self.free_bytes)
    }
}

/// A collection for a value of `len` bytes and, as far as it goes, for all `left` bytes to come.
fn open_collection(len: usize, left: usize, sink: &mut dyn Sink<'_>) -> Result<OpenCollection> {
    let least = object_bytes(len).saturating_add(HEADER_BYTES);
    let wanted = left
        .saturating_add(HEADER_BYTES)
        .clamp(COLLECTION_BYTES_MIN, COLLECTION_BYTES_MAX);
    let len = least.max(wanted);
    let address = sink.append(vec![0; len])?;
    Ok(OpenCollection {
        address,
        len,
        objects: Encoder::new(),
        n_objects: 0,
    })
}

#[cfg(test)]
mod tests;
