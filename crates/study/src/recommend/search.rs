//! Search for a configuration of each link that meets the requirements, within a work budget.
//!
//! The search runs in rounds, and a link takes one step per round. First, all links are tried with
//! [`RUNGS`]`[0]` messages. If a link fails a requirement, one setting of the link is then changed per round
//! ([`Configuration::moves`]), as long as the changes bring the link nearer to the requirement. If a link
//! fails no requirement and a battery life is required, settings are changed for a lower current, as long as
//! the link still fails no requirement. Finally, more messages are sent until the verdict is certain.
//!
//! The charge of a configuration is measured last, because this measurement takes most of the time of a
//! trial. Before the charge of a changed configuration is measured, its distance from the other
//! requirements is compared with the distance of the best configuration from all requirements. If the
//! changed configuration is farther away, its charge is not measured.
//!
//! The cost of a step is estimated from earlier steps. The cost of the first step of a link is unknown, so
//! the number of events of this step is limited (its [`allowance`]). If this allowance is not enough, the
//! link is tried later with a larger allowance, within the budget. A round spends part of the remaining
//! budget, first on cheap steps and on links near the requirements. Steps that would exceed the budget are
//! skipped. The link of a skipped step stays undecided, unless the link fails a requirement that no setting
//! can meet.
//!
//! Work is counted in simulated events, so the same budget and seed always give the same search.

use airlag_rig::{allowance, interrupt, neighbours};

use super::configuration::Configuration;
use super::criterion::{Criterion, Name, Remedy, criteria};
use super::trial::Trial;
use super::{Task, Verdict};
use crate::error::Error;
use crate::side_by_side::side_by_side;

/// Numbers of messages of a trial, ascending.
pub const RUNGS: [usize; 5] = [200, 1_000, 5_000, 25_000, 100_000];
/// Largest number of pairs of settings per link.
const PAIRS: usize = 40;
/// Number of messages that measure the other requirements of a failing link.
const COMPLETE: usize = 5_000;
/// Probability that any verdict of an answer is wrong by chance.
const MISS: f64 = 0.05;
/// Number of simulated events that one core processes per second. The value is lower than the
/// measured rate, so that the search ends in time. In the measurement, with a build that contains
/// assertions, 75 million events took 14.3 s of CPU time.
pub const EVENTS_PER_SECOND: f64 = 4.2e6;
/// Largest share of the remaining budget for one round.
const ROUND: f64 = 0.25;
/// Cost of an event of a link in the presence of other networks, relative to an event of a link without other
/// networks. The frames of other networks reach every radio. Beside a Wi-Fi network with 30 % airtime, 75
/// million events took 36.1 s of CPU time. At [`EVENTS_PER_SECOND`], this constant predicts a longer time
/// than that, so that it includes a margin.
const CROWDED: f64 = 2.27;
/// Cost of setting up a bench and reading its results, in events.
const SET_UP: f64 = 7_500.0;
/// Number of benches per trial: two to four for the latency of a message, and one each for regulatory limits,
/// the messages, charge and idle current.
const BENCHES: f64 = 8.0;
/// Number of benches for charge and idle current.
const CHARGE_BENCHES: f64 = 2.0;
/// Factor by which an insufficient allowance grows.
const MORE: f64 = 4.0;

/// State of the search for a link.
#[derive(Clone, Debug)]
pub enum State {
    /// More configurations to try.
    Open,
    /// Finished. The criteria determine the verdict.
    Done,
    /// Ended by the budget or an interruption.
    Ended,
}

/// A link with its best configuration so far.
#[derive(Clone, Debug)]
pub struct Row {
    /// The link with the settings required of all links, and with its own initial settings.
    pub start: Configuration,
    /// Best trial. `None` before the first.
    pub best: Option<Trial>,
    /// Battery life of the start, years. `None` without a battery.
    pub untuned_years: Option<f64>,
    /// Reason why the link cannot be run.
    pub refused: Option<Error>,
    /// Verdict on each requirement.
    pub criteria: Vec<Criterion>,
    /// State of the search.
    pub state: State,
    /// Mean cost of a simulated event of this link.
    per_event: f64,
    /// Events of the most expensive trial, to estimate the next one. Before the first result, this
    /// is the allowance.
    dear: f64,
    /// Number of simulated events that the first trial may take.
    allowed: f64,
    /// Whether the remaining budget is too small for the next step of this link.
    left_out: bool,
    /// Whether other settings than the initial ones were tried.
    has_moved: bool,
    /// Configurations that were tried.
    tried: Vec<Vec<(String, String)>>,
}

