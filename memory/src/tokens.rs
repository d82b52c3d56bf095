//! How many tokens a text costs a reader, roughly. Knows no tokenizer: every client has another.

/// Characters of one token, where a letter is one byte: the usual rule of thumb for English.
const ASCII_CHARS_A_TOKEN: usize = 4;
/// Letters of other alphabets (Greek, Cyrillic, Arabic, accents ...) cost about twice as much.
const LETTERS_A_TOKEN: usize = 2;

/// An estimate of the tokens in `text`: four ASCII characters a token, two letters of another
/// alphabet, and one of everything from U+2E80 on (Chinese, Japanese, Korean, emoji). At least 1
/// for a text that is not empty.
pub(crate) fn estimate_tokens(text: &str) -> usize {
    let quarters = text.chars().map(|character| match character {
        '\0'..='\x7f' => 1,
        '\u{80}'..='\u{2e7f}' => ASCII_CHARS_A_TOKEN / LETTERS_A_TOKEN,
        _ => ASCII_CHARS_A_TOKEN,
    });
    quarters.sum::<usize>().div_ceil(ASCII_CHARS_A_TOKEN)
}

#[cfg(test)]
mod tests;
