//! Tuning: parameters of a link, metrics of a setting, and limits.
//!
//! An optimiser requests settings in batches ([`Bench::measure`]) and decides what to try next. This module
//! evaluates a setting from runs with several seeds.
//!
//! - [`metric`]: metrics with their units, and confidence intervals over several runs.
//! - [`limit`]: limits on metrics, such as `loss<0.1%`, and whether a setting meets a limit with a given
//!   confidence.
//! - [`space`]: parameters of a link with their possible values. [`steps`]: the step widths of these values
//!   that the hardware supports.

pub mod limit;
pub mod metric;
pub mod space;
pub mod steps;

use std::collections::BTreeMap;
use std::sync::Arc;

use airlag_law::Region;
use airlag_rig::batteries::Battery;
use airlag_rig::carry::Extent;
use airlag_rig::emissions::{Sender, emitted};
use airlag_rig::places;
use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, Run as Seen};
use airlag_rig::stimulus::Stimulus;
use airlag_sim::Duration;
use airlag_stats::dist::Summary;
use airlag_stats::{NONE, Outcome, Transfers};

use crate::law::Judged;
use crate::overload::{Offer, overload, sent};
use crate::side_by_side::side_by_side;
use crate::{charge, goodput, matched, pace};
use limit::Limit;
use metric::{Figure, Metric};

/// Settings by parameter, in the syntax of `--set`.
pub type Settings = BTreeMap<String, String>;

/// Battery of the metric `lifetime`.
const CELL: &str = "CR2032";
/// Default time between messages for currents.
const MINUTE: Duration = Duration::from_secs(60);

/// Longest run, ns: a quarter of the largest signed 64-bit number, 73 years.
const LONGEST_NS: u128 = 1 << 61;

/// Reason why a setting cannot be measured. One line each.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The bench could not be built or run.
    #[error(transparent)]
    Rig(#[from] airlag_rig::Error),
    /// The bench cannot answer the question.
    #[error(transparent)]
    Study(#[from] crate::Error),
    /// A regulatory limit is exceeded.
    #[error("{region}: {reason}")]
    NotAllowed {
        /// Region.
        region: &'static str,
        /// Clause, and a remedy.
        reason: String,
    },
    /// No current data for the parts of this link.
    #[error("{link}: no current data, so charge, current and lifetime are unknown; leave them out")]
    NoCharge {
        /// Link profile.
        link: String,
    },
    /// A link without a payload.
    #[error("{link}: no message, so no goodput; leave it out")]
    NoGoodput {
        /// Link profile.
        link: String,
    },
    /// A run beyond the range of the clock.
    #[error(
        "{link}: {count} triggers every {period_s} s last longer than 73 years; choose fewer, or a \
         shorter period"
    )]
    TooLong {
        /// Link profile.
        link: String,
        /// Number of triggers.
        count: usize,
        /// Time between triggers, s.
        period_s: f64,
    },
    /// Invalid text of a metric, a limit or the values of a parameter.
    #[error(transparent)]
    Unreadable(#[from] limit::Unreadable),
    /// Invalid values of a parameter.
    #[error(transparent)]
    Values(#[from] space::Wrong),
}

/// Measurement of each setting.
#[derive(Clone, Debug)]
pub struct Task {
    /// The link with the common settings.
    pub profile: Profile,
    /// Payload, bytes. `None` without a message.
    pub size: Option<usize>,
    /// Number of messages per run, at random phases.
    pub count: usize,
    /// Time between messages. `None` means the default period of each setting (`pace::period`).
    pub period: Option<Duration>,
    /// Region whose regulatory limits must be met.
    pub region: Option<Region>,
    /// Metrics to measure.
    pub metrics: Vec<&'static Metric>,
}

/// Results of one run of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Latencies of messages with a known outcome, ns. Infinite for a lost one.
    pub fates_ns: Vec<f64>,
    /// Results by [`Figure`]. NaN if not available or not requested.
    pub figures: [f64; Figure::COUNT],
}

