//! Two boards with Wi-Fi and TCP/IP: through an access point, or one of them the access point.

mod network;
mod parameters;
mod takes;

use crate::boards::rtos;
use crate::calls;
use crate::ip::Ip;
use crate::neighbours;
use airlag_air::transmitter::Transmitter;
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Timer, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;

pub(crate) use network::{HEARING, of};
pub use parameters::{Network, Parameters, Sleep};

/// This kind, as it is listed.
pub static KIND: Definition = Definition::of::<Parameters>();

impl Facts for Parameters {
    const NAME: &'static str = "wifi";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::ALL;
    const WITHOUT: &'static [&'static str] = &["A-MPDU aggregation", "rate control"];

    /// How the task is told, what the modem and the stack are told, and who is the access point.
    const KNOBS: &'static [Knob] = &[
        rtos::NOTICE_KNOB,
        rtos::TICK_KNOB,
        // esp_wifi_set_ps.
        Knob::of(Sleep::power_save, &["false"]).giving_up_energy("power: the radio is always on"),
        Knob::of(Ip::nagle, &["false"]),
        Knob::of(Ip::frame_writes, &["together"]),
        Knob::of(Ip::ack_policy, &["at-once"]).giving_up("airtime: twice the acknowledgements"),
        Knob::of(Network::access_point, &["sender", "receiver"])
            .giving_up("the network: no other device is reached"),
        Knob::of(Network::aifsn, &["2"]).giving_up("fairness: as if it were voice"),
    ];

    const REACH: &'static [Knob] = &[Knob::of(Network::mcs, &["4", "2", "0"])];

    const SAVING: &'static [Knob] = &[Knob::all(Sleep::power_save)];
}

impl Configured for Parameters {
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        self.ip.check()?;
        Ok(takes::floor(&self.network, &self.ip, size))
    }

    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        self.ip.check()?;
        Ok(takes::cycle(&self.network, &self.ip, size))
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        self.ip.check()?;
        let (near, far) = (self.boards.sender(bench.sim()), self.boards.receiver(bench.sim()));
        let [one, other] = self.network.ports(bench, [&near, &far], &self.sleep, self.ip.mtu);
        let (calls, called) = self.ip.connect([(&near, one), (&far, other)]);
        let near = End { pins: self.boards.pins(&near, self.strobe), link: calls };
        let far = End { pins: self.boards.pins(&far, self.strobe), link: called };
        Ok(Ends::two(near, far))
    }

    fn timers(&self) -> Vec<Timer> {
        let beacon = self.sleep.power_save.then_some(Timer::Beacon);
        beacon.into_iter().chain(self.ip.timer()).collect()
    }

    fn transmitter(&self, node: &str) -> Option<Transmitter> {
        self.network.transmitter(node)
    }
}
