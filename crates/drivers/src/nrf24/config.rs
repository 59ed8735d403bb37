//! Configuration of a driver, and the resulting register values.

use airlag_link::airtime::nrf24::{Frame, Rate, SETTLE_NS};

use super::register::{config, feature};

/// Role of this chip in the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Sends payloads (PTX).
    Transmitter,
    /// Receives payloads and acknowledges them (PRX).
    Receiver,
}

/// Payload length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    /// Always this many bytes, 1 to 32; shorter chunks are padded with zeros.
    Fixed(u8),
    /// The length of the chunk (dynamic payload length).
    Dynamic,
}

/// Output power of the chip, before any amplifier (RF_PWR in section 9.1, register 06; section
/// 5.2).
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

/// A device address of three to five bytes, least significant byte first as on SPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    bytes: [u8; 5],
    width: u8,
}

impl Address {
    /// Creates an address of three to five bytes.
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

    /// Address bytes, least significant first.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.width)]
    }
}

/// A setting outside the chip's limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A channel other than 0 to 125 (2400 to 2525 MHz).
    #[error("channel {0} does not exist; channels go from 0 to 125")]
    Channel(u8),
    /// An address of fewer than three or more than five bytes.
    #[error("an address has 3 to 5 bytes, not {0}")]
    AddressWidth(usize),
    /// A delay that is not between 250 and 4000 us in steps of 250.
    #[error(
        "a retransmit delay of {0} us does not exist; it must be 250 to 4000 us in steps of 250"
    )]
    RetransmitDelay(u16),
    /// The delay is shorter than an acknowledgement (section 9.1, register 04, ARD, and table 18).
    #[error(
        "a retransmit delay of {given} us is too short for the acknowledgement; the chip's \
         specification requires {least} us or more at this rate with {payload} B in it (9.1, SETUP_RETR)"
    )]
    RetransmitDelayTooShort {
        /// Requested delay, us.
        given: u16,
        /// Shortest valid delay, us.
        least: u16,
        /// Longest acknowledgement payload, bytes.
        payload: u8,
    },
    /// More than 15 retransmissions.
    #[error("{0} retransmissions exceed the chip's maximum of 15")]
    RetransmitCount(u8),
    /// A payload of more than 32 bytes, or none.
    #[error("a payload has 1 to 32 bytes, not {0}")]
    PayloadWidth(u8),
    /// A window that does not fit into the transmit FIFO, which has room for three payloads.
    #[error("a window of {0} does not fit the transmit FIFO; it must be 1 to 3")]
    Window(u8),
    /// A pipe that does not exist, or an address that its pipe cannot have. Pipes are numbered 0 to
    /// 5, and the addresses of pipes 2 to 5 differ from that of pipe 1 only in one byte.
    #[error("pipe {0} does not exist; pipes go from 0 to 5")]
    Pipe(u8),
    /// Acknowledgement payloads without acknowledgements (section 7.5.2).
    #[error("acknowledgement payloads need acknowledgements, which are off")]
    NoAcknowledgement,
    /// A link with replies in acknowledgements whose role is wrong, or whose payloads do not differ
    /// from polls.
    #[error(
        "replies in acknowledgements need a {0} at this end, an ack_payload of 1 byte or more, and \
         payloads of 2 bytes or more"
    )]
    NoReplies(&'static str),
}

/// Driver configuration. Both ends need the same channel, rate, address and payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Role.
    pub role: Role,
    /// Channel: 2400 MHz plus this number of MHz.
    pub channel: u8,
    /// Air data rate.
    pub rate: Rate,
    /// Output power.
    pub power: Power,
    /// Address of the link.
    pub address: Address,
    /// Payload length.
    pub payload: Payload,
    /// Whether acknowledgements are requested.
    pub acknowledge: bool,
    /// Longest acknowledgement payload, 0 for none.
    pub ack_payload: u8,
    /// Whether each payload selects acknowledgement (EN_DYN_ACK).
    pub dynamic_ack: bool,
    /// Delay from the end of a frame to the next attempt: 250 to 4000 us in steps of 250.
    pub retransmit_delay_us: u16,
    /// Retransmissions after the first attempt, 0 to 15.
    pub retransmit_count: u8,
    /// Payloads in flight, 1 to 3: 1 waits for each, 3 keeps the FIFO full.
    pub window: u8,
    /// Whether the driver flushes the receive FIFO (command FLUSH_RX) when the program has read a
    /// payload and requests another one. The acknowledgement of the payload is still being sent at
    /// this time. The specification forbids FLUSH_RX while an acknowledgement is being sent
    /// (section 8.3.1). Published firmware sends FLUSH_RX nevertheless, and this option reproduces
    /// the resulting behaviour.
    pub flush_after_read: bool,
}

impl Config {
    /// Creates a configuration with three address bytes, payloads of 32 bytes padded,
    /// acknowledgements, one payload at a time, a delay of 1 ms and five retransmissions.
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

    /// Creates a configuration for [`burst`](super::burst): payloads of any length, acknowledgement
    /// of selected payloads only, acknowledgements with a payload of up to 32 bytes, and no
    /// retransmission by the chip. The chip waits for an acknowledgement for the retransmit delay.
    /// The delay is long enough for an acknowledgement with a payload of 32 bytes (section 7.4.2).
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

    /// Checks the settings; the error names the first invalid one.
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

    /// Checks that this is an end of a link with replies in acknowledgements.
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

    /// Shortest retransmit delay that leaves enough time for an acknowledgement, us. The values are
    /// from the specification of the nRF24L01+: section 7.4.2 with table 18, and footnote a of
    /// register 04 in section 9.1. The values apply to addresses of 5 bytes. The specification
    /// gives no values for shorter addresses.
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

    /// Frame format of this configuration.
    #[must_use]
    pub const fn frame(&self) -> Frame {
        Frame::enhanced(self.rate, self.address.width)
    }

    /// Largest payload, bytes.
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
