//! What a driver is set up with, and the registers that follow from it.

use airlag_link::airtime::nrf24::{Frame, Rate, SETTLE_NS};

use super::register::{config, feature};

/// Which end of the link this chip is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Sends payloads (PTX).
    Transmitter,
    /// Receives payloads and acknowledges them (PRX).
    Receiver,
}

/// How long payloads are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    /// Always this many bytes, 1 to 32; shorter chunks are filled up with zeros.
    Fixed(u8),
    /// As long as the chunk (dynamic payload length).
    Dynamic,
}

/// Output power (RF_PWR in section 9.1, register 06; section 5.2). Behind an amplifier it is that of the
/// chip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Power {
    /// -18 dBm.
    Minus18,
    /// -12 dBm.
    Minus12,
    /// -6 dBm.
    Minus6,
    /// 0 dBm.
    #[default]
    Zero,
}

/// A device address of three to five bytes, least significant byte first as it goes over SPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    bytes: [u8; 5],
    width: u8,
}

impl Address {
    /// An address of three to five bytes.
    pub const fn new(bytes: &[u8]) -> Result<Self, ConfigError> {
        let width = bytes.len();
        if width < 3 || width > 5 {
            return Err(ConfigError::AddressWidth(width));
        }
        let mut kept = [0; 5];
        let mut at = 0;
        while at < width {
            kept[at] = bytes[at];
            at += 1;
        }
        Ok(Self { bytes: kept, width: width as u8 })
    }

    /// Its bytes, least significant first.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.width)]
    }
}

/// A setting the chip does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// Channels go from 0 to 125 (2400 to 2525 MHz).
    #[error("channel {0} does not exist; channels go from 0 to 125")]
    Channel(u8),
    /// Addresses have three to five bytes.
    #[error("an address has 3 to 5 bytes, not {0}")]
    AddressWidth(usize),
    /// The delay goes from 250 to 4000 us in steps of 250.
    #[error(
        "a retransmit delay of {0} us does not exist; it goes from 250 to 4000 us in steps of 250"
    )]
    RetransmitDelay(u16),
    /// The delay leaves an acknowledgement no time (section 9.1, register 04, ARD, and table 18).
    #[error(
        "a retransmit delay of {given} us is too short for the acknowledgement; the chip's \
         specification wants {least} us or more at this rate with {payload} B in it (9.1, SETUP_RETR)"
    )]
    RetransmitDelayTooShort {
        /// What was asked for, us.
        given: u16,
        /// What would be enough, us.
        least: u16,
        /// Bytes in the acknowledgement at most.
        payload: u8,
    },
    /// At most 15 retransmissions.
    #[error("{0} retransmissions are more than the 15 the chip can count")]
    RetransmitCount(u8),
    /// Payloads have 1 to 32 bytes.
    #[error("a payload has 1 to 32 bytes, not {0}")]
    PayloadWidth(u8),
    /// The transmit FIFO holds three payloads.
    #[error("a window of {0} does not fit the transmit FIFO, which holds 1 to 3")]
    Window(u8),
    /// Pipes are numbered 0 to 5, and pipes 2 to 5 have only the last byte of their own.
    #[error("pipe {0} does not exist; pipes go from 0 to 5")]
    Pipe(u8),
    /// What is to go with an acknowledgement goes nowhere without (section 7.5.2).
    #[error("payloads in acknowledgements need acknowledgements, which are off")]
    NoAcknowledgement,
    /// An end of a link with replies in acknowledgements has a role, and polls have to be told from chunks.
    #[error(
        "this end of a link with replies in acknowledgements is a {0} with an ack_payload of 1 byte or \
         more and payloads of 2 or more"
    )]
    NoReplies(&'static str),
}

/// Everything a driver has to know. Both ends need the same channel, rate, address and payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Which end this is.
    pub role: Role,
    /// Channel: 2400 MHz plus this many MHz.
    pub channel: u8,
    /// Air data rate.
    pub rate: Rate,
    /// Output power.
    pub power: Power,
    /// Address of the link.
    pub address: Address,
    /// How long payloads are.
    pub payload: Payload,
    /// Ask for acknowledgements.
    pub acknowledge: bool,
    /// Longest payload that travels with an acknowledgement, 0 where none does.
    pub ack_payload: u8,
    /// Each payload says whether it asks for an acknowledgement (EN_DYN_ACK).
    pub dynamic_ack: bool,
    /// From the end of a frame to the next attempt: 250 to 4000 us in steps of 250.
    pub retransmit_delay_us: u16,
    /// Attempts after the first, 0 to 15.
    pub retransmit_count: u8,
    /// Payloads under way at once, 1 to 3: 1 waits for each, 3 keeps the FIFO full.
    pub window: u8,
    /// Empty the receive FIFO after each payload read, when the next one is asked for. The
    /// specification forbids it while an acknowledgement is being sent, which is just when it
    /// happens (section 8.3.1, FLUSH_RX). Firmware in the field does it all the same, and this is
    /// here to reproduce what follows.
    pub flush_after_read: bool,
}

impl Config {
    /// Three address bytes, 32 bytes padded, acknowledged, one payload at a time, 1 ms and five
    /// retransmissions.
    #[must_use]
    pub const fn new(role: Role, rate: Rate, address: Address) -> Self {
        Self {
            role,
            channel: 100,
            rate,
            power: Power::Zero,
            address,
            payload: Payload::Fixed(32),
            acknowledge: true,
            ack_payload: 0,
            dynamic_ack: false,
            retransmit_delay_us: 1000,
            retransmit_count: 5,
            window: 1,
            flush_after_read: false,
        }
    }

