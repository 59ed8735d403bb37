//! The radio: its main loop, its transceiver and its access to the air (`tdm_serial_loop`).
//!
//! The main loop of the firmware runs ten thousand times per second and usually finds nothing to
//! do. The model computes only the iterations in which something happens: at the end of a phase of
//! the TDM schedule, at the end of a wait, every half-second when statistics become due, or when a
//! packet arrives. Each computed iteration starts at a time at which an iteration of the firmware's
//! loop could start.

mod air;

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use airlag_air::{Band, Medium, NodeId};
use airlag_link::airtime::sik::{Frame, TRAILER};
use airlag_sim::meter::State as Draws;
use airlag_sim::{Instant, Slice, Stream, Timed, Timers, Track};

use super::frame;
use super::framer::{Duplicates, Framer};
use super::hopping::Hopping;
use super::port::{self, Bytes, Port};
use super::schedule::{Phase, Schedule};
use super::settings::{Room, Round, Settings, TICK};
use super::slices;
use crate::mcu::interrupt::PollLoop;
use crate::mcu::uart::Wire;
use crate::mcu::{Board, Cpu};

/// Modulation family of the radio. The setting is the rate in kbit/s, plus 1000 with error
/// correction.
pub const FAMILY: &str = "sik";

/// Processor clock of the Si1000, from its data sheet ("Precision internal oscillator"), Hz.
pub const SYSCLK: u64 = 24_500_000;

/// Length of a packet of statistics, bytes: signal, noise and a 16-bit count.
const STATISTICS: usize = 4;

/// Ticks between packets of statistics. The firmware waits until more ticks than this have passed.
const STATISTICS_TICKS: u64 = 32_768;

/// Number of times that packet bytes are copied between the schedule update and the serial port.
const COPIES: u64 = 2;

/// Half-seconds without reception after which it starts to search for the peer.
const LOST_AFTER: u32 = 40;

/// Durations in the processor and the transceiver, in processor cycles. Only their sums are
/// observable from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// One iteration of the main loop while the radio must not send.
    pub turn: u64,
    /// Longest iteration of the main loop while the radio may send. Such an iteration first reads
    /// the transceiver's preamble detection and signal strength, and averages the signal strength.
    /// The iteration then computes how much data fits into the rest of the transmit window. Serial
    /// interrupts vary the duration of these iterations.
    pub sending_turn: u64,
    /// Time from the decision to send to the first bit on the air, without copying: filling the
    /// FIFO, starting the synthesiser and the amplifier.
    pub transmit_setup: u64,
    /// Time from the carrier to the first bit, within `transmit_setup`.
    pub carrier_lead: u64,
    /// Time per byte moved from the ring into a packet.
    pub frame_byte: u64,
    /// Time from the last bit on the air to the loop's next poll.
    pub transmit_end: u64,
    /// Time from the last bit on the air to the packet in memory: the interrupt and its read-out.
    pub receive_latency: u64,
    /// Time from the poll that finds a packet to the updated schedule and the next iteration,
    /// without copying.
    pub receive_work: u64,
    /// Time to copy one byte of a packet in external memory. Statistics are copied once, into a
    /// packet. Received data is copied three times. The first copy, before the schedule update, is
    /// out of the transceiver's buffer. The second copy is into the buffer with which the next
    /// packet is compared to detect duplicates. The third copy is into the ring buffer of the
    /// serial port.
    pub copy: u64,
}

/// Connections and initial phase of a radio.
pub struct Wiring<'a> {
    /// Board that represents the radio.
    pub board: &'a Board,
    /// Serial rate, baud.
    pub baud: u64,
    /// Wires that its serial port reads and writes.
    pub wires: (&'a Wire, &'a Wire),
    /// Initial phase in its round, as a fraction. Two synchronised radios are half a round apart.
    pub slot_phase: f64,
    /// Initial phase in the half-second of its statistics, as a fraction.
    pub statistics_phase: f64,
}