impl Task {
    /// Metrics that are reported for each tried configuration of the link. Charge is included only if the
    /// currents of its parts are known.
    ///
    /// # Errors
    ///
    /// Returns the errors of a run.
    pub fn shown(&self) -> Result<Vec<&'static Metric>, Problem> {
        let one = Self { count: 1, ..self.clone() };
        let names = ["p50", "p99", "loss", "charge"];
        let names = &names[..if one.draws(1)?.2.ends.is_empty() { 3 } else { 4 }];
        Ok(names.iter().map(|name| metric::find(name)).collect::<Result<_, _>>()?)
    }

    /// Checks that the metrics apply to the link.
    ///
    /// # Errors
    ///
    /// [`Problem::NoGoodput`] for a link without a message.
    pub fn check(&self) -> Result<(), Problem> {
        let is_goodput = |one: &Metric| one.figure() == Some(Figure::Goodput);
        if self.size.is_none() && self.metrics.iter().any(|one| is_goodput(one)) {
            return Err(Problem::NoGoodput { link: self.profile.name.clone() });
        }
        Ok(())
    }

    /// Runs the bench with one seed.
    ///
    /// # Errors
    ///
    /// [`Problem::NotAllowed`] if the region does not permit the setting. The errors of the bench
    /// and of a metric are returned too.
    pub fn run(&self, seed: u64) -> Result<Run, Problem> {
        let (transfers, senders, cost) = self.draws(seed)?;
        if let Some(region) = self.region
            && let Some(law) = Judged::of(&self.profile, &senders, region)?
            && !law.is_allowed()
        {
            return Err(Problem::NotAllowed { region: region.as_str(), reason: law.reason() });
        }
        let summary = Summary::of(&transfers.latencies_ns());
        let mut figures = [f64::NAN; Figure::COUNT];
        for figure in self.metrics.iter().filter_map(|metric| metric.figure()) {
            let of_latency = |read: fn(&Summary) -> f64| summary.as_ref().map_or(f64::NAN, read);
            figures[figure as usize] = match figure {
                Figure::Mean => of_latency(|all| all.mean_ns),
                Figure::Longest => of_latency(|all| all.max_ns as f64),
                Figure::Charge => self.of_sender(&cost, charge::EndCharge::marginal_nc)?,
                Figure::Current => self.of_sender(&cost, |end| self.current_na(end))?,
                Figure::Lifetime => {
                    let battery = Battery::find(CELL)?;
                    let years = |end: &charge::EndCharge| {
                        Some(charge::life(&battery, self.current_na(end)?, end.peak_na()).years)
                    };
                    self.of_sender(&cost, years)?
                }
                Figure::Goodput => {
                    let link = || self.profile.name.clone();
                    let size = self.size.ok_or_else(|| Problem::NoGoodput { link: link() })?;
                    goodput(&self.profile, size, seed, Extent::of(self.count as u64))?.kbps()
                }
            };
        }
        Ok(Run { fates_ns: fates_ns(&transfers), figures })
    }

    /// A result of the sender.
    fn of_sender(
        &self,
        cost: &charge::Charge,
        figure: impl Fn(&charge::EndCharge) -> Option<f64>,
    ) -> Result<f64, Problem> {
        let sender = cost.ends.iter().find(|one| one.end == charge::ENDS[0]);
        let link = || self.profile.name.clone();
        sender.and_then(figure).ok_or_else(|| Problem::NoCharge { link: link() })
    }

    /// Mean current at the message rate, nA.
    fn current_na(&self, end: &charge::EndCharge) -> Option<f64> {
        let apart = self.period.unwrap_or(MINUTE);
        end.average_at_na(1e9 / apart.as_ns().max(1) as f64)
    }

    /// Transfers of a run, its transmissions, and its charge.
    fn draws(&self, seed: u64) -> Result<(Transfers, Vec<Sender>, charge::Charge), Problem> {
        let (profile, count) = (&self.profile, self.count);
        let size = profile.bytes(self.size)?;
        // The latency is measured in every case, so that a link that cannot be run returns its
        // error.
        let service = pace::service(profile, size, seed)?;
        let period = match self.period {
            Some(period) => period,
            None => pace::period(profile, size, service)?,
        };
        if count as u128 * u128::from(period.as_ns()) > LONGEST_NS {
            let (link, period_s) = (profile.name.clone(), period.as_ns() as f64 / 1e9);
            return Err(Problem::TooLong { link, count, period_s });
        }
        let options = Options { seed, ..Options::default() };
        let stimulus = pace::uniform(period, count);
        let locations = places::usual(profile, count);
        let (seen, senders) = emitted_at(profile, size, &stimulus, options, locations)?;
        let transfers = matched::transfers(&seen);
        let offer = Offer { profile, size, period, service, options };
        let overload = overload(offer, &seen, 0, &transfers)?;
        let sent = sent(&seen, &transfers, overload, service).round() as u64;
        let cost = charge(profile, size, sent, &seen.draws, options)?;
        Ok((transfers, senders, cost))
    }
}

