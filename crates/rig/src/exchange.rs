//! Request-and-response traffic, such as a remote procedure call, supplied to the bench from
//! outside this crate.

use std::fmt;

use crate::error::Error;
use crate::messages::Wires;
use crate::profile::Profile;
use crate::programs::Program;
use crate::programs::offered::Offered;
use crate::programs::saturated::Saturated;

/// An exchange, in which one board sends a request and the other responds.
pub trait Exchange: Sync {
    /// Name of the traffic on the command line.
    fn name(&self) -> &'static str;

    /// User data of an exchange of `size`, bytes.
    fn bytes(&self, size: usize) -> usize;

    /// Lengths of request and response on the link for an exchange of `size`, bytes.
    fn lengths(&self, size: usize) -> (usize, usize);

    /// Returns the program that starts an exchange of `size` at every trigger, and pulses the
    /// strobe of the same board when the response arrives.
    ///
    /// # Errors
    ///
    /// [`Error::OneWay`] over a one-way link, and [`Error::ExchangeSize`].
    fn triggered(
        &self,
        profile: &Profile,
        size: usize,
        wires: Wires,
    ) -> Result<Box<dyn Program>, Error>;

    /// Returns the program that runs exchanges back to back, counted in `count`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Exchange::triggered`].
    fn saturated(
        &self,
        profile: &Profile,
        size: usize,
        count: Saturated,
    ) -> Result<Box<dyn Program>, Error>;

    /// Returns the program that starts one exchange for each arrival of `load`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Exchange::triggered`].
    fn offered(
        &self,
        profile: &Profile,
        size: usize,
        load: Offered,
    ) -> Result<Box<dyn Program>, Error>;
}

/// An exchange by reference. Two exchanges are equal if their names are equal.
#[derive(Clone, Copy)]
pub struct AnyExchange(pub &'static dyn Exchange);

impl PartialEq for AnyExchange {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for AnyExchange {}

impl fmt::Debug for AnyExchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}
