//! The message in a packet: a `Data` of `mesh.proto`, encrypted with the key of a channel.
//!
//! ```text
//!  08 port | 12 length payload | 35 request id, 4 B, in an acknowledgement | 48 00 bit field
//! ```
//!
//! The cipher is AES in counter mode, from an external crate. Its nonce has the packet's identifier and
//! sender (`CryptoEngine.cpp`, `initNonce`).

use aes::Aes128;
use ctr::cipher::{KeyIvInit, StreamCipher};

use super::header::LEN;

/// Port of text messages (`portnums.proto`, `TEXT_MESSAGE_APP`).
pub const TEXT: u32 = 1;
/// Port of acknowledgements (`portnums.proto`, `ROUTING_APP`).
pub const ROUTING: u32 = 5;
/// A `Routing` message that reports no error.
pub const ACKNOWLEDGEMENT: [u8; 2] = [0x18, 0x00];
/// Bytes of the nonce and the authentication tag of a message that is encrypted with a public key
/// (`RadioInterface.h`, `MESHTASTIC_PKC_OVERHEAD`).
pub const PUBLIC_KEY_OVERHEAD: usize = 12;
/// Longest packet, bytes (`RadioInterface.h`, `MAX_LORA_PAYLOAD_LEN`).
pub const LONGEST_PACKET: usize = 255;

/// Tags: number of the field, and its wire type in the last three bits.
const PORT: u64 = 0x08;
const PAYLOAD: u64 = 0x12;
const REQUEST_ID: u64 = 0x35;
const BIT_FIELD: u8 = 0x48;

/// Key of channels with the default key (`Channels.h`, `defaultpsk`), which is public.
const DEFAULT_KEY: [u8; 16] = [
    0xD4, 0xF1, 0xBB, 0x3A, 0x20, 0x29, 0x07, 0x59, 0xF0, 0xBC, 0xFF, 0xAB, 0xCF, 0x4E, 0x69, 0x01,
];

/// Longest payload of a text message, bytes.
#[must_use]
pub const fn longest(public_key: bool) -> usize {
    // Port, length in two bytes, and bit field.
    let overhead = LEN + 2 + 3 + 2 + if public_key { PUBLIC_KEY_OVERHEAD } else { 0 };
    LONGEST_PACKET - overhead
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    /// Port.
    pub port: u32,
    /// Payload.
    pub payload: Vec<u8>,
    /// Packet that this message acknowledges; 0 for none.
    pub request_id: u32,
}

impl Data {
    /// Encodes the message, with the bit field that the firmware adds.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.payload.len() + 16);
        varint(&mut bytes, PORT);
        varint(&mut bytes, u64::from(self.port));
        varint(&mut bytes, PAYLOAD);
        varint(&mut bytes, self.payload.len() as u64);
        bytes.extend_from_slice(&self.payload);
        if self.request_id != 0 {
            varint(&mut bytes, REQUEST_ID);
            bytes.extend(self.request_id.to_le_bytes());
        }
        bytes.extend([BIT_FIELD, 0]);
        bytes
    }

    /// Decodes a message and skips unknown fields. `None` if the bytes are none.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut data = Self { port: 0, payload: Vec::new(), request_id: 0 };
        let mut rest = bytes;
        while !rest.is_empty() {
            let tag = take_varint(&mut rest)?;
            match tag & 7 {
                0 => {
                    let value = take_varint(&mut rest)?;
                    if tag == PORT {
                        data.port = u32::try_from(value).ok()?;
                    }
                }
                1 => drop(take(&mut rest, 8)?),
                2 => {
                    let len = usize::try_from(take_varint(&mut rest)?).ok()?;
                    let value = take(&mut rest, len)?;
                    if tag == PAYLOAD {
                        data.payload = value.to_vec();
                    }
                }
                5 => {
                    let value = take(&mut rest, 4)?;
                    if tag == REQUEST_ID {
                        data.request_id = u32::from_le_bytes(value.try_into().ok()?);
                    }
                }
                _ => return None,
            }
        }
        Some(data)
    }
}

fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value > 0x7F {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn take_varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        value |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn take<'a>(rest: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (value, after) = rest.split_at_checked(len)?;
    *rest = after;
    Some(value)
}

/// Hash of a channel with the default key, as in the header (`Channels.cpp`, `generateHash`).
#[must_use]
pub fn channel_hash(name: &str) -> u8 {
    name.bytes().chain(DEFAULT_KEY).fold(0, |hash, byte| hash ^ byte)
}

/// Encrypts or decrypts the message of a packet with the default key.
pub fn crypt(from: u32, id: u32, bytes: &mut [u8]) {
    let mut nonce = [0; 16];
    nonce[..4].copy_from_slice(&id.to_le_bytes());
    nonce[8..12].copy_from_slice(&from.to_le_bytes());
    ctr::Ctr32BE::<Aes128>::new(&DEFAULT_KEY.into(), &nonce.into()).apply_keystream(bytes);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn hashes_of_channels_are_those_of_published_logs() {
        // meshtastic/firmware, issue 4054, and pull request 8939, in which 42 B take 160 ms.
        assert_eq!(channel_hash("LongFast"), 0x08);
        assert_eq!(channel_hash("MediumFast"), 0x1F);
    }

    #[test]
    fn a_text_and_its_acknowledgement_have_the_lengths_of_their_fields() {
        let text = |len: usize| Data { port: TEXT, payload: vec![b'x'; len], request_id: 0 };
        // meshtastic/firmware, issue 10162: a packet of 26 B, with 10 B after its header.
        assert_eq!(text(4).encode(), b"\x08\x01\x12\x04xxxx\x48\x00");
        assert_eq!(text(128).encode().len(), 128 + 7);
        let ack =
            Data { port: ROUTING, payload: ACKNOWLEDGEMENT.to_vec(), request_id: 0x1234_5678 };
        assert_eq!(ack.encode(), b"\x08\x05\x12\x02\x18\x00\x35\x78\x56\x34\x12\x48\x00");
        for public_key in [false, true] {
            let extra = if public_key { PUBLIC_KEY_OVERHEAD } else { 0 };
            let longest = text(longest(public_key)).encode().len() + extra;
            assert_eq!(LEN + longest, LONGEST_PACKET);
        }
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(
            port: u32, payload in prop::collection::vec(any::<u8>(), 0..233), request_id: u32,
        ) {
            let data = Data { port, payload, request_id };
            prop_assert_eq!(Data::decode(&data.encode()), Some(data));
        }

        #[test]
        fn any_bytes_are_a_message_or_none(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            if let Some(data) = Data::decode(&bytes) {
                prop_assert!(data.payload.len() <= bytes.len());
                prop_assert_eq!(Data::decode(&data.encode()), Some(data));
            }
        }

        #[test]
        fn encryption_is_undone_by_itself_only_with_the_same_packet(
            from: u32, id: u32, bytes in prop::collection::vec(any::<u8>(), 8..64),
        ) {
            let mut sealed = bytes.clone();
            crypt(from, id, &mut sealed);
            prop_assert_ne!(&sealed, &bytes);
            let mut other = sealed.clone();
            crypt(from, id ^ 1, &mut other);
            prop_assert_ne!(&other, &bytes);
            crypt(from, id, &mut sealed);
            prop_assert_eq!(sealed, bytes);
        }
    }
}
