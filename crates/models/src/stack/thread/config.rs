//! What differs between boards of a Thread network.

use airlag_link::airtime::ieee802154::MAX_PSDU;
use airlag_sim::Duration;

use super::address::{Place, Scope};
use super::faults::Faults;
use super::mesh;
use super::queue::Limits;
use super::security::{AUXILIARY_LEN, MIC_LEN};
use super::spinel::Serial;
use crate::stack::ieee802154::frame::{FCS_LEN, HEADER_LEN, MAX_HEADER_LEN};

/// Octets of a frame besides its payload: headers, security and FCS, and the mesh header of what goes
/// further than to a neighbour.
#[must_use]
pub const fn overhead(scope: Scope, onward: bool) -> usize {
    let header = match scope {
        Scope::Link => MAX_HEADER_LEN,
        Scope::Locator | Scope::Endpoint => HEADER_LEN,
    };
    let mesh = if onward { mesh::HEADER_LEN } else { 0 };
    header + AUXILIARY_LEN + mesh + MIC_LEN + FCS_LEN
}

/// Octets of a frame's payload: what those leave.
#[must_use]
pub const fn room(scope: Scope, onward: bool) -> usize {
    MAX_PSDU - overhead(scope, onward)
}

/// Where a station's radio is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Radio {
    /// On the processor's own chip.
    Own,
    /// Behind a serial line; its chip does the AES of what it sends.
    CoProcessor(Serial),
}

/// What becomes of a datagram for which there is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenFull {
    /// It is lost, and the program goes on.
    Refuse,
    /// The program waits until there is room.
    Wait,
}

/// What the software of a station costs, on its board's clock. There is one processor: what is wanted
/// at the same time is done one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// For each frame that is sent: system calls, copies, tasklets.
    pub send: Duration,
    /// For each frame that comes.
    pub receive: Duration,
    /// One block of AES.
    pub aes_block: Duration,
    /// From a datagram being handed over to the program going on.
    pub pace: Duration,
}

/// A board of a Thread network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Whom its program sends to.
    pub peer: Place,
    /// What datagrams between the two call them.
    pub scope: Scope,
    /// Where its radio is.
    pub radio: Radio,
    /// What its software costs.
    pub costs: Costs,
    /// What may wait to be sent.
    pub limits: Limits,
    /// What becomes of a datagram beyond that.
    pub when_full: WhenFull,
    /// Octets of the longest payload of a datagram.
    pub datagram: usize,
    /// How long a datagram may take to be whole.
    pub reassembly: Duration,
    /// How long it is silent after a frame that a neighbour is going to pass on, so as not to be in its
    /// way: `OPENTHREAD_CONFIG_MAC_COLLISION_AVOIDANCE_DELAY_INTERVAL`.
    pub collision_avoidance: Duration,
    /// What is wrong with it.
    pub faults: Faults,
}
