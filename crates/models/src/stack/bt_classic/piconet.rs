//! Central (master) and peripheral (slave): slot access, and retransmission.
//!
//! Bluetooth Core Specification, Vol 2, Part B:
//! - 2.2.5 and 8.6.1: the central begins its packets in even slots. The peripheral responds in the
//!   slot after the central's packet, and only if the packet addresses this peripheral. A packet of
//!   3 or 5 slots keeps the channel of its first slot.
//! - 7.6: ARQ is unnumbered, with one packet outstanding. The bit SEQN identifies a retransmission.
//!   The bit ARQN in the next packet in the other direction is the acknowledgement, and a missing
//!   response is a negative acknowledgement.
//! - 8.6.1: the central polls a peripheral at least every T_poll slots.
//! - 3.1: a link is lost if nothing is received for the supervision timeout.
//!
//! The standard leaves the following behaviour to the controller, so the behaviour is assumed in
//! this model. The central polls at multiples of T_poll after the start of the connection. After an
//! exchange with data, the central polls the peripheral again at once. A central starts no exchange
//! during its own [scans](super::scan) for other devices, and a peripheral misses packets that start
//! during the peripheral's own scans. A scan does not interrupt an exchange in progress.
//!
//! Polls of an idle link are not simulated, because their outcome has no effect until an end has
//! data. The next poll is computed when it is needed. The skipped polls count as received.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_air::{Band, Medium, Modulation, NodeId, Radio, Reception, Verdict};
use airlag_sim::channel::{Receiver, Sender, channel};
use airlag_sim::meter::State as Draws;
use airlag_sim::{Instant, Sim, Stream, Timed, Timers, Track};

use super::config::{Config, Role};
use super::packet::{PacketType, SLOT};
use super::rfcomm::Frame;
use super::slices;

/// Family of Bluetooth Classic frames on the air.
pub const FAMILY: &str = "bluetooth";

/// Channels in the 2.4 GHz band, 1 MHz each, the first at 2402 MHz (Part A, 2).
const CHANNELS: u64 = 79;
const FIRST_CHANNEL_KHZ: u32 = 2_402_000;

const PAIR_NS: u64 = 2 * SLOT.as_ns();

/// Name of the incident of a lost link.
pub const SUPERVISION_TIMEOUT: &str = "supervision timeout";

