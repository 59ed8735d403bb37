//! What a kind of link is: one folder, and one line in a list of kinds.
//!
//! A kind declares its typed parameters, and those say what they make of a link: its least time, and how
//! its ends are put on a bench. A profile is [bound](crate::profile::Profile::bind) to its kind once, where its parameters are
//! read; what is asked then is asked of typed parameters. What runs on the ends is a [`Program`]'s business;
//! nothing outside the folder asks which kind it is.

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
use airlag_air::transmitter::Transmitter;

pub use medium::{Medium, Ways};

/// Parameters that a program declares.
pub type Declared = fn() -> Vec<Known>;

/// What is known of a kind of link without a profile. Implemented by its parameters.
pub trait Facts: Field + Configured + 'static {
    /// Name of the kind in profiles.
    const NAME: &'static str;
    /// What is between the ends; nothing where there is one board and no message.
    const MEDIUM: Medium;
    /// Which way messages can go.
    const WAYS: Ways;
    /// Whether a frame can be lost for good: a wire loses none, and a link layer that repeats a frame
    /// until it is acknowledged loses none while it is connected.
    const LOSES: bool = matches!(Self::MEDIUM, Medium::Air);
    /// What can be turned to make it quicker.
    const KNOBS: &'static [Knob];

    /// What extends its range, the quickest values first.
    const REACH: &'static [Knob] = &[];

    /// What lowers the current of the sending board between messages.
    const SAVING: &'static [Knob] = &[];

    /// Frequencies for regions that do not allow the usual one, the first choice first.
    const BAND_PLANS: &'static [BandPlan] = &[];

    /// What real links of this kind have that changes their goodput, and the bench and its ceilings have not.
    const WITHOUT: &'static [&'static str] = &[];

    /// What has to be set for messages to go both ways, where that depends.
    const ANSWERS: Option<Dependant> = None;

    /// Who else can be on the air with it.
    const NEIGHBOURS: Kinds = Kinds::new(&[]);

    /// What profiles of it set of programs that are none of the bench's own.
    const PROGRAMS: &'static [Declared] = &[];
}

/// A timer of a protocol that a message may wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// Wi-Fi beacons, between which a station sleeps.
    Beacon,
    /// Delayed acknowledgements of TCP.
    DelayedAck,
}

/// A link as its parameters configure it.
pub trait Configured {
    /// Whether messages go one way only as it is set, although those of its kind can go both ways.
    fn is_one_way(&self) -> bool {
        false
    }

    /// What a message of `size` bytes takes at least.
    ///
    /// # Errors
    ///
    /// What a datasheet or a standard refuses.
    fn floor(&self, size: usize) -> Result<Floor, Refusal>;

    /// What messages of `size` bytes that follow each other without end take at least; their floor,
    /// where nothing of one overlaps the next.
    ///
    /// # Errors
    ///
    /// As [`Configured::floor`].
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        self.floor(size).map(Cycle::each)
    }

    /// What else has to be set where a datasheet or a standard refuses the parameters as they are, for
    /// messages of `size` bytes. Empty where they are taken, or where nothing else helps.
    fn dependants(&self, _size: usize) -> Vec<Dependant> {
        Vec::new()
    }

    /// Timers of protocols that a message may wait for.
    fn timers(&self) -> Vec<Timer> {
        Vec::new()
    }

    /// Frames that a message of `size` bytes is cut into by the link itself, where all of it is lost with
    /// any of them.
    fn fragments(&self, _size: usize) -> Option<u64> {
        None
    }

    /// Puts the ends, or the one board, on a bench that will carry messages of `size` bytes; the first end
    /// sends.
    ///
    /// # Errors
    ///
    /// What a datasheet, a standard, a chip or its driver refuses.
    fn ends(&self, size: usize, bench: &Bench) -> Result<Ends, Refusal>;

    /// Positions in a ring that a capture leaves free besides phases: which parameter holds each,
    /// and how many there are.
    fn positions(&self) -> Vec<(Name, u64)> {
        Vec::new()
    }

    /// Teaches a sniffer the frames that only this kind has.
    fn tap(&self, sniffer: Sniffer) -> Sniffer {
        sniffer
    }

    /// What the radio that is called `node` on the air is; none for what does not belong to the link.
    fn transmitter(&self, _node: &str) -> Option<Transmitter> {
        None
    }
}

/// A kind of link: its facts, and how a profile of it is read.
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
    parameters: LazyLock<Parameters>,
    read: fn(&Profile) -> Result<Box<dyn Configured>, Error>,
}

