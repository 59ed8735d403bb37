//! Tuning: what can be changed on a link, which metrics a setting has, and whether it keeps limits.
//!
//! A search engine asks for settings in batches ([`Bench::measure`]) and decides what to try next; what
//! a setting is worth is decided here, from runs under several seeds.
//!
//! - [`metric`]: the metrics, their units, and their intervals over several runs.
//! - [`limit`]: `loss<0.1%`, and whether it is kept with a given confidence.
//! - [`space`]: the parameters of a link and the values each may take; [`steps`]: the step width of the
//!   hardware.

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

/// Parameters that are set, by name, as `--set` takes them.
pub type Settings = BTreeMap<String, String>;

/// The battery of the metric `lifetime`.
const CELL: &str = "CR2032";
/// Time between messages for currents where none is given.
const MINUTE: Duration = Duration::from_secs(60);

/// Longest run, ns: 73 years, a quarter of what 64-bit nanoseconds hold.
const LONGEST_NS: u128 = 1 << 61;

/// Why a setting cannot be measured, or a question about it cannot be asked. One line each.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The bench could not be built or run.
    #[error(transparent)]
    Rig(#[from] airlag_rig::Error),
    /// A question about the bench has no answer.
    #[error(transparent)]
    Study(#[from] crate::Error),
    /// A regulatory limit is exceeded.
    #[error("{region}: {reason}")]
    NotAllowed {
        /// Which region.
        region: &'static str,
        /// The clause, and what would mend it.
        reason: String,
    },
    /// No current data of the parts of this link.
    #[error("{link}: no current data, so it has no charge; leave charge, current and lifetime out")]
    NoCharge {
        /// Which profile.
        link: String,
    },
    /// A link that carries no bytes.
    #[error("{link}: no message, so no goodput; leave it out")]
    NoGoodput {
        /// Which profile.
        link: String,
    },
    /// A run that the clock cannot hold.
    #[error(
        "{link}: {count} triggers every {period_s} s last longer than 73 years; choose fewer, or a \
         shorter period"
    )]
    TooLong {
        /// Which profile.
        link: String,
        /// Triggers.
        count: usize,
        /// From trigger to trigger, s.
        period_s: f64,
    },
    /// The name of a metric, a limit or the values of a parameter, that cannot be read.
    #[error(transparent)]
    Unreadable(#[from] limit::Unreadable),
    /// The values of a parameter cannot be used.
    #[error(transparent)]
    Values(#[from] space::Wrong),
}

/// How each setting is measured.
#[derive(Clone, Debug)]
pub struct Task {
    /// The link, with every parameter that is the same for all settings.
    pub profile: Profile,
    /// Payload, bytes; none where the link has no message.
    pub size: Option<usize>,
    /// Messages of a run, at random phases of their period.
    pub count: usize,
    /// Time between messages; none: an unhurried period, as each setting needs.
    pub period: Option<Duration>,
    /// Region whose regulatory limits a setting has to keep.
    pub region: Option<Region>,
    /// What is measured.
    pub metrics: Vec<&'static Metric>,
}

/// One run of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Latencies of the messages whose fate is known, ns; infinite for a lost one.
    pub fates_ns: Vec<f64>,
    /// Figures by [`Figure`]; not a number where there is none, or it was not asked for.
    pub figures: [f64; Figure::COUNT],
}

