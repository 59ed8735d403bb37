//! Settings of a Zigbee device.

use airlag_link::airtime::ieee802154::MAX_PSDU;
use airlag_sim::Duration;

use super::frame::{APS_LEN, IEEE_LEN, NWK_LEN, ZCL_LEN};
use super::security::{AUXILIARY_LEN, MIC_LEN};
use crate::stack::ieee802154::frame::{FCS_LEN, HEADER_LEN};

/// Identity of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Short address in the network.
    pub short: u16,
    /// IEEE address of the radio.
    pub eui: u64,
}

/// Software costs of a device, on its board's clock. There is one processor, so concurrent work is
/// serialised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Time per sent frame, without AES.
    pub send: Duration,
    /// Time per received frame, without AES.
    pub receive: Duration,
    /// One AES block.
    pub aes_block: Duration,
}

/// Costs of the program around the stack, on its board's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// Time from the program's call to the message in the stack.
    pub send: Duration,
    /// Time from the message in the stack to its data in the program.
    pub receive: Duration,
}

/// Optional parts of the frames of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Whether NWK frames are secured with the network key.
    pub secured: bool,
    /// Whether NWK headers contain the IEEE addresses of both devices.
    pub ieee: bool,
    /// Whether messages have a ZCL header.
    pub zcl: bool,
}

impl Format {
    /// Length of the PSDU of a message with `data` octets, octets.
    #[must_use]
    pub const fn message_len(self, data: usize) -> usize {
        self.acknowledgement_len() + if self.zcl { ZCL_LEN } else { 0 } + data
    }

    /// Length of the PSDU of an APS acknowledgement, octets.
    #[must_use]
    pub const fn acknowledgement_len(self) -> usize {
        let ieee = if self.ieee { 2 * IEEE_LEN } else { 0 };
        let security = if self.secured { AUXILIARY_LEN + MIC_LEN } else { 0 };
        HEADER_LEN + NWK_LEN + ieee + security + APS_LEN + FCS_LEN
    }

    /// Longest data of a message without fragmentation, octets.
    #[must_use]
    pub const fn room(self) -> usize {
        MAX_PSDU - self.message_len(0)
    }
}

/// Configuration of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The device itself.
    pub own: Place,
    /// Peer of its program.
    pub peer: Place,
    /// Optional parts of its frames.
    pub format: Format,
    /// Radius of its messages: a router forwards those above 1.
    pub radius: u8,
    /// Whether its messages request an APS acknowledgement.
    pub aps_ack: bool,
    /// Repetitions of a message without an APS acknowledgement: `apscMaxFrameRetries`.
    pub aps_retries: u8,
    /// Wait for an APS acknowledgement: `apscAckWaitDuration`.
    pub aps_ack_wait: Duration,
    /// Repetitions of a unicast NWK frame that the MAC has given up: `nwkcUnicastRetries`.
    pub unicast_retries: u8,
    /// Delay before such a repetition: `nwkcUnicastRetryDelay`.
    pub unicast_retry_delay: Duration,
    /// Frames that wait to be sent; further ones to forward are dropped.
    pub buffers: usize,
    /// Software costs.
    pub costs: Costs,
}
