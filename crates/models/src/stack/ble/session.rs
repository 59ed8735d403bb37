//! Set-up of a session over a connection that is created for a message.
//!
//! ```text
//!  central     ATT_EXCHANGE_MTU_REQ ─►       if the MTU is not the default
//!  peripheral  ◄─ ATT_EXCHANGE_MTU_RSP
//!  central     ATT_WRITE_REQ ─►              subscription, without a bond
//!  peripheral  ◄─ ATT_WRITE_RSP
//! ```
//!
//! The central stores the handles of the attributes, so there is no discovery. With a bond, the
//! peripheral also stores the subscription of the central. Without a bond, each connection begins
//! without a subscription (Bluetooth Core Specification 5.4, volume 3, part G, section 3.3.3.3), and
//! the central writes it. The MTU of each connection begins at its default (section 5.2.1).

use std::cell::Cell;

use airlag_sim::channel::Notice;
use airlag_sim::{Instant, Sim};

use super::att::{self, MIN_MTU, Opcode};
use super::controller::Role;
use super::host::{HANDLE, Shared};
use super::slices;

/// Handle of the Client Characteristic Configuration descriptor.
const CONFIGURATION: u16 = HANDLE + 1;

/// Set-up of each connection at one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetUp {
    /// Role of this end.
    pub role: Role,
    /// MTU of both ends, bytes.
    pub mtu: usize,
    /// Whether both ends have a bond, with which the subscription is stored.
    pub bonded: bool,
    /// Value of the descriptor with which the central subscribes.
    pub operation: Opcode,
}

/// State of the set-up.
pub(super) struct Session {
    set_up: SetUp,
    /// Whether data may be sent.
    is_ready: Cell<bool>,
    changed: Notice,
    /// Begin of the latest connection.
    connected: Cell<Instant>,
}

impl Session {
    pub(super) fn new(sim: &Sim, set_up: SetUp) -> Self {
        let connected = Cell::new(Instant::START);
        Self { set_up, is_ready: Cell::new(false), changed: Notice::new(sim), connected }
    }

    /// Returns true for the end that scans.
    pub(super) fn scans(&self) -> bool {
        self.set_up.role == Role::Central
    }

    const fn exchanges_mtu(&self) -> bool {
        self.set_up.mtu > MIN_MTU
    }

    /// Handles the begin of a connection.
    pub(super) fn connected(&self, shared: &Shared) {
        self.connected.set(shared.board.sim().now());
        if self.scans() && self.exchanges_mtu() {
            self.request_mtu(shared);
        } else {
            self.mtu_exchanged(shared);
        }
    }

    /// Handles the end of a connection. The central scans again.
    pub(super) fn disconnected(&self, shared: &Shared) {
        self.is_ready.set(false);
        self.changed.raise();
        if self.scans() {
            shared.controller.seek();
        }
    }

    fn request_mtu(&self, shared: &Shared) {
        // An MTU is at most 517 bytes. It takes the place of a handle.
        shared.submit(&att::frame(Opcode::ExchangeMtuRequest, self.set_up.mtu as u16, &[]));
    }

    /// Handles a connection with its final MTU, or at the peripheral one whose MTU exchange may
    /// still follow.
    fn mtu_exchanged(&self, shared: &Shared) {
        let SetUp { role, bonded, operation, .. } = self.set_up;
        match role {
            Role::Central if !bonded => {
                let value: u16 = if operation == Opcode::Indication { 2 } else { 1 };
                let value = value.to_le_bytes();
                shared.submit(&att::frame(Opcode::WriteRequest, CONFIGURATION, &value));
            }
            Role::Peripheral if bonded && !self.exchanges_mtu() => self.set_ready(),
            _ => {}
        }
    }

    fn set_ready(&self) {
        self.is_ready.set(true);
        self.changed.raise();
    }

    /// Handles a frame of the set-up. Returns false for any other frame.
    pub(super) async fn take(&self, shared: &Shared, opcode: Opcode, frame: &[u8]) -> bool {
        let bonded = self.set_up.bonded;
        let respond = async |response: Opcode, handle| {
            shared.board.spend(&slices::HOST, shared.costs.send).await;
            shared.submit(&att::frame(response, handle, &[]));
        };
        match (self.set_up.role, opcode) {
            (Role::Peripheral, Opcode::ExchangeMtuRequest) => {
                respond(Opcode::ExchangeMtuResponse, self.set_up.mtu as u16).await;
                if bonded {
                    self.set_ready();
                }
            }
            (Role::Peripheral, Opcode::WriteRequest)
                if att::handle(frame) == Some(CONFIGURATION) =>
            {
                respond(Opcode::WriteResponse, 0).await;
                self.set_ready();
            }
            (Role::Central, Opcode::ExchangeMtuResponse) => self.mtu_exchanged(shared),
            (Role::Central, Opcode::WriteResponse) => {}
            _ => return false,
        }
        true
    }

    /// Waits until data may be sent. Advertises if there is no connection.
    pub(super) async fn ready(&self, shared: &Shared) {
        if self.is_ready.get() {
            return;
        }
        let sim = shared.board.sim();
        let begin = sim.now();
        while !self.is_ready.get() {
            shared.controller.seek();
            self.changed.wait().await;
        }
        let connected = self.connected.get().max(begin);
        shared.board.span(&slices::ADVERTISING, begin, connected);
        shared.board.span(&slices::CONNECTION_SET_UP, connected, sim.now());
    }
}
