//! The search for a configuration of each link that meets the requirements, within a budget of work.
//!
//! It goes in rounds, and each link takes a step in each. First all are tried with [`RUNGS`]`[0]` messages.
//! Then a link that fails a requirement is set otherwise where that may help ([`Configuration::moves`]), one
//! setting a round, as long as that brings it nearer. One that fails none is set to draw less, where a battery
//! shall last, as long as it still fails none; then it is sent more messages, until its verdict is sure.
//!
//! What a step costs is known from the steps before. What the first one of a link costs nobody knows, so it
//! has an [`allowance`]: where that is not enough the link waits, and is tried later with a larger one, as far
//! as the budget goes. A round spends a part of what is left of the budget, on
//! cheap steps and on links that are near to what is required; the others wait. Steps that no longer fit into
//! the budget are left out, and their links stay undecided, but for those that are out of reach.
//!
//! Work is counted in events of the bench, so the same budget under the same seed always buys the same.

use airlag_rig::profile::Profile;
use airlag_rig::{allowance, interrupt};

use super::configuration::Configuration;
use super::criterion::{Criterion, Name, criteria};
use super::trial::Trial;
use super::{Task, Verdict};
use crate::error::Error;
use crate::side_by_side::side_by_side;

/// Messages of a trial, from coarse to fine.
pub const RUNGS: [usize; 5] = [200, 1_000, 5_000, 25_000, 100_000];
/// Pairs of settings that are tried of a link at most.
const PAIRS: usize = 40;
/// Messages with which the requirements of a link are measured that fails another one.
const COMPLETE: usize = 5_000;
/// Probability that any verdict of an answer is wrong by chance.
const MISS: f64 = 0.05;
/// Events that count as a second of one core: fewer than a release build fires, so that the search ends
/// before its time.
pub const EVENTS_PER_SECOND: f64 = 2.5e6;
/// Share of what is left of the budget that a round spends at most.
const ROUND: f64 = 0.25;
/// Events that take as long as setting a bench up, and reading off what it did.
const SET_UP: f64 = 7_500.0;
/// Benches of a trial: two to four for the time of a message, and one each for law, charge, currents at
/// rest and the messages.
const BENCHES: f64 = 8.0;
/// By how much the allowance of a trial grows where it was not enough.
const MORE: f64 = 4.0;

/// How far the search for a link has come.
#[derive(Clone, Debug)]
pub enum State {
    /// There is more to try.
    Open,
    /// The verdict is that of the criteria.
    Done,
    /// The search ended before.
    Ended,
}

/// A link, and the nearest configuration found.
#[derive(Clone, Debug)]
pub struct Row {
    /// The link with what is required of all.
    pub profile: Profile,
    /// The best trial; none before the first.
    pub best: Option<Trial>,
    /// Battery life as the link is, years; none where no battery is asked about.
    pub untuned_years: Option<f64>,
    /// Why it cannot be run.
    pub refused: Option<Error>,
    /// Requirements on it.
    pub criteria: Vec<Criterion>,
    /// How far the search has come.
    pub state: State,
    /// Events of a trial, to foresee those of the next.
    dear: f64,
    /// Events that the first trial may take.
    allowed: f64,
    /// Whether the budget has no room for what is left to measure of it.
    left_out: bool,
    /// Whether other settings than those of the start were tried.
    has_moved: bool,
    /// Configurations that were tried.
    tried: Vec<Vec<(String, String)>>,
}

/// What a link does in a round.
#[derive(Clone, Debug)]
enum Step {
    /// Tries these, and keeps what is better than the best.
    Try(Vec<Configuration>),
    /// Sends so many messages.
    Send(usize),
}

/// What came of a step.
enum Found {
    Trials(Vec<Result<Trial, Error>>),
    Sent(Box<Result<Trial, Error>>),
}

/// Events of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Events that were fired.
    pub spent: f64,
    /// The budget.
    pub budget: f64,
}

