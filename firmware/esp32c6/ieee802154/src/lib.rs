//! # airlag-esp32c6-ieee802154: IEEE 802.15.4 on an ESP32-C6
//!
//! **Input:** chunks of the program; frames of the radio. **Output:** frames; chunks. **Used by:** the image in
//! `src/bin`, which has everything else from `airlag-esp32c6`.
//!
//! The radio filters addresses, and sends and awaits acknowledgements, without the program. The frames are those of
//! `airlag-drivers`.

#![no_std]

mod radio;

use airlag_app::control::Setting;
use airlag_drivers::ieee802154::{BROADCAST, Data, Frame, MAX_PAYLOAD};
use airlag_ends::program::Protocol;
use airlag_ends::settings::{Role, Settings, all, setting};
use airlag_esp32c6::board::{RADIO_SETTINGS, SETTINGS};
use airlag_link::{Capability, Delivery, Link};
use esp_hal::peripherals::IEEE802154;

use crate::radio::Radio;
pub use crate::radio::Silent;

/// Destination of the frame that follows a change of the settings. No board has this address (IEEE Std 802.15.4-2006,
/// 7.4.2, macShortAddress).
const NOBODY: u16 = 0xFFFE;

/// Reason why a chunk cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The radio does not respond.
    Silent(Silent),
    /// The chunk is longer than the payload of a frame.
    TooLong(usize),
}

/// IEEE 802.15.4 data frames between two boards.
pub struct Ieee802154 {
    radio: Radio,
    addresses: Addresses,
    acknowledge: bool,
    retries: u8,
    sequence: u8,
    /// Source and sequence number of the last received frame, for the detection of duplicates (7.5.6.2).
    last: Option<(u16, u8)>,
}

/// Addresses of both ends, in one PAN.
#[derive(Clone, Copy)]
struct Addresses {
    pan: u16,
    own: u16,
    peer: u16,
}

impl Addresses {
    const fn new(role: Role, pan: u64, pair: u64) -> Self {
        let [own, peer] = role.addresses(pair);
        Self { pan: pan as u16, own, peer }
    }
}

impl Ieee802154 {
    /// Takes the radio, which receives nothing yet.
    #[must_use]
    pub fn new(radio: IEEE802154<'static>) -> Self {
        Self {
            radio: Radio::new(radio),
            addresses: Addresses::new(Role::Receiver, 0, 0),
            acknowledge: false,
            retries: 0,
            sequence: 0,
            last: None,
        }
    }

    fn frame<'a>(&self, destination: u16, ack_request: bool, payload: &'a [u8]) -> Data<'a> {
        let Addresses { pan, own, .. } = self.addresses;
        Data { sequence: self.sequence, ack_request, pan, destination, source: own, payload }
    }

    /// Copies the payload of a frame that is new and for this end, and returns its length.
    fn accept(&mut self, frame: &[u8], buffer: &mut [u8]) -> Option<usize> {
        let Frame::Data(data) = Frame::decode(frame)? else { return None };
        let Addresses { pan, own, .. } = self.addresses;
        let is_own =
            [pan, BROADCAST].contains(&data.pan) && [own, BROADCAST].contains(&data.destination);
        let origin = (data.source, data.sequence);
        if !is_own || self.last.replace(origin) == Some(origin) {
            return None;
        }
        buffer.get_mut(..data.payload.len())?.copy_from_slice(data.payload);
        Some(data.payload.len())
    }
}

impl Protocol<SETTINGS> for Ieee802154 {
    type Link = Self;

    fn settings(role: Role) -> [Setting; SETTINGS] {
        let radio: [Setting; RADIO_SETTINGS] = [
            setting("channel", "", 20, [11, 26]),
            setting("acknowledge", "", 1, [0, 1]),
            // 0, as in the profiles of the bench. The standard has 3 (7.4.2, macMaxFrameRetries).
            setting("retries", "", 0, [0, 7]),
            setting("pan", "", 7, [0, 0xFFFE]),
            setting("pair", "", 1, [0, 0x7FFE]),
        ];
        all(role, radio)
    }

    async fn set_up(&mut self, settings: &Settings<SETTINGS>) -> bool {
        let [channel, acknowledge, retries, pan, pair] = settings.radio();
        self.addresses = Addresses::new(settings.role, pan, pair);
        (self.acknowledge, self.retries, self.last) = (acknowledge != 0, retries as u8, None);
        self.radio.configure(channel as u8, self.addresses.pan, self.addresses.own);
        // The driver applies a configuration when it begins to send.
        let empty = self.frame(NOBODY, false, &[]);
        self.radio.begin(&empty).is_some()
    }

    fn link(&mut self) -> &mut Self {
        self
    }
}

impl Link for Ieee802154 {
    type Error = Error;

    fn capability(&self) -> Capability {
        Capability::datagram(MAX_PAYLOAD).acknowledged(self.acknowledge).duplex(true)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Error> {
        self.sequence = self.sequence.wrapping_add(1);
        let frame = self.frame(self.addresses.peer, self.acknowledge, chunk);
        let attempts = if self.acknowledge { 1 + self.retries } else { 1 };
        for _ in 0..attempts {
            self.radio.finish().await.map_err(Error::Silent)?;
            self.radio.begin(&frame).ok_or(Error::TooLong(chunk.len()))?;
            let is_sent = self.radio.finish().await.map_err(Error::Silent)?;
            if !self.acknowledge {
                return Ok(if is_sent { Delivery::Sent } else { Delivery::Lost });
            }
            if is_sent && self.radio.acknowledged() == Some(self.sequence) {
                return Ok(Delivery::Confirmed);
            }
        }
        Ok(Delivery::Lost)
    }

    async fn flush(&mut self) -> Result<Delivery, Error> {
        Ok(if self.acknowledge { Delivery::Confirmed } else { Delivery::Sent })
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        loop {
            let frame = self.radio.receive().await;
            if let Some(len) = self.accept(frame.bytes(), buffer) {
                return Ok(len);
            }
        }
    }
}
