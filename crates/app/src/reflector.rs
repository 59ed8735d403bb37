//! Live probes → responses with time stamps of this board.
//!
//! On a packet link, each probe is one packet. On a byte stream, each probe is framed
//! ([`airlag_link::framing`]). The caller provides a clock that counts nanoseconds from any origin.
//! The clock has to be continuous modulo [`WRAP_NS`](probe::WRAP_NS), the period with which the
//! time stamps wrap.

use airlag_link::framing::{Deframer, frame};
use airlag_link::probe;

/// Responds to probes and counts them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reflector {
    count: u8,
}

impl Reflector {
    /// Creates a reflector.
    #[must_use]
    pub const fn new() -> Self {
        Self { count: 0 }
    }

    /// Replaces the probe in `message`, which was received at `received_ns`, with the response to
    /// the probe. The response contains the residence time, which ends when `now_ns` is called, so
    /// the caller has to send the response at once. If `message` is not a probe, the function
    /// returns `false` and leaves `message` unchanged.
    pub fn answer(
        &mut self,
        message: &mut [u8],
        received_ns: u64,
        now_ns: impl FnOnce() -> u64,
    ) -> bool {
        let count = self.count.wrapping_add(1);
        let is_question =
            probe::reflect(message, count, received_ns, now_ns().saturating_sub(received_ns));
        if is_question {
            self.count = count;
        }
        is_question
    }
}

/// Responds to probes of at most `N` bytes on a stream. `F` is the capacity for a frame, at least
/// [`framed_len`](airlag_link::framing::framed_len) of `N`.
#[derive(Debug)]
pub struct StreamReflector<const N: usize, const F: usize> {
    reflector: Reflector,
    deframer: Deframer<N>,
    frame: [u8; F],
}

impl<const N: usize, const F: usize> Default for StreamReflector<N, F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize, const F: usize> StreamReflector<N, F> {
    /// Creates a reflector.
    #[must_use]
    pub const fn new() -> Self {
        Self { reflector: Reflector::new(), deframer: Deframer::new(), frame: [0; F] }
    }

    /// Processes a byte received at `received_ns`. Returns the bytes to send if it completes a
    /// probe.
    pub fn feed(
        &mut self,
        byte: u8,
        received_ns: u64,
        now_ns: impl FnOnce() -> u64,
    ) -> Option<&[u8]> {
        let message = self.deframer.feed(byte)?;
        if !self.reflector.answer(message, received_ns, now_ns) {
            return None;
        }
        let len = frame(message, &mut self.frame)?;
        Some(&self.frame[..len])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airlag_link::framing::framed_len;

    #[test]
    fn answers_are_counted_and_have_both_stamps() {
        let mut reflector = Reflector::new();
        let mut message = [0; 20];
        for nth in 1..=300_u16 {
            assert!(probe::ask(&mut message, nth));
            assert!(reflector.answer(&mut message, 6_400, || 6_400 + 512));
            let answer = probe::read(&message).expect("an answer");
            assert_eq!((answer.sequence, answer.count), (nth, nth as u8));
            assert_eq!((answer.received_ns, answer.residence_ns), (6_400, 512));
        }
        // Messages other than probes are neither answered nor counted.
        assert!(!reflector.answer(&mut message, 0, || 0));
        assert!(probe::ask(&mut message, 1) && reflector.answer(&mut message, 0, || 0));
        assert_eq!(probe::read(&message).map(|one| one.count), Some(45));
    }

    #[test]
    fn a_stream_is_answered_frame_by_frame() {
        const FRAME: usize = framed_len(32);
        let mut reflector = StreamReflector::<32, FRAME>::new();
        let (mut message, mut stream) = ([0; 24], [0; framed_len(24)]);
        assert!(probe::ask(&mut message, 9));
        let len = frame(&message, &mut stream).expect("room");
        let mut answers = 0;
        for (at, &byte) in [1, 2, 0].iter().chain(&stream[..len]).enumerate() {
            if let Some(bytes) = reflector.feed(byte, 1_024, || 2_048) {
                answers += 1;
                assert_eq!((at, bytes.len()), (len + 2, len));
                let mut deframer = Deframer::<32>::new();
                let found = bytes.iter().find_map(|&byte| deframer.feed(byte).map(|m| m.to_vec()));
                let answer = probe::read(&found.expect("a message")).expect("an answer");
                assert_eq!((answer.sequence, answer.residence_ns), (9, 1_024));
            }
        }
        assert_eq!(answers, 1);
    }
}
