//! Dependent settings: parameters that a datasheet or a standard requires to change with another.
//!
//! Setting a parameter by name changes only that parameter; a conflict is an error that names the
//! clause. Changing a [knob](crate::knob) also changes its dependent settings, and returns them.

use crate::error::Error;
use crate::knob::Knob;
use crate::parameter::Name;
use crate::profile::Profile;

/// A parameter that has to change with another, with the required value in the syntax of the
/// command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependant {
    /// Name of the parameter.
    pub name: Name,
    /// Required value.
    pub value: &'static str,
}

impl Profile {
    /// Sets `knob` to `value`, together with the settings that the hardware then requires for
    /// messages of `size` bytes. Returns those settings.
    ///
    /// # Errors
    ///
    /// Errors of [`Profile::set`]; and the refusal itself if no dependent setting makes the value
    /// valid.
    pub fn turn(&mut self, knob: Name, value: &str, size: usize) -> Result<Vec<Dependant>, Error> {
        self.set(knob.as_str(), value)?;
        let mut along = self.bind()?.link().dependants(size);
        along.retain(|one| one.name != knob);
        for one in &along {
            self.set(one.name.as_str(), one.value)?;
        }
        self.bind()?.floor(size)?;
        Ok(along)
    }

    /// Returns the cost, other than latency, of setting `name` to `value`: empty if there is none.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownParameter`].
    pub fn given_up(&self, name: Name, value: &str) -> Result<&'static str, Error> {
        let known = self.known(name.as_str())?;
        let knob = |knob: &&Knob| knob.name == name && knob.offers(known, value);
        Ok(self.kind.knobs().iter().find(knob).map_or("", |knob| knob.gives_up))
    }
}
