//! Connection events: anchor points, transmission order, and closing of an event.
//!
//! ```text
//!  central     |data|      |data|                  anchor point of the next event
//!  peripheral        |data|      |data|            ...
//!              ^anchor T_IFS T_IFS T_IFS
//! ```
//!
//! In a connection event, the central sends first, and the peripheral responds to every packet,
//! even a damaged one. The event continues while either end has more data (Bluetooth Core
//! Specification 5.4, volume 6, part B, 4.5.6). The event ends in three other cases: before an
//! exchange that would reach the next anchor point; when a packet does not arrive at all; and after
//! the configured number of consecutive damaged packets, which is at most two.

use std::rc::Rc;

use airlag_air::{Band, Modulation, Radio, Reception, Verdict};
use airlag_link::airtime::ble::Phy;
use airlag_sim::meter::State as Draws;
use airlag_sim::{Duration, Instant, Timed};

use super::queue::Packet;
use super::state::{Connection, State, Window};
use super::{Controller, Event, Reason, Role, Settings};
use crate::stack::ble::cipher::Forged;
use crate::stack::ble::hop;
use crate::stack::ble::pdu::{Header, Llid};
use crate::stack::ble::slices;

/// Tolerance of T_IFS while both ends are awake (section 4.2.1: active clock accuracy).
const ACTIVE_JITTER: Duration = Duration::from_us(2);

/// Timers, in the low bits of a token; the generation is above.
mod timer {
    /// The next connection event begins.
    pub(super) const BEGIN: u64 = 0;
    /// Time to send a packet.
    pub(super) const SEND: u64 = 1;
    /// The packet has been sent.
    pub(super) const SENT: u64 = 2;
    /// End of the receive window.
    pub(super) const SILENCE: u64 = 3;
    /// The supervision timeout has expired.
    pub(super) const SUPERVISION: u64 = 4;
    pub(super) const BITS: u32 = 3;
}

/// Family of Bluetooth LE radios.
pub const FAMILY: &str = "ble";

/// The modulation of a PHY on the air.
#[must_use]
pub(super) const fn modulation(phy: Phy) -> Modulation {
    Modulation { family: FAMILY, setting: phy as u32 }
}

impl Controller {
    fn after(&self, wait: Duration) -> Instant {
        self.clock.after(self.sim.now(), wait)
    }

    fn arm(&self, at: Instant, what: u64) {
        self.timers.set(at, self.generation.get() << timer::BITS | what);
    }

    /// Invalidates all earlier timers.
    fn disarm(&self) {
        self.generation.set(self.generation.get() + 1);
    }

    /// Sets the timer of the next connection event, or of the supervision timeout if that is
    /// earlier.
    pub(super) fn await_event(&self, state: &mut State) {
        self.disarm();
        let Some(connection) = &state.connection else { return };
        let early = match connection.role {
            Role::Central => Duration::ZERO,
            Role::Peripheral => state.widening(state.event),
        };
        let at = self.clock.instant_of(state.anchor(state.event) - early.as_ns() as i64);
        let limit = self.clock.after(state.last_valid, connection.settings.supervision_timeout);
        if limit <= at {
            self.arm(limit, timer::SUPERVISION);
        } else {
            self.arm(at, timer::BEGIN);
        }
    }

    /// Makes a peripheral that skips events take part in the next one when it has data to send.
    pub(super) fn stop_skipping(&self) {
        let mut state = self.state.borrow_mut();
        if !state.skipping || state.in_event {
            return;
        }
        let now = self.clock.local_ns(self.sim.now());
        let Some(interval) = state.settings().map(|settings| settings.interval.duration()) else {
            return;
        };
        let passed = (now - state.anchor_ns).max(0) as u64 / interval.as_ns();
        let mut next = state.anchored + passed;
        while state.anchor(next) - state.widening(next).as_ns() as i64 <= now {
            next += 1;
        }
        if next < state.event {
            state.event = next;
            self.await_event(&mut state);
        }
        state.skipping = false;
    }

