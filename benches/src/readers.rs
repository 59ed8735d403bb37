//! How long capture files take to become edges, beside other programs on the same files.
//!
//! Every measurement is a separate process, so the start-up time and the memory of both readers are
//! counted in the same way. `readers ours FILE` runs airlag's reader, and `readers saleae-importer
//! FILE` runs the importer with which airlag's reader is compared. Other programs load the machine
//! to a varying degree. Each round therefore measures both readers, one after the other, and the
//! medians of their durations over all rounds are compared.

use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use airlag_trace::ReadOptions;

mod captures;
#[path = "../../crates/trace/tests/made/mod.rs"]
mod made;

use captures::Captures;

const ROUNDS: usize = 9;
const SIZES: [usize; 2] = [1_000_000, 10_000_000];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [_, "ours", path] => ours(Path::new(path)),
        [_, "saleae-importer", path] => theirs(Path::new(path)),
        [_] => compare(),
        _ => Err("usage: readers".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("readers: {error}");
            ExitCode::from(2)
        }
    }
}

/// Edges of all channels, by our reader.
fn ours(path: &Path) -> Result<(), Box<dyn Error>> {
    let trace = airlag_trace::read(path, &ReadOptions::default())?;
    let edges: usize = trace.channels.iter().map(|channel| channel.edge_count()).sum();
    println!("{edges}");
    Ok(())
}

/// Edges of all files of a folder, in nanoseconds as ours are, by the crate saleae-importer.
fn theirs(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut edges = 0;
    for number in 0..2 {
        let path = folder.join(format!("digital_{number}.bin"));
        let export = saleae_importer::SaleaeExport::open(path)?.assume_digital();
        let ns: Vec<i64> =
            export.transition_times.iter().map(|time| (time * 1e9).round() as i64).collect();
        edges += std::hint::black_box(ns).len();
    }
    println!("{edges}");
    Ok(())
}

/// A command to measure.
struct Contender {
    name: &'static str,
    command: Vec<String>,
}

impl Contender {
    fn ours(program: &str, path: &Path) -> Self {
        let command = vec![program.to_owned(), "ours".to_owned(), path.display().to_string()];
        Self { name: "airlag", command }
    }

    fn sigrok(path: &Path, output: &Path) -> Self {
        let command = ["sigrok-cli", "-i", &path.display().to_string(), "-O", "vcd", "-o"]
            .map(str::to_owned)
            .into_iter()
            .chain([output.display().to_string()]);
        Self { name: "sigrok-cli", command: command.collect() }
    }

    fn run(&self) -> Result<Duration, Box<dyn Error>> {
        let start = Instant::now();
        let status = Command::new(&self.command[0])
            .args(&self.command[1..])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        let took = start.elapsed();
        if status.success() { Ok(took) } else { Err(format!("{:?} failed", self.command).into()) }
    }
}

/// Medians of two contenders, in turn.
fn medians(pair: [&Contender; 2], rounds: usize) -> Result<[Duration; 2], Box<dyn Error>> {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        for (contender, times) in pair.iter().zip(&mut times) {
            times.push(contender.run()?);
        }
    }
    Ok(times.map(|mut times| {
        times.sort();
        times[times.len() / 2]
    }))
}

fn report(what: &str, transitions: usize, pair: [&Contender; 2], [a, b]: [Duration; 2]) {
    println!(
        "{:<22} {:>3} M  {:<14} {:>9.1} ms  {:<16} {:>9.1} ms  {:>7.2} times",
        what,
        transitions / 1_000_000,
        pair[0].name,
        a.as_secs_f64() * 1e3,
        pair[1].name,
        b.as_secs_f64() * 1e3,
        b.as_secs_f64() / a.as_secs_f64(),
    );
}

fn compare() -> Result<(), Box<dyn Error>> {
    let program = std::env::current_exe()?.display().to_string();
    let parent = std::env::temp_dir().join("airlag-benches");
    let sigrok = Command::new("sigrok-cli").arg("--version").output().is_ok();
    if !sigrok {
        println!("sigrok-cli is not installed; its rows are left out");
    }
    machine();
    println!("file to edges, each a process; median of {ROUNDS} (3 for sigrok-cli at 10 M)\n");
    for transitions in SIZES {
        let made = Captures::make(&parent, transitions)?;
        let binary = Contender::ours(&program, &made.path("binary"));
        let importer = Contender {
            name: "saleae-importer",
            command: vec![
                program.clone(),
                "saleae-importer".to_owned(),
                made.path("binary").display().to_string(),
            ],
        };
        let pair = [&binary, &importer];
        report("Saleae binary", transitions, pair, medians(pair, ROUNDS)?);
        let mut native = Contender::ours(&program, &made.path("capture.sal"));
        native.name = "airlag .sal";
        let mut export = binary;
        export.name = "airlag binary";
        let pair = [&native, &export];
        report(".sal beside its export", transitions, pair, medians(pair, ROUNDS)?);
        let rounds = if transitions > SIZES[0] { 3 } else { ROUNDS };
        for (what, file) in [("sigrok session", "capture.sr"), ("VCD", "capture.vcd")] {
            if sigrok {
                let output = made.path("theirs.vcd");
                let pair = [
                    &Contender::ours(&program, &made.path(file)),
                    &Contender::sigrok(&made.path(file), &output),
                ];
                report(what, transitions, pair, medians(pair, rounds)?);
                std::fs::remove_file(output)?;
            }
        }
    }
    println!("\nThe captures stay in {} for the next time.", parent.display());
    Ok(())
}

/// What it ran on.
fn machine() {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("unknown processor", |rest| rest.trim_start_matches([' ', '\t', ':']));
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    println!("{model}, {cores} cores, {} {}", std::env::consts::OS, std::env::consts::ARCH);
}