impl Task {
    /// The metrics that are shown for every setting of the link: charge only where the parts have
    /// current data.
    ///
    /// # Errors
    ///
    /// Those of a run.
    pub fn shown(&self) -> Result<Vec<&'static Metric>, Problem> {
        let one = Self { count: 1, ..self.clone() };
        let names = ["p50", "p99", "loss", "charge"];
        let names = &names[..if one.draws(1)?.2.ends.is_empty() { 3 } else { 4 }];
        Ok(names.iter().map(|name| metric::find(name)).collect::<Result<_, _>>()?)
    }

    /// Checks that the link has what is measured.
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

    /// Runs the bench under one seed.
    ///
    /// # Errors
    ///
    /// [`Problem::NotAllowed`] where the region does not allow it; what the bench or a metric refuses.
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

    /// A figure of the end that sends.
    fn of_sender(
        &self,
        cost: &charge::Charge,
        figure: impl Fn(&charge::EndCharge) -> Option<f64>,
    ) -> Result<f64, Problem> {
        let sender = cost.ends.iter().find(|one| one.end == charge::ENDS[0]);
        let link = || self.profile.name.clone();
        sender.and_then(figure).ok_or_else(|| Problem::NoCharge { link: link() })
    }

    /// Mean current at the rate of the messages, nA.
    fn current_na(&self, end: &charge::EndCharge) -> Option<f64> {
        let apart = self.period.unwrap_or(MINUTE);
        end.average_at_na(1e9 / apart.as_ns().max(1) as f64)
    }

    /// Transfers of a run, what its radios sent, and what it cost.
    fn draws(&self, seed: u64) -> Result<(Transfers, Vec<Sender>, charge::Charge), Problem> {
        let (profile, count) = (&self.profile, self.count);
        let size = profile.bytes(self.size)?;
        // A link that cannot be run says so whether or not its period is given.
        let service = pace::service(profile, size, seed)?;
        let period = self.period.unwrap_or_else(|| pace::unhurried(service));
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

/// A run at several simulated locations, and what was sent at the first of them.
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

/// Latencies of the messages whose fate is known, ns; infinite for a lost one.
fn fates_ns(transfers: &Transfers) -> Vec<f64> {
    let times = transfers.trigger_ns.iter().zip(&transfers.completion_ns);
    let known = times.zip(&transfers.outcome).filter(|&(_, &fate)| fate != Outcome::Censored);
    let taken = |((trigger, completion), _): ((&i64, &i64), _)| {
        if *completion == NONE { f64::INFINITY } else { (completion - trigger) as f64 }
    };
    known.map(taken).collect()
}

/// What one run gave; runs are shared among the questions asked about them.
type Outcomes = Result<Arc<Run>, Problem>;

/// Measures settings side by side; no setting runs twice under one seed.
#[derive(Debug)]
pub struct Bench {
    task: Task,
    limits: Vec<Limit>,
    held: BTreeMap<(Settings, u64), Outcomes>,
}

/// A setting under several seeds.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Its runs, or why one of them cannot be run.
    pub runs: Result<Vec<Arc<Run>>, Problem>,
}

/// A limit that a setting is not certain to keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uncertain {
    /// Place among the limits.
    pub limit: usize,
    /// Whether the runs themselves keep it, so that more messages may make it certain.
    pub kept: bool,
}

impl Bench {
    /// A bench that has not run yet.
    #[must_use]
    pub const fn new(task: Task, limits: Vec<Limit>) -> Self {
        Self { task, limits, held: BTreeMap::new() }
    }

    /// What is measured.
    #[must_use]
    pub fn metrics(&self) -> &[&'static Metric] {
        &self.task.metrics
    }

    /// What a setting has to keep.
    #[must_use]
    pub fn limits(&self) -> &[Limit] {
        &self.limits
    }

    /// Number of benches that ran.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.held.len()
    }

    /// Measures settings under the seeds of each, in the order given.
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
        let told = |keys: Vec<(Settings, u64)>| Measured {
            runs: keys.iter().map(|key| self.held[key].clone()).collect(),
        };
        every().map(told).collect()
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
    /// By how much the limits are broken in all, as shares of them; infinite without runs.
    #[must_use]
    pub fn violation(&self, limits: &[Limit]) -> f64 {
        let Ok(runs) = &self.runs else { return f64::INFINITY };
        limits.iter().map(|limit| limit.excess(runs).max(0.0)).sum()
    }

    /// The first limit that is not kept with a probability of `1 - miss`; none without runs.
    #[must_use]
    pub fn uncertain(&self, limits: &[Limit], miss: f64) -> Option<Uncertain> {
        let runs = self.runs.as_ref().ok()?;
        let limit = limits.iter().position(|limit| !limit.holds(runs, miss))?;
        Some(Uncertain { limit, kept: limits[limit].excess(runs) <= 0.0 })
    }

    /// Messages whose fate is known.
    #[must_use]
    pub fn messages(&self) -> usize {
        self.runs.iter().flatten().map(|run| run.fates_ns.len()).sum()
    }
}
