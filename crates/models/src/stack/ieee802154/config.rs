//! Attributes of the MAC, and what differs between real radios.

use airlag_link::airtime::ieee802154::{Phy, TURNAROUND_SYMBOLS};
use airlag_sim::Duration;

use super::frame::Address;
use super::phy::Channel;

/// Unslotted CSMA-CA (IEEE Std 802.15.4-2006, 7.5.1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Csma {
    /// First backoff exponent: `macMinBE`, 0 to `max_be`.
    pub min_be: u8,
    /// Largest backoff exponent: `macMaxBE`, 3 to 8.
    pub max_be: u8,
    /// Further attempts after a busy channel: `macMaxCSMABackoffs`, 0 to 5.
    pub max_backoffs: u8,
}

impl Default for Csma {
    /// The defaults of 7.4.2, Table 86.
    fn default() -> Self {
        Self { min_be: 3, max_be: 5, max_backoffs: 4 }
    }
}

/// Whom data frames are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Everybody in the PAN.
    Broadcast,
    /// The node of this address.
    Unicast(Address),
}

impl Destination {
    /// The address in the frame.
    #[must_use]
    pub const fn address(self) -> Address {
        match self {
            Self::Broadcast => Address::BROADCAST,
            Self::Unicast(address) => address,
        }
    }
}

/// A node of a PAN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Its channel.
    pub channel: Channel,
    /// Its PAN.
    pub pan: u16,
    /// Its address.
    pub address: Address,
    /// The short address it answers to besides, if it was given one.
    pub short: Option<u16>,
    /// Whom it sends to.
    pub destination: Destination,
    /// Whether it looks before it sends, and how.
    pub csma: Option<Csma>,
    /// Whether it asks for acknowledgements.
    pub ack_request: bool,
    /// How often a frame without acknowledgement is sent again: `macMaxFrameRetries`, 0 to 7
    /// by the standard; OpenThread tries more often.
    pub max_retries: u8,
    /// Largest exponent of the backoff before a retry that an acknowledgement was missing for: the
    /// first has an exponent of 0, and each further one that of one more. The standard has none;
    /// OpenThread has (`OPENTHREAD_CONFIG_MAC_RETX_DELAY_MAX_BACKOFF_EXPONENT`).
    pub retry_be: Option<u8>,
    /// Whether a frame whose channel was never clear is tried again as well. The standard gives up
    /// (7.5.1.4); OpenThread counts it as a try (`SubMac::HandleTransmitDone`).
    pub retry_busy: bool,
    /// Whether a broadcast that asks for an acknowledgement gets one. The standard says no
    /// (7.5.6.2.2); the radio of the ESP32-C6 sends it.
    pub ack_broadcast: bool,
    /// Whether it keeps silent after a frame for the interframe space of 7.5.1.3. A radio that is
    /// handed its next frame by a program does not always care.
    pub interframe_space: bool,
    /// Whether a backoff begins when there is a frame to send, and so passes during an interframe space or
    /// an acknowledgement that is still to be sent, which the radio waits for afterwards. Software above a
    /// radio does so: `SubMac::StartCsmaBackoff` of OpenThread runs a timer and knows of neither. Otherwise a
    /// backoff begins when the radio is free (7.5.1.3, 7.5.1.4).
    pub backoff_at_once: bool,
    /// From receiving to the first symbol of a frame.
    pub turnaround: Duration,
    /// From the end of a frame to the first symbol of its acknowledgement.
    pub ack_turnaround: Duration,
    /// Frames it holds for its program.
    pub rx_buffer: usize,
}

impl Config {
    /// A node at `address` that sends to `destination` as the standard says, with CSMA-CA and
    /// acknowledgements.
    #[must_use]
    pub const fn standard(channel: Channel, address: Address, destination: Destination) -> Self {
        let phy = channel.phy();
        let turnaround = Duration::from_ns(phy.symbols_ns(TURNAROUND_SYMBOLS));
        Self {
            channel,
            pan: 0x0007,
            address,
            short: None,
            destination,
            csma: Some(Csma { min_be: 3, max_be: 5, max_backoffs: 4 }),
            ack_request: matches!(destination, Destination::Unicast(_)),
            max_retries: 3,
            retry_be: None,
            retry_busy: false,
            ack_broadcast: false,
            interframe_space: true,
            backoff_at_once: false,
            turnaround,
            ack_turnaround: turnaround,
            rx_buffer: 20,
        }
    }

    /// The physical layer of its channel.
    #[must_use]
    pub const fn phy(&self) -> Phy {
        self.channel.phy()
    }
}
