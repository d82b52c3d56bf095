//! The name that was probably meant.

/// The most different that two names may be, from 0 (equal) to 1: a typing mistake, not another word.
const DISTANCE_MAX: f64 = 0.5;

/// The one of `names` that is most like `name`, where one is like it at all. Ties go to the first.
pub(super) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(f64, &'a str)> = None;
    for candidate in names {
        let likeness =
            strsim::normalized_damerau_levenshtein(&name.to_lowercase(), &candidate.to_lowercase());
        if 1.0 - likeness <= DISTANCE_MAX && best.is_none_or(|(most, _)| likeness > most) {
            best = Some((likeness, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}