/// Called with the name of an incident.
pub type Incident = Rc<dyn Fn(&'static str)>;

/// Part of an L2CAP frame carried by one packet.
#[derive(Clone, Debug)]
struct Fragment {
    bytes: Vec<u8>,
    sequence: bool,
}

struct End {
    node: NodeId,
    track: Track,
    /// L2CAP frames that are not completely sent, with their arrival times.
    queue: RefCell<VecDeque<(Rc<[u8]>, Instant)>>,
    /// Bytes of the first frame that are in flight or delivered.
    taken: Cell<usize>,
    unconfirmed: RefCell<Option<Fragment>>,
    sequence: Cell<bool>,
    /// SEQN of the last accepted packet.
    heard_sequence: Cell<bool>,
    /// Acknowledgement of the other side's last packet, for its own next packet.
    confirm: Cell<bool>,
    partial: RefCell<Vec<u8>>,
    arrived: Sender<Rc<[u8]>>,
    heard_at: Cell<Instant>,
    /// Whether the packet of the current exchange arrived here.
    heard: Cell<bool>,
}

impl End {
    fn pending(&self) -> bool {
        self.unconfirmed.borrow().is_some() || !self.queue.borrow().is_empty()
    }
}

struct Inner {
    sim: Sim,
    timers: Timers,
    air: Medium,
    config: Config,
    ends: [End; 2],
    /// Keeps its radios alive; the medium has weak references.
    ears: RefCell<Vec<Rc<dyn Radio>>>,
    hops: RefCell<Stream>,
    incident: Incident,
    gone: Cell<bool>,
    /// Pair of slots in which the next exchange is planned.
    planned: Cell<Option<u64>>,
    /// Whether an exchange is in progress.
    busy: Cell<bool>,
    /// First pair of slots after the last exchange. In this pair, the central polls again if the last
    /// exchange contained data.
    after: Cell<u64>,
    eager: Cell<bool>,
    /// Identifies outdated timers.
    generation: Cell<u32>,
    /// Slot of the response, or of the end of the exchange.
    answer_slot: Cell<u64>,
    /// End of the last packet.
    quiet_from: Cell<Instant>,
    carried: Cell<bool>,
}

/// A link between a central and a peripheral. Clones are handles to the same link.
#[derive(Clone)]
pub struct Piconet(Rc<Inner>);

struct Ear {
    piconet: Weak<Inner>,
    end: usize,
}

const PLANNED: u64 = 0;
const ANSWER: u64 = 1;
const OVER: u64 = 2;

impl Piconet {
    /// Creates a connected link. `names` are those of central and peripheral, and `incident` is called
    /// when the link is lost. Returns it with the L2CAP frames that arrive at either end.
    #[must_use]
    pub fn new(
        sim: &Sim,
        air: &Medium,
        names: [&str; 2],
        config: Config,
        incident: Incident,
    ) -> (Self, [Receiver<Rc<[u8]>>; 2]) {
        let end = |name: &str| {
            let (arrived, taken) = channel(sim);
            let end = End {
                node: air.join(format!("{name} radio")),
                track: sim.track(&format!("{name} radio")),
                queue: RefCell::default(),
                taken: Cell::new(0),
                unconfirmed: RefCell::new(None),
                sequence: Cell::new(false),
                heard_sequence: Cell::new(false),
                confirm: Cell::new(false),
                partial: RefCell::default(),
                arrived,
                heard_at: Cell::new(sim.now()),
                heard: Cell::new(false),
            };
            (end, taken)
        };
        let [(master, to_master), (slave, to_slave)] = names.map(end);
        let inner = Rc::new_cyclic(|this| Inner {
            sim: sim.clone(),
            timers: sim.timers(this),
            air: air.clone(),
            config,
            ends: [master, slave],
            ears: RefCell::default(),
            hops: RefCell::new(sim.stream(&format!("{}/hop", names[0]))),
            incident,
            gone: Cell::new(false),
            planned: Cell::new(None),
            busy: Cell::new(false),
            after: Cell::new(0),
            eager: Cell::new(false),
            generation: Cell::new(0),
            answer_slot: Cell::new(0),
            quiet_from: Cell::new(Instant::START),
            carried: Cell::new(false),
        });
        for end in 0..2 {
            // The standby current includes the average of polls without data and of listening for
            // them. These are not on the air here.
            air.enter(inner.ends[end].node, Draws::Standby);
            let ear: Rc<dyn Radio> = Rc::new(Ear { piconet: Rc::downgrade(&inner), end });
            air.attach(inner.ends[end].node, Rc::downgrade(&ear));
            inner.ears.borrow_mut().push(ear);
        }
        (Self(inner), [to_master, to_slave])
    }

    /// Queues an L2CAP frame. Returns false if the link is lost.
    pub fn send(&self, from: Role, frame: Rc<[u8]>) -> bool {
        if self.0.gone.get() {
            return false;
        }
        self.0.ends[from.index()].queue.borrow_mut().push_back((frame, self.0.sim.now()));
        Inner::request(&self.0);
        true
    }

    /// Returns true once the supervision timeout has expired.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.0.gone.get()
    }

    /// Number of an end's L2CAP frames that are not completely handed over or not acknowledged.
    #[must_use]
    pub fn queued(&self, from: Role) -> usize {
        let end = &self.0.ends[from.index()];
        let last = end.taken.get() == 0 && end.unconfirmed.borrow().is_some();
        end.queue.borrow().len() + usize::from(last)
    }

    /// Node of an end, for configuring its paths on the air.
    #[must_use]
    pub fn node(&self, of: Role) -> NodeId {
        self.0.ends[of.index()].node
    }
}

impl Inner {
    fn slot(&self, number: u64) -> Instant {
        let clock = &self.config.clock;
        let local = self.config.phase.as_ns() + number * SLOT.as_ns();
        clock.instant_of(local as i64 + clock.local_ns(Instant::START))
    }

    /// First pair of slots that starts at an instant or later.
    fn pair_from(&self, at: Instant) -> u64 {
        let clock = &self.config.clock;
        let shown = clock.local_ns(at) - clock.local_ns(Instant::START);
        let since = (shown - self.config.phase.as_ns() as i64).max(0) as u64;
        let pair = since.div_ceil(PAIR_NS);
        // The conversion rounds, so the start may be one nanosecond later than requested.
        if pair > 0 && self.slot(2 * (pair - 1)) >= at { pair - 1 } else { pair }
    }

    /// End of the scan that an end is in, if any.
    fn scans_until(&self, end: usize, at: Instant) -> Option<Instant> {
        self.config.scans[end]?.open_until(at)
    }

