//! Assembly of Noise messages from parts, which may arrive in any order and repeatedly.
//!
//! Each part has a MAC that covers the nonce of its receiver. Only holders of the key that currently
//! participate can therefore fill or replace an assembly.

use alloc::collections::VecDeque;

use crate::wire::part_room;

/// Number of messages in assembly at the same time.
const MESSAGES: usize = 2;

/// An incomplete message.
#[derive(Debug)]
struct Message<const N: usize> {
    id: u16,
    bytes: [u8; N],
    /// Bit set of the received parts.
    came: u32,
}

/// Incomplete messages of one kind.
#[derive(Debug)]
pub(super) struct Assembly<const N: usize> {
    /// Size of each part except the last, bytes.
    room: usize,
    messages: VecDeque<Message<N>>,
}

impl<const N: usize> Assembly<N> {
    /// Creates an assembly for frames of up to `frame` bytes.
    pub(super) const fn new(frame: usize) -> Self {
        Self { room: part_room(frame), messages: VecDeque::new() }
    }

    /// Adds a part. Returns the message once it is complete.
    pub(super) fn take(&mut self, nth: u8, id: u16, body: &[u8]) -> Option<[u8; N]> {
        let begin = usize::from(nth) * self.room;
        let len = N.checked_sub(begin)?.min(self.room);
        if len == 0 || body.len() != len {
            return None;
        }
        let at = self.messages.iter().position(|message| message.id == id).unwrap_or_else(|| {
            if self.messages.len() >= MESSAGES {
                self.messages.pop_front();
            }
            self.messages.push_back(Message { id, bytes: [0; N], came: 0 });
            self.messages.len() - 1
        });
        let message = &mut self.messages[at];
        message.bytes[begin..begin + len].copy_from_slice(body);
        message.came |= 1 << nth;
        let all = u32::MAX >> (u32::BITS - N.div_ceil(self.room) as u32);
        if message.came != all {
            return None;
        }
        self.messages.remove(at).map(|message| message.bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::wire::{LEAST, MOST};

    fn parts(frame: usize, bytes: &[u8]) -> Vec<&[u8]> {
        bytes.chunks(part_room(frame)).collect()
    }

    #[test]
    fn a_message_is_complete_when_each_part_has_come_in_whatever_order() {
        let bytes: [u8; 56] = core::array::from_fn(|at| at as u8);
        for frame in [LEAST, 32, 64, MOST] {
            let (mut assembly, parts) = (Assembly::<56>::new(frame), parts(frame, &bytes));
            for (nth, part) in parts.iter().enumerate().rev() {
                let expected = (nth == 0).then_some(bytes);
                for again in [false, true] {
                    let whole = assembly.take(nth as u8, 7, part);
                    assert!(whole == expected || again, "part {nth} of frames of {frame} B");
                    if nth == 0 {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn parts_of_other_messages_do_not_mix_and_take_a_bounded_place() {
        let (one, other) = ([1; 56], [2; 56]);
        let mut assembly = Assembly::<56>::new(32);
        for (nth, part) in parts(32, &one).iter().enumerate().take(2) {
            assert_eq!(assembly.take(nth as u8, 1, part), None);
        }
        for (nth, part) in parts(32, &other).iter().enumerate().take(2) {
            assert_eq!(assembly.take(nth as u8, 2, part), None);
        }
        assert_eq!(assembly.take(2, 1, parts(32, &one)[2]), Some(one));
        for id in 10..1_000 {
            assert_eq!(assembly.take(0, id, parts(32, &one)[0]), None);
            assert!(assembly.messages.len() <= MESSAGES);
        }
    }

    #[test]
    fn a_part_that_cannot_be_one_is_none() {
        let mut assembly = Assembly::<56>::new(32);
        for (nth, len) in [(0, 23), (0, 25), (2, 7), (2, 9), (3, 1), (31, 24), (255, 24)] {
            assert_eq!(assembly.take(nth, 1, &[0; 32][..len]), None);
        }
        assert!(assembly.messages.is_empty());
    }
}