/// What profiles set: first of the link itself, then of what is around it.
struct Parameters {
    all: Vec<Known>,
    own: usize,
}

impl Definition {
    /// For the static that is listed.
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
            parameters: LazyLock::new(parameters::<P> as fn() -> _),
            read: |profile| Ok(Box::new(profile.read::<P>()?)),
        }
    }
}

/// What a type of parameters declares, in that order.
#[must_use]
pub fn declared<P: Field>() -> Vec<Known> {
    P::declare("", "", Shape::default())
}

/// What profiles of a kind set: those of the link, and of two ends who else is on the air, which processor
/// is on both boards, and those of programs.
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

/// A kind of link, by reference: two are equal if they have the same name.
#[derive(Clone, Copy)]
pub struct Kind(&'static Definition);

impl Kind {
    /// For a list of kinds.
    #[must_use]
    pub const fn new(kind: &'static Definition) -> Self {
        Self(kind)
    }

    /// The one of `kinds` that is called `name`.
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

    /// What is between the ends.
    #[must_use]
    pub fn medium(self) -> Medium {
        self.0.medium
    }

    /// Whether a frame can be lost for good.
    #[must_use]
    pub fn loses(self) -> bool {
        self.0.loses
    }

    /// What a profile of this kind sets, in the order of its declaration.
    #[must_use]
    pub fn parameters(self) -> &'static [Known] {
        &self.0.parameters.all
    }

    /// Whether `known` is a parameter of the link itself, rather than of what is around it.
    pub(crate) fn is_own(self, known: &Known) -> bool {
        let Parameters { all, own } = &*self.0.parameters;
        all[..*own].iter().any(|one| one.name == known.name)
    }

    /// What can be turned to make it quicker.
    #[must_use]
    pub fn knobs(self) -> &'static [Knob] {
        self.0.knobs
    }

    /// What extends its range.
    #[must_use]
    pub fn reach(self) -> &'static [Knob] {
        self.0.reach
    }

    /// What lowers the current of the sending board between messages.
    #[must_use]
    pub fn saving(self) -> &'static [Knob] {
        self.0.saving
    }

    /// What real links of this kind have that changes their goodput, and the bench and its ceilings have not.
    #[must_use]
    pub fn without(self) -> &'static [&'static str] {
        self.0.without
    }

    /// Frequencies for regions.
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

/// A profile whose parameters were read: what is wrong with them is an error of that profile.
pub struct Bound<'a> {
    profile: &'a Profile,
    link: Box<dyn Configured>,
}

impl Profile {
    /// Reads its parameters, for all that is asked of them.
    ///
    /// # Errors
    ///
    /// [`Error::MissingParameter`] where its kind has others.
    pub fn bind(&self) -> Result<Bound<'_>, Error> {
        Ok(Bound { profile: self, link: (self.kind.0.read)(self)? })
    }
}

impl Bound<'_> {
    /// The link as it is configured.
    #[must_use]
    pub fn link(&self) -> &dyn Configured {
        &*self.link
    }

    /// Which way messages can go as it is set.
    #[must_use]
    pub fn ways(&self) -> Ways {
        if self.link.is_one_way() { Ways::One } else { self.profile.kind.0.ways }
    }

    /// Why an answer cannot come over a link that sends one way.
    #[must_use]
    pub fn one_way(&self) -> Error {
        Error::OneWay { link: self.profile.name.clone(), unless: self.profile.kind.0.answers }
    }

    /// What a message of `size` bytes takes at least.
    ///
    /// # Errors
    ///
    /// [`Error::NotAllowed`] and [`Error::Stopped`], where a datasheet, a standard or a driver refuses it.
    pub fn floor(&self, size: usize) -> Result<Floor, Error> {
        self.link.floor(size).map_err(|why| why.of(self.profile))
    }

    /// What messages of `size` bytes that follow each other without end take at least.
    ///
    /// # Errors
    ///
    /// As [`Bound::floor`], and [`Error::NoBytes`] of a board without a link.
    pub fn cycle(&self, size: usize) -> Result<Cycle, Error> {
        if !self.profile.has_message() {
            return Err(self.no_bytes());
        }
        self.link.cycle(size).map_err(|why| why.of(self.profile))
    }

    /// Puts the link on a bench, with a program on it.
    ///
    /// # Errors
    ///
    /// As [`Bound::floor`], [`Error::OneWay`] where the program needs an answer, and [`Error::NoBytes`] where
    /// it needs a link.
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
