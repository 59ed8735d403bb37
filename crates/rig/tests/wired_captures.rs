//! The two wired fixtures against real captures.
//!
//! The bench is given a capture's own trigger times. Free are only the initial phases: where the
//! bit clock, the tick and the loop stand, and how many bytes the DMA ring had taken before the
//! first message. Everything else is in the profiles, each constant fitted on one capture at most.
//!
//! Captures lie in the folder `AIRLAG_CAPTURES`, by default beside the workspace. Without them
//! these tests say so and pass. The table is kept in `wired_captures/`: what changes a number
//! there shows in review. `AIRLAG_UPDATE=1` writes it anew.

#![allow(clippy::print_stdout, reason = "the table is what a reader wants")]

mod bench;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use airlag_rig::{Profile, Stimulus};
use airlag_stats::dist::quantiles;
use airlag_stats::{PairOptions, Transfers, pair::pair};
use airlag_trace::ReadOptions;
use bench::{captures, ks_distance, profile, transfers};

const LEVELS: [f64; 5] = [0.01, 0.25, 0.5, 0.75, 0.99];

/// Says that something was not tested, where even a test that passes is heard.
fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

/// The transfers of a capture, if it is there.
fn captured(folder: &Path, file: &str) -> Option<Transfers> {
    let path = folder.join(format!("{file}.csv"));
    if !path.is_file() {
        skipped(&format!("no {file}"));
        return None;
    }
    let trace = airlag_trace::read(&path, &ReadOptions::default()).expect("a capture is readable");
    Some(pair(&trace, PairOptions::default()))
}

/// Runs a profile at the trigger times of a capture, as far as `count` of them.
fn virtual_twin(profile: &Profile, size: usize, real: &Transfers, count: usize) -> Transfers {
    let first = real.trigger_ns[0];
    let since = |&ns: &i64| u64::try_from(ns - first).expect("ascending") + 1_000_000;
    let times = real.trigger_ns.iter().take(count).map(since).collect();
    transfers(&bench::bench(profile, size, &Stimulus::At(times), 7))
}

/// The position in the ring that explains the first transfers best: the one thing about a DMA
/// capture that nobody wrote down.
fn ring_start(name: &str, settings: &[(&str, &str)], real: &Transfers) -> String {
    let early = real.latencies_ns();
    let error = |start: &u64| {
        let text = start.to_string();
        let mut all = settings.to_vec();
        all.push(("ring_start", &text));
        let made = virtual_twin(&profile(name, &all), 12, real, 16).latencies_ns();
        made.iter().zip(&early).map(|(made, real)| (made - real).abs()).sum::<i64>()
    };
    (0..32).min_by_key(error).expect("32 of them").to_string()
}

/// One row a capture: captured and virtual quantiles, the largest error, the distance.
struct Row {
    text: String,
    worst_ns: f64,
    worst_share: f64,
}

impl Row {
    fn new(label: &str, real: &Transfers, made: &Transfers, settings: &[(&str, &str)]) -> Self {
        let (mut real, mut made) = (real.latencies_ns(), made.latencies_ns());
        real.sort_unstable();
        made.sort_unstable();
        let (captured, virtually) = (quantiles(&real, &LEVELS), quantiles(&made, &LEVELS));
        let mut text = String::new();
        for (name, values) in [("captured", &captured), ("virtual", &virtually)] {
            let _ = write!(text, "{label:<24} {name:<8}");
            for value in values {
                let _ = write!(text, " {:>10.3}", value / 1e3);
            }
            text.push('\n');
        }
        let apart = |(c, v): (&f64, &f64)| ((c - v).abs(), (c - v).abs() / c);
        let errors: Vec<(f64, f64)> = captured.iter().zip(&virtually).map(apart).collect();
        let worst_ns = errors.iter().map(|&(ns, _)| ns).fold(0.0, f64::max);
        let worst_share = errors.iter().map(|&(_, share)| share).fold(0.0, f64::max);
        let distance = ks_distance(&real, &made);
        let _ = write!(text, "{label:<24} n {}, off by {worst_ns:.0} ns at most,", real.len());
        let _ = write!(text, " {:.2} %, KS {distance:.3}", worst_share * 100.0);
        for (key, value) in settings {
            let _ = write!(text, ", {key} {value}");
        }
        text.push('\n');
        Self { text, worst_ns, worst_share }
    }
}

