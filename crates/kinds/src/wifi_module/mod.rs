//! A board with a Wi-Fi module on its serial port, and a computer: UDP datagrams through an access
//! point.
//!
//! ```text
//!  board -> serial line -> module -> air -> access point (-> air) -> computer
//! ```

mod parameters;
mod takes;

use std::rc::Rc;

use airlag_air::Band;
use airlag_air::transmitter::Transmitter;
use airlag_models::stack::ip::{Connection, Stack, Transport};
use airlag_models::stack::ip_module;
use airlag_models::stack::wifi::access::channel_band;

use crate::calls;
use crate::neighbours;
use crate::wifi::{self, Network, Sleep};
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Timer, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;

use parameters::Serial;
pub use parameters::{Direction, Parameters};

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

impl Facts for Parameters {
    const NAME: &'static str = "wifi-module";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::ALL;
    const WITHOUT: &'static [&'static str] = &["A-MPDU aggregation", "rate control"];

    /// Settings of the module and of the board's port, the program, and the access point.
    const KNOBS: &'static [Knob] = &[
        Knob::of(Serial::baud, &["921600", "3000000", "5250000"]),
        Knob::of(Serial::line_bits, &["10"]).giving_up("parity: a flipped bit is not detected"),
        Knob::of(Serial::poll, &["0ns"]),
        // AT+UWCFG=1,0 of u-connectXpress.
        wifi::AWAKE_KNOB,
        Knob::of(Network::access_point, &["receiver"])
            .giving_up("a computer without a cable")
            .of_hardware(),
        wifi::PRIORITY_KNOB,
    ];

    const REACH: &'static [Knob] = &[wifi::RATE_KNOB];

    const SAVING: &'static [Knob] = &[Knob::all(Sleep::power_save)];
}

impl Configured for Parameters {
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        Ok(takes::floor(self, size))
    }

    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        Ok(takes::cycle(self, size))
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let sim = bench.sim();
        let (near, far) = (self.boards.sender(sim), self.boards.receiver(sim));
        let (board, computer) = match self.direction {
            Direction::Up => (&near, &far),
            Direction::Down => (&far, &near),
        };
        let module = self.module(board);
        let modes = [self.sleep.mode(), None];
        let [one, other] = self.network.ports(bench, [&module, computer], modes, self.mtu());
        let transport = Transport::Udp { queue: self.datagrams };
        // The parameters `decode` and `encode` include the processing in the module.
        let socket = Stack::new(&module, one, airlag_models::stack::ip::Host::default(), [1, 2]);
        let answering = Stack::new(computer, other, self.computer.host(), [2, 1]);
        let (config, happened) = (self.config(), bench.incidents());
        let (host, incident): (_, ip_module::Incident) = (board.clone(), Rc::new(happened));
        let attached = async move {
            let socket = Connection::open(socket, transport).await?;
            Ok::<_, String>(ip_module::start([&host, &module], config, socket, incident))
        };
        let at_board = End { pins: self.boards.pins(board, self.strobe), link: attached };
        let at_computer = End {
            pins: self.boards.pins(computer, self.strobe),
            link: Connection::open(answering, transport),
        };
        Ok(match self.direction {
            Direction::Up => Ends::two(at_board, at_computer),
            Direction::Down => Ends::two(at_computer, at_board),
        })
    }

    fn timers(&self) -> Vec<Timer> {
        self.sleep.power_save.then_some(Timer::Beacon).into_iter().collect()
    }

    fn band(&self) -> Band {
        channel_band(self.network.channel)
    }

    fn transmitter(&self, node: &str) -> Option<Transmitter> {
        self.network.transmitter(node)
    }
}
