//! `ingest`: reads a transcript, and saves of it what a strategy says.

mod progress;
mod rehearsal;
mod tally;
mod transcript;

use std::fs::File;
use std::io::{self, BufRead, BufReader, stdin};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use palimpsest_memory::{Exchanges, Item, MemoryId, Occasion, Remember, Speakers, Strategy};

use self::progress::Progress;
use self::rehearsal::Rehearsal;
use self::tally::Tally;
use self::transcript::{Line, Transcript};
use super::flags::{OutputFlags, SettingFlags};
use super::session::Session;
use super::{Ended, Failure, Printer, note_warnings};
use crate::mcp::Refusal;

/// Items of one commit, as many as the memory takes.
const ITEMS_MAX: usize = 50;
/// Bytes of the texts of one commit.
const BATCH_LEN_BYTES_MAX: usize = 4 << 20;
/// The same where vectors are compared before the commit: of so much (1,000 tokens) the memory makes them at once.
const COMPARED_LEN_BYTES_MAX: usize = 3_000;

/// The arguments of `ingest`.
#[derive(Debug, Args)]
#[command(after_help = "\
A line of the transcript is a JSON object: role (user or assistant), text or content (a string, or a list of \
text blocks), and where there are time, session (becomes a tag) and source (who spoke). A line that cannot be read is \
reported and skipped, and the exit code is then 1. What was read before is not added again.")]
pub(super) struct IngestArguments {
    /// The transcript, one JSON object a line; - reads standard input
    #[arg(value_name = "FILE")]
    transcript: PathBuf,
    /// What is saved: every exchange that says something, or what is new (a semantic shift); under both
    /// the user's corrections supersede. Explicit takes every turn that says something as it stands
    #[arg(long, default_value = Strategy::EveryExchange.name(),
        value_parser = PossibleValuesParser::new(Strategy::ALL.map(Strategy::name)))]
    strategy: String,
    /// Whose turns: combined makes one memory of an exchange
    #[arg(long, default_value = Speakers::Both.name(),
        value_parser = PossibleValuesParser::new(Speakers::ALL.map(Speakers::name)))]
    of: String,
    /// Tell what would be saved, on a copy of the memory
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Reads the transcript to its end, and tells what became of it.
pub(super) fn run(arguments: IngestArguments, printer: &mut Printer) -> Result<Ended, Failure> {
    let mut settings = arguments.settings.resolve()?;
    let input = Input::open(&arguments.transcript)?;
    let rehearsal = if arguments.dry_run {
        Some(Rehearsal::of(&mut settings)?)
    } else {
        None
    };
    let session = Session::open_or_make(settings)?;
    let strategy = Strategy::from_name(&arguments.strategy).unwrap_or_default();
    // What is new, and what a correction is about, must not hang on how fast the model loads.
    if strategy != Strategy::Explicit {
        session.wait_for_model();
    }
    let mut ingestion = Ingestion {
        session: &session,
        strategy,
        pending: Vec::new(),
        pending_len_bytes: 0,
        after: None,
        tally: Tally::default(),
    };
    let speakers = Speakers::from_name(&arguments.of).unwrap_or_default();
    let ended = ingestion.read_all(input, speakers, &arguments.transcript);
    let tally = ingestion.tally;
    // What is saved is saved, and told, though the rest could not be.
    let scope = &session.settings.scope;
    if arguments.output.json {
        printer.json(&tally.tell(scope, arguments.dry_run))?;
    } else {
        tally.print(scope, arguments.dry_run, printer)?;
        note_warnings(&tally.tell(scope, arguments.dry_run));
    }
    printer.flush()?;
    ended?;
    if rehearsal.is_none() && tally.n_saved > 0 && !session.wait_for_vectors()? {
        Printer::note(NO_VECTORS_YET);
    }
    Ok(if tally.n_bad_lines > 0 {
        Ended::Partly
    } else {
        Ended::Well
    })
}

