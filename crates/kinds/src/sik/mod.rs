//! Two boards with a SiK telemetry radio each on their serial ports, and the air between them.
//!
//! ```text
//!  board -> UART -> radio -> air -> radio -> UART -> board
//! ```

mod parameters;

use std::future::ready;
use std::rc::Rc;

use airlag_air::Sense;
use airlag_air::quantity::{Db, Dbm};
use airlag_link::airtime::sik::{Frame, TRAILER, rate_kbps};
use airlag_models::chip::sik::port::byte_cycles;
use airlag_models::chip::sik::radio::FAMILY;
use airlag_models::chip::sik::sensitivity::demodulator;
use airlag_models::chip::sik::settings::TICK;
use airlag_models::chip::sik::{Radio, Round, SYSCLK, Span, Wiring};
use airlag_models::mcu::Board;
use airlag_models::mcu::uart::Wire;
use airlag_sim::Clock;

use crate::calls;
use crate::neighbours;
use crate::relay::Relay;
use airlag_air::Band;
use airlag_air::transmitter::{Access, Hopping, Spectrum, Transmitter};
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor, split};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Ways};
use airlag_rig::knob::{BandPlan, Knob};
use airlag_rig::neighbours::Kinds;
use airlag_rig::parameter::{Name, Phase, Ppb};
use airlag_rig::propagation::Hearing;

pub use parameters::Parameters;
use parameters::{settings, span, timing};

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

/// Two synchronised radios of one network, with the serial lines to and from each.
pub struct Pair {
    /// The radio of the sending board.
    pub sender: Radio,
    /// The radio of the receiving board.
    pub receiver: Radio,
    /// Sending board to its radio.
    pub up: Wire,
    /// The receiving board's radio to the board.
    pub down: Wire,
    /// Receiving board to its radio.
    pub back_up: Wire,
    /// The sending board's radio to the board.
    pub back_down: Wire,
}

/// A fraction of a cycle, from the profile or from the seed.
fn share(bench: &Bench, name: Name, Phase(share): Phase) -> f64 {
    // 53 bits: the resolution of a double below 1.
    let drawn = || {
        let mut stream = bench.sim().stream(&format!("sik/{}", name.as_str()));
        stream.below(1 << 53) as f64 / (1_u64 << 53) as f64
    };
    share.unwrap_or_else(drawn)
}

/// Response of the radio to other signals. The radio senses the carrier by RSSI, at the lowest
/// threshold that the firmware accepts (`LBT_RSSI` of 25). The threshold is converted to dBm with
/// the RSSI scale of ground-station programs: an RSSI of 0 is -127 dBm, and one decibel is 1.9
/// counts. The bandwidth of a channel in kHz is three times the bit rate in kbit/s.
fn hearing() -> Hearing {
    Hearing { family: FAMILY, harm: Db::of(3.0), sense: Sense::energy(Dbm(-114.0)) }
}

/// Places the radios of a profile on the air of a bench.
#[must_use]
pub fn radios(p: &Parameters, bench: &Bench) -> Pair {
    let (sim, air) = (bench.sim(), bench.air());
    let (settings, timing) = (settings(p, bench.place().group), timing(p));
    let phase = share(bench, Parameters::slot_phase, p.slot_phase);
    let place = |name: &str, Ppb(ppb): Ppb, wires: (&Wire, &Wire), slot_phase, statistics_phase| {
        // The radio was switched on at a random time before the bench started, which randomises the
        // phase of its timer.
        let since = sim.stream(&format!("{name}/switched on")).below(1_000_000_000);
        let clock = Clock::exact().with_ppb(ppb).with_offset_ns(1_000_000_000 + since as i64);
        let board = &Board::new(sim, name, clock);
        let baud = p.serial_baud.0;
        let wiring = Wiring { board, baud, wires, slot_phase, statistics_phase };
        let radio = Radio::new(&settings, timing, air, &wiring);
        radio.on_incident(bench.incidents());
        radio
    };
    let [up, down, back_up, back_down] = std::array::from_fn(|_| Wire::new(sim));
    let statistics = share(bench, Parameters::sender_statistics, p.sender_statistics);
    let sender = place("sender radio", p.sender_oscillator, (&up, &back_down), phase, statistics);
    let statistics = share(bench, Parameters::receiver_statistics, p.receiver_statistics);
    let receiver = place(
        "receiver radio",
        p.receiver_oscillator,
        (&back_up, &down),
        (phase + 0.5).fract(),
        statistics,
    );
    let ends = [sender.node(), receiver.node()];
    p.losses.apply(air, ends);
    p.propagation.apply(bench, ends, demodulator(rate_kbps(p.air_rate.0)), hearing());
    Pair { sender, receiver, up, down, back_up, back_down }
}

