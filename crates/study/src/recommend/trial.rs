//! A configuration on the bench: properties that do not depend on the number of messages, and the messages.
//!
//! Regulatory limits, charge and peak current are evaluated at the mean location and with the required
//! message period. Latency and delivery are evaluated at the deciding [location](super::location), whose
//! shadowing is at the required quantile. If each message is finished before the next message is sent, a
//! longer message period does not change the latency. For the latency, the simulation therefore sends
//! messages as close together as the link allows, so that a long required period does not make the simulation
//! longer.

use airlag_law::Region;
use airlag_rig::draws::Draws;
use airlag_rig::emissions::{Sender, emitted};
use airlag_rig::neighbours;
use airlag_rig::places::at_mean;
use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, Run, run};
use airlag_rig::stimulus::{Periodic, Stimulus};
use airlag_sim::Duration;
use airlag_stats::Outcome;
use airlag_stats::deadline::Judgement;
use airlag_stats::dist::among;

use super::configuration::{Configuration, POWER};
use super::largest::{Largest, largest};
use super::location::located;
use super::stretched::stretched;
use super::{RANGE, Task, is_possible};
use crate::charge::{Charge, EndCharge, charge_beside};
use crate::error::Error;
use crate::explain::floor;
use crate::law::Judged;
use crate::matched;
use crate::pace;

/// Number of messages for regulatory limits and charge.
const MOST: usize = 100;
const LEAST: usize = 4;
/// Multiple of the latency after which a link is at rest.
const SETTLED: u64 = 8;

/// Durations of the runs for regulatory limits and charge.
#[derive(Clone, Copy)]
struct Lasts {
    /// Longest run.
    run: Duration,
    /// Longest period of its messages.
    rare: Duration,
    /// Idle measurement.
    watched: Duration,
}

/// Longest run: several tens of the longest intervals of idle links.
const LONGEST: Duration = Duration::from_secs(100);
/// Longest idle measurement.
const WATCHED: Duration = Duration::from_secs(60);
/// Shortest run without other networks.
const SHORTEST: Duration = Duration::from_secs(5);
/// Duration of a run beside other networks, which send thousands of frames a second. All frames are
/// simulated.
const CROWDED: Duration = Duration::from_secs(10);
/// Number of exchanges of an idle link in a run whose duration is between [`SHORTEST`] and
/// [`LONGEST`]. Beyond thousands of equal exchanges, the charge does not become more certain.
const EXCHANGES: u64 = 5_000;
/// Messages in a run at the longest period.
const RARE: u64 = 20;
/// Nanoseconds per second.
const NS_PER_S: f64 = 1e9;
/// Largest power reduction for a region, in steps of 1 dB.
const QUIETER: u32 = 30;

/// Number of messages by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Messages with a known outcome.
    pub n: usize,
    /// Lost messages.
    pub lost: usize,
    /// Late messages.
    pub late: usize,
}

/// Results of a configuration on the bench.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The configuration with the power that the region permits.
    pub configuration: Configuration,
    /// Whether the link has a propagation model.
    pub has_propagation: bool,
    /// Lower bound of the latency, ns.
    pub floor_ns: u64,
    /// Longest latency of a few messages sent one at a time. `None` if none arrived.
    pub service: Option<Duration>,
    /// Time between messages.
    pub period: Duration,
    /// Verdict of the region. `None` without a region or a radio.
    pub law: Option<Judged>,
    /// Charge of both ends.
    pub charge: Charge,
    /// Whether any message arrived while the charge was measured. A link out of reach consumes
    /// almost nothing.
    pub is_in_reach: bool,
    /// Messages sent at the deciding location. 0 if only the floor is known.
    pub sent: usize,
    /// Result of the deadline check. `None` if no outcome is known.
    pub judgement: Option<Judgement>,
    /// Messages by outcome.
    pub counts: Counts,
    /// Required quantile of the delivered messages, ns.
    pub arrived_ns: Option<f64>,
    /// Longest activity of the message at the percentile.
    pub largest: Option<Largest>,
    /// Fade margin at the deciding location, dB. `None` without a distance.
    pub fade_margin_db: Option<f64>,
    /// Simulated events per message.
    pub events_per_message: f64,
    /// Simulated events of the whole trial.
    pub events: u64,
}

