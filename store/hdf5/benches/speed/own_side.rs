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
const N_APPENDED: usize = 1000;
const GRID: u64 = 512;
const GRID_CHUNK: u64 = 64;
const N_VALUES: usize = (ROWS * DIM) as usize;

/// What this crate is given to write, and a buffer that it reads into.
pub(crate) struct OwnSide {
    folder: PathBuf,
    file: PathBuf,
    grid: Vec<f32>,
    vectors: Vec<f32>,
    one_thread: ThreadPool,
}

/// Smooth, with a little noise: what instruments measure.
fn grid() -> Vec<f32> {
    let place = |n: u64| (n / GRID, n % GRID);
    let value = |n: u64| {
        let (y, x) = place(n);
        let noise = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
        ((x as f32) * 0.02).sin() * ((y as f32) * 0.03).cos() * 100.0 + (noise as f32) / 64.0
    };
    (0..GRID * GRID).map(value).collect()
}

/// Numbers whose sum in any order is exact: all partial sums are whole and below 2^24.
fn vectors() -> Vec<f32> {
    (0..ROWS * DIM)
        .map(|n| if n * 7 % 16 < 4 { 1.0 } else { 0.0 })
        .collect()
}

fn f32_rows(rows: u64) -> DatasetSpec {
    DatasetSpec::growing(Datatype::f32(), &[rows, DIM], &[ROWS_CHUNK, DIM])
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
            grid: grid(),
            vectors: if workloads.iter().any(has_vectors) {
                vectors()
            } else {
                Vec::new()
            },
            one_thread: one_thread.build().unwrap(),
        };
        fs::write(folder.join("grid.f32"), bytemuck::cast_slice(&side.grid)).unwrap();
        side.write_attributes(&folder.join("attribute.h5"));
        if !side.vectors.is_empty() {
            let bytes = bytemuck::cast_slice(&side.vectors);
            fs::write(folder.join("vectors.f32"), bytes).unwrap();
            side.write_contiguous(&folder.join("read.h5"));
            fs::hard_link(folder.join("read.h5"), folder.join("sum.h5")).unwrap();
        }
        side
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
            answer = match workload {
                "filtered" => self.one_thread.install(|| self.write_filtered()),
                "filtered parallel" => self.write_filtered(),
                _ => self.run_once(workload, &mut warm),
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
            file.create_dataset("values", &f32_rows(0)).unwrap();
            file.write_to(&self.file).unwrap();
        }
    }

    fn run_once(&self, workload: &str, warm: &mut [f32]) -> f64 {
        match workload {
            "attributes" => self.write_attributes(&self.file),
            "groups" => self.create_groups(),
            "attribute" => return self.read_attribute(),
            "contiguous" => self.write_contiguous(&self.file),
            "growing" => self.write_growing(),
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

    fn write_attributes(&self, path: &Path) {
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

    fn write_filtered(&self) -> f64 {
        let mut file = FileBuilder::new();
        let chunk = [GRID_CHUNK, GRID_CHUNK];
        let spec = DatasetSpec::chunked(Datatype::f32(), &[GRID, GRID], &chunk);
        let spec = spec.filtered(&[Filter::Shuffle, Filter::Deflate { level: 6 }]);
        file.create_dataset("values", &spec).unwrap();
        file.write("values", &self.grid).unwrap();
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

    fn write_growing(&self) {
        let mut file = FileBuilder::new();
        file.create_dataset("values", &f32_rows(ROWS)).unwrap();
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
            "filtered" => &self.grid,
            "contiguous" | "growing" => &self.vectors,
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
