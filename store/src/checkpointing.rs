//! Taking the log's frames into the memory file. The order of the steps was checked by a model; `FORMAT.md` has it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use palimpsest_hdf5::{Backend, OpenMode, SuperblockImage, Transaction};

use crate::checkpoint::{self, Addition, State};
use crate::commit::Writer;
use crate::follow::Known;
use crate::location::{Location, refused};
use crate::lock::{CheckpointLock, CommitLock};
use crate::log::{FRAMES_OFFSET, Header, Hold, Position, Slot};
use crate::memory_file::{MemoryFile, bad};
use crate::recovery::reset;
use crate::shared::Shared;
use crate::view::View;
use crate::{Error, Timestamp};

/// The file is longer than what is in use by this and four times the log: more than this checkpoint and the next
/// one take, so that whoever looked at the length before finds no superblock that leads beyond it.
const AHEAD_LEN_BYTES: u64 = 4 << 20;
const AHEAD_FACTOR: u64 = 4;

/// The memory file as it is going to be. Nothing leads to it yet.
struct Draft {
    transaction: Transaction,
    addition: Addition,
    /// Where a new file is written; `None` where the one that is there is added to.
    temporary: Option<PathBuf>,
    path: PathBuf,
}

/// A file that is longer than so often what a new one would take, and by so much, is written anew.
const GROWTH_FACTOR: u64 = 2;
const GROWTH_LEN_BYTES: u64 = 8 << 20;

/// Whether little of `file` would be in a new one of the same content.
fn is_mostly_dead(file: &MemoryFile, view: &View) -> bool {
    let worth_it = checkpoint::len_bytes(view)
        .saturating_mul(GROWTH_FACTOR)
        .saturating_add(GROWTH_LEN_BYTES);
    file.end_bytes() > worth_it
}

/// What a checkpoint leaves behind.
struct Published {
    known: Known,
    transaction: Transaction,
}

impl Shared {
    /// Takes the frames of the log into the memory file, and begins the log anew; whether there were any. Others
    /// commit meanwhile, but for the last part.
    ///
    /// # Errors
    /// Nothing is lost by any: what the file does not have, the log has.
    pub(crate) fn checkpoint(&self, now: Timestamp, wait: Duration) -> Result<bool, Error> {
        let lock = CheckpointLock::take(self.backend(), self.location(), wait)?;
        let done = self.checkpoint_under(&lock, now, wait, false);
        drop(lock);
        done
    }