impl Trial {
    /// Simulates a configuration with `count` messages, without the charge ([`Trial::draw`]).
    ///
    /// # Errors
    ///
    /// Returns the errors of a run.
    pub fn of(configuration: &Configuration, task: &Task, count: usize) -> Result<Self, Error> {
        let mut trial = Self::not_simulated(configuration, task);
        let profile = &configuration.profile;
        let (size, seed) = (task.bytes(profile), task.seed);
        // Whether a message meets the deadline does not depend on the next message.
        let deadline = Duration::from_ns(task.asked.deadline_ns.unsigned_abs());
        trial.service = pace::service_within(profile, size, seed, deadline)?;
        let apart = if neighbours::any(profile)? { pace::closest } else { pace::unhurried };
        let mut unhurried = apart(trial.service).min(apart(Some(deadline)));
        // If a link is still busy after a message has arrived, the next message has to wait.
        let occupied = pace::occupied(profile, size)?;
        if trial.service.is_some_and(|service| service < occupied) {
            unhurried = unhurried.max(apart(Some(occupied)));
        }
        // The next message also has to wait for a rare retransmission.
        let repeated = pace::repeated(profile, size, trial.service)?;
        if repeated > trial.service {
            unhurried = unhurried.max(apart(repeated));
        }
        trial.period = task.period.map_or(unhurried, |period| period.min(unhurried));
        if let Some(region) = task.region {
            trial.judge(task, region)?;
        }
        trial.send(task, count)?;
        Ok(trial)
    }

    /// Returns a trial without bench results for a configuration whose floor is above the deadline,
    /// if the bench had no result within `events`. Returns `None` for other configurations.
    #[must_use]
    pub fn of_floor(configuration: &Configuration, task: &Task, events: u64) -> Option<Self> {
        let trial = Self { events, ..Self::not_simulated(configuration, task) };
        (!trial.is_possible(task)).then_some(trial)
    }

    fn not_simulated(configuration: &Configuration, task: &Task) -> Self {
        let profile = &configuration.profile;
        Self {
            configuration: configuration.clone(),
            has_propagation: profile.parameters.contains_key(RANGE),
            floor_ns: floor(profile, task.bytes(profile)).map_or(0, |floor| floor.ns()),
            service: None,
            period: Duration::ZERO,
            law: None,
            charge: Charge::default(),
            is_in_reach: false,
            sent: 0,
            judgement: None,
            counts: Counts::default(),
            arrived_ns: None,
            largest: None,
            fade_margin_db: None,
            events_per_message: 0.0,
            events: 0,
        }
    }

    /// Whether the floor is below the deadline.
    #[must_use]
    pub fn is_possible(&self, task: &Task) -> bool {
        is_possible(self.floor_ns, task)
    }

    /// Charge and current of the sender. Returns `None` without current data.
    #[must_use]
    pub fn sender(&self) -> Option<&EndCharge> {
        self.charge.ends.iter().find(|end| end.end == "sender")
    }

    /// Required quantile of all messages, ns, or of the delivered ones if it falls on a lost message.
    #[must_use]
    pub fn quantile_ns(&self) -> Option<f64> {
        let judgement = self.judgement.as_ref()?;
        judgement.quantile.value_ns.or(self.arrived_ns)
    }

    /// Sends `count` messages at the deciding location, replacing earlier ones.
    ///
    /// # Errors
    ///
    /// Returns the errors of a run.
    pub fn send(&mut self, task: &Task, count: usize) -> Result<(), Error> {
        let profile = &self.configuration.profile;
        let here = located(profile, task.places_share)?;
        let options = Options { seed: task.seed, spans: true, ..Options::default() };
        let ran = run(&here, task.bytes(profile), &pace::uniform(self.period, count), options)?;
        let transfers = matched::transfers(&ran);
        self.judgement = Judgement::of(&transfers, task.asked);
        self.counts = counts(self.judgement.as_ref());
        let latencies = transfers.latencies_ns();
        self.arrived_ns = among(&latencies, latencies.len(), task.asked.share).value_ns;
        self.largest = largest(&ran, &transfers, task.asked.share)?;
        self.fade_margin_db = ran.fade_margin.map(|margin| margin.0);
        self.sent = count;
        self.events_per_message = ran.events as f64 / count.max(1) as f64;
        self.events += ran.events;
        Ok(())
    }

