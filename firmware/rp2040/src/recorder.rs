//! The instrument, composed of edges, triggers and orders: bytes of the host in, frames out.

use airlag_app::{Control, Stamper};
use airlag_link::control::State;
use embassy_time::{Duration, Instant, block_for};

use crate::board::{self, Board, CHANNELS};
use crate::edges::{Edges, TICK_PS};
use crate::trigger::Trigger;

/// Rows between the rings and the host: 64 KiB.
pub const ROWS: usize = 1 << 12;
/// Number of rows at which a frame is sent even before [`PATIENCE`] has passed.
const WORTHWHILE: usize = 64;
/// Longest time between two frames, well below the heartbeat of the protocol.
const PATIENCE: Duration = Duration::from_millis(10);
/// Time from a change of a pad to its edge in the rings.
const SETTLES: Duration = Duration::from_micros(3);

// A reply of the control is sent through the buffer of a frame of edges.
const _: () = assert!(airlag_app::control::LINE <= airlag_app::stamper::LINE);

/// An instrument without its line to the host.
pub struct Recorder {
    stamper: &'static mut Stamper<ROWS>,
    /// Identifies the image, which has no settings.
    control: Control<0, 0>,
    edges: Edges,
    trigger: Trigger,
    /// Channels whose pads are enabled.
    channels: u8,
    /// Last tick before which no edge is left.
    now: u64,
    framed: Instant,
    /// Whether the next frame is the first one with rows. It is due at once, because it contains
    /// the initial levels.
    opens: bool,
}

/// The protocol of an instrument with this board's clock.
#[must_use]
pub fn stamper() -> Stamper<ROWS> {
    Stamper::new(CHANNELS, TICK_PS).making_triggers()
}

impl Recorder {
    /// Starts the state machines, with no channel selected.
    #[must_use]
    pub fn start(board: Board, stamper: &'static mut Stamper<ROWS>) -> (Self, crate::serial::Port) {
        let edges = Edges::start(board.stamping, board.mark);
        let trigger = Trigger::new(board.triggering, board.trigger);
        let framed = Instant::now();
        let control = Control::new("pico", "instrument", [], []);
        (
            Self { stamper, control, edges, trigger, channels: 0, now: 0, framed, opens: false },
            board.usb,
        )
    }

    /// Processes bytes of the host.
    pub fn receive(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.stamper.receive(byte);
            self.control.receive(byte);
            self.follow();
        }
    }

    /// Stops, because the host has disconnected.
    pub fn stop(&mut self) {
        self.stamper.stop();
        self.follow();
    }

    /// Applies the order of the host: its channels and triggers. Levels of newly selected channels
    /// are read before the first frame, so they are not recorded as edges.
    fn follow(&mut self) {
        let records = self.stamper.channels() != 0;
        self.control.enter(if records { State::Running } else { State::Stopped });
        self.trigger.follow(self.stamper.triggers());
        if self.channels != self.stamper.channels() {
            self.channels = self.stamper.channels();
            board::select(self.channels);
            block_for(SETTLES);
            self.drain();
        }
    }

    /// Takes edges from the rings as far as there is room, and supplies the triggers with times.
    /// Call it every half millisecond.
    pub fn drain(&mut self) {
        self.trigger.feed();
        let room = self.stamper.room();
        let (now, lost) = self.edges.drain(room, |row| self.stamper.stamp(row.at, row.levels));
        self.now = now;
        if lost > 0 {
            self.stamper.lose(lost);
        }
    }

    /// Copies the next frame for the host, if it has enough rows or is due, and returns its length.
    pub fn frame(&mut self, into: &mut [u8; airlag_app::stamper::LINE]) -> Option<usize> {
        self.drain();
        if let Some(line) = self.control.poll() {
            into[..line.len()].copy_from_slice(line);
            return Some(line.len());
        }
        let greets = self.stamper.is_greeting();
        let is_due = greets || self.opens || self.framed.elapsed() >= PATIENCE;
        if !is_due && ROWS - self.stamper.room() < WORTHWHILE {
            return None;
        }
        let line = self.stamper.poll(self.now)?;
        into[..line.len()].copy_from_slice(line);
        (self.framed, self.opens) = (Instant::now(), greets);
        Some(line.len())
    }
}
