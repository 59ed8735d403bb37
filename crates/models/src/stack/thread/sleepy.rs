//! A sleepy end device: its radio is off, and it polls its parent periodically for pending frames.
//!
//! ```text
//!  device   asleep │ data request │        on: one frame │ asleep, or a further request …
//!  parent          │ acknowledges: data are pending │ frame │
//! ```
//!
//! A sleepy end device sends without a poll: its radio is on from the channel assessment to the
//! acknowledgement (IEEE Std 802.15.4-2006, 7.5.6.3; a device in this mode is called
//! `rx-off-when-idle` in Thread). Frames for the device wait at its parent for a data request of
//! the device. The acknowledgement of the request announces whether there is a frame. A frame
//! announces whether there are more, which the device then requests at once
//! (`DataPollSender::ProcessRxFrame`). A device in [`csl`] receives the first frame without a
//! request.

use std::cell::Cell;
use std::rc::{Rc, Weak};

use airlag_sim::channel::Notice;
use airlag_sim::{Duration, Instant};

use super::csl::{self, Forecast, Samples};
use super::security;
use super::station::Station;
use crate::stack::ieee802154::Asked;
use crate::stack::ieee802154::element::{self, Csl};
use crate::stack::ieee802154::frame::{self, Kind};

/// Payload of a data request: the command identifier (7.3.4).
pub(super) const DATA_REQUEST: [u8; 1] = [0x04];
/// Time for which a device listens for an announced frame, `OPENTHREAD_CONFIG_MAC_DATA_POLL_TIMEOUT`.
const LISTENS: Duration = Duration::from_ms(100);
/// Interval at which it checks whether the frame has arrived.
const LOOKS: Duration = Duration::from_ms(1);
/// Requests without the announced frame, one after the other (`kQuickPollsAfterTimeout`).
const QUICK_POLLS: u32 = 5;
/// Longest time until a failed data request in CSL is repeated
/// (`OPENTHREAD_CONFIG_MAC_RETX_POLL_PERIOD`).
const REPEATED: Duration = Duration::from_ms(1_000);
/// Time before a sample at which the processor wakes (`OPENTHREAD_CONFIG_CSL_RECEIVE_TIME_AHEAD`).
const RECEIVE_AHEAD: Duration = Duration::from_us(320);
/// Length of the elements before the payload of a frame in CSL, octets.
pub const ELEMENTS_LEN: usize = element::CSL_LEN + element::TERMINATION_LEN;

/// Parent of a sleepy child.
pub(super) struct Parent {
    /// Whether a message for the child is being sent.
    pub(super) sending: Cell<bool>,
    /// Whether the last data request was answered with the announcement of a frame.
    announced: Cell<bool>,
    /// Whether a data request waits for its frame.
    pub(super) polled: Cell<bool>,
    pub(super) news: Notice,
    /// Samples of a child in CSL.
    pub(super) forecast: Option<Forecast>,
}

/// A sleepy child.
pub(super) struct Child {
    /// Whether it listens for an announced frame.
    listening: Cell<bool>,
    /// Announced frames in succession that did not come.
    missed: Cell<u32>,
    /// Last acknowledged frame, local ns.
    alive: Cell<i64>,
    /// Its samples in CSL.
    pub(super) samples: Option<Samples>,
}

/// Role of a station in polling.
#[derive(Clone)]
pub(super) enum Sleepy {
    /// Parent of a sleepy child.
    Parent(Rc<Parent>),
    /// A sleepy child.
    Child(Rc<Child>),
}

/// Coordinated sampled listening of a child, at the start of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Settings.
    pub settings: csl::Settings,
    /// Time of the first sample.
    pub phase: Duration,
    /// Time of the first data request, unless a frame precedes it. The last exchange was one
    /// keep-alive period earlier.
    pub poll_phase: Duration,
    /// Frequency error of the child's clock relative to that of its parent, ppb.
    pub drift_ppb: i32,
}

impl Sampling {
    /// Last exchange before the simulation, local ns.
    const fn exchanged(&self) -> i64 {
        let [poll, period] = [self.poll_phase, self.settings.keep_alive()];
        poll.as_ns().cast_signed() - period.as_ns().cast_signed()
    }

    fn samples(&self) -> Samples {
        Samples::new(self.settings, self.phase.as_ns().cast_signed(), self.exchanged())
    }

    /// The parent's forecast, whose clock has drifted since the last exchange.
    fn forecast(&self) -> Forecast {
        let (samples, exchanged) = (self.samples(), self.exchanged());
        let phase = u64::from(samples.element(exchanged).phase) * element::UNIT.as_ns();
        let sample = exchanged + phase.cast_signed();
        let drift = i128::from(sample) * i128::from(self.drift_ppb) / 1_000_000_000;
        Forecast::new(self.settings, sample - drift as i64, exchanged)
    }
}

