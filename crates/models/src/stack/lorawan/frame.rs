//! Frames of the MAC, byte for byte (LoRaWAN 1.0.4, 4).
//!
//! ```text
//!  MHDR 1 | DevAddr 4 | FCtrl 1 | FCnt 2 | FPort 1 | FRMPayload | MIC 4
//! ```
//!
//! All fields are little endian. A frame without data has no port field. MAC options (FOpts) are
//! never sent, and are skipped in received frames. The data are encrypted with AES in counter mode,
//! and the integrity code is an AES-CMAC (4.3.3 and 4.4). Encryption and AES-CMAC come from
//! external crates.

use aes::Aes128;
use cmac::{Cmac, KeyInit, Mac};
use ctr::cipher::{KeyIvInit, StreamCipher};

use super::config::Session;
use super::plan::Direction;

/// Bytes of the header: MHDR, DevAddr, FCtrl and FCnt.
const HEADER: usize = 8;
/// Bytes of the integrity code.
const MIC: usize = 4;
/// FCtrl: the frame acknowledges a confirmed one.
const ACK: u8 = 0x20;
/// FCtrl: length of the options.
const OPTIONS: u8 = 0x0F;

/// A frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacFrame {
    /// Direction.
    pub direction: Direction,
    /// Whether an acknowledgement is requested.
    pub confirmed: bool,
    /// Whether this frame acknowledges a confirmed frame.
    pub ack: bool,
    /// Frame counter, of which 16 bits are sent.
    pub count: u32,
    /// Port and data. `None` in a frame without data.
    pub data: Option<(u8, Vec<u8>)>,
}

impl MacFrame {
    /// Encodes the frame, encrypted and with its integrity code.
    #[must_use]
    pub fn encode(&self, session: &Session) -> Vec<u8> {
        let mut bytes = vec![self.message_type() << 5];
        bytes.extend(session.dev_addr.to_le_bytes());
        bytes.push(if self.ack { ACK } else { 0 });
        bytes.extend((self.count as u16).to_le_bytes());
        if let Some((port, data)) = &self.data {
            bytes.push(*port);
            let mut sealed = data.clone();
            crypt(session, self.direction, self.count, &mut sealed);
            bytes.extend(sealed);
        }
        bytes.extend(integrity(session, self.direction, self.count, &bytes));
        bytes
    }

    /// Decodes a frame of `session`. `None` if the frame belongs to another device or direction, or
    /// is damaged. `last` is the counter of the last frame, from which the upper 16 bits follow.
    #[must_use]
    pub fn decode(
        bytes: &[u8],
        session: &Session,
        direction: Direction,
        last: Option<u32>,
    ) -> Option<Self> {
        let (body, mic) = bytes.split_at_checked(bytes.len().checked_sub(MIC)?)?;
        let (&[kind, a, b, c, d, control, low, high], rest) = body.split_first_chunk::<HEADER>()?;
        let confirmed = match (direction, kind >> 5) {
            (Direction::Up, 0b010) | (Direction::Down, 0b011) => false,
            (Direction::Up, 0b100) | (Direction::Down, 0b101) => true,
            _ => return None,
        };
        if u32::from_le_bytes([a, b, c, d]) != session.dev_addr {
            return None;
        }
        let count = counted(u16::from_le_bytes([low, high]), last);
        if integrity(session, direction, count, body) != mic {
            return None;
        }
        let rest = rest.get(usize::from(control & OPTIONS)..)?;
        let data = rest.split_first().map(|(&port, sealed)| {
            let mut data = sealed.to_vec();
            crypt(session, direction, count, &mut data);
            (port, data)
        });
        Some(Self { direction, confirmed, ack: control & ACK != 0, count, data })
    }

    const fn message_type(&self) -> u8 {
        match (self.direction, self.confirmed) {
            (Direction::Up, false) => 0b010,
            (Direction::Down, false) => 0b011,
            (Direction::Up, true) => 0b100,
            (Direction::Down, true) => 0b101,
        }
    }
}

/// Counter with the sent bits `low` that is nearest above `last`, or equal to it.
fn counted(low: u16, last: Option<u32>) -> u32 {
    let last = last.unwrap_or(0);
    last.wrapping_add(u32::from(low.wrapping_sub(last as u16)))
}

/// A block of AES with direction, address and counter (4.3.3.1 and 4.4.1).
fn block(session: &Session, direction: Direction, count: u32, first: u8, last: u8) -> [u8; 16] {
    let mut block = [0; 16];
    block[0] = first;
    block[5] = u8::from(direction == Direction::Down);
    block[6..10].copy_from_slice(&session.dev_addr.to_le_bytes());
    block[10..14].copy_from_slice(&count.to_le_bytes());
    block[15] = last;
    block
}

/// Encrypts or decrypts data: counter mode whose counter begins at 1.
fn crypt(session: &Session, direction: Direction, count: u32, data: &mut [u8]) {
    let first = block(session, direction, count, 0x01, 1);
    ctr::Ctr32BE::<Aes128>::new(&session.application_key.into(), &first.into())
        .apply_keystream(data);
}

fn integrity(session: &Session, direction: Direction, count: u32, bytes: &[u8]) -> [u8; MIC] {
    let mut code = <Cmac<Aes128> as KeyInit>::new(&session.network_key.into());
    code.update(&block(session, direction, count, 0x49, bytes.len() as u8));
    code.update(bytes);
    let [a, b, c, d, ..] = code.finalize().into_bytes().0;
    [a, b, c, d]
}
