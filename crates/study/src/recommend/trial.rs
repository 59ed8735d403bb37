//! A configuration on the bench: what does not depend on how many messages are sent, and the messages.
//!
//! Law, charge and peak current are those at a location like the mean and with the period that is required;
//! latency and delivery those at the [location](super::location) that decides. A period longer than one
//! message needs changes no latency, so messages are then sent as close as one message after the other
//! allows, and rare messages take no longer to simulate than frequent ones.

use airlag_law::Region;
use airlag_rig::draws::Draws;
use airlag_rig::emissions::{Sender, emitted};
use airlag_rig::places::at_mean;
use airlag_rig::run::{Options, Run, run};
use airlag_rig::stimulus::{Periodic, Stimulus};
use airlag_sim::Duration;
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

/// Messages from which law and charge follow, and how long they last at most.
const MOST: usize = 100;
const LEAST: usize = 4;
const LASTS: Duration = Duration::from_secs(100);
/// Times of a message after which its link rests.
const SETTLED: u64 = 8;
/// Longest time between the messages from which law and charge follow.
const RARE: Duration = Duration::from_secs(5);
/// How long an end is watched while nobody sends: some tens of the longest intervals of those that rest.
const WATCHED: Duration = Duration::from_secs(60);
/// Nanoseconds of a second.
const NS_PER_S: f64 = 1e9;
/// Steps of a dB by which power is lowered for a region at most.
const QUIETER: u32 = 30;

/// Messages of a trial, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those whose outcome is known.
    pub n: usize,
    /// Of these, lost.
    pub lost: usize,
    /// Of these, late.
    pub late: usize,
}

/// A configuration, and what the bench showed.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The configuration, with the power that the region allows.
    pub configuration: Configuration,
    /// Whether it has a propagation model.
    pub knows_range: bool,
    /// Lower bound of its latency, ns.
    pub floor_ns: u64,
    /// Longest latency of a few messages sent one at a time; none if none of them arrived.
    pub service: Option<Duration>,
    /// Time between the messages that were sent.
    pub period: Duration,
    /// Verdict of the region; none without one and of what has no radio.
    pub law: Option<Judged>,
    /// Charge of both ends.
    pub charge: Charge,
    /// Messages sent at the location that decides; 0 where the floor alone is known.
    pub sent: usize,
    /// What they show; none if the outcome of no message is known.
    pub judgement: Option<Judgement>,
    /// The same by outcome.
    pub counts: Counts,
    /// The required quantile of those that arrive, ns.
    pub arrived_ns: Option<f64>,
    /// Largest slice of the message at the percentile.
    pub largest: Option<Largest>,
    /// Margin of the signal at the location that decides, dB; none where radios are not apart.
    pub fade_margin_db: Option<f64>,
    /// Events that the bench fires for a message.
    pub events_per_message: f64,
    /// Events that all of it took.
    pub events: u64,
}

impl Trial {
    /// Simulates a configuration with `count` messages.
    ///
    /// # Errors
    ///
    /// Those of a run.
    pub fn of(configuration: &Configuration, task: &Task, count: usize) -> Result<Self, Error> {
        let mut trial = Self::not_simulated(configuration, task);
        let profile = &configuration.profile;
        let (size, seed) = (task.bytes(profile), task.seed);
        // Whether a message keeps the deadline is seen however close the next one follows on it.
        let deadline = Duration::from_ns(task.asked.deadline_ns.unsigned_abs());
        trial.service = pace::service_within(profile, size, seed, deadline)?;
        let unhurried = pace::unhurried(trial.service).min(pace::unhurried(Some(deadline)));
        trial.period = task.period.map_or(unhurried, |period| period.min(unhurried));
        if let Some(region) = task.region {
            trial.judge(task, region)?;
        }
        if task.draws_count() {
            trial.draw(task)?;
        }
        trial.send(task, count)?;
        Ok(trial)
    }

    /// One whose floor is above the deadline, of which the bench did not say more within `events`; none of
    /// another.
    #[must_use]
    pub fn of_floor(configuration: &Configuration, task: &Task, events: u64) -> Option<Self> {
        let trial = Self { events, ..Self::not_simulated(configuration, task) };
        (!trial.is_possible(task)).then_some(trial)
    }

