//! Two boards with Wi-Fi and TCP/IP, through an access point or with one of them as the access
//! point.

mod network;
mod parameters;
mod takes;

use std::rc::Rc;

use crate::boards::deep_sleep::DeepSleep;
use crate::boards::rtos;
use crate::calls;
use crate::ip::Ip;
use crate::neighbours;
use airlag_air::Band;
use airlag_air::transmitter::Transmitter;
use airlag_models::mcu::deep_sleep::Switch;
use airlag_models::stack::ip::Port;
use airlag_models::stack::wifi::access::channel_band;
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Timer, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;

pub(crate) use network::{HEARING, of};
use parameters::Where;
pub use parameters::{Network, Parameters, Sleep};
pub(crate) use takes::{air_cycle, air_floor};

/// The radio of a station that does not sleep.
pub(crate) const AWAKE_KNOB: Knob =
    Knob::of(Sleep::power_save, &["false"]).giving_up_energy("power: the radio is always on");
/// Access category of voice.
pub(crate) const PRIORITY_KNOB: Knob =
    Knob::of(Network::aifsn, &["2"]).giving_up("fairness: voice priority for all traffic");
/// Slower modulations, which reach farther.
pub(crate) const RATE_KNOB: Knob = Knob::of(Network::mcs, &["4", "2", "0"]);

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

impl Facts for Parameters {
    const NAME: &'static str = "wifi";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::ALL;
    const WITHOUT: &'static [&'static str] = &["A-MPDU aggregation", "rate control"];

    /// Trigger notification, settings of the modem and the stack, and the location of the access
    /// point.
    const KNOBS: &'static [Knob] = &[
        rtos::NOTICE_KNOB,
        rtos::TICK_KNOB,
        // esp_wifi_set_ps.
        AWAKE_KNOB,
        Knob::of(Ip::nagle, &["false"]),
        Knob::of(Ip::frame_writes, &["together"]),
        Knob::of(Ip::ack_policy, &["at-once"]).giving_up("airtime: twice as many acknowledgements"),
        Knob::of(Network::access_point, &["sender", "receiver"])
            .giving_up("the network: no other device is reachable"),
        PRIORITY_KNOB,
    ];

    const REACH: &'static [Knob] = &[RATE_KNOB];

    const SAVING: &'static [Knob] =
        &[Knob::all(Sleep::power_save), Knob::of(DeepSleep::rest, &["deep"])];
}

impl Parameters {
    fn check(&self) -> Result<(), Refusal> {
        if self.deep_sleep.is_deep() && self.network.is_point(Where::Sender) {
            let cause = "an access point cannot sleep; set access_point=separate or receiver";
            return Err(Refusal::setting(DeepSleep::rest, cause.to_owned()));
        }
        self.ip.check()
    }
}

/// The radio behind a port.
struct PortSwitch(Rc<dyn Port>);

impl Switch for PortSwitch {
    fn off(&self) -> bool {
        self.0.off()
    }

    fn on(&self) {
        self.0.on();
    }
}

impl Configured for Parameters {
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        self.check()?;
        Ok(takes::floor(&self.network, &self.ip, size))
    }

    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        self.check()?;
        Ok(takes::cycle(&self.network, &self.ip, size))
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        self.check()?;
        let (near, far) = (self.boards.sender(bench.sim()), self.boards.receiver(bench.sim()));
        let modes = [self.sleep.mode().filter(|_| !self.deep_sleep.is_deep()), self.sleep.mode()];
        let [one, other] = self.network.ports(bench, [&near, &far], modes, self.ip.mtu);
        let radio: Rc<dyn Switch> = Rc::new(PortSwitch(Rc::clone(&one)));
        let (calls, called) = self.ip.connect([(&near, one), (&far, other)]);
        let (rests, board) = (self.deep_sleep, near.clone());
        let calls = async move { Ok(rests.sender(calls.await?, &board, radio)) };
        let (rests, board) = (self.deep_sleep, far.clone());
        let called = async move { Ok(rests.receiver(called.await?, &board)) };
        let near = End { pins: self.boards.pins(&near, self.strobe), link: calls };
        let far = End { pins: self.boards.pins(&far, self.strobe), link: called };
        Ok(Ends::two(near, far))
    }

    fn timers(&self) -> Vec<Timer> {
        let beacon = self.sleep.power_save.then_some(Timer::Beacon);
        beacon.into_iter().chain(self.ip.timer()).collect()
    }

    fn band(&self) -> Band {
        channel_band(self.network.channel)
    }

    fn transmitter(&self, node: &str) -> Option<Transmitter> {
        self.network.transmitter(node)
    }
}
