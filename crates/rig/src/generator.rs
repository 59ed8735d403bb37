//! The signal generator on a trigger wire: pulses at known instants, or after transmissions of the
//! idle link.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use airlag_air::Medium;
use airlag_sim::{Duration, Instant, Line, Sim};

use crate::emissions::is_of_link;
use crate::error::Error;
use crate::profile::Profile;
use crate::run::{Options, open_idle};
use crate::session::Session;
use crate::stimulus::{Aligned, PULSE, Stimulus};

/// Durations for which an idle link is observed, in this order, in search of a transmission of the
/// link. An observation takes place only if the previous one contained no transmission. An
/// observation of 1 s covers beacons and connection events, 10 s covers slow frequency hopping, and
/// 600 s covers polls of sleepy devices.
const OBSERVED: [Duration; 3] =
    [Duration::from_secs(1), Duration::from_secs(10), Duration::from_secs(600)];

/// Source of the generator's trigger instants.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// Known instants.
    Known(Stimulus),
    /// Transmissions of the link.
    Transmissions(Aligned),
}

impl Source {
    /// Resolves `stimulus` for the link of `profile`.
    ///
    /// # Errors
    ///
    /// Errors of a run, and [`Error::NoSchedule`] if triggers cannot be aligned because the idle
    /// link transmits nothing.
    pub(crate) fn of(
        stimulus: &Stimulus,
        profile: &Profile,
        size: usize,
        options: Options,
    ) -> Result<Self, Error> {
        match stimulus {
            Stimulus::Aligned(aligned) => {
                check_schedule(profile, size, options)?;
                Ok(Self::Transmissions(*aligned))
            }
            known => Ok(Self::Known(known.clone())),
        }
    }

    /// Starts pulses on `trigger`, with randomness from the stream called `name`.
    pub(crate) fn start(&self, session: &Session, trigger: &Line, name: &str) -> Pulses {
        let (time, ready) = (session.time(), session.ready());
        match (self, session.bench().air_in_use()) {
            (Self::Known(stimulus), _) => {
                let triggers = stimulus.instants(ready, &mut time.stream(name));
                generate(time, trigger, triggers.clone());
                Pulses { count: triggers.len(), made: Rc::new(RefCell::new(triggers)) }
            }
            (&Self::Transmissions(aligned), Some(air)) => {
                Pulses::behind(air, aligned, trigger, ready)
            }
            (Self::Transmissions(aligned), None) => {
                Pulses { count: aligned.count, made: Rc::default() }
            }
        }
    }
}

/// A running generator.
pub(crate) struct Pulses {
    count: usize,
    made: Rc<RefCell<Vec<Instant>>>,
}

impl Pulses {
    /// Starts pulses that follow the transmissions on the air.
    fn behind(air: &Medium, aligned: Aligned, trigger: &Line, ready: Instant) -> Self {
        let Aligned { offset, period, count, skipped } = aligned;
        let pulses = Self { count, made: Rc::default() };
        let (made, line, names) = (Rc::clone(&pulses.made), trigger.clone(), air.clone());
        // A generator re-arms only after the end of its last pulse.
        let (armed, earliest) = (Cell::new(ready), Cell::new(ready));
        let left = Cell::new(skipped);
        air.detect(move |from, begin| {
            let (at, mut made) = (begin + offset, made.borrow_mut());
            let is_due = begin >= armed.get() && at >= earliest.get();
            if is_due && made.len() < count && is_of_link(&names.name(from)) {
                if let Some(fewer) = left.get().checked_sub(1) {
                    left.set(fewer);
                    return;
                }
                let end = at + width(period);
                made.push(at);
                armed.set(end);
                earliest.set(at + period);
                line.set_at(at, true);
                line.set_at(end, false);
            }
        });
        pulses
    }

    /// Runs until the last pulse is made. Returns the time until which its completion is awaited.
    ///
    /// # Errors
    ///
    /// Errors of [`Session::run_until`], and [`Error::NoSchedule`] if transmissions end before the
    /// last pulse.
    pub(crate) fn run(
        &self,
        session: &Session,
        stimulus: &Stimulus,
        profile: &Profile,
    ) -> Result<Instant, Error> {
        let (time, [.., longest]) = (session.time(), OBSERVED);
        let made = || self.made.borrow().last().copied().unwrap_or(session.ready());
        while self.made.borrow().len() < self.count {
            if time.now() > made() + longest {
                return Err(Error::NoSchedule { link: profile.name.clone() });
            }
            session.step_until(time.now() + stimulus.patience().max(Duration::from_ms(1)))?;
        }
        Ok(self.made.borrow().last().map_or(session.ready(), |&last| last + stimulus.patience()))
    }
}

/// Checks that the idle link transmits.
fn check_schedule(profile: &Profile, size: usize, options: Options) -> Result<(), Error> {
    let none = || Error::NoSchedule { link: profile.name.clone() };
    for observed in OBSERVED {
        let session = open_idle(profile, size, options)?;
        let air = session.bench().air_in_use().ok_or_else(none)?;
        let (seen, names): (Rc<Cell<bool>>, _) = (Rc::default(), air.clone());
        let found = Rc::clone(&seen);
        air.detect(move |from, _| found.set(found.get() || is_of_link(&names.name(from))));
        session.run_until(session.ready() + observed)?;
        if seen.get() {
            return Ok(());
        }
    }
    Err(none())
}

/// Width of a pulse that is followed by another after `gap`: [`PULSE`], but at most half the gap.
fn width(gap: Duration) -> Duration {
    PULSE.min(Duration::from_ns(gap.as_ns() / 2))
}

/// Generates pulses at `triggers`.
pub(crate) fn generate(sim: &Sim, trigger: &Line, triggers: Vec<Instant>) {
    let (line, clock) = (trigger.clone(), sim.clone());
    sim.spawn("signal generator", async move {
        for (nth, &at) in triggers.iter().enumerate() {
            clock.sleep_until(at).await;
            line.set(true);
            let gap = triggers.get(nth + 1).map_or(PULSE + PULSE, |next| next.since(at));
            clock.sleep(width(gap)).await;
            line.set(false);
        }
    });
}
