//! Two boards with raw IEEE 802.15.4 radios.

mod parameters;

use std::future::ready;

use airlag_law::{Access, Spectrum, Transmitter};
use airlag_link::airtime::ieee802154::{ACK_PSDU, CCA_SYMBOLS, Phy};
use airlag_models::mcu::Board;
use airlag_models::stack::ieee802154::demodulator::Demodulator;
use airlag_models::stack::ieee802154::frame::{FCS_LEN, HEADER_LEN};
use airlag_models::stack::ieee802154::{Host, Ieee802154 as Link, Node};

use crate::boards::rtos;
use crate::neighbours;
use airlag_rig::ends::{Bench, End, Opening, Pins};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor, split};
use airlag_rig::kind::{Between, Medium, TwoEnds, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;
use airlag_rig::propagation::Propagation;

use parameters::configs;
pub use parameters::{Assessment, OnFailure, Parameters, hearing};

/// This kind, as it is listed.
pub static KIND: Between<Ieee802154> = Between::new();

/// A pair of raw IEEE 802.15.4 radios.
pub struct Ieee802154;

impl TwoEnds for Ieee802154 {
    const NAME: &'static str = "ieee802154";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const NEIGHBOURS: Kinds = neighbours::ALL;

    /// How the task is told, and attributes of the MAC. Neither CSMA-CA nor the space between frames is
    /// one: the standard has both (IEEE 802.15.4-2006, 7.5.1.3 and 7.5.1.4).
    const KNOBS: &'static [Knob] = &[
        rtos::NOTICE_KNOB,
        rtos::TICK_KNOB,
        Knob::of(Parameters::acknowledge, &["false"])
            .giving_up("notice of a lost frame, and its retries"),
        Knob::of(Parameters::min_be, &["0", "1"]).giving_up("frames, where others contend"),
    ];

    type Parameters = Parameters;

    /// Frames with the turnaround of the radio before each, as when the next frame is ready once
    /// the last one is done with; of random backoffs the shortest, which is none.
    fn floor(p: &Parameters, size: usize) -> Result<Floor, Refusal> {
        let (config, _) = configs(p, 0)?;
        let phy = config.phy();
        let (full, rest) = split(size, p.chunk);
        let (some, frames) = (u64::from(rest > 0), full + u64::from(rest > 0));
        let gaps = frames.saturating_sub(1);
        let answers = if config.ack_request { gaps } else { 0 };
        let looks = if config.csma.is_some() { frames } else { 0 };
        let spaces = if config.interframe_space { gaps } else { 0 };
        let psdu = |payload: usize| payload + HEADER_LEN + FCS_LEN;
        let (airtime, turned) = ("IEEE 802.15.4-2006, 6.3", config.turnaround.as_ns());
        let space = phy.interframe_space_ns(psdu(p.chunk));
        Ok(Floor::new()
            .with("cca", looks, phy.symbols_ns(CCA_SYMBOLS), "IEEE 802.15.4-2006, 6.9.9")
            .with("turnaround", frames, turned, "profile: turnaround")
            .with(format!("air, {} B", p.chunk), full, phy.duration_ns(psdu(p.chunk)), airtime)
            .with(format!("air, {rest} B"), some, phy.duration_ns(psdu(rest)), airtime)
            .with(
                "turn to acknowledge",
                answers,
                config.ack_turnaround.as_ns(),
                "profile: ack_turnaround",
            )
            .with("acknowledgement", answers, phy.duration_ns(ACK_PSDU), airtime)
            .with("interframe space", spaces, space, "IEEE 802.15.4-2006, 7.5.1.3"))
    }

    /// Every frame with its answer and the least distance to the next: a backoff of nothing.
    fn cycle(p: &Parameters, size: usize) -> Result<Cycle, Refusal> {
        let (config, _) = configs(p, 0)?;
        let phy = config.phy();
        let (_, rest) = split(size, p.chunk);
        let last = if rest > 0 { rest } else { p.chunk.min(size) } + HEADER_LEN + FCS_LEN;
        let (answers, spaces) = (u64::from(config.ack_request), u64::from(config.interframe_space));
        let turn = config.ack_turnaround.as_ns();
        let takes = Self::floor(p, size)?
            // What a single message does not wait for.
            .with("turn to acknowledge", answers, turn, "profile: ack_turnaround")
            .with("acknowledgement", answers, phy.duration_ns(ACK_PSDU), "IEEE 802.15.4-2006, 6.3")
            .with(
                "interframe space",
                spaces,
                phy.interframe_space_ns(last),
                "IEEE 802.15.4-2006, 7.5.1.3",
            );
        Ok(Cycle::each(takes))
    }

    fn ends(
        p: &Parameters,
        _: usize,
        bench: &Bench,
    ) -> Result<(End<impl Pins, impl Opening>, End<impl Pins, impl Opening>), Refusal> {
        let (sim, air) = (bench.sim(), bench.air());
        let (near, far) = (p.boards.sender(sim), p.boards.receiver(sim));
        let radio = |board: &Board, config| {
            let name = format!("{} radio", board.name());
            let node = Node::new(air, &name, sim, *board.clock(), config);
            let happened = bench.incidents();
            node.observe(move |incident| happened(incident.name()));
            node
        };
        let (sending, receiving) = configs(p, bench.place().group)?;
        let (from, to) = (radio(&near, sending), radio(&far, receiving));
        p.losses.apply(air, [from.id(), to.id()]);
        let hearing = hearing(p.band, p.cca);
        p.propagation.apply(bench, [from.id(), to.id()], Demodulator::of(p.band), hearing);

        let host = Host { after_send: p.gate, receive: p.receive_overhead, ..Host::default() };
        let end = |board: &Board, node| {
            let mut link = Link::new(node, board, host, p.chunk);
            if p.on_failure == OnFailure::Continue {
                link = link.ignoring_failure();
            }
            End { pins: p.boards.pins(board, p.strobe), link: ready(Ok::<_, String>(link)) }
        };
        Ok((end(&near, &from), end(&far, &to)))
    }

    fn transmitter(p: &Parameters, _: &str) -> Option<Transmitter> {
        Some(transmitter(p.band, p.csma, &p.propagation))
    }
}

/// What such a radio is in the eyes of the law: half-sine O-QPSK of 2 Mchip/s, or BPSK of 300 or
/// 600 kchip/s (IEEE 802.15.4-2006, 6.5 and 6.6), on one channel, which it looks at for eight symbols
/// (6.9.9) if it does CSMA-CA.
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
