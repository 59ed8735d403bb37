//! A Thread device and its border router, one hop apart or several, alone or with others.

mod mesh;
mod network;
mod parameters;
mod takes;
mod trouble;

use crate::{ieee802154, neighbours};
use airlag_law::Transmitter;
use airlag_link::airtime::ieee802154::Phy;
use airlag_rig::ends::{Bench, End, Opening, Pins};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Between, Medium, TwoEnds, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;

pub use mesh::{Called, Mesh};
pub use parameters::{Direction, Parameters, SerialLine};
pub use trouble::Trouble;

/// This kind, as it is listed.
pub static KIND: Between<Thread> = Between::new();

/// A Thread device and its border router.
pub struct Thread;

impl TwoEnds for Thread {
    const NAME: &'static str = "thread";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const NEIGHBOURS: Kinds = neighbours::OTHERS;

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
    ];

    type Parameters = Parameters;

    fn floor(p: &Parameters, size: usize) -> Result<Floor, Refusal> {
        p.mesh.check()?;
        Ok(takes::floor(p, size))
    }

    fn cycle(p: &Parameters, size: usize) -> Result<Cycle, Refusal> {
        p.mesh.check()?;
        Ok(takes::cycle(p, size))
    }

    fn fragments(p: &Parameters, size: usize) -> Option<u64> {
        Some(takes::frames(p, size).iter().map(|&(_, times)| times).sum())
    }

    fn ends(
        p: &Parameters,
        _: usize,
        bench: &Bench,
    ) -> Result<(End<impl Pins, impl Opening>, End<impl Pins, impl Opening>), Refusal> {
        p.mesh.check()?;
        let [near, far] = p.boards(bench.sim());
        let links = network::put_up(p, bench, [&near, &far]);
        let [one, other] = links.map(|link| std::future::ready(Ok::<_, String>(link)));
        Ok((End { pins: p.pins(&near), link: one }, End { pins: p.pins(&far), link: other }))
    }

    fn transmitter(p: &Parameters, _: &str) -> Option<Transmitter> {
        Some(ieee802154::transmitter(Phy::Oqpsk2450, true, &p.propagation))
    }
}
