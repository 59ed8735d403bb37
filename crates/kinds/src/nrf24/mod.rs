//! Two boards with an nRF24L01+ each, and the air between them.

mod interrupt_delay;
mod link;
mod parameters;
pub(crate) mod stages;
mod station;

use airlag_air::quantity::{Db, Dbm};
use airlag_air::{Sense, Sniffer};
use airlag_drivers::nrf24::Role;
use airlag_link::airtime::nrf24::{Frame, Rate};
use airlag_models::chip::nrf24::capture::ShockBurst;
use airlag_models::chip::nrf24::packet::{FAMILY, band};
use airlag_models::chip::nrf24::sensitivity::demodulator;

use crate::calls;
use crate::neighbours;

use airlag_air::Band;
use airlag_air::transmitter::{Access, Spectrum, Transmitter};
use airlag_rig::dependant::Dependant;
use airlag_rig::ends::{Bench, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;
use airlag_rig::propagation::{Hearing, Propagation};

pub use interrupt_delay::InterruptDelay;
pub use link::{StationDriver, StationLink};
pub use parameters::Parameters;
use parameters::{Reply, Setup, longer_delay};
use stages::Stages;
pub use station::Station;

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

/// Cost of replies in acknowledgements: the first board polls while it waits for a reply.
const POLLS: &str = "an idle channel: polls are sent whenever no data is sent";

impl Facts for Parameters {
    const NAME: &'static str = "nrf24";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const ANSWERS: Option<Dependant> =
        Some(Dependant { name: Parameters::reply, value: "ack-payload" });
    const NEIGHBOURS: Kinds = neighbours::ALL;

    /// Registers of the chip, and their use by the driver.
    const KNOBS: &'static [Knob] = &[
        Knob::of(Parameters::flush_after_read, &["false"]),
        Knob::of(Parameters::payload, &["dynamic"]),
        Knob::of(Parameters::payload, &["exact"])
            .giving_up("messages of other lengths: the length is fixed at both ends"),
        Knob::of(Parameters::window, &["2", "3"]),
        // The steps of SETUP_RETR; one shorter than an acknowledgement is refused.
        Knob::of(Parameters::retransmit_delay, &["250us", "500us", "750us"])
            .needing(Parameters::acknowledge, "true"),
        Knob::of(Parameters::address_width, &["3"]),
        // Sensitivity: -94, -85 and -82 dBm (section 5.4).
        Knob::of(Parameters::rate, &["1Mbit/s", "2Mbit/s"])
            .giving_up_range("range: 9 dB less at 1 Mbit/s, 12 dB less at 2 Mbit/s"),
        Knob::of(Parameters::acknowledge, &["false"])
            .giving_up("retries: lost frames are not retransmitted"),
        Knob::of(Parameters::reply, &["turn"]),
        Knob::of(Parameters::reply, &["ack-payload"]).giving_up(POLLS),
        Knob::of(Parameters::poll_pause, &["0ns", "200us"]).giving_up(POLLS),
        Knob::of(Parameters::idle, &["standby"]).giving_up_energy("current between messages"),
    ];

    const REACH: &'static [Knob] = &[
        Knob::of(Parameters::retransmit_count, &["15"]).needing(Parameters::acknowledge, "true"),
        Knob::of(Parameters::rate, &["1Mbit/s", "250kbit/s"]),
    ];

    // nRF24L01+ v1.0, 5.1: 0.9 uA instead of 26 uA in standby-I.
    const SAVING: &'static [Knob] = &[Knob::of(Parameters::idle, &["power-down"])];
}

impl Parameters {
    fn stages(&self, setup: &Setup) -> Stages {
        Stages {
            frame: Frame::enhanced(self.rate, self.address_width),
            settle: setup.timing.settle,
            interrupt: self.packet_to_irq.at(self.rate),
            answer: 0,
        }
    }
}

impl Configured for Parameters {
    /// Without replies, the roles are fixed at set-up.
    fn is_one_way(&self) -> bool {
        self.reply == Reply::None
    }

