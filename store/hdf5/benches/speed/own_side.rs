//! This crate's side, and the plain `write` beside it.

use std::convert::Infallible;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use palimpsest_hdf5::{
    Backend as _, DatasetSpec, Datatype, File, FileBackend, FileBuilder, FileIdentity, Filter,
    Hdf5File, LockHolder, LockKind, OpenMode, Transaction,
};
use rayon::ThreadPool;

use crate::figures::Figures;

const ROWS: u64 = 100_000;
const DIM: u64 = 384;
const ROWS_CHUNK: u64 = 256;
const ROWS_CHUNK_SMALL: u64 = 16;
const N_APPENDED: usize = 1000;
const GRID: u64 = 512;
const GRID_CHUNK: u64 = 64;
const N_VALUES: usize = (ROWS * DIM) as usize;

/// What this crate is given to write, and a buffer that it reads into.
pub(crate) struct OwnSide {
    folder: PathBuf,
    file: PathBuf,
    grids: Vec<(&'static str, Vec<f32>)>,
    vectors: Vec<f32>,
    one_thread: ThreadPool,
}

/// What the filtered rows write: how well it packs decides what is measured.
fn grid(kind: &str) -> Vec<f32> {
    let random = |n: u64| {
        let mixed = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 29)
    };
    let value = |n: u64| match kind {
        // What instruments measure.
        "signal" => {
            let (y, x) = ((n / GRID) as f32, (n % GRID) as f32);
            (x * 0.02).sin() * (y * 0.03).cos() * 100.0 + (random(n) >> 60) as f32 / 64.0
        }
        // What embeddings are like: a sum of uniform numbers is nearly normal.
        "normal" => {
            let sum = (0..12).map(|k| (random(12 * n + k) >> 40) as f32 / 16_777_216.0);
            (sum.sum::<f32>() - 6.0) / 20.0
        }
        // Whole numbers from 0 to 255.
        "counts" => (random(n) >> 56) as f32,
        other => panic!("no such grid: {other}"),
    };
    (0..GRID * GRID).map(value).collect()
}

/// Numbers whose sum in any order is exact: all partial sums are whole and below 2^24.
fn vectors() -> Vec<f32> {
    (0..ROWS * DIM)
        .map(|n| if n * 7 % 16 < 4 { 1.0 } else { 0.0 })
        .collect()
}

fn f32_rows(rows: u64, rows_chunk: u64) -> DatasetSpec {
    DatasetSpec::growing(Datatype::f32(), &[rows, DIM], &[rows_chunk, DIM])
}

