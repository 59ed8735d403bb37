//! A gateway, and the network and application server behind it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_air::{Frame, Medium, NodeId, Radio, Reception, Verdict};
use airlag_sim::channel::Notice;
use airlag_sim::meter::State as Draws;
use airlag_sim::{Duration, Instant, Sim, Slice, Stream, Track};

use super::config::{BETWEEN_WINDOWS, Class, Config, NetworkConfig, off_time_ns};
use super::device::PORT;
use super::frame::MacFrame;
use super::plan::{DataRate, Direction, SYNC_WORD};
use super::slices;
use crate::chip::sx127x::{packet, settings};
use crate::observer::Observer;
use crate::stack::frames::next_of;

/// A named incident. It is a result, not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incident {
    /// A copy of the previous uplink was dropped.
    Duplicate,
    /// A downlink reached the gateway after both windows.
    TooLate,
    /// A downlink missed the first window and was sent in the second.
    SecondWindow,
}

impl Incident {
    /// Name of the incident.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::TooLate => "downlink too late",
            Self::SecondWindow => "second window",
        }
    }
}

/// A receive window of the device, whose band has a duty cycle of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    First,
    Second,
}

struct State {
    /// Last transmission: a gateway that sends hears nothing.
    sent: (Instant, Instant),
    /// Ends of the off times by place.
    free_at: [Instant; 2],
    last_up: Option<u32>,
    /// Data for downlinks, with the time at which they reach the network server.
    queue: VecDeque<(Rc<[u8]>, Instant)>,
    inbox: VecDeque<Rc<[u8]>>,
    counter: u32,
    stream: Stream,
    /// Whether a timer for the next downlink of class C is set.
    scheduled: bool,
}

/// A gateway with its servers.
pub struct Network {
    this: Weak<Self>,
    sim: Sim,
    medium: Medium,
    id: NodeId,
    track: Track,
    /// Settings of the device, which the network server has as its profile.
    device: Config,
    config: NetworkConfig,
    state: RefCell<State>,
    arrived: Notice,
    departed: Notice,
    observer: Observer<Incident>,
}

/// A received uplink.
#[derive(Clone, Copy, Debug)]
struct Heard {
    channel: u8,
    ended: Instant,
    confirmed: bool,
}

impl Network {
    /// Creates the network of a device with the settings `device`; its gateway is called `name`.
    #[must_use]
    pub fn new(
        medium: &Medium,
        name: &str,
        sim: &Sim,
        device: Config,
        config: NetworkConfig,
    ) -> Rc<Self> {
        medium.orthogonal(settings::FAMILY);
        let id = medium.join(name);
        medium.enter(id, Draws::Receive);
        let state = State {
            sent: (Instant::START, Instant::START),
            free_at: [Instant::START; 2],
            last_up: None,
            queue: VecDeque::new(),
            inbox: VecDeque::new(),
            counter: 0,
            stream: sim.stream(&format!("{name}/LoRaWAN")),
            scheduled: false,
        };
        let network = Rc::new_cyclic(|this: &Weak<Self>| Self {
            this: this.clone(),
            sim: sim.clone(),
            medium: medium.clone(),
            id,
            // A track that belongs to neither end, because backhaul and servers are between both.
            track: sim.track("network"),
            device,
            config,
            state: RefCell::new(state),
            arrived: Notice::new(sim),
            departed: Notice::new(sim),
            observer: Observer::none(),
        });
        let radio: Weak<Self> = Rc::downgrade(&network);
        medium.attach(id, radio);
        network
    }

    /// Node of the gateway on the medium, for configuring its paths.
    #[must_use]
    pub const fn id(&self) -> NodeId {
        self.id
    }

    /// Settings of the device.
    #[must_use]
    pub const fn device(&self) -> &Config {
        &self.device
    }

    /// Sets the observer of incidents, replacing the previous one.
    pub fn observe(&self, observer: impl Fn(Incident) + 'static) {
        self.observer.set(observer);
    }

    fn note(&self, incident: Incident) {
        self.observer.record(incident);
    }

    /// Waits for the data of the next uplink, copies them into `buffer` and returns their size.
    /// Data that do not fit are truncated.
    pub async fn next_data(&self, buffer: &mut [u8]) -> usize {
        next_of(buffer, &self.arrived, || self.state.borrow_mut().inbox.pop_front()).await
    }