/// Duration of processor cycles, ns.
const fn ns(cycles: u64) -> u64 {
    (cycles as u128 * 1_000_000_000 / SYSCLK as u128) as u64
}

impl Facts for Parameters {
    const NAME: &'static str = "sik";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::ALL;

    /// AT commands of the radio, and the matching settings of its board's port.
    const KNOBS: &'static [Knob] = &[
        Knob::of(Parameters::serial_baud, &["115200", "230400"]),
        Knob::of(Parameters::max_window, &["10ms", "20ms", "50ms"])
            .giving_up("goodput: a larger share of time is idle"),
        Knob::of(Parameters::air_rate, &["96kbit/s", "128kbit/s", "250kbit/s"])
            .giving_up_range("range: 3 dB per doubling, and 2 dB more above 100 kbit/s"),
        Knob::of(Parameters::ecc, &["false"]).giving_up("correction of bit errors"),
        Knob::of(Parameters::opportunistic_resend, &["false"])
            .giving_up("a second chance for lost packets"),
        Knob::of(Parameters::listen_before_talk, &["false"])
            .giving_up("packets on a shared channel: more of them collide"),
        Knob::of(Parameters::mavlink, &["off"]).giving_up("unfragmented frames"),
    ];

    const REACH: &'static [Knob] = &[
        Knob::of(Parameters::ecc, &["true"]),
        Knob::of(Parameters::air_rate, &["32kbit/s", "16kbit/s", "8kbit/s", "4kbit/s"]),
    ];

    /// ERC Recommendation 70-03, annex 1, permits 25 mW and 1 % duty cycle from 868.0 to 868.6 MHz,
    /// and 500 mW and 10 % duty cycle from 869.4 to 869.65 MHz. The band from 869.4 to 869.65 MHz
    /// is wide enough for one channel at 64 kbit/s. Both bands are too narrow for the 10 default
    /// channels of an 868 MHz modem (main.c, radio_init). From 902 to 928 MHz, 47 CFR
    /// 15.247(a)(1)(i) requires 50 channels.
    const BAND_PLANS: &'static [BandPlan] = &[
        BandPlan {
            region: "eu",
            settings: &[
                (Parameters::min_frequency, "869475kHz"),
                (Parameters::max_frequency, "869775kHz"),
                (Parameters::channels, "1"),
                (Parameters::duty_cycle, "10%"),
            ],
        },
        BandPlan {
            region: "eu",
            settings: &[
                (Parameters::min_frequency, "868200kHz"),
                (Parameters::max_frequency, "868800kHz"),
                (Parameters::channels, "1"),
                (Parameters::duty_cycle, "1%"),
            ],
        },
        BandPlan {
            region: "us",
            settings: &[
                (Parameters::min_frequency, "915000kHz"),
                (Parameters::max_frequency, "928000kHz"),
                (Parameters::channels, "50"),
            ],
        },
    ];
}

