//! Knobs: the settings of a link that an engineer can change.

use crate::error::Error;
use crate::parameter::{Domain, Known, Name};
use crate::profile::Profile;

/// A frequency with its settings, for a region in which the default frequency may not be allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BandPlan {
    /// Region, as accepted by `--region`.
    pub region: &'static str,
    /// Settings, as accepted by the command line.
    pub settings: &'static [(Name, &'static str)],
}

/// Values of a parameter worth trying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    /// All values of a choice or a flag.
    All,
    /// These values, as accepted by the command line.
    Of(&'static [&'static str]),
}

/// Cost of a knob's values, other than latency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Price {
    /// No other cost.
    Nothing,
    /// Shorter range, which a run over a distance measures.
    Range,
    /// Current, which the charge of a run measures.
    Energy,
    /// A cost that no result of a run shows.
    Other,
}

/// A parameter that can be changed without changing the board or radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knob {
    /// Parameter.
    pub name: Name,
    values: Values,
    /// Parameter, and its value without which this knob has no effect.
    needs: Option<(Name, &'static str)>,
    /// Cost of a faster setting, other than latency; empty if there is none.
    pub gives_up: &'static str,
    /// Kind of that cost.
    pub price: Price,
    /// Whether the change needs another chip or other firmware, so that it is not a setting.
    pub is_hardware: bool,
}

impl Knob {
    /// A knob on a choice or a flag, with all of its values.
    #[must_use]
    pub const fn all(name: Name) -> Self {
        Self::new(name, Values::All)
    }

    /// A knob on a parameter with the given values.
    #[must_use]
    pub const fn of(name: Name, values: &'static [&'static str]) -> Self {
        Self::new(name, Values::Of(values))
    }

    const fn new(name: Name, values: Values) -> Self {
        let (gives_up, price) = ("", Price::Nothing);
        Self { name, values, needs: None, gives_up, price, is_hardware: false }
    }

    /// Limits the knob to profiles that set the parameter `name` to `value`. In other profiles the
    /// knob has no effect, and offers no values.
    #[must_use]
    pub const fn needing(mut self, name: Name, value: &'static str) -> Self {
        self.needs = Some((name, value));
        self
    }

    /// Marks the faster settings as having a cost other than latency. Such a knob is measured and
    /// reported, and never recommended.
    #[must_use]
    pub const fn giving_up(mut self, what: &'static str) -> Self {
        self.gives_up = what;
        self.price = Price::Other;
        self
    }

    /// Marks the faster settings as having a cost in range, which a run over a distance shows.
    #[must_use]
    pub const fn giving_up_range(mut self, what: &'static str) -> Self {
        self.gives_up = what;
        self.price = Price::Range;
        self
    }

    /// Marks the faster settings as having a cost in current, which the charge of a run shows.
    #[must_use]
    pub const fn giving_up_energy(mut self, what: &'static str) -> Self {
        self.gives_up = what;
        self.price = Price::Energy;
        self
    }

    /// Marks the knob as one that requires another chip or other firmware. Advice measures it, but
    /// does not recommend it as a setting.
    #[must_use]
    pub const fn of_hardware(mut self) -> Self {
        self.is_hardware = true;
        self
    }

    /// Values that differ from the one in `profile`, as accepted by the command line. Empty if the
    /// knob has no effect in `profile`.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownParameter`] if the kind of `profile` has no such parameter.
    pub fn candidates(&self, profile: &Profile) -> Result<Vec<&'static str>, Error> {
        if let Some((name, value)) = self.needs
            && !is_set(profile, profile.known(name.as_str())?, value)
        {
            return Ok(Vec::new());
        }
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