    /// As [`Self::checkpoint`], where nobody else is at it, and gives back the room that the file was extended by.
    pub(crate) fn close(&self, now: Timestamp) -> Result<bool, Error> {
        let known = self.known();
        if self.check_writable(&known).is_err() {
            return Ok(false);
        }
        match CheckpointLock::take(self.backend(), self.location(), Duration::ZERO) {
            Ok(lock) => self.checkpoint_under(&lock, now, Duration::from_secs(1), true),
            Err(Error::LockTimeout { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn checkpoint_under(
        &self,
        _lock: &CheckpointLock,
        now: Timestamp,
        wait: Duration,
        is_last: bool,
    ) -> Result<bool, Error> {
        // What is unfinished is finished before the file is opened to be added to.
        let known = self.write(|writer| self.settled(writer, wait))?;
        self.check_writable(&known)?;
        if known.slot.durable_end == FRAMES_OFFSET {
            if is_last {
                trim(&known)?;
            }
            return Ok(false);
        }
        let mut draft = Draft::begin(&known, self.backend(), self.location())?;
        draft.advance(&known.view)?;
        let transaction = self.write(|writer| self.publish_draft(writer, draft, now, wait))?;
        if is_last {
            let path = &self.location().memory;
            transaction
                .close()
                .map_err(|problem| bad(path, problem.into()))?;
        }
        Ok(true)
    }

    /// Takes the commit lock, settles, and gives it back.
    fn settled(&self, writer: &mut Writer, wait: Duration) -> Result<Known, Error> {
        self.end_doubt(writer, wait)?;
        let known = self.known();
        self.check_writable(&known)?;
        let lock = CommitLock::take(self.backend(), &known.log, wait)?;
        let mut hold = Hold::new(lock);
        writer.is_in_doubt = true;
        let known = self.settle(&mut hold, writer)?;
        writer.is_in_doubt = false;
        Ok(known)
    }

    /// Under the commit lock: adds what was committed meanwhile, publishes, and begins the log anew.
    fn publish_draft(
        &self,
        writer: &mut Writer,
        draft: Draft,
        now: Timestamp,
        wait: Duration,
    ) -> Result<Transaction, Error> {
        self.end_doubt(writer, wait)?;
        let known = self.known();
        let lock = CommitLock::take(self.backend(), &known.log, wait)?;
        let mut hold = Hold::new(lock);
        // Until this is over well, the files may hold what this process does not know.
        writer.is_in_doubt = true;
        let known = self.settle(&mut hold, writer)?;
        let published = draft.publish(&mut hold, &known, now, self.backend(), self.location())?;
        self.install(published.known);
        writer.is_in_doubt = false;
        Ok(published.transaction)
    }
}

impl Draft {
    /// Opens the file that is there, or makes a new one beside its place.
    fn begin(known: &Known, backend: &dyn Backend, location: &Location) -> Result<Self, Error> {
        let path = location.memory.clone();
        let log_len_bytes = known.slot.durable_end.saturating_sub(FRAMES_OFFSET);
        let ahead_bytes =
            AHEAD_LEN_BYTES.saturating_add(log_len_bytes.saturating_mul(AHEAD_FACTOR));
        let file = known.newest_file()?;
        if let Some(file) = file.filter(|file| !is_mostly_dead(file, &known.view)) {
            let device = Arc::clone(&file.device);
            let transaction = Transaction::open(device, ahead_bytes);
            return Ok(Self {
                transaction: transaction.map_err(|error| bad(&path, error.into()))?,
                addition: Addition::to(file.hdf5(), file.seq())
                    .map_err(|problem| bad(&path, problem))?,
                temporary: None,
                path,
            });
        }
        let temporary = location.temporary.clone();
        match backend.remove(&temporary) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(refused("remove", &temporary, error));
            }
            _ => {}
        }
        let device = backend.open(&temporary, OpenMode::Create);
        let device = device.map_err(|source| refused("create", &temporary, source))?;
        let created = Transaction::create(Arc::from(device), ahead_bytes);
        let mut transaction = created.map_err(|error| bad(&temporary, error.into()))?;
        checkpoint::create(&mut transaction).map_err(|error| bad(&temporary, error.into()))?;
        Ok(Self {
            transaction,
            addition: Addition::to_nothing(),
            temporary: Some(temporary),
            path,
        })
    }

    /// Writes what `view` holds beyond what was written.
    fn advance(&mut self, view: &View) -> Result<(), Error> {
        let advanced = self.addition.advance(&mut self.transaction, view);
        let written = advanced.and_then(|()| self.transaction.write_ahead());
        written.map_err(|error| bad(&self.path, error.into()))
    }

    /// Makes the draft the memory file, and begins the log anew. The commit lock is held.
    fn publish(
        mut self,
        hold: &mut Hold<'_>,
        known: &Known,
        now: Timestamp,
        backend: &dyn Backend,
        location: &Location,
    ) -> Result<Published, Error> {
        self.advance(&known.view)?;
        let before = known.file.as_ref().map(|file| file.state);
        let state = State {
            store_id: known.slot.store_id,
            checkpoint: known.slot.checkpoint.saturating_add(1),
            seq: known.view.seq(),
            absorbed: known.slot.generation,
            created: before.map_or(now, |state| state.created),
            next_memory: known.view.next_memory(),
            next_entity: known.view.next_entity(),
        };
        Addition::state(&mut self.transaction, &state)
            .map_err(|error| bad(&self.path, error.into()))?;
        let mut ruling = Ruling {
            header: known.header.clone(),
            slot_idx: known.slot_idx,
            slot: known.slot.clone(),
        };
        match &self.temporary {
            None => self.publish_in_place(hold, &mut ruling)?,
            Some(temporary) => {
                let published = self.transaction.publish(|_| Ok::<_, Error>(()));
                published.map_err(|error| bad(temporary, error.into()))?;
                hold.sync()?;
                backend
                    .rename(temporary, &location.memory)
                    .map_err(|source| refused("rename", temporary, source))?;
                location.sync_folders(backend)?;
            }
        }
        let file = match &known.file {
            Some(file) if self.temporary.is_none() => file.newest()?,
            _ => {
                let path = location.memory.clone();
                let opened = MemoryFile::open(backend, &path)?;
                opened.ok_or(Error::MissingMemoryFile { path })?
            }
        };
        let Ruling {
            header,
            slot_idx,
            slot,
        } = ruling;
        let (header, slot) = reset(hold, (&header, slot_idx, &slot), &file, backend)?;
        Ok(Published {
            known: Known {
                header,
                slot_idx: 1 - slot_idx,
                position: Position::start(&slot),
                slot,
                file: Some(file),
                ..known.clone()
            },
            transaction: self.transaction,
        })
    }

    /// Publishes in the file that is there: it is synced, and the log; the log keeps a copy of the new superblock;
    /// and only then is the superblock written.
    fn publish_in_place(&mut self, hold: &mut Hold<'_>, ruling: &mut Ruling) -> Result<(), Error> {
        let mut refusal = None;
        let keep_image = |image: &SuperblockImage| {
            let kept = ruling.keep_image(hold, image);
            kept.inspect_err(|error| refusal = Some(error.clone()))
        };
        let published = self.transaction.publish(keep_image);
        match (published, refusal) {
            (Ok(_), _) => Ok(()),
            (Err(_), Some(error)) => Err(error),
            (Err(error), None) => Err(bad(&self.path, error.into())),
        }
    }
}

/// The header of the log, by the slot that rules in it.
struct Ruling {
    header: Header,
    slot_idx: usize,
    slot: Slot,
}

impl Ruling {
    /// Writes a slot with a copy of the superblock that is about to be written.
    fn keep_image(&mut self, hold: &mut Hold<'_>, image: &SuperblockImage) -> Result<(), Error> {
        hold.sync()?;
        self.slot.counter = self.slot.counter.saturating_add(1);
        self.slot.image = image.to_vec();
        self.header = hold.write_slot(&self.header, self.slot_idx, &self.slot)?;
        self.slot_idx = 1 - self.slot_idx;
        hold.sync()
    }
}

/// Cuts off what the file was extended by. The checkpoint lock is held.
fn trim(known: &Known) -> Result<(), Error> {
    let Some(file) = known.newest_file()? else {
        return Ok(());
    };
    let trimmed = Transaction::open(Arc::clone(&file.device), 0).and_then(Transaction::close);
    trimmed.map_err(|error| bad(&file.path, error.into()))
}
