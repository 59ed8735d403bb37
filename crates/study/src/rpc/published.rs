//! Published results of the six benchmarks: `blerpc` of `links/sources.toml`, section Benchmark Results.

use airlag_kinds::calls::request::Call;

use super::Benchmark;

/// A platform on which calls can be measured, with or without published measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Platform {
    /// Name on the command line. Its link is `rpc-` plus this name.
    pub name: &'static str,
    /// Results in the order of [`Benchmark::ALL`]. `None` if nothing was published.
    pub published: Option<[f64; 6]>,
    /// Benchmarks on which constants of its link are fitted.
    pub fitted_on: &'static [Benchmark],
    /// Contradiction between the published figures and the timing of the link. `None` if there is
    /// none.
    pub disagrees: Option<&'static str>,
}

/// All platforms.
pub const PLATFORMS: [Platform; 5] = [
    Platform {
        name: "macos",
        published: Some([30.3, 60.1, 60.6, 3.3, 5.8, 7.4]),
        fitted_on: &[Benchmark::FlashReadThroughput, Benchmark::CounterUpload],
        disagrees: Some(
            "the article states an interval of 15 ms and a round trip of about 30 ms for macOS, but measures \
             60.6 ms: four intervals of 15 ms, or two of the 30 ms of the other centrals; its other figures fit \
             30 ms",
        ),
    },
    Platform {
        name: "iphone16",
        published: Some([32.1, 62.3, 60.0, 3.3, 6.1, 4.5]),
        fitted_on: &[Benchmark::FlashReadThroughput],
        disagrees: None,
    },
    Platform {
        name: "pixel5",
        published: Some([59.0, 90.4, 62.2, 3.2, 3.7, 5.1]),
        fitted_on: &[Benchmark::FlashReadOverhead, Benchmark::CounterUpload],
        disagrees: Some(
            "on this central only, a read of a byte takes one interval longer than an echo; the article gives \
             no reason, and none is known",
        ),
    },
    Platform { name: "nrf52", published: None, fitted_on: &[], disagrees: None },
    Platform { name: "linux", published: None, fitted_on: &[], disagrees: None },
];

/// Names of all platforms in one line.
pub(crate) fn names() -> String {
    PLATFORMS.map(|platform| platform.name).join(", ")
}

impl Platform {
    /// Name of its link.
    #[must_use]
    pub fn link(&self) -> String {
        format!("rpc-{}", self.name)
    }

    /// Published result of a benchmark.
    #[must_use]
    pub fn published(&self, benchmark: Benchmark) -> Option<f64> {
        let at = Benchmark::ALL.iter().position(|&one| one == benchmark)?;
        self.published.map(|figures| figures[at])
    }
}

/// Returns published results for such calls over a link, and contradictions in these results, as
/// sentences. Empty if the link has no platform, or if no benchmark covers the call.
#[must_use]
pub fn sentences(link: &str, call: Call, size: usize) -> Vec<String> {
    let mut of_call: Vec<Benchmark> =
        Benchmark::ALL.into_iter().filter(|one| one.ask().call == call).collect();
    of_call.sort_by_key(|one| one.name());
    let longest = of_call.iter().map(|one| one.ask().size).max();
    let platform = PLATFORMS.iter().find(|platform| platform.link() == link);
    let Some(platform) = platform.filter(|_| longest == Some(size)) else { return Vec::new() };
    let figure = |one: &Benchmark| {
        let value = platform.published(*one)?;
        Some(format!("{} {value:.1} {}", one.name(), one.unit()))
    };
    let figures: Vec<String> = of_call.iter().filter_map(figure).collect();
    let mut found = Vec::new();
    if !figures.is_empty() {
        found.push(format!(
            "published, for back-to-back calls: {}. Here calls start at random times; airlag rpc bench \
             repeats the published measurement.",
            figures.join(", ")
        ));
    }
    found.extend(platform.disagrees.map(|why| format!("But {why}.")));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_of_the_call_and_the_payload_they_were_published_for() {
        let lines = sentences("rpc-macos", Call::FlashRead, 8_192);
        let figures = "flash_read_overhead 60.1 ms/call, flash_read_throughput 30.3 KiB/s.";
        assert!(lines[0].contains(figures), "{lines:?}");
        assert!(lines[1].starts_with("But the article states"));
        assert!(sentences("rpc-macos", Call::FlashRead, 100).is_empty());
        assert!(sentences("nrf24-2m", Call::FlashRead, 8_192).is_empty());
        assert!(sentences("rpc-linux", Call::Echo, 5).is_empty());
    }
}