    /// First pair of slots from this one on in which the central does not scan.
    fn unscanned(&self, mut pair: u64) -> u64 {
        // Adjacent windows are skipped one by one; there are at most as many as in one round.
        for _ in 0..=self.config.scans[0].map_or(0, |scans| scans.windows) {
            let Some(until) = self.scans_until(0, self.slot(2 * pair)) else { break };
            pair = self.pair_from(until).max(pair + 1);
        }
        pair
    }

    const fn poll_pairs(&self) -> u64 {
        let pairs = self.config.poll_interval / 2;
        if pairs == 0 { 1 } else { pairs }
    }

    /// Plans the next exchange, or moves it forward, if either end has data.
    fn request(self: &Rc<Self>) {
        if self.busy.get() || self.gone.get() {
            return;
        }
        let first = self.pair_from(self.sim.now()).max(self.after.get());
        let [master, slave] = &self.ends;
        let asked = if master.pending() {
            first
        } else if slave.pending() {
            let polls = self.poll_pairs();
            let again = self.eager.get() && first == self.after.get();
            if again { first } else { first.div_ceil(polls) * polls }
        } else {
            return;
        };
        let wanted = self.unscanned(asked);
        if self.planned.get().is_some_and(|planned| planned <= wanted) {
            return;
        }
        if self.planned.get().is_none() {
            self.account_for_idle_polls(wanted);
        }
        let (from, until) = (self.slot(2 * asked), self.slot(2 * wanted));
        if wanted > asked {
            if self.eager.get() && asked == self.after.get() {
                self.sim.span(self.ends[0].track, &slices::SLOT_WAIT, self.quiet_from.get(), from);
            }
            self.sim.span(self.ends[0].track, &slices::SCAN, from, until);
        }
        self.planned.set(Some(wanted));
        self.generation.set(self.generation.get().wrapping_add(1));
        self.timer(self.slot(2 * wanted), PLANNED);
    }

    /// Counts the skipped polls of the idle link as received.
    fn account_for_idle_polls(&self, before: u64) {
        let polls = self.poll_pairs();
        let last = before.saturating_sub(1) / polls * polls;
        if last > self.after.get() {
            let at = self.slot(2 * last);
            for end in &self.ends {
                end.heard_at.set(end.heard_at.get().max(at));
            }
        }
    }

    fn timer(&self, at: Instant, what: u64) {
        let token = u64::from(self.generation.get()) << 2 | what;
        self.timers.set(at, token);
    }

    /// Next data of an end: the unacknowledged fragment, or the next part of its queue.
    fn fragment(&self, from: usize) -> Option<(Vec<u8>, bool)> {
        let end = &self.ends[from];
        if let Some(again) = end.unconfirmed.borrow().as_ref() {
            return Some((again.bytes.clone(), again.sequence));
        }
        let mut queue = end.queue.borrow_mut();
        let (frame, came) = queue.front()?;
        let rest = &frame[end.taken.get()..];
        let kind = self.config.packets.choose(rest.len(), self.config.max_slots);
        let bytes = rest[..rest.len().min(kind.capacity())].to_vec();
        if end.taken.get() == 0 {
            self.sim.span(end.track, &slices::SLOT_WAIT, *came, self.sim.now());
        }
        end.taken.set(end.taken.get() + bytes.len());
        if end.taken.get() >= frame.len() {
            queue.pop_front();
            end.taken.set(0);
        }
        end.sequence.set(!end.sequence.get());
        let sequence = end.sequence.get();
        *end.unconfirmed.borrow_mut() = Some(Fragment { bytes: bytes.clone(), sequence });
        Some((bytes, sequence))
    }

    /// Sends the packet of an end in the current slot, and returns the number of its slots.
    ///
    /// Format on the air: type; LT_ADDR, ARQN and SEQN; user data.
    fn transmit(self: &Rc<Self>, from: usize) -> u64 {
        let end = &self.ends[from];
        let (bytes, sequence) = self.fragment(from).unwrap_or_default();
        let kind = match (bytes.is_empty(), from) {
            (true, 0) => PacketType::Poll,
            (true, _) => PacketType::Null,
            _ => self.config.packets.choose(bytes.len(), self.config.max_slots),
        };
        self.carried.set(self.carried.get() || !bytes.is_empty());
        let confirm = end.confirm.replace(false);
        let until = self.sim.now() + kind.airtime(bytes.len());
        if bytes.is_empty() {
            let slice = if confirm { &slices::ACKNOWLEDGEMENT } else { &slices::POLL };
            self.sim.span(end.track, slice, self.sim.now(), until);
        }
        let flags = 1 | u8::from(confirm) << 4 | u8::from(sequence) << 5;
        let mut packet = vec![kind as u8, flags];
        packet.extend_from_slice(&bytes);
        let channel = self.hops.borrow_mut().below(CHANNELS) as u32;
        let band = Band::around(FIRST_CHANNEL_KHZ + 1_000 * channel, 1_000);
        let modulation = Modulation { family: FAMILY, setting: kind.bits_a_symbol() as u32 };
        self.ends[1 - from].heard.set(false);
        self.quiet_from.set(until);
        self.air.send(end.node, band, modulation, until, packet.into());
        let other = self.ends[1 - from].node;
        self.air.enter(other, Draws::Receive);
        self.air.enter_at(other, Draws::Standby, until);
        kind.slots()
    }

