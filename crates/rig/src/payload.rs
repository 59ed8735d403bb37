//! Message sizes: a number of bytes, or none for a bench without messages.
//!
//! A single board responds to a trigger and carries no payload. A sweep over several sizes and
//! links runs such a board once.

use crate::error::Error;
use crate::kind::Medium;
use crate::profile::Profile;
use crate::run::MAX_SIZE;

impl Profile {
    /// Whether the link carries messages.
    #[must_use]
    pub fn has_message(&self) -> bool {
        self.kind.medium() != Medium::None
    }

    /// Returns the payloads to run for the requested `sizes`, in bytes: each size, or a single run
    /// without a message.
    #[must_use]
    pub fn payloads(&self, sizes: &[usize]) -> Vec<Option<usize>> {
        if self.has_message() { sizes.iter().copied().map(Some).collect() } else { vec![None] }
    }

    /// Returns the message size for this payload, bytes. 0 if there are no messages.
    ///
    /// # Errors
    ///
    /// [`Error::NoPayload`] if messages need a payload, and [`Error::NoMessage`] for a payload
    /// where there are no messages.
    pub fn bytes(&self, payload: Option<usize>) -> Result<usize, Error> {
        match (self.has_message(), payload) {
            (true, Some(bytes)) => Ok(bytes),
            (false, None) => Ok(0),
            (true, None) => Err(Error::NoPayload { link: self.name.clone() }),
            (false, Some(_)) => Err(Error::NoMessage { link: self.name.clone() }),
        }
    }
}

/// Checks a message size against the limits of the link.
pub(crate) fn check_size(profile: &Profile, size: usize) -> Result<(), Error> {
    let (low, high) = (airlag_link::message::MIN_LEN, MAX_SIZE);
    if (low..=high).contains(&size) || !profile.has_message() {
        return Ok(());
    }
    Err(Error::Size { link: profile.name.clone(), size, low, high })
}