/// Searches all `profiles`. `progress` is called with the work spent and the work foreseen, in
/// seconds of one core.
pub fn search(profiles: &[Profile], task: &Task, progress: &dyn Fn(f64, f64)) -> (Vec<Row>, Work) {
    // All first trials together take no more than half of the budget; that of one link may take all of it.
    let allowed =
        task.budget_s * EVENTS_PER_SECOND / (2 * profiles.len()).saturating_sub(1).max(1) as f64;
    let row = |profile: &Profile| Row {
        profile: profile.clone(),
        best: None,
        untuned_years: None,
        refused: None,
        criteria: Vec::new(),
        state: State::Open,
        dear: 0.0,
        allowed,
        left_out: false,
        has_moved: false,
        tried: Vec::new(),
    };
    let mut rows: Vec<Row> = profiles.iter().map(row).collect();
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
                    // It waits for a later round.
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
            let found = side_by_side(&fits, |(at, step, _)| carry_out(&rows[*at], step, task));
            if interrupt::is_requested() {
                rows.iter_mut().for_each(Row::end);
                return (rows, work);
            }
            for ((at, step, _), found) in fits.iter().zip(found) {
                if let (Step::Try(all), Found::Trials(trials)) = (step, &found) {
                    rows[*at].has_moved |= rows[*at].best.is_some();
                    // One whose allowance was not enough is tried again, with a larger one.
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

fn carry_out(row: &Row, step: &Step, task: &Task) -> Found {
    match step {
        Step::Try(all) => {
            let events = row.allowance() as u64;
            let trial = |one| match allowance::within(events, || Trial::of(one, task, RUNGS[0])) {
                // What its floor rules out needs no bench.
                found if is_unfinished(&found) => {
                    Trial::of_floor(one, task, events).map_or(found, Ok)
                }
                found => found,
            };
            Found::Trials(all.iter().map(trial).collect())
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

/// Whether its allowance was not enough.
fn is_unfinished(trial: &Result<Trial, Error>) -> bool {
    matches!(trial, Err(Error::Rig(airlag_rig::Error::Allowance)))
}

impl Row {
    /// The verdict of all criteria.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.refused.is_some() {
            return Verdict::Fails;
        }
        let found = self.criteria.iter().map(|one| one.verdict).max();
        match (found, &self.state) {
            // Settings that are left to try may mend what fails, unless it is out of their reach.
            (Some(Verdict::Fails), State::Ended) if !self.is_out_of_reach() => Verdict::Undecided,
            (Some(Verdict::Fails), _) => Verdict::Fails,
            (None, _) | (_, State::Ended) => Verdict::Undecided,
            (Some(verdict), _) => verdict,
        }
    }

    /// Whether it fails a requirement by more than its settings bring it nearer, after some were tried.
    fn is_out_of_reach(&self) -> bool {
        self.has_moved && self.criteria.iter().any(|one| one.out_of_reach)
    }

    /// By how much a step for this link is dearer than one for a link that fails nothing.
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

    /// Events that a trial may take.
    fn allowance(&self) -> f64 {
        if self.best.is_none() { self.allowed } else { MORE * self.dear }
    }

    /// Events that a step takes; unknown before the first.
    fn foreseen(&self, step: &Step) -> f64 {
        match step {
            Step::Try(all) => self.dear * all.len() as f64,
            Step::Send(count) => {
                let each = self.best.as_ref().map_or(0.0, |best| best.events_per_message);
                each * *count as f64 + SET_UP
            }
        }
    }

    /// What is next; none where the verdict stands.
    fn step(&mut self, task: &Task) -> Option<Step> {
        if !matches!(self.state, State::Open) {
            return None;
        }
        let Some(best) = &self.best else {
            if self.refused.is_some() {
                self.state = State::Done;
                return None;
            }
            return Some(Step::Try(Configuration::starts(&self.profile, task)));
        };
        let verdict = self.criteria.iter().map(|one| one.verdict).max();
        let open = self.criteria.iter().any(Criterion::needs_messages);
        let finer = RUNGS.into_iter().find(|&count| count > best.sent);
        let undecided = verdict == Some(Verdict::Undecided) && open;
        // Of the configurations that last as long as is required, an engineer ships the one that lasts longest.
        let longer = self.lasts_longer(best, task);
        if !longer.is_empty() {
            return Some(Step::Try(longer));
        }
        // What nobody knows no messages tell, so no more are sent than the other criteria need.
        let unknown = verdict == Some(Verdict::Undecided) && self.is_unknown();
        if verdict == Some(Verdict::Passes) || unknown {
            self.state = State::Done;
            return None;
        }
        // Another setting is cheaper to try than a verdict near a limit is to be sure of.
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

    /// What can be set beyond the best trial, for the requirements that it fails as far as is seen.
    fn moves(&self, best: &Trial, task: &Task) -> Vec<Configuration> {
        let mut moves: Vec<Configuration> = Vec::new();
        let failing = self.criteria.iter().filter(|one| {
            one.excess > 0.0 || matches!(one.verdict, Verdict::Fails | Verdict::Close)
        });
        for criterion in failing {
            for one in best.configuration.moves(criterion.name, task) {
                if !self.tried.contains(&one.settings) && !moves.contains(&one) {
                    moves.push(one);
                }
            }
        }
        // A larger power costs no latency, so it comes before slower modes.
        let power = best.configuration.power_dbm();
        let louder = |one: &Configuration| one.power_dbm() > power;
        if moves.iter().any(louder) {
            moves.retain(louder);
        }
        moves
    }

    /// Two settings at once, where none alone brings it nearer to the delivery that is required: a mode that
    /// is quicker, and a second copy for which it then has the time.
    fn pairs(&self, best: &Trial, task: &Task) -> Vec<Configuration> {
        let failing: Vec<Name> =
            self.criteria.iter().filter(|one| one.is_failing()).map(|one| one.name).collect();
        let mended = |name: &Name| matches!(name, Name::Delivery | Name::Deadline);
        // Where nothing arrives, or another requirement is out of reach, no second setting helps.
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

    /// What can be set beyond a best trial that fails nothing, for a longer life of the battery. Less power is
    /// not: what it costs shows at the range only at which it fails.
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

    /// Whether a requirement cannot be judged, as its value is not known.
    fn is_unknown(&self) -> bool {
        self.criteria.iter().any(|one| one.verdict == Verdict::Undecided && !one.needs_messages())
    }

    /// What is left to measure of a link that fails, or that cannot be judged: requirements of which little is known.
    fn completion(&self, task: &Task) -> Option<Step> {
        let best = self.best.as_ref().filter(|_| !self.left_out)?;
        let open = self.criteria.iter().any(Criterion::needs_messages);
        let settled = self.verdict() == Verdict::Fails || self.is_unknown();
        let finer = RUNGS.into_iter().find(|&count| count > best.sent && count <= COMPLETE);
        finer.filter(|_| settled && open && best.is_possible(task)).map(Step::Send)
    }

    /// Takes what came of a step. Returns its events.
    fn take(&mut self, found: Found, task: &Task, miss: f64) -> f64 {
        match found {
            Found::Sent(sent) => match *sent {
                Ok(trial) => {
                    let events = trial.events as f64 + SET_UP;
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
                for trial in trials {
                    match trial {
                        Ok(trial) => {
                            events += trial.events as f64 + BENCHES * SET_UP;
                            self.keep(trial, task, miss);
                        }
                        Err(Error::Rig(airlag_rig::Error::Allowance)) => events += self.allowance(),
                        Err(why) => last = Some(why),
                    }
                }
                self.dear = self.dear.max(events / count.max(1) as f64);
                if self.best.is_none() && is_open {
                    // The same again costs as much as it may.
                    self.allowed *= MORE;
                    self.dear = self.allowed;
                } else if self.best.is_none() {
                    self.refused = last;
                }
                events
            }
        }
    }

    /// Keeps a trial that is nearer to what is required than the best.
    fn keep(&mut self, trial: Trial, task: &Task, miss: f64) {
        let found = criteria(&trial, task, miss);
        if trial.configuration.settings.is_empty() {
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

/// Life of the battery, years; none where none is asked for or no current is listed.
pub(super) fn years(criteria: &[Criterion]) -> Option<f64> {
    criteria.iter().find(|one| one.name == Name::BatteryLife)?.value
}

/// How far a candidate is from what is required: how many requirements it fails, and by how much.
fn distance(criteria: &[Criterion]) -> (usize, f64) {
    let beyond = criteria.iter().filter(|one| one.is_failing());
    (beyond.clone().count(), criteria.iter().map(|one| one.excess).sum())
}
