//! A payload as containers, generated one at a time without a copy.

use crate::command::Head;
use crate::container::{Kind, MAX_CONTAINERS, room};
use crate::service::Reply;
use crate::session::{COUNTER, OVERHEAD, Sealing, TAG};

/// Longest payload, bytes, because its length has two bytes.
pub const MAX_PAYLOAD: usize = 65_535;

/// A payload that is being sent.
pub struct Writer {
    transaction: u8,
    sequence: u8,
    head: Head,
    message: usize,
    /// Number of bytes of the payload written so far.
    at: usize,
    seal: Option<Sealing>,
    tag: Option<[u8; TAG]>,
}

/// Error of a message that ended before its declared length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the message ended {0} B before its declared length")]
pub struct Short(pub usize);

impl Writer {
    /// Length of the payload of a command with a message of `message` bytes.
    #[must_use]
    pub fn length(head: &Head, message: usize, sealed: bool) -> usize {
        head.bytes().len() + message + if sealed { OVERHEAD } else { 0 }
    }

    /// Longest payload in containers of at most `packet` bytes.
    #[must_use]
    pub const fn longest(packet: usize) -> usize {
        let most = room(packet, 0) + (MAX_CONTAINERS - 1) * room(packet, 1);
        if most < MAX_PAYLOAD { most } else { MAX_PAYLOAD }
    }

    /// Starts a payload of at most [`Writer::longest`] bytes: a command with a message of `message` bytes,
    /// sealed if there is a session.
    #[must_use]
    pub fn begin(transaction: u8, head: Head, message: usize, sealing: Option<Sealing>) -> Self {
        Self { transaction, sequence: 0, head, message, at: 0, seal: sealing, tag: None }
    }

    /// Transaction of the payload.
    #[must_use]
    pub const fn transaction(&self) -> u8 {
        self.transaction
    }

    /// Length of the payload, bytes.
    #[must_use]
    pub fn total(&self) -> usize {
        Self::length(&self.head, self.message, self.seal.is_some())
    }

    /// Whether the last container was written.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.sequence > 0 && self.at == self.total()
    }

    /// Writes the next container with bytes of `message`, at most as long as `packet`. Returns its length.
    ///
    /// # Errors
    ///
    /// [`Short`]. The payload cannot be completed then.
    pub fn next(&mut self, message: &mut impl Reply, packet: &mut [u8]) -> Result<usize, Short> {
        let total = self.total();
        let kind = match self.sequence {
            // The caller has checked the length.
            0 => Kind::First { total: total as u16 },
            _ => Kind::Next,
        };
        let piece = room(packet.len(), usize::from(self.sequence)).min(total - self.at);
        let (header, payload) = packet.split_at_mut(kind.header());
        self.fill(message, &mut payload[..piece])?;
        kind.write(self.transaction, self.sequence, piece as u8, header);
        self.sequence = self.sequence.wrapping_add(1);
        Ok(kind.header() + piece)
    }

    fn fill(&mut self, message: &mut impl Reply, mut into: &mut [u8]) -> Result<(), Short> {
        let counter = if self.seal.is_some() { COUNTER } else { 0 };
        let text = counter + self.head.bytes().len() + self.message;
        while !into.is_empty() {
            let at = self.at;
            let wrote = if at < counter {
                let bytes = self.seal.as_ref().map_or([0; COUNTER], Sealing::counter);
                copy(&bytes[at..], into)
            } else if at < text {
                let most = into.len().min(text - at);
                self.text(message, at - counter, &mut into[..most])?
            } else {
                let Some(sealing) = &mut self.seal else { return Ok(()) };
                let tag = *self.tag.get_or_insert_with(|| sealing.tag());
                copy(&tag[at - text..], into)
            };
            self.at += wrote;
            into = &mut into[wrote..];
        }
        Ok(())
    }

    /// Writes header and message from `at` on, sealed if required. Returns the number of bytes.
    fn text(
        &mut self,
        message: &mut impl Reply,
        at: usize,
        into: &mut [u8],
    ) -> Result<usize, Short> {
        let head = self.head.bytes();
        let wrote = match head.get(at..) {
            Some(rest) if !rest.is_empty() => copy(rest, into),
            _ => message.read(into),
        };
        if wrote == 0 {
            return Err(Short(head.len() + self.message - at));
        }
        if let Some(sealing) = &mut self.seal {
            sealing.update(&mut into[..wrote]);
        }
        Ok(wrote)
    }
}

