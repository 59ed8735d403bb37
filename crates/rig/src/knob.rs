//! What an engineer can turn on a link.

use crate::error::Error;
use crate::parameter::{Domain, Known, Name};
use crate::profile::Profile;

/// Which values of a parameter are worth a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    /// Every one there is: of a choice, or yes and no.
    All,
    /// These, as the command line takes them.
    Of(&'static [&'static str]),
}

/// A parameter that can be set another way without another board or radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knob {
    /// The parameter.
    pub name: Name,
    values: Values,
    /// What a faster setting costs that a latency does not show; empty if nothing.
    pub gives_up: &'static str,
}

impl Knob {
    /// A choice, or yes and no, each way.
    #[must_use]
    pub const fn all(name: Name) -> Self {
        Self { name, values: Values::All, gives_up: "" }
    }

    /// A parameter with values worth a try.
    #[must_use]
    pub const fn of(name: Name, values: &'static [&'static str]) -> Self {
        Self { name, values: Values::Of(values), gives_up: "" }
    }

    /// The same knob, whose faster settings cost something a latency does not show. It is measured
    /// and told, and never recommended.
    #[must_use]
    pub const fn giving_up(mut self, what: &'static str) -> Self {
        self.gives_up = what;
        self
    }

    /// The values of it that `profile` does not have already, as the command line takes them.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownParameter`] where the kind of `profile` has no such knob.
    pub fn candidates(&self, profile: &Profile) -> Result<Vec<&'static str>, Error> {
        let known = profile.known(self.name.as_str())?;
        let all = self.all_of(known).iter().copied();
        Ok(all.filter(|text| !is_set(profile, known, text)).collect())
    }

    /// Whether `text` is one of its values.
    pub(crate) fn offers(&self, known: &Known, text: &str) -> bool {
        self.all_of(known).iter().any(|one| known.read(one) == known.read(text))
    }

    const fn all_of(&self, known: &Known) -> &'static [&'static str] {
        match (self.values, known.domain) {
            (Values::Of(values), _) => values,
            (Values::All, Domain::Choice(choices)) => choices,
            (Values::All, _) => &["false", "true"],
        }
    }
}

fn is_set(profile: &Profile, known: &Known, text: &str) -> bool {
    profile.parameters.get(known.name).is_some_and(|set| set.value == known.read(text))
}
