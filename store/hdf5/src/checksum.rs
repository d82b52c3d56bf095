//! The two checksums of the format: Jenkins' lookup3 of metadata, Fletcher's of chunks.
//!
//! Source: HDF5 file format specification, "Object headers, version 2" (lookup3, `hashlittle`
//! with an initial value of 0); `H5checksum.c` of the C library (`H5_checksum_fletcher32`).
#![warn(clippy::indexing_slicing, clippy::cast_possible_truncation)]

/// Bob Jenkins' lookup3 of `bytes`, initial value 0.
pub(crate) fn lookup3(bytes: &[u8]) -> u32 {
    let seed = 0xdead_beef_u32.wrapping_add(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
    let mut state = [seed; 3];
    // The last block is mixed by the final rounds, even where it is whole.
    let n_mixed = bytes.len().saturating_sub(1) / 12;
    let (mixed, last) = bytes.split_at_checked(n_mixed * 12).unwrap_or((bytes, &[]));
    for block in mixed.chunks_exact(12) {
        state = mix(sum(state, words(block)));
    }
    if last.is_empty() {
        return state[2];
    }
    let mut padded = [0_u8; 12];
    for (to, from) in padded.iter_mut().zip(last) {
        *to = *from;
    }
    finish(sum(state, words(&padded)))
}

fn sum([a, b, c]: [u32; 3], words: [u32; 3]) -> [u32; 3] {
    let [first, second, third] = words;
    [
        a.wrapping_add(first),
        b.wrapping_add(second),
        c.wrapping_add(third),
    ]
}

fn words(block: &[u8]) -> [u32; 3] {
    let mut words = block
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().expect("chunks_exact gives 4 bytes")));
    let mut next = || words.next().unwrap_or_default();
    [next(), next(), next()]
}

fn mix([mut a, mut b, mut c]: [u32; 3]) -> [u32; 3] {
    a = a.wrapping_sub(c) ^ c.rotate_left(4);
    c = c.wrapping_add(b);
    b = b.wrapping_sub(a) ^ a.rotate_left(6);
    a = a.wrapping_add(c);
    c = c.wrapping_sub(b) ^ b.rotate_left(8);
    b = b.wrapping_add(a);
    a = a.wrapping_sub(c) ^ c.rotate_left(16);
    c = c.wrapping_add(b);
    b = b.wrapping_sub(a) ^ a.rotate_left(19);
    a = a.wrapping_add(c);
    c = c.wrapping_sub(b) ^ b.rotate_left(4);
    b = b.wrapping_add(a);
    [a, b, c]
}

fn finish([mut a, mut b, mut c]: [u32; 3]) -> u32 {
    c = (c ^ b).wrapping_sub(b.rotate_left(14));
    a = (a ^ c).wrapping_sub(c.rotate_left(11));
    b = (b ^ a).wrapping_sub(a.rotate_left(25));
    c = (c ^ b).wrapping_sub(b.rotate_left(16));
    a = (a ^ c).wrapping_sub(c.rotate_left(4));
    b = (b ^ a).wrapping_sub(a.rotate_left(14));
    (c ^ b).wrapping_sub(b.rotate_left(24))
}

/// Fletcher's checksum over big-endian 16-bit words, as the C library computes it.
pub(crate) fn fletcher32(bytes: &[u8]) -> u32 {
    let (mut low, mut high) = (0_u32, 0_u32);
    // 360 words are as many as can be added up before the sums overflow.
    for block in bytes.chunks(2 * 360) {
        for word in block.chunks(2) {
            // An odd last byte is the high byte of a word.
            let first = word.first().copied().unwrap_or_default();
            let second = word.get(1).copied().unwrap_or_default();
            low = low.wrapping_add(u32::from(u16::from_be_bytes([first, second])));
            high = high.wrapping_add(low);
        }
        low = (low & 0xffff) + (low >> 16);
        high = (high & 0xffff) + (high >> 16);
    }
    low = (low & 0xffff) + (low >> 16);
    high = (high & 0xffff) + (high >> 16);
    high << 16 | low
}

#[cfg(test)]
mod tests;
