//! What a setting takes along: others that a datasheet or a standard asks for with it.
//!
//! Who sets a parameter by name gets it, or the clause that forbids it: nothing is changed behind his
//! back. Who turns a knob gets it together with what it needs, and is told so.

use crate::error::Error;
use crate::knob::Knob;
use crate::parameter::Name;
use crate::profile::Profile;

/// A parameter that has to follow another, and the value it has to have, as the command line takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependant {
    /// The parameter.
    pub name: Name,
    /// The value.
    pub value: &'static str,
}

impl Profile {
    /// Sets `knob` to `value`, and with it what the hardware then needs otherwise for messages of
    /// `size` bytes. What went along comes back.
    ///
    /// # Errors
    ///
    /// Those of [`Profile::set`], and the refusal where no other setting makes this one allowed.
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

    /// What it gives up, besides time, to have `name` set to `value`: empty if nothing.
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
