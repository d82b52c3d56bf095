//! Where the model runs.

use candle_core::Device;

/// The processor: this build knows nothing else.
#[cfg(not(feature = "cuda"))]
pub(crate) fn pick() -> Device {
    Device::Cpu
}

/// The first GPU, or the processor where there is none.
#[cfg(feature = "cuda")]
pub(crate) fn pick() -> Device {
    Device::new_cuda(0).unwrap_or_else(|error| {
        tracing::warn!(%error, "no CUDA device; embedding runs on the processor");
        Device::Cpu
    })
}