/// Step of a link in a round.
#[derive(Clone, Debug)]
enum Step {
    /// Tries these configurations, and keeps improvements.
    Try(Vec<Configuration>),
    /// Sends this number of messages.
    Send(usize),
}

/// Result of a step.
enum Found {
    Trials(Vec<Result<Attempt, Error>>),
    Sent(Box<Result<Trial, Error>>),
}

/// Result of a configuration that was tried.
enum Attempt {
    /// All requirements are measured.
    Whole(Box<Trial>),
    /// Ended after this number of events: farther from the requirements than the best configuration.
    Farther(u64),
}

/// Work of a search in events.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Events spent.
    pub spent: f64,
    /// Event budget.
    pub budget: f64,
}

/// Searches from all `starts`. `progress` receives the work spent and the work expected, in seconds of one
/// core.
pub fn search(
    starts: &[Configuration],
    task: &Task,
    progress: &dyn Fn(f64, f64),
) -> (Vec<Row>, Work) {
    // The first trials share half of the budget. The trial of a single link may use all of it.
    let allowed =
        task.budget_s * EVENTS_PER_SECOND / (2 * starts.len()).saturating_sub(1).max(1) as f64;
    let row = |start: &Configuration| Row {
        start: start.clone(),
        best: None,
        untuned_years: None,
        refused: None,
        criteria: Vec::new(),
        state: State::Open,
        per_event: if neighbours::any(&start.profile).unwrap_or(false) { CROWDED } else { 1.0 },
        dear: 0.0,
        allowed,
        left_out: false,
        has_moved: false,
        tried: Vec::new(),
    };
    let mut rows: Vec<Row> = starts.iter().map(row).collect();
    let report = |spent: f64, foreseen: f64| {
        progress(spent / EVENTS_PER_SECOND, foreseen / EVENTS_PER_SECOND);
    };
    let mut work = Work { spent: 0.0, budget: task.budget_s * EVENTS_PER_SECOND };
    for complete in [false, true] {
        loop {
            let family = rows.iter().filter(|row| row.may_pass()).count().max(1);
            let miss = MISS / (family * RUNGS.len()) as f64;
            let mut steps: Vec<(usize, Step, f64)> = Vec::new();
            for (at, row) in rows.iter_mut().enumerate() {
                let step = if complete { row.completion(task) } else { row.step(task) };
                if let Some(step) = step {
                    let cost = row.foreseen(&step);
                    steps.push((at, step, cost));
                }
            }
            let order = |one: &(usize, Step, f64)| one.2 * rows[one.0].weight();
            steps.sort_by(|one, other| {
                order(one).total_cmp(&order(other)).then(one.0.cmp(&other.0))
            });
            let left = work.budget - work.spent;
            let mut round = 0.0;
            let mut fits = Vec::new();
            for (at, step, cost) in steps {
                if round + cost <= ROUND * left || (fits.is_empty() && cost <= left) {
                    round += cost;
                    fits.push((at, step, cost));
                } else if cost <= left {
                    // The step waits for a later round.
                } else if !complete {
                    rows[at].state = State::Ended;
                } else {
                    rows[at].left_out = true;
                }
            }
            if fits.is_empty() {
                break;
            }
            let foreseen = fits.iter().map(|step| step.2).sum::<f64>();
            report(work.spent, (work.spent + foreseen).min(work.budget));
            let found =
                side_by_side(&fits, |(at, step, _)| carry_out(&rows[*at], step, task, miss));
            if interrupt::is_requested() {
                rows.iter_mut().for_each(Row::end);
                return (rows, work);
            }
            for ((at, step, _), found) in fits.iter().zip(found) {
                if let (Step::Try(all), Found::Trials(trials)) = (step, &found) {
                    rows[*at].has_moved |= rows[*at].best.is_some();
                    // A link whose allowance was not enough is tried again with a larger one.
                    let ended = all.iter().zip(trials).filter(|(_, trial)| !is_unfinished(trial));
                    rows[*at].tried.extend(ended.map(|(one, _)| one.settings.clone()));
                }
                work.spent += rows[*at].take(found, task, miss);
            }
        }
    }
    report(work.spent, work.spent);
    (rows, work)
}

