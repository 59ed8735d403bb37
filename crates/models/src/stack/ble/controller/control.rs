//! Link layer procedures: a change of the connection interval and of the frame space after
//! connecting, and the start of encryption.
//!
//! ```text
//!  central      LL_CONNECTION_UPDATE_IND ─►        the new interval from an event six further on
//!  central      LL_FRAME_SPACE_REQ ─►              the interframe space of the PHY in use
//!  peripheral   ◄─ LL_FRAME_SPACE_RSP
//!  central      LL_CONNECTION_RATE_IND ─►          an interval that is a multiple of 125 us
//!  central      LL_ENC_REQ ─►                      its half of key and nonce
//!  peripheral   ◄─ LL_ENC_RSP, LL_START_ENC_REQ    the other half; it expects encrypted PDUs from here on
//!  both         ─► LL_START_ENC_RSP ◄─             encrypted
//! ```
//!
//! Sources are sections of volume 6, part B, of the Bluetooth Core Specification: sections 2.4.2
//! and 5.1 of version 5.4, section 5.1.30 of version 6.0 for the frame space update, and section
//! 5.1.32 of version 6.2 for the connection rate update. The specification defines no instant at
//! which a frame space update takes effect. In this model, a frame space update takes effect
//! together with the new connection interval. The hosts' data waits until the connection is
//! encrypted (5.1.3.1). Key distribution is not modelled: both hosts already have the long-term
//! key, as after an earlier bonding.

use super::queue::Queue;
use super::settings::Settings;
use super::state::State;
use super::{Controller, Reason, Role};
use crate::stack::ble::cipher::{self, Diversifier, Way};
use crate::stack::ble::interval::Interval;
use airlag_link::airtime::ble::Phy;

/// Events between a central's announcement of an interval change and its instant: the smallest
/// number that it should allow (section 5.1.1).
pub(super) const UPDATE_EVENTS: u64 = 6;

/// Spacing types of a frame space update: T_IFS of a connection, central to peripheral and back.
const SPACING_TYPES: u16 = 0b11;

/// Mask of a PHY in a frame space update.
const fn phy_mask(phy: Phy) -> u8 {
    match phy {
        Phy::Le1M => 1,
        Phy::Le2M => 2,
        Phy::CodedS2 | Phy::CodedS8 => 4,
    }
}

/// A control PDU (section 2.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// LL_CONNECTION_UPDATE_IND, with a transmit window that starts at the anchor point.
    ConnectionUpdate {
        /// New interval.
        interval: Interval,
        /// Events a peripheral may skip.
        latency: u16,
        /// Supervision timeout, in units of 10 ms.
        timeout: u16,
        /// Event counter at which it takes effect.
        instant: u16,
    },
    /// LL_CONNECTION_RATE_IND, with a subrate factor of 1 and without a window offset.
    ConnectionRate {
        /// New interval.
        interval: Interval,
        /// Events a peripheral may skip.
        latency: u16,
        /// Supervision timeout, in units of 10 ms.
        timeout: u16,
        /// Event counter at which it takes effect.
        instant: u16,
    },
    /// LL_FRAME_SPACE_REQ for both directions of the connection; both bounds are the same.
    FrameSpaceRequest {
        /// Frame space, us.
        us: u16,
        /// Mask of the PHYs: 1M, 2M, coded.
        phys: u8,
    },
    /// LL_FRAME_SPACE_RSP for both directions of the connection.
    FrameSpaceResponse {
        /// Selected frame space, us.
        us: u16,
        /// Mask of the PHYs.
        phys: u8,
    },
    /// LL_ENC_REQ, for a key that both ends have and that needs no identifier.
    EncryptionRequest(Diversifier),
    /// LL_ENC_RSP.
    EncryptionResponse(Diversifier),
    /// LL_START_ENC_REQ.
    StartEncryptionRequest,
    /// LL_START_ENC_RSP.
    StartEncryptionResponse,
}

