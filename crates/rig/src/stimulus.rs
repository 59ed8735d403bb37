//! Stimulus of a run: trigger times.

use airlag_sim::{Clock, Duration, Instant, Stream};

use crate::error::Error;

/// A signal generator, or the trigger times of a capture.
#[derive(Clone, Debug, PartialEq)]
pub enum Stimulus {
    /// Periodic pulses.
    Periodic(Periodic),
    /// Pulses at these times, ns since the bench was ready, ascending.
    At(Vec<u64>),
    /// Pulses at a fixed delay after transmissions of the idle link.
    Aligned(Aligned),
}

/// A signal generator triggered by a power detector near both radios of the link. Its pulses have a
/// fixed phase in the schedule of the link, whatever the errors of the oscillators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aligned {
    /// Delay from the first bit of a transmission to the trigger.
    pub offset: Duration,
    /// Shortest time between triggers; transmissions that would trigger earlier are ignored.
    pub period: Duration,
    /// Number of triggers.
    pub count: usize,
    /// Number of transmissions to skip before the transmission that causes the first trigger. A
    /// link transmits more than once in each cycle of its schedule. If the signal generator of a
    /// capture was started manually, its first trigger may follow any of these transmissions.
    pub skipped: usize,
}

/// A periodic signal generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Periodic {
    /// Trigger period, on the generator's clock.
    pub period: Duration,
    /// Number of triggers.
    pub count: usize,
    /// Delay of the first trigger after the bench is ready.
    pub phase: Duration,
    /// Largest delay of a trigger; the delay is uniformly distributed.
    pub jitter: Duration,
    /// Frequency error of the generator's clock, parts per billion; positive if it is fast.
    pub drift_ppb: i32,
}

/// Length of a trigger pulse: the generator setting of the latency comparison.
pub const PULSE: Duration = Duration::from_us(50);

impl Periodic {
    /// Creates `count` triggers, one every `period`, the first after one period, without jitter or
    /// drift. Their phase relative to a tick on the boards is constant.
    #[must_use]
    pub const fn new(period: Duration, count: usize) -> Self {
        Self { period, count, phase: period, jitter: Duration::ZERO, drift_ppb: 0 }
    }

    /// Spreads triggers uniformly over a whole period, as in interactive use.
    #[must_use]
    pub const fn asynchronous(mut self) -> Self {
        self.jitter = self.period;
        self
    }
}

impl Stimulus {
    /// Changes the number of triggers. `None` for listed triggers.
    pub(crate) fn with_count(&self, count: usize) -> Option<Self> {
        match *self {
            Self::Periodic(periodic) => Some(Self::Periodic(Periodic { count, ..periodic })),
            Self::Aligned(aligned) => Some(Self::Aligned(Aligned { count, ..aligned })),
            Self::At(_) => None,
        }
    }

    /// Number of triggers.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Periodic(Periodic { count, .. }) | Self::Aligned(Aligned { count, .. }) => *count,
            Self::At(times) => times.len(),
        }
    }

    /// Refuses a period shorter than a trigger pulse.
    pub(crate) fn check(&self, link: &str) -> Result<(), Error> {
        match self {
            Self::Periodic(Periodic { period, count, .. })
            | Self::Aligned(Aligned { period, count, .. })
                if *period < PULSE && *count > 1 =>
            {
                let us = |time: Duration| time.as_ns() as f64 / 1e3;
                let (period_us, least_us) = (us(*period), us(PULSE));
                Err(Error::PeriodTooShort { link: link.to_owned(), period_us, least_us })
            }
            _ => Ok(()),
        }
    }

    /// Trigger instants after `ready`, ascending.
    pub(crate) fn instants(&self, ready: Instant, stream: &mut Stream) -> Vec<Instant> {
        match self {
            Self::At(times) => times.iter().map(|&ns| ready + Duration::from_ns(ns)).collect(),
            // A stream without a transmission detector, such as that of another pair of the same
            // link, gets a random phase.
            &Self::Aligned(Aligned { period, count, .. }) => {
                Self::Periodic(Periodic::new(period, count).asynchronous()).instants(ready, stream)
            }
            Self::Periodic(p) => {
                let clock = Clock::exact().with_ppb(p.drift_ppb);
                let mut instants: Vec<Instant> = (0..p.count as u64)
                    .map(|nth| {
                        let nominal = p.phase + p.period * nth;
                        ready + clock.span(Instant::START, nominal) + stream.within(p.jitter)
                    })
                    .collect();
                instants.sort_unstable();
                instants
            }
        }
    }

    /// Time to wait for a completion after the last trigger.
    pub(crate) fn patience(&self) -> Duration {
        match self {
            Self::Periodic(Periodic { period, .. }) | Self::Aligned(Aligned { period, .. }) => {
                *period
            }
            Self::At(times) => {
                let longest = times.windows(2).map(|pair| pair[1] - pair[0]).max();
                Duration::from_ns(longest.unwrap_or(1_000_000_000))
            }
        }
    }
}
