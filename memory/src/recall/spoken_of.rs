//! Whom, what and when a question speaks of, and the question without the names. Knows no ranking.

use std::collections::BTreeSet;
use std::sync::Arc;

use palimpsest_store::{EntityId, NamedSource, Snapshot};

use super::asked::Asked;
use crate::Ranking;
use crate::spoken_time::{Period, spoken_times};

/// The source of what the user said, as MCP clients and transcripts have it.
const USER: &str = "user";
/// Words by which a user speaks of themselves.
const FIRST_PERSON: [&str; 5] = ["i", "me", "my", "mine", "myself"];

/// What a question speaks of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SpokenOf {
    /// Whose words it is about, sorted.
    pub(crate) sources: Vec<Arc<str>>,
    /// The entities that it names, sorted.
    pub(crate) entities: Vec<EntityId>,
    /// The times that it speaks of.
    pub(crate) times: Vec<Period>,
    /// Whether it names a source in full.
    pub(crate) names_source: bool,
    /// The question without the names of the sources.
    pub(crate) rest: String,
}

impl SpokenOf {
    /// Nothing.
    pub(crate) fn nothing(query: &str) -> Self {
        Self {
            rest: query.to_owned(),
            ..Self::default()
        }
    }

    /// Looks in `query` for what `ranking` weighs, in the searched scopes.
    pub(crate) fn find(snapshot: &Snapshot, asked: &Asked, ranking: &Ranking, query: &str) -> Self {
        let mut found = if ranking.source_weight > 0.0 {
            Self::find_sources(snapshot, asked, query)
        } else {
            Self::nothing(query)
        };
        if ranking.entity_weight > 0.0 {
            found.entities = snapshot.entities_named(query, &asked.filter);
        }
        if ranking.time_weight > 0.0 {
            found.times = spoken_times(query, asked.as_of, &asked.zone);
        }
        found
    }

    /// The names of sources are left out of what is embedded: a text that addresses Ann is near every
    /// question that names her, and what Ann says of herself is not.
    fn find_sources(snapshot: &Snapshot, asked: &Asked, query: &str) -> Self {
        let named = snapshot.sources_named(query, &asked.filter);
        let rest = without(query, &named);
        let names_source = !named.is_empty();
        let mut sources: BTreeSet<Arc<str>> = named.into_iter().map(|it| it.source).collect();
        if is_in_first_person(query) {
            sources.insert(USER.into());
        }
        Self {
            sources: sources.into_iter().collect(),
            names_source,
            rest,
            ..Self::default()
        }
    }
}

/// `query` without the names; as it is where nothing would be left.
fn without(query: &str, named: &[NamedSource]) -> String {
    let mut rest = String::new();
    let mut end = 0;
    for name in named {
        rest.push_str(query.get(end..name.at.start).unwrap_or_default());
        end = end.max(name.at.end);
    }
    rest.push_str(query.get(end..).unwrap_or_default());
    let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    if rest.is_empty() {
        query.to_owned()
    } else {
        rest
    }
}

fn is_in_first_person(query: &str) -> bool {
    let mut words = query.split(|it: char| !it.is_alphanumeric());
    words.any(|word| FIRST_PERSON.iter().any(|it| word.eq_ignore_ascii_case(it)))
}

#[cfg(test)]
mod tests {
    //! Questions without names.

    use super::{is_in_first_person, without};
    use palimpsest_store::NamedSource;

    fn named(query: &str, names: &[&str]) -> Vec<NamedSource> {
        let of = |name: &&str| {
            let start = query.find(name).expect("the query has it");
            NamedSource {
                source: (*name).into(),
                at: start..start + name.len(),
            }
        };
        names.iter().map(of).collect()
    }

    #[test]
    fn names_are_left_out_and_the_rest_stays() {
        let table: [(&str, &[&str], &str); 4] = [
            ("What did Ann paint?", &["Ann"], "What did paint?"),
            (
                "Did Ann meet Bob's aunt",
                &["Ann", "Bob's"],
                "Did meet aunt",
            ),
            ("Ann", &["Ann"], "Ann"),
            ("What is this?", &[], "What is this?"),
        ];
        for (query, names, rest) in table {
            assert_eq!(without(query, &named(query, names)), rest, "{query}");
        }
    }

    #[test]
    fn a_user_speaks_of_themselves() {
        for query in ["Where do I live?", "my dog", "What's MINE", "tell me"] {
            assert!(is_in_first_person(query), "{query}");
        }
        for query in ["mysql", "Ib", "the mining town", "i18n"] {
            assert!(!is_in_first_person(query), "{query}");
        }
    }
}