    /// What [`burst`](super::burst) needs: payloads of any length, of which some are acknowledged, with up
    /// to 32 bytes in the acknowledgement, and no retransmission by the chip. The delay is the time an
    /// acknowledgement that long has to come in (section 7.4.2).
    #[must_use]
    pub const fn for_bursts(role: Role, rate: Rate, address: Address) -> Self {
        let answer_ns = SETTLE_NS + Frame::enhanced(rate, address.width).duration_ns(32);
        Self {
            payload: Payload::Dynamic,
            ack_payload: 32,
            dynamic_ack: true,
            retransmit_delay_us: (answer_ns.div_ceil(250_000) * 250) as u16,
            retransmit_count: 0,
            window: 3,
            ..Self::new(role, rate, address)
        }
    }

    /// Names the first setting the chip does not have.
    pub const fn check(&self) -> Result<(), ConfigError> {
        if self.channel > 125 {
            return Err(ConfigError::Channel(self.channel));
        }
        let delay = self.retransmit_delay_us;
        if delay < 250 || delay > 4000 || !delay.is_multiple_of(250) {
            return Err(ConfigError::RetransmitDelay(delay));
        }
        let least = self.shortest_retransmit_delay_us();
        if delay < least {
            let payload = self.ack_payload;
            return Err(ConfigError::RetransmitDelayTooShort { given: delay, least, payload });
        }
        if self.ack_payload > 32 {
            return Err(ConfigError::PayloadWidth(self.ack_payload));
        }
        if self.ack_payload > 0 && !self.acknowledge {
            return Err(ConfigError::NoAcknowledgement);
        }
        if self.retransmit_count > 15 {
            return Err(ConfigError::RetransmitCount(self.retransmit_count));
        }
        if let Payload::Fixed(width) = self.payload
            && (width == 0 || width > 32)
        {
            return Err(ConfigError::PayloadWidth(width));
        }
        if self.window == 0 || self.window > 3 {
            return Err(ConfigError::Window(self.window));
        }
        Ok(())
    }

    /// Whether this is an end of a link with replies in acknowledgements.
    pub(super) const fn check_replies(&self, role: Role) -> Result<(), ConfigError> {
        let (is_role, name) = match role {
            Role::Transmitter => (matches!(self.role, Role::Transmitter), "transmitter"),
            Role::Receiver => (matches!(self.role, Role::Receiver), "receiver"),
        };
        if is_role && self.ack_payload > 0 && self.mtu() > 1 {
            return Ok(());
        }
        Err(ConfigError::NoReplies(name))
    }

    /// The shortest delay that leaves an acknowledgement its time, us: section 7.4.2 with table 18, and
    /// footnote a of register 04 in section 9.1. They are for addresses of 5 bytes, and say nothing of
    /// shorter ones.
    #[must_use]
    pub const fn shortest_retransmit_delay_us(&self) -> u16 {
        if !self.acknowledge {
            return 250;
        }
        match (self.rate, self.ack_payload) {
            (Rate::Kbps250, 0) | (Rate::Mbps1, 6..) | (Rate::Mbps2, 16..) => 500,
            (Rate::Kbps250, 1..=8) => 750,
            (Rate::Kbps250, 9..=16) => 1000,
            (Rate::Kbps250, 17..=24) => 1250,
            (Rate::Kbps250, _) => 1500,
            (Rate::Mbps1 | Rate::Mbps2, _) => 250,
        }
    }

    /// The frame this configuration puts on the air.
    #[must_use]
    pub const fn frame(&self) -> Frame {
        Frame::enhanced(self.rate, self.address.width)
    }

    /// Largest payload.
    #[must_use]
    pub const fn mtu(&self) -> usize {
        match self.payload {
            Payload::Fixed(width) => width as usize,
            Payload::Dynamic => 32,
        }
    }

    pub(super) const fn config_register(&self) -> u8 {
        let role = if matches!(self.role, Role::Receiver) { config::PRIM_RX } else { 0 };
        config::EN_CRC | config::CRCO | role
    }

    /// Bits 7:4 are the delay in steps of 250 us less one, bits 3:0 the count.
    pub(super) const fn setup_retr(&self) -> u8 {
        (((self.retransmit_delay_us / 250 - 1) as u8) << 4) | self.retransmit_count
    }

    /// RF_DR_LOW is bit 5, RF_DR_HIGH bit 3, the power in steps of 6 dB in bits 2:1.
    pub(super) const fn rf_setup(&self) -> u8 {
        let rate = match self.rate {
            Rate::Kbps250 => 1 << 5,
            Rate::Mbps1 => 0,
            Rate::Mbps2 => 1 << 3,
        };
        rate | (self.power as u8) << 1
    }

    /// Address widths 3, 4, 5 are coded 1, 2, 3.
    pub(super) const fn setup_aw(&self) -> u8 {
        self.address.width - 2
    }

    pub(super) const fn is_dynamic(&self) -> bool {
        matches!(self.payload, Payload::Dynamic) || self.ack_payload > 0
    }

    pub(super) const fn feature(&self) -> u8 {
        let dynamic = if self.is_dynamic() { feature::EN_DPL } else { 0 };
        let ack_payload = if self.ack_payload > 0 { feature::EN_ACK_PAY } else { 0 };
        let no_ack = if self.acknowledge && !self.dynamic_ack { 0 } else { feature::EN_DYN_ACK };
        dynamic | ack_payload | no_ack
    }
}