impl OwnSide {
    /// Writes the files that all sides read for these workloads.
    pub(crate) fn prepare(folder: &Path, workloads: &[&str]) -> Self {
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1);
        let has_vectors = |it: &&str| {
            let kinds = ["contiguous", "growing", "append", "read", "sum"];
            kinds.iter().any(|kind| it.starts_with(kind))
        };
        let side = Self {
            folder: folder.to_owned(),
            file: folder.join("own.h5"),
            grids: ["signal", "normal", "counts"]
                .map(|kind| (kind, grid(kind)))
                .into(),
            vectors: if workloads.iter().any(has_vectors) {
                vectors()
            } else {
                Vec::new()
            },
            one_thread: one_thread.build().unwrap(),
        };
        Self::write_attributes(&folder.join("attribute.h5"));
        if !side.vectors.is_empty() {
            let bytes = bytemuck::cast_slice(&side.vectors);
            fs::write(folder.join("vectors.f32"), bytes).unwrap();
            side.write_contiguous(&folder.join("read.h5"));
            fs::hard_link(folder.join("read.h5"), folder.join("sum.h5")).unwrap();
        }
        side
    }

    fn grid(&self, workload: &str) -> Option<&Vec<f32>> {
        let is_of = |(kind, _): &&(&str, Vec<f32>)| workload.contains(kind);
        self.grids.iter().find(is_of).map(|(_, grid)| grid)
    }

    /// Writes what the other sides are to write.
    pub(crate) fn lay_out(&self, workload: &str) {
        if let Some(grid) = self.grid(workload) {
            let path = self.folder.join("grid.f32");
            fs::write(path, bytemuck::cast_slice(grid)).unwrap();
        }
    }

    /// Runs a round; what was read last.
    pub(crate) fn run(&self, workload: &str, n_repeats: u32, figures: &mut Figures) -> f64 {
        let mut answer = 0.0;
        let mut warm = if workload == "read" {
            vec![1.0; N_VALUES]
        } else {
            Vec::new()
        };
        let mut times_ns = Vec::new();
        for repeat in 0..=n_repeats {
            self.before(workload);
            let began = Instant::now();
            answer = match self.grid(workload) {
                Some(grid) if workload.contains("parallel") => self.write_filtered(grid),
                Some(grid) => self.one_thread.install(|| self.write_filtered(grid)),
                None => self.run_once(workload, &mut warm),
            };
            // The first is to warm up.
            if repeat > 0 {
                times_ns.push(began.elapsed().as_nanos() as f64);
            }
        }
        figures.add_round(times_ns);
        answer
    }

    fn before(&self, workload: &str) {
        if matches!(workload, "attribute" | "read" | "sum") {
            return;
        }
        if self.file.exists() {
            fs::remove_file(&self.file).unwrap();
        }
        if workload.starts_with("append") {
            let mut file = FileBuilder::new();
            file.create_dataset("values", &f32_rows(0, ROWS_CHUNK))
                .unwrap();
            file.write_to(&self.file).unwrap();
        }
    }

    fn run_once(&self, workload: &str, warm: &mut [f32]) -> f64 {
        match workload {
            "attributes" => Self::write_attributes(&self.file),
            "groups" => self.create_groups(),
            "attribute" => return self.read_attribute(),
            "contiguous" => self.write_contiguous(&self.file),
            "growing" => self.write_growing(ROWS_CHUNK),
            "growing small" => self.write_growing(ROWS_CHUNK_SMALL),
            "append" => self.append_rows(|device| Arc::new(NeverSynced(device))),
            "append synced" => self.append_rows(|device| device),
            "read" => {
                let file = Hdf5File::open(&self.folder.join("read.h5")).unwrap();
                let values = file.dataset("values").unwrap();
                values.read_into(&values.all(), warm).unwrap();
                return warm[N_VALUES - 1].into();
            }
            "sum" => {
                let file = Hdf5File::open_mapped(&self.folder.join("sum.h5")).unwrap();
                return sum(file.dataset("values").unwrap().mapped().unwrap());
            }
            other => panic!("no such workload: {other}"),
        }
        0.0
    }

    fn write_attributes(path: &Path) {
        let mut file = FileBuilder::new();
        for k in 0..128_i64 {
            file.set_attribute("/", &format!("attribute {k}"), k)
                .unwrap();
        }
        file.write_to(path).unwrap();
    }

    fn create_groups(&self) {
        let mut file = FileBuilder::new();
        for k in 0..64 {
            file.create_group(&format!("group {k}")).unwrap();
        }
        file.write_to(&self.file).unwrap();
    }

    fn read_attribute(&self) -> f64 {
        let file = Hdf5File::open(&self.folder.join("attribute.h5")).unwrap();
        file.attribute("attribute 77")
            .unwrap()
            .scalar::<i64>()
            .unwrap() as f64
    }

    fn write_filtered(&self, grid: &[f32]) -> f64 {
        let mut file = FileBuilder::new();
        let chunk = [GRID_CHUNK, GRID_CHUNK];
        let spec = DatasetSpec::chunked(Datatype::f32(), &[GRID, GRID], &chunk);
        let spec = spec.filtered(&[Filter::Shuffle, Filter::Deflate { level: 6 }]);
        file.create_dataset("values", &spec).unwrap();
        file.write("values", grid).unwrap();
        file.write_to(&self.file).unwrap();
        0.0
    }

    fn write_contiguous(&self, path: &Path) {
        let mut file = FileBuilder::new();
        let spec = DatasetSpec::contiguous(Datatype::f32(), &[ROWS, DIM]);
        file.create_dataset("values", &spec).unwrap();
        file.write("values", &self.vectors).unwrap();
        file.write_to(path).unwrap();
    }

    fn write_growing(&self, rows_chunk: u64) {
        let mut file = FileBuilder::new();
        file.create_dataset("values", &f32_rows(ROWS, rows_chunk))
            .unwrap();
        file.write("values", &self.vectors).unwrap();
        file.write_to(&self.file).unwrap();
    }

    fn append_rows(&self, wrap: impl Fn(Arc<dyn File>) -> Arc<dyn File>) {
        let device = FileBackend::new()
            .open(&self.file, OpenMode::Write)
            .unwrap();
        let mut transaction = Transaction::open(wrap(Arc::from(device)), 4 << 20).unwrap();
        for row in self.vectors.chunks_exact(DIM as usize).take(N_APPENDED) {
            transaction.append("values", row).unwrap();
        }
        transaction.publish(|_| Ok::<_, Infallible>(())).unwrap();
        transaction.close().unwrap();
    }

    /// The same bytes without any format.
    pub(crate) fn write_plainly(&self, n_repeats: u32, figures: &mut Figures) {
        let path = self.folder.join("plain");
        let mut times_ns = Vec::new();
        for repeat in 0..=n_repeats {
            if path.exists() {
                fs::remove_file(&path).unwrap();
            }
            let began = Instant::now();
            let mut file = fs::File::create(&path).unwrap();
            file.write_all(bytemuck::cast_slice(&self.vectors)).unwrap();
            drop(file);
            if repeat > 0 {
                times_ns.push(began.elapsed().as_nanos() as f64);
            }
        }
        figures.add_round(times_ns);
    }

    /// Reads what this side and another have written.
    pub(crate) fn check_written(&self, workload: &str, other: &str) {
        let expected: &[f32] = match workload {
            _ if workload.starts_with("filtered") => self.grid(workload).unwrap(),
            "contiguous" | "growing" | "growing small" => &self.vectors,
            "append" => &self.vectors[..N_APPENDED * DIM as usize],
            _ => return,
        };
        for path in [self.file.clone(), self.folder.join(other)] {
            let values = Hdf5File::open(&path).unwrap().dataset("values").unwrap();
            assert!(
                values.read::<f32>().unwrap() == expected,
                "{}",
                path.display()
            );
        }
    }
}

