//! Two ESP32 boards whose own host stack runs the serial port profile.

use std::future::ready;

use airlag_models::mcu::Board;
use airlag_models::stack::bt_classic::{PacketType, Spp as Port, SppTiming};
use airlag_sim::Duration;

use crate::boards::piconet::{Packet, Piconet};
use crate::boards::rtos::{self, Rtos};
use crate::calls;
use crate::neighbours;
use airlag_air::transmitter::Transmitter;
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor, split};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;
use airlag_rig::parameter::parameters;

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// the link between the boards
        piconet: Piconet,
        /// enhanced retransmission mode of L2CAP below RFCOMM
        ertm: bool,
        /// longest write
        write_size: usize = whole(1, 1_016, "B"),
        /// from the write to its completion event in the program
        write: Duration,
        /// pending writes at which the connection becomes congested
        high_water: usize = whole(0, 255, "frames"),
        /// time to hand over and check one received byte
        per_byte: Duration,
        /// duration of the strobe pulse
        strobe: Duration,
        /// the two boards
        boards: Rtos,
    }
}

impl Parameters {
    /// Bytes of a frame in addition to RFCOMM's: control field and FCS of the enhanced
    /// retransmission mode (Core Specification, Vol 3, Part A, 3.3).
    const fn trailer(&self) -> usize {
        if self.ertm { 4 } else { 0 }
    }
}

const AIRTIME: &str = "Core Specification, Vol 2, Part B, 6";
const EXCHANGE: &str =
    "Core Specification, Vol 2, Part B, 2.2.5 and 6.5: whole slots, and one for the answer";

fn exchange(kind: PacketType) -> String {
    format!("{kind} and its answer")
}

impl Facts for Parameters {
    const NAME: &'static str = "spp";
    const MEDIUM: Medium = Medium::Air;
    const LOSES: bool = false;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::OTHERS;

    /// Trigger notification, size of a write, and settings on which the two sides agree.
    const KNOBS: &'static [Knob] = &[
        rtos::NOTICE_KNOB,
        rtos::TICK_KNOB,
        Knob::of(Parameters::write_size, &["64", "128", "330", "990"]),
        Knob::all(Piconet::sender_role),
        Knob::of(Parameters::ertm, &["false"]),
        // esp_bt_gap_set_qos.
        Knob::of(Piconet::poll_interval, &["2", "4"]).giving_up_energy("power"),
        // esp_bt_gap_set_scan_mode, once connected.
        Knob::of(Piconet::scan_windows, &["0"])
            .giving_up("others can neither find nor connect this device"),
        Knob::of(Piconet::packets, &["edr3"])
            .giving_up_range("range: 3 Mbit/s needs the strongest signal"),
    ];
}

impl Configured for Parameters {
    /// The packets of the frames are back to back. Each but the last is followed by the slot of its
    /// response. The first is sent in a slot that begins at once.
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        let write = self.write_size.min(self.piconet.frame_max);
        let (full, rest) = split(size, write);
        let last = if rest > 0 { rest } else { write.min(size) };
        let before = full - u64::from(rest == 0 && full > 0);
        let mut floor = Floor::new();
        for packet in self.piconet.frame_packets(write, self.trailer()) {
            floor = floor.with(exchange(packet.kind), before, packet.exchange_ns, EXCHANGE);
        }
        let mut packets = self.piconet.frame_packets(last, self.trailer()).peekable();
        while let Some(Packet { kind, bytes, air_ns, exchange_ns }) = packets.next() {
            floor = match packets.peek() {
                Some(_) => floor.with(exchange(kind), 1, exchange_ns, EXCHANGE),
                None => floor.with(format!("air, {kind}, {bytes} B"), 1, air_ns, AIRTIME),
            };
        }
        Ok(floor)
    }

    /// Every frame with the slot of its response.
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        let write = self.write_size.min(self.piconet.frame_max);
        let (full, rest) = split(size, write);
        let mut takes = Floor::new();
        for (bytes, frames) in [(write, full), (rest, u64::from(rest > 0))] {
            if frames == 0 {
                continue;
            }
            for packet in self.piconet.frame_packets(bytes, self.trailer()) {
                takes = takes.with(exchange(packet.kind), frames, packet.exchange_ns, EXCHANGE);
            }
        }
        Ok(Cycle::each(takes))
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let (near, far) = (self.boards.sender(bench.sim()), self.boards.receiver(bench.sim()));
        let (one, other) = self.piconet.connect(bench, self.trailer())?;
        let timing = SppTiming {
            write_size: self.write_size,
            write: self.write,
            high_water: self.high_water,
            per_byte: self.per_byte,
        };
        let end = |board: &Board, channel| End {
            pins: self.boards.pins(board, self.strobe),
            link: ready(Ok::<_, String>(Port::new(board, channel, timing))),
        };
        Ok(Ends::two(end(&near, one), end(&far, other)))
    }

    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        Some(self.piconet.transmitter())
    }
}
