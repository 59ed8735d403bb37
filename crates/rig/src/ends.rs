//! The interface between a kind of link and a program: two ends, each with a board's pins and a
//! link.

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

use crate::neighbours::place::{Place, PlacedRadios};
use crate::report::{Report, SharedReport};

pub use boxed::{BoxedEnd, BoxedLink, BoxedOpening, BoxedPins, BoxedStrobe, BoxedTrigger};

/// The bench on which ends are placed: virtual time, the air, and the event counters.
pub struct Bench {
    sim: Sim,
    air: OnceCell<Medium>,
    report: SharedReport,
    kept: RefCell<Vec<Rc<dyn std::any::Any>>>,
    /// All radios on the air, and the position of this pair among them. Set only if signal powers
    /// are compared.
    placed_radios: OnceCell<Rc<PlacedRadios>>,
    place: Place,
}

impl Bench {
    /// Creates a bench with an air of its own, which is built on first use.
    #[must_use]
    pub fn new(sim: &Sim) -> Self {
        let (air, report) = (OnceCell::new(), Rc::new(RefCell::default()));
        let place = Place { group: 0, distance: Metres(0.0) };
        let (kept, placed_radios) = (RefCell::default(), OnceCell::new());
        Self { sim: sim.clone(), air, report, kept, placed_radios, place }
    }

    /// Creates a bench on an existing air, which may have other nodes.
    #[must_use]
    pub fn on(sim: &Sim, air: &Medium) -> Self {
        Self { air: OnceCell::from(air.clone()), ..Self::new(sim) }
    }

    /// Creates a bench on the same air at `distance` from both ends of this one, with its own
    /// random streams and its own report.
    #[must_use]
    pub fn beside(&self, scope: &str, distance: Metres) -> Self {
        let sim = self.sim.beside(scope);
        let air = self.air().beside(sim.scope().unwrap_or(scope));
        let (place, placed_radios) =
            (self.placed_radios().next(distance), OnceCell::from(Rc::clone(self.placed_radios())));
        Self { placed_radios, place, ..Self::on(&sim, &air) }
    }

    /// Returns all radios on this air. The first call enables the comparison of signal powers.
    pub fn placed_radios(&self) -> &Rc<PlacedRadios> {
        self.placed_radios.get_or_init(Rc::default)
    }

    /// Returns all radios on this air. `None` while signal powers are not compared.
    #[must_use]
    pub fn placed_radios_if_any(&self) -> Option<&Rc<PlacedRadios>> {
        self.placed_radios.get()
    }

    /// Position of this pair on the air. Group 0 is the link under test; the other groups are
    /// neighbours.
    #[must_use]
    pub const fn place(&self) -> Place {
        self.place
    }

    /// Virtual time.
    #[must_use]
    pub const fn sim(&self) -> &Sim {
        &self.sim
    }

    /// Returns the air.
    #[must_use]
    pub fn air(&self) -> &Medium {
        self.air.get_or_init(|| Medium::new(&self.sim))
    }

    /// Returns the air, if it is used.
    #[must_use]
    pub fn air_in_use(&self) -> Option<&Medium> {
        self.air.get()
    }

    /// Keeps an object alive as long as the bench, for objects without another owner, such as a
    /// node between the ends.
    pub fn keep(&self, what: Rc<impl std::any::Any>) {
        self.kept.borrow_mut().push(what);
    }

    /// Returns a counter of named events.
    pub fn incidents(&self) -> impl Fn(&'static str) + Clone + use<> {
        let report = self.shared_report();
        move |name| *report.borrow_mut().incidents.entry(name).or_default() += 1
    }

    /// Returns the report to which programs write.
    #[must_use]
    pub fn shared_report(&self) -> SharedReport {
        Rc::clone(&self.report)
    }

    /// Returns the report so far.
    #[must_use]
    pub fn report(&self) -> Report {
        self.report.borrow().clone()
    }
}

/// The pins of a board that a program uses, and its clock.
pub trait Pins: 'static {
    /// An input that can be awaited.
    type Trigger: Wait<Error = Infallible> + 'static;
    /// An output.
    type Strobe: OutputPin + 'static;

    /// Opens the input on `line`.
    fn trigger(&self, line: &Line) -> Self::Trigger;

    /// Opens the output on `line`.
    fn strobe(&self, line: &Line) -> Self::Strobe;

    /// The board's own clock.
    fn clock(&self) -> Clock;
}

/// A link during set-up: a future that resolves to the link, or to the reason why it could not be
/// set up.
pub trait Opening: Future<Output = Result<Self::Link, String>> + 'static {
    /// The link once it is up.
    type Link: Link<Error: Display> + 'static;
}

impl<F, L> Opening for F
where
    F: Future<Output = Result<L, String>> + 'static,
    L: Link<Error: Display> + 'static,
{
    type Link = L;
}

/// One end of a link: a board and its view of the link.
pub struct End<P, O> {
    /// Pins available to a program on the board.
    pub pins: P,
    /// Link.
    pub link: O,
}

/// Objects that a kind of link places on a bench.
pub enum Ends {
    /// Two boards and the link between them; the first one sends.
    Two(BoxedEnd, BoxedEnd),
    /// A single board without a link.
    One(BoxedPins),
}

impl Ends {
    /// Two ends of any types.
    #[must_use]
    pub fn two(near: End<impl Pins, impl Opening>, far: End<impl Pins, impl Opening>) -> Self {
        Self::Two(near.boxed(), far.boxed())
    }

    /// A single board with pins of any type.
    #[must_use]
    pub fn one(pins: impl Pins) -> Self {
        Self::One(BoxedPins::new(pins))
    }
}
