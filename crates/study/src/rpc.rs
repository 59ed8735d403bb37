//! Calls on a link: the six benchmarks of bleRPC, beside what was published of them.
//!
//! - [`published`]: the figures of the article, by platform.
//! - [`gains`]: what can be done better on the same link, each by itself and all together.
//!
//! The benchmarks run one after the other in one connection, in the order of the article's own programs,
//! each after a call to warm up where those have one: a call begins when the one before it was answered,
//! so that the answers of one benchmark set the phase of the next.

pub mod gains;
pub mod published;

use airlag_kinds::calls::ask;
use airlag_kinds::calls::drive::Fate;
use airlag_kinds::calls::request::{Ask, Call};
use airlag_rig::profile::Profile;
use airlag_stats::dist::Summary;

use crate::error::Error;

/// A benchmark of the article.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Benchmark {
    /// Ten reads of 8 KiB.
    FlashReadThroughput,
    /// Twenty reads of a byte.
    FlashReadOverhead,
    /// Fifty short texts, and back.
    EchoRoundtrip,
    /// Twenty writes of 200 B.
    DataWriteThroughput,
    /// A stream of twenty items.
    CounterStream,
    /// An upload of twenty items.
    CounterUpload,
}

/// Bytes of a KiB, which the article calls KB.
const KIB: f64 = 1024.0;
/// The text of the article's echo: `hello`.
const TEXT: usize = 5;

impl Benchmark {
    /// All of them, in the order in which they run.
    pub const ALL: [Self; 6] = [
        Self::FlashReadThroughput,
        Self::FlashReadOverhead,
        Self::EchoRoundtrip,
        Self::DataWriteThroughput,
        Self::CounterStream,
        Self::CounterUpload,
    ];

    /// What the article calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FlashReadThroughput => "flash_read_throughput",
            Self::FlashReadOverhead => "flash_read_overhead",
            Self::EchoRoundtrip => "echo_roundtrip",
            Self::DataWriteThroughput => "data_write_throughput",
            Self::CounterStream => "counter_stream",
            Self::CounterUpload => "counter_upload",
        }
    }

    /// Of what its result is.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::FlashReadThroughput | Self::DataWriteThroughput => "KiB/s",
            Self::FlashReadOverhead | Self::EchoRoundtrip => "ms/call",
            Self::CounterStream | Self::CounterUpload => "ms/item",
        }
    }

    /// True of a throughput.
    #[must_use]
    pub const fn more_is_better(self) -> bool {
        matches!(self, Self::FlashReadThroughput | Self::DataWriteThroughput)
    }

    /// One of its calls.
    const fn ask(self) -> Ask {
        match self {
            Self::FlashReadThroughput => Ask::new(Call::FlashRead, 8_192),
            Self::FlashReadOverhead => Ask::new(Call::FlashRead, 1),
            Self::EchoRoundtrip => Ask::new(Call::Echo, TEXT),
            Self::DataWriteThroughput => Ask::new(Call::DataWrite, 200),
            Self::CounterStream => Ask::new(Call::CounterStream, 20),
            Self::CounterUpload => Ask::new(Call::CounterUpload, 20),
        }
    }

    /// Calls to warm up, and calls that count.
    const fn calls(self) -> (usize, usize) {
        match self {
            Self::FlashReadThroughput => (1, 10),
            Self::FlashReadOverhead | Self::DataWriteThroughput => (1, 20),
            Self::EchoRoundtrip => (1, 50),
            Self::CounterStream | Self::CounterUpload => (0, 1),
        }
    }

    fn asks(self) -> impl Iterator<Item = Ask> {
        let (warm, count) = self.calls();
        let first = move |nth| nth == 0 || nth == warm;
        let (one, alone) = (self.ask(), self.ask().alone());
        (0..warm + count).map(move |nth| if first(nth) { alone } else { one })
    }

    /// What so many calls in so many ns come to.
    fn result(self, calls: usize, ns: u64) -> f64 {
        let Ask { size, .. } = self.ask();
        let (calls, ms) = (calls as f64, ns as f64 / 1e6);
        match self {
            Self::FlashReadThroughput | Self::DataWriteThroughput => {
                calls * size as f64 / KIB / (ms / 1e3)
            }
            Self::FlashReadOverhead | Self::EchoRoundtrip => ms / calls,
            Self::CounterStream | Self::CounterUpload => ms / (calls * size as f64),
        }
    }
}

/// What a benchmark came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Which one.
    pub benchmark: Benchmark,
    /// Its result; none if a call failed.
    pub result: Option<f64>,
    /// Calls that were answered, of those that count.
    pub answered: usize,
    /// Calls that count.
    pub calls: usize,
    /// From the beginning of each to its answer.
    pub latency: Option<Summary>,
}

/// Runs the benchmarks over the link of `profile`, all in one connection.
///
/// # Errors
///
/// Those of a run.
pub fn benchmarks(profile: &Profile, seed: u64) -> Result<Vec<Measured>, Error> {
    let asks: Vec<Ask> = Benchmark::ALL.into_iter().flat_map(Benchmark::asks).collect();
    let fates = ask(profile, &asks, seed)?;
    let mut rest = fates.as_slice();
    let measure = |benchmark: Benchmark| {
        let (warm, count) = benchmark.calls();
        let (now, later) = rest.split_at((warm + count).min(rest.len()));
        rest = later;
        measured(benchmark, &now[warm.min(now.len())..])
    };
    Ok(Benchmark::ALL.into_iter().map(measure).collect())
}

fn measured(benchmark: Benchmark, calls: &[Fate]) -> Measured {
    let answered = |fate: &&Fate| fate.answered;
    let over = calls.iter().filter(answered).filter_map(|fate| fate.over);
    let latencies: Vec<i64> = calls
        .iter()
        .filter(answered)
        .filter_map(|fate| i64::try_from(fate.over?.since(fate.begun).as_ns()).ok())
        .collect();
    let elapsed = calls.first().map(|first| first.begun).zip(over.max());
    let (_, count) = benchmark.calls();
    let whole = latencies.len() == count;
    let result = elapsed
        .filter(|_| whole)
        .map(|(begun, over)| benchmark.result(count, over.since(begun).as_ns()));
    let (answered, latency) = (latencies.len(), Summary::of(&latencies));
    Measured { benchmark, result, answered, calls: count, latency }
}