    /// Returns the lower bound of the latency. The bound assumes that frames and acknowledgements
    /// follow each other without gaps, as if the chip always had the next payload and the CE pin
    /// stayed high. Without acknowledgements, each frame directly follows the previous frame,
    /// except that the transmitter of the chip settles again every 4 ms (section 6.1.5).
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        let setup = Setup::new(self, size)?;
        let (stages, mtu) = (self.stages(&setup), setup.config.mtu());
        let (full, rest) = setup.split(size);
        let frames = full + u64::from(rest > 0);
        let gaps = if setup.config.acknowledge { frames.saturating_sub(1) } else { 0 };
        let bursts = frames.div_ceil(u64::from(stages.frame.burst(mtu)).max(1));
        let settled = if setup.config.acknowledge { frames } else { bursts };
        let air = [stages.air(full, mtu), stages.air(u64::from(rest > 0), rest)];
        Ok(Floor::of([stages.settled(settled)])
            .then(air)
            .then([stages.interrupts(gaps + 1)])
            .then(stages.answers(gaps)))
    }

    /// With acknowledgements, each frame has its own turnarounds. Without them, the chip leaves
    /// transmit mode every four milliseconds.
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        let setup = Setup::new(self, size)?;
        let (stages, mtu) = (self.stages(&setup), setup.config.mtu());
        let (full, rest) = setup.split(size);
        let (some, frames) = (u64::from(rest > 0), full + u64::from(rest > 0));
        let acknowledged = setup.config.acknowledge;
        // Covers one message per frame of a burst, so that the messages together fill whole bursts.
        let messages = if acknowledged { 1 } else { u64::from(stages.frame.burst(mtu)).max(1) };
        let answers = if acknowledged { frames } else { 0 };
        let air = [stages.air(messages * full, mtu), stages.air(messages * some, rest)];
        let takes = Floor::of([stages.settled(frames)])
            .then(air)
            .then(stages.answers(answers))
            .then([stages.interrupts(frames)]);
        Ok(Cycle { messages, takes })
    }

    fn ends(&self, size: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let (near, far) = stations(self, size, bench)?;
        Ok(Ends::two(near.end(Role::Transmitter), far.end(Role::Receiver)))
    }

    /// The delay must be sufficient for an acknowledgement (nRF24L01+ v1.0, 9.1, SETUP_RETR).
    fn dependants(&self, size: usize) -> Vec<Dependant> {
        let delay = |value| Dependant { name: Parameters::retransmit_delay, value };
        longer_delay(self, size).map(delay).into_iter().collect()
    }

    fn tap(&self, sniffer: Sniffer) -> Sniffer {
        sniffer.with(FAMILY, ShockBurst)
    }

    fn band(&self) -> Band {
        band(self.channel, self.rate)
    }

    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        Some(transmitter(self.rate, &self.propagation))
    }
}

/// Returns how the chip responds to signals of other radios. The only carrier sense of the chip is
/// the received power detector, with a threshold of -64 dBm (nRF24L01+ v1.0, 6.4). Frames of other
/// nRF24 chips on the receiver's channel have all their power in the frequency band of this
/// channel. With the value of `harm` returned here (effect of interference relative to noise of the
/// same power), the error rate curve yields a co-channel rejection of 10.9 dB at a bit error rate
/// of 0.1 %, for every data rate.
#[must_use]
pub fn hearing(rate: Rate) -> Hearing {
    let width_khz = band(0, rate).width_khz();
    let narrower = f64::from(width_khz) * 1e3 * rate.bit_ns() as f64 / 1e9;
    Hearing { family: FAMILY, harm: Db::of(narrower), sense: Sense::energy(Dbm(-64.0)) }
}

/// Creates the two stations of a profile, with the losses between them. The first one transmits.
pub fn stations(p: &Parameters, size: usize, bench: &Bench) -> Result<(Station, Station), Refusal> {
    let (setup, air) = (Setup::of_pair(p, size, bench.place().group)?, bench.air());
    let near = Station::new(&setup, p.boards.sender(bench.sim()), bench);
    let far = Station::new(&setup, p.boards.receiver(bench.sim()), bench);
    let ends = [near.node(), far.node()];
    p.losses.apply(air, ends);
    p.propagation.apply(bench, ends, demodulator(p.rate), hearing(p.rate));
    Ok((near, far))
}

/// Regulatory properties of the chip: two tones on one channel, without carrier sense. Their
/// deviation is 160 kHz, and 320 kHz at 2 Mbit/s (nRF24L01+ v1.0, 5.3).
#[must_use]
pub fn transmitter(rate: Rate, propagation: &Propagation) -> Transmitter {
    let (power_dbm, gain_dbi) = propagation.radiates();
    let deviation_khz = if matches!(rate, Rate::Mbps2) { 320.0 } else { 160.0 };
    let spectrum = Spectrum::tones(1e6 / rate.bit_ns() as f64, deviation_khz);
    Transmitter { power_dbm, gain_dbi, spectrum, hopping: None, access: Access::Blind }
}