fn carry_out(row: &Row, step: &Step, task: &Task, miss: f64) -> Found {
    match step {
        Step::Try(all) => {
            let events = (row.allowance() / row.per_event) as u64;
            let attempt = |one| match allowance::within(events, || row.attempt(one, task, miss)) {
                // A link whose floor exceeds the deadline needs no bench.
                found if is_unfinished(&found) => Trial::of_floor(one, task, events)
                    .map_or(found, |trial| Ok(Attempt::Whole(Box::new(trial)))),
                found => found,
            };
            Found::Trials(all.iter().map(attempt).collect())
        }
        Step::Send(count) => {
            let best = row.best.clone().ok_or(Error::Rig(airlag_rig::Error::Interrupted));
            let sent = best.and_then(|mut trial| {
                trial.events = 0;
                trial.send(task, *count).map(|()| trial)
            });
            Found::Sent(Box::new(sent))
        }
    }
}

/// Whether the allowance was not enough.
fn is_unfinished(attempt: &Result<Attempt, Error>) -> bool {
    matches!(attempt, Err(Error::Rig(airlag_rig::Error::Allowance)))
}

impl Row {
    /// Verdict over all criteria.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.refused.is_some() {
            return Verdict::Fails;
        }
        let found = self.criteria.iter().map(|one| one.verdict).max();
        match (found, &self.state) {
            // Untried settings may correct a failure, unless the link is out of reach.
            (Some(Verdict::Fails), State::Ended) if !self.is_out_of_reach() => Verdict::Undecided,
            (Some(Verdict::Fails), _) => Verdict::Fails,
            (None, _) | (_, State::Ended) => Verdict::Undecided,
            (Some(verdict), _) => verdict,
        }
    }

    /// Whether no setting can meet a requirement, because none affects it, or because some were
    /// tried and it is still too far from its limit.
    fn is_out_of_reach(&self) -> bool {
        self.criteria.iter().any(|one| match one.remedy {
            Remedy::Possible => false,
            Remedy::Unlikely => self.has_moved,
            Remedy::Impossible => true,
        })
    }

    /// Factor on the cost of a step for this link, relative to a link that fails no requirement.
    fn weight(&self) -> f64 {
        let (failing, excess) = distance(&self.criteria);
        (1.0 + failing as f64 + excess).powi(2)
    }

    /// Whether no requirement is known to fail.
    fn may_pass(&self) -> bool {
        self.refused.is_none() && self.verdict() != Verdict::Fails
    }

    fn end(&mut self) {
        if matches!(self.state, State::Open) {
            self.state = State::Ended;
        }
    }

    /// Number of simulated events that a trial may take.
    fn allowance(&self) -> f64 {
        if self.best.is_none() { self.allowed } else { MORE * self.dear }
    }

    /// Simulates a configuration, as far as it may be nearer to the requirements than the best.
    fn attempt(&self, one: &Configuration, task: &Task, miss: f64) -> Result<Attempt, Error> {
        let mut trial = Trial::of(one, task, RUNGS[0])?;
        if self.best.is_some() {
            let mut known = criteria(&trial, task, miss);
            known.retain(|one| !one.name.is_of_charge());
            // The distance only grows with the requirements on the charge.
            if distance(&known) > distance(&self.criteria) {
                return Ok(Attempt::Farther(trial.events));
            }
        }
        trial.draw(task)?;
        Ok(Attempt::Whole(Box::new(trial)))
    }

    /// Expected number of events of a step. It is unknown before the first step.
    fn foreseen(&self, step: &Step) -> f64 {
        match step {
            Step::Try(all) => self.dear * all.len() as f64,
            Step::Send(count) => {
                let each = self.best.as_ref().map_or(0.0, |best| best.events_per_message);
                each * *count as f64 * self.per_event + SET_UP
            }
        }
    }

    /// Next step. Returns `None` if the verdict is final.
    fn step(&mut self, task: &Task) -> Option<Step> {
        if !matches!(self.state, State::Open) {
            return None;
        }
        let Some(best) = &self.best else {
            if self.refused.is_some() {
                self.state = State::Done;
                return None;
            }
            return Some(Step::Try(self.start.starts(task)));
        };
        if self.criteria.iter().any(|one| one.remedy == Remedy::Impossible) {
            self.state = State::Done;
            return None;
        }
        let verdict = self.criteria.iter().map(|one| one.verdict).max();
        let open = self.criteria.iter().any(Criterion::needs_messages);
        let finer = RUNGS.into_iter().find(|&count| count > best.sent);
        let undecided = verdict == Some(Verdict::Undecided) && open;
        // Among configurations with the required battery life, the one with the longest battery
        // life is preferred.
        let longer = self.lasts_longer(best, task);
        if !longer.is_empty() {
            return Some(Step::Try(longer));
        }
        // More messages do not determine an unknown property. In that case, only the other criteria
        // count.
        let unknown = verdict == Some(Verdict::Undecided) && self.is_unknown();
        if verdict == Some(Verdict::Passes) || unknown {
            self.state = State::Done;
            return None;
        }
        // Trying another setting is cheaper than reaching a certain verdict near a limit.
        let moves = self.moves(best, task);
        if !moves.is_empty() {
            return Some(Step::Try(moves));
        }
        let pairs = self.pairs(best, task);
        if !pairs.is_empty() {
            return Some(Step::Try(pairs));
        }
        match finer {
            Some(count) if undecided => Some(Step::Send(count)),
            _ => {
                self.state = State::Done;
                None
            }
        }
    }

    /// Settings to try beyond the best trial, for the requirements that it appears to fail.
    fn moves(&self, best: &Trial, task: &Task) -> Vec<Configuration> {
        let mut moves: Vec<Configuration> = Vec::new();
        // Less current does not help a link that is out of reach.
        let failing = self.criteria.iter().filter(|one| {
            let is_failing = matches!(one.verdict, Verdict::Fails | Verdict::Close);
            is_failing || (one.excess > 0.0 && one.value.is_some())
        });
        for criterion in failing {
            for one in best.configuration.moves(criterion.name, task) {
                if !self.tried.contains(&one.settings) && !moves.contains(&one) {
                    moves.push(one);
                }
            }
        }
        // More power has no latency cost, so it comes before slower modes.
        let power = best.configuration.power_dbm();
        let louder = |one: &Configuration| one.power_dbm() > power;
        if moves.iter().any(louder) {
            moves.retain(louder);
        }
        moves
    }

    /// Pairs of settings, if no single setting brings delivery nearer to its requirement. An
    /// example is a faster mode together with a second copy, for which this mode leaves time.
    fn pairs(&self, best: &Trial, task: &Task) -> Vec<Configuration> {
        let failing: Vec<Name> =
            self.criteria.iter().filter(|one| one.is_failing()).map(|one| one.name).collect();
        let mended = |name: &Name| matches!(name, Name::Delivery | Name::Deadline);
        // If nothing arrives, or another requirement is out of reach, a second setting does not help.
        let helps = failing.contains(&Name::Delivery) && failing.iter().all(mended);
        if !helps || best.counts.lost == best.counts.n {
            return Vec::new();
        }
        let power = best.configuration.power_dbm();
        let mut pairs = best.configuration.pairs(Name::Delivery, task);
        pairs.retain(|one| one.power_dbm() == power && !self.tried.contains(&one.settings));
        pairs.truncate(PAIRS);
        pairs
    }

    /// Settings that may extend the battery life of a trial that fails no requirement. Less power
    /// is excluded, because its cost is visible only at the distance at which the link fails.
    fn lasts_longer(&self, best: &Trial, task: &Task) -> Vec<Configuration> {
        let asked = task.limits.supply.as_ref().is_some_and(|supply| supply.years.is_some());
        if !asked || years(&self.criteria).is_none() || distance(&self.criteria).0 > 0 {
            return Vec::new();
        }
        let power = best.configuration.power_dbm();
        let mut moves = best.configuration.moves(Name::BatteryLife, task);
        moves.retain(|one| one.power_dbm() == power && !self.tried.contains(&one.settings));
        moves
    }

    /// Whether a requirement cannot be judged because its value is unknown.
    fn is_unknown(&self) -> bool {
        self.criteria.iter().any(Criterion::is_unknown)
    }

    /// Remaining measurement of a link that fails or cannot be judged: the other requirements, with
    /// few messages.
    fn completion(&self, task: &Task) -> Option<Step> {
        let best = self.best.as_ref().filter(|_| !self.left_out)?;
        let open = self.criteria.iter().any(Criterion::needs_messages);
        let settled = self.verdict() == Verdict::Fails || self.is_unknown();
        let finer = RUNGS.into_iter().find(|&count| count > best.sent && count <= COMPLETE);
        finer.filter(|_| settled && open && best.is_possible(task)).map(Step::Send)
    }

    /// Applies the result of a step. Returns its events.
    fn take(&mut self, found: Found, task: &Task, miss: f64) -> f64 {
        match found {
            Found::Sent(sent) => match *sent {
                Ok(trial) => {
                    let events = trial.events as f64 * self.per_event + SET_UP;
                    self.criteria = criteria(&trial, task, miss);
                    if trial.sent == RUNGS[RUNGS.len() - 1] {
                        self.criteria.iter_mut().for_each(Criterion::close);
                    }
                    self.best = Some(trial);
                    events
                }
                Err(why) => {
                    self.refused = Some(why);
                    0.0
                }
            },
            Found::Trials(trials) => {
                let mut events = 0.0;
                let count = trials.len();
                let mut last = None;
                let is_open = trials.iter().any(is_unfinished);
                let is_first = self.best.is_none();
                for trial in trials {
                    match trial {
                        Ok(Attempt::Whole(trial)) => {
                            events += trial.events as f64 * self.per_event + BENCHES * SET_UP;
                            self.keep(*trial, task, miss);
                        }
                        Ok(Attempt::Farther(spent)) => {
                            let benches = BENCHES - CHARGE_BENCHES;
                            events += spent as f64 * self.per_event + benches * SET_UP;
                        }
                        Err(Error::Rig(airlag_rig::Error::Allowance)) => events += self.allowance(),
                        Err(why) => last = Some(why),
                    }
                }
                let each = events / count.max(1) as f64;
                // The measured cost replaces the allowance of an attempt that did not finish, which
                // is several times as large. Otherwise, steps that fit into the budget would be
                // skipped.
                self.dear = if is_first { each } else { self.dear.max(each) };
                if self.best.is_none() && is_open {
                    // The next attempt may cost more.
                    self.allowed *= MORE;
                    self.dear = self.allowed;
                } else if self.best.is_none() {
                    self.refused = last;
                }
                events
            }
        }
    }

    /// Keeps a trial that is nearer to the requirements than the best.
    fn keep(&mut self, trial: Trial, task: &Task, miss: f64) {
        let found = criteria(&trial, task, miss);
        if trial.configuration.settings == self.start.settings {
            self.untuned_years = years(&found);
        }
        let better = self.best.is_none()
            || distance(&found) < distance(&self.criteria)
            || (distance(&found) == distance(&self.criteria)
                && years(&found) > years(&self.criteria));
        if better {
            (self.best, self.criteria) = (Some(trial), found);
        }
    }
}

/// Battery life, years. Returns `None` if none is required or there is no current data.
pub(super) fn years(criteria: &[Criterion]) -> Option<f64> {
    criteria.iter().find(|one| one.name == Name::BatteryLife)?.value
}

/// Distance of a candidate from the requirements: number of failed requirements, and their total excess.
fn distance(criteria: &[Criterion]) -> (usize, f64) {
    let beyond = criteria.iter().filter(|one| one.is_failing());
    (beyond.clone().count(), criteria.iter().map(|one| one.excess).sum())
}
