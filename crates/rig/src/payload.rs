//! How long a message is: so many bytes, or nothing where there is no message.
//!
//! A board by itself answers a trigger and carries nothing. What is run there has no payload, and
//! whoever asks for several sizes of several links runs such a board once.

use crate::error::Error;
use crate::kind::Medium;
use crate::profile::Profile;
use crate::run::MAX_SIZE;

impl Profile {
    /// Whether it carries messages.
    #[must_use]
    pub fn has_message(&self) -> bool {
        self.kind.medium() != Medium::None
    }

    /// What is run where messages of `sizes`, in bytes, are asked for: each of them, or once
    /// without a message.
    #[must_use]
    pub fn payloads(&self, sizes: &[usize]) -> Vec<Option<usize>> {
        if self.has_message() { sizes.iter().copied().map(Some).collect() } else { vec![None] }
    }

    /// Bytes of a message with this payload; 0 where there is no message.
    ///
    /// # Errors
    ///
    /// [`Error::NoPayload`] where messages have to have one, and [`Error::NoMessage`] for a payload
    /// where there are none.
    pub fn bytes(&self, payload: Option<usize>) -> Result<usize, Error> {
        match (self.has_message(), payload) {
            (true, Some(bytes)) => Ok(bytes),
            (false, None) => Ok(0),
            (true, None) => Err(Error::NoPayload { link: self.name.clone() }),
            (false, Some(_)) => Err(Error::NoMessage { link: self.name.clone() }),
        }
    }
}

/// Whether a message may be so long.
pub(crate) fn check_size(profile: &Profile, size: usize) -> Result<(), Error> {
    let (low, high) = (airlag_link::message::MIN_LEN, MAX_SIZE);
    if (low..=high).contains(&size) || !profile.has_message() {
        return Ok(());
    }
    Err(Error::Size { link: profile.name.clone(), size, low, high })
}
