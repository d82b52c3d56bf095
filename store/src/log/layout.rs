//! Where everything stands in a log, in bytes. Integers are little-endian.

/// The version of this layout.
pub(crate) const FORMAT_VERSION: u32 = 1;

/// Header slots stand in blocks of their own, so that writing one never touches the other.
pub(super) const BLOCK_LEN: u64 = 4096;
/// Where the two header slots begin.
pub(crate) const SLOT_OFFSETS: [u64; 2] = [0, BLOCK_LEN];
/// Where the first frame begins.
pub(crate) const FRAMES_OFFSET: u64 = 2 * BLOCK_LEN;

// A header slot.
pub(super) const MAGIC: [u8; 8] = *b"PALIMLOG";
pub(super) const MAGIC_AT: usize = 0;
pub(super) const VERSION_AT: usize = MAGIC_AT + size_of::<[u8; 8]>();
pub(super) const IMAGE_LEN_AT: usize = VERSION_AT + size_of::<u32>();
pub(super) const COUNTER_AT: usize = IMAGE_LEN_AT + size_of::<u32>();
pub(super) const STORE_ID_AT: usize = COUNTER_AT + size_of::<u64>();
pub(super) const GENERATION_AT: usize = STORE_ID_AT + size_of::<u128>();
pub(super) const CHECKPOINT_AT: usize = GENERATION_AT + size_of::<u64>();
pub(super) const BASE_SEQ_AT: usize = CHECKPOINT_AT + size_of::<u64>();
pub(super) const DURABLE_LEN_AT: usize = BASE_SEQ_AT + size_of::<u64>();
pub(super) const IMAGE_AT: usize = DURABLE_LEN_AT + size_of::<u64>();
pub(super) const SLOT_CRC_AT: usize = IMAGE_AT + IMAGE_LEN_MAX;
pub(super) const SLOT_LEN: usize = SLOT_CRC_AT + size_of::<u32>();
/// Room for the image of a superblock, which takes 48 bytes in versions 2 and 3.
pub(super) const IMAGE_LEN_MAX: usize = 128;

// A frame; the payload follows its head, and the checksum the payload.
pub(super) const PAYLOAD_LEN_AT: usize = 0;
pub(super) const FRAME_GENERATION_AT: usize = PAYLOAD_LEN_AT + size_of::<u32>();
pub(super) const SEQ_AT: usize = FRAME_GENERATION_AT + size_of::<u64>();
pub(super) const TIME_AT: usize = SEQ_AT + size_of::<u64>();
pub(super) const PAYLOAD_AT: usize = TIME_AT + size_of::<i64>();
pub(super) const FRAME_CRC_LEN: usize = size_of::<u32>();
/// What a frame takes beside its payload.
pub(super) const FRAME_OVERHEAD: u64 = (PAYLOAD_AT + FRAME_CRC_LEN) as u64;
/// A whole frame, head and checksum included, takes at most this.
pub(crate) const FRAME_LEN_BYTES_MAX: u64 = 64 << 20;
