//! Two boards with TCP/IP on an Ethernet switch.

use airlag_models::stack::ethernet::{Config, Interface};
use airlag_sim::Duration;

use crate::boards::rtos::{self, Rtos};
use crate::calls;
use crate::ip::{self, Ip, Packets};
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Timer, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::parameter::{numbers, parameters};

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

numbers! {
    /// Ethernet rates on twisted pair, Mbit/s.
    pub struct WireRate(u32) of 10, 100, 1000
}

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// rate of each wire
        wire_rate: WireRate = unit("Mbit/s"),
        /// from a frame's arrival in the switch to its first bit leaving
        switch: Duration,
        /// packets that a board queues for sending
        interface_queue: usize = whole(1, 10_000, "packets"),
        /// TCP/IP of both boards
        ip: Ip,
        /// duration of the strobe pulse
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

impl Facts for Parameters {
    const NAME: &'static str = "ethernet";
    const MEDIUM: Medium = Medium::Wire;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;

    const KNOBS: &'static [Knob] = &[
        rtos::NOTICE_KNOB,
        Knob::of(Ip::nagle, &["false"]),
        Knob::of(Ip::frame_writes, &["together"]),
    ];
}

impl Configured for Parameters {
    /// Every data packet passes both wires. On the second wire only the last packet adds time,
    /// because each of the others overlaps with the next packet on the first wire.
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        self.ip.check()?;
        let (config, Packets { full, rest, acks, .. }) = (self.config(), self.ip.message(size));
        let last = if rest.0 > 0 { rest.1 } else { full.1 };
        let name = |packet: usize| format!("wire, packet of {packet} B");
        // Return packets that the sender waits for also pass both wires.
        Ok(Floor::new()
            .with(name(full.1), full.0, config.wire_ns(full.1), WIRE)
            .with(name(rest.1), rest.0, config.wire_ns(rest.1), WIRE)
            .with("wire, TCP acknowledgement", 2 * acks, config.wire_ns(ip::ACK), WIRE)
            .with("second wire", 1, config.wire_ns(last), WIRE))
    }

    /// The period is limited by one saturated wire; return traffic uses the other direction.
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        self.ip.check()?;
        let (config, Packets { messages, full, rest, .. }) = (self.config(), self.ip.stream(size));
        let takes = Floor::new()
            .with("wire, full packets", full.0, config.wire_ns(full.1), WIRE)
            .with("wire, the rest", rest.0, config.wire_ns(rest.1), WIRE);
        Ok(Cycle { messages, takes })
    }

    fn timers(&self) -> Vec<Timer> {
        self.ip.timer().into_iter().collect()
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        self.ip.check()?;
        let (near, far) = (self.boards.sender(bench.sim()), self.boards.receiver(bench.sim()));
        let [one, other] = Interface::pair(bench.sim(), self.config());
        let (calls, called) = self.ip.connect([(&near, one), (&far, other)]);
        let near = End { pins: self.boards.pins(&near, self.strobe), link: calls };
        let far = End { pins: self.boards.pins(&far, self.strobe), link: called };
        Ok(Ends::two(near, far))
    }
}
