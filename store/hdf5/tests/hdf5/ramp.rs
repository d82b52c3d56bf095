//! Values that follow from their places: element n is (7 n + 3) mod 120, as its type has it.

use palimpsest_hdf5::Datatype;

pub(crate) fn number(n: u64) -> u64 {
    (n * 7 + 3) % 120
}

pub(crate) fn text(n: u64) -> String {
    if n.is_multiple_of(5) {
        String::new()
    } else {
        format!("text {n} \u{e4}\u{4e16}")
    }
}

pub(crate) fn texts(n: u64) -> Vec<String> {
    (0..n).map(|n| text(number(n))).collect()
}

/// The bytes of elements `first` to `first + n`.
pub(crate) fn bytes(datatype: &Datatype, first: u64, n: u64) -> Vec<u8> {
    (first..first + n)
        .flat_map(|n| element(datatype, n))
        .collect()
}

fn element(datatype: &Datatype, n: u64) -> Vec<u8> {
    let value = number(n);
    let size = datatype.size_bytes() as usize;
    match datatype {
        Datatype::Integer { .. } => value.to_le_bytes()[..size].to_vec(),
        Datatype::Float { .. } => match size {
            2 => half::f16::from_f64(value as f64).to_le_bytes().to_vec(),
            4 => (value as f32).to_le_bytes().to_vec(),
            _ => (value as f64).to_le_bytes().to_vec(),
        },
        Datatype::FixedString { .. } => {
            let mut text = format!("s{value}").into_bytes();
            text.resize(size, 0);
            text
        }
        Datatype::Enum { members, .. } if members.len() == 2 => vec![(value % 2) as u8],
        Datatype::Enum { .. } => (value % 3).to_le_bytes()[..size].to_vec(),
        Datatype::Compound { members, .. } => {
            let mut element_bytes = vec![0; size];
            for member in members {
                let bytes = element(&member.datatype, n);
                element_bytes[member.offset_bytes as usize..][..bytes.len()]
                    .copy_from_slice(&bytes);
            }
            element_bytes
        }
        Datatype::Array { dims, base } => {
            let len = dims.iter().product::<u32>().into();
            bytes(base, n * len, len)
        }
        other => panic!("no values of {other}"),
    }
}