impl Station {
    /// Makes the station the parent of a sleepy child, which it sends a frame at each data request,
    /// and in its samples.
    pub fn serve_sleepy_child(&self, sampling: Option<&Sampling>) {
        let parent = Parent {
            sending: Cell::new(false),
            announced: Cell::new(false),
            polled: Cell::new(false),
            news: Notice::new(self.board.sim()),
            forecast: sampling.map(Sampling::forecast),
        };
        *self.sleepy.borrow_mut() = Some(Sleepy::Parent(Rc::new(parent)));
        let this = Weak::clone(&self.this);
        self.node.answer_with(move |asked| this.upgrade()?.answer_child(asked));
    }

    /// Switches the station's radio off between transmissions. It polls its parent every `period`,
    /// first after `phase`.
    pub fn sleep_between_polls(self: &Rc<Self>, period: Duration, phase: Duration) {
        self.sleep(None);
        let (station, sim) = (Rc::clone(self), self.board.sim().clone());
        self.board.sim().spawn(format!("{}/polls", self.board.name()), async move {
            let mut next = phase;
            loop {
                sim.sleep_until(station.board.clock().after(Instant::START, next)).await;
                next += period;
                station.poll_soon();
            }
        });
    }

    /// Switches the station's radio off between transmissions, except for its samples.
    pub fn sample(self: &Rc<Self>, sampling: &Sampling) {
        let child = self.sleep(Some(sampling));
        let this = Weak::clone(&self.this);
        self.node.answer_with(move |asked| this.upgrade()?.answer_parent(asked));
        let (name, sim) = (self.board.name().to_owned(), self.board.sim().clone());
        let (station, kept) = (Rc::clone(self), Rc::clone(&child));
        sim.spawn(format!("{name}/samples"), async move { station.take_samples(&kept).await });
        let (station, period) = (Rc::clone(self), sampling.settings.keep_alive());
        sim.spawn(format!("{name}/polls"), async move {
            station.keep_alive(&child, period).await;
        });
    }

    fn sleep(&self, sampling: Option<&Sampling>) -> Rc<Child> {
        self.node.rest(true);
        let child = Rc::new(Child {
            listening: Cell::new(false),
            missed: Cell::new(0),
            alive: Cell::new(sampling.map_or(0, Sampling::exchanged)),
            samples: sampling.map(Sampling::samples),
        });
        *self.sleepy.borrow_mut() = Some(Sleepy::Child(Rc::clone(&child)));
        child
    }

    pub(super) fn poll_soon(&self) {
        self.poll_due.set(true);
        self.news.raise();
    }

    /// Sends a data request whenever no frame was acknowledged for `period`, in a loop.
    async fn keep_alive(&self, child: &Child, period: Duration) {
        let (sim, clock) = (self.board.sim(), self.board.clock());
        let period = period.as_ns().cast_signed();
        loop {
            sim.sleep_until(clock.instant_of(child.alive.get() + period).max(sim.now())).await;
            let local = clock.local_ns(sim.now());
            if child.alive.get() + period <= local {
                child.alive.set(local);
                self.poll_soon();
            }
        }
    }

    /// Listens in every sample, in a loop.
    async fn take_samples(&self, child: &Child) {
        let Some(samples) = &child.samples else { return };
        let (sim, clock) = (self.board.sim(), self.board.clock());
        let mut sample = samples.next(0);
        loop {
            let at = |local: i64| clock.instant_of(local).max(sim.now());
            let wake = samples.edges(sample)[0] + RECEIVE_AHEAD;
            sim.sleep_until(at(sample - wake.as_ns().cast_signed())).await;
            self.board.works(sim.now(), clock.after(sim.now(), samples.settings.software));
            // A frame since the last sample may have shortened this one.
            let [ahead, after] = samples.edges(sample).map(|edge| edge.as_ns().cast_signed());
            sim.sleep_until(at(sample - ahead)).await;
            // A frame after a data request takes precedence (`SubMac::HandleCslReceiveAt`).
            let listens = !child.listening.get() && self.node.is_asleep();
            if listens {
                self.node.rest(false);
            }
            sim.sleep_until(at(sample + after)).await;
            if listens && !child.listening.get() {
                self.node.close_window();
            }
            sample = samples.next(sample + 1);
        }
    }

    /// Polls the parent, and listens for an announced frame.
    pub(super) async fn poll(&self) {
        let Some(Sleepy::Child(child)) = self.sleepy.borrow().clone() else { return };
        match self.request_data().await {
            Ok(true) => self.listen(&child).await,
            Ok(false) => child.missed.set(0),
            Err(_) => {
                if let Some(samples) = &child.samples {
                    let sim = self.board.sim();
                    let wait = REPEATED.min(samples.settings.period());
                    let this = Weak::clone(&self.this);
                    sim.at(self.board.clock().after(sim.now(), wait), move || {
                        this.upgrade().into_iter().for_each(|station| station.poll_soon());
                    });
                }
            }
        }
    }