    /// Verdict of `region`. If the power is too high, uses the highest power that the region permits.
    fn judge(&mut self, task: &Task, region: Region) -> Result<(), Error> {
        let profile = &self.configuration.profile;
        let asked = task.period.unwrap_or(self.period);
        // For rare messages, the transmissions of closer messages are used, with the rest between
        // them stretched.
        let quick = self.service.map_or(Duration::ZERO, |service| service * SETTLED);
        let lasts = lasts(profile)?;
        let period = asked.min(lasts.rare.max(quick).max(self.period));
        let messages = few(period, lasts);
        let options = Options { seed: task.seed, ..Options::default() };
        // In a stretched period, the message is at the start.
        let stimulus = match period < asked {
            true => Stimulus::Periodic(Periodic::new(period, messages)),
            false => pace::uniform(period, messages),
        };
        let (ran, senders) = emitted(profile, task.bytes(profile), &stimulus, options)?;
        self.events += ran.events;
        let asked_ns = asked.as_ns();
        let stretch = |one: &Sender| stretched(one, messages, asked_ns);
        let senders: Vec<Sender> = senders.iter().map(stretch).collect();
        let judged = Judged::of(profile, &senders, region)?;
        let allowed = judged.as_ref().is_none_or(Judged::is_allowed);
        if !allowed
            && !task.is_set(POWER)
            && let Some((quieter, judged)) = quieter(&self.configuration, &senders, region)?
        {
            (self.configuration, self.law) = (quieter, Some(judged));
            return Ok(());
        }
        self.law = judged;
        Ok(())
    }

    /// Measures the charge per message at the required message rate, if the task limits charge or current.
    ///
    /// # Errors
    ///
    /// Returns the errors of a run.
    pub fn draw(&mut self, task: &Task) -> Result<(), Error> {
        if !task.draws_count() {
            return Ok(());
        }
        let profile = at_mean(&self.configuration.profile)?;
        let size = task.bytes(&profile);
        let rate = task.limits.supply.as_ref().map_or(0.0, |supply| supply.per_second);
        let rare = Duration::from_ns((NS_PER_S / rate.max(1e-6)) as u64);
        let lasts = lasts(&profile)?;
        let period = rare.clamp(self.period, self.period.max(lasts.rare));
        let count = few(period, lasts).max(LEAST);
        let options = Options { seed: task.seed, ..Options::default() };
        let ran = run(&profile, size, &pace::uniform(period, count), options)?;
        self.is_in_reach = matched::transfers(&ran).outcome.contains(&Outcome::Delivered);
        let Run { draws, events, .. } = ran;
        let elapsed = elapsed(&draws);
        self.charge = charge_beside(&profile, size, count as u64, &draws, options, lasts.watched)?;
        // An idle bench has at most the event rate of a busy one.
        let idle = events as f64 * lasts.watched.as_ns() as f64 / elapsed.max(1) as f64;
        self.events += events + idle.min(events as f64) as u64;
        Ok(())
    }
}

fn lasts(profile: &Profile) -> Result<Lasts, Error> {
    let run = match profile.bind()?.link().idle_period() {
        _ if neighbours::any(profile)? => CROWDED,
        Some(period) => (period * EXCHANGES).clamp(SHORTEST, LONGEST),
        None => LONGEST,
    };
    Ok(Lasts { run, rare: Duration::from_ns(run.as_ns() / RARE), watched: run.min(WATCHED) })
}

/// Number of messages in the longest run, between [`LEAST`] and [`MOST`].
fn few(period: Duration, lasts: Lasts) -> usize {
    let fit = lasts.run.as_ns() / period.as_ns().max(1);
    usize::try_from(fit).unwrap_or(MOST).clamp(LEAST, MOST)
}

fn elapsed(draws: &Draws) -> u64 {
    draws.of("sender").map(|one| one.spent_ns.iter().sum()).max().unwrap_or(0)
}

fn counts(judgement: Option<&Judgement>) -> Counts {
    judgement.map_or(Counts::default(), |found| {
        let Judgement { n, lost, in_time, .. } = *found;
        Counts { n, lost, late: n - lost - in_time }
    })
}

/// The configuration with the highest power, in whole dBm, that `region` permits. Returns `None` if no power
/// complies.
fn quieter(
    configuration: &Configuration,
    senders: &[Sender],
    region: Region,
) -> Result<Option<(Configuration, Judged)>, Error> {
    let Some(power) = configuration.power_dbm() else { return Ok(None) };
    let most = power.ceil() as i64 - 1;
    for dbm in (most - i64::from(QUIETER)..=most).rev() {
        let Some(quieter) = configuration.at_power(dbm) else { continue };
        match Judged::of(&quieter.profile, senders, region)? {
            Some(judged) if judged.is_allowed() => return Ok(Some((quieter, judged))),
            _ => {}
        }
    }
    Ok(None)
}