impl Control {
    /// Encodes the PDU.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let halves = |bytes: &mut Vec<u8>, half: &Diversifier| {
            bytes.extend(half.key.to_le_bytes());
            bytes.extend(half.iv.to_le_bytes());
        };
        match self {
            Self::ConnectionUpdate { interval, latency, timeout, instant } => {
                // A window of one unit, without offset.
                let mut bytes = vec![0x00, 1, 0, 0];
                for field in [interval.units(), *latency, *timeout, *instant] {
                    bytes.extend(field.to_le_bytes());
                }
                bytes
            }
            Self::ConnectionRate { interval, latency, timeout, instant } => {
                let mut bytes = vec![0x3F];
                let (offset, factor, continuation) = (0, 1, 0);
                let units = interval.fine_units();
                for field in [offset, units, *instant, factor, *latency, continuation, *timeout] {
                    bytes.extend(u16::to_le_bytes(field));
                }
                bytes
            }
            Self::FrameSpaceRequest { us, phys } => {
                let ([low, high], [types, _]) = (us.to_le_bytes(), SPACING_TYPES.to_le_bytes());
                vec![0x3B, low, high, low, high, *phys, types, 0]
            }
            Self::FrameSpaceResponse { us, phys } => {
                let ([low, high], [types, _]) = (us.to_le_bytes(), SPACING_TYPES.to_le_bytes());
                vec![0x3C, low, high, *phys, types, 0]
            }
            Self::EncryptionRequest(half) => {
                // Rand and EDIV identify a key from legacy pairing; both are zero (part H, 2.4.4).
                let mut bytes = vec![0x03];
                bytes.extend([0; 10]);
                halves(&mut bytes, half);
                bytes
            }
            Self::EncryptionResponse(half) => {
                let mut bytes = vec![0x04];
                halves(&mut bytes, half);
                bytes
            }
            Self::StartEncryptionRequest => vec![0x05],
            Self::StartEncryptionResponse => vec![0x06],
        }
    }

    /// Decodes a PDU. Returns `None` for any other PDU.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (&opcode, rest) = bytes.split_first()?;
        let half = |bytes: &[u8]| {
            let (key, iv) = bytes.split_first_chunk::<8>()?;
            let iv = iv.try_into().ok().map(u32::from_le_bytes)?;
            Some(Diversifier { key: u64::from_le_bytes(*key), iv })
        };
        match opcode {
            0x00 => {
                let fields: &[u8; 11] = rest.try_into().ok()?;
                let at = |nth: usize| u16::from_le_bytes([fields[nth], fields[nth + 1]]);
                let interval = Interval::from_units(at(3)).ok()?;
                let (latency, timeout, instant) = (at(5), at(7), at(9));
                Some(Self::ConnectionUpdate { interval, latency, timeout, instant })
            }
            0x3B => {
                let &[low, high, _, _, phys, _, _] = rest else { return None };
                Some(Self::FrameSpaceRequest { us: u16::from_le_bytes([low, high]), phys })
            }
            0x3C => {
                let &[low, high, phys, _, _] = rest else { return None };
                Some(Self::FrameSpaceResponse { us: u16::from_le_bytes([low, high]), phys })
            }
            0x3F => {
                let fields: &[u8; 14] = rest.try_into().ok()?;
                let at = |nth: usize| u16::from_le_bytes([fields[2 * nth], fields[2 * nth + 1]]);
                let interval = Interval::from_fine_units(at(1)).ok()?;
                let (instant, latency, timeout) = (at(2), at(4), at(6));
                Some(Self::ConnectionRate { interval, latency, timeout, instant })
            }
            0x03 => Some(Self::EncryptionRequest(half(rest.get(10..)?)?)),
            0x04 => Some(Self::EncryptionResponse(half(rest)?)),
            0x05 if rest.is_empty() => Some(Self::StartEncryptionRequest),
            0x06 if rest.is_empty() => Some(Self::StartEncryptionResponse),
            _ => None,
        }
    }
}

/// Encryption state of one end.
#[derive(Default)]
pub(super) struct Security {
    /// Key of both hosts, and this end's contribution to the session key. `None` if the connection
    /// is not encrypted.
    pub(super) asked: Option<([u8; 16], Diversifier)>,
    /// Cipher for the direction to the other end, once the contributions were exchanged.
    session: Option<Way>,
    /// Cipher for the direction from the other end, until its PDUs are encrypted.
    awaited: Option<Way>,
    /// Cipher for the direction from the other end, once its PDUs are encrypted.
    pub(super) receive: Option<Way>,
}

