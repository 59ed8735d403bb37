//! An RFCOMM channel over a piconet: its window, and the costs of the two hosts.
//!
//! ```text
//!  send -> credit -> host (send) -> piconet -> host (serve, one frame at a time) -> receive
//!                                     ^---------------- grant of a credit ---------------'
//! ```
//!
//! The window limits the number of frames in flight. The window is either the credit-based flow
//! control of RFCOMM, or the transmit window of L2CAP's enhanced retransmission mode, below RFCOMM.
//! In both cases, a sender that has `frames` frames in flight waits until the other host has
//! processed one of these frames. The other host then sends a separate frame, which permits one
//! more frame.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use airlag_sim::channel::{Notice, Receiver, Sender, channel};
use airlag_sim::{Duration, Instant, Sim, Stream, Track};

use super::config::Role;
use super::piconet::Piconet;
use super::rfcomm::Frame;
use super::slices;

/// Limits of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Largest number of frames in flight before a grant.
    pub frames: u32,
    /// Largest user data of a frame, bytes.
    pub frame_max: usize,
    /// Overhead of the enhanced retransmission mode in every frame, bytes; 0 without it.
    pub trailer: usize,
}

/// Processing times of a host for a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostTiming {
    /// Time from the submission of data until its frame waits for a slot.
    pub send: Duration,
    /// Time from the arrival of a frame to the delivery of its data, one frame at a time.
    pub serve: Duration,
    /// Largest additional delay of `send` and of `serve`. The delay is uniformly distributed.
    pub jitter: Duration,
    /// Additional delay of the first frame after host and controller were asleep.
    pub wake: Duration,
    /// Idle time before host and controller sleep.
    pub sleeps_after: Duration,
}

struct End {
    sim: Sim,
    piconet: Piconet,
    role: Role,
    window: Window,
    timing: HostTiming,
    track: Track,
    credits: Cell<u32>,
    credited: Notice,
    /// Frames waiting for a credit.
    waiting: RefCell<VecDeque<Vec<u8>>>,
    /// Time at which the last frame left the host. A later frame does not overtake it.
    sent_at: Cell<Instant>,
    stream: RefCell<Stream>,
    /// Time of the last transmission or reception.
    active_at: Cell<Instant>,
    /// Processed frames for which no credit has been granted yet.
    ungranted: Cell<u8>,
}

/// One end of the channel. Clones are handles to the same end.
#[derive(Clone)]
pub struct Channel(Rc<End>);

impl Channel {
    /// Creates the end of `role`, called `name`, with the frames received from the piconet. Returns
    /// it with the stream of arriving data.
    #[must_use]
    pub fn new(
        sim: &Sim,
        name: &str,
        (piconet, role): (&Piconet, Role),
        window: Window,
        timing: HostTiming,
        frames: Receiver<Rc<[u8]>>,
    ) -> (Self, Receiver<Vec<u8>>) {
        let end = Rc::new(End {
            sim: sim.clone(),
            piconet: piconet.clone(),
            role,
            window: Window { frames: window.frames.max(1), ..window },
            timing,
            track: sim.track(&format!("{name} host")),
            credits: Cell::new(window.frames.max(1)),
            credited: Notice::new(sim),
            waiting: RefCell::default(),
            sent_at: Cell::new(Instant::START),
            stream: RefCell::new(sim.stream(&format!("{name}/host"))),
            active_at: Cell::new(Instant::START),
            ungranted: Cell::new(0),
        });
        let (data, taken) = channel(sim);
        sim.spawn(format!("{name} host"), Rc::clone(&end).serve(frames, data));
        (Self(end), taken)
    }

    /// Returns true if a new frame would be sent at once.
    #[must_use]
    pub fn open(&self) -> bool {
        self.0.credits.get() > 0 && self.0.waiting.borrow().is_empty()
    }

    /// Frames waiting for the window.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.0.waiting.borrow().len()
    }

    /// Largest user data of a frame, bytes.
    #[must_use]
    pub fn frame_max(&self) -> usize {
        self.0.window.frame_max
    }

    /// Returns true if the link below is lost.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.0.piconet.is_gone()
    }

    /// Sends `data` of at most [`frame_max`](Self::frame_max) bytes in one frame, now or when the
    /// window opens. Returns false if the link is lost.
    pub fn send(&self, data: Vec<u8>) -> bool {
        if self.is_gone() {
            return false;
        }
        self.0.waiting.borrow_mut().push_back(data);
        self.0.advance();
        true
    }

    /// Waits until the window opens, fewer frames are waiting, or the link is lost.
    pub async fn changed(&self) {
        self.0.credited.wait().await;
    }
}

impl End {
    /// Sends waiting frames as far as the window allows.
    fn advance(self: &Rc<Self>) {
        while self.credits.get() > 0 {
            let Some(data) = self.waiting.borrow_mut().pop_front() else { return };
            self.credits.set(self.credits.get() - 1);
            self.leave(&Frame { credits: 0, data });
        }
    }

    /// Passes a frame through the host to the piconet.
    fn leave(self: &Rc<Self>, frame: &Frame) {
        let bytes: Rc<[u8]> = frame.encode(self.window.trailer).into();
        let now = self.sim.now();
        let takes = self.timing.send + self.stream.borrow_mut().within(self.timing.jitter);
        let at = (self.awake() + takes).max(self.sent_at.get());
        self.sent_at.set(at);
        self.sim.span(self.track, &slices::HOST, now, at);
        let end = Rc::clone(self);
        self.sim.at(at, move || {
            // If the link was lost in the meantime, the frame is lost too.
            end.piconet.send(end.role, bytes);
        });
    }

    /// Time at which the host can process an event that occurs now.
    fn awake(&self) -> Instant {
        let now = self.sim.now();
        let asleep = now.since(self.active_at.get()) >= self.timing.sleeps_after;
        let ready = if asleep { now + self.timing.wake } else { now };
        if asleep && ready > now {
            self.sim.span(self.track, &slices::WAKE, now, ready);
        }
        self.active_at.set(ready);
        ready
    }

    /// Grants processed frames to the other side once they are half of its window, because a
    /// separate grant for every frame would cost airtime.
    fn grant(self: &Rc<Self>) {
        let credits = self.ungranted.get() + 1;
        self.ungranted.set(credits);
        if u32::from(credits) >= (self.window.frames / 2).max(1) {
            self.ungranted.set(0);
            self.leave(&Frame { credits, data: Vec::new() });
        }
    }

    async fn serve(self: Rc<Self>, mut frames: Receiver<Rc<[u8]>>, data: Sender<Vec<u8>>) {
        while let Some(bytes) = frames.receive().await {
            if bytes.is_empty() {
                // The link is lost: wakes all waiters so that they check it.
                self.credited.raise();
                data.send(Vec::new());
                continue;
            }
            let Some(frame) = Frame::decode(&bytes) else { continue };
            self.active_at.set(self.active_at.get().max(self.sim.now()));
            if frame.credits > 0 {
                let credits = self.credits.get() + u32::from(frame.credits);
                self.credits.set(credits.min(self.window.frames));
                self.advance();
                self.credited.raise();
            }
            if frame.data.is_empty() {
                continue;
            }
            let now = self.sim.now();
            let takes = self.timing.serve + self.stream.borrow_mut().within(self.timing.jitter);
            self.sim.span(self.track, &slices::HOST, now, now + takes);
            self.sim.sleep(takes).await;
            data.send(frame.data);
            self.grant();
        }
    }
}
