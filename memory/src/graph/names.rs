//! Which known names a misspelt one is most like. Knows no store.

use palimpsest_store::fold_name;

/// How many are offered.
const NEAREST_MAX: usize = 3;
/// One letter of the longer name in so many may differ; more is another name.
const LETTERS_A_SLIP: usize = 3;
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

/// Letters to insert, remove, change or swap to turn one into the other.
/// Source: optimal string alignment, after Damerau 1964 and Levenshtein 1966.
fn slips(left: &[char], right: &[char]) -> usize {
    // rows[l][r]: slips between the first l letters of left and the first r of right.
    let mut rows = vec![(0..=right.len()).collect::<Vec<usize>>()];
    for l in 1..=left.len() {
        let mut row = vec![l];
        for r in 1..=right.len() {
            let is_changed = left[l - 1] != right[r - 1];
            let mut least = rows[l - 1][r - 1] + usize::from(is_changed);
            least = least.min(rows[l - 1][r] + 1).min(row[r - 1] + 1);
            if l > 1 && r > 1 && left[l - 1] == right[r - 2] && left[l - 2] == right[r - 1] {
                least = least.min(rows[l - 2][r - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests;
