//! How a budget of tokens is shared out among the texts that were found. Knows only sizes.

/// A part of a text with less than this says too little to be worth showing.
const PART_TOKENS_MIN: usize = 50;

/// How much of a text is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    /// All of it.
    Whole,
    /// At most this much of it.
    Part {
        /// In tokens.
        n_tokens: usize,
    },
    /// Nothing.
    Nothing,
}

/// The room of each text, best first. `n_tokens` are their lengths; the sum of the rooms is at most
/// `max_tokens`.
///
/// A text that fits into what is left is whole. Of one that does not, a part is shown: an equal share
/// of what is left for it and those after it, but not less than [`PART_TOKENS_MIN`], and in the end
/// all that the later ones did not need. The best one is always shown: a question whose answer lies
/// in a huge memory is answered, and a huge memory does not empty an answer.
pub(crate) fn share_out(n_tokens: &[usize], max_tokens: usize) -> Vec<Room> {
    let mut left = max_tokens;
    let mut rooms = Vec::with_capacity(n_tokens.len());
    for (rank, needed) in n_tokens.iter().enumerate() {
        let share = (left / (n_tokens.len() - rank)).max(PART_TOKENS_MIN.min(left));
        let (room, taken) = if *needed <= left {
            (Room::Whole, *needed)
        } else if share >= PART_TOKENS_MIN || rank == 0 {
            (Room::Part { n_tokens: share }, share)
        } else {
            (Room::Nothing, 0)
        };
        rooms.push(room);
        left -= taken;
    }
    for (room, needed) in rooms.iter_mut().zip(n_tokens) {
        if let Room::Part { n_tokens } = *room {
            let added = left.min(needed - n_tokens);
            left -= added;
            *room = if n_tokens + added == *needed {
                Room::Whole
            } else {
                Room::Part {
                    n_tokens: n_tokens + added,
                }
            };
        }
    }
    rooms
}

#[cfg(test)]
mod tests;
