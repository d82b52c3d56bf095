//! Tables as people read them: columns aligned, numbers to the right.

use std::fmt;

/// Rows under a header. Each row has as many cells as the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(header: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            header: header.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = String>) {
        self.rows.push(row.into_iter().collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = || std::iter::once(&self.header).chain(&self.rows);
        let n_columns = lines().map(Vec::len).max().unwrap_or(0);
        let cell =
            |line: &Vec<String>, column: usize| line.get(column).cloned().unwrap_or_default();
        let widths: Vec<usize> = (0..n_columns)
            .map(|column| {
                lines()
                    .map(|line| cell(line, column).chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let is_number = |column: usize| {
            let cells = self.rows.iter().map(|row| cell(row, column));
            cells
                .clone()
                .all(|cell| !cell.contains(char::is_alphabetic))
                && column > 0
        };
        for (line_idx, line) in lines().enumerate() {
            write!(f, "|")?;
            for (column, width) in widths.iter().copied().enumerate() {
                let cell = cell(line, column);
                if is_number(column) {
                    write!(f, " {cell:>width$} |")?;
                } else {
                    write!(f, " {cell:<width$} |")?;
                }
            }
            writeln!(f)?;
            if line_idx == 0 {
                write!(f, "|")?;
                for (column, width) in widths.iter().copied().enumerate() {
                    let colon = if is_number(column) { ":" } else { "-" };
                    write!(f, " {}{colon} |", "-".repeat(width.saturating_sub(1)))?;
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
