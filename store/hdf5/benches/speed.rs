//! The speed table: this crate beside libhdf5 in C, h5py's low-level API and a plain `write`, in one run.
//!
//! `TEST_PALIMPSEST_PYTHON=.../python cargo bench -p palimpsest-hdf5 --bench speed [-- [--alone] WORKLOAD ...]`
//! (`--alone` leaves out the other sides: for a profiler.)
//!
//! Each round runs every side once, one behind the other; a side repeats the workload and gives its
//! median. A figure is the median of the rounds, with the least and the greatest; a ratio is taken
//! round for round. The C program is compiled where the C library's headers are (`libhdf5-dev`).
//! libhdf5 writes the file's earliest and latest
//! format; the faster counts. A ratio above 1: this crate is faster. Files lie in the folder for
//! temporary files (`TMPDIR`); nothing is synced on any side. What is written is read back, and what is
//! read is compared.
#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a benchmark stops where anything fails, and its numbers are small"
)]

#[path = "speed/figures.rs"]
mod figures;
#[path = "speed/other_side.rs"]
mod other_side;
#[path = "speed/own_side.rs"]
mod own_side;

use std::path::Path;

use figures::Figures;
use other_side::OtherSide;
use own_side::OwnSide;

/// A row of the table.
struct Row {
    /// As all sides name it.
    workload: &'static str,
    title: &'static str,
    /// How often a side repeats it in a round.
    n_repeats: u32,
    /// The ratio to reach, and to what.
    goal: Option<(f64, Rival)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rival {
    Libhdf5,
    PlainWrite,
}

const fn row(
    workload: &'static str,
    title: &'static str,
    n_repeats: u32,
    goal: Option<(f64, Rival)>,
) -> Row {
    Row {
        workload,
        title,
        n_repeats,
        goal,
    }
}

const N_ROUNDS: u32 = 5;
const ROWS: [Row; 14] = [
    row(
        "attributes",
        "write 128 attributes",
        200,
        Some((10.0, Rival::Libhdf5)),
    ),
    row(
        "groups",
        "create 64 groups",
        200,
        Some((10.0, Rival::Libhdf5)),
    ),
    row(
        "attribute",
        "open, read one of 128 attributes",
        500,
        Some((8.0, Rival::Libhdf5)),
    ),
    row(
        "filtered signal",
        "write 512x512 f32, shuffle + deflate 6, 64x64 chunks, a noisy signal",
        10,
        Some((3.0, Rival::Libhdf5)),
    ),
    row(
        "filtered normal",
        "the same of normal numbers",
        10,
        Some((3.0, Rival::Libhdf5)),
    ),
    row(
        "filtered counts",
        "the same of 0 to 255",
        10,
        Some((3.0, Rival::Libhdf5)),
    ),
    row(
        "filtered counts parallel",
        "the same on all cores",
        10,
        None,
    ),
    row(
        "contiguous",
        "write 100k x 384 contiguous",
        3,
        Some((0.9, Rival::PlainWrite)),
    ),
    row(
        "growing",
        "write 100k x 384 growing, 256 rows a chunk",
        3,
        Some((1.5, Rival::Libhdf5)),
    ),
    row(
        "growing small",
        "the same, 16 rows a chunk",
        3,
        Some((1.5, Rival::Libhdf5)),
    ),
    row(
        "append",
        "open, append 1,000 single rows, publish",
        20,
        Some((2.0, Rival::Libhdf5)),
    ),
    row(
        "append synced",
        "the same with the transaction's two syncs",
        20,
        None,
    ),
    row(
        "read",
        "read 100k x 384 into a warm buffer",
        5,
        Some((1.0, Rival::Libhdf5)),
    ),
    row(
        "sum",
        "sum of 100k x 384, mapped",
        5,
        Some((2.0, Rival::Libhdf5)),
    ),
];

#[expect(clippy::print_stdout, reason = "the table is what this is for")]
fn main() {
    let asked: Vec<_> = std::env::args()
        .skip(1)
        .filter(|it| !it.starts_with("--"))
        .collect();
    let is_asked = |row: &&Row| asked.is_empty() || asked.iter().any(|it| it == row.workload);
    let rows: Vec<&Row> = ROWS.iter().filter(is_asked).collect();
    let workloads: Vec<_> = rows.iter().map(|row| row.workload).collect();
    let folder = tempfile::tempdir().unwrap();
    let own = OwnSide::prepare(folder.path(), &workloads);
    let others = if std::env::args().any(|it| it == "--alone") {
        Vec::new()
    } else {
        OtherSide::all(folder.path())
    };
    let names: Vec<_> = others.iter().map(OtherSide::name).collect();
    println!(
        "in {}, beside {}\n",
        folder.path().display(),
        names.join(", ")
    );
    println!(
        "| workload | this crate | {} | plain write | ratios | goal |",
        names.join(" | ")
    );
    println!("| --- |{}", " --- |".repeat(others.len() + 4));
    for row in rows {
        println!("{}", measure(row, &own, &others, folder.path()));
    }
}

fn measure(row: &Row, own: &OwnSide, others: &[OtherSide], folder: &Path) -> String {
    // The rest of the name is of no matter to the others, but for the length of chunks.
    let workload = match row.workload {
        "growing small" => row.workload,
        other => other.split(' ').next().unwrap(),
    };
    own.lay_out(row.workload);
    let mut own_figures = Figures::default();
    let mut plain_figures = Figures::default();
    let mut other_figures: Vec<_> = others.iter().map(|_| Figures::default()).collect();
    for round in 0..N_ROUNDS {
        let own_answer = own.run(row.workload, row.n_repeats, &mut own_figures);
        for (other, figures) in others.iter().zip(&mut other_figures) {
            let answer = other.run(workload, folder, row.n_repeats, figures);
            if round == 0 {
                own.check_written(row.workload, other.file());
                own_side::check_answer(workload, own_answer, answer);
            }
        }
        if matches!(row.workload, "contiguous" | "growing" | "growing small") {
            own.write_plainly(row.n_repeats, &mut plain_figures);
        }
    }
    let rivals: Vec<_> = other_figures.iter().chain([&plain_figures]).collect();
    show(row, &own_figures, &rivals)
}

/// `rivals` are the other sides, libhdf5 first, and the plain write.
fn show(row: &Row, own: &Figures, rivals: &[&Figures]) -> String {
    let text = |it: &Figures| it.measured().map_or(String::new(), |it| it.to_string());
    let figures: Vec<_> = rivals.iter().map(|it| text(it)).collect();
    let found = rivals.iter().filter_map(|it| own.ratios_of(it));
    let ratios: Vec<_> = found
        .map(|[median, min, max]| format!("{median:.2} ({min:.2} to {max:.2})"))
        .collect();
    let goal = row.goal.map_or(String::new(), |(goal, rival)| {
        let rival = match rival {
            Rival::Libhdf5 => rivals.first().filter(|_| rivals.len() > 1),
            Rival::PlainWrite => rivals.last(),
        };
        match rival.and_then(|rival| own.ratios_of(rival)) {
            Some([found, ..]) if found >= goal => format!("{goal}: reached"),
            Some([found, ..]) => format!("{goal}: NOT reached, {found:.2}"),
            None => format!("{goal}: nothing to compare with"),
        }
    });
    let (title, own) = (row.title, text(own));
    let (figures, ratios) = (figures.join(" | "), ratios.join(", "));
    format!("| {title} | {own} | {figures} | {ratios} | {goal} |")
}
