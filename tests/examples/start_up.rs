//! How long a client waits for the first answer, and how long the list of tools is. Start it by
//! `tests/start-up`, which builds the program as users have it.

use std::io::Write;
use std::time::{Duration, Instant};

use palimpsest_tests::{Era, Home};
use serde_json::json;

const N_STARTS: usize = 30;

/// From the start of the process to its first answer, once.
fn first_answer(home: &Home, era: Era) -> Duration {
    let model = std::env::var_os("PALIMPSEST_MODEL");
    let launch = match &model {
        Some(folder) => home.server().model(folder.as_ref()),
        None => home.server(),
    };
    let began = Instant::now();
    let mut server = launch.start(era);
    server.greet();
    let took = began.elapsed();
    server.end_of_input();
    took
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn list_len_bytes(arguments: &[&str]) -> usize {
    let home = Home::new();
    let launch = arguments
        .iter()
        .fold(home.server(), |launch, it| launch.argument(it));
    let mut server = launch.open(Era::Stateless);
    server.request("tools/list", json!({})).to_string().len()
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    for era in Era::ALL {
        // The first start makes the memory; all later ones open it.
        let home = Home::new();
        let mut times: Vec<_> = (0..N_STARTS).map(|_| first_answer(&home, era)).collect();
        times.sort();
        let (median, worst) = (times[N_STARTS / 2], times[N_STARTS - 1]);
        writeln!(
            out,
            "first answer, {}: median {:.1} ms, at most {:.1} ms, {N_STARTS} starts",
            era.revision(),
            milliseconds(median),
            milliseconds(worst),
        )?;
    }
    writeln!(out, "tools/list: {} bytes", list_len_bytes(&[]))?;
    let without = list_len_bytes(&["--no-output-schema"]);
    writeln!(out, "tools/list --no-output-schema: {without} bytes")
}
