//! What a kind of link gives to a program: two ends, each a board's pins and a link that comes up.

mod boxed;

use std::cell::{OnceCell, RefCell};
use std::convert::Infallible;
use std::fmt::Display;
use std::future::Future;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_air::quantity::Metres;
use airlag_link::Link;
use airlag_sim::{Clock, Line, Sim};
use embedded_hal::digital::OutputPin;
use embedded_hal_async::digital::Wait;

use crate::neighbours::place::{Crowd, Place};
use crate::report::{Report, Told};

pub use boxed::{BoxedEnd, BoxedLink, BoxedOpening, BoxedPins, BoxedStrobe, BoxedTrigger};

/// Where ends are put: virtual time, the air, and whoever counts what happens.
pub struct Bench {
    sim: Sim,
    air: OnceCell<Medium>,
    told: Told,
    kept: RefCell<Vec<Rc<dyn std::any::Any>>>,
    /// Where powers matter: everybody on the air, and which of them is here.
    crowd: OnceCell<Rc<Crowd>>,
    place: Place,
}

impl Bench {
    /// A bench with an air of its own, should anything want one.
    #[must_use]
    pub fn new(sim: &Sim) -> Self {
        let (air, told) = (OnceCell::new(), Rc::new(RefCell::default()));
        let place = Place { group: 0, distance: Metres(0.0) };
        let (kept, crowd) = (RefCell::default(), OnceCell::new());
        Self { sim: sim.clone(), air, told, kept, crowd, place }
    }

    /// A bench on an air that may have other nodes.
    #[must_use]
    pub fn on(sim: &Sim, air: &Medium) -> Self {
        Self { air: OnceCell::from(air.clone()), ..Self::new(sim) }
    }

    /// A bench on the same air for something that stands `distance` from both ends of this one, with
    /// random streams and a report of its own.
    #[must_use]
    pub fn beside(&self, scope: &str, distance: Metres) -> Self {
        let sim = self.sim.beside(scope);
        let air = self.air().beside(sim.scope().unwrap_or(scope));
        let (place, crowd) = (self.crowd().next(distance), OnceCell::from(Rc::clone(self.crowd())));
        Self { crowd, place, ..Self::on(&sim, &air) }
    }

    /// Everybody on this air, where powers matter; from here on they do.
    pub fn crowd(&self) -> &Rc<Crowd> {
        self.crowd.get_or_init(Rc::default)
    }

    /// The same, if they do already.
    #[must_use]
    pub fn crowd_if_any(&self) -> Option<&Rc<Crowd>> {
        self.crowd.get()
    }

    /// Which of all on this air is here: 0 is the link, and its addresses are those it always has.
    #[must_use]
    pub const fn place(&self) -> Place {
        self.place
    }

    /// Virtual time.
    #[must_use]
    pub const fn sim(&self) -> &Sim {
        &self.sim
    }

    /// The air.
    #[must_use]
    pub fn air(&self) -> &Medium {
        self.air.get_or_init(|| Medium::new(&self.sim))
    }

    /// The air, if anything is on it.
    #[must_use]
    pub fn air_in_use(&self) -> Option<&Medium> {
        self.air.get()
    }

    /// Keeps something for as long as the bench, which nothing on the bench holds on to: a node
    /// between the ends.
    pub fn keep(&self, what: Rc<impl std::any::Any>) {
        self.kept.borrow_mut().push(what);
    }

    /// Counts what happens by its name.
    pub fn incidents(&self) -> impl Fn(&'static str) + Clone + use<> {
        let told = self.told();
        move |name| *told.borrow_mut().incidents.entry(name).or_default() += 1
    }

    /// What programs write to.
    #[must_use]
    pub fn told(&self) -> Told {
        Rc::clone(&self.told)
    }

    /// What the programs have told so far.
    #[must_use]
    pub fn report(&self) -> Report {
        self.told.borrow().clone()
    }
}

/// The pins of a board, as far as a program here uses them, and its clock.
pub trait Pins: 'static {
    /// An input that can be waited for.
    type Trigger: Wait<Error = Infallible> + 'static;
    /// An output.
    type Strobe: OutputPin + 'static;

    /// The input on `line`.
    fn trigger(&self, line: &Line) -> Self::Trigger;

    /// The output on `line`.
    fn strobe(&self, line: &Line) -> Self::Strobe;

    /// The board's own idea of time.
    fn clock(&self) -> Clock;
}

/// A link that is being set up: a future with the link, or with why there is none.
pub trait Opening: Future<Output = Result<Self::Link, String>> + 'static {
    /// What it becomes.
    type Link: Link<Error: Display> + 'static;
}

impl<F, L> Opening for F
where
    F: Future<Output = Result<L, String>> + 'static,
    L: Link<Error: Display> + 'static,
{
    type Link = L;
}

/// One end of a link: a board, and the link it sees.
pub struct End<P, O> {
    /// What a program on the board may use.
    pub pins: P,
    /// Its link.
    pub link: O,
}

/// What a kind of link puts on a bench.
pub enum Ends {
    /// Two boards and what is between them; the first one sends.
    Two(BoxedEnd, BoxedEnd),
    /// A board by itself.
    One(BoxedPins),
}

impl Ends {
    /// Two ends of whatever types.
    #[must_use]
    pub fn two(near: End<impl Pins, impl Opening>, far: End<impl Pins, impl Opening>) -> Self {
        Self::Two(near.boxed(), far.boxed())
    }

    /// A board whose pins are of whatever type.
    #[must_use]
    pub fn one(pins: impl Pins) -> Self {
        Self::One(BoxedPins::new(pins))
    }
}
