//! When the triggers come.

use airlag_sim::{Clock, Duration, Instant, Stream};

use crate::error::Error;

/// A signal generator, or the trigger times of a capture.
#[derive(Clone, Debug, PartialEq)]
pub enum Stimulus {
    /// Pulses at a period.
    Periodic(Periodic),
    /// Pulses at these times, ns since the bench was ready, ascending.
    At(Vec<u64>),
    /// Pulses a fixed time after transmissions that the link makes on its own.
    Aligned(Aligned),
}

/// A signal generator triggered by a power detector beside both radios of the link. So a pulse has a fixed
/// phase in the schedule of the link, whatever the oscillators do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aligned {
    /// From the first bit of a transmission to the trigger.
    pub offset: Duration,
    /// Least time from trigger to trigger; transmissions that would trigger sooner are ignored.
    pub period: Duration,
    /// How many.
    pub count: usize,
    /// Transmissions before the first trigger, of those that would trigger: a link transmits more than
    /// once in each of its cycles, and a generator that was switched on by hand may follow any of them.
    pub skipped: usize,
}

/// A signal generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Periodic {
    /// From trigger to trigger, on the generator's clock.
    pub period: Duration,
    /// How many.
    pub count: usize,
    /// From the bench being ready to the first one.
    pub phase: Duration,
    /// Each trigger comes late by up to this much, each nanosecond equally likely.
    pub jitter: Duration,
    /// Parts per billion the generator's clock runs fast.
    pub drift_ppb: i32,
}

/// Length of a trigger pulse: what the generator of the latency comparison was set to.
pub const PULSE: Duration = Duration::from_us(50);

impl Periodic {
    /// `count` triggers every `period`, the first after one period, without jitter or drift: the
    /// phase of anything that ticks on the boards is frozen.
    #[must_use]
    pub const fn new(period: Duration, count: usize) -> Self {
        Self { period, count, phase: period, jitter: Duration::ZERO, drift_ppb: 0 }
    }

    /// The same with triggers spread evenly over a whole period: what a user feels.
    #[must_use]
    pub const fn asynchronous(mut self) -> Self {
        self.jitter = self.period;
        self
    }
}

impl Stimulus {
    /// The same with `count` triggers; none where they are listed.
    pub(crate) fn with_count(&self, count: usize) -> Option<Self> {
        match *self {
            Self::Periodic(periodic) => Some(Self::Periodic(Periodic { count, ..periodic })),
            Self::Aligned(aligned) => Some(Self::Aligned(Aligned { count, ..aligned })),
            Self::At(_) => None,
        }
    }

    /// How many triggers.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Periodic(Periodic { count, .. }) | Self::Aligned(Aligned { count, .. }) => *count,
            Self::At(times) => times.len(),
        }
    }

    /// Refuses a period that is shorter than a trigger pulse.
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
            // Where nothing detects the transmissions, as for other pairs of the same link: any phase.
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

    /// How long after the last trigger a completion is still waited for.
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
