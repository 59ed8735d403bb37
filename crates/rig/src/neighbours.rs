//! Neighbours: other transmitters on the air, as in `neighbours=wifi:30%@ch6`.
//!
//! Neighbours are transmitters on the air besides those of the link. Each neighbour has senders of
//! its own, which transmit on the same medium as the link. The random streams of these senders are
//! independent of the random streams of the link. A kind of neighbour is one file that implements
//! [`Neighbour`], and one line in the list `NEIGHBOURS` of each kind of link that can have such
//! neighbours.
//!
//! If a neighbour transmits in the band of the link, signal powers (see [`place`]) decide which of
//! two overlapping frames survives, and which transmissions a carrier detector senses. If no
//! neighbour transmits in the band of the link, signal powers are not compared.
//!
//! - [`spec`]: the syntax of a request. [`place`]: positions of all radios. [`same_link`]: further
//!   pairs of the link itself.

pub mod place;
pub mod same_link;
pub mod spec;

use std::fmt;
use std::rc::Rc;

use airlag_air::Band;

use crate::ends::Bench;
use crate::error::Error;
use crate::parameter::{Domain, Known, Value};
use crate::profile::Profile;
use crate::programs::Program;
pub use spec::{Amount, Spec};

/// Name of the parameter.
pub const NAME: &str = "neighbours";

/// A kind of neighbour.
pub trait Neighbour: Sync {
    /// Name in a request.
    fn name(&self) -> &'static str;

    /// Example of a request, for errors.
    fn example(&self) -> &'static str;

    /// Checks a parsed request. An error states the problem and the valid form.
    fn check(&self, spec: &Spec) -> Result<(), String>;

    /// Frequencies of its frames, next to a link that uses the band `link`.
    fn band(&self, spec: &Spec, link: Band) -> Band;

    /// Places a neighbour on the air.
    fn start(&self, spec: &Spec, beside: &Beside<'_>) -> Result<(), Error>;
}

/// Context of a neighbour.
pub struct Beside<'a> {
    /// A bench on the same air, at the requested distance, with its own random streams.
    pub bench: &'a Bench,
    /// The link that the neighbour is next to.
    pub profile: &'a Profile,
    /// Message size of that link, bytes.
    pub size: usize,
    /// Constructor of the program of that link's ends.
    pub twin: Twin<'a>,
}

impl Beside<'_> {
    /// Creates the error for a request that cannot be placed on the air.
    #[must_use]
    pub fn refused(&self, cause: String) -> Error {
        Error::NotAllowed { link: self.profile.name.clone(), name: NAME, cause }
    }
}

/// Creates the program for another pair of the same link on a bench of its own. `None` if the link
/// carries traffic from outside.
pub type Twin<'a> = Option<&'a dyn Fn(&Bench) -> Result<Box<dyn Program>, Error>>;

/// The kinds of neighbours that a kind of link can have.
#[derive(Clone, Copy)]
pub struct Kinds(&'static [&'static dyn Neighbour]);

impl Kinds {
    /// Creates the set from a list.
    #[must_use]
    pub const fn new(all: &'static [&'static dyn Neighbour]) -> Self {
        Self(all)
    }

    /// Names of the kinds.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|one| one.name())
    }

    /// Finds the kind called `name`.
    pub(crate) fn find(self, name: &str) -> Option<&'static dyn Neighbour> {
        self.0.iter().copied().find(|one| one.name() == name)
    }

    /// One example for each kind.
    pub(crate) fn examples(self) -> String {
        self.0.iter().map(|one| one.example()).collect::<Vec<_>>().join(", ")
    }

    /// The `neighbours` parameter. `None` for links that cannot have any.
    pub(crate) fn declared(self) -> Option<Known> {
        let about = "other transmitters on the air, separated by semicolons";
        let (unit, domain) = ("", Domain::Neighbours(self));
        let default = Some(("", "as measured: none"));
        (!self.0.is_empty()).then_some(Known { name: NAME, unit, domain, about, default })
    }
}

impl fmt::Debug for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// Two sets are equal if the names of their kinds are equal.
impl PartialEq for Kinds {
    fn eq(&self, other: &Self) -> bool {
        self.names().eq(other.names())
    }
}

/// Neighbours that a profile configures.
fn of(profile: &Profile) -> Result<Vec<Spec>, Error> {
    let known = profile.kind.parameters().iter().find(|known| known.name == NAME);
    let Some(Known { domain: Domain::Neighbours(kinds), .. }) = known else {
        return Ok(Vec::new());
    };
    let Value::Choice(text) = profile.value(NAME)? else { return Err(profile.missing(NAME)) };
    let link = || profile.name.clone();
    spec::parse(text, *kinds).map_err(|cause| Error::NotAllowed { link: link(), name: NAME, cause })
}

/// Whether a profile has neighbours within its band.
///
/// # Errors
///
/// The refusal of its parameters.
pub fn any(profile: &Profile) -> Result<bool, Error> {
    Ok(!within_reach(of(profile)?, profile.bind()?.link().band()).is_empty())
}

/// Returns the neighbours that affect the link, each with its index in `all`. A neighbour affects
/// the link directly if it shares frequencies with the link. A neighbour affects the link
/// indirectly if it shares frequencies with another neighbour that affects the link, because the
/// first neighbour delays the second. All remaining neighbours are omitted, because they would have
/// no effect and would take time to simulate.
fn within_reach(all: Vec<Spec>, link: Band) -> Vec<(usize, Spec)> {
    let bands: Vec<Band> = all.iter().map(|spec| spec.of.band(spec, link)).collect();
    let mut counts: Vec<bool> = bands.iter().map(|band| band.overlaps(&link)).collect();
    while let Some(next) = (0..bands.len()).find(|&at| {
        let meets = |other: usize| counts[other] && bands[other].overlaps(&bands[at]);
        !counts[at] && (0..bands.len()).any(meets)
    }) {
        counts[next] = true;
    }
    all.into_iter().enumerate().filter(|(at, _)| counts[*at]).collect()
}

/// Places a profile with a program and its neighbours on a bench.
pub(crate) fn start(
    profile: &Profile,
    size: usize,
    program: &dyn Program,
    bench: &Bench,
    twin: Twin<'_>,
) -> Result<(), Error> {
    let bound = profile.bind()?;
    let neighbours = within_reach(of(profile)?, bound.link().band());
    if neighbours.is_empty() {
        return bound.start(size, program, bench);
    }
    bench.placed_radios();
    bound.start(size, program, bench)?;
    for (nth, spec) in &neighbours {
        let scope = format!("neighbour {}", nth + 1);
        let own = bench.beside(&scope, spec.distance);
        spec.of.start(spec, &Beside { bench: &own, profile, size, twin })?;
        bench.keep(Rc::new(own));
    }
    Ok(())
}
