//! Kinds of links: one folder each, and one line in the list of kinds.
//!
//! A kind declares typed parameters. From these parameters, the kind computes the latency floor of
//! a link, and places the two ends of the link on a bench. A profile is
//! [bound](crate::profile::Profile::bind) to its kind once. Binding reads the parameters of the
//! profile, and all later calls use the typed values. The boards at the two ends run a [`Program`].
//! Code outside the folder of a kind never branches on the kind.

mod medium;

use std::fmt;
use std::sync::LazyLock;

use airlag_air::Sniffer;

use crate::dependant::Dependant;
use crate::ends::{Bench, Ends};
use crate::error::{Error, Refusal};
use crate::floor::{Cycle, Floor};
use crate::knob::{BandPlan, Knob};
use crate::neighbours::Kinds;
use crate::parameter::{Field, Known, Name, Shape};
use crate::processor;
use crate::profile::{Profile, nearest};
use crate::programs::Program;
use airlag_air::Band;
use airlag_air::transmitter::Transmitter;
use airlag_sim::Duration;

pub use medium::{Medium, Ways};

/// Parameters that a program declares.
pub type Declared = fn() -> Vec<Known>;

/// Properties of a kind of link that hold for all profiles. Implemented by the kind's parameters.
pub trait Facts: Field + Configured + 'static {
    /// Name of the kind in profiles.
    const NAME: &'static str;
    /// Medium between the ends. [`Medium::None`] for a single board without messages.
    const MEDIUM: Medium;
    /// Possible directions of messages.
    const WAYS: Ways;
    /// Whether frames can be lost permanently. This is not the case on a wire, nor on a connected
    /// link layer that retransmits each frame until it is acknowledged.
    const LOSES: bool = matches!(Self::MEDIUM, Medium::Air);
    /// Knobs that lower latency.
    const KNOBS: &'static [Knob];

    /// Knobs that extend range, fastest values first.
    const REACH: &'static [Knob] = &[];

    /// Knobs that lower the current of the sending board between messages.
    const SAVING: &'static [Knob] = &[];

    /// Frequencies for regions that do not allow the default one, in order of preference.
    const BAND_PLANS: &'static [BandPlan] = &[];

    /// Effects on the goodput of real links of this kind that are not modelled, neither by the
    /// bench nor by the upper bounds.
    const WITHOUT: &'static [&'static str] = &[];

    /// Setting that makes the link bidirectional, where that depends on a setting.
    const ANSWERS: Option<Dependant> = None;

    /// Kinds of neighbours with which the link can share the air.
    const NEIGHBOURS: Kinds = Kinds::new(&[]);

    /// Other kinds whose radios can exchange packets with the radios of this kind, because other
    /// chips use the same protocol.
    const INTEROPERABLE: &'static [&'static str] = &[];

    /// Parameters of profiles for programs that other crates supply.
    const PROGRAMS: &'static [Declared] = &[];
}

/// A protocol timer that a message may wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// Wi-Fi beacons, between which a station sleeps.
    Beacon,
    /// Delayed TCP acknowledgements.
    DelayedAck,
}

/// The band at 2.4 GHz (ITU Radio Regulations, 5.150).
pub const ISM: Band = Band { low_khz: 2_400_000, high_khz: 2_500_000 };

/// A link as configured by its parameters.
pub trait Configured {
    /// Whether the configured link is one-way although its kind can be bidirectional.
    fn is_one_way(&self) -> bool {
        false
    }

    /// Lower bound of the latency of a message of `size` bytes.
    ///
    /// # Errors
    ///
    /// The refusal of a datasheet or a standard.
    fn floor(&self, size: usize) -> Result<Floor, Refusal>;

