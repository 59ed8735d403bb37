//! Coordinated sampled listening (CSL): a sleepy child listens for a moment in every period, and its
//! parent sends in that moment (IEEE Std 802.15.4-2015, 6.12.2).
//!
//! ```text
//!  child    │ sample │ asleep │ sample │ asleep │ data request with phase and period │ asleep …
//!  parent   │                 │ frame            │ acknowledgement
//!
//!  sample   │ preamble │ uncertainty │ drift │ expected │ drift │ uncertainty │
//! ```
//!
//! Every frame of the child and every acknowledgement by the child contains the time until its next
//! sample. From then on, the clocks of both ends drift apart. The child therefore listens longer,
//! the older the last exchange is (`SubMac::GetCslWindowEdges`). A parent that has not heard its
//! child for the CSL timeout no longer sends in its samples. The child prevents this with a data
//! request before the timeout (`DataPollSender::GetDefaultPollPeriod`).

use std::cell::Cell;

use airlag_link::airtime::ieee802154::Phy;
use airlag_sim::Duration;

use crate::stack::ieee802154::element::{Csl, UNIT};

/// Time from the first symbol of a frame to that of its MAC header: preamble, start delimiter and
/// length.
pub const BEFORE_HEADER: Duration = Duration::from_ns(Phy::Oqpsk2450.duration_ns(0));
/// Time by which the child's data request precedes the timeout
/// (`OPENTHREAD_CONFIG_MAC_RETX_POLL_PERIOD`).
const POLL_AHEAD: Duration = Duration::from_ms(1_000);
/// Time before a frame at which a parent begins to prepare it
/// (`OPENTHREAD_CONFIG_MAC_CSL_REQUEST_AHEAD_US`).
pub const REQUEST_AHEAD: Duration = Duration::from_us(2_000);
/// Nanoseconds per second, for parts per billion.
const BILLION: i128 = 1_000_000_000;

/// Settings of a child in CSL, which its parent shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Time between samples, units of [`UNIT`].
    pub period: u16,
    /// Time without a frame of the child after which its parent gives up its samples.
    pub timeout: Duration,
    /// Sum of the accuracies of both clocks, ppb.
    pub accuracy_ppb: u64,
    /// Sum of the uncertainties of both ends.
    pub uncertainty: Duration,
    /// Time for which the processor of the child runs for a sample.
    pub software: Duration,
}

impl Settings {
    /// Time between samples.
    #[must_use]
    pub const fn period(&self) -> Duration {
        Duration::from_ns(self.period as u64 * UNIT.as_ns())
    }

    /// Time after the last exchange at which an idle child sends a data request.
    #[must_use]
    pub const fn keep_alive(&self) -> Duration {
        let (timeout, ahead) = (self.timeout.as_ns(), POLL_AHEAD.as_ns());
        Duration::from_ns(if timeout > ahead { timeout - ahead } else { timeout })
    }

    /// Times for which a child listens before and after the expected start of a MAC header, if the
    /// last exchange is `age` old. Neither exceeds half a period. A frame whose preamble is
    /// complete at the end is received anyway.
    #[must_use]
    pub fn edges(&self, age: Duration) -> [Duration; 2] {
        let drift = i128::from(age.as_ns()) * i128::from(self.accuracy_ppb) / BILLION;
        let margin = u64::try_from(drift).unwrap_or(u64::MAX / 4).min(u64::MAX / 4)
            + self.uncertainty.as_ns();
        let half = self.period().as_ns() / 2;
        [margin + BEFORE_HEADER.as_ns(), margin].map(|edge| Duration::from_ns(edge.min(half)))
    }
}

/// Samples of a child, on its own clock.
#[derive(Debug)]
pub(super) struct Samples {
    pub(super) settings: Settings,
    /// Start of the MAC header that the first sample expects, local ns.
    first: i64,
    /// Last exchange with the parent, local ns.
    pub(super) synchronized: Cell<i64>,
}

impl Samples {
    pub(super) fn new(settings: Settings, first: i64, synchronized: i64) -> Self {
        Self { settings, first, synchronized: Cell::new(synchronized) }
    }

    /// First sample at or after a local time, ns.
    pub(super) fn next(&self, local_ns: i64) -> i64 {
        next(self.first, self.settings.period(), local_ns)
    }