fn copy(from: &[u8], into: &mut [u8]) -> usize {
    let count = from.len().min(into.len());
    into[..count].copy_from_slice(&from[..count]);
    count
}

/// A message in memory.
#[derive(Clone, Debug)]
pub struct Whole<B> {
    bytes: B,
    at: usize,
    begun: bool,
}

impl<B: AsRef<[u8]>> Whole<B> {
    /// A message with all of `bytes`.
    #[must_use]
    pub const fn new(bytes: B) -> Self {
        Self { bytes, at: 0, begun: false }
    }
}

impl<B: AsRef<[u8]>> Reply for Whole<B> {
    fn len(&self) -> usize {
        self.bytes.as_ref().len()
    }

    fn read(&mut self, into: &mut [u8]) -> usize {
        let count = copy(&self.bytes.as_ref()[self.at..], into);
        self.at += count;
        count
    }

    fn next(&mut self) -> bool {
        !core::mem::replace(&mut self.begun, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Instant;
    use crate::assemble::Assembler;
    use crate::command::{Command, Direction, Method};
    use crate::container::Container;
    use crate::session::{Role, Session};
    use proptest::prelude::*;
    use std::vec;
    use std::vec::Vec;

    fn containers(mut writer: Writer, message: &[u8], packet: usize) -> Vec<Vec<u8>> {
        let (mut message, mut sent) = (Whole::new(message), Vec::new());
        while !writer.is_done() {
            let mut bytes = vec![0; packet];
            let length = writer.next(&mut message, &mut bytes).expect("all of it is there");
            bytes.truncate(length);
            sent.push(bytes);
        }
        sent
    }

    fn head(message: &[u8]) -> Head {
        Head::new(Direction::Response, Method::Name("echo"), message.len()).expect("short")
    }

    #[test]
    fn an_empty_command_is_one_container() {
        let writer = Writer::begin(3, head(b""), 0, None);
        assert_eq!(containers(writer, b"", 20), [b"\x03\x00\x00\x08\x00\x08\x80\x04echo\x00\x00"]);
    }

    #[test]
    fn a_message_that_ends_too_soon_is_told() {
        let head = Head::new(Direction::Response, Method::Number(0), 10).expect("short");
        let mut writer = Writer::begin(3, head, 10, None);
        let wrote = writer.next(&mut Whole::new(b"abc"), &mut [0; 20]);
        assert_eq!(wrote, Err(Short(7)));
    }

    #[test]
    fn the_longest_payload_is_what_256_containers_carry_or_two_bytes_say() {
        assert_eq!([20, 244, 261].map(Writer::longest), [14 + 255 * 16, 238 + 255 * 240, 65_280]);
        assert_eq!(Writer::longest(3), 0);
    }

    proptest! {
        #[test]
        fn what_is_written_is_assembled_and_opened(
            message in prop::collection::vec(any::<u8>(), 0..3_000),
            packet in 20..515_usize,
            sealed: bool,
        ) {
            let mut ends = [Role::Peripheral, Role::Central].map(|role| Session::new([5; 16], role));
            let sealing = sealed.then(|| ends[0].seal(9).expect("the first"));
            let writer = Writer::begin(9, head(&message), message.len(), sealing);
            let (total, mut assembler) = (writer.total(), Assembler::new(vec![0; 4_000]));
            let sent = containers(writer, &message, packet);
            prop_assert_eq!(sent.len(), crate::container::count(packet, total));
            let (last, before) = sent.split_last().expect("one or more");
            for packet in before {
                let container = Container::parse(packet).expect("a container");
                prop_assert!(matches!(assembler.feed(&container, Instant(0)), Ok(None)));
            }
            let container = Container::parse(last).expect("a container");
            let payload = assembler.feed(&container, Instant(0)).expect("in order").expect("the last");
            let payload = if sealed { ends[1].open(9, payload).expect("ours") } else { payload };
            let command = Command::parse(payload).expect("a command");
            prop_assert_eq!((command.method, command.message), (Method::Name("echo"), &message[..]));
        }
    }
}
