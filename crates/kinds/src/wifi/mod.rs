//! Two boards with Wi-Fi and TCP/IP: through an access point, or one of them the access point.

mod network;
mod parameters;
mod takes;

use crate::boards::rtos;
use crate::ip::Ip;
use crate::neighbours;
use airlag_law::Transmitter;
use airlag_rig::ends::{Bench, End, Opening, Pins};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Between, Medium, TwoEnds, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;

pub(crate) use network::{HEARING, of};
pub use parameters::{Network, Parameters, Sleep};

/// This kind, as it is listed.
pub static KIND: Between<Wifi> = Between::new();

/// Two boards with Wi-Fi.
pub struct Wifi;

impl TwoEnds for Wifi {
    const NAME: &'static str = "wifi";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const NEIGHBOURS: Kinds = neighbours::ALL;

    /// How the task is told, what the modem and the stack are told, and who is the access point.
    const KNOBS: &'static [Knob] = &[
        rtos::NOTICE_KNOB,
        rtos::TICK_KNOB,
        // esp_wifi_set_ps.
        Knob::of(Sleep::power_save, &["false"]).giving_up("power: the radio is always on"),
        Knob::of(Ip::nagle, &["false"]),
        Knob::of(Ip::frame_writes, &["together"]),
        Knob::of(Ip::ack_policy, &["at-once"]).giving_up("airtime: twice the acknowledgements"),
        Knob::of(Network::access_point, &["sender", "receiver"])
            .giving_up("the network: no other device is reached"),
        Knob::of(Network::aifsn, &["2"]).giving_up("fairness: as if it were voice"),
    ];

    type Parameters = Parameters;

    fn floor(p: &Parameters, size: usize) -> Result<Floor, Refusal> {
        p.ip.check()?;
        Ok(takes::floor(&p.network, &p.ip, size))
    }

    fn cycle(p: &Parameters, size: usize) -> Result<Cycle, Refusal> {
        p.ip.check()?;
        Ok(takes::cycle(&p.network, &p.ip, size))
    }

    fn ends(
        p: &Parameters,
        _: usize,
        bench: &Bench,
    ) -> Result<(End<impl Pins, impl Opening>, End<impl Pins, impl Opening>), Refusal> {
        p.ip.check()?;
        let (near, far) = (p.boards.sender(bench.sim()), p.boards.receiver(bench.sim()));
        let [one, other] = p.network.ports(bench, [&near, &far], &p.sleep, p.ip.mtu);
        let (calls, called) = p.ip.connect([(&near, one), (&far, other)]);
        let near = End { pins: p.boards.pins(&near, p.strobe), link: calls };
        let far = End { pins: p.boards.pins(&far, p.strobe), link: called };
        Ok((near, far))
    }

    fn transmitter(p: &Parameters, node: &str) -> Option<Transmitter> {
        p.network.transmitter(node)
    }
}
