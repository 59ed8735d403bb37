//! Two boards, two Bluetooth LE controllers with their hosts, and the air between them.
//!
//! The peripheral sends notifications and indications to the central. The central sends writes to
//! the peripheral. The parameter `operation` of the profile therefore determines whether the
//! sending board is the peripheral or the central.

mod host;
mod parameters;
mod platform;

use airlag_air::Sense;
use airlag_air::error_rate::{LeCoded, NoncoherentFsk};
use airlag_air::quantity::{Db, Dbm, Hertz};
use airlag_link::airtime::ble::Phy;
use airlag_models::mcu::Board;
use airlag_models::stack::ble::att::{self, Opcode};
use airlag_models::stack::ble::controller::event::FAMILY;
use airlag_models::stack::ble::controller::{Controller, Settings, connect};
use airlag_models::stack::ble::hci::{Hci, HciCosts, Meeting, peer_address};
use airlag_models::stack::ble::host::{Host as CostsHost, HostCosts};
use airlag_models::stack::ble::open_host::OpenHost;
use airlag_sim::Duration;

use crate::boards::rtos::{Rtos, phase_of};
use crate::calls;
use crate::neighbours;
use airlag_air::transmitter::{Access, Hopping, Spectrum, Transmitter};
use airlag_rig::dependant::Dependant;
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor, split};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;
use airlag_rig::propagation::Hearing;

use host::Host;
pub use parameters::Parameters;
use parameters::{HostKind, costs, longer_timeout, settings};

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

/// Response of a Bluetooth LE radio to other signals. The radio has no carrier sense. The radio
/// detects packets of its own connection at any signal level, even damaged packets. The model
/// treats an interferer as noise whose power is higher than that of the interferer by `harm`. With
/// this value of `harm`, the error rate curve yields a co-channel rejection of 9 dB at 1M and of 12
/// dB at 2M, for a bit error rate of 0.1 %. Datasheet values of the co-channel rejection at 1M are
/// 8.7 dB (EFR32BG22) and 9.0 dB (BGM13S). The Core Specification requires 21 dB or less (6.A.4.2).
pub const HEARING: Hearing = Hearing {
    family: FAMILY,
    harm: Db(1.1),
    sense: Sense { own: Dbm(f64::NEG_INFINITY), energy: Dbm(f64::INFINITY) },
};

impl Facts for Parameters {
    const NAME: &'static str = "ble";
    const MEDIUM: Medium = Medium::Air;
    const LOSES: bool = false;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::ALL;

    const KNOBS: &'static [Knob] = &[
        // Accessory Design Guidelines for Apple Devices, 49.6; Android, BluetoothGatt,
        // CONNECTION_PRIORITY_HIGH: see central.
        Knob::of(Parameters::connection_interval, &["7.5ms"]).giving_up_energy(
            "energy: both radios wake for every interval; and phones: iOS needs 15 ms or more, \
             Android uses 11.25 to 15 ms at its highest priority",
        ),
        Knob::of(Parameters::connection_interval, &["15ms", "30ms"])
            .giving_up_energy("energy: both radios wake for every interval"),
        Knob::of(Parameters::phy, &["2M"])
            .giving_up_range("range: 3 dB; needs a chip that supports it"),
        Knob::of(Parameters::data_length, &["251"]),
        Knob::of(Parameters::acl_length, &["251"]),
        Knob::of(Parameters::packets_per_event, &["65535"]),
        Knob::of(Parameters::latency, &["0"])
            .giving_up_energy("energy: the peripheral wakes for every interval"),
        Knob::of(Rtos::trigger_notice, &["woken"]),
        Knob::of(Parameters::operation, &["notify"]).giving_up(
            "the direction: the sending end is the peripheral; and confirmation that the other \
             program received each chunk",
        ),
        Knob::of(Parameters::operation, &["write-without-response"]).giving_up(
            "the direction: the sending end is the central; and confirmation that the other \
             program received each chunk",
        ),
    ];

    // Core 5.4, 6.B.1.2 and 4.5.1: the sensitivity of LE Coded is 4 to 12 dB better than at 1M.
    const REACH: &'static [Knob] = &[
        Knob::of(Parameters::phy, &["1M"]),
        Knob::of(Parameters::phy, &["coded-s2", "coded-s8"])
            .giving_up("needs a chip that supports it"),
    ];

    // A peripheral may skip events while it has nothing to send, and sends in the next one; up to
    // 30 events (Accessory Design Guidelines for Apple Devices, 49.6). A longer interval saves as
    // much, but messages wait for it.
    const SAVING: &'static [Knob] = &[
        Knob::of(Parameters::latency, &["15", "30", "4"]),
        Knob::of(Parameters::connection_interval, &["50ms", "500ms", "200ms", "100ms", "1s"]),
    ];
}