    /// Shortest period of an endless stream of messages of `size` bytes. By default, this period is
    /// the lower bound of the latency of one message. The default is correct for kinds of links on
    /// which the transfers of successive messages do not overlap in time.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Configured::floor`].
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        self.floor(size).map(Cycle::each)
    }

    /// Further settings that are required if a datasheet or a standard rejects the parameters for
    /// messages of `size` bytes. Empty if the parameters are valid, or if no other setting helps.
    fn dependants(&self, _size: usize) -> Vec<Dependant> {
        Vec::new()
    }

    /// Protocol timers that a message may wait for.
    fn timers(&self) -> Vec<Timer> {
        Vec::new()
    }

    /// Period of the exchanges without a message, such as connection events. `None` without them.
    fn idle_period(&self) -> Option<Duration> {
        None
    }

    /// Time after which an idle link repeats itself, so that a mean over whole cycles is exact. By
    /// default, this time is the period of the exchanges without a message. `None` if an idle link
    /// has no cycle.
    fn idle_cycle(&self) -> Option<Duration> {
        self.idle_period()
    }

    /// Returns the time that a sender waits before it retransmits a message, or a part of a
    /// message, that was lost without interference from other transmitters. Such losses are rare,
    /// so a run of a few messages that measures how long a message occupies the link often contains
    /// none. The returned time is zero if the link loses nothing without interference, or if the
    /// sender retransmits at once.
    fn repetition_wait(&self, _size: usize) -> Duration {
        Duration::ZERO
    }

    /// Returns the number of frames into which the link itself fragments a message of `size` bytes,
    /// if the message is lost whenever one frame is lost. `None` for other links.
    fn fragments(&self, _size: usize) -> Option<u64> {
        None
    }

    /// Places the two ends, or the single board, on a bench for messages of `size` bytes. The first
    /// end sends.
    ///
    /// # Errors
    ///
    /// The reason why a datasheet, a standard, a chip or its driver rejects the settings.
    fn ends(&self, size: usize, bench: &Bench) -> Result<Ends, Refusal>;

    /// Returns the parameters that set the position in a ring buffer at which a link starts. A
    /// capture records neither these start positions nor the phases of clocks. Each entry consists
    /// of the name of a parameter and the number of possible positions.
    fn positions(&self) -> Vec<(Name, u64)> {
        Vec::new()
    }

    /// Registers the frame formats that are specific to this kind with a sniffer.
    fn tap(&self, sniffer: Sniffer) -> Sniffer {
        sniffer
    }

    /// Returns the frequencies of the link's frames. The default is the whole band at 2.4 GHz, for
    /// links that hop over this band.
    fn band(&self) -> Band {
        ISM
    }

    /// The transmitter of the node called `node` on the air. `None` for nodes outside the link.
    fn transmitter(&self, _node: &str) -> Option<Transmitter> {
        None
    }
}

/// A kind of link: its properties and the functions that read its profiles.
pub struct Definition {
    name: &'static str,
    medium: Medium,
    loses: bool,
    ways: Ways,
    answers: Option<Dependant>,
    knobs: &'static [Knob],
    reach: &'static [Knob],
    saving: &'static [Knob],
    band_plans: &'static [BandPlan],
    without: &'static [&'static str],
    interoperable: &'static [&'static str],
    parameters: LazyLock<Parameters>,
    read: fn(&Profile) -> Result<Box<dyn Configured>, Error>,
}

/// Parameters of a kind's profiles: first the parameters of the link itself, then those of its
/// surroundings.
struct Parameters {
    all: Vec<Known>,
    own: usize,
}

impl Definition {
    /// The definition of the kind with parameters `P`, for the list of kinds.
    #[must_use]
    pub const fn of<P: Facts>() -> Self {
        Self {
            name: P::NAME,
            medium: P::MEDIUM,
            loses: P::LOSES,
            ways: P::WAYS,
            answers: P::ANSWERS,
            knobs: P::KNOBS,
            reach: P::REACH,
            saving: P::SAVING,
            band_plans: P::BAND_PLANS,
            without: P::WITHOUT,
            interoperable: P::INTEROPERABLE,
            parameters: LazyLock::new(parameters::<P> as fn() -> _),
            read: |profile| Ok(Box::new(profile.read::<P>()?)),
        }
    }
}

/// Parameters that the type `P` declares, in order.
#[must_use]
pub fn declared<P: Field>() -> Vec<Known> {
    P::declare("", "", Shape::default())
}

/// Parameters of a kind's profiles: those of the link, those of programs, and for links with two
/// ends the neighbours and the processor of both boards.
fn parameters<P: Facts>() -> Parameters {
    let mut all = declared::<P>();
    let own = all.len();
    if P::MEDIUM != Medium::None {
        all.extend(P::NEIGHBOURS.declared());
        all.push(processor::declared());
        all.extend(P::PROGRAMS.iter().flat_map(|declared| declared()));
    }
    Parameters { all, own }
}