/// Counters of user bytes and packets at this radio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Counters of the serial port.
    pub serial: Bytes,
    /// Bytes waiting for the air.
    pub waiting: u64,
    /// User bytes sent, without retransmissions.
    pub sent_bytes: u64,
    /// User bytes received, without duplicates.
    pub received_bytes: u64,
    /// User bytes in packets of its network that collided or were damaged.
    pub damaged_bytes: u64,
    /// User bytes in packets of its network that the radio missed because it was on another channel
    /// or busy.
    pub missed_bytes: u64,
    /// Packets sent without data.
    pub yields: u64,
    /// Packets of statistics sent.
    pub statistics: u64,
    /// Duplicates dropped.
    pub duplicates: u64,
    /// Own windows left unused because of the duty cycle.
    pub duty_cycle_waits: u64,
    /// Number of times that the radio began to search for the peer.
    pub lock_losses: u64,
}

/// Timers, in the low bits of a token; the generation is above.
mod timer {
    pub(super) const LOOK: u64 = 0;
    pub(super) const ON_AIR: u64 = 1;
    pub(super) const BITS: u32 = 1;
}

/// Callback for incidents, by name.
type OnIncident = Box<dyn Fn(&'static str)>;

/// A packet on its way to the antenna.
struct Outgoing {
    bytes: Rc<[u8]>,
    band: Band,
    end: Instant,
    /// Time slice of a packet without user bytes.
    besides: Option<&'static Slice>,
}

struct State {
    schedule: Schedule,
    hopping: Hopping,
    framer: Framer,
    duplicates: Duplicates,
    port: Port,
    looks: PollLoop,
    generation: u64,
    /// Tick up to which the schedule has been advanced.
    moved_to: u64,
    phase_since: u64,
    statistics_since: u64,
    statistics_due: bool,
    /// Half-seconds without reception.
    silent: u32,
    heard_lately: bool,
    /// Start of continuous listening on the current channel.
    listening: Option<Instant>,
    /// Packet in memory that the loop has not processed.
    packet: Option<Rc<[u8]>>,
    outgoing: Option<Outgoing>,
    /// Last tick at which its channel was busy or it was transmitting.
    noisy_at: u64,
    /// Additional listening time after a busy channel.
    extra_listening: u64,
    duty_average: f64,
    duty_ticks: u64,
    duty_wait: bool,
    counts: Counts,
}

/// A SiK radio. Clones are handles to the same radio.
#[derive(Clone)]
pub struct Radio(Rc<Inner>);

struct Inner {
    timers: Timers,
    cpu: Cpu,
    settings: Settings,
    round: Round,
    frame: Frame,
    timing: Timing,
    medium: Medium,
    node: NodeId,
    windows: Track,
    listen_stream: RefCell<Stream>,
    turns: RefCell<Stream>,
    incident: RefCell<Option<OnIncident>>,
    state: RefCell<State>,
}

impl Radio {
    /// Creates a radio that has been running and is synchronised with its network.
    #[must_use]
    pub fn new(settings: &Settings, timing: Timing, medium: &Medium, wiring: &Wiring<'_>) -> Self {
        let cpu = Cpu::new(wiring.board, SYSCLK);
        let sim = wiring.board.sim();
        let round = Round::new(settings);
        let node = medium.join(wiring.board.name());
        // It listens whenever it does not send, in either window.
        medium.enter(node, Draws::Receive);
        let share = |phase: f64, of: u64| (phase.clamp(0.0, 1.0) * of as f64) as u64;
        let now = cpu.now();
        let tick = now / TICK;
        let schedule = Schedule::new(round, share(wiring.slot_phase, round.ticks()));
        let state = State {
            schedule,
            hopping: Hopping::new(settings.span, settings.channels, settings.network),
            framer: Framer::new(
                settings.framing,
                settings.opportunistic_resend,
                round.max_framed(),
                port::byte_ticks(wiring.baud),
            ),
            duplicates: Duplicates::default(),
            port: Port::new(
                &cpu,
                port::bit_cycles(wiring.baud),
                wiring.wires,
                (settings.receive_buffer, settings.send_buffer),
            ),
            looks: PollLoop::new(timing.turn, now),
            generation: 0,
            moved_to: tick,
            phase_since: now,
            statistics_since: tick.saturating_sub(share(wiring.statistics_phase, STATISTICS_TICKS)),
            statistics_due: false,
            silent: 0,
            heard_lately: false,
            listening: Some(sim.now()),
            packet: None,
            outgoing: None,
            noisy_at: tick,
            extra_listening: 0,
            duty_average: 0.0,
            duty_ticks: 0,
            duty_wait: false,
            counts: Counts::default(),
        };
        let inner = Rc::new_cyclic(|me| Inner {
            timers: sim.timers(me),
            settings: *settings,
            round,
            frame: Frame { rate_kbps: settings.air_rate, ecc: settings.ecc },
            timing,
            medium: medium.clone(),
            node,
            windows: sim.track(&format!("{} windows", wiring.board.name())),
            listen_stream: RefCell::new(wiring.board.stream("listen before talk")),
            turns: RefCell::new(wiring.board.stream("turns of the main loop")),
            incident: RefCell::new(None),
            state: RefCell::new(state),
            cpu,
        });
        let listener: Weak<Inner> = Rc::downgrade(&inner);
        medium.attach(node, listener);
        inner.look_at(&mut inner.state.borrow_mut(), now);
        Self(inner)
    }

    /// Node on the air.
    #[must_use]
    pub fn node(&self) -> NodeId {
        self.0.node
    }

    /// Widths of its round.
    #[must_use]
    pub fn round(&self) -> Round {
        self.0.round
    }

    /// Phase at its last iteration.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.0.state.borrow().schedule.phase()
    }

    /// Calls `on_incident` with the name of every incident: a byte or a packet that does not fit
    /// into a ring, a packet without a receiver, or loss of the peer.
    pub fn on_incident(&self, on_incident: impl Fn(&'static str) + 'static) {
        *self.0.incident.borrow_mut() = Some(Box::new(on_incident));
    }

    /// Counters.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let state = &mut *self.0.state.borrow_mut();
        self.0.collect(state, self.0.cpu.now());
        let waiting = state.port.waiting.len() as u64;
        Counts { serial: state.port.bytes, waiting, ..state.counts }
    }
}

