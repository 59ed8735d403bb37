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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn every_size_of_a_link_is_run_and_a_board_without_a_message_once() {
        for name in registry::names() {
            let profile = registry::find(&name).expect("a profile");
            let expected = match profile.kind.medium() {
                Medium::None => vec![None],
                Medium::Wire | Medium::Air => vec![Some(12), Some(128)],
            };
            assert_eq!(profile.payloads(&[12, 128]), expected, "{name}");
            assert!(profile.payloads(&[7]).iter().all(|&one| profile.bytes(one).is_ok()), "{name}");
        }
    }

    #[test]
    fn a_message_has_a_payload_and_without_one_there_is_none_to_choose() {
        let (link, board) = ("nrf24-2m".to_owned(), "gpio-stm32-ll-o3".to_owned());
        let (with, without) = (registry::find(&link).unwrap(), registry::find(&board).unwrap());
        assert_eq!((with.bytes(Some(12)), without.bytes(None)), (Ok(12), Ok(0)));
        assert_eq!(with.bytes(None), Err(Error::NoPayload { link }));
        assert_eq!(without.bytes(Some(12)), Err(Error::NoMessage { link: board }));
    }
}