    fn take(&self, end: usize, packet: &[u8]) {
        let (end, now) = (&self.ends[end], self.sim.now());
        let Some((&[_, flags], data)) = packet.split_first_chunk::<2>() else { return };
        end.heard.set(true);
        end.heard_at.set(now);
        if flags & 1 << 4 != 0 {
            end.unconfirmed.borrow_mut().take();
        }
        if data.is_empty() {
            return;
        }
        end.confirm.set(true);
        let sequence = flags & 1 << 5 != 0;
        if end.heard_sequence.replace(sequence) == sequence {
            // A retransmission: the acknowledgement was lost, not the packet.
            return;
        }
        let mut partial = end.partial.borrow_mut();
        partial.extend_from_slice(data);
        if Frame::whole(&partial).is_some_and(|whole| partial.len() >= whole) {
            end.arrived.send(std::mem::take(&mut *partial).into());
        }
    }

    /// Records the unused rest of the last slot between consecutive packets.
    fn rest_of_slot(&self, end: usize) {
        self.sim.span(
            self.ends[end].track,
            &slices::SLOT_WAIT,
            self.quiet_from.get(),
            self.sim.now(),
        );
    }

    fn begin(self: &Rc<Self>) {
        let Some(pair) = self.planned.take() else { return };
        self.busy.set(true);
        if self.eager.get() && pair == self.after.get() {
            self.rest_of_slot(0);
        }
        self.carried.set(false);
        let slots = self.transmit(0);
        self.answer_slot.set(2 * pair + slots);
        self.timer(self.slot(2 * pair + slots), ANSWER);
    }

    fn answer(self: &Rc<Self>) {
        self.rest_of_slot(1);
        self.ends[0].heard.set(false);
        // A peripheral that was not addressed stays silent for a slot.
        let slots = if self.ends[1].heard.get() { self.transmit(1) } else { 1 };
        self.answer_slot.set(self.answer_slot.get() + slots);
        self.timer(self.slot(self.answer_slot.get()), OVER);
    }

    fn over(self: &Rc<Self>) {
        self.busy.set(false);
        self.after.set(self.answer_slot.get() / 2);
        // If a packet gets no response, the central polls again at once.
        let silent = !self.ends[0].heard.get();
        self.eager.set(self.carried.get() || silent);
        let heard = self.ends[0].heard_at.get().min(self.ends[1].heard_at.get());
        if self.sim.now().since(heard) >= self.config.supervision {
            self.break_off();
            return;
        }
        self.request();
    }

    fn break_off(&self) {
        self.gone.set(true);
        for end in &self.ends {
            end.queue.borrow_mut().clear();
            end.unconfirmed.borrow_mut().take();
            // RFCOMM never sends an empty frame; it wakes waiters to check the link.
            end.arrived.send(Rc::from([]));
        }
        (self.incident)(SUPERVISION_TIMEOUT);
    }
}

impl Timed for Inner {
    fn due(self: Rc<Self>, token: u64) {
        if token >> 2 != u64::from(self.generation.get()) {
            return;
        }
        match token & 3 {
            PLANNED => self.begin(),
            ANSWER => self.answer(),
            _ => self.over(),
        }
    }
}

impl Radio for Ear {
    fn frame_ended(&self, reception: &Reception<'_>) {
        let Some(piconet) = self.piconet.upgrade() else { return };
        let ours = reception.frame.from == piconet.ends[1 - self.end].node;
        if !ours || reception.verdict != Verdict::Whole {
            return;
        }
        let begin = reception.frame.begin;
        // A central scans between exchanges.
        if let Some(until) = piconet.scans_until(1, begin).filter(|_| self.end == 1) {
            piconet.sim.span(piconet.ends[1].track, &slices::SCAN, begin, until);
            return;
        }
        piconet.take(self.end, &reception.frame.bytes);
    }
}