/// What both sides read is the same.
pub(crate) fn check_answer(workload: &str, own: f64, other: f64) {
    assert!(own == other, "{workload}: {own} is {other} for another");
}

/// Sixteen sums side by side.
fn sum(values: &[f32]) -> f64 {
    let mut sums = [0_f32; 16];
    for block in values.chunks_exact(16) {
        for (sum, value) in sums.iter_mut().zip(block) {
            *sum += value;
        }
    }
    sums.iter().map(|sum| f64::from(*sum)).sum()
}

/// A file that is never synced, as libhdf5's is not.
#[derive(Debug)]
struct NeverSynced(Arc<dyn File>);

impl File for NeverSynced {
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> std::io::Result<usize> {
        self.0.read_at(buffer, offset_bytes)
    }
    fn write_at(&self, bytes: &[u8], offset_bytes: u64) -> std::io::Result<()> {
        self.0.write_at(bytes, offset_bytes)
    }
    fn len_bytes(&self) -> std::io::Result<u64> {
        self.0.len_bytes()
    }
    fn set_len(&self, len_bytes: u64) -> std::io::Result<()> {
        self.0.set_len(len_bytes)
    }
    fn sync_data(&self) -> std::io::Result<()> {
        Ok(())
    }
    fn identity(&self) -> std::io::Result<FileIdentity> {
        self.0.identity()
    }
    fn try_lock(&self, kind: LockKind) -> std::io::Result<bool> {
        self.0.try_lock(kind)
    }
    fn lock(&self, kind: LockKind, wait: std::time::Duration) -> std::io::Result<bool> {
        self.0.lock(kind, wait)
    }
    fn unlock(&self) -> std::io::Result<()> {
        self.0.unlock()
    }
    fn lock_holder(&self) -> Option<LockHolder> {
        self.0.lock_holder()
    }
}