/// What is said where the wait ends before the vectors are there, or no model is.
const NO_VECTORS_YET: &str = "not every memory has its vector yet: those are found by keywords, and get \
one from the next command or server that runs long enough with a model";

/// The transcript, and how long it is where that is known.
struct Input {
    reader: Box<dyn BufRead>,
    len_bytes: Option<u64>,
}

impl Input {
    fn open(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Ok(Self {
                reader: Box::new(stdin().lock()),
                len_bytes: None,
            });
        }
        let unreadable = unreadable(path);
        let file = File::open(path).map_err(&unreadable)?;
        let metadata = file.metadata().map_err(&unreadable)?;
        if metadata.is_dir() {
            return Err(unreadable(io::ErrorKind::IsADirectory.into()));
        }
        let len_bytes = Some(metadata.len()).filter(|_| metadata.is_file());
        Ok(Self {
            reader: Box::new(BufReader::new(file)),
            len_bytes,
        })
    }
}

fn unreadable(path: &Path) -> impl Fn(io::Error) -> Failure {
    let path = path.to_owned();
    move |source| Failure::Transcript {
        path: path.clone(),
        source,
    }
}

/// A transcript on its way into a memory.
struct Ingestion<'session> {
    session: &'session Session,
    strategy: Strategy,
    /// What is not committed yet: at most one batch.
    pending: Vec<Item>,
    pending_len_bytes: usize,
    /// The last memory of what was committed.
    after: Option<MemoryId>,
    tally: Tally,
}

impl Ingestion<'_> {
    fn read_all(&mut self, input: Input, speakers: Speakers, path: &Path) -> Result<(), Failure> {
        let mut progress = Progress::on_stderr(input.len_bytes);
        let mut transcript = Transcript::new(input.reader, self.session.zone.clone());
        let mut exchanges = Exchanges::new(speakers);
        while let Some(line) = transcript.next_line().map_err(unreadable(path))? {
            match line {
                Ok(Line::Turn(spoken)) => {
                    self.tally.n_turns += 1;
                    let item =
                        exchanges.push(spoken.turn, spoken.source, spoken.at, spoken.session);
                    self.take(item)?;
                }
                Ok(Line::Other) => self.tally.n_other_lines += 1,
                Err(reason) => {
                    self.tally.n_bad_lines += 1;
                    progress.bad_line(transcript.line_number(), &reason);
                }
            }
            progress.advance(transcript.n_bytes(), self.tally.n_turns);
        }
        self.take(exchanges.finish())?;
        self.commit()
    }

    fn take(&mut self, item: Option<Item>) -> Result<(), Failure> {
        let Some(item) = item else { return Ok(()) };
        let len_bytes_max = if self.strategy == Strategy::SemanticShift {
            COMPARED_LEN_BYTES_MAX
        } else {
            BATCH_LEN_BYTES_MAX
        };
        let len_bytes = self.pending_len_bytes.saturating_add(item.text.len());
        if self.pending.len() == ITEMS_MAX || len_bytes > len_bytes_max {
            self.commit()?;
        }
        self.pending_len_bytes = self.pending_len_bytes.saturating_add(item.text.len());
        self.pending.push(item);
        Ok(())
    }

    /// Saves what is pending, all or nothing. Durable when it returns.
    fn commit(&mut self) -> Result<(), Failure> {
        if self.pending.is_empty() {
            return Ok(());
        }
        self.pending_len_bytes = 0;
        let remembered = self.session.memory.remember(Remember {
            scope: self.session.settings.scope.clone(),
            items: std::mem::take(&mut self.pending),
            strategy: self.strategy,
            occasion: Occasion::Transcript { after: self.after },
        });
        let remembered = remembered.map_err(Refusal::from)?;
        let last = remembered.items.iter().filter_map(|item| item.id).max();
        self.after = self.after.max(last);
        self.tally.count(&remembered.items, remembered.warnings);
        Ok(())
    }
}
