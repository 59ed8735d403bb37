//! Two boards, two SiK telemetry radios on their serial ports and the air between them.
//!
//! ```text
//!  board -> UART -> radio -> air -> radio -> UART -> board
//! ```
//!
//! The boards and their ports are those of [`crate::uart`]; the driver is the transparent modem's.

use std::cell::RefCell;
use std::convert::Infallible;
use std::future::ready;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_link::airtime::sik::{Frame, TRAILER};
use airlag_models::chip::sik::port::byte_cycles;
use airlag_models::chip::sik::settings::TICK;
use airlag_models::chip::sik::{Framing, Radio, Round, SYSCLK, Settings, Timing, Wiring as Place};
use airlag_models::mcu::Board;
use airlag_models::mcu::uart::Wire;
use airlag_sim::{Clock, Line, Sim};

use crate::error::Error;
use crate::floor::relay::Relay;
use crate::floor::{Floor, split};
use crate::frame_loss::{self, FrameLoss};
use crate::knob::Knob;
use crate::parameter::Known;
use crate::profile::Profile;
use crate::run::{Report, Wiring};
use crate::uart::Setup as Boards;
use crate::{programs, uart};

/// The internal oscillator of the Si1000 is off by 2 % at most (data sheet, "Internal precision
/// oscillator electrical characteristics").
const fn oscillator(name: &'static str, about: &'static str) -> Known {
    Known::whole(name, "ppb", -20_000_000, 20_000_000, about)
}

const RADIO: [Known; 25] = [
    Known::choice(
        "serial_baud",
        "baud",
        "1200 | 2400 | 4800 | 9600 | 19200 | 38400 | 57600 | 115200 | 230400",
        "rate of both serial lines",
    ),
    Known::choice(
        "air_rate",
        "kbit/s",
        "2 | 4 | 8 | 16 | 19 | 24 | 32 | 48 | 64 | 96 | 128 | 192 | 250",
        "air data rate",
    ),
    Known::choice(
        "mavlink",
        "",
        "off | v1 | v0.9+v1 | v1+v2",
        "which bytes of the stream begin a frame that is kept in one piece",
    ),
    Known::flag("ecc", "Golay code: every byte twice on the air"),
    Known::whole("max_window", "ms", 2, 131, "widest window, in milliseconds of the firmware"),
    Known::whole("duty_cycle", "%", 1, 100, "share of the time it may transmit"),
    Known::flag("listen_before_talk", "wait until the channel has been quiet"),
    Known::flag("opportunistic_resend", "send the last packet again while little waits"),
    Known::whole("channels", "", 1, 50, "channels it hops over"),
    Known::whole("network", "", 0, 65_535, "number of the network"),
    Known::whole("receive_buffer", "B", 2, 65_536, "ring between the serial line and the air"),
    Known::whole("send_buffer", "B", 2, 65_536, "ring between the air and the serial line"),
    Known::ns("loop_turn", "one turn of the radio's main loop with nothing to do"),
    Known::ns("transmit_setup", "from the decision to send to the first bit on the air"),
    Known::ns("frame_byte", "putting one byte of the stream into a packet"),
    Known::ns("transmit_end", "from the last bit on the air to the main loop's next look"),
    Known::ns("receive_latency", "from the last bit on the air to the packet in memory"),
    Known::ns("receive_work", "from the look that finds a packet to its first byte at the port"),
    Known::ns("receive_byte", "for each byte of it"),
    oscillator("sender_oscillator", "how fast the sending radio's processor runs"),
    oscillator("receiver_oscillator", "how fast the receiving radio's processor runs"),
    Known::phase("slot_phase", "where the sending radio stands in its round"),
    Known::phase("sender_statistics", "where the sending radio stands in its half-second"),
    Known::phase("receiver_statistics", "where the receiving radio stands in its half-second"),
    frame_loss::SHARE,
];

const fn is_own(known: &Known) -> bool {
    // The rate of the port is the radio's: both ends of a serial line agree on it.
    !matches!(known.name.as_bytes(), b"baud")
}

/// What a profile of this kind sets: the radios, then the boards.
pub const PARAMETERS: &[Known] = &{
    let mut all = [RADIO[0]; RADIO.len() + uart::PARAMETERS.len() - 1];
    let (mut at, mut from) = (0, 0);
    while at < RADIO.len() {
        all[at] = RADIO[at];
        at += 1;
    }
    while from < uart::PARAMETERS.len() {
        if is_own(&uart::PARAMETERS[from]) {
            all[at] = uart::PARAMETERS[from];
            at += 1;
        }
        from += 1;
    }
    all
};

