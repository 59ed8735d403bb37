//! Requests and probes of a host: the same frames on any serial line.
//!
//! Nothing here runs while the host is silent, so a connected host does not delay a message.

use core::cell::RefCell;

use airlag_app::Control;
use airlag_app::control::LINE;
use airlag_app::reflector::StreamReflector;
use airlag_link::framing::framed_len;
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::Instant;

use crate::program::Protocol;
use crate::settings::{COUNTERS, NAMES, Role};

/// Longest probe that is reflected, bytes.
pub const PROBE: usize = 256;
/// Longest frame to the host, bytes.
pub const FRAME: usize = framed_len(PROBE);
const _: () = assert!(LINE <= FRAME);

/// State that the program and the host share, of an image with `ALL` settings.
pub struct Shared<const ALL: usize> {
    /// Settings, state and counters.
    pub control: RefCell<Control<ALL, COUNTERS>>,
    /// Signals that the host has requested a start or a stop.
    pub changed: Signal<NoopRawMutex, ()>,
}

impl<const ALL: usize> Shared<ALL> {
    /// Shares the control of the image with this name, on the board with this name.
    #[must_use]
    pub fn new<P: Protocol<ALL>>(board: &'static str, image: &'static str, role: Role) -> Self {
        let control = Control::new(board, image, P::settings(role), NAMES);
        Self { control: RefCell::new(control), changed: Signal::new() }
    }
}

/// Reads the bytes of the host, and replies.
pub struct Console<const ALL: usize> {
    shared: &'static Shared<ALL>,
    reflector: StreamReflector<PROBE, FRAME>,
    frame: [u8; FRAME],
}

impl<const ALL: usize> Console<ALL> {
    /// Creates a console.
    #[must_use]
    pub const fn new(shared: &'static Shared<ALL>) -> Self {
        Self { shared, reflector: StreamReflector::new(), frame: [0; FRAME] }
    }

    /// Processes a byte. Returns the reply to the request or the probe that it completes, as a
    /// frame.
    pub fn receive(&mut self, byte: u8) -> Option<&[u8]> {
        let mut control = self.shared.control.borrow_mut();
        if control.receive(byte) {
            self.shared.changed.signal(());
        }
        let received = now_ns();
        let reply = match control.poll() {
            Some(reply) => reply,
            None => self.reflector.feed(byte, received, now_ns)?,
        };
        let len = reply.len();
        self.frame[..len].copy_from_slice(reply);
        Some(&self.frame[..len])
    }
}

/// Time since the start, with the resolution of the time driver of the board.
fn now_ns() -> u64 {
    Instant::now().as_micros() * 1_000
}
