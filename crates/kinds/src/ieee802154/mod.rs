//! Two boards with raw IEEE 802.15.4 radios.

mod parameters;

use std::future::ready;

use airlag_link::airtime::ieee802154::{ACK_PSDU, CCA_SYMBOLS, Phy};
use airlag_models::mcu::Board;
use airlag_models::stack::ieee802154::demodulator::Demodulator;
use airlag_models::stack::ieee802154::frame::{FCS_LEN, HEADER_LEN};
use airlag_models::stack::ieee802154::{Channel, Config, Host, Ieee802154 as Link, Node};

use crate::boards::rtos;
use crate::calls;
use crate::neighbours;
use airlag_air::Band;
use airlag_air::transmitter::{Access, Spectrum, Transmitter};
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor, Term, split};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;
use airlag_rig::propagation::Propagation;

use parameters::configs;
pub use parameters::{Assessment, OnFailure, Parameters, hearing};

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

impl Facts for Parameters {
    const NAME: &'static str = "ieee802154";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::ALL;

    /// Trigger notification, and MAC attributes. CSMA-CA and the interframe space are not among
    /// them, because the standard requires both (IEEE 802.15.4-2006, 7.5.1.3 and 7.5.1.4).
    const KNOBS: &'static [Knob] = &[
        rtos::NOTICE_KNOB,
        rtos::TICK_KNOB,
        Knob::of(Parameters::acknowledge, &["false"]).giving_up("loss detection and retries"),
        Knob::of(Parameters::min_be, &["0", "1"])
            .giving_up("frames in a crowd: more of them collide"),
    ];

    const REACH: &'static [Knob] =
        &[Knob::of(Parameters::retries, &["7"]).needing(Parameters::acknowledge, "true")];
}

const AIRTIME: &str = "IEEE 802.15.4-2006, 6.3";

/// PSDU length for a payload, bytes.
const fn psdu(payload: usize) -> usize {
    payload + HEADER_LEN + FCS_LEN
}

/// Terms between `count` frames of this length and the next frame.
fn after(config: &Config, count: u64, bytes: usize) -> [Term; 3] {
    let phy = config.phy();
    let answers = if config.ack_request { count } else { 0 };
    let spaces = if config.interframe_space { count } else { 0 };
    let (turn, space) = (config.ack_turnaround.as_ns(), phy.interframe_space_ns(psdu(bytes)));
    [
        Term::new("acknowledgement turnaround", answers, turn, "profile: ack_turnaround"),
        Term::new("acknowledgement", answers, phy.duration_ns(ACK_PSDU), AIRTIME),
        Term::new("interframe space", spaces, space, "IEEE 802.15.4-2006, 7.5.1.3"),
    ]
}

impl Configured for Parameters {
    /// Each frame is preceded by the radio's turnaround, as if it were ready at the end of the
    /// previous frame. All random backoffs are zero.
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        let (config, _) = configs(self, 0)?;
        let phy = config.phy();
        let (full, rest) = split(size, self.chunk);
        let (some, frames) = (u64::from(rest > 0), full + u64::from(rest > 0));
        let looks = if config.csma.is_some() { frames } else { 0 };
        let air = |count, bytes| {
            Term::new(format!("air, {bytes} B"), count, phy.duration_ns(psdu(bytes)), AIRTIME)
        };
        let turned = config.turnaround.as_ns();
        Ok(Floor::of([
            Term::new("cca", looks, phy.symbols_ns(CCA_SYMBOLS), "IEEE 802.15.4-2006, 6.9.9"),
            Term::new("turnaround", frames, turned, "profile: turnaround"),
            air(full, self.chunk),
            air(some, rest),
        ])
        .then(after(&config, frames.saturating_sub(1), self.chunk)))
    }

    /// Every frame with its acknowledgement and the shortest spacing to the next one, with a
    /// backoff of zero.
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        let (config, _) = configs(self, 0)?;
        let (_, rest) = split(size, self.chunk);
        let last = if rest > 0 { rest } else { self.chunk.min(size) };
        // Adds the terms that a single message does not wait for.
        Ok(Cycle::each(self.floor(size)?.then(after(&config, 1, last))))
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let (sim, air) = (bench.sim(), bench.air());
        let (near, far) = (self.boards.sender(sim), self.boards.receiver(sim));
        let radio = |board: &Board, config| {
            let name = format!("{} radio", board.name());
            let node = Node::new(air, &name, sim, *board.clock(), config);
            let happened = bench.incidents();
            node.observe(move |incident| happened(incident.name()));
            node
        };
        let (sending, receiving) = configs(self, bench.place().group)?;
        let (from, to) = (radio(&near, sending), radio(&far, receiving));
        self.losses.apply(air, [from.id(), to.id()]);
        let hearing = hearing(self.band, self.cca);
        self.propagation.apply(bench, [from.id(), to.id()], Demodulator::of(self.band), hearing);

        let host =
            Host { after_send: self.gate, receive: self.receive_overhead, ..Host::default() };
        let end = |board: &Board, node| {
            let mut link = Link::new(node, board, host, self.chunk);
            if self.on_failure == OnFailure::Continue {
                link = link.ignoring_failure();
            }
            End { pins: self.boards.pins(board, self.strobe), link: ready(Ok::<_, String>(link)) }
        };
        Ok(Ends::two(end(&near, &from), end(&far, &to)))
    }

    fn band(&self) -> Band {
        Channel::first(self.band).band()
    }

    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        Some(transmitter(self.band, self.csma, &self.propagation))
    }
}

/// Returns those properties of an IEEE 802.15.4 radio on which regulatory limits depend. The radio
/// transmits on one channel, with half-sine O-QPSK at 2 Mchip/s or with BPSK at 300 or 600 kchip/s
/// (IEEE 802.15.4-2006, 6.5 and 6.6). If the radio uses CSMA-CA, it performs a clear channel
/// assessment of eight symbols (6.9.9).
#[must_use]
pub fn transmitter(phy: Phy, csma: bool, propagation: &Propagation) -> Transmitter {
    let (power_dbm, gain_dbi) = propagation.radiates();
    let spectrum = match phy {
        Phy::Bpsk868 => Spectrum::phases(300.0),
        Phy::Bpsk915 => Spectrum::phases(600.0),
        Phy::Oqpsk2450 => Spectrum::half_sines(2_000.0),
    };
    let look_us = (phy.symbols_ns(CCA_SYMBOLS) / 1_000) as u32;
    let access = if csma { Access::Listens(look_us) } else { Access::Blind };
    Transmitter { power_dbm, gain_dbi, spectrum, hopping: None, access }
}