/// The radios of a profile.
struct Setup {
    settings: Settings,
    timing: Timing,
    baud: u64,
    loss: FrameLoss,
}

/// A processor's cycles in `ns` by its own clock.
const fn cycles(ns: u64) -> u64 {
    (ns as u128 * SYSCLK as u128 / 1_000_000_000) as u64
}

impl Setup {
    fn new(p: &Profile) -> Result<Self, Error> {
        let cost = |name| Ok::<u64, Error>(cycles(p.whole(name)?));
        let number = |name| {
            let text = p.choice(name)?;
            text.parse().map_err(|_| Error::MissingParameter { link: p.name.clone(), name })
        };
        Ok(Self {
            settings: Settings {
                air_rate: number("air_rate")?,
                ecc: p.flag("ecc")?,
                framing: match p.choice("mavlink")? {
                    "off" => Framing::Off,
                    "v1" => Framing::V10,
                    "v0.9+v1" => Framing::V09V10,
                    _ => Framing::V10V20,
                },
                opportunistic_resend: p.flag("opportunistic_resend")?,
                channels: p.whole("channels")? as u8,
                network: p.whole("network")? as u16,
                max_window_ms: p.whole("max_window")?,
                duty_cycle: p.whole("duty_cycle")? as u8,
                listen_before_talk: p.flag("listen_before_talk")?,
                receive_buffer: p.whole("receive_buffer")? as usize,
                send_buffer: p.whole("send_buffer")? as usize,
            },
            timing: Timing {
                turn: cost("loop_turn")?,
                transmit_setup: cost("transmit_setup")?,
                frame_byte: cost("frame_byte")?,
                transmit_end: cost("transmit_end")?,
                receive_latency: cost("receive_latency")?,
                receive_work: cost("receive_work")?,
                receive_byte: cost("receive_byte")?,
            },
            baud: number("serial_baud")?,
            loss: FrameLoss::independent(p)?,
        })
    }
}

/// A share of a cycle, from the profile or from the seed.
fn share(p: &Profile, name: &'static str, sim: &Sim) -> Result<f64, Error> {
    // 53 bits: every share a double can hold.
    let drawn = || sim.stream(&format!("sik/{name}")).below(1 << 53) as f64 / (1_u64 << 53) as f64;
    Ok(p.phase(name)?.unwrap_or_else(drawn))
}

/// Two radios of one network, in step, with the serial lines to and from each.
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

/// Puts the radios of a profile into `air`; `report` is told their incidents.
pub fn radios(
    profile: &Profile,
    sim: &Sim,
    air: &Medium,
    report: &Rc<RefCell<Report>>,
) -> Result<Pair, Error> {
    let setup = Setup::new(profile)?;
    let phase = share(profile, "slot_phase", sim)?;
    let place = |name: &str, oscillator, wires: (&Wire, &Wire), slot: f64, statistics| {
        // It was switched on at some moment before the bench began, so its timer stands anywhere.
        let since = sim.stream(&format!("{name}/switched on")).below(1_000_000_000);
        let clock = Clock::exact()
            .with_ppb(profile.signed(oscillator)? as i32)
            .with_offset_ns(1_000_000_000 + since as i64);
        let place = Place {
            board: &Board::new(sim, name, clock),
            baud: setup.baud,
            wires,
            slot_phase: slot,
            statistics_phase: share(profile, statistics, sim)?,
        };
        let radio = Radio::new(&setup.settings, setup.timing, air, &place);
        let told = Rc::clone(report);
        radio.on_incident(move |name| *told.borrow_mut().incidents.entry(name).or_default() += 1);
        Ok::<Radio, Error>(radio)
    };
    let [up, down, back_up, back_down] = std::array::from_fn(|_| Wire::new(sim));
    let sender =
        place("sender radio", "sender_oscillator", (&up, &back_down), phase, "sender_statistics")?;
    let receiver = place(
        "receiver radio",
        "receiver_oscillator",
        (&back_up, &down),
        (phase + 0.5).fract(),
        "receiver_statistics",
    )?;
    setup.loss.apply(air, [sender.node(), receiver.node()]);
    Ok(Pair { sender, receiver, up, down, back_up, back_down })
}

