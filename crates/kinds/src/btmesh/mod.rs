//! Bluetooth mesh: two nodes, and relays in a row between them.
//!
//! ```text
//!  sender ─── relay 1 ─── relay 2 ─── receiver        3 hops
//! ```

mod parameters;
mod takes;

use std::future::ready;
use std::rc::Rc;

use airlag_air::error_rate::NoncoherentFsk;
use airlag_air::quantity::Hertz;
use airlag_air::transmitter::{Access, Spectrum, Transmitter};
use airlag_models::mcu::Board;
use airlag_models::stack::btmesh::{BtMesh as Link, Node};
use airlag_sim::{Clock, Duration};

use crate::ble::HEARING;
use crate::boards::rtos;
use crate::calls;
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
    const NAME: &'static str = "btmesh";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::ALL;

    /// Configuration states of the nodes, and the advertiser of the stack.
    const KNOBS: &'static [Knob] = &[
        rtos::NOTICE_KNOB,
        rtos::TICK_KNOB,
        Knob::of(Parameters::relay_retransmit_count, &["0", "1", "2"])
            .giving_up("repetitions of relayed PDUs, which replace lost ones"),
        Knob::of(Parameters::network_transmit_count, &["0", "1", "2"])
            .giving_up("repetitions of the sender's PDUs, which replace lost ones"),
        Knob::of(Parameters::occupancy, &["counted"])
            .giving_up("a controller without advertising sets that count events"),
        Knob::of(Parameters::segment_timer, &["200ms"])
            .giving_up("airtime: segments are repeated earlier"),
    ];

    const REACH: &'static [Knob] = &[
        Knob::of(Parameters::network_transmit_count, &["2", "4", "7"]),
        Knob::of(Parameters::relay_retransmit_count, &["2", "4", "7"]),
    ];
}

impl Configured for Parameters {
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        self.check()?;
        Ok(takes::floor(self, size))
    }

    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        self.check()?;
        Ok(Cycle::each(takes::cycle(self, size)))
    }

    /// Nodes receive nothing during their own advertising events, and miss packets that begin when
    /// their scanner changes the channel.
    fn repetition_wait(&self, size: usize) -> Duration {
        takes::repetition_wait(self, size)
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        self.check()?;
        let (sim, air, network) = (bench.sim(), bench.air(), bench.place().group);
        let (near, far) = (self.boards.sender(sim), self.boards.receiver(sim));
        let node = |board: &Board, nth| {
            let name = format!("{} radio", board.name());
            let node = Node::new(air, &name, sim, *board.clock(), self.config(nth, network));
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
        for (one, &from) in chain.iter().enumerate() {
            for (other, &to) in chain.iter().enumerate().skip(one + 1) {
                if other - one > usize::from(self.reach) {
                    air.separate(from, to);
                    air.separate(to, from);
                    continue;
                }
                self.losses.apply(air, [from, to]);
                let demodulator = NoncoherentFsk { rate: Hertz(1e6) };
                self.propagation.apply(bench, [from, to], demodulator, HEARING);
            }
        }
        let end = |board: &Board, node: &Rc<Node>| End {
            pins: self.boards.pins(board, self.strobe),
            link: ready(Ok::<_, String>(Link::new(node, board, self.host(), self.longest_message))),
        };
        Ok(Ends::two(end(&near, &from), end(&far, &to)))
    }

    /// The modulation of Bluetooth LE at 1M on three fixed channels, without carrier sense.
    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        let (power_dbm, gain_dbi) = self.propagation.radiates();
        let spectrum = Spectrum::half_sines(1_000.0);
        Some(Transmitter { power_dbm, gain_dbi, spectrum, hopping: None, access: Access::Blind })
    }
}
