//! What an engineer can turn on a link.

use crate::error::Error;
use crate::parameter::{Domain, Known, Name};
use crate::profile::Profile;

/// A frequency and the modes with it in which the rules of a region may allow a radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BandPlan {
    /// The region, as `--region` takes it.
    pub region: &'static str,
    /// What is set, as the command line takes it.
    pub settings: &'static [(Name, &'static str)],
}

/// Which values of a parameter are worth a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    /// Every one there is: of a choice, or yes and no.
    All,
    /// These, as the command line takes them.
    Of(&'static [&'static str]),
}

/// What the values of a knob cost besides latency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Price {
    /// Nothing.
    Nothing,
    /// Range, which a run over a distance measures.
    Range,
    /// Current, which the charge of a run measures.
    Energy,
    /// Something that no figure of a run shows.
    Other,
}

/// A parameter that can be set another way without another board or radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knob {
    /// The parameter.
    pub name: Name,
    values: Values,
    /// What a faster setting costs that a latency does not show; empty if nothing.
    pub gives_up: &'static str,
    /// What kind of cost that is.
    pub price: Price,
    /// Whether another chip or other firmware is needed for it, so that it is no setting.
    pub is_hardware: bool,
}

impl Knob {
    /// A choice, or yes and no, each way.
    #[must_use]
    pub const fn all(name: Name) -> Self {
        Self::new(name, Values::All)
    }

    /// A parameter with values worth a try.
    #[must_use]
    pub const fn of(name: Name, values: &'static [&'static str]) -> Self {
        Self::new(name, Values::Of(values))
    }

    const fn new(name: Name, values: Values) -> Self {
        Self { name, values, gives_up: "", price: Price::Nothing, is_hardware: false }
    }

    /// The same knob, whose faster settings cost something a latency does not show. It is measured
    /// and told, and never recommended.
    #[must_use]
    pub const fn giving_up(mut self, what: &'static str) -> Self {
        self.gives_up = what;
        self.price = Price::Other;
        self
    }

    /// The same for settings whose cost is range, which a run over a distance measures.
    #[must_use]
    pub const fn giving_up_range(mut self, what: &'static str) -> Self {
        self.gives_up = what;
        self.price = Price::Range;
        self
    }

    /// The same for settings whose cost is current, which the charge of a run measures.
    #[must_use]
    pub const fn giving_up_energy(mut self, what: &'static str) -> Self {
        self.gives_up = what;
        self.price = Price::Energy;
        self
    }

    /// The same knob, which needs another chip or other firmware. Advice measures it; it is not
    /// recommended as a setting.
    #[must_use]
    pub const fn of_hardware(mut self) -> Self {
        self.is_hardware = true;
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
