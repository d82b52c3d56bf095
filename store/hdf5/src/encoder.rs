//! The other direction of [`crate::cursor`]: numbers into bytes. It knows no structure.

use crate::checksum::lookup3;

/// The address that stands for none.
pub(crate) const UNDEFINED: u64 = u64::MAX;

/// Most structures are not longer.
const FIRST_BYTES: usize = 128;

/// Bytes of one structure in the making. Addresses and lengths are 8 bytes wide.
#[derive(Debug)]
pub(crate) struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn new() -> Self {
        Self::with_room_for(FIRST_BYTES)
    }

    /// For a structure that is known to be of about this length.
    pub(crate) fn with_room_for(len: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(len),
        }
    }

    /// Begins a structure with its signature and version.
    pub(crate) fn signed(signature: [u8; 4], version: u8) -> Self {
        let mut encoder = Self::new();
        encoder.put(&signature).u8(version);
        encoder
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    pub(crate) fn zeros(&mut self, len: usize) -> &mut Self {
        self.bytes.resize(self.bytes.len() + len, 0);
        self
    }

    /// Zeros up to a length of `len` bytes in all.
    pub(crate) fn pad_to(&mut self, len: usize) -> &mut Self {
        self.bytes.resize(len.max(self.bytes.len()), 0);
        self
    }

    pub(crate) fn u8(&mut self, value: u8) -> &mut Self {
        self.bytes.push(value);
        self
    }

    pub(crate) fn u16(&mut self, value: u16) -> &mut Self {
        self.put(&value.to_le_bytes())
    }

    pub(crate) fn u32(&mut self, value: u32) -> &mut Self {
        self.put(&value.to_le_bytes())
    }

    pub(crate) fn u64(&mut self, value: u64) -> &mut Self {
        self.put(&value.to_le_bytes())
    }

    /// The low `width` bytes of `value`, 1 to 8.
    pub(crate) fn uint(&mut self, value: u64, width: u8) -> &mut Self {
        let width = usize::from(width.min(8));
        self.bytes.extend_from_slice(&value.to_le_bytes()[..width]);
        self
    }

    pub(crate) fn address(&mut self, address: Option<u64>) -> &mut Self {
        self.u64(address.unwrap_or(UNDEFINED))
    }

    /// Writes over zeros from `place` on.
    pub(crate) fn fill(&mut self, place: usize, bytes: &[u8]) {
        self.bytes[place..place + bytes.len()].copy_from_slice(bytes);
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Ends the structure with the checksum of all of it.
    pub(crate) fn checksummed(mut self) -> Vec<u8> {
        let checksum = lookup3(&self.bytes);
        self.u32(checksum);
        self.bytes
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
