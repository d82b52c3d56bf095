//! Runs the model from a command line, and prints what it finds.
#![expect(clippy::print_stdout, reason = "this program prints what it finds")]

use std::process::ExitCode;

use palimpsest_store_model::{
    Bounds, Finding, Model, Rule, Rules, Run, Sync, Work, search, sequence,
};

const HELP: &str = "\
palimpsest-store-model [BOUND=N]... [without=RULE]... [without=SYNC]...
    goes through all states; prints their number, or the shortest way to a violation
palimpsest-store-model sweep [BOUND=N]...
    leaves each rule and each sync out in turn
palimpsest-store-model sequence
    prints what each operation does to files and locks";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match command(&arguments) {
        Ok(code) => code,
        Err(problem) => {
            println!("{problem}\n\n{}", help());
            ExitCode::from(2)
        }
    }
}

fn command(arguments: &[String]) -> Result<ExitCode, String> {
    match arguments.first().map(String::as_str) {
        Some("--help" | "-h") => {
            println!("{}", help());
            Ok(ExitCode::SUCCESS)
        }
        Some("sequence") => {
            for work in Work::ALL {
                println!("{}", work.name());
                for event in sequence(work) {
                    println!("  {event}");
                }
            }
            Ok(ExitCode::SUCCESS)
        }
        Some("sweep") => {
            sweep(&parse(&arguments[1..])?);
            Ok(ExitCode::SUCCESS)
        }
        _ => {
            let run = search(&parse(arguments)?);
            println!("{}", report(&run));
            let is_violated = run.violation().is_some();
            Ok(ExitCode::from(u8::from(is_violated)))
        }
    }
}

fn help() -> String {
    let names = |names: Vec<&str>| names.join(", ");
    format!(
        "{HELP}\n\nbounds: {}\nrules: {}\nsyncs: {}",
        names(BOUNDS.iter().map(|(name, _)| *name).collect()),
        names(Rule::ALL.iter().map(|it| it.name()).collect()),
        names(Sync::ALL.iter().map(|it| it.name()).collect()),
    )
}

type Setter = fn(&mut Bounds, usize) -> Result<(), std::num::TryFromIntError>;

macro_rules! count {
    ($field:ident) => {
        (stringify!($field), |bounds, value| {
            bounds.$field = value.try_into()?;
            Ok(())
        })
    };
}

macro_rules! switch {
    ($field:ident) => {
        (stringify!($field), |bounds, value| {
            bounds.$field = value != 0;
            Ok(())
        })
    };
}

const BOUNDS: [(&str, Setter); 19] = [
    count!(n_processes),
    count!(n_items),
    count!(n_erasures),
    count!(group_len_max),
    count!(n_kills),
    count!(n_power_losses),
    count!(n_failures),
    count!(n_checkpoints),
    count!(n_compactions),
    count!(n_openings),
    count!(n_follows),
    count!(n_readings),
    count!(n_closings),
    count!(n_overtaking),
    count!(n_states_max),
    switch!(is_torn),
    switch!(is_early),
    switch!(is_new),
    switch!(is_symmetric),
];

fn parse(arguments: &[String]) -> Result<Model, String> {
    let mut bounds = Bounds::default();
    let mut rules = Rules::default();
    for argument in arguments {
        let (key, value) = argument
            .split_once('=')
            .ok_or_else(|| format!("{argument} is no bound and no rule"))?;
        if key == "without" {
            rules = without(rules, value)?;
            continue;
        }
        let (_, set) = BOUNDS
            .iter()
            .find(|(name, _)| *name == key)
            .ok_or_else(|| format!("{key} is no bound"))?;
        let number = value.parse().map_err(|_| format!("{value} is no number"))?;
        set(&mut bounds, number).map_err(|_| format!("{value} is too much for {key}"))?;
    }
    match bounds.problem() {
        Some(problem) => Err(problem.to_owned()),
        None => Ok(Model::new(rules, bounds)),
    }
}

fn without(rules: Rules, name: &str) -> Result<Rules, String> {
    if let Some(rule) = Rule::from_name(name) {
        return Ok(rules.without(rule));
    }
    let sync = Sync::from_name(name).ok_or_else(|| format!("{name} is no rule and no sync"))?;
    Ok(rules.without_sync(sync))
}

fn report(run: &Run) -> String {
    let size = format!(
        "{} states, {} transitions, depth {}",
        run.n_states, run.n_transitions, run.depth
    );
    match &run.finding {
        Finding::Clean => format!("clean: {size}"),
        Finding::TooMany => format!("nothing found, and not everything seen: {size}"),
        Finding::Violated(violation, trace) => format!("{violation}: {size}\n{trace}"),
    }
}

fn sweep(model: &Model) {
    println!("all rules: {}", report(&search(model)));
    for rule in Rule::ALL {
        let run = search(&Model::new(model.rules.without(*rule), model.bounds));
        println!("without the rule {rule}: {}", first_line(&report(&run)));
    }
    for sync in Sync::ALL {
        let run = search(&Model::new(model.rules.without_sync(*sync), model.bounds));
        println!("without the sync {sync}: {}", first_line(&report(&run)));
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
