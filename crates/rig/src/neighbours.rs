//! Who else is on the air: `neighbours=wifi:30%@ch6`, any number of them.
//!
//! Each is senders of its own on the same medium, with random streams of their own, that know nothing
//! of the link. A kind of neighbour is one file that implements [`Neighbour`], and one line in the
//! list that a kind of link names as its `NEIGHBOURS`.
//!
//! With neighbours, powers decide (see [`place`]): who survives where two frames overlap, and what a
//! carrier detector sees. Without any, nothing of this is there, and a run is what it was.
//!
//! - [`spec`]: how one is asked for. [`place`]: where everybody stands. [`same_link`]: more pairs of
//!   the link itself.

pub mod place;
pub mod same_link;
pub mod spec;

use std::fmt;
use std::rc::Rc;

use crate::ends::Bench;
use crate::error::Error;
use crate::parameter::{Domain, Known, Value};
use crate::profile::Profile;
use crate::programs::Program;
pub use spec::{Amount, Spec};

/// What the parameter is called.
pub const NAME: &str = "neighbours";

/// A kind of neighbour.
pub trait Neighbour: Sync {
    /// What a request calls it.
    fn name(&self) -> &'static str;

    /// A request for one, as errors show it.
    fn example(&self) -> &'static str;

    /// Says what is wrong with a request that reads well, and what would be right.
    fn check(&self, spec: &Spec) -> Result<(), String>;

    /// Puts one on the air.
    fn start(&self, spec: &Spec, beside: &Beside<'_>) -> Result<(), Error>;
}

/// What a neighbour gets to know.
pub struct Beside<'a> {
    /// A bench on the same air, with random streams of its own, at the distance asked for.
    pub bench: &'a Bench,
    /// The link beside which it stands.
    pub profile: &'a Profile,
    /// Bytes of a message on that link.
    pub size: usize,
    /// What its ends do.
    pub twin: Twin<'a>,
}

impl Beside<'_> {
    /// Why a request cannot be put on the air.
    #[must_use]
    pub fn refused(&self, cause: String) -> Error {
        Error::NotAllowed { link: self.profile.name.clone(), name: NAME, cause }
    }
}

/// Makes what the ends of another pair of the same link do, on a bench of their own; none where what
/// the link carries comes from outside.
pub type Twin<'a> = Option<&'a dyn Fn(&Bench) -> Result<Box<dyn Program>, Error>>;

/// The kinds of neighbour that a kind of link can have.
#[derive(Clone, Copy)]
pub struct Kinds(&'static [&'static dyn Neighbour]);

impl Kinds {
    /// Of a list.
    #[must_use]
    pub const fn new(all: &'static [&'static dyn Neighbour]) -> Self {
        Self(all)
    }

    /// Their names.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|one| one.name())
    }

    /// The one called `name`.
    pub(crate) fn find(self, name: &str) -> Option<&'static dyn Neighbour> {
        self.0.iter().copied().find(|one| one.name() == name)
    }

    /// An example of each.
    pub(crate) fn examples(self) -> String {
        self.0.iter().map(|one| one.example()).collect::<Vec<_>>().join(", ")
    }

    /// The parameter of a link that can have them; none if there are none.
    pub(crate) fn declared(self) -> Option<Known> {
        let about = "who else is on the air, separated by semicolons";
        let (unit, domain) = ("", Domain::Neighbours(self));
        let default = Some(("", "as it was measured: nobody else"));
        (!self.0.is_empty()).then_some(Known { name: NAME, unit, domain, about, default })
    }
}

impl fmt::Debug for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// Equal where the names are.
impl PartialEq for Kinds {
    fn eq(&self, other: &Self) -> bool {
        self.names().eq(other.names())
    }
}

/// Who stands beside a link.
fn of(profile: &Profile) -> Result<Vec<Spec>, Error> {
    let known = profile.kind.parameters().iter().find(|known| known.name == NAME);
    let Some(Known { domain: Domain::Neighbours(kinds), .. }) = known else {
        return Ok(Vec::new());
    };
    let Value::Choice(text) = profile.value(NAME)? else { return Err(profile.missing(NAME)) };
    let link = || profile.name.clone();
    spec::parse(text, *kinds).map_err(|cause| Error::NotAllowed { link: link(), name: NAME, cause })
}

/// Puts a profile on a bench with a program on it, and its neighbours beside it.
pub(crate) fn start(
    profile: &Profile,
    size: usize,
    program: &dyn Program,
    bench: &Bench,
    twin: Twin<'_>,
) -> Result<(), Error> {
    let (neighbours, bound) = (of(profile)?, profile.bind()?);
    if neighbours.is_empty() {
        return bound.start(size, program, bench);
    }
    bench.crowd();
    bound.start(size, program, bench)?;
    for (nth, spec) in neighbours.iter().enumerate() {
        let scope = format!("neighbour {}", nth + 1);
        let own = bench.beside(&scope, spec.distance);
        spec.of.start(spec, &Beside { bench: &own, profile, size, twin })?;
        bench.keep(Rc::new(own));
    }
    Ok(())
}