/// A run at several simulated locations, and the transmissions at the first.
fn emitted_at(
    profile: &Profile,
    size: usize,
    stimulus: &Stimulus,
    options: Options,
    locations: usize,
) -> Result<(Seen, Vec<Sender>), Problem> {
    let Some((first, here)) = places::first(stimulus, options, locations) else {
        return Ok(emitted(profile, size, stimulus, options)?);
    };
    let run = places::run_at(profile, size, stimulus, options, locations)?;
    Ok((run, emitted(profile, size, &first, here)?.1))
}

/// Latencies of messages with a known outcome, ns. Infinite for a lost one.
fn fates_ns(transfers: &Transfers) -> Vec<f64> {
    let times = transfers.trigger_ns.iter().zip(&transfers.completion_ns);
    let known = times.zip(&transfers.outcome).filter(|&(_, &fate)| fate != Outcome::Censored);
    let taken = |((trigger, completion), _): ((&i64, &i64), _)| {
        if *completion == NONE { f64::INFINITY } else { (completion - trigger) as f64 }
    };
    known.map(taken).collect()
}

/// Result of one run, shared between measurements.
type Outcomes = Result<Arc<Run>, Problem>;

/// Measures settings in parallel. No setting runs twice with one seed.
#[derive(Debug)]
pub struct Bench {
    task: Task,
    limits: Vec<Limit>,
    held: BTreeMap<(Settings, u64), Outcomes>,
}

/// A setting with its runs.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Runs of the setting, or the reason why one of them failed.
    pub runs: Result<Vec<Arc<Run>>, Problem>,
}

/// A limit that a setting does not meet with the required confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uncertain {
    /// Index among the limits.
    pub limit: usize,
    /// Whether the runs so far meet the limit. More messages may then give the required confidence.
    pub kept: bool,
}

impl Bench {
    /// A bench without runs.
    #[must_use]
    pub const fn new(task: Task, limits: Vec<Limit>) -> Self {
        Self { task, limits, held: BTreeMap::new() }
    }

    /// Metrics to measure.
    #[must_use]
    pub fn metrics(&self) -> &[&'static Metric] {
        &self.task.metrics
    }

    /// Limits of a setting.
    #[must_use]
    pub fn limits(&self) -> &[Limit] {
        &self.limits
    }

    /// Number of runs so far.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.held.len()
    }

    /// Measures settings with the seeds of each. Results keep the order.
    pub fn measure(&mut self, asked: &[(Settings, Vec<u64>)]) -> Vec<Measured> {
        let every = || {
            let each = |(settings, seeds): &(Settings, Vec<u64>)| {
                seeds.iter().map(|&seed| (settings.clone(), seed)).collect::<Vec<_>>()
            };
            asked.iter().map(each)
        };
        let mut fresh: Vec<(Settings, u64)> = Vec::new();
        for key in every().flatten() {
            if !self.held.contains_key(&key) && !fresh.contains(&key) {
                fresh.push(key);
            }
        }
        let found = side_by_side(&fresh, |(settings, seed)| self.one(settings, *seed));
        self.held.extend(fresh.into_iter().zip(found));
        let with_runs = |keys: Vec<(Settings, u64)>| Measured {
            runs: keys.iter().map(|key| self.held[key].clone()).collect(),
        };
        every().map(with_runs).collect()
    }

    fn one(&self, settings: &Settings, seed: u64) -> Outcomes {
        let mut task = self.task.clone();
        for (name, text) in settings {
            task.profile.set(name, text)?;
        }
        task.run(seed).map(Arc::new)
    }
}

impl Measured {
    /// Sum of the relative violations of all limits. Infinite without runs.
    #[must_use]
    pub fn violation(&self, limits: &[Limit]) -> f64 {
        let Ok(runs) = &self.runs else { return f64::INFINITY };
        limits.iter().map(|limit| limit.excess(runs).max(0.0)).sum()
    }

    /// Returns the first limit that is not met at a confidence of `1 - miss`. Returns `None` without
    /// runs.
    #[must_use]
    pub fn uncertain(&self, limits: &[Limit], miss: f64) -> Option<Uncertain> {
        let runs = self.runs.as_ref().ok()?;
        let limit = limits.iter().position(|limit| !limit.holds(runs, miss))?;
        Some(Uncertain { limit, kept: limits[limit].excess(runs) <= 0.0 })
    }

    /// Number of messages with a known outcome.
    #[must_use]
    pub fn messages(&self) -> usize {
        self.runs.iter().flatten().map(|run| run.fates_ns.len()).sum()
    }
}