    /// Starts a connection event: the central sends, the peripheral listens.
    fn begin(&self) {
        let mut state = self.state.borrow_mut();
        let Some(connection) = &state.connection else { return };
        let (role, slip) = (connection.role, connection.settings.slip);
        let processing = connection.settings.event_processing;
        if let Some(board) = &*self.board.borrow() {
            board.works(self.sim.now(), self.after(processing));
        }
        (state.in_event, state.skipping) = (true, false);
        (state.sent_data, state.damaged) = (0, 0);
        (state.my_more, state.their_more) = (false, false);
        match role {
            Role::Central if slip > 0.0 && self.slips.borrow_mut().chance(slip) => {
                self.missed(&mut state);
            }
            Role::Central => {
                Self::ask(&mut state);
                drop(state);
                self.transmit();
            }
            Role::Peripheral => {
                let now = self.sim.now();
                let until = self.clock.after(now, state.widening(state.event) * 2);
                let far = state.settings().map_or(Duration::ZERO, |settings| settings.range_delay);
                self.listen(&mut state, now, until + far);
            }
        }
    }

    /// Listens for a packet that starts between two instants.
    fn listen(&self, state: &mut State, from: Instant, until: Instant) {
        let Some(settings) = state.settings() else { return };
        let silence = until + Duration::from_ns(settings.phy.synchronised_ns());
        self.air.enter(self.node, Draws::SettleReceive);
        self.air.enter_at(self.node, Draws::Receive, from);
        state.window = Some(Window { from, until });
        self.disarm();
        self.arm(silence, timer::SILENCE);
    }

    /// Frequency band of the current event.
    fn band(state: &State) -> Band {
        let connection = state.connection.as_ref();
        hop::band(connection.map_or(0, |connection| connection.channel(state.event)))
    }

    /// Records the result of the current event for the central's channel classification.
    fn learn(state: &State, bad: bool) {
        let Some(connection) = &state.connection else { return };
        if let (Role::Central, Some(maps)) = (connection.role, &connection.maps) {
            let channel = connection.channel(state.event);
            maps.learn(state.event, channel, bad, connection.settings.latency);
        }
    }

    /// Sends the next packet of the event now.
    fn transmit(&self) {
        let mut state = self.state.borrow_mut();
        let Some(connection) = &state.connection else { return };
        let Connection { settings, address, .. } = *connection;
        let now = self.sim.now();
        let length = state.queue.next_length();
        let fits = self.fits(&state, length);
        if !fits && state.queue.has_under_way() {
            // The unacknowledged PDU has to be repeated unchanged, and does not fit.
            self.close(&mut state);
            return;
        }
        let may = fits && state.may_send_more();
        let (pdu, behind) = state.queue.outgoing(may);
        if !pdu.payload.is_empty() {
            state.sent_data += 1;
            self.waiting_ended(&mut state, now);
        }
        let more = behind && state.may_send_more();
        state.my_more = more;
        let header = Header { llid: pdu.llid, nesn: state.nesn, sn: state.sn, md: more };
        let end = now + Duration::from_ns(settings.phy.duration_ns(pdu.payload.len()));
        if pdu.repeated && !pdu.payload.is_empty() {
            self.sim.span(self.track, &slices::RETRY, now, end);
            self.repeats();
        }
        let bytes = address.data(header, &pdu.payload);
        self.air.send(self.node, Self::band(&state), modulation(settings.phy), end, bytes);
        self.disarm();
        self.arm(end, timer::SENT);
    }

    /// Returns true if a packet of `length` bytes, and at a central also its response, end in time.
    fn fits(&self, state: &State, length: usize) -> bool {
        let Some(connection) = &state.connection else { return false };
        let phy = connection.settings.phy;
        let mut needs = phy.duration_ns(length);
        if connection.role == Role::Central {
            let answer = if state.their_more { connection.settings.data_length } else { 0 };
            needs += state.frame_space().as_ns() + connection.settings.pdu_ns(answer);
        }
        let end = self.after(Duration::from_ns(needs));
        self.clock.local_ns(end) <= state.deadline()
    }

    /// Handles the end of a transmission: after T_IFS, the other end responds or continues.
    fn sent(&self) {
        let mut state = self.state.borrow_mut();
        let Some(connection) = &state.connection else { return };
        // A peripheral that received the end of the event and has no more data itself stops
        // listening. A damaged packet may have announced more data.
        let goes_on = match connection.role {
            Role::Central => true,
            Role::Peripheral => state.my_more || state.their_more || state.damaged > 0,
        };
        if !goes_on {
            self.close(&mut state);
            return;
        }
        let far = connection.settings.range_delay;
        let due = self.after(state.frame_space());
        let from = Instant::from_ns(due.as_ns() - ACTIVE_JITTER.as_ns());
        self.listen(&mut state, from, due + ACTIVE_JITTER + far);
    }

