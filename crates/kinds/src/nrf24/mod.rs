//! Two boards, two nRF24L01+ and the air between them.

mod interrupt_delay;
mod link;
mod parameters;
mod station;

use airlag_air::quantity::{Db, Dbm};
use airlag_air::{Sense, Sniffer};
use airlag_drivers::nrf24::Role;
use airlag_law::{Access, Spectrum, Transmitter};
use airlag_link::airtime::nrf24::{Frame, Rate};
use airlag_models::chip::nrf24::capture::ShockBurst;
use airlag_models::chip::nrf24::packet::{FAMILY, band};
use airlag_models::chip::nrf24::sensitivity::demodulator;

use crate::neighbours;

use airlag_rig::dependant::Dependant;
use airlag_rig::ends::{Bench, End, Opening, Pins};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Between, Medium, TwoEnds, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;
use airlag_rig::propagation::{Hearing, Propagation};

pub use interrupt_delay::InterruptDelay;
pub use link::{StationDriver, StationLink};
pub use parameters::Parameters;
use parameters::{Reply, Setup, longer_delay};
pub use station::Station;

/// This kind, as it is listed.
pub static KIND: Between<Nrf24> = Between::new();

/// What replies in acknowledgements cost: the first board polls as long as it waits for one.
const POLLS: &str = "a quiet channel: polls go out as long as nothing else does";

/// A pair of nRF24L01+.
pub struct Nrf24;

impl TwoEnds for Nrf24 {
    const NAME: &'static str = "nrf24";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const ANSWERS: Option<Dependant> =
        Some(Dependant { name: Parameters::reply, value: "ack-payload" });
    const NEIGHBOURS: Kinds = neighbours::ALL;

    /// Registers of the chip, and how its driver uses them.
    const KNOBS: &'static [Knob] = &[
        Knob::of(Parameters::flush_after_read, &["false"]),
        Knob::of(Parameters::payload, &["dynamic"]),
        Knob::of(Parameters::payload, &["exact"])
            .giving_up("messages of other lengths: both ends have the length fixed"),
        Knob::of(Parameters::window, &["2", "3"]),
        // The steps of SETUP_RETR; one that is too short for an acknowledgement is refused.
        Knob::of(Parameters::retransmit_delay, &["250us", "500us", "750us"]),
        Knob::of(Parameters::address_width, &["3"]),
        // Sensitivity: -94, -85 and -82 dBm (section 5.4).
        Knob::of(Parameters::rate, &["1Mbit/s", "2Mbit/s"])
            .giving_up("range: 9 dB to 1 Mbit/s, 3 dB more to 2 Mbit/s"),
        Knob::of(Parameters::acknowledge, &["false"])
            .giving_up("retries: a frame that is lost stays lost"),
        Knob::of(Parameters::reply, &["turn"]),
        Knob::of(Parameters::reply, &["ack-payload"]).giving_up(POLLS),
        Knob::of(Parameters::poll_pause, &["0ns", "200us"]).giving_up(POLLS),
    ];

    type Parameters = Parameters;

    /// Without a reply roles are fixed when the chips are set up.
    fn ways(p: &Parameters) -> Ways {
        if p.reply == Reply::None { Ways::One } else { Ways::Both }
    }

    /// Frames and acknowledgements back to back, as when the chip always has the next payload and
    /// CE stays high. Without acknowledgements frames follow each other, but for settling again
    /// every 4 ms (section 6.1.5).
    fn floor(p: &Parameters, size: usize) -> Result<Floor, Refusal> {
        let setup = Setup::new(p, size)?;
        let frame = Frame::enhanced(p.rate, p.address_width);
        let mtu = setup.config.mtu();
        let (full, rest) = setup.split(size);
        let frames = full + u64::from(rest > 0);
        let gaps = if setup.config.acknowledge { frames.saturating_sub(1) } else { 0 };
        let bursts = frames.div_ceil(u64::from(frame.burst(mtu)).max(1));
        let settled = if setup.config.acknowledge { frames } else { bursts };
        let settle = setup.timing.settle.as_ns();
        let irq = p.packet_to_irq.at(p.rate).as_ns();
        let airtime = "nRF24L01+ v1.0, 7.3: preamble, address, control, payload, CRC";
        let turned = "nRF24L01+ v1.0, 6.1.7: Tstby2a";
        Ok(Floor::new()
            .with("settle", settled, settle, turned)
            .with(format!("air, {mtu} B"), full, frame.duration_ns(mtu), airtime)
            .with(format!("air, {rest} B"), u64::from(rest > 0), frame.duration_ns(rest), airtime)
            .with("packet to interrupt", gaps + 1, irq, "nRF24L01+ v1.0, 7.7: Tirq")
            .with("turn to receive", gaps, settle, turned)
            .with("acknowledgement", gaps, frame.duration_ns(0), airtime))
    }

    /// Acknowledged, each frame has its own turns; a stream without acknowledgements leaves transmit
    /// mode once in four milliseconds.
    fn cycle(p: &Parameters, size: usize) -> Result<Cycle, Refusal> {
        let setup = Setup::new(p, size)?;
        let frame = Frame::enhanced(p.rate, p.address_width);
        let mtu = setup.config.mtu();
        let (full, rest) = setup.split(size);
        let (some, frames) = (u64::from(rest > 0), full + u64::from(rest > 0));
        let (settle, irq) = (setup.timing.settle.as_ns(), p.packet_to_irq.at(p.rate).as_ns());
        let airtime = "nRF24L01+ v1.0, 7.3: preamble, address, control, payload, CRC";
        let turned = "nRF24L01+ v1.0, 6.1.7: Tstby2a";
        let acknowledged = setup.config.acknowledge;
        // As many messages as a burst has frames take as many bursts as a message has frames.
        let messages = if acknowledged { 1 } else { u64::from(frame.burst(mtu)).max(1) };
        let answers = if acknowledged { frames } else { 0 };
        let takes = Floor::new()
            .with("settle", frames, settle, turned)
            .with(format!("air, {mtu} B"), messages * full, frame.duration_ns(mtu), airtime)
            .with(format!("air, {rest} B"), messages * some, frame.duration_ns(rest), airtime)
            .with("turn to receive", answers, settle, turned)
            .with("acknowledgement", answers, frame.duration_ns(0), airtime)
            .with("packet to interrupt", frames, irq, "nRF24L01+ v1.0, 7.7: Tirq");
        Ok(Cycle { messages, takes })
    }

    fn ends(
        p: &Parameters,
        size: usize,
        bench: &Bench,
    ) -> Result<(End<impl Pins, impl Opening>, End<impl Pins, impl Opening>), Refusal> {
        let (near, far) = stations(p, size, bench)?;
        Ok((near.end(Role::Transmitter), far.end(Role::Receiver)))
    }

    /// The delay has to leave an acknowledgement its time (nRF24L01+ v1.0, 9.1, SETUP_RETR).
    fn dependants(p: &Parameters, size: usize) -> Vec<Dependant> {
        let delay = |value| Dependant { name: Parameters::retransmit_delay, value };
        longer_delay(p, size).map(delay).into_iter().collect()
    }

    fn tap(sniffer: Sniffer) -> Sniffer {
        sniffer.with(FAMILY, ShockBurst)
    }

    fn transmitter(p: &Parameters, _: &str) -> Option<Transmitter> {
        Some(transmitter(p.rate, &p.propagation))
    }
}

