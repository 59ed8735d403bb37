//! What goes over a link at a trigger or under a load besides a plain message, handed to the bench by
//! whoever knows it: a call and its answer, for example.

use std::fmt;

use crate::error::Error;
use crate::messages::Wires;
use crate::profile::Profile;
use crate::programs::Program;
use crate::programs::offered::Offered;
use crate::programs::saturated::Saturated;

/// A request that one board sends and the other answers.
pub trait Exchange: Sync {
    /// Name of the traffic on the command line.
    fn name(&self) -> &'static str;

    /// User data of one of `size`, bytes.
    fn bytes(&self, size: usize) -> usize;

    /// Bytes of the request and of the answer of one of `size`, as the link carries them.
    fn lengths(&self, size: usize) -> (usize, usize);

    /// The program that begins one of `size` at every trigger and pulses the strobe at the same board
    /// when its answer is there.
    ///
    /// # Errors
    ///
    /// [`Error::OneWay`] over a link on which no answer comes, and [`Error::ExchangeSize`].
    fn triggered(
        &self,
        profile: &Profile,
        size: usize,
        wires: Wires,
    ) -> Result<Box<dyn Program>, Error>;

    /// The program that begins one after the other, counted in `count`.
    ///
    /// # Errors
    ///
    /// As [`Exchange::triggered`].
    fn saturated(
        &self,
        profile: &Profile,
        size: usize,
        count: Saturated,
    ) -> Result<Box<dyn Program>, Error>;

    /// The program that begins one for each arrival of `load`.
    ///
    /// # Errors
    ///
    /// As [`Exchange::triggered`].
    fn offered(
        &self,
        profile: &Profile,
        size: usize,
        load: Offered,
    ) -> Result<Box<dyn Program>, Error>;
}

/// An exchange by reference: two are equal if they have the same name.
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
