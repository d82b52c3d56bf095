use super::*;
use crate::encoder::Encoder;
use crate::source::Bytes;

fn head(encoder: &mut Encoder, level: u8, n_entries: u16) {
    encoder.put(b"TREE").u8(0).u8(level).u16(n_entries);
    encoder.u64(0).u64(0);
}

/// Each node claimed the heads of all behind it for its entries, and they were read for each.
#[test]
fn nodes_that_lie_over_each_other_are_refused() {
    const N: u16 = 1000;
    let mut bytes = Encoder::new();
    head(&mut bytes, 1, N);
    let first = 24 + u64::from(N) * 16;
    for child in 0..u64::from(N) {
        bytes.u64(0).u64(first + 24 * child);
    }
    for child in 0..N {
        head(&mut bytes, 0, (N - child) / 2);
    }
    bytes.zeros(32);
    let bytes = bytes.into_bytes();
    let len = bytes.len() as u64;
    let source = Source::new(Bytes::Memory(bytes), len);
    let error = for_each_leaf(&source, 0, NodeKind::Group, &mut |_, _| Ok(())).unwrap_err();
    assert!(
        error.to_string().contains("do not lie over each other"),
        "{error}"
    );
    assert!(source.work_bytes() < 16 * len, "{}", source.work_bytes());
}
