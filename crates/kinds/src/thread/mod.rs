//! A Thread device and its border router, over one or more hops, with or without other senders.

mod mesh;
mod network;
mod parameters;
mod sampling;
mod takes;
mod trouble;

use crate::calls;
use crate::{ieee802154, neighbours};
use airlag_air::Band;
use airlag_air::transmitter::Transmitter;
use airlag_link::airtime::ieee802154::Phy;
use airlag_models::stack::ieee802154::Channel;
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;
use airlag_sim::Duration;

pub use mesh::{AddressType, Mesh};
pub use parameters::{Direction, Parameters, SerialLine};
pub use sampling::Csl;
pub use trouble::Trouble;

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

impl Facts for Parameters {
    const NAME: &'static str = "thread";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::OTHERS;

    /// Options of the programs, the kernel and the build of OpenThread, and the co-processor's
    /// line.
    const KNOBS: &'static [Knob] = &[
        // The ECB peripheral of an nRF52840: 7.2 us a block.
        Knob::of(Parameters::aes_block, &["7200ns"]).of_hardware(),
        Knob::of(Parameters::device_send, &["2ms"])
            .giving_up("individual system calls: they are batched")
            .of_hardware(),
        Knob::of(Parameters::when_full, &["wait"])
            .giving_up("a program that continues without a free buffer"),
        Knob::of(Parameters::datagram, &["85"])
            .giving_up("long datagrams: the program fragments its messages itself"),
        Knob::of(Parameters::device_buffers, &["128"]).giving_up("10.5 KiB of memory"),
        Knob::of(Parameters::serial_latency, &["125us"]).of_hardware(),
        Knob::of(Parameters::min_be, &["0", "1"])
            .giving_up("frames in a crowd: more of them collide"),
    ];

    /// A sleepy end device. A poll period above its child timeout, 240 s in OpenThread, detaches
    /// it. With CSL, messages to it wait for its next sample.
    const SAVING: &'static [Knob] = &[
        Knob::of(Parameters::poll_period, &["10s", "60s", "3s"]),
        Knob::of(Csl::csl_period, &["500ms", "1s", "100ms", "3s"]),
    ];
}

impl Parameters {
    fn check(&self) -> Result<(), Refusal> {
        let direct = self.mesh.hops == 1 && self.mesh.senders == 0;
        if self.is_sleepy() && !direct {
            let setting = if self.csl.is_on() { Csl::csl_period } else { Self::poll_period };
            let cause =
                "a sleepy device must be a child of the border router; set hops=1 and senders=0";
            return Err(Refusal::setting(setting, cause.to_owned()));
        }
        if self.csl.is_on() && !self.poll_period.is_zero() {
            let cause = "a device in CSL polls before its csl_timeout; set poll_period=0";
            return Err(Refusal::setting(Self::poll_period, cause.to_owned()));
        }
        self.csl.check()?;
        self.mesh.check()
    }
}

impl Configured for Parameters {
    fn idle_cycle(&self) -> Option<Duration> {
        let polls = Some(self.poll_period).filter(|period| !period.is_zero());
        self.csl.idle_cycle().or(polls)
    }

    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        self.check()?;
        Ok(takes::floor(self, size))
    }

    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        self.check()?;
        Ok(takes::cycle(self, size))
    }

    fn fragments(&self, size: usize) -> Option<u64> {
        Some(takes::frames(self, size).iter().map(|&(_, times)| times).sum())
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        self.check()?;
        let [near, far] = self.boards(bench.sim());
        let links = network::put_up(self, bench, [&near, &far]);
        let [one, other] = links.map(|link| std::future::ready(Ok::<_, String>(link)));
        Ok(Ends::two(
            End { pins: self.pins(&near), link: one },
            End { pins: self.pins(&far), link: other },
        ))
    }

    fn band(&self) -> Band {
        Channel::first(Phy::Oqpsk2450).band()
    }

    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        Some(ieee802154::transmitter(Phy::Oqpsk2450, true, &self.propagation))
    }
}