/// What the chip makes of others on the air. It looks for them with its received power detector alone,
/// at -64 dBm (nRF24L01+ v1.0, 6.4). Frames of its own kind have all their power where its own has:
/// with that, the curve gives a co-channel rejection of 10.9 dB for 0.1 % of bits wrong, at every rate.
#[must_use]
pub fn hearing(rate: Rate) -> Hearing {
    let width_khz = band(0, rate).width_khz();
    let narrower = f64::from(width_khz) * 1e3 * rate.bit_ns() as f64 / 1e9;
    Hearing { family: FAMILY, harm: Db::of(narrower), sense: Sense::energy(Dbm(-64.0)) }
}

/// The two stations of a profile, with the losses between them; the first one transmits.
pub fn stations(p: &Parameters, size: usize, bench: &Bench) -> Result<(Station, Station), Refusal> {
    let (setup, air) = (Setup::of_pair(p, size, bench.place().group)?, bench.air());
    let near = Station::new(&setup, p.boards.sender(bench.sim()), bench);
    let far = Station::new(&setup, p.boards.receiver(bench.sim()), bench);
    let ends = [near.node(), far.node()];
    p.losses.apply(air, ends);
    p.propagation.apply(bench, ends, demodulator(p.rate), hearing(p.rate));
    Ok((near, far))
}

/// What the chip is in the eyes of the law: two tones on one channel, without a look. Their
/// deviation is 160 kHz, and 320 kHz at 2 Mbit/s (nRF24L01+ v1.0, 5.3).
#[must_use]
pub fn transmitter(rate: Rate, propagation: &Propagation) -> Transmitter {
    let (power_dbm, gain_dbi) = propagation.radiates();
    let deviation_khz = if matches!(rate, Rate::Mbps2) { 320.0 } else { 160.0 };
    let spectrum = Spectrum::tones(1e6 / rate.bit_ns() as f64, deviation_khz);
    Transmitter { power_dbm, gain_dbi, spectrum, hopping: None, access: Access::Blind }
}