    /// Queues data for a downlink once the previous ones were sent.
    pub async fn queue(&self, data: &[u8]) {
        self.drain().await;
        let now = self.sim.now();
        let at_server = now + self.config.processing;
        self.span(&slices::APPLICATION, now, at_server);
        self.state.borrow_mut().queue.push_back((data.into(), at_server));
        if self.device.class == Class::C {
            self.later(at_server, Self::hand_over);
        }
    }

    /// Waits until all downlinks were sent.
    pub async fn drain(&self) {
        while !self.state.borrow().queue.is_empty() {
            self.departed.wait().await;
        }
    }

    fn span(&self, what: &'static Slice, begin: Instant, end: Instant) {
        self.sim.span(self.track, what, begin, end);
    }

    /// Calls `then` at `at`, if the network still exists.
    fn later(&self, at: Instant, then: impl FnOnce(&Self) + 'static) {
        let this = self.this.clone();
        self.sim.at(at, move || {
            if let Some(this) = this.upgrade() {
                then(&this);
            }
        });
    }

    /// Delay of a packet between gateway and network server.
    fn backhaul(&self) -> Duration {
        let jitter = self.config.backhaul_jitter;
        let mut state = self.state.borrow_mut();
        let more = if jitter.is_zero() { jitter } else { state.stream.exponential(jitter) };
        self.config.backhaul + more
    }

    /// Channel of an uplink of this device. `None` for other frames.
    fn channel(&self, frame: &Frame) -> Option<u8> {
        let rate = self.device.uplink()?;
        if frame.modulation != rate.modulation(Direction::Up) {
            return None;
        }
        let plan = self.device.plan;
        let (first, count) = plan.channels(self.device.data_rate, self.device.sub_band);
        (first..first + count).find(|&nth| frame.band == rate.band(plan.channel_khz(nth)))
    }

    /// Handles an uplink at the network server.
    fn at_server(&self, up: MacFrame, heard: Heard) {
        let now = self.sim.now();
        let repeats = self.state.borrow().last_up == Some(up.count);
        let decided = now + self.config.deduplication;
        if repeats {
            self.note(Incident::Duplicate);
        } else {
            self.state.borrow_mut().last_up = Some(up.count);
            if let Some((_, data)) = up.data {
                let delivered = decided + self.config.processing;
                self.span(&slices::DEDUPLICATION, now, decided);
                self.span(&slices::APPLICATION, decided, delivered);
                self.later(delivered, move |this| {
                    this.state.borrow_mut().inbox.push_back(data.into());
                    this.arrived.raise();
                });
            }
        }
        let answers = decided + self.config.response_wait;
        self.later(answers, move |this| this.answer(heard));
    }

    /// Schedules a downlink for the windows of an uplink, if there is anything to send.
    fn answer(&self, heard: Heard) {
        let has_data = self.device.class == Class::A && self.is_waiting();
        if !has_data && !heard.confirmed {
            return;
        }
        let ready = self.sim.now() + self.backhaul() + self.config.lead;
        let first = heard.ended + self.device.receive_delay;
        let second = first + BETWEEN_WINDOWS;
        if ready <= first {
            self.later(first, move |this| {
                if !this.downlink(Place::First, heard) {
                    this.later(second, move |this| this.second(heard));
                }
            });
        } else if ready <= second {
            self.later(second, move |this| this.second(heard));
        } else {
            self.note(Incident::TooLate);
        }
    }

    /// Whether data for a downlink wait at the network server.
    fn is_waiting(&self) -> bool {
        let now = self.sim.now();
        self.state.borrow().queue.front().is_some_and(|&(_, at_server)| at_server <= now)
    }

    fn second(&self, heard: Heard) {
        let incident = if self.downlink(Place::Second, heard) {
            Incident::SecondWindow
        } else {
            Incident::TooLate
        };
        self.note(incident);
    }

    /// Sends a downlink of class A now: an acknowledgement, data, or both. Returns false if the
    /// gateway is busy or its duty cycle does not allow it.
    fn downlink(&self, place: Place, heard: Heard) -> bool {
        if self.free_at(place) > self.sim.now() {
            return false;
        }
        let waits = self.device.class == Class::A && self.is_waiting();
        let data = if waits { self.take() } else { None };
        self.send(place, heard.channel, heard.confirmed, data);
        true
    }

