//! Remote procedure calls: the six benchmarks of the bleRPC article, compared with published
//! results.
//!
//! - [`published`]: published results by platform.
//! - [`gains`]: improvements on the same link, one by one and all together.
//!
//! The benchmarks run one after the other in one connection, in the order of the programs in the
//! bleRPC article. A benchmark starts with a warm-up call if its program in the article does. A
//! call starts when the response to the previous call arrives, so the responses of one benchmark
//! determine the phase at which the next benchmark starts.

pub mod gains;
pub mod published;

use airlag_kinds::calls::ask;
use airlag_kinds::calls::drive::CallOutcome;
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
    /// Fifty calls that echo a short text.
    EchoRoundtrip,
    /// Twenty writes of 200 B.
    DataWriteThroughput,
    /// A stream of twenty items.
    CounterStream,
    /// An upload of twenty items.
    CounterUpload,
}

/// Bytes per KiB, which the article calls KB.
const KIB: f64 = 1024.0;
/// Length of the text in the article's echo, `hello`.
const TEXT: usize = 5;

impl Benchmark {
    /// All benchmarks in the order in which they run.
    pub const ALL: [Self; 6] = [
        Self::FlashReadThroughput,
        Self::FlashReadOverhead,
        Self::EchoRoundtrip,
        Self::DataWriteThroughput,
        Self::CounterStream,
        Self::CounterUpload,
    ];

    /// Name in the article.
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

    /// Unit of the result.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::FlashReadThroughput | Self::DataWriteThroughput => "KiB/s",
            Self::FlashReadOverhead | Self::EchoRoundtrip => "ms/call",
            Self::CounterStream | Self::CounterUpload => "ms/item",
        }
    }

    /// Whether a larger result is better.
    #[must_use]
    pub const fn more_is_better(self) -> bool {
        matches!(self, Self::FlashReadThroughput | Self::DataWriteThroughput)
    }

    /// A call of the benchmark.
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

    /// Number of warm-up calls, and of measured calls.
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

    /// Result of `calls` calls in `ns`.
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

/// Result of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The benchmark.
    pub benchmark: Benchmark,
    /// Result, in the unit of the benchmark. `None` if a call failed.
    pub result: Option<f64>,
    /// Number of measured calls with a response.
    pub answered: usize,
    /// Number of measured calls, without warm-up calls.
    pub calls: usize,
    /// Latency from the start of each call to its response.
    pub latency: Option<Summary>,
}

/// Runs the benchmarks over the link of `profile`, all in one connection.
///
/// # Errors
///
/// Returns the errors of a run.
pub fn benchmarks(profile: &Profile, seed: u64) -> Result<Vec<Measured>, Error> {
    let asks: Vec<Ask> = Benchmark::ALL.into_iter().flat_map(Benchmark::asks).collect();
    let outcomes = ask(profile, &asks, seed)?;
    let mut rest = outcomes.as_slice();
    let measure = |benchmark: Benchmark| {
        let (warm, count) = benchmark.calls();
        let (now, later) = rest.split_at((warm + count).min(rest.len()));
        rest = later;
        measured(benchmark, &now[warm.min(now.len())..])
    };
    Ok(Benchmark::ALL.into_iter().map(measure).collect())
}

fn measured(benchmark: Benchmark, calls: &[CallOutcome]) -> Measured {
    let answered = |outcome: &&CallOutcome| outcome.answered;
    let over = calls.iter().filter(answered).filter_map(|outcome| outcome.over);
    let latencies: Vec<i64> = calls
        .iter()
        .filter(answered)
        .filter_map(|outcome| i64::try_from(outcome.over?.since(outcome.begun).as_ns()).ok())
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
