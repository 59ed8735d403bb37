//! IP over a pair of nRF24L01+: two boards, each with a tunnel, and the air between them.
//!
//! - [`parameters`]: what a profile sets.
//! - [`station`]: one board, its chip and its end of the tunnel.
//! - [`door`]: what a program on the board sees of it.
//! - [`naive`]: a tunnel without all this, as it was measured.
//!
//! A message is the payload of one UDP datagram.

pub mod door;
pub mod naive;
mod parameters;
pub mod station;

use airlag_air::Sniffer;
use airlag_law::Transmitter;
use airlag_link::airtime::nrf24::Frame;
use airlag_models::chip::nrf24::capture::ShockBurst;
use airlag_models::chip::nrf24::packet::FAMILY;
use airlag_models::chip::nrf24::sensitivity::demodulator;
use airlag_tunnel::flow::UDP_IPV4;
use airlag_tunnel::send::LENGTH;
use airlag_tunnel::wire::{HEAD, REPORT, body};

use crate::neighbours;
use crate::nrf24::hearing;
use airlag_rig::ends::{Bench, End, Opening, Pins};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor, split};
use airlag_rig::kind::{Between, Medium, TwoEnds, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;

pub use door::Door;
use parameters::{FRAME, Setup};
pub use parameters::{Parameters, Seal, WhenFull};
pub use station::Station;

/// This kind, as it is listed.
pub static KIND: Between<Tunnel> = Between::new();

/// IP over a pair of nRF24L01+.
pub struct Tunnel;

const AIRTIME: &str = "nRF24L01+ v1.0, 7.3: preamble, address, control, payload, CRC";
const TURNED: &str = "nRF24L01+ v1.0, 6.1.7: Tstby2a";
const IRQ: &str = "nRF24L01+ v1.0, 7.7: Tirq";

/// Bytes of the stream that a message takes, with what its packets add to it.
fn stream(p: &Parameters, size: usize) -> usize {
    let (full, rest) = split(size, usize::from(p.mtu) - UDP_IPV4);
    let packets = full as usize + usize::from(rest > 0);
    size + packets * (UDP_IPV4 + p.seal.protection().overhead() + LENGTH)
}

impl TwoEnds for Tunnel {
    const NAME: &'static str = "tunnel";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const NEIGHBOURS: Kinds = neighbours::OTHERS;

    /// The radio's rate, the seal, and the packets.
    const KNOBS: &'static [Knob] = &[
        // Sensitivity: -94, -85 and -82 dBm (section 5.4).
        Knob::of(Parameters::rate, &["1Mbit/s", "2Mbit/s"])
            .giving_up("range: 9 dB to 1 Mbit/s, 3 dB more to 2 Mbit/s"),
        Knob::of(Parameters::address_width, &["3"]),
        Knob::of(Parameters::seal, &["plain"]).giving_up("secrecy, and who may send"),
    ];

    type Parameters = Parameters;

    /// Frames in bursts, and an answer with a report between bursts.
    fn floor(p: &Parameters, size: usize) -> Result<Floor, Refusal> {
        let (setup, frame) = (Setup::new(p)?, Frame::enhanced(p.rate, p.address_width));
        let (full, rest) = split(stream(p, size), body(FRAME));
        let (some, frames) = (u64::from(rest > 0), full + u64::from(rest > 0));
        let bursts = frames.div_ceil(setup.pace.burst as u64);
        let (settle, irq) = (p.settle.as_ns(), p.packet_to_irq.at(p.rate).as_ns());
        let gaps = bursts.saturating_sub(1);
        Ok(Floor::new()
            .with("settle", bursts, settle, TURNED)
            .with(format!("air, {FRAME} B"), full, frame.duration_ns(FRAME), AIRTIME)
            .with(format!("air, {} B", HEAD + rest), some, frame.duration_ns(HEAD + rest), AIRTIME)
            .with("packet to interrupt", gaps + 1, irq, IRQ)
            .with("turn to receive", gaps, settle, TURNED)
            .with("acknowledgement", gaps, frame.duration_ns(REPORT), AIRTIME))
    }

    /// Full frames in full bursts: as many messages as a burst has bytes of the stream take as many bursts as
    /// a message takes of them.
    fn cycle(p: &Parameters, size: usize) -> Result<Cycle, Refusal> {
        let (setup, frame) = (Setup::new(p)?, Frame::enhanced(p.rate, p.address_width));
        let (burst, bursts) = (setup.pace.burst as u64, stream(p, size) as u64);
        let takes = Floor::new()
            .with("settle", bursts, p.settle.as_ns(), TURNED)
            .with(format!("air, {FRAME} B"), burst * bursts, frame.duration_ns(FRAME), AIRTIME)
            .with("turn to receive", bursts, p.settle.as_ns(), TURNED)
            .with("acknowledgement", bursts, frame.duration_ns(REPORT), AIRTIME)
            .with("packet to interrupt", bursts, p.packet_to_irq.at(p.rate).as_ns(), IRQ);
        Ok(Cycle { messages: burst * body(FRAME) as u64, takes })
    }

    fn ends(
        p: &Parameters,
        _: usize,
        bench: &Bench,
    ) -> Result<(End<impl Pins, impl Opening>, End<impl Pins, impl Opening>), Refusal> {
        let (near, far) = stations(p, bench)?;
        Ok((near.end(), far.end()))
    }

    fn tap(sniffer: Sniffer) -> Sniffer {
        sniffer.with(FAMILY, ShockBurst)
    }

    fn transmitter(p: &Parameters, _: &str) -> Option<Transmitter> {
        Some(crate::nrf24::transmitter(p.rate, &p.propagation))
    }
}

/// The two stations of a profile, with the losses between them.
pub fn stations(p: &Parameters, bench: &Bench) -> Result<(Station, Station), Refusal> {
    let (setup, air) = (Setup::new(p)?, bench.air());
    let near = Station::new(&setup, p.boards.sender(bench.sim()), bench, true);
    let far = Station::new(&setup, p.boards.receiver(bench.sim()), bench, false);
    for ends in near.nodes().zip(far.nodes()).map(|(one, other)| [one, other]) {
        p.losses.apply(air, ends);
        p.propagation.apply(bench, ends, demodulator(p.rate), hearing(p.rate));
    }
    Ok((near, far))
}