/// A kind of link by reference. Two kinds are equal if their names are equal.
#[derive(Clone, Copy)]
pub struct Kind(&'static Definition);

impl Kind {
    /// Creates a kind, for a list of kinds.
    #[must_use]
    pub const fn new(kind: &'static Definition) -> Self {
        Self(kind)
    }

    /// Finds the kind called `name` among `kinds`.
    pub(crate) fn find(name: &str, kinds: &[Self]) -> Result<Self, Error> {
        let found = kinds.iter().find(|kind| kind.name() == name);
        found.copied().ok_or_else(|| Error::UnknownKind {
            name: name.to_owned(),
            nearest: nearest(name, kinds.iter().map(|kind| kind.name())),
        })
    }

    /// Name of the kind in profiles.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Medium between the ends.
    #[must_use]
    pub fn medium(self) -> Medium {
        self.0.medium
    }

    /// Whether frames can be lost permanently.
    #[must_use]
    pub fn loses(self) -> bool {
        self.0.loses
    }

    /// Parameters of its profiles, in the order of declaration.
    #[must_use]
    pub fn parameters(self) -> &'static [Known] {
        &self.0.parameters.all
    }

    /// Whether `known` is a parameter of the link itself rather than of its surroundings.
    pub(crate) fn is_own(self, known: &Known) -> bool {
        let Parameters { all, own } = &*self.0.parameters;
        all[..*own].iter().any(|one| one.name == known.name)
    }

    /// Knobs that lower latency.
    #[must_use]
    pub fn knobs(self) -> &'static [Knob] {
        self.0.knobs
    }

    /// Knobs that extend range.
    #[must_use]
    pub fn reach(self) -> &'static [Knob] {
        self.0.reach
    }

    /// Knobs that lower the current of the sending board between messages.
    #[must_use]
    pub fn saving(self) -> &'static [Knob] {
        self.0.saving
    }

    /// Effects on the goodput of real links of this kind that are not modelled, neither by the
    /// bench nor by the upper bounds.
    #[must_use]
    pub fn without(self) -> &'static [&'static str] {
        self.0.without
    }

    /// Returns the names of the kinds with whose radios the radios of this kind exchange packets,
    /// according to the definition of this kind.
    #[must_use]
    pub fn interoperable(self) -> &'static [&'static str] {
        self.0.interoperable
    }

    /// Whether radios of both kinds exchange packets, according to the definition of either.
    #[must_use]
    pub fn interoperates(self, other: Self) -> bool {
        let states = |one: Self, with: Self| one.0.interoperable.contains(&with.name());
        states(self, other) || states(other, self)
    }

    /// Frequencies by region.
    #[must_use]
    pub fn band_plans(self) -> &'static [BandPlan] {
        self.0.band_plans
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A profile with its typed parameters. Refusals become errors of that profile.
pub struct Bound<'a> {
    profile: &'a Profile,
    link: Box<dyn Configured>,
}

impl Profile {
    /// Reads the typed parameters.
    ///
    /// # Errors
    ///
    /// [`Error::MissingParameter`] if a parameter of the kind is missing.
    pub fn bind(&self) -> Result<Bound<'_>, Error> {
        Ok(Bound { profile: self, link: (self.kind.0.read)(self)? })
    }
}

impl Bound<'_> {
    /// Returns the configured link.
    #[must_use]
    pub fn link(&self) -> &dyn Configured {
        &*self.link
    }

    /// Directions of messages with these settings.
    #[must_use]
    pub fn ways(&self) -> Ways {
        if self.link.is_one_way() { Ways::One } else { self.profile.kind.0.ways }
    }

    /// Returns the error for a program that needs a response over a one-way link.
    #[must_use]
    pub fn one_way(&self) -> Error {
        Error::OneWay { link: self.profile.name.clone(), unless: self.profile.kind.0.answers }
    }

    /// Lower bound of the latency of a message of `size` bytes.
    ///
    /// # Errors
    ///
    /// [`Error::NotAllowed`] and [`Error::Stopped`], where a datasheet, a standard or a driver
    /// refuses the settings.
    pub fn floor(&self, size: usize) -> Result<Floor, Error> {
        self.link.floor(size).map_err(|why| why.of(self.profile))
    }

    /// Shortest period of an endless stream of messages of `size` bytes.
    ///
    /// # Errors
    ///
    /// Errors of [`Bound::floor`], and [`Error::NoBytes`] for a board without a link.
    pub fn cycle(&self, size: usize) -> Result<Cycle, Error> {
        if !self.profile.has_message() {
            return Err(self.no_bytes());
        }
        self.link.cycle(size).map_err(|why| why.of(self.profile))
    }

    /// Places the link and a program on a bench.
    ///
    /// # Errors
    ///
    /// Errors of [`Bound::floor`], [`Error::OneWay`] if the program needs a response, and
    /// [`Error::NoBytes`] if it needs a link.
    pub fn start(&self, size: usize, program: &dyn Program, bench: &Bench) -> Result<(), Error> {
        let alone = !self.profile.has_message();
        if !alone && program.needs_both_ways() && self.ways() == Ways::One {
            return Err(self.one_way());
        }
        match self.link.ends(size, bench).map_err(|why| why.of(self.profile))? {
            Ends::Two(near, far) => {
                program.start(near, far, bench);
                Ok(())
            }
            Ends::One(pins) => {
                let started = program.start_alone(pins, bench);
                started.then_some(()).ok_or_else(|| self.no_bytes())
            }
        }
    }

    fn no_bytes(&self) -> Error {
        Error::NoBytes { link: self.profile.name.clone() }
    }
}