    /// Element of a frame whose MAC header begins at a local time, ns. The phase is rounded down
    /// (`ComputeCslPhase`), so that the parent may be early by less than one unit.
    pub(super) fn element(&self, header_ns: i64) -> Csl {
        let wait = (self.next(header_ns) - header_ns).cast_unsigned();
        Csl { phase: (wait / UNIT.as_ns()) as u16, period: self.settings.period }
    }

    /// Edges of the sample at a local time, ns.
    pub(super) fn edges(&self, sample_ns: i64) -> [Duration; 2] {
        let age = (sample_ns - self.synchronized.get()).max(0).cast_unsigned();
        self.settings.edges(Duration::from_ns(age))
    }
}

/// What a parent has from its child: one of its samples and the time of the message, local ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Heard {
    sample: i64,
    at: i64,
}

/// Samples of a child as far as its parent has heard of them, on the clock of the parent.
#[derive(Debug)]
pub(super) struct Forecast {
    settings: Settings,
    heard: Cell<Option<Heard>>,
}

impl Forecast {
    /// Creates the forecast from a child's sample and the time of the last exchange, local ns.
    pub(super) const fn new(settings: Settings, sample: i64, at: i64) -> Self {
        Self { settings, heard: Cell::new(Some(Heard { sample, at })) }
    }

    /// Takes an element of a frame whose MAC header began at a local time, ns.
    pub(super) fn hear(&self, element: Csl, header_ns: i64) {
        let phase = (u64::from(element.phase) * UNIT.as_ns()).cast_signed();
        self.heard.set(Some(Heard { sample: header_ns + phase, at: header_ns }));
    }

    /// Gives up the samples until the child is heard again.
    pub(super) fn lose(&self) {
        self.heard.set(None);
    }

    /// Start of the MAC header for the first sample at or after a local time, ns. `None` if the
    /// child was not heard for its timeout.
    pub(super) fn next(&self, local_ns: i64) -> Option<i64> {
        let heard = self.heard.get()?;
        let age = (local_ns - heard.at).max(0).cast_unsigned();
        (age < self.settings.timeout.as_ns())
            .then(|| next(heard.sample, self.settings.period(), local_ns))
    }
}

/// First time at or after `from` on a grid through `first`, ns.
fn next(first: i64, period: Duration, from: i64) -> i64 {
    let period = period.as_ns().cast_signed();
    from + (first - from).rem_euclid(period)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings {
        period: 6_250,
        timeout: Duration::from_ms(20_000),
        accuracy_ppb: 40_000,
        uncertainty: Duration::from_us(240),
        software: Duration::ZERO,
    };

    #[test]
    fn a_sample_grows_with_the_age_of_the_last_exchange_up_to_half_a_period() {
        let edges = |secs| SETTINGS.edges(Duration::from_secs(secs)).map(|edge| edge.as_ns());
        // 40 ppm of 10 s are 400 us; a preamble, start delimiter and length take 192 us.
        assert_eq!(edges(0), [432_000, 240_000]);
        assert_eq!(edges(10), [832_000, 640_000]);
        assert_eq!(edges(100_000), [500_000_000; 2]);
    }

    #[test]
    fn a_parent_finds_the_samples_within_a_unit_before_them() {
        let samples = Samples::new(SETTINGS, 123_456_789, 0);
        let forecast = Forecast::new(SETTINGS, 0, 0);
        for header_ns in [1_000_000, 123_456_789, 999_999_999, 5_123_400_000] {
            forecast.hear(samples.element(header_ns), header_ns);
            for later in [0, 1_000_000_000, 18_500_000_000] {
                let at = forecast.next(header_ns + later).expect("heard");
                let early = samples.next(at) - at;
                assert!((0..UNIT.as_ns().cast_signed()).contains(&early), "{header_ns}: {early}");
            }
        }
    }

    #[test]
    fn a_parent_gives_up_a_child_that_it_has_not_heard_for_its_timeout() {
        let forecast = Forecast::new(SETTINGS, 500_000_000, 0);
        assert_eq!(forecast.next(19_999_999_999), Some(20_500_000_000));
        assert_eq!(forecast.next(20_000_000_000), None);
        forecast.hear(Csl { phase: 0, period: 6_250 }, 21_000_000_000);
        assert_eq!(forecast.next(21_000_000_001), Some(22_000_000_000));
        forecast.lose();
        assert_eq!(forecast.next(21_000_000_001), None);
    }

    #[test]
    fn a_data_request_precedes_the_timeout_by_a_second() {
        assert_eq!(SETTINGS.keep_alive(), Duration::from_secs(19));
    }
}
