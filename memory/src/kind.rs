//! The sorts of memory.

/// What sort of memory it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// Something that is so.
    #[default]
    Fact,
    /// What someone likes or wants.
    Preference,
    /// What was decided, and perhaps why.
    Decision,
    /// What happened.
    Event,
    /// How something is done.
    Procedure,
    /// Anything else.
    Note,
}

impl Kind {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 6] = [
        Self::Fact,
        Self::Preference,
        Self::Decision,
        Self::Event,
        Self::Procedure,
        Self::Note,
    ];

    /// The name that the store keeps and that callers use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Preference => "preference",
            Self::Decision => "decision",
            Self::Event => "event",
            Self::Procedure => "procedure",
            Self::Note => "note",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