    /// Handles the end of a receive window: either no packet started in it, or one is still on the
    /// air.
    fn silence(&self) {
        let mut state = self.state.borrow_mut();
        let Some(phy) = state.settings().map(|settings| settings.phy) else { return };
        let heard = self.air.hearing(self.node, Self::band(&state), modulation(phy));
        let ours = |frame: airlag_air::Frame| {
            let address = state.connection.as_ref().map(|connection| connection.address);
            let window = state.window.as_ref();
            address.is_some_and(|address| address.matches(&frame.bytes))
                && window.is_some_and(|w| (w.from..=w.until).contains(&frame.begin))
        };
        if heard.is_some_and(ours) {
            return;
        }
        let peripheral = state.connection.as_ref().is_some_and(|c| c.role == Role::Peripheral);
        if peripheral && state.anchored != state.event {
            self.missed(&mut state);
            return;
        }
        if let Some(window) = &state.window {
            let sent = window.from.as_ns() + ACTIVE_JITTER.as_ns() - state.frame_space().as_ns();
            let now = self.sim.now();
            self.sim.span(
                self.track,
                &slices::ACKNOWLEDGEMENT_TIMEOUT,
                Instant::from_ns(sent),
                now,
            );
        }
        Self::learn(&state, true);
        self.close(&mut state);
    }

    /// Handles an event in which this end did not take part.
    fn missed(&self, state: &mut State) {
        self.waits_on(state);
        self.close(state);
    }

    /// Makes data wait for the event after this one.
    fn waits_on(&self, state: &mut State) {
        let anchor = self.clock.instant_of(state.anchor(state.event));
        if let Some((since, what)) = state.waits
            && since <= anchor
        {
            self.sim.span(self.track, what, since, anchor);
            state.waits = Some((anchor, &slices::MISSED_EVENT));
        }
    }

    /// Draws whether new data is too late for the next event: a controller that has already
    /// prepared an event does not read its queue again.
    pub(super) fn hold(&self, state: &mut State) {
        let late = state.settings().map_or(0.0, |settings| settings.late);
        if late > 0.0 && !state.in_event && self.slips.borrow_mut().chance(late) {
            state.held = Some(state.event);
        }
    }

    /// Records the time slice for which data has been waiting.
    fn waiting_ended(&self, state: &mut State, now: Instant) {
        if let Some((since, what)) = state.waits.take() {
            self.sim.span(self.track, what, since, now);
        }
    }

    /// Closes the event; remaining data waits for the next one.
    fn close(&self, state: &mut State) {
        state.window = None;
        state.in_event = false;
        if state.held == Some(state.event) {
            state.held = None;
            self.waits_on(state);
        }
        self.air.enter(self.node, Draws::PowerDown);
        let idle = !state.queue.has_data();
        if !idle && state.waits.is_none() {
            state.waits = Some((self.sim.now(), &slices::INTERVAL_WAIT));
        }
        let Some(connection) = &state.connection else { return };
        let latency = u64::from(connection.settings.latency);
        // A peripheral may skip events if it has no data and is synchronised with the other end.
        let in_step = state.anchored == state.event && !state.fresh;
        let skips = connection.role == Role::Peripheral && idle && in_step && latency > 0;
        state.skipping = skips;
        state.event += if skips { 1 + latency } else { 1 };
        self.await_event(state);
    }

    /// Ends the connection.
    pub(super) fn end(&self, state: &mut State, why: Reason) {
        let now = self.sim.now();
        self.air.enter(self.node, Draws::PowerDown);
        self.waiting_ended(state, now);
        self.abandon(state.queue.bytes());
        *state = State::default();
        self.disarm();
        self.events.send(Event::Disconnected(why));
    }

