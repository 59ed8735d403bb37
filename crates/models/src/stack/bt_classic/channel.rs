//! One RFCOMM channel over a piconet: a window, and what the two hosts take.
//!
//! ```text
//!  send -> credit -> host (send) -> piconet -> host (serve, one frame at a time) -> receive
//!                                     ^---------------- grant of a credit ---------------'
//! ```
//!
//! The window is the flow control of RFCOMM (credits) or of L2CAP below it (the transmit window of
//! the enhanced retransmission mode): either way a sender with `frames` under way waits until the
//! other host has dealt with one, and the word that it has crosses the air as a frame of its own.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use airlag_sim::channel::{Notice, Receiver, Sender, channel};
use airlag_sim::{Duration, Instant, Sim, Stream, Track};

use super::config::Role;
use super::piconet::Piconet;
use super::rfcomm::Frame;
use super::slices;

/// What may be under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Frames a sender may have under way before it hears of one.
    pub frames: u32,
    /// Bytes of data a frame carries at most.
    pub frame_max: usize,
    /// Bytes of the enhanced retransmission mode in every frame; 0 without it.
    pub trailer: usize,
}

/// What a host takes for a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostTiming {
    /// From the data being handed over to the frame waiting for its slot.
    pub send: Duration,
    /// From a frame's arrival to its data being handed over. One frame at a time.
    pub serve: Duration,
    /// How much later either may come, each nanosecond equally likely.
    pub jitter: Duration,
    /// What is added to the first frame after the host and its controller slept.
    pub wake: Duration,
    /// How long nothing is sent or received before they sleep.
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
    /// Frames that wait for a credit.
    waiting: RefCell<VecDeque<Vec<u8>>>,
    /// When the last frame left the host: a later one does not overtake it.
    sent_at: Cell<Instant>,
    stream: RefCell<Stream>,
    /// When something was last sent or received.
    active_at: Cell<Instant>,
    /// Frames dealt with that the other side was not told of.
    ungranted: Cell<u8>,
}

/// One end of the channel. Clones are handles on the same end.
#[derive(Clone)]
pub struct Channel(Rc<End>);

impl Channel {
    /// The end of `role`, called `name`, with the frames the piconet brings it. Returns it with the
    /// data that arrive.
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

    /// True if a frame given now would leave at once.
    #[must_use]
    pub fn open(&self) -> bool {
        self.0.credits.get() > 0 && self.0.waiting.borrow().is_empty()
    }

    /// Frames that wait for the window to open.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.0.waiting.borrow().len()
    }

    /// Bytes a frame carries at most.
    #[must_use]
    pub fn frame_max(&self) -> usize {
        self.0.window.frame_max
    }

    /// True if the link below is gone.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.0.piconet.is_gone()
    }

    /// Sends `data` of at most [`frame_max`](Self::frame_max) bytes in one frame, now or when the
    /// window opens. False if the link is gone.
    pub fn send(&self, data: Vec<u8>) -> bool {
        if self.is_gone() {
            return false;
        }
        self.0.waiting.borrow_mut().push_back(data);
        self.0.advance();
        true
    }

    /// Waits until the window opened, fewer frames wait than did, or the link is gone.
    pub async fn changed(&self) {
        self.0.credited.wait().await;
    }
}

impl End {
    /// Sends what waits, as far as the window goes.
    fn advance(self: &Rc<Self>) {
        while self.credits.get() > 0 {
            let Some(data) = self.waiting.borrow_mut().pop_front() else { return };
            self.credits.set(self.credits.get() - 1);
            self.leave(&Frame { credits: 0, data });
        }
    }

    /// Lets a frame pass through the host and gives it to the piconet.
    fn leave(self: &Rc<Self>, frame: &Frame) {
        let bytes: Rc<[u8]> = frame.encode(self.window.trailer).into();
        let now = self.sim.now();
        let takes = self.timing.send + self.stream.borrow_mut().within(self.timing.jitter);
        let at = (self.awake() + takes).max(self.sent_at.get());
        self.sent_at.set(at);
        self.sim.span(self.track, &slices::HOST, now, at);
        let end = Rc::clone(self);
        self.sim.at(at, move || {
            // Given to a link that has gone meanwhile, it is lost with it.
            end.piconet.send(end.role, bytes);
        });
    }

    /// When the host is ready to deal with something that comes now.
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

    /// Tells the other side of frames dealt with, once they are half of its window: what every
    /// frame alone would cost is air.
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
                // The link is gone: whoever waits shall look.
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