    /// Listens for one frame.
    async fn listen(&self, child: &Child) {
        let sim = self.board.sim();
        let (until, before) = (sim.now() + LISTENS, self.node.counts().received);
        child.listening.set(true);
        self.node.listen_once();
        while self.node.counts().received == before && sim.now() < until {
            sim.sleep_until(sim.now() + LOOKS).await;
        }
        child.listening.set(false);
        if self.node.counts().received == before {
            self.node.rest(true);
            let missed = child.missed.get() + 1;
            child.missed.set(if missed < QUICK_POLLS { missed } else { 0 });
            if missed < QUICK_POLLS {
                self.poll_due.set(true);
            }
        } else {
            child.missed.set(0);
        }
    }

    /// Length of the elements in the station's frames, octets.
    pub(super) fn elements_len(&self) -> usize {
        match &*self.sleepy.borrow() {
            Some(Sleepy::Child(child)) if child.samples.is_some() => ELEMENTS_LEN,
            _ => 0,
        }
    }

    /// Elements of a frame of a child in CSL whose first symbol is at `begin`.
    pub(super) fn elements(&self, begin: Instant) -> Vec<u8> {
        let Some(Sleepy::Child(child)) = &*self.sleepy.borrow() else { return Vec::new() };
        let Some(samples) = &child.samples else { return Vec::new() };
        let header_ns = self.board.clock().local_ns(begin + csl::BEFORE_HEADER);
        [&samples.element(header_ns).octets()[..], &element::termination()].concat()
    }

    pub(super) fn local_ns(&self) -> i64 {
        self.board.clock().local_ns(self.board.sim().now())
    }

    /// Records whether a message for a sleepy child is being sent.
    pub(super) fn holds(&self, holds: bool) {
        if let Some(Sleepy::Parent(parent)) = &*self.sleepy.borrow() {
            parent.sending.set(holds);
        }
    }

    pub(super) fn wake_parent(&self) {
        if let Some(Sleepy::Parent(parent)) = &*self.sleepy.borrow() {
            parent.news.raise();
        }
    }

    /// Requests the next frame if a received one announces it.
    pub(super) fn received(&self, announces: bool) {
        if announces && matches!(&*self.sleepy.borrow(), Some(Sleepy::Child(_))) {
            self.poll_soon();
        }
    }

    /// Records the acknowledgement of a frame of a sleepy child. Returns whether it announces data.
    pub(super) fn acknowledged(&self) -> bool {
        let Some(Sleepy::Child(child)) = &*self.sleepy.borrow() else { return false };
        let now = self.board.clock().local_ns(self.board.sim().now());
        child.alive.set(now);
        if let Some(samples) = &child.samples {
            samples.synchronized.set(now);
        }
        self.node.take_ack().is_some_and(|(_, ack)| frame::announces_data(&ack))
    }

    /// Acknowledgement of a frame by a child in CSL, with the time of its next sample.
    fn answer_parent(&self, asked: &Asked<'_>) -> Option<Rc<[u8]>> {
        let Some(Sleepy::Child(child)) = self.sleepy.borrow().clone() else { return None };
        let samples = child.samples.as_ref().filter(|_| asked.header.is_enhanced())?;
        let clock = self.board.clock();
        samples.synchronized.set(clock.local_ns(asked.begin));
        let header_ns = clock.local_ns(asked.answered + csl::BEFORE_HEADER);
        self.enhanced_ack(asked, false, &samples.element(header_ns).octets())
    }

    /// Acknowledgement of a frame by the parent, which announces data.
    fn answer_child(&self, asked: &Asked<'_>) -> Option<Rc<[u8]>> {
        let Some(Sleepy::Parent(parent)) = self.sleepy.borrow().clone() else { return None };
        let pending = parent.sending.get() || self.queue.borrow().backlog() > 0;
        let is_request = asked.header.kind == Kind::Command;
        if is_request {
            parent.announced.set(pending);
        }
        if !asked.header.is_enhanced() {
            return (is_request && pending).then(|| frame::ack(asked.header.sequence, true));
        }
        let list = asked.body.get(security::AUXILIARY_LEN..).unwrap_or_default();
        if let (Some(forecast), Some(element)) = (&parent.forecast, Csl::find(list)) {
            let header = asked.begin + csl::BEFORE_HEADER;
            forecast.hear(element, self.board.clock().local_ns(header));
        }
        self.enhanced_ack(asked, pending, &[])
    }

    fn enhanced_ack(&self, asked: &Asked<'_>, pending: bool, elements: &[u8]) -> Option<Rc<[u8]>> {
        let (octets, len) = asked.header.enhanced_ack(pending, !elements.is_empty());
        let own = self.routes.borrow().own.eui;
        let body = self.keys.protect(&octets[..len], own, self.next_counter(), elements, &[]);
        frame::with_fcs(&octets[..len], &body)
    }

    /// Serves a data request, if its acknowledgement announced a frame.
    pub(super) fn requested(&self) {
        if let Some(Sleepy::Parent(parent)) = &*self.sleepy.borrow()
            && parent.announced.take()
        {
            parent.polled.set(true);
            parent.news.raise();
        }
    }
}
