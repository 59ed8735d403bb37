//! What a kind of link is: one folder, and one line in a list of kinds.
//!
//! A kind declares its typed parameters and says how its two ends are put on a bench. What runs on
//! the ends is a [`Program`]'s business; nothing outside the folder asks which kind it is.

mod medium;

use std::fmt;
use std::marker::PhantomData;
use std::sync::LazyLock;

use airlag_air::Sniffer;
use airlag_law::Transmitter;

use crate::dependant::Dependant;
use crate::ends::{Bench, End, Opening, Pins};
use crate::error::{Error, Refusal};
use crate::floor::{Cycle, Floor};
use crate::knob::Knob;
use crate::neighbours::Kinds;
use crate::parameter::{Field, Known, Name, Shape};
use crate::processor;
use crate::profile::{Profile, nearest};
use crate::programs::Program;
use crate::programs::calls::settings::Settings;

pub use medium::{Medium, Ways};

/// A link between two boards.
pub trait TwoEnds: 'static {
    /// What profiles call it.
    const NAME: &'static str;
    /// What is between the ends.
    const MEDIUM: Medium;
    /// Which way messages can go.
    const WAYS: Ways;
    /// What can be turned to make it quicker.
    const KNOBS: &'static [Knob];

    /// What has to be set for messages to go both ways, where that depends.
    const ANSWERS: Option<Dependant> = None;

    /// Who else can be on the air with it.
    const NEIGHBOURS: Kinds = Kinds::new(&[]);

    /// What a profile of this kind sets.
    type Parameters: Field;

    /// Which way messages can go as it is set; [`TwoEnds::WAYS`] where that makes no difference.
    #[must_use]
    fn ways(_parameters: &Self::Parameters) -> Ways {
        Self::WAYS
    }

    /// What a message of `size` bytes takes at least.
    fn floor(parameters: &Self::Parameters, size: usize) -> Result<Floor, Refusal>;

    /// What messages of `size` bytes that follow each other without end take at least; their floor,
    /// where nothing of one overlaps the next.
    fn cycle(parameters: &Self::Parameters, size: usize) -> Result<Cycle, Refusal> {
        Self::floor(parameters, size).map(Cycle::each)
    }

    /// What else has to be set where a datasheet or a standard refuses `parameters` as they are, for
    /// messages of `size` bytes. Empty where they are taken, or where nothing else helps.
    #[must_use]
    fn dependants(_parameters: &Self::Parameters, _size: usize) -> Vec<Dependant> {
        Vec::new()
    }

    /// Frames that a message of `size` bytes is cut into by the link itself, where all of it is lost with
    /// any of them.
    #[must_use]
    fn fragments(_: &Self::Parameters, _: usize) -> Option<u64> {
        None
    }

    /// Puts both ends on a bench that will carry messages of `size` bytes; the first one sends.
    fn ends(
        parameters: &Self::Parameters,
        size: usize,
        bench: &Bench,
    ) -> Result<(End<impl Pins, impl Opening>, End<impl Pins, impl Opening>), Refusal>;

    /// Positions in a ring that a capture leaves free besides phases: which parameter holds each,
    /// and how many there are.
    #[must_use]
    fn positions(_: &Self::Parameters) -> Vec<(Name, u64)> {
        Vec::new()
    }

    /// Teaches a sniffer the frames that only this kind has.
    #[must_use]
    fn tap(sniffer: Sniffer) -> Sniffer {
        sniffer
    }

    /// What the radio that is called `node` on the air is in the eyes of the law; none for what does
    /// not belong to the link.
    #[must_use]
    fn transmitter(_: &Self::Parameters, _: &str) -> Option<Transmitter> {
        None
    }
}

/// A board by itself: it answers a trigger, and carries no bytes.
pub trait OneBoard: 'static {
    /// What profiles call it.
    const NAME: &'static str;
    /// What can be turned to make it quicker.
    const KNOBS: &'static [Knob];

    /// What a profile of this kind sets.
    type Parameters: Field;

    /// What an answer takes at least.
    fn floor(parameters: &Self::Parameters) -> Result<Floor, Refusal>;

    /// Puts the board on a bench.
    fn board(parameters: &Self::Parameters, bench: &Bench) -> Result<impl Pins, Refusal>;
}

