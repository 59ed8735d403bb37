//! Two boards with TCP/IP at an Ethernet switch.

use airlag_models::stack::ethernet::{Config, Interface};
use airlag_sim::Duration;

use crate::boards::rtos::{self, Rtos};
use crate::ip::{self, Ip, Packets};
use airlag_rig::ends::{Bench, End, Opening, Pins};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Between, Medium, TwoEnds, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::parameter::{numbers, parameters};

/// This kind, as it is listed.
pub static KIND: Between<Ethernet> = Between::new();

/// Two boards at a switch.
pub struct Ethernet;

numbers! {
    /// Rates of Ethernet on twisted pair, Mbit/s.
    pub struct WireRate(u32) of 10, 100, 1000
}

parameters! {
    /// What a profile of this kind sets.
    pub struct Parameters {
        /// on each wire
        wire_rate: WireRate = unit("Mbit/s"),
        /// from a frame being in the switch to its first bit leaving
        switch: Duration,
        /// packets a board holds to be sent
        interface_queue: usize = whole(1, 10_000, "packets"),
        /// TCP/IP on both
        ip: Ip,
        /// how long the strobe stays high
        strobe: Duration,
        /// the two boards
        boards: Rtos,
    }
}

impl Parameters {
    const fn config(&self) -> Config {
        let Self { wire_rate: WireRate(mbps), switch, interface_queue: queue, .. } = *self;
        Config { mbps, switch, mtu: self.ip.mtu, queue }
    }
}

const WIRE: &str = "IEEE 802.3-2018, 3.1.1 and 4A.4.2";

impl TwoEnds for Ethernet {
    const NAME: &'static str = "ethernet";
    const MEDIUM: Medium = Medium::Wire;
    const WAYS: Ways = Ways::Both;

    const KNOBS: &'static [Knob] = &[
        rtos::NOTICE_KNOB,
        Knob::of(Ip::nagle, &["false"]),
        Knob::of(Ip::frame_writes, &["together"]),
    ];

    type Parameters = Parameters;

    /// Each packet on both wires, the second while the next is on the first.
    fn floor(p: &Parameters, size: usize) -> Result<Floor, Refusal> {
        p.ip.check()?;
        let (config, Packets { full, rest, acks, .. }) = (p.config(), p.ip.message(size));
        let last = if rest.0 > 0 { rest.1 } else { full.1 };
        let name = |packet: usize| format!("wire, packet of {packet} B");
        // What goes back and is waited for takes both wires as well.
        Ok(Floor::new()
            .with(name(full.1), full.0, config.wire_ns(full.1), WIRE)
            .with(name(rest.1), rest.0, config.wire_ns(rest.1), WIRE)
            .with("wire, TCP acknowledgement", 2 * acks, config.wire_ns(ip::ACK), WIRE)
            .with("second wire", 1, config.wire_ns(last), WIRE))
    }

    /// One wire is full; what goes back has the other direction to itself.
    fn cycle(p: &Parameters, size: usize) -> Result<Cycle, Refusal> {
        p.ip.check()?;
        let (config, Packets { messages, full, rest, .. }) = (p.config(), p.ip.stream(size));
        let takes = Floor::new()
            .with("wire, full packets", full.0, config.wire_ns(full.1), WIRE)
            .with("wire, the rest", rest.0, config.wire_ns(rest.1), WIRE);
        Ok(Cycle { messages, takes })
    }

    fn ends(
        p: &Parameters,
        _: usize,
        bench: &Bench,
    ) -> Result<(End<impl Pins, impl Opening>, End<impl Pins, impl Opening>), Refusal> {
        p.ip.check()?;
        let (near, far) = (p.boards.sender(bench.sim()), p.boards.receiver(bench.sim()));
        let [one, other] = Interface::pair(bench.sim(), p.config());
        let (calls, called) = p.ip.connect([(&near, one), (&far, other)]);
        let near = End { pins: p.boards.pins(&near, p.strobe), link: calls };
        let far = End { pins: p.boards.pins(&far, p.strobe), link: called };
        Ok((near, far))
    }
}