impl Inner {
    fn incident(&self, name: &'static str) {
        if let Some(on_incident) = &*self.incident.borrow() {
            on_incident(name);
        }
    }

    /// Reads all bytes that the serial line has delivered by `cycle`.
    fn collect(&self, state: &mut State, cycle: u64) {
        let dropped = state.port.bytes.overflowed_in;
        state.port.collect(cycle);
        for _ in dropped..state.port.bytes.overflowed_in {
            self.incident("receive buffer overflow");
        }
    }

    fn now(&self) -> Instant {
        self.cpu.board().sim().now()
    }

    fn set_timer(&self, state: &State, which: u64, cycle: u64) {
        let token = state.generation << timer::BITS | which;
        self.timers.set(self.cpu.instant_of(cycle), token);
    }

    /// Schedules the loop's next iteration at `cycle`, or at the next time on its grid.
    fn look_at(&self, state: &mut State, cycle: u64) {
        state.generation += 1;
        self.set_timer(state, timer::LOOK, state.looks.look_from(cycle));
    }

    fn look(&self) {
        let state = &mut *self.state.borrow_mut();
        let cycle = self.cpu.now();
        state.looks.restart(cycle);
        if let Some(packet) = state.packet.take() {
            return self.receive(state, &packet, cycle);
        }
        let tick = cycle / TICK;
        self.pass(state, tick, cycle);
        if tick - state.statistics_since > STATISTICS_TICKS {
            state.statistics_since = tick;
            self.half_second(state);
        }
        if !self.send(state, tick, cycle) {
            let mut next = self.next_interest(state, tick).max(cycle + 1);
            if state.schedule.may_send() && self.timing.sending_turn > 0 {
                next += self.turns.borrow_mut().below(self.timing.sending_turn);
            }
            self.look_at(state, next);
        }
    }

    /// Advances the schedule to the timer.
    fn pass(&self, state: &mut State, tick: u64, cycle: u64) {
        let passed = tick - state.moved_to;
        state.moved_to = tick;
        let before = state.schedule.phase();
        let mut entered = [None; 4];
        let mut count = 0;
        state.schedule.advance(passed, |phase| {
            entered[count % 4] = Some(phase);
            count += 1;
        });
        if count == 0 {
            return;
        }
        self.draw_phase(state, before, cycle);
        for phase in entered.into_iter().flatten() {
            if phase.hops() {
                state.hopping.window_changed();
                // A packet that was being received is lost.
                state.listening = Some(self.now());
                (state.noisy_at, state.extra_listening) = (tick, 0);
            }
            if phase == Phase::Transmit {
                self.average_duty(state);
            }
        }
    }

