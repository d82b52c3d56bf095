//! Finds the id of a request that is no JSON, so that its sender need not wait for its own timeout.
//! Knows no message.

#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use rmcp::model::RequestId;
use serde_json::Value;

/// Names and values of an object's own members are looked for in so much of it.
const LOOKED_AT_BYTES_MAX: usize = 1 << 20;

/// The member `id` of the object that `json` begins with, if it is a string or a whole number. The rest
/// may be cut off, too deep, or hold numbers that no program can hold.
pub(crate) fn request_id(json: &[u8]) -> Option<RequestId> {
    let json = json.get(..LOOKED_AT_BYTES_MAX).unwrap_or(json);
    let mut depth = 0_usize;
    let mut at = 0_usize;
    while let Some(byte) = json.get(at) {
        let next = at.saturating_add(1);
        at = match byte {
            b'{' | b'[' => {
                depth = depth.saturating_add(1);
                next
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                next
            }
            b'"' => {
                let end = string_end(json, at)?;
                let is_name = depth == 1 && json.get(at..end) == Some(b"\"id\"");
                if let Some(value) = json.get(end..).filter(|_| is_name).and_then(after_colon) {
                    return read_id(value);
                }
                end
            }
            _ => next,
        };
    }
    None
}

/// Behind the closing quote of the string that begins at `start`.
fn string_end(json: &[u8], start: usize) -> Option<usize> {
    let mut at = start.checked_add(1)?;
    loop {
        at = match json.get(at)? {
            b'"' => return at.checked_add(1),
            b'\\' => at.checked_add(2)?,
            _ => at.checked_add(1)?,
        };
    }
}

/// What follows a name, if it is one: a colon comes first.
fn after_colon(rest: &[u8]) -> Option<&[u8]> {
    rest.trim_ascii_start().strip_prefix(b":")
}

fn read_id(value: &[u8]) -> Option<RequestId> {
    let mut values = serde_json::Deserializer::from_slice(value).into_iter::<Value>();
    serde_json::from_value(values.next()?.ok()?).ok()
}

#[cfg(test)]
mod tests {
    //! Ids of broken requests, by a table.

    use rmcp::model::RequestId;

    use super::request_id;

    #[test]
    fn the_id_is_found_whatever_is_broken_behind_or_before_it() {
        let deep = format!("{{\"a\":{}1, \"id\" : 7", "[".repeat(500));
        let found = [
            (
                r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"importance":1e400"#,
                Some(5),
            ),
            (r#"{"params":{"id":9,"x":["\"id\":8"]},"id":7,"#, Some(7)),
            (r#"{"text":"id","id":4}"#, Some(4)),
            (&deep, None),
            (r#"{"params":{"id":9}}"#, None),
            (r#"{"id":1.5}"#, None),
            (r#"{"id":null}"#, None),
            (r#"{"id"#, None),
            ("", None),
        ];
        for (json, id) in found {
            let id = id.map(RequestId::Number);
            assert_eq!(request_id(json.as_bytes()), id, "{json}");
        }
        let text = RequestId::String("a\"b".into());
        assert_eq!(request_id(br#"{"id":"a\"b", nonsense"#), Some(text));
    }
}