/// What is known of a kind without a profile.
pub struct Facts {
    name: &'static str,
    medium: Medium,
    knobs: &'static [Knob],
    parameters: LazyLock<Vec<Known>>,
}

/// What the bench asks of any kind; [`Between`] and [`Alone`] are the two that answer. What is given
/// here is what a board by itself answers: it carries nothing.
pub trait AnyKind: Sync {
    /// What is known of it without a profile.
    fn facts(&self) -> &Facts;
    /// Which way messages can go as the link is set.
    fn ways(&self, _: &Profile) -> Result<Ways, Error> {
        Ok(Ways::One)
    }
    /// Why an answer cannot come over a link that sends one way.
    fn one_way(&self, profile: &Profile) -> Error {
        Error::OneWay { link: profile.name.clone(), unless: None }
    }
    /// What a message of `size` bytes takes at least.
    fn floor(&self, profile: &Profile, size: usize) -> Result<Floor, Error>;
    /// What messages of `size` bytes that follow each other without end take at least.
    fn cycle(&self, profile: &Profile, _: usize) -> Result<Cycle, Error> {
        Err(Error::NoBytes { link: profile.name.clone() })
    }
    /// What else has to be set where a datasheet or a standard refuses `profile` as it is.
    fn dependants(&self, _: &Profile, _size: usize) -> Result<Vec<Dependant>, Error> {
        Ok(Vec::new())
    }
    /// Frames that a message of `size` bytes is cut into, where all of it is lost with any of them.
    fn fragments(&self, _: &Profile, _: usize) -> Result<Option<u64>, Error> {
        Ok(None)
    }
    /// Positions in a ring that a capture leaves free besides phases.
    fn positions(&self, _: &Profile) -> Result<Vec<(Name, u64)>, Error> {
        Ok(Vec::new())
    }
    /// Teaches a sniffer the frames that only this kind has.
    fn tap(&self, sniffer: Sniffer) -> Sniffer {
        sniffer
    }
    /// What a radio of the link is in the eyes of the law; none for what does not belong to it.
    fn transmitter(&self, _: &Profile, _: &str) -> Result<Option<Transmitter>, Error> {
        Ok(None)
    }
    /// Puts a profile on a bench, with a program on it.
    fn start(
        &self,
        profile: &Profile,
        size: usize,
        program: &Program,
        bench: &Bench,
    ) -> Result<(), Error>;
}

/// A kind with two ends.
pub struct Between<K> {
    facts: Facts,
    kind: PhantomData<fn() -> K>,
}

impl<K: TwoEnds> Between<K> {
    /// For the static that is listed.
    #[must_use]
    pub const fn new() -> Self {
        let declared = match K::WAYS {
            Ways::One => on_the_air::<K> as fn() -> _,
            Ways::Both => with_calls::<K> as fn() -> _,
        };
        let parameters = LazyLock::new(declared);
        let (name, medium, knobs) = (K::NAME, K::MEDIUM, K::KNOBS);
        Self { facts: Facts { name, medium, knobs, parameters }, kind: PhantomData }
    }
}

