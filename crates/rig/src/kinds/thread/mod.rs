//! A Thread device and its border router, one hop apart.

mod parameters;

use std::collections::BTreeMap;
use std::future::ready;

use airlag_air::error_rate::OqpskDsss;
use airlag_link::airtime::ieee802154::{ACK_PSDU, CCA_SYMBOLS, MAX_PSDU};
use airlag_models::mcu::Board;
use airlag_models::stack::ieee802154::Node;
use airlag_models::stack::thread::adaptation;
use airlag_models::stack::thread::config::ROOM;
use airlag_models::stack::thread::{Station, Thread as Link};

use crate::ends::{Bench, End, Opening, Pins};
use crate::error::Refusal;
use crate::floor::{Cycle, Floor, split};
use crate::kind::{Between, Medium, TwoEnds, Ways};
use crate::knob::Knob;

pub use parameters::{Direction, Parameters, SerialLine};
use parameters::{Told, told};

/// This kind, as it is listed.
pub static KIND: Between<Thread> = Between::new();

/// A Thread device and its border router.
pub struct Thread;

const AIRTIME: &str = "IEEE 802.15.4-2006, 6.3";

/// Frames of a message by the octets of their PSDU, and how many there are.
fn frames(p: &Parameters, size: usize) -> (BTreeMap<usize, u64>, u64) {
    let (full, rest) = split(size, p.datagram);
    let mut by_len = BTreeMap::new();
    for (len, times) in [(p.datagram, full), (rest, u64::from(rest > 0))] {
        if times == 0 {
            continue;
        }
        for payload in adaptation::lengths(len, ROOM) {
            *by_len.entry(MAX_PSDU - ROOM + payload).or_default() += times;
        }
    }
    let count = by_len.values().sum();
    (by_len, count)
}

impl TwoEnds for Thread {
    const NAME: &'static str = "thread";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;

    /// What the programs, the kernel and the build of OpenThread decide, and the co-processor's line.
    const KNOBS: &'static [Knob] = &[
        // The ECB peripheral of an nRF52840: 7.2 us a block.
        Knob::of(Parameters::aes_block, &["7200ns"]),
        Knob::of(Parameters::device_send, &["2ms"])
            .giving_up("a system call for each step: they are batched"),
        Knob::of(Parameters::when_full, &["wait"])
            .giving_up("a program that goes on while there is no buffer"),
        Knob::of(Parameters::datagram, &["85"])
            .giving_up("long datagrams: a program cuts its messages itself"),
        Knob::of(Parameters::device_buffers, &["128"]).giving_up("10.5 KiB of memory"),
        Knob::of(Parameters::serial_latency, &["125us"]),
        Knob::of(Parameters::min_be, &["0", "1"]).giving_up("frames, where others contend"),
        Knob::of(Parameters::interframe_space, &["false"])
            .giving_up("the time a slower receiver is granted"),
    ];

    type Parameters = Parameters;

    /// Frames with their CCA and turnaround, and what follows all but the last; of random backoffs the
    /// shortest, which is none. Neither AES nor a co-processor's line is in it.
    fn floor(p: &Parameters, size: usize) -> Result<Floor, Refusal> {
        let mac = &told(p)[0].mac;
        let phy = mac.phy();
        let (by_len, frames) = frames(p, size);
        let gaps = frames.saturating_sub(1);
        let turn = mac.turnaround.as_ns();
        let mut floor = Floor::new()
            .with("cca", frames, phy.symbols_ns(CCA_SYMBOLS), "IEEE 802.15.4-2006, 6.9.9")
            .with("turnaround", frames, turn, "IEEE 802.15.4-2006, 6.4.1");
        for (psdu, times) in by_len.into_iter().rev() {
            floor = floor.with(format!("air, {psdu} B"), times, phy.duration_ns(psdu), AIRTIME);
        }
        Ok(after(p, floor, gaps))
    }

    /// Every frame with its answer and the least distance to the next: a backoff of nothing.
    fn cycle(p: &Parameters, size: usize) -> Result<Cycle, Refusal> {
        // What a single message does not wait for.
        Ok(Cycle::each(after(p, Self::floor(p, size)?, 1)))
    }

    fn fragments(p: &Parameters, size: usize) -> Option<u64> {
        Some(frames(p, size).1)
    }

    fn ends(
        p: &Parameters,
        _: usize,
        bench: &Bench,
    ) -> Result<(End<impl Pins, impl Opening>, End<impl Pins, impl Opening>), Refusal> {
        let (sim, air) = (bench.sim(), bench.air());
        let [near, far] = p.boards(sim);
        let end = |board: &Board, told: &Told| {
            let name = format!("{} radio", board.name());
            let node = Node::new(air, &name, sim, *board.clock(), told.mac);
            let (happened, also) = (bench.incidents(), bench.incidents());
            node.observe(move |incident| happened(incident.name()));
            let station =
                Station::start(board, &node, told.station, move |incident| also(incident.name()));
            let link = ready(Ok::<_, String>(Link::new(&station)));
            (node.id(), End { pins: p.pins(board), link })
        };
        let [sending, receiving] = told(p);
        let ((from, near), (to, far)) = (end(&near, &sending), end(&far, &receiving));
        p.losses.apply(air, [from, to]);
        p.propagation.apply(bench, [from, to], OqpskDsss);
        Ok((near, far))
    }
}

/// The same with the acknowledgements of `count` frames and the silence behind them.
fn after(p: &Parameters, floor: Floor, count: u64) -> Floor {
    let mac = &told(p)[0].mac;
    let phy = mac.phy();
    let spaces = if mac.interframe_space { count } else { 0 };
    // Every frame of data is a long one: headers and security alone are 42 octets.
    let space = phy.interframe_space_ns(MAX_PSDU);
    floor
        .with("turn to acknowledge", count, mac.ack_turnaround.as_ns(), "IEEE 802.15.4-2006, 6.4.1")
        .with("acknowledgement", count, phy.duration_ns(ACK_PSDU), AIRTIME)
        .with("interframe space", spaces, space, "IEEE 802.15.4-2006, 7.5.1.3")
}
