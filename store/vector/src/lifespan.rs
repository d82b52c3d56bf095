//! The one visibility rule. Every index of every room comes here for it.

/// Whether what was born at commit `born` and died at commit `died` is seen at commit `seq`:
/// `born <= seq < died`.
pub const fn visible_at(born: u64, died: u64, seq: u64) -> bool {
    born <= seq && seq < died
}
