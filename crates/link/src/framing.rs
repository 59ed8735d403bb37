//! Framing of messages on a byte stream by consistent overhead byte stuffing (Cheshire and Baker,
//! 1999). A zero byte follows each message.
//!
//! A reader that starts in the middle or loses bytes resynchronises at the next zero.

use cobs::{DecodeResult, DecoderState};

/// Delimiter after a message. Byte stuffing removes all other zeros.
const DELIMITER: u8 = 0;

/// Largest framed length of a message of `len` bytes.
#[must_use]
pub const fn framed_len(len: usize) -> usize {
    cobs::max_encoding_length(len) + 1
}

/// Writes `message` as a frame into `into` and returns its length. `None` if it does not fit.
#[must_use]
pub fn frame(message: &[u8], into: &mut [u8]) -> Option<usize> {
    let len = cobs::try_encode(message, into).ok()?;
    *into.get_mut(len)? = DELIMITER;
    Some(len + 1)
}

/// Extracts messages of at most `N` bytes from a stream.
#[derive(Debug)]
pub struct Deframer<const N: usize> {
    state: DecoderState,
    message: [u8; N],
    len: usize,
    /// Whether the current frame is damaged or too long, so that bytes are skipped up to its
    /// delimiter.
    skips: bool,
}

impl<const N: usize> Default for Deframer<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Deframer<N> {
    /// Creates a reader.
    #[must_use]
    pub const fn new() -> Self {
        Self { state: DecoderState::Idle, message: [0; N], len: 0, skips: false }
    }

    /// Processes the next byte. Returns the message that it completes.
    pub fn feed(&mut self, byte: u8) -> Option<&mut [u8]> {
        if self.skips {
            if byte == DELIMITER {
                self.restart();
            }
            return None;
        }
        match self.state.feed(byte) {
            Ok(DecodeResult::DataComplete) => {
                let len = self.len;
                self.restart();
                return Some(&mut self.message[..len]);
            }
            Ok(DecodeResult::DataContinue(next)) if self.len < N => {
                self.message[self.len] = next;
                self.len += 1;
            }
            Ok(DecodeResult::NoData | DecodeResult::DataStart) => {}
            Ok(DecodeResult::DataContinue(_)) => self.skips = true,
            // A damaged part ends at the delimiter at which it was detected, or at the next one.
            Err(_) if byte == DELIMITER => self.restart(),
            Err(_) => self.skips = true,
        }
        None
    }

    fn restart(&mut self) {
        (self.state, self.len, self.skips) = (DecoderState::Idle, 0, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec;
    use std::vec::Vec;

    fn framed(message: &[u8]) -> Vec<u8> {
        let mut into = vec![0; framed_len(message.len())];
        let len = frame(message, &mut into).expect("room");
        into.truncate(len);
        into
    }

    fn read<const N: usize>(deframer: &mut Deframer<N>, stream: &[u8]) -> Vec<Vec<u8>> {
        stream.iter().filter_map(|&byte| deframer.feed(byte).map(|found| found.to_vec())).collect()
    }

    proptest! {
        #[test]
        fn messages_come_back_whatever_came_before(
            junk in prop::collection::vec(any::<u8>(), 0..600),
            messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..400), 1..5),
        ) {
            let mut deframer = Deframer::<400>::new();
            read(&mut deframer, &junk);
            // A zero terminates the garbage.
            read(&mut deframer, &[DELIMITER]);
            let stream: Vec<u8> = messages.iter().flat_map(|one| framed(one)).collect();
            prop_assert_eq!(read(&mut deframer, &stream), messages);
        }

        #[test]
        fn a_message_that_is_too_long_is_skipped_alone(long in 33_usize..900, last: [u8; 12]) {
            let mut stream = framed(&vec![7; long]);
            stream.extend(framed(&last));
            prop_assert_eq!(read(&mut Deframer::<32>::new(), &stream), vec![last.to_vec()]);
        }

        #[test]
        fn a_lost_byte_costs_at_most_two_messages(
            messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 12..60), 4),
            // The damaged byte is in one of the first two frames, which have at least 14 bytes. It
            // may be the zero between them.
            at in 0_usize..28,
        ) {
            let mut stream: Vec<u8> = messages.iter().flat_map(|one| framed(one)).collect();
            stream.remove(at);
            let found = read(&mut Deframer::<64>::new(), &stream);
            prop_assert!(found.ends_with(&messages[3..]));
        }
    }

    #[test]
    fn there_has_to_be_room() {
        let message = [1; 12];
        assert_eq!(frame(&message, &mut [0; 13]), None);
        assert_eq!(frame(&message, &mut [0; 14]), Some(14));
    }
}