/// Holds the rows against the committed table. A capture that is not at hand has no row, and one
/// that was not when the table was written is only printed.
fn review(kind: &str, rows: &str) {
    print!("{HEADING}\n{rows}");
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/wired_captures/{kind}.txt"));
    if std::env::var_os("AIRLAG_UPDATE").is_some() {
        std::fs::write(&path, format!("{HEADING}\n{rows}")).expect("the table is writable");
    }
    let kept = std::fs::read_to_string(&path).expect("the table is in the tree");
    for row in rows.lines() {
        let mut words = row.split_whitespace();
        let key = (words.next(), words.next());
        let old = kept.lines().find(|old| {
            let mut words = old.split_whitespace();
            (words.next(), words.next()) == key
        });
        assert!(old.is_none_or(|old| old == row), "was {old:?}\nis  {row:?}");
    }
}

const HEADING: &str =
    "us                                        p1        p25        p50        p75        p99";

const GPIO: [&str; 6] = [
    "stm32-ll-o3",
    "stm32-ll-og",
    "stm32-ll-os",
    "stm32duino-o1",
    "stm32duino-og",
    "stm32duino-os",
];

#[test]
fn every_gpio_capture_is_met_within_15_ns_or_5_percent() {
    let Some(folder) = captures() else { return };
    let mut rows = String::new();
    for build in GPIO {
        let file = format!("gpio-fixture/{}", build.trim_start_matches("stm32-"));
        let Some(real) = captured(&folder, &file) else { continue };
        let made = virtual_twin(&profile(&format!("gpio-{build}"), &[]), 12, &real, usize::MAX);
        assert_eq!(made.latencies_ns().len(), real.trigger_ns.len(), "{build}: one strobe each");
        rows += &Row::new(build, &real, &made, &[]).text;
        let (captured, virtually) = (real.latencies_ns(), made.latencies_ns());
        let both = quantiles(&captured, &LEVELS).into_iter().zip(quantiles(&virtually, &LEVELS));
        for (real, made) in both {
            let apart = (real - made).abs();
            assert!(apart <= 15.0 || apart <= 0.05 * real, "{build}: {real} against {made}");
        }
    }
    review("gpio", &rows);
}

/// A capture of two serial ports.
struct Capture {
    file: &'static str,
    profile: &'static str,
    size: usize,
    build: &'static str,
    /// Seen while the profiles were written; the others are predicted blindly.
    seen: bool,
}

const fn capture(file: &'static str, profile: &'static str) -> Capture {
    Capture { file, profile, size: 12, build: "release", seen: true }
}

impl Capture {
    const fn size(mut self, size: usize) -> Self {
        self.size = size;
        self
    }
    const fn build(mut self, build: &'static str) -> Self {
        self.build = build;
        self
    }
    const fn blind(mut self) -> Self {
        self.seen = false;
        self
    }

    fn transfers(&self, folder: &Path) -> Option<Transfers> {
        captured(folder, &format!("uart-fixture/{}", self.file))
    }

