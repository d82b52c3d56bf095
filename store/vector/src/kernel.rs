//! Dot products, by the widest instructions that the machine has. Knows slices, not rows.
#![expect(
    unsafe_code,
    reason = "vector instructions: run only where the processor was seen to have them"
)]

/// How to multiply on this machine. Sums are taken in an order of the kernel's own, so that two
/// kernels may differ in the last bits; one kernel always gives the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel {
    instructions: Instructions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2Fma,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Kernel {
    /// The fastest that this processor can run.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return Self {
                instructions: Instructions::Avx2Fma,
            };
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            return Self {
                instructions: Instructions::Neon,
            };
        }
        Self::portable()
    }

    /// The one that every processor can run.
    pub const fn portable() -> Self {
        Self {
            instructions: Instructions::Portable,
        }
    }

    /// The dot product of two vectors of one length.
    ///
    /// # Panics
    /// Where the lengths differ.
    pub fn dot(self, a: &[f32], b: &[f32]) -> f32 {
        assert_eq!(a.len(), b.len(), "vectors of two lengths have no product");
        match self.instructions {
            Instructions::Portable => dot_portable(a, b),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `detect`, which alone makes this variant, saw AVX2 and FMA on this processor.
            Instructions::Avx2Fma => unsafe { dot_avx2(a, b) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: `detect`, which alone makes this variant, saw NEON on this processor.
            Instructions::Neon => unsafe { dot_neon(a, b) },
        }
    }

    /// The dot products of `query` with each row of `rows`, into `products`.
    ///
    /// Shape: `query` is \[dim\], `rows` \[n, dim\], `products` \[n\].
    ///
    /// # Panics
    /// Where the shapes do not agree, or `query` is empty.
    pub fn dots(self, query: &[f32], rows: &[f32], products: &mut [f32]) {
        assert_eq!(rows.len(), query.len() * products.len(), "[n, dim] rows");
        for (row, product) in rows.chunks_exact(query.len()).zip(products) {
            *product = self.dot(query, row);
        }
    }
}

/// Eight sums side by side, which the compiler can keep in vector registers of any width.
fn dot_portable(a: &[f32], b: &[f32]) -> f32 {
    let (a_chunks, a_rest) = a.as_chunks::<8>();
    let (b_chunks, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0_f32; 8];
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

/// Four sums of eight lanes, so that a multiplication need not wait for the one before.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn dot_avx2(a: &[f32], b: &[f32]) -> f32 {
    use std::arch::x86_64::{
        __m256, _mm_add_ps, _mm_add_ss, _mm_cvtss_f32, _mm_movehdup_ps, _mm_movehl_ps,
        _mm256_add_ps, _mm256_castps256_ps128, _mm256_extractf128_ps, _mm256_fmadd_ps,
        _mm256_setzero_ps,
    };
    // SAFETY: both types are eight f32, side by side in 32 bytes. (The intrinsic that loads from a
    // pointer does the same, and is slow where debug assertions are on.)
    let load = |lanes: &[f32; 8]| unsafe { std::mem::transmute::<[f32; 8], __m256>(*lanes) };
    let (a_chunks, a_rest) = a.as_chunks::<8>();
    let (b_chunks, b_rest) = b.as_chunks::<8>();
    let (a_quads, a_chunks) = a_chunks.as_chunks::<4>();
    let (b_quads, b_chunks) = b_chunks.as_chunks::<4>();
    let mut sums = [_mm256_setzero_ps(); 4];
    for (a, b) in a_quads.iter().zip(b_quads) {
        sums[0] = _mm256_fmadd_ps(load(&a[0]), load(&b[0]), sums[0]);
        sums[1] = _mm256_fmadd_ps(load(&a[1]), load(&b[1]), sums[1]);
        sums[2] = _mm256_fmadd_ps(load(&a[2]), load(&b[2]), sums[2]);
        sums[3] = _mm256_fmadd_ps(load(&a[3]), load(&b[3]), sums[3]);
    }
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        sums[0] = _mm256_fmadd_ps(load(a), load(b), sums[0]);
    }
    let sum = _mm256_add_ps(
        _mm256_add_ps(sums[0], sums[1]),
        _mm256_add_ps(sums[2], sums[3]),
    );
    let sum = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps::<1>(sum));
    let sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
    let sum = _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sum + rest
}

/// Four sums of four lanes, so that a multiplication need not wait for the one before.
#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "neon")]
fn dot_neon(a: &[f32], b: &[f32]) -> f32 {
    use std::arch::aarch64::{float32x4_t, vaddq_f32, vaddvq_f32, vdupq_n_f32, vfmaq_f32};
    // SAFETY: both types are four f32, side by side in 16 bytes. (The intrinsic that loads from a
    // pointer does the same, and is slow where debug assertions are on.)
    let load = |lanes: &[f32; 4]| unsafe { std::mem::transmute::<[f32; 4], float32x4_t>(*lanes) };
    let (a_chunks, a_rest) = a.as_chunks::<4>();
    let (b_chunks, b_rest) = b.as_chunks::<4>();
    let (a_quads, a_chunks) = a_chunks.as_chunks::<4>();
    let (b_quads, b_chunks) = b_chunks.as_chunks::<4>();
    let mut sums = [vdupq_n_f32(0.0); 4];
    for (a, b) in a_quads.iter().zip(b_quads) {
        sums[0] = vfmaq_f32(sums[0], load(&a[0]), load(&b[0]));
        sums[1] = vfmaq_f32(sums[1], load(&a[1]), load(&b[1]));
        sums[2] = vfmaq_f32(sums[2], load(&a[2]), load(&b[2]));
        sums[3] = vfmaq_f32(sums[3], load(&a[3]), load(&b[3]));
    }
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        sums[0] = vfmaq_f32(sums[0], load(a), load(b));
    }
    let sum = vaddq_f32(vaddq_f32(sums[0], sums[1]), vaddq_f32(sums[2], sums[3]));
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    vaddvq_f32(sum) + rest
}

#[cfg(test)]
mod tests;
