//! A host modelled by its costs, for closed-source stacks.
//!
//! Frames (L2CAP, ATT) and the link layer below are real; the processing of the host is a set of
//! durations. Discovery and subscription are omitted, and handles are known from the start.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::Duration;
use airlag_sim::channel::{Notice, Receiver, Sender, channel};

use super::att::{self, Assembler, Opcode};
use super::controller::{Controller, Event, Packet};
use super::slices;
use crate::mcu::Board;

/// Attribute to which all values are written.
const HANDLE: u16 = 0x000B;

/// Behaviour for a chunk without a free buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenFull {
    /// The call fails and the chunk is lost.
    Drop,
    /// The call waits.
    Wait,
}

/// Costs of a host on its board's clock, and its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostCosts {
    /// Time from the call to the frame in the controller's queue.
    pub send: Duration,
    /// Time from the controller's queue until the program is ready for its next chunk.
    pub gate: Duration,
    /// Time from the last fragment of a frame to the program that receives it.
    pub receive: Duration,
    /// Number of frames that it buffers until the other end has acknowledged them.
    pub queue: usize,
    /// Behaviour when the queue is full.
    pub when_full: WhenFull,
    /// Size of the fragments in which it passes a frame to the controller, bytes.
    pub acl_length: usize,
    /// Largest chunk of a message.
    pub chunk: usize,
    /// ATT operation for a chunk.
    pub operation: Opcode,
}

impl HostCosts {
    /// Whether the peripheral sends the messages. It sends notifications and indications, while the
    /// central sends writes.
    #[must_use]
    pub const fn notifies(&self) -> bool {
        matches!(self.operation, Opcode::Notification | Opcode::Indication)
    }
}

struct Shared {
    board: Board,
    controller: Rc<Controller>,
    costs: HostCosts,
    /// Unacknowledged fragments of each frame handed to the controller.
    pieces: RefCell<VecDeque<usize>>,
    room: Notice,
    answered: Notice,
    connected: Cell<bool>,
    incident: Box<dyn Fn(&'static str)>,
}

impl Shared {
    fn submit(&self, frame: &[u8]) {
        let mut count = 0;
        for (nth, piece) in frame.chunks(self.costs.acl_length.max(1)).enumerate() {
            self.controller.submit(Packet { start: nth == 0, bytes: piece.to_vec() });
            count += 1;
        }
        self.pieces.borrow_mut().push_back(count);
    }

    /// Handles the acknowledgement of the oldest fragment.
    fn completed(&self) {
        let mut pieces = self.pieces.borrow_mut();
        if let Some(first) = pieces.front_mut() {
            *first -= 1;
            if *first == 0 {
                pieces.pop_front();
                self.room.raise();
            }
        }
    }
}

/// One end of a connection as a [`Link`].
pub struct Host {
    shared: Rc<Shared>,
    inbox: Receiver<Vec<u8>>,
}

impl Host {
    /// Creates a host on `controller`. `incident` is called with the names of incidents: `queue
    /// full`, `supervision timeout`.
    #[must_use]
    pub fn new(
        board: &Board,
        controller: &Rc<Controller>,
        events: Receiver<Event>,
        costs: HostCosts,
        incident: impl Fn(&'static str) + 'static,
    ) -> Self {
        let sim = board.sim();
        let shared = Rc::new(Shared {
            board: board.clone(),
            controller: Rc::clone(controller),
            costs,
            pieces: RefCell::default(),
            room: Notice::new(sim),
            answered: Notice::new(sim),
            connected: Cell::new(controller.is_connected()),
            incident: Box::new(incident),
        });
        let (deliver, inbox) = channel(sim);
        let name = format!("{} host", board.name());
        sim.spawn(name, serve(Rc::clone(&shared), events, deliver));
        Self { shared, inbox }
    }

    /// Waits until there is room for another frame. Returns false if there is none and the call
    /// fails.
    async fn room(&self) -> bool {
        let shared = &*self.shared;
        let full = || shared.pieces.borrow().len() >= shared.costs.queue;
        if full() {
            (shared.incident)("queue full");
            if shared.costs.when_full == WhenFull::Drop {
                return false;
            }
        }
        while full() && shared.connected.get() {
            shared.room.wait().await;
        }
        shared.connected.get()
    }
}

/// Processes events of the controller.
async fn serve(shared: Rc<Shared>, mut events: Receiver<Event>, deliver: Sender<Vec<u8>>) {
    let mut assembler = Assembler::default();
    while let Some(event) = events.receive().await {
        match event {
            Event::Connected(_) => shared.connected.set(true),
            Event::Completed => shared.completed(),
            Event::Disconnected(_) => {
                shared.connected.set(false);
                shared.pieces.borrow_mut().clear();
                (shared.incident)("supervision timeout");
                shared.room.raise();
                shared.answered.raise();
            }
            Event::Received(piece) => {
                let Some(frame) = assembler.push(&piece) else { continue };
                let Some((opcode, value)) = att::open(&frame) else { continue };
                shared.board.spend(&slices::HOST, shared.costs.receive).await;
                if opcode.is_response() {
                    shared.answered.raise();
                    continue;
                }
                deliver.send(value.to_vec());
                if let Some(answer) = opcode.answer() {
                    shared.submit(&att::frame(answer, HANDLE, &[]));
                }
            }
        }
    }
}

impl Link for Host {
    type Error = Infallible;

    fn capability(&self) -> Capability {
        let HostCosts { chunk, operation, .. } = self.shared.costs;
        Capability::datagram(chunk).acknowledged(operation.answer().is_some()).duplex(true)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        let shared = &*self.shared;
        shared.board.spend(&slices::HOST, shared.costs.send).await;
        if !shared.connected.get() || !self.room().await {
            return Ok(Delivery::Lost);
        }
        shared.answered.take();
        shared.submit(&att::frame(shared.costs.operation, HANDLE, chunk));
        if shared.costs.operation.answer().is_some() {
            shared.answered.wait().await;
            let confirmed = shared.connected.get();
            return Ok(if confirmed { Delivery::Confirmed } else { Delivery::Lost });
        }
        shared.board.spend(&slices::HOST, shared.costs.gate).await;
        Ok(Delivery::Sent)
    }

    /// Returns at once. The arrival of a notification or command is not reported above the link
    /// layer, and an operation with a response is already confirmed.
    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        Ok(next_value(&mut self.inbox, buffer).await)
    }
}

/// Waits for a value that fits into `buffer`, copies it there and returns its size. Longer values
/// are dropped.
pub(super) async fn next_value(inbox: &mut Receiver<Vec<u8>>, buffer: &mut [u8]) -> usize {
    loop {
        match inbox.receive().await {
            Some(value) if value.len() <= buffer.len() => {
                buffer[..value.len()].copy_from_slice(&value);
                return value.len();
            }
            Some(_) => {}
            // The host's task lives as long as the simulation.
            None => std::future::pending::<()>().await,
        }
    }
}
