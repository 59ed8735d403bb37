//! MAC attributes, and differences between real radios.

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

/// Destination of data frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// All nodes of the PAN.
    Broadcast,
    /// The node with this address.
    Unicast(Address),
}

impl Destination {
    /// Destination address field.
    #[must_use]
    pub const fn address(self) -> Address {
        match self {
            Self::Broadcast => Address::BROADCAST,
            Self::Unicast(address) => address,
        }
    }
}

/// Configuration of a node of a PAN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Channel.
    pub channel: Channel,
    /// PAN identifier.
    pub pan: u16,
    /// Address.
    pub address: Address,
    /// Additional short address, if assigned.
    pub short: Option<u16>,
    /// Destination.
    pub destination: Destination,
    /// CSMA-CA, if used.
    pub csma: Option<Csma>,
    /// Whether acknowledgements are requested.
    pub ack_request: bool,
    /// Retries of an unacknowledged frame: `macMaxFrameRetries`, 0 to 7 in the standard; OpenThread
    /// allows more.
    pub max_retries: u8,
    /// Largest exponent of the random backoff before a retry after a missing acknowledgement. The
    /// exponent is 0 for the first retry and grows by one with each further retry, up to this
    /// value. OpenThread has such a backoff
    /// (`OPENTHREAD_CONFIG_MAC_RETX_DELAY_MAX_BACKOFF_EXPONENT`), but the standard has none.
    pub retry_be: Option<u8>,
    /// Whether a frame is also retried if its channel was never clear. The standard gives up such a
    /// frame (7.5.1.4). OpenThread counts a channel that was never clear as one of the attempts of
    /// the frame (`SubMac::HandleTransmitDone`).
    pub retry_busy: bool,
    /// Whether a broadcast that requests an acknowledgement gets one. The standard forbids this
    /// acknowledgement (7.5.6.2.2), but the radio of the ESP32-C6 sends it.
    pub ack_broadcast: bool,
    /// Whether the radio stays silent after a frame for the interframe space of 7.5.1.3. A radio
    /// that gets its next frame from a program does not always comply.
    pub interframe_space: bool,
    /// Whether a backoff starts as soon as there is a frame to send. If true, the backoff may run
    /// during an interframe space or while the radio still has to send an acknowledgement. After
    /// the backoff, the radio waits until the interframe space and the acknowledgement have ended.
    /// MAC software outside the radio works in this way: the backoff timer of OpenThread
    /// (`SubMac::StartCsmaBackoff`) depends neither on interframe spaces nor on acknowledgements.
    /// If false, a backoff starts only after the interframe space and the acknowledgement (7.5.1.3,
    /// 7.5.1.4).
    pub backoff_at_once: bool,
    /// Turnaround from receiving to the first symbol of a frame.
    pub turnaround: Duration,
    /// Time from the end of a frame to the first symbol of its acknowledgement.
    pub ack_turnaround: Duration,
    /// Frames queued for its program.
    pub rx_buffer: usize,
}

impl Config {
    /// Creates a standard node at `address` that sends to `destination`, with CSMA-CA and
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

    /// PHY of its channel.
    #[must_use]
    pub const fn phy(&self) -> Phy {
        self.channel.phy()
    }
}