    fn not_simulated(configuration: &Configuration, task: &Task) -> Self {
        let profile = &configuration.profile;
        Self {
            configuration: configuration.clone(),
            knows_range: profile.parameters.contains_key(RANGE),
            floor_ns: floor(profile, task.bytes(profile)).map_or(0, |floor| floor.ns()),
            service: None,
            period: Duration::ZERO,
            law: None,
            charge: Charge::default(),
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

    /// Whether its floor leaves room for the deadline.
    #[must_use]
    pub fn is_possible(&self, task: &Task) -> bool {
        is_possible(self.floor_ns, task)
    }

    /// Charge and current of the end that sends; none where they are not listed.
    #[must_use]
    pub fn sender(&self) -> Option<&EndCharge> {
        self.charge.ends.iter().find(|end| end.end == "sender")
    }

    /// The required quantile of all messages, or of those that arrive where it is a lost one, ns.
    #[must_use]
    pub fn quantile_ns(&self) -> Option<f64> {
        let judgement = self.judgement.as_ref()?;
        judgement.quantile.value_ns.or(self.arrived_ns)
    }

    /// Sends `count` messages at the location that decides, in place of those sent before.
    ///
    /// # Errors
    ///
    /// Those of a run.
    pub fn send(&mut self, task: &Task, count: usize) -> Result<(), Error> {
        let profile = &self.configuration.profile;
        let here = located(profile, task.places_share)?;
        let spans = self.largest.is_none();
        let options = Options { seed: task.seed, spans, ..Options::default() };
        let ran = run(&here, task.bytes(profile), &pace::uniform(self.period, count), options)?;
        let transfers = matched::transfers(&ran);
        self.judgement = Judgement::of(&transfers, task.asked);
        self.counts = counts(self.judgement.as_ref());
        let latencies = transfers.latencies_ns();
        self.arrived_ns = among(&latencies, latencies.len(), task.asked.share).value_ns;
        if spans {
            self.largest = largest(&ran, &transfers, task.asked.share)?;
        }
        self.fade_margin_db = ran.fade_margin.map(|margin| margin.0);
        self.sent = count;
        self.events_per_message = ran.events as f64 / count.max(1) as f64;
        self.events += ran.events;
        Ok(())
    }

    /// What `region` says, with the largest power that it allows where the power is too large.
    fn judge(&mut self, task: &Task, region: Region) -> Result<(), Error> {
        let profile = &self.configuration.profile;
        let asked = task.period.unwrap_or(self.period);
        // Of rare messages the law is that of closer ones, and of the rest between them.
        let quick = self.service.map_or(Duration::ZERO, |service| service * SETTLED);
        let period = asked.min(RARE.max(quick).max(self.period));
        let messages = few(period);
        let options = Options { seed: task.seed, ..Options::default() };
        // Where periods are stretched, each begins with its message.
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

    /// What messages cost at the rate for which currents are required.
    fn draw(&mut self, task: &Task) -> Result<(), Error> {
        let profile = at_mean(&self.configuration.profile)?;
        let size = task.bytes(&profile);
        let rate = task.limits.supply.as_ref().map_or(0.0, |supply| supply.per_second);
        let rare = Duration::from_ns((NS_PER_S / rate.max(1e-6)) as u64);
        let period = rare.clamp(self.period, self.period.max(RARE));
        let count = few(period).max(LEAST);
        let options = Options { seed: task.seed, ..Options::default() };
        let ran = run(&profile, size, &pace::uniform(period, count), options)?;
        let Run { draws, events, .. } = ran;
        let elapsed = elapsed(&draws);
        self.charge = charge_beside(&profile, size, count as u64, &draws, options, WATCHED)?;
        // The bench at rest fires no more events a second than the busy one.
        let idle = events as f64 * WATCHED.as_ns() as f64 / elapsed.max(1) as f64;
        self.events += events + idle.min(events as f64) as u64;
        Ok(())
    }
}

/// As many messages as last no longer than [`LASTS`], between [`LEAST`] and [`MOST`].
fn few(period: Duration) -> usize {
    let fit = LASTS.as_ns() / period.as_ns().max(1);
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

/// The configuration with the largest power, in whole dBm, with which `region` allows what was sent; none
/// where no power helps.
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
