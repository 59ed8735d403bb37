//! Differences between boards of a Thread network.

use airlag_link::airtime::ieee802154::MAX_PSDU;
use airlag_sim::Duration;

use super::address::{Place, Scope};
use super::faults::Faults;
use super::mesh;
use super::queue::Limits;
use super::security::{AUXILIARY_LEN, MIC_LEN};
use super::spinel::Serial;
use crate::stack::ieee802154::frame::{FCS_LEN, HEADER_LEN, MAX_HEADER_LEN};

/// Overhead of a frame's payload, octets: headers, security and FCS, and the mesh header if it is
/// forwarded.
#[must_use]
pub const fn overhead(scope: Scope, onward: bool) -> usize {
    let header = match scope {
        Scope::Link => MAX_HEADER_LEN,
        Scope::Locator | Scope::Endpoint => HEADER_LEN,
    };
    let mesh = if onward { mesh::HEADER_LEN } else { 0 };
    header + AUXILIARY_LEN + mesh + MIC_LEN + FCS_LEN
}

/// Remaining payload of a frame, octets.
#[must_use]
pub const fn room(scope: Scope, onward: bool) -> usize {
    MAX_PSDU - overhead(scope, onward)
}

/// Location of a station's radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Radio {
    /// On the processor's own chip.
    Own,
    /// Behind a serial line, on a chip that performs AES for sent frames.
    CoProcessor(Serial),
}

/// Behaviour for a datagram without a free buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenFull {
    /// It is lost, and the program continues.
    Refuse,
    /// The program waits until there is room.
    Wait,
}

/// Software costs of a station, on its board's clock. There is one processor, so concurrent work is
/// serialised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Time per sent frame: system calls, copies, tasklets.
    pub send: Duration,
    /// Time per received frame.
    pub receive: Duration,
    /// One AES block.
    pub aes_block: Duration,
    /// Time from the handover of a datagram to the program's next step.
    pub pace: Duration,
}

/// Configuration of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Peer of its program.
    pub peer: Place,
    /// Type of addresses in datagrams between the two.
    pub scope: Scope,
    /// Location of its radio.
    pub radio: Radio,
    /// Software costs.
    pub costs: Costs,
    /// Queue limits.
    pub limits: Limits,
    /// Behaviour beyond these limits.
    pub when_full: WhenFull,
    /// Longest payload of a datagram, octets.
    pub datagram: usize,
    /// Reassembly timeout of a datagram.
    pub reassembly: Duration,
    /// Silence after a frame that a neighbour is going to forward, to avoid collisions with it:
    /// `OPENTHREAD_CONFIG_MAC_COLLISION_AVOIDANCE_DELAY_INTERVAL`.
    pub collision_avoidance: Duration,
    /// Injected faults.
    pub faults: Faults,
}
