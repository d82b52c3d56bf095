//! Which known names a misspelt one is most like. Knows no store.

use palimpsest_store::fold_name;

/// How many are offered.
const NEAREST_MAX: usize = 3;
/// One letter of the longer name in so many may differ; more is another name.
const LETTERS_A_SLIP: usize = 2;
/// Letters that are compared.
const LETTERS_MAX: usize = 64;

/// The names of `known` that are most like `name`, best first: those that hold it, or are held by it,
/// and those that a few slips of the pen turn into it.
pub(super) fn nearest_names<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Vec<String> {
    let wanted = fold_name(name);
    let near = known.into_iter().filter_map(|known| {
        let folded = fold_name(known);
        let holds = folded.contains(&wanted) || wanted.contains(&folded);
        let letters = |name: &str| name.chars().take(LETTERS_MAX).collect::<Vec<char>>();
        let (wanted, folded) = (letters(&wanted), letters(&folded));
        let n_slips = slips(&wanted, &folded);
        let is_near = holds || n_slips * LETTERS_A_SLIP <= wanted.len().max(folded.len());
        is_near.then(|| (n_slips, known.to_owned()))
    });
    let mut near: Vec<(usize, String)> = near.collect();
    near.sort();
    near.dedup();
    near.into_iter()
        .take(NEAREST_MAX)
        .map(|(_, known)| known)
        .collect()
}

/// Letters to insert, remove or change to turn one into the other. Source: Levenshtein 1966.
fn slips(left: &[char], right: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (left_idx, left_letter) in left.iter().enumerate() {
        let mut before = row[0];
        row[0] = left_idx + 1;
        for (right_idx, right_letter) in right.iter().enumerate() {
            let changed = before + usize::from(left_letter != right_letter);
            before = row[right_idx + 1];
            row[right_idx + 1] = changed.min(before + 1).min(row[right_idx] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests;
