//! From turns to what is to be remembered of them. Holds one exchange at a time, however long the conversation.

use palimpsest_store::Timestamp;

use super::{Role, Turn};
use crate::{Item, Kind};

/// Bytes of the text of one exchange; what is longer goes on in another.
const EXCHANGE_LEN_BYTES_MAX: usize = 1 << 20;

/// Bytes of the names of those who spoke in it; of more, the first ones are kept.
const SOURCE_LEN_BYTES_MAX: usize = 1_000;

/// Whose turns are remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Speakers {
    /// The user's.
    User,
    /// The agent's.
    Agent,
    /// Those of both, each a memory of its own.
    #[default]
    Both,
    /// Those of both, one memory an exchange: what the user said and what the agent answered.
    Combined,
}

/// One turn as a transcript has it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Spoken {
    turn: Turn,
    name: String,
    at: Option<Timestamp>,
    session: Option<String>,
}

/// Makes items of the turns of a conversation, in order.
#[derive(Debug)]
pub struct Exchanges {
    speakers: Speakers,
    /// The exchange that is not over yet; always empty unless turns are combined.
    open: Vec<Spoken>,
    open_len_bytes: usize,
}

impl Speakers {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::User, Self::Agent, Self::Both, Self::Combined];

    /// The name that callers use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Agent => "agent",
            Self::Both => "both",
            Self::Combined => "combined",
        }
    }

    /// The speakers of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|speakers| speakers.name() == name)
    }
}

impl Exchanges {
    /// Before the first turn.
    pub fn new(speakers: Speakers) -> Self {
        Self {
            speakers,
            open: Vec::new(),
            open_len_bytes: 0,
        }
    }

    /// Takes the next turn; answers the memory that is complete with it, if there is one.
    ///
    /// `name` is who spoke (its role, where `None`), `at` when, `session` on which occasion: it becomes a tag.
    /// An exchange begins where the user speaks after the agent, or where the session changes.
    pub fn push(
        &mut self,
        turn: Turn,
        name: Option<String>,
        at: Option<Timestamp>,
        session: Option<String>,
    ) -> Option<Item> {
        let name = name.unwrap_or_else(|| turn.role.name().to_owned());
        let spoken = Spoken {
            turn,
            name,
            at,
            session,
        };
        match (self.speakers, spoken.turn.role) {
            (Speakers::User, Role::Agent) | (Speakers::Agent, Role::User) => None,
            (Speakers::Combined, _) => self.combine(spoken),
            _ => Some(item(vec![spoken])),
        }
    }

    /// The memory of the exchange that the conversation ends with, if there is one.
    pub fn finish(&mut self) -> Option<Item> {
        self.open_len_bytes = 0;
        let spoken = std::mem::take(&mut self.open);
        (!spoken.is_empty()).then(|| item(spoken))
    }

    fn combine(&mut self, spoken: Spoken) -> Option<Item> {
        // With the mark of the speaker and the end of the line.
        let len_bytes = spoken.name.len() + spoken.turn.text.len() + 3;
        let begins = self.open.last().is_some_and(|last| {
            let answers = last.turn.role == Role::Agent && spoken.turn.role == Role::User;
            let is_too_long =
                self.open_len_bytes.saturating_add(len_bytes) > EXCHANGE_LEN_BYTES_MAX;
            answers || last.session != spoken.session || is_too_long
        });
        let complete = if begins { self.finish() } else { None };
        self.open_len_bytes = self.open_len_bytes.saturating_add(len_bytes);
        self.open.push(spoken);
        complete
    }
}

/// One memory of what was said: of one turn its words, of several each behind the name of its speaker.
fn item(spoken: Vec<Spoken>) -> Item {
    let text = match spoken.as_slice() {
        [only] => only.turn.text.clone(),
        several => {
            let lines = several
                .iter()
                .map(|it| format!("{}: {}", it.name, it.turn.text));
            lines.collect::<Vec<_>>().join("\n")
        }
    };
    let mut names: Vec<&str> = Vec::new();
    let mut len_bytes = 0;
    for it in &spoken {
        len_bytes += it.name.len() + 2;
        let fits = names.is_empty() || len_bytes <= SOURCE_LEN_BYTES_MAX;
        if fits && !names.contains(&it.name.as_str()) {
            names.push(&it.name);
        }
    }
    Item {
        text,
        kind: Kind::Event,
        source: Some(names.join(", ")),
        tags: spoken
            .first()
            .and_then(|it| it.session.clone())
            .into_iter()
            .collect(),
        valid_from: spoken.iter().find_map(|it| it.at),
        turns: spoken.into_iter().map(|it| it.turn).collect(),
        ..Item::default()
    }
}

#[cfg(test)]
mod tests;