/// What can be turned: AT commands of the radio, and its board's port to match.
pub const KNOBS: &[Knob] = &[
    Knob::of("serial_baud", &["115200", "230400"]),
    Knob::of("max_window", &["10ms", "20ms", "50ms"])
        .giving_up("goodput: a larger share is silence"),
    Knob::of("air_rate", &["96kbit/s", "128kbit/s", "250kbit/s"])
        .giving_up("range: 3 dB a doubling"),
    Knob::of("ecc", &["false"]).giving_up("correction of bit errors"),
    Knob::of("opportunistic_resend", &["false"]).giving_up("a second chance for lost packets"),
    Knob::of("listen_before_talk", &["false"]).giving_up("packets, where others use the channel"),
    Knob::of("mavlink", &["off"]).giving_up("frames kept in one piece"),
];

/// What a message takes at least: its bytes on both lines and its packets on the air, the first in a
/// window that is open and its own. A message that does not fit into one window waits for the
/// silence behind it.
pub fn floor(profile: &Profile, size: usize) -> Result<Floor, Error> {
    let setup = Setup::new(profile)?;
    let boards = Boards::at(profile, setup.baud)?;
    let round = Round::new(&setup.settings);
    let frame = Frame { rate_kbps: setup.settings.air_rate, ecc: setup.settings.ecc };
    let air = |data: usize| frame.duration_ns(data + TRAILER);
    let sources = [
        "8N1 at the real baud rates: RM0090, Si1000 data sheet, UART0 on timer 1",
        "radio_443x.c: 8 bytes of preamble, 7 around data and trailer",
    ];
    let relay = Relay {
        line_in: &|bytes| boards.line_ns(bytes),
        line_out: &|bytes| ns(bytes as u64 * byte_cycles(setup.baud)),
        frame_max: round.max_data,
        air: &air,
        cycle: &air,
        sources,
    };
    let through = relay.floor(size);

    // The same message, were the lines as quick as its first and its last byte.
    let (full, rest) = split(size, round.max_data);
    let some = u64::from(rest > 0);
    // At the slowest rates a packet takes longer than the firmware believes, and ends in the silence.
    let believed = ns(round.flight(round.max_data) * TICK);
    let late = air(round.max_data).saturating_sub(believed);
    let turns = (full * air(round.max_data) + some * air(rest)) / (ns(round.window * TICK) + late);
    let silence = ns(round.silence * TICK).saturating_sub(late);
    let in_turn = Floor::new()
        .with("uart in, 1 B", 1, (relay.line_in)(1), sources[0])
        .with(format!("air, {} B", round.max_data), full, air(round.max_data), sources[1])
        .with(format!("air, {rest} B"), some, air(rest), sources[1])
        .with("silence", turns, silence, "tdm.c, tdm_init: between two windows")
        .with("uart out, 1 B", 1, (relay.line_out)(1), sources[0]);
    Ok(if in_turn.ns() > through.ns() { in_turn } else { through })
}

/// What a processor's cycles take, in ns.
const fn ns(cycles: u64) -> u64 {
    (cycles as u128 * 1_000_000_000 / SYSCLK as u128) as u64
}

/// Builds the bench of a profile.
pub fn wire(profile: &Profile, size: usize, sim: &Sim) -> Result<Wiring, Error> {
    let air = Medium::new(sim);
    let report = Rc::new(RefCell::new(Report::default()));
    let pair = radios(profile, sim, &air, &report)?;
    let boards = Boards::at(profile, Setup::new(profile)?.baud)?;

    let (trigger, strobe) = (Line::new(sim, false), Line::new(sim, false));
    let (sending, receiving) = boards.boards(sim);
    let input = boards.trigger(&sending, &trigger);
    let link = boards.end(&sending, &pair.back_down, &pair.up);
    programs::send(sim, &report, size, input, ready::<Result<_, Infallible>>(Ok(link)));
    let output = boards.strobe(&receiving, &strobe);
    let link = boards.end(&receiving, &pair.down, &pair.back_up);
    programs::receive(sim, &report, output, ready::<Result<_, Infallible>>(Ok(link)));
    Ok(Wiring { trigger, strobe, boards: 2, air: Some(air), report })
}