impl Configured for Parameters {
    /// The lower bound of the latency includes the bytes on both serial lines and the packets on
    /// the air. The lower bound assumes that the first packet is sent at once, in the transmit
    /// window of the sending radio. For a message that does not fit into one transmit window, the
    /// lower bound also includes the silence after each transmit window that the message fills.
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        through(self, |relay, windows| {
            let through = relay.floor(size);
            // Only the first byte has to cross a line before the air, and only the last byte after
            // it.
            let (full, rest) = split(size, relay.frame_max);
            let some = u64::from(rest > 0);
            let ([line, medium], air) = (relay.sources, relay.air);
            let turns = (full * air(relay.frame_max) + some * air(rest)) / windows.open_ns;
            let in_turn = Floor::new()
                .with("uart in, 1 B", 1, (relay.line_in)(1), line)
                .with(format!("air, {} B", relay.frame_max), full, air(relay.frame_max), medium)
                .with(format!("air, {rest} B"), some, air(rest), medium)
                .with("silence", turns, windows.silence_ns, SILENCE)
                .with("uart out, 1 B", 1, (relay.line_out)(1), line);
            if in_turn.ns() > through.ns() { in_turn } else { through }
        })
    }

    /// The slower of the two: a line, or full packets in alternate windows while the radio at the
    /// other end is idle.
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        through(self, |relay, windows| {
            let (line, longest) = (relay.cycle(size), relay.frame_max);
            // Many messages, so that the last window is negligible.
            let (messages, packets) = (MANY * longest as u64, MANY * size as u64);
            let turns = packets * (relay.air)(longest) / windows.open_ns;
            let takes = Floor::new()
                .with(format!("air, {longest} B"), packets, (relay.air)(longest), relay.sources[1])
                .with("silence", turns, windows.silence_ns, SILENCE);
            let air = Cycle { messages, takes };
            if air.kbps(size) < line.kbps(size) { air } else { line }
        })
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let boards = self.ports.at(self.serial_baud.0)?;
        let pair = radios(self, bench);
        let (near, far) = boards.boards(bench.sim());
        let end = |cpu, from, to| End {
            pins: boards.pins(cpu),
            link: ready(Ok::<_, String>(boards.port(cpu, from, to))),
        };
        let ends =
            Ends::two(end(&near, &pair.back_down, &pair.up), end(&far, &pair.down, &pair.back_up));
        // Boards have only the wires to the radios.
        bench.keep(Rc::new(pair));
        Ok(ends)
    }

    fn positions(&self) -> Vec<(Name, u64)> {
        self.ports.positions()
    }

    fn band(&self) -> Band {
        let Span { low_khz, high_khz } = span(self);
        Band { low_khz, high_khz }
    }

    /// Tones with a deviation in kHz equal to the rate in kbit/s, three times that wide by Carson's
    /// rule, over its channels. Without listen before talk it has no carrier sense.
    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        let rate_khz = rate_kbps(self.air_rate.0) as f64;
        let spectrum = Spectrum {
            six_db_khz: 2.0 * rate_khz,
            twenty_db_khz: 3.0 * rate_khz,
            flat_khz: rate_khz,
        };
        let listens_us = (ns(Round::new(&settings(self, 0)).listen * TICK) / 1_000) as u32;
        let hopping = Hopping {
            channels: u32::from(self.channels),
            spacing_khz: span(self).spacing_khz(self.channels),
            adaptive: false,
        };
        Some(Transmitter {
            power_dbm: self.tx_power,
            gain_dbi: 0.0,
            spectrum,
            hopping: (self.channels > 1).then_some(hopping),
            access: if self.listen_before_talk {
                Access::Listens(listens_us)
            } else {
                Access::Blind
            },
        })
    }
}

const SILENCE: &str = "tdm.c, tdm_init: between two windows";
/// Number of messages over which a stream is evaluated, for each byte of a packet.
const MANY: u64 = 1_000;

/// Timing of a radio's windows.
struct Windows {
    open_ns: u64,
    silence_ns: u64,
}

/// Evaluates `of` on the relay model of radios and lines.
fn through<T>(p: &Parameters, of: impl FnOnce(&Relay<'_>, &Windows) -> T) -> Result<T, Refusal> {
    let (settings, baud) = (settings(p, 0), p.serial_baud.0);
    // The faster of the two processors gives the shortest cycles.
    let faster_ppb = p.sender_oscillator.0.max(p.receiver_oscillator.0);
    let ns = |cycles| (ns(cycles) as f64 / (1.0 + f64::from(faster_ppb) / 1e9)) as u64;
    let boards = p.ports.at(baud)?;
    let round = Round::new(&settings);
    let frame = Frame { rate_kbps: settings.air_rate, ecc: settings.ecc };
    let air = |data: usize| frame.duration_ns(data + TRAILER);
    let sources = [
        "8N1 at the real baud rates: RM0090, Si1000 data sheet, UART0 on timer 1",
        "radio_443x.c: 8 bytes of preamble, 7 around data and trailer",
    ];
    let relay = Relay {
        line_in: &|bytes| boards.line_ns(bytes),
        line_out: &|bytes| ns(bytes as u64 * byte_cycles(baud)),
        frame_max: round.max_data,
        air: &air,
        cycle: &air,
        sources,
    };
    // At the slowest rates, a packet takes longer than the firmware assumes, and extends into the
    // silence.
    let believed = ns(round.flight(round.max_data) * TICK);
    let late = air(round.max_data).saturating_sub(believed);
    let windows = Windows {
        open_ns: ns(round.window * TICK) + late,
        silence_ns: ns(round.silence * TICK).saturating_sub(late),
    };
    Ok(of(&relay, &windows))
}