impl<K: TwoEnds> Default for Between<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: TwoEnds> AnyKind for Between<K> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn ways(&self, profile: &Profile) -> Result<Ways, Error> {
        Ok(K::ways(&profile.read::<K::Parameters>()?))
    }

    fn one_way(&self, profile: &Profile) -> Error {
        Error::OneWay { link: profile.name.clone(), unless: K::ANSWERS }
    }

    fn floor(&self, profile: &Profile, size: usize) -> Result<Floor, Error> {
        K::floor(&profile.read::<K::Parameters>()?, size).map_err(|why| why.of(profile))
    }

    fn cycle(&self, profile: &Profile, size: usize) -> Result<Cycle, Error> {
        K::cycle(&profile.read::<K::Parameters>()?, size).map_err(|why| why.of(profile))
    }

    fn dependants(&self, profile: &Profile, size: usize) -> Result<Vec<Dependant>, Error> {
        Ok(K::dependants(&profile.read::<K::Parameters>()?, size))
    }

    fn fragments(&self, profile: &Profile, size: usize) -> Result<Option<u64>, Error> {
        Ok(K::fragments(&profile.read::<K::Parameters>()?, size))
    }

    fn positions(&self, profile: &Profile) -> Result<Vec<(Name, u64)>, Error> {
        Ok(K::positions(&profile.read::<K::Parameters>()?))
    }

    fn tap(&self, sniffer: Sniffer) -> Sniffer {
        K::tap(sniffer)
    }

    fn transmitter(&self, profile: &Profile, node: &str) -> Result<Option<Transmitter>, Error> {
        Ok(K::transmitter(&profile.read::<K::Parameters>()?, node))
    }

    fn start(
        &self,
        profile: &Profile,
        size: usize,
        program: &Program,
        bench: &Bench,
    ) -> Result<(), Error> {
        let parameters = profile.read::<K::Parameters>()?;
        if program.needs_both_ways() && K::ways(&parameters) == Ways::One {
            return Err(self.one_way(profile));
        }
        let ends = K::ends(&parameters, size, bench);
        let (near, far) = ends.map_err(|why| why.of(profile))?;
        program.start(near, far, bench);
        Ok(())
    }
}

/// A kind of one board.
pub struct Alone<K> {
    facts: Facts,
    kind: PhantomData<fn() -> K>,
}

impl<K: OneBoard> Alone<K> {
    /// For the static that is listed.
    #[must_use]
    pub const fn new() -> Self {
        let parameters = LazyLock::new(declared::<K::Parameters> as fn() -> _);
        let (name, medium, knobs) = (K::NAME, Medium::None, K::KNOBS);
        Self { facts: Facts { name, medium, knobs, parameters }, kind: PhantomData }
    }
}

impl<K: OneBoard> Default for Alone<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: OneBoard> AnyKind for Alone<K> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn floor(&self, profile: &Profile, _: usize) -> Result<Floor, Error> {
        K::floor(&profile.read::<K::Parameters>()?).map_err(|why| why.of(profile))
    }

    fn start(
        &self,
        profile: &Profile,
        _: usize,
        program: &Program,
        bench: &Bench,
    ) -> Result<(), Error> {
        let pins = K::board(&profile.read::<K::Parameters>()?, bench);
        let pins = pins.map_err(|why| why.of(profile))?;
        if program.start_alone(pins, bench) {
            Ok(())
        } else {
            Err(Error::NoBytes { link: profile.name.clone() })
        }
    }
}

/// What a profile sets, in the order of its declaration.
fn declared<P: Field>() -> Vec<Known> {
    P::declare("", "", Shape::default())
}

/// The same, who else is on the air, and which processor is on both boards.
fn on_the_air<K: TwoEnds>() -> Vec<Known> {
    let mut all = declared::<K::Parameters>();
    all.extend(K::NEIGHBOURS.declared());
    all.push(processor::declared());
    all
}

/// The same, and how calls are made over a link that goes both ways.
fn with_calls<K: TwoEnds>() -> Vec<Known> {
    [on_the_air::<K>(), declared::<Settings>()].concat()
}

/// A kind of link, by reference: two are equal if they have the same name.
#[derive(Clone, Copy)]
pub struct Kind(&'static dyn AnyKind);

impl Kind {
    /// For a list of kinds.
    #[must_use]
    pub const fn new(kind: &'static dyn AnyKind) -> Self {
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

    /// What profiles call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.facts().name
    }

    /// What is between the ends.
    #[must_use]
    pub fn medium(self) -> Medium {
        self.0.facts().medium
    }

    /// What a profile of this kind sets, in the order of its declaration.
    #[must_use]
    pub fn parameters(self) -> &'static [Known] {
        &self.0.facts().parameters
    }

    /// What can be turned to make it quicker.
    #[must_use]
    pub fn knobs(self) -> &'static [Knob] {
        self.0.facts().knobs
    }
}

impl std::ops::Deref for Kind {
    type Target = dyn AnyKind;

    fn deref(&self) -> &Self::Target {
        self.0
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
