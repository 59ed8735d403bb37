//! Zigbee: two devices, and routers in a row between them.
//!
//! ```text
//!  sender ─── router 1 ─── router 2 ─── receiver        3 hops
//! ```

mod parameters;
mod takes;

use std::future::ready;
use std::rc::Rc;

use airlag_air::Band;
use airlag_air::error_rate::OqpskDsss;
use airlag_air::transmitter::Transmitter;
use airlag_link::airtime::ieee802154::Phy;
use airlag_models::mcu::Board;
use airlag_models::stack::ieee802154::Node;
use airlag_models::stack::zigbee::{Station, Zigbee as Link};
use airlag_sim::{Clock, Duration};

use crate::boards::rtos;
use crate::calls;
use crate::ieee802154::{Assessment, hearing, transmitter};
use crate::neighbours;
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;

pub use parameters::Parameters;

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

impl Facts for Parameters {
    const NAME: &'static str = "zigbee";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::ALL;

    /// Options of a message and of a network, and MAC attributes. CSMA-CA is not among them,
    /// because the standard requires it.
    const KNOBS: &'static [Knob] = &[
        rtos::NOTICE_KNOB,
        rtos::TICK_KNOB,
        Knob::of(Parameters::aps_ack, &["false"])
            .giving_up("confirmation by the receiver, and repetition of lost messages"),
        Knob::of(Parameters::security, &["false"])
            .giving_up("encryption and authentication: the messages are in plain text"),
        Knob::of(Parameters::min_be, &["0", "1"])
            .giving_up("frames in a crowd: more of them collide"),
        Knob::of(Parameters::aps_ack_wait, &["400ms"])
            .giving_up("long routes: a message is repeated before its acknowledgement arrives"),
    ];

    const REACH: &'static [Knob] = &[Knob::of(Parameters::retries, &["7"])];
}

impl Configured for Parameters {
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        Ok(takes::floor(self, size))
    }

    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        Ok(Cycle::each(takes::cycle(self, size)))
    }

    /// A message without an APS acknowledgement is repeated after the wait for it. Otherwise only
    /// the NWK repeats a frame.
    fn repetition_wait(&self, _: usize) -> Duration {
        if self.aps_ack { self.aps_ack_wait } else { self.unicast_retry_delay }
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let (sim, air, group) = (bench.sim(), bench.air(), bench.place().group);
        let (near, far) = (self.boards.sender(sim), self.boards.receiver(sim));
        let mut chain = Vec::new();
        let mut station = |board: &Board, nth| {
            let name = format!("{} radio", board.name());
            let node = Node::new(air, &name, sim, *board.clock(), self.mac(nth, group));
            let (happened, also) = (bench.incidents(), bench.incidents());
            node.observe(move |incident| happened(incident.name()));
            chain.push(node.id());
            let (config, routes) = (self.station(nth), self.routes(nth));
            Station::start(board, &node, config, routes, move |incident| also(incident.name()))
        };
        let from = station(&near, 0);
        for nth in 1..self.hops {
            let board = Board::new(sim, &format!("router {nth}"), Clock::exact());
            // Its tasks keep it alive; the medium has only a weak reference to its radio.
            bench.keep(station(&board, nth));
        }
        let to = station(&far, self.hops);
        let radio = hearing(Phy::Oqpsk2450, Assessment::Energy);
        for (one, &from) in chain.iter().enumerate() {
            for (other, &to) in chain.iter().enumerate().skip(one + 1) {
                if other - one > usize::from(self.interference_range) {
                    air.separate(from, to);
                    air.separate(to, from);
                } else if other - one == 1 {
                    self.losses.apply(air, [from, to]);
                    self.propagation.apply(bench, [from, to], OqpskDsss, radio);
                }
            }
        }
        let end = |board: &Board, station: &Rc<Station>| End {
            pins: self.boards.pins(board, self.strobe),
            link: ready(Ok::<_, String>(Link::new(station, self.host(), self.chunk()))),
        };
        Ok(Ends::two(end(&near, &from), end(&far, &to)))
    }

    fn band(&self) -> Band {
        self.radio_channel().band()
    }

    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        Some(transmitter(Phy::Oqpsk2450, true, &self.propagation))
    }
}
