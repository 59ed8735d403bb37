//! Two boards with an nRF52, nRF53 or nRF54 each, whose firmware uses Enhanced ShockBurst.

mod parameters;

use std::future::ready;

use airlag_air::error_rate::NoncoherentFsk;
use airlag_air::quantity::{Db, Dbm, Hertz};
use airlag_air::transmitter::{Access, Spectrum, Transmitter};
use airlag_air::{Band, Sense, Sniffer};
use airlag_models::chip::nrf24::capture::ShockBurst;
use airlag_models::chip::nrf24::packet::FAMILY;
use airlag_models::mcu::Board;
use airlag_models::stack::esb::{Config, Esb as Link, Format, Host, Node, Rate, Role};

use crate::neighbours;
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor, Term, split};
use airlag_rig::kind::{Configured, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;
use airlag_rig::propagation::Hearing;

pub use parameters::Parameters;
use parameters::config;

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

impl Facts for Parameters {
    const NAME: &'static str = "esb";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::One;
    const NEIGHBOURS: Kinds = neighbours::ALL;
    /// nRF24L01+ product specification, 7: Enhanced ShockBurst.
    const INTEROPERABLE: &'static [&'static str] = &["nrf24"];

    const KNOBS: &'static [Knob] = &[
        Knob::of(Parameters::fast_ramp_up, &["true"])
            .giving_up("nRF24L01+ at the other end, which ramps up in 130 us"),
        Knob::of(Parameters::longest_payload, &["252"])
            .giving_up("nRF24L01+ at the other end, whose length field has 6 bits"),
        Knob::of(Parameters::retransmit_delay, &["435us"]).needing(Parameters::acknowledge, "true"),
        Knob::of(Parameters::address_width, &["3"]),
        Knob::of(Parameters::rate, &["2Mbit/s", "4Mbit/s"])
            .giving_up_range("range: 3 dB to 2 Mbit/s, 3 dB more to 4 Mbit/s"),
        Knob::of(Parameters::acknowledge, &["false"])
            .giving_up("retries: lost packets are not retransmitted"),
    ];

    const REACH: &'static [Knob] = &[
        Knob::of(Parameters::retransmit_count, &["15"]).needing(Parameters::acknowledge, "true"),
        Knob::of(Parameters::rate, &["2Mbit/s", "1Mbit/s"]),
    ];
}

const AIRTIME: &str = "nRF Connect SDK, esb.c: preamble, address, control, payload, CRC";
const RAMP_UP: &str = "nRF Connect SDK, esb.c: TX_RAMP_UP_TIME_US, TX_FAST_RAMP_UP_TIME_US";

fn ramped(config: &Config, count: u64) -> Term {
    Term::new("ramp-up", count, config.ramp_up.transmit().as_ns(), RAMP_UP)
}

/// The receiver's turnaround, and the acknowledgement.
fn answers(config: &Config, count: u64) -> [Term; 2] {
    let count = if config.acknowledge { count } else { 0 };
    let turn = config.turn().as_ns();
    [
        Term::new("acknowledgement turnaround", count, turn, RAMP_UP),
        Term::new("acknowledgement", count, config.format.duration_ns(0), AIRTIME),
    ]
}

impl Configured for Parameters {
    /// Every packet is preceded by the ramp-up of the radio, as if the next one were ready at the
    /// end of an exchange.
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        let config = config(self, 0)?;
        let full = self.longest_payload;
        let (whole, rest) = split(size, full);
        let (some, packets) = (u64::from(rest > 0), whole + u64::from(rest > 0));
        let air = |count, bytes| {
            Term::new(format!("air, {bytes} B"), count, config.format.duration_ns(bytes), AIRTIME)
        };
        Ok(Floor::of([ramped(&config, packets), air(whole, full), air(some, rest)])
            .then(answers(&config, packets.saturating_sub(1))))
    }

    /// Every packet with its acknowledgement.
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        let config = config(self, 0)?;
        Ok(Cycle::each(self.floor(size)?.then(answers(&config, 1))))
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let (sim, air) = (bench.sim(), bench.air());
        let (near, far) = (self.boards.sender(sim), self.boards.receiver(sim));
        let config = config(self, bench.place().group)?;
        let radio = |board: &Board, role| {
            let name = format!("{} radio", board.name());
            let node = Node::new(air, &name, sim, *board.clock(), Config { role, ..config });
            let happened = bench.incidents();
            node.observe(move |incident| happened(incident.name()));
            node
        };
        let (from, to) = (radio(&near, Role::Transmitter), radio(&far, Role::Receiver));
        let nodes = [from.id(), to.id()];
        self.losses.apply(air, nodes);
        let demodulator = NoncoherentFsk { rate: bit_rate(self.rate) };
        self.propagation.apply(bench, nodes, demodulator, hearing(config.format));

        let host = Host { send: self.host_send, receive: self.host_receive };
        let end = |board: &Board, node| End {
            pins: self.boards.pins(board, self.strobe),
            link: ready(Ok::<_, String>(Link::new(node, board, host))),
        };
        Ok(Ends::two(end(&near, &from), end(&far, &to)))
    }

    fn tap(&self, sniffer: Sniffer) -> Sniffer {
        sniffer.with(FAMILY, ShockBurst)
    }

    fn band(&self) -> Band {
        let format = Format { rate: self.rate, address: 5, crc: 2, longest: self.longest_payload };
        format.band(self.channel)
    }

    /// Two tones on one channel, without carrier sense. Their deviation is that of an nRF24L01+:
    /// 170 kHz, and 320 kHz at 2 Mbit/s; at 4 Mbit/s it is assumed to be a quarter of the rate.
    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        let (power_dbm, gain_dbi) = self.propagation.radiates();
        let deviation_khz = match self.rate {
            Rate::Mbps1 => 170.0,
            Rate::Mbps2 => 320.0,
            Rate::Mbps4 => 1_000.0,
        };
        let spectrum = Spectrum::tones(bit_rate(self.rate).0 / 1e3, deviation_khz);
        Some(Transmitter { power_dbm, gain_dbi, spectrum, hopping: None, access: Access::Blind })
    }
}

fn bit_rate(rate: Rate) -> Hertz {
    Hertz(1e9 / rate.bit_ns() as f64)
}

/// Response of the radio to other signals: no carrier sense, and the co-channel rejection of an
/// nRF24L01+. Its packets have all their power in their own band.
fn hearing(format: Format) -> Hearing {
    let width_khz = format.band(0).width_khz();
    let narrower = f64::from(width_khz) * 1e3 * format.rate.bit_ns() as f64 / 1e9;
    let sense = Sense { own: Dbm(f64::NEG_INFINITY), energy: Dbm(f64::INFINITY) };
    Hearing { family: FAMILY, harm: Db::of(narrower), sense }
}