    /// The bench at the capture's trigger times, and what was set for it.
    fn twin(&self, real: &Transfers) -> (Transfers, Vec<(&'static str, String)>) {
        let mut settings = vec![("build", self.build.to_owned())];
        if self.profile.ends_with("dma") {
            let start = ring_start(self.profile, &[("build", self.build)], real);
            settings.push(("ring_start", start));
        }
        let plain: Vec<(&str, &str)> = settings.iter().map(|(k, v)| (*k, v.as_str())).collect();
        let made = virtual_twin(&profile(self.profile, &plain), self.size, real, usize::MAX);
        (made, settings)
    }
}

const UART: &[Capture] = &[
    capture("baudrate-12B-logs__115200-poll", "uart-115200-poll"),
    capture("baudrate-12B-logs__115200-irq", "uart-115200-irq"),
    capture("baudrate-12B-logs__115200-dma", "uart-115200-dma"),
    capture("baudrate-12B-logs__230400-poll", "uart-230400-poll").blind(),
    capture("baudrate-12B-logs__230400-irq", "uart-230400-irq").blind(),
    capture("baudrate-12B-logs__230400-dma", "uart-230400-dma").blind(),
    capture("baudrate-12B-logs__460800-poll", "uart-460800-poll"),
    capture("baudrate-12B-logs__460800-irq", "uart-460800-irq"),
    capture("baudrate-12B-logs__460800-dma", "uart-460800-dma"),
    capture("baudrate-12B-logs__921600-poll", "uart-921600-poll").blind(),
    capture("baudrate-12B-logs__921600-irq", "uart-921600-irq").blind(),
    capture("baudrate-12B-logs__921600-dma", "uart-921600-dma").blind(),
    capture("baudrate-12B-logs__1843200-poll", "uart-1843200-poll"),
    capture("baudrate-12B-logs__1843200-irq", "uart-1843200-irq"),
    capture("baudrate-12B-logs__1843200-dma", "uart-1843200-dma"),
    capture("packet-size-tests__115200-12B", "uart-115200-irq"),
    capture("packet-size-tests__115200-128B", "uart-115200-irq").size(128).blind(),
    capture("packet-size-tests__115200-1024B", "uart-115200-irq").size(1024),
    // The name says 912600.
    capture("packet-size-tests__912600-12B", "uart-921600-irq").blind(),
    capture("packet-size-tests__912600-128B", "uart-921600-irq").size(128).blind(),
    capture("packet-size-tests__921600-1024B", "uart-921600-irq").size(1024).blind(),
    capture("peripheral-configuration-12B-logs__ll-115200-poll-release", "uart-115200-poll"),
    capture("peripheral-configuration-12B-logs__ll-115200-irq-release", "uart-115200-irq"),
    capture("peripheral-configuration-12B-logs__ll-115200-dma-release", "uart-115200-dma"),
    capture("peripheral-configuration-12B-logs__ll-115200-poll-minsize", "uart-115200-poll")
        .build("minsize"),
    capture("peripheral-configuration-12B-logs__ll-115200-irq-minsize", "uart-115200-irq")
        .build("minsize"),
    capture("peripheral-configuration-12B-logs__ll-115200-dma-minsize", "uart-115200-dma")
        .build("minsize"),
    capture("peripheral-configuration-12B-logs__ll-115200-poll-debug", "uart-115200-poll")
        .build("debug"),
    capture("peripheral-configuration-12B-logs__ll-115200-irq-debug", "uart-115200-irq")
        .build("debug"),
    capture("peripheral-configuration-12B-logs__ll-115200-dma-debug", "uart-115200-dma")
        .build("debug"),
];

#[test]
fn every_uart_capture_is_met_within_one_bit() {
    let Some(folder) = captures() else { return };
    let mut rows = String::new();
    for capture in UART {
        let Some(real) = capture.transfers(&folder) else { continue };
        let (made, settings) = capture.twin(&real);
        let file = capture.file;
        assert_eq!(made.latencies_ns().len(), real.latencies_ns().len(), "{file}: as many strobes");
        let plain: Vec<(&str, &str)> = settings.iter().map(|(k, v)| (*k, v.as_str())).collect();
        let label = file.split("__").nth(1).unwrap_or(file);
        let row = Row::new(label, &real, &made, &plain);
        rows += &row.text;
        let baud = capture.profile.split('-').nth(1).and_then(|text| text.parse::<f64>().ok());
        let bit_ns = 1e9 / baud.expect("a rate in the name");
        // What was never looked at is held to what any deterministic link is held to.
        let met = row.worst_ns <= bit_ns
            || !capture.seen && (row.worst_ns <= 300_000.0 || row.worst_share <= 0.05);
        assert!(met, "{}", row.text);
    }
    review("uart", &rows);
}

#[test]
fn exactly_every_fourth_dma_transfer_is_early_in_captures_and_on_the_bench() {
    let Some(folder) = captures() else { return };
    for capture in UART.iter().filter(|one| one.seen && one.profile.ends_with("dma")) {
        let Some(real) = capture.transfers(&folder) else { continue };
        let (made, settings) = capture.twin(&real);
        let (real, made) = (earliest_of_four(&real), earliest_of_four(&made));
        println!("{}: every fourth, from {real}, {settings:?}", capture.file);
        assert_eq!(real, made, "{}", capture.file);
    }
}

/// Which of every four transfers is early: the same one throughout, and each time earlier than the
/// three around it.
fn earliest_of_four(transfers: &Transfers) -> usize {
    let latencies = transfers.latencies_ns();
    let least = |four: &[i64]| (0..4).min_by_key(|&at| four[at]).expect("four");
    let first = least(&latencies[..4]);
    for four in latencies.chunks_exact(4) {
        assert_eq!(least(four), first, "{four:?}");
    }
    first
}