impl Security {
    /// Creates the state of an end whose host has `key`.
    pub(super) fn with(key: [u8; 16], mine: Diversifier) -> Self {
        Self { asked: Some((key, mine)), ..Self::default() }
    }

    /// Derives the session key from both contributions.
    fn meet(&mut self, role: Role, theirs: Diversifier) {
        let Some((key, mine)) = self.asked else { return };
        let [there, back] = match role {
            Role::Central => cipher::session(key, mine, theirs),
            Role::Peripheral => cipher::session(key, theirs, mine),
        };
        let (send, receive) = match role {
            Role::Central => (there, back),
            Role::Peripheral => (back, there),
        };
        (self.session, self.awaited) = (Some(send), Some(receive));
    }
}

fn push(queue: &mut Queue, control: Control) {
    queue.push_control(&control.encode());
}

impl Controller {
    /// Called when a connection event of a central starts. Starts its pending procedures, one at a
    /// time.
    pub(super) fn ask(state: &mut State) {
        let Some(settings) = state.settings() else { return };
        let settings = *settings;
        if settings.changes() && !settings.low_latency_mode && state.event == 0 {
            change(state, &settings);
        }
        let first = if settings.changes() { UPDATE_EVENTS } else { 0 };
        if state.event == first
            && let Some((_, mine)) = state.security.asked
        {
            push(&mut state.queue, Control::EncryptionRequest(mine));
        }
    }

    /// Processes a received control PDU.
    pub(super) fn control(&self, state: &mut State, role: Role, payload: &[u8]) {
        match (role, Control::decode(payload)) {
            (
                Role::Peripheral,
                Some(
                    Control::ConnectionUpdate { instant, .. }
                    | Control::ConnectionRate { instant, .. },
                ),
            ) => {
                let ahead = instant.wrapping_sub(state.event as u16);
                if ahead >= 0x8000 {
                    self.end(state, Reason::InstantPassed);
                } else {
                    state.update = Some(state.event + u64::from(ahead));
                }
            }
            (Role::Peripheral, Some(Control::FrameSpaceRequest { us, phys })) => {
                push(&mut state.queue, Control::FrameSpaceResponse { us, phys });
                if state.event >= UPDATE_EVENTS {
                    self.end(state, Reason::InstantPassed);
                } else {
                    state.update = Some(UPDATE_EVENTS);
                }
            }
            (Role::Peripheral, Some(Control::EncryptionRequest(theirs))) => {
                let Some((_, mine)) = state.security.asked else { return };
                push(&mut state.queue, Control::EncryptionResponse(mine));
                push(&mut state.queue, Control::StartEncryptionRequest);
                state.security.meet(role, theirs);
                state.security.receive = state.security.awaited.take();
            }
            (Role::Central, Some(Control::EncryptionResponse(theirs))) => {
                state.security.meet(role, theirs);
            }
            (Role::Central, Some(Control::StartEncryptionRequest)) => {
                state.security.receive = state.security.awaited.take();
                seal(state);
            }
            (Role::Peripheral, Some(Control::StartEncryptionResponse)) => {
                seal(state);
                state.queue.let_data_go();
            }
            (Role::Central, Some(Control::StartEncryptionResponse)) => state.queue.let_data_go(),
            _ => {}
        }
    }
}

/// Starts the procedures that change frame space and interval.
fn change(state: &mut State, settings: &Settings) {
    let Settings { interval, latency, supervision_timeout, frame_space, phy, .. } = *settings;
    if settings.changes_frame_space() {
        let us = (frame_space.as_ns() / 1_000) as u16;
        push(&mut state.queue, Control::FrameSpaceRequest { us, phys: phy_mask(phy) });
    }
    if settings.first_interval() != interval {
        let timeout = (supervision_timeout.as_ns() / 10_000_000) as u16;
        let instant = UPDATE_EVENTS as u16;
        push(
            &mut state.queue,
            if interval.is_baseline() {
                Control::ConnectionUpdate { interval, latency, timeout, instant }
            } else {
                Control::ConnectionRate { interval, latency, timeout, instant }
            },
        );
    }
    state.update = Some(UPDATE_EVENTS);
}

/// Encrypts all further PDUs of this end.
fn seal(state: &mut State) {
    if let Some(way) = state.security.session.take() {
        state.queue.seal_with(way);
    }
    push(&mut state.queue, Control::StartEncryptionResponse);
}
