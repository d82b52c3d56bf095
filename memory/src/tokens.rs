//! How many tokens a text costs a reader, roughly. Knows no tokenizer: every client has another.

/// The cost of a token in quarters: of Latin letters without accents, digits and signs four make one,
/// the usual rule of thumb for English.
pub(crate) const QUARTERS_A_TOKEN: usize = 4;

/// An estimate of the tokens in `text`: four ASCII characters a token, two letters of another
/// alphabet, and one of everything from U+2E80 on (Chinese, Japanese, Korean, emoji). At least 1
/// for a text that is not empty.
pub(crate) fn estimate_tokens(text: &str) -> usize {
    let cost: usize = text.chars().map(quarters).sum();
    cost.div_ceil(QUARTERS_A_TOKEN)
}

/// What one character costs, in quarters of a token.
pub(crate) const fn quarters(character: char) -> usize {
    match character {
        '\0'..='\x7f' => 1,
        '\u{80}'..='\u{2e7f}' => QUARTERS_A_TOKEN / 2,
        _ => QUARTERS_A_TOKEN,
    }
}

#[cfg(test)]
mod tests;
