//! Meshtastic: two nodes with LoRa radios, and relaying nodes in a row between them.
//!
//! ```text
//!  sender ─── relay 1 ─── relay 2 ─── receiver        3 hops
//! ```

mod parameters;
mod takes;

use std::future::ready;
use std::rc::Rc;

use airlag_air::quantity::{Db, Dbm};
use airlag_air::transmitter::{Access, Spectrum, Transmitter};
use airlag_air::{Band, Sense, Sniffer};
use airlag_models::chip::sx127x::capture::LoraTap;
use airlag_models::chip::sx127x::interference::ChirpReceiver;
use airlag_models::chip::sx127x::sensitivity::demodulator;
use airlag_models::chip::sx127x::settings::FAMILY;
use airlag_models::mcu::Board;
use airlag_models::stack::meshtastic::{Meshtastic as Link, Node};
use airlag_sim::{Clock, Duration};

use crate::boards::rtos;
use crate::calls;
use crate::neighbours;
use airlag_rig::dependant::Dependant;
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Ways};
use airlag_rig::knob::{BandPlan, Knob};
use airlag_rig::neighbours::Kinds;
use airlag_rig::propagation::Hearing;

pub use parameters::Parameters;

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

impl Facts for Parameters {
    const NAME: &'static str = "meshtastic";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::ALL;

    /// Settings of the nodes.
    const KNOBS: &'static [Knob] = &[
        rtos::NOTICE_KNOB,
        rtos::TICK_KNOB,
        Knob::of(Parameters::relay_role, &["router"])
            .giving_up("airtime: routers also relay what other nodes have relayed"),
        Knob::of(Parameters::public_key, &["false"])
            .giving_up("secrecy: all nodes of the channel can read direct messages"),
        Knob::of(Parameters::acknowledged, &["false"])
            .giving_up("retransmissions of lost messages, and the report to the sender"),
        Knob::of(Parameters::coding_rate, &["4/5"]).giving_up("correction of bit errors"),
        Knob::of(Parameters::preset, &["short-turbo", "short-fast", "short-slow", "medium-fast"])
            .giving_up_range("range: about 2.5 dB per step"),
    ];

    const REACH: &'static [Knob] = &[
        Knob::of(
            Parameters::preset,
            &["short-fast", "short-slow", "medium-fast", "medium-slow", "long-fast", "long-slow"],
        ),
        // Last: a slower preset is tried before further transmissions.
        Knob::of(Parameters::transmissions, &["5"]),
    ];

    /// Regions of the firmware. 47 CFR 15.247(a)(2): a transmission on a fixed frequency is at
    /// least 500 kHz wide, as with two of the presets.
    const BAND_PLANS: &'static [BandPlan] = &[
        BandPlan {
            region: "eu",
            settings: &[
                (Parameters::region, "eu868"),
                (Parameters::duty_cycle, "10%"),
                (Parameters::preset, "short-fast"),
            ],
        },
        BandPlan {
            region: "us",
            settings: &[
                (Parameters::region, "us"),
                (Parameters::duty_cycle, "100%"),
                (Parameters::preset, "short-turbo"),
            ],
        },
        BandPlan {
            region: "us",
            settings: &[
                (Parameters::region, "us"),
                (Parameters::duty_cycle, "100%"),
                (Parameters::preset, "long-turbo"),
            ],
        },
    ];
}

impl Configured for Parameters {
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        self.check()?;
        Ok(takes::floor(self, size))
    }

    /// Packets with their acknowledgements or relayed copies. The permitted share of an hour is not
    /// included.
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        self.check()?;
        Ok(Cycle::each(takes::cycle(self, size)))
    }

    /// A preset of 500 kHz requires a region with a wider band.
    fn dependants(&self, _: usize) -> Vec<Dependant> {
        let is_too_wide = !self.region.allows(self.preset);
        let fits = Dependant { name: Parameters::preset, value: "short-fast" };
        is_too_wide.then_some(fits).into_iter().collect()
    }

    /// Messages are lost because two packets may meet at a relay, and because the duty cycle
    /// refuses packets.
    fn repetition_wait(&self, size: usize) -> Duration {
        takes::repetition_wait(self, size)
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        self.check()?;
        let (sim, air, group) = (bench.sim(), bench.air(), bench.place().group);
        let (near, far) = (self.boards.sender(sim), self.boards.receiver(sim));
        let node = |board: &Board, nth| {
            let name = format!("{} radio", board.name());
            let node = Node::new(air, &name, sim, *board.clock(), self.config(nth, group));
            let happened = bench.incidents();
            node.observe(move |incident| happened(incident.name()));
            node
        };
        let (from, to) = (node(&near, 0), node(&far, self.hops));
        let mut chain = vec![from.id()];
        for nth in 1..self.hops {
            let relay = node(&Board::new(sim, &format!("relay {nth}"), Clock::exact()), nth);
            chain.push(relay.id());
            bench.keep(relay);
        }
        chain.push(to.id());
        let receiver = ChirpReceiver(demodulator(&self.frame()));
        for (one, &from) in chain.iter().enumerate() {
            for (other, &to) in chain.iter().enumerate().skip(one + 1) {
                if other - one > usize::from(self.reach) {
                    air.separate(from, to);
                    air.separate(to, from);
                    continue;
                }
                self.losses.apply(air, [from, to]);
                self.propagation.apply(bench, [from, to], receiver, HEARING);
            }
        }
        let end = |board: &Board, node: &Rc<Node>| End {
            pins: self.boards.pins(board, self.strobe),
            link: ready(Ok::<_, String>(Link::new(node, board, self.host(), self.longest_message))),
        };
        Ok(Ends::two(end(&near, &from), end(&far, &to)))
    }

    fn tap(&self, sniffer: Sniffer) -> Sniffer {
        sniffer.with(FAMILY, LoraTap)
    }

    fn band(&self) -> Band {
        self.region.channel(self.preset)
    }

    /// Chirps that sweep the bandwidth, on one frequency. Channel activity detection finds chirps
    /// rather than energy, so it does not count as carrier sense in regulations.
    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        let (power_dbm, gain_dbi) = self.propagation.radiates();
        let spectrum = Spectrum::even(f64::from(self.preset.bandwidth().hz()) / 1e3);
        Some(Transmitter { power_dbm, gain_dbi, spectrum, hopping: None, access: Access::Blind })
    }
}

/// Response of the radios to other signals, as for [`lora`](crate::lora).
const HEARING: Hearing = Hearing {
    family: FAMILY,
    harm: Db(0.0),
    sense: Sense { own: Dbm(f64::NEG_INFINITY), energy: Dbm(f64::INFINITY) },
};
