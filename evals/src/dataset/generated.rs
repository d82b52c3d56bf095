//! A file of LongMemEval's schema, of any size, with made-up words: for measuring, not for scoring.

use std::io::{self, Write};

use serde_json::json;

use crate::draws::Draws;

/// How much is made. The defaults are those of `longmemeval_s`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "a shape is nothing but counts")]
pub(crate) struct Shape {
    pub(crate) n_questions: usize,
    pub(crate) n_sessions: usize,
    /// Of each question's sessions, those that hold the answer.
    pub(crate) n_sessions_wanted: usize,
    pub(crate) n_turns: usize,
    pub(crate) n_words: usize,
}

impl Shape {
    /// 500 questions, 48 sessions and 494 turns each, 4 % of the sessions evidence, 277 MB.
    pub(crate) const LONGMEMEVAL_S: Self = Self {
        n_questions: 500,
        n_sessions: 48,
        n_sessions_wanted: 2,
        n_turns: 10,
        n_words: 194,
    };
}

/// Syllables of which words are made: 20 of two make 400 words, of three 8,000.
const SYLLABLES: [&str; 20] = [
    "ba", "co", "di", "fu", "ga", "ho", "ji", "ka", "lo", "mi", "nu", "pe", "ra", "so", "ti", "va",
    "we", "xo", "yu", "za",
];

/// Writes a file, question by question. The same seed and shape give the same bytes.
pub(crate) fn write_generated(
    out: &mut impl Write,
    shape: Shape,
    seed: u64,
) -> Result<(), io::Error> {
    let mut draws = Draws::new(seed);
    write!(out, "[")?;
    for question_idx in 0..shape.n_questions {
        if question_idx > 0 {
            write!(out, ",")?;
        }
        write_question(out, shape, question_idx, &mut draws)?;
    }
    writeln!(out, "]")
}

fn write_question(
    out: &mut impl Write,
    shape: Shape,
    question_idx: usize,
    draws: &mut Draws,
) -> Result<(), io::Error> {
    let names: Vec<String> = (0..shape.n_sessions)
        .map(|session_idx| format!("session_{question_idx}_{session_idx}"))
        .collect();
    let mut asked = String::new();
    let mut sessions = Vec::with_capacity(shape.n_sessions);
    for session_idx in 0..shape.n_sessions {
        let is_wanted = session_idx < shape.n_sessions_wanted;
        let mut turns = Vec::with_capacity(shape.n_turns);
        for turn_idx in 0..shape.n_turns {
            let content = text(shape.n_words, draws);
            let has_answer = is_wanted && turn_idx == 0;
            if has_answer {
                let words = content.split(' ').take(6);
                asked = words.collect::<Vec<_>>().join(" ");
            }
            let role = if turn_idx % 2 == 0 {
                "user"
            } else {
                "assistant"
            };
            turns.push(json!({"role": role, "content": content, "has_answer": has_answer}));
        }
        sessions.push(turns);
    }
    let dates = (0..shape.n_sessions).map(|session_idx| {
        let (hour, minute) = (session_idx / 60 % 24, session_idx % 60);
        format!("2023/05/20 (Sat) {hour:02}:{minute:02}")
    });
    let question = json!({
        "question_id": format!("generated_{question_idx}"),
        "question_type": "generated",
        "question": asked,
        "answer": "",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_dates": dates.collect::<Vec<_>>(),
        "answer_session_ids": names.iter().take(shape.n_sessions_wanted).collect::<Vec<_>>(),
        "haystack_session_ids": names,
        "haystack_sessions": sessions,
    });
    serde_json::to_writer(out, &question).map_err(io::Error::from)
}

/// So many words, short ones often and long ones seldom.
pub(crate) fn text(n_words: usize, draws: &mut Draws) -> String {
    let mut text = String::new();
    for _ in 0..n_words {
        let n_syllables = if draws.below(3) == 0 { 3 } else { 2 };
        if !text.is_empty() {
            text.push(' ');
        }
        for _ in 0..n_syllables {
            text.push_str(SYLLABLES[draws.below(SYLLABLES.len())]);
        }
    }
    text
}

#[cfg(test)]
mod tests;