    fn draw_phase(&self, state: &mut State, phase: Phase, cycle: u64) {
        let (begin, end) = (self.cpu.instant_of(state.phase_since), self.cpu.instant_of(cycle));
        self.cpu.board().sim().span(self.windows, phase.slice(), begin, end);
        state.phase_since = cycle;
    }

    fn average_duty(&self, state: &mut State) {
        if self.settings.duty_cycle >= 100 {
            return;
        }
        let share = 100.0 * state.duty_ticks as f64 / self.round.ticks() as f64;
        state.duty_average = 0.95 * state.duty_average + 0.05 * share;
        state.duty_ticks = 0;
        state.duty_wait = state.duty_average >= f64::from(self.settings.duty_cycle);
        state.counts.duty_cycle_waits += u64::from(state.duty_wait);
    }

    /// Half-second processing: checks whether a packet of the peer was received, and makes its
    /// statistics due again.
    fn half_second(&self, state: &mut State) {
        state.silent = if state.heard_lately { 0 } else { state.silent + 1 };
        state.heard_lately = false;
        if state.silent > LOST_AFTER {
            state.silent = 5;
            state.hopping.unlock();
            state.counts.lock_losses += 1;
            self.incident("lock lost");
        }
        state.statistics_due = true;
    }

    /// Next cycle at which the main loop may have work.
    fn next_interest(&self, state: &State, tick: u64) -> u64 {
        let schedule = &state.schedule;
        let mut next = (state.moved_to + schedule.remaining())
            .min(state.statistics_since + STATISTICS_TICKS + 1);
        if schedule.may_send() && !state.duty_wait {
            if schedule.wait() > 0 {
                next = next.min(state.moved_to + schedule.wait());
            } else if self.settings.listen_before_talk {
                let quiet = state.noisy_at + self.round.listen + state.extra_listening;
                next = next.min(quiet.max(tick + 1));
            } else if let Room::In(ticks) = self.round.room(schedule.remaining()) {
                next = next.min(state.moved_to + ticks);
            }
        }
        next * TICK
    }

    /// Processes a packet that the loop has found.
    fn receive(&self, state: &mut State, packet: &[u8], cycle: u64) {
        state.heard_lately = true;
        state.hopping.lock();
        state.schedule.heard();
        let Timing { receive_work, copy, turn, .. } = self.timing;
        let mut done = cycle + receive_work;
        let received = frame::decode(self.settings.network, packet);
        if let Some((data, _)) = received {
            done += copy * (data.len() + TRAILER) as u64;
        }
        // The receiver is on again before the data is delivered.
        state.listening = Some(self.cpu.instant_of(done));
        if let Some((data, trailer)) = received
            && trailer.window != 0
        {
            let before = state.schedule.phase();
            if state.schedule.synchronise(trailer, data.is_empty()) {
                self.draw_phase(state, before, cycle);
            }
            state.moved_to = done / TICK;
            done += COPIES * copy * data.len() as u64;
            if !data.is_empty() {
                if state.duplicates.is_one(data, trailer.resend) {
                    state.counts.duplicates += 1;
                } else {
                    state.counts.received_bytes += data.len() as u64;
                    self.cpu.span(&slices::READ_OUT, cycle, done);
                    let dropped = state.port.bytes.overflowed_out;
                    state.port.hand_out(data, done);
                    if state.port.bytes.overflowed_out > dropped {
                        self.incident("send buffer overflow");
                    }
                }
            }
        }
        // The rest of this iteration is skipped, so the next iteration is the first that can send.
        state.looks.restart(done + turn);
        self.look_at(state, done + turn);
    }
}

impl Timed for Inner {
    fn due(self: Rc<Self>, token: u64) {
        if token >> timer::BITS != self.state.borrow().generation {
            return;
        }
        if token & 1 == timer::LOOK {
            self.look();
        } else {
            self.go_on_air();
        }
    }
}

#[cfg(test)]
#[path = "radio/tests.rs"]
mod tests;