    /// Handles the end of a packet in the receive window.
    fn received(&self, reception: &Reception<'_>) {
        let mut state = self.state.borrow_mut();
        state.window = None;
        let Some(connection) = &state.connection else { return };
        let (role, address) = (connection.role, connection.address);
        if role == Role::Peripheral && state.anchored != state.event {
            // The first packet of an event defines its anchor point, even if it is damaged.
            state.anchor_ns = self.clock.local_ns(reception.begin);
            state.anchored = state.event;
        } else if role == Role::Peripheral && state.fresh {
            state.anchor_ns = self.clock.local_ns(reception.begin);
        }
        state.fresh = false;
        let whole = reception.verdict == Verdict::Whole;
        match address.open(&reception.frame.bytes).filter(|_| whole) {
            Some((header, payload)) => self.valid(&mut state, header, payload),
            None => state.damaged += 1,
        }
        let most = state.settings().map_or(1, |settings| settings.damaged_packets);
        if state.damaged >= most {
            Self::learn(&state, true);
            self.close(&mut state);
            return;
        }
        let goes_on = match role {
            Role::Peripheral => true,
            Role::Central => {
                let more = state.queue.has_data() && state.may_send_more();
                // If neither end announced more data, the other end stops listening, even if data
                // has arrived since (section 4.5.6).
                let wants = (more && state.my_more) || state.their_more || state.damaged > 0;
                // Whether the next exchange still fits is decided at the end of the interframe
                // space.
                let length = if more { state.queue.next_length() } else { 0 };
                wants && self.fits_after_space(&state, length)
            }
        };
        if goes_on {
            let now = self.sim.now();
            let at = self.after(state.frame_space());
            self.sim.span(self.track, &slices::INTERFRAME_SPACE, now, at);
            self.air.enter(self.node, Draws::SettleTransmit);
            self.disarm();
            self.arm(at, timer::SEND);
        } else {
            Self::learn(&state, state.damaged > 0);
            self.close(&mut state);
        }
    }

    fn fits_after_space(&self, state: &State, length: usize) -> bool {
        let Some(connection) = &state.connection else { return false };
        let Settings { phy, data_length, .. } = connection.settings;
        if let Some(longest) = connection.settings.longest_exchange() {
            let begins = self.clock.local_ns(self.after(state.frame_space()));
            return begins + longest.as_ns() as i64 <= state.next_event();
        }
        let answer = if state.their_more { data_length } else { 0 };
        let answer = connection.settings.pdu_ns(answer);
        let needs = 2 * state.frame_space().as_ns() + phy.duration_ns(length) + answer;
        self.clock.local_ns(self.after(Duration::from_ns(needs))) <= state.deadline()
    }

    /// Processes a packet with a correct CRC: acknowledgement and flow control (section 4.5.9).
    fn valid(&self, state: &mut State, header: Header, payload: &[u8]) {
        state.damaged = 0;
        state.last_valid = self.sim.now();
        state.their_more = header.md;
        if header.nesn != state.sn && state.queue.has_under_way() {
            state.sn = !state.sn;
            if state.queue.acknowledged() {
                self.events.send(Event::Completed);
            }
            if !state.queue.has_data() {
                state.waits = None;
            }
        }
        if header.sn == state.nesn {
            state.nesn = !state.nesn;
            if !payload.is_empty() {
                self.taken(state, header, payload);
            }
        }
    }
}

impl Controller {
    /// Processes a new PDU of the other host or of the other link layer.
    fn taken(&self, state: &mut State, header: Header, payload: &[u8]) {
        let opened = match &mut state.security.receive {
            None => Ok(payload.to_vec()),
            Some(way) => way.open(header.flags(), payload),
        };
        let Some(role) = state.connection.as_ref().map(|connection| connection.role) else {
            return;
        };
        match (opened, header.llid) {
            (Err(Forged), _) => self.end(state, Reason::MicFailure),
            (Ok(bytes), Llid::Control) => self.control(state, role, &bytes),
            (Ok(bytes), llid) => {
                self.events.send(Event::Received(Packet { start: llid == Llid::Start, bytes }));
            }
        }
    }
}

impl Timed for Controller {
    fn due(self: Rc<Self>, token: u64) {
        if token >> timer::BITS != self.generation.get() {
            return;
        }
        match token & ((1 << timer::BITS) - 1) {
            timer::BEGIN => self.begin(),
            timer::SEND => self.transmit(),
            timer::SENT => self.sent(),
            timer::SILENCE => self.silence(),
            // No valid packet arrived within the supervision timeout.
            _ => self.end(&mut self.state.borrow_mut(), Reason::SupervisionTimeout),
        }
    }
}

impl Radio for Controller {
    fn frame_ended(&self, reception: &Reception<'_>) {
        {
            let state = self.state.borrow();
            let (Some(window), Some(connection)) = (&state.window, &state.connection) else {
                return;
            };
            let frame = reception.frame;
            if !(window.from..=window.until).contains(&reception.begin)
                || frame.modulation != modulation(connection.settings.phy)
                || frame.band != Self::band(&state)
                || !connection.address.matches(&frame.bytes)
            {
                return;
            }
        }
        self.disarm();
        self.received(reception);
    }
}
