//! IP over a pair of nRF24L01+: two boards with a tunnel each, and the air between them.
//!
//! - [`parameters`]: parameters of a profile.
//! - [`station`]: one board with its radio chip and one end of the tunnel.
//! - [`socket`]: interface to programs on the board.
//! - [`naive`]: a published tunnel program without sequence numbers, in the configuration that was
//!   measured between two Raspberry Pi.
//!
//! A message is the payload of one UDP datagram.

pub mod naive;
mod parameters;
pub mod socket;
pub mod station;

use airlag_air::Sniffer;
use airlag_link::airtime::nrf24::Frame;
use airlag_models::chip::nrf24::capture::ShockBurst;
use airlag_models::chip::nrf24::packet::FAMILY;
use airlag_models::chip::nrf24::sensitivity::demodulator;
use airlag_tunnel::flow::UDP_IPV4;
use airlag_tunnel::send::LENGTH;
use airlag_tunnel::wire::{HEAD, REPORT, body};

use crate::calls;
use crate::neighbours;
use crate::nrf24::hearing;
use crate::nrf24::stages::Stages;
use airlag_air::transmitter::Transmitter;
use airlag_rig::ends::{Bench, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor, split};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;

use parameters::{FRAME, Setup};
pub use parameters::{Parameters, Seal, WhenFull};
pub use socket::TunnelSocket;
pub use station::Station;

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

/// Length of a message in the tunnel's byte stream, including the overhead of its packets.
fn stream(p: &Parameters, size: usize) -> usize {
    let (full, rest) = split(size, usize::from(p.mtu) - UDP_IPV4);
    let packets = full as usize + usize::from(rest > 0);
    size + packets * (UDP_IPV4 + p.seal.protection().overhead() + LENGTH)
}

impl Facts for Parameters {
    const NAME: &'static str = "tunnel";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::OTHERS;

    /// Data rate, encryption, and packets of the radio.
    const KNOBS: &'static [Knob] = &[
        // Sensitivity: -94, -85 and -82 dBm (section 5.4).
        Knob::of(Parameters::rate, &["1Mbit/s", "2Mbit/s"])
            .giving_up_range("range: 9 dB less at 1 Mbit/s, 12 dB less at 2 Mbit/s"),
        Knob::of(Parameters::address_width, &["3"]),
        Knob::of(Parameters::seal, &["plain"]).giving_up("confidentiality and authentication"),
    ];
}

impl Parameters {
    fn stages(&self) -> Stages {
        Stages {
            frame: Frame::enhanced(self.rate, self.address_width),
            settle: self.settle,
            interrupt: self.packet_to_irq.at(self.rate),
            answer: REPORT,
        }
    }
}

impl Configured for Parameters {
    /// Frames in bursts, and a response with a report between bursts.
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        let (setup, stages) = (Setup::new(self)?, self.stages());
        let (full, rest) = split(stream(self, size), body(FRAME));
        let (some, frames) = (u64::from(rest > 0), full + u64::from(rest > 0));
        let bursts = frames.div_ceil(setup.pace.burst as u64);
        let gaps = bursts.saturating_sub(1);
        let air = [stages.air(full, FRAME), stages.air(some, HEAD + rest)];
        Ok(Floor::of([stages.settled(bursts)])
            .then(air)
            .then([stages.interrupts(gaps + 1)])
            .then(stages.answers(gaps)))
    }

    /// All bursts consist of full frames. Covers as many messages as a burst has stream bytes, so
    /// that the messages together fill whole bursts.
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        let (setup, stages) = (Setup::new(self)?, self.stages());
        let (burst, bursts) = (setup.pace.burst as u64, stream(self, size) as u64);
        let takes = Floor::of([stages.settled(bursts), stages.air(burst * bursts, FRAME)])
            .then(stages.answers(bursts))
            .then([stages.interrupts(bursts)]);
        Ok(Cycle { messages: burst * body(FRAME) as u64, takes })
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let (near, far) = stations(self, bench)?;
        Ok(Ends::two(near.end(), far.end()))
    }

    fn tap(&self, sniffer: Sniffer) -> Sniffer {
        sniffer.with(FAMILY, ShockBurst)
    }

    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        Some(crate::nrf24::transmitter(self.rate, &self.propagation))
    }
}

/// Creates the two stations of a profile, with the losses between them.
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
