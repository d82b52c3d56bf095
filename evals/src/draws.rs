//! Numbers that look drawn, and are the same for ever for a seed.

/// `SplitMix64` (Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, by multiplication (Lemire 2019); its bias is below `limit` / 2^64.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let product = u128::from(self.next()) * limit as u128;
        usize::try_from(product >> 64).expect("it is below the limit")
    }

    /// A number from -1 to 1.
    pub(crate) fn real(&mut self) -> f32 {
        let bits = u16::try_from(self.next() >> 48).expect("sixteen bits are left");
        f32::from(bits) / 32_767.5 - 1.0
    }
}

#[cfg(test)]
mod tests;