    /// Takes data from the queue, the waiting time of which ends now.
    fn take(&self) -> Option<Rc<[u8]>> {
        let (data, since) = self.state.borrow_mut().queue.pop_front()?;
        self.span(&slices::DOWNLINK_QUEUE, since, self.sim.now());
        self.departed.raise();
        Some(data)
    }

    /// Hands data for a device of class C over to the gateway.
    fn hand_over(&self) {
        let now = self.sim.now();
        let at_gateway = now + self.backhaul();
        self.span(&slices::BACKHAUL, now, at_gateway);
        self.later(at_gateway, Self::immediately);
    }

    /// Sends data to a device of class C as soon as the gateway may.
    fn immediately(&self) {
        let (now, free_at) = (self.sim.now(), self.free_at(Place::Second));
        if free_at > now {
            if !std::mem::replace(&mut self.state.borrow_mut().scheduled, true) {
                self.span(&slices::OFF_TIME, now, free_at);
                self.later(free_at, |this| {
                    this.state.borrow_mut().scheduled = false;
                    this.immediately();
                });
            }
            return;
        }
        let data = self.state.borrow_mut().queue.pop_front();
        if let Some((data, _)) = data {
            self.send(Place::Second, 0, false, Some(data));
            self.departed.raise();
        }
    }

    /// End of the transmission in progress and of the off time.
    fn free_at(&self, place: Place) -> Instant {
        let state = self.state.borrow();
        state.free_at[place as usize].max(state.sent.1)
    }

    /// Rate, frequency and duty cycle of a place.
    fn place(&self, place: Place, channel: u8) -> Option<(DataRate, u32, f64)> {
        let plan = self.device.plan;
        Some(match place {
            Place::First => {
                (self.device.first_window()?, plan.first_window_khz(channel), self.device.duty)
            }
            Place::Second => {
                (self.device.second_window()?, plan.second_window_khz(), plan.second_window_duty())
            }
        })
    }

    fn send(&self, place: Place, channel: u8, ack: bool, data: Option<Rc<[u8]>>) {
        let Some((rate, khz, duty)) = self.place(place, channel) else { return };
        let mut state = self.state.borrow_mut();
        let frame = MacFrame {
            direction: Direction::Down,
            confirmed: false,
            ack,
            count: state.counter,
            data: data.map(|data| (PORT, data.to_vec())),
        };
        state.counter += 1;
        let bytes = frame.encode(&self.device.session);
        let chirps = rate.frame(Direction::Down);
        let airtime = chirps.duration_ns(bytes.len());
        let now = self.sim.now();
        let end = now + Duration::from_ns(airtime);
        state.sent = (now, end);
        state.free_at[place as usize] = end + Duration::from_ns(off_time_ns(airtime, duty));
        drop(state);
        let sent = packet::pack(&chirps, SYNC_WORD, bytes.into_iter());
        self.span(&slices::TRANSMIT, now, end);
        self.medium.send(self.id, rate.band(khz), rate.modulation(Direction::Down), end, sent);
    }
}

impl Radio for Network {
    fn frame_ended(&self, reception: &Reception<'_>) {
        let frame = reception.frame;
        let (sending, sent) = self.state.borrow().sent;
        // Half duplex: a gateway that sends hears nothing.
        let deaf = reception.begin < sent && sending < reception.end;
        if deaf || reception.verdict != Verdict::Whole {
            return;
        }
        let Some(channel) = self.channel(frame) else { return };
        let Some(heard) = packet::unpack(&frame.bytes) else { return };
        let (session, last) = (&self.device.session, self.state.borrow().last_up);
        let Some(up) = MacFrame::decode(heard.payload, session, Direction::Up, last) else {
            return;
        };
        let ended = reception.end;
        let wait = self.state.borrow_mut().stream.within(self.config.poll);
        let fetched = ended + wait;
        let arrives = fetched + self.backhaul();
        self.span(&slices::GATEWAY_POLL, ended, fetched);
        self.span(&slices::BACKHAUL, fetched, arrives);
        let heard = Heard { channel, ended, confirmed: up.confirmed };
        self.later(arrives, move |this| this.at_server(up, heard));
    }
}
