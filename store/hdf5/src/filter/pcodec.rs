//! Filter 39949: chunks of numbers by `pco`. It is ours and not registered (the HDF Group leaves
//! numbers from 32768 on to applications), so no other program reads it.
//!
//! A chunk is one standalone pcodec file. The parameters: a version, 1; the class of the numbers, 0
//! unsigned, 1 signed, 2 floating point; their length in bytes, 2, 4 or 8; the level, 0 to 12.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::borrow::Cow;

use bytemuck::Pod;
use half::f16;
use pco::ChunkConfig;
use pco::data_types::Number;
use pco::standalone::{DecompressorItem, FileDecompressor, simple_compress};

use super::{Codec, Decoded};
use crate::datatype::{ByteOrder, Datatype, FloatBits};
use crate::error::{Error, Result};

/// Its number in a pipeline.
pub(super) const NUMBER: u16 = 39_949;
const VERSION: u32 = 1;
const LEVEL_MAX: u8 = 12;
/// How many numbers are decoded at once; pco asks for a multiple of 256.
const STEP_NUMBERS: usize = 1 << 16;

#[derive(Debug)]
pub(super) struct Pcodec;

/// What the numbers of a chunk are, by class and length.
macro_rules! with_type {
    ($class:expr, $width:expr, $call:ident($($argument:expr),*)) => {
        match ($class, $width) {
            (0, 2) => $call::<u16>($($argument),*),
            (0, 4) => $call::<u32>($($argument),*),
            (0, 8) => $call::<u64>($($argument),*),
            (1, 2) => $call::<i16>($($argument),*),
            (1, 4) => $call::<i32>($($argument),*),
            (1, 8) => $call::<i64>($($argument),*),
            (2, 2) => $call::<f16>($($argument),*),
            (2, 4) => $call::<f32>($($argument),*),
            (2, 8) => $call::<f64>($($argument),*),
            _ => Err("the parameters of pcodec name no type of numbers"),
        }
    };
}

/// The parameters for a dataset of this type.
pub(super) fn parameters(datatype: &Datatype, level: u8) -> Result<Vec<u32>> {
    let width = datatype.size_bytes();
    let bits = width.saturating_mul(8);
    let class = match datatype {
        Datatype::Integer {
            order: ByteOrder::Little,
            signed,
            bit_offset: 0,
            precision_bits,
            ..
        } if u32::from(*precision_bits) == bits => u32::from(*signed),
        Datatype::Float {
            order: ByteOrder::Little,
            bits,
            ..
        } if [FloatBits::F16, FloatBits::F32, FloatBits::F64].contains(bits) => 2,
        _ => u32::MAX,
    };
    if class == u32::MAX || !matches!(width, 2 | 4 | 8) {
        return Err(Error::Request {
            what: "the length of what pcodec compresses",
            rule: "2, 4 or 8 bytes, of little-endian whole or IEEE numbers",
            found: width.into(),
        });
    }
    if level > LEVEL_MAX {
        return Err(Error::Request {
            what: "the level of pcodec",
            rule: "0 to 12",
            found: level.into(),
        });
    }
    Ok(vec![VERSION, class, width, level.into()])
}

impl Codec for Pcodec {
    fn number(&self) -> u16 {
        NUMBER
    }

    fn decode(&self, parameters: &[u32], bytes: Cow<'_, [u8]>, limit: usize) -> Decoded {
        let [VERSION, class, width, ..] = *parameters else {
            return Err("the parameters of pcodec are of an unknown version");
        };
        if cfg!(target_endian = "big") {
            return Err("pcodec is read on little-endian machines only");
        }
        with_type!(class, width, decode_numbers(&bytes, limit))
    }

    fn encode(&self, parameters: &[u32], bytes: &[u8]) -> Option<Vec<u8>> {
        let [VERSION, class, width, level] = *parameters else {
            return None;
        };
        if cfg!(target_endian = "big") {
            return None;
        }
        let level = usize::try_from(level).ok()?;
        let encoded = with_type!(class, width, encode_numbers(bytes, level));
        encoded.ok().filter(|encoded| encoded.len() < bytes.len())
    }
}

fn decode_numbers<T: Number + Pod>(bytes: &[u8], limit: usize) -> Decoded {
    const DAMAGED: &str = "the pcodec file is damaged";
    let numbers_max = limit.checked_div(size_of::<T>()).unwrap_or(0);
    let mut numbers: Vec<T> = Vec::new();
    let (file, mut rest) = FileDecompressor::new(bytes).map_err(|_| DAMAGED)?;
    loop {
        let item = file.chunk_decompressor::<T, _>(rest).map_err(|_| DAMAGED)?;
        let mut chunk = match item {
            DecompressorItem::EndOfData(_) => break,
            DecompressorItem::Chunk(chunk) => chunk,
        };
        let mut left = chunk.n();
        if left > numbers_max.saturating_sub(numbers.len()) {
            return Err("the pcodec file has more numbers than the chunk");
        }
        while left > 0 {
            let start = numbers.len();
            let step = left.min(STEP_NUMBERS);
            numbers.resize(start.saturating_add(step), T::zeroed());
            let to = numbers.get_mut(start..).unwrap_or_default();
            let progress = chunk.read(to).map_err(|_| DAMAGED)?;
            if progress.n_processed != step {
                return Err(DAMAGED);
            }
            left = left.saturating_sub(step);
        }
        rest = chunk.into_src();
    }
    Ok(bytemuck::cast_slice(&numbers).to_vec())
}

fn encode_numbers<T: Number + Pod>(bytes: &[u8], level: usize) -> Decoded {
    if bytes.len().checked_rem(size_of::<T>()) != Some(0) {
        return Err("the chunk is no whole number of numbers");
    }
    let n_numbers = bytes.len().checked_div(size_of::<T>()).unwrap_or(0);
    let mut numbers = vec![T::zeroed(); n_numbers];
    bytemuck::cast_slice_mut(&mut numbers).copy_from_slice(bytes);
    let config = ChunkConfig::default().with_compression_level(level);
    simple_compress(&numbers, &config).map_err(|_| "pcodec cannot compress the chunk")
}
