//! One turn of a conversation, and whose it is.

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The person.
    User,
    /// The one who helps.
    Agent,
}

/// What one of the two said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Whose turn it is.
    pub role: Role,
    /// What was said.
    pub text: String,
}

impl Role {
    /// The source of a turn whose speaker has no other name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Agent => "assistant",
        }
    }

    /// The role that clients and transcripts mean by `name`, in any case; `None` where it is neither.
    pub fn from_name(name: &str) -> Option<Self> {
        let is = |names: &[&str]| names.iter().any(|it| it.eq_ignore_ascii_case(name.trim()));
        if is(&["user", "human"]) {
            Some(Self::User)
        } else if is(&["assistant", "agent", "ai", "model", "bot"]) {
            Some(Self::Agent)
        } else {
            None
        }
    }
}