impl Configured for Parameters {
    fn idle_period(&self) -> Option<Duration> {
        Some(self.connection_interval)
    }

    /// The supervision timeout must outlast the events that a peripheral may skip.
    fn dependants(&self, _: usize) -> Vec<Dependant> {
        let timeout = |value| Dependant { name: Parameters::supervision_timeout, value };
        longer_timeout(self).map(timeout).into_iter().collect()
    }

    /// An idle peripheral skips `latency` events.
    fn idle_cycle(&self) -> Option<Duration> {
        Some(self.connection_interval * (1 + u64::from(self.latency)))
    }

    /// All packets are sent in one connection event that begins at the trigger, or in as few events
    /// as they need.
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        let (settings, costs) = (settings(self)?, costs(self)?);
        let (phy, operation) = (settings.phy, costs.operation);
        let pdus = pdus(&settings, &costs, size);
        let (notifies, answered) =
            (costs.notifies(), operation.answer().map(|answer| att::frame(answer, 0, &[]).len()));
        let reply = settings.pdu_ns(answered.unwrap_or(0));
        let longest = pdus.first().copied().unwrap_or(0);
        let space_ns = settings.frame_space.as_ns();
        let cycle = settings.pdu_ns(longest) + reply + 2 * space_ns;
        let last = settings.longest_exchange().map_or(cycle, Duration::as_ns);
        let before = room(&settings).saturating_sub(last) / cycle.max(1);
        let fits = (1 + before).min(u64::from(settings.packets_per_event));
        let events = (pdus.len() as u64).saturating_sub(1) / fits;
        let last: Vec<usize> = pdus.iter().copied().skip((events * fits) as usize).collect();
        let gaps = last.len().saturating_sub(1) as u64;
        let lead = u64::from(notifies);
        let packet = "Core 5.4, 6.B.2.1: preamble, access address, header, payload, CRC";
        let space = if settings.changes_frame_space() {
            "Core 6.0, 6.B.5.1.30: frame space update"
        } else {
            "Core 5.4, 6.B.4.1.1: T_IFS"
        };
        let interval = settings.interval.duration().as_ns();
        let mut floor = Floor::new()
            .with(
                "interval with full events",
                events,
                interval,
                "the packets that fit into an event",
            )
            .with("air, poll", lead, phy.duration_ns(0), packet);
        for chunk in last.chunk_by(|a, b| a == b) {
            let (len, count) = (chunk[0], chunk.len() as u64);
            floor = floor.with(format!("air, {len} B"), count, settings.pdu_ns(len), packet);
        }
        Ok(floor.with("air, answers", gaps, reply, packet).with(
            "interframe space",
            2 * gaps + lead,
            space_ns,
            space,
        ))
    }

    /// Fills events with the packets in order; a packet that does not fit is sent in the next
    /// event.
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        let (settings, costs) = (settings(self)?, costs(self)?);
        let pdus = pdus(&settings, &costs, size);
        let answer = costs.operation.answer().map_or(0, |answer| att::frame(answer, 0, &[]).len());
        let turns = settings.pdu_ns(answer) + 2 * settings.frame_space.as_ns();
        let interval = settings.interval.duration();
        let (room, longest) = (room(&settings), settings.longest_exchange().map(Duration::as_ns));
        // Time from an event whose first packet begins a message to the next such event, or
        // approximately that.
        let (mut next, mut messages, mut events) = (0, 0, 0);
        while events == 0 || (next > 0 && events < EVENTS) {
            let (mut packets, mut spent) = (0, 0);
            while packets < settings.packets_per_event {
                let takes = settings.pdu_ns(pdus[next]) + turns;
                if packets > 0 && spent + longest.unwrap_or(takes) > room {
                    break;
                }
                spent += takes;
                packets += 1;
                next = (next + 1) % pdus.len();
                messages += u64::from(next == 0);
            }
            events += 1;
        }
        let source = "Core 5.4, 6.B.4.5: the packets that fit into an event";
        let takes =
            Floor::new().with("interval with full events", events, interval.as_ns(), source);
        Ok(Cycle { messages, takes })
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let (sim, air) = (bench.sim(), bench.air());
        let (settings, costs) = (settings(self)?, costs(self)?);
        let [near, far] = [self.boards.sender(sim), self.boards.receiver(sim)]
            .map(|board| board.computing(self.processor_share));
        let controller = |board: &Board| {
            let name = format!("{} controller", board.name());
            let made = Controller::new(air, sim, &name, *board.clock());
            made.0.compute_on(board);
            made
        };
        let ((from, from_events), (to, to_events)) = (controller(&near), controller(&far));
        [&from, &to].into_iter().for_each(|end| end.on_incident(bench.incidents()));
        self.losses.apply(air, [from.node(), to.node()]);
        let nodes = [from.node(), to.node()];
        let uncoded = |rate| NoncoherentFsk { rate: Hertz(rate) };
        match settings.phy {
            Phy::Le1M => self.propagation.apply(bench, nodes, uncoded(1e6), HEARING),
            Phy::Le2M => self.propagation.apply(bench, nodes, uncoded(2e6), HEARING),
            Phy::CodedS2 => self.propagation.apply(bench, nodes, LeCoded::S2, HEARING),
            Phy::CodedS8 => self.propagation.apply(bench, nodes, LeCoded::S8, HEARING),
        }
        let interval = settings.interval.duration();
        let anchor_phase = phase_of(sim, "connection/anchor phase", self.anchor_phase, interval);
        let settings = Settings { anchor_phase, ..settings };
        let notifies = costs.notifies();
        let (central, peripheral) = if notifies { (&to, &from) } else { (&from, &to) };
        // Connection events occur at both ends; only the sending end counts them.
        let (sender, receiver) = match self.host {
            HostKind::Costs => {
                connect(central, peripheral, settings);
                let sender = CostsHost::new(&near, &from, from_events, costs, bench.incidents());
                // Return traffic uses the operation for its direction.
                let operation = if notifies { Opcode::WriteCommand } else { Opcode::Notification };
                let costs = HostCosts { operation, ..costs };
                let receiver = CostsHost::new(&far, &to, to_events, costs, |_| {});
                (Host::Costs(sender), Host::Costs(receiver))
            }
            HostKind::TroubleHost => {
                let meeting = Meeting::new(central, peripheral, settings);
                let hci = HciCosts {
                    send: costs.send,
                    receive: costs.receive,
                    acl_length: costs.acl_length,
                    buffers: costs.queue.min(usize::from(u8::MAX)) as u8,
                };
                let end = |board: &Board, controller, events, central, incident| {
                    let address = peer_address(central);
                    let port = Hci::new(board, controller, events, &meeting, address, hci);
                    let (operation, chunk) = (costs.operation, costs.chunk);
                    Host::Open(if central {
                        OpenHost::central(board, port, settings, operation, chunk, incident)
                    } else {
                        OpenHost::peripheral(board, port, operation, chunk, incident)
                    })
                };
                let record: Box<dyn Fn(&'static str)> = Box::new(bench.incidents());
                let sender = end(&near, &from, from_events, !notifies, record);
                (sender, end(&far, &to, to_events, notifies, Box::new(|_| {})))
            }
        };
        let pins = |board| self.boards.pins(board, self.strobe);
        Ok(Ends::two(
            End { pins: pins(&near), link: sender.set_up() },
            End { pins: pins(&far), link: receiver.set_up() },
        ))
    }

    /// Two tones a quarter of the rate from the carrier (Core 5.4, 6.A.3.1), over 37 channels that
    /// are 2 MHz apart, all of them used; no carrier sense.
    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        let (power_dbm, gain_dbi) = self.propagation.radiates();
        let bits_khz = if self.phy == Phy::Le2M { 2_000.0 } else { 1_000.0 };
        let spectrum = Spectrum::half_sines(bits_khz);
        // An adaptive hopper is assessed by the channels that it keeps.
        let (channels, adaptive) = match self.adaptive_hopping {
            true => (u32::from(self.least_channels), true),
            false => (37, false),
        };
        let hopping = Some(Hopping { channels, spacing_khz: 2_000, adaptive });
        Some(Transmitter { power_dbm, gain_dbi, spectrum, hopping, access: Access::Blind })
    }
}

/// Largest number of events over which a stream is evaluated.
const EVENTS: u64 = 1_000;

/// Usable time of an event, ns.
fn room(settings: &Settings) -> u64 {
    settings.interval.duration().min(settings.event_length).as_ns()
}

/// Lengths of the packets that carry a message.
fn pdus(settings: &Settings, costs: &HostCosts, size: usize) -> Vec<usize> {
    let (full, rest) = split(size, costs.chunk);
    let chunks = core::iter::repeat_n(costs.chunk, full as usize).chain((rest > 0).then_some(rest));
    let frames = chunks.map(|chunk| att::frame(costs.operation, 0, &vec![0; chunk]).len());
    // The host divides a frame into fragments, and the controller divides these again.
    let cut = |len: usize, most: usize| {
        let pieces = len.div_ceil(most);
        (0..pieces).map(move |nth| most.min(len - nth * most))
    };
    frames
        .flat_map(|len| cut(len, costs.acl_length))
        .flat_map(|len| cut(len, settings.data_length))
        .collect()
}
