//! Two boards with an SX1276 each in LoRa mode, and the air between them.

mod parameters;
mod station;

use airlag_air::quantity::{Db, Dbm};
use airlag_air::{Disturbed, Independent, Sense, Sniffer};
use airlag_link::airtime::lora::{Frame, SpreadingFactor};
use airlag_models::chip::sx127x::capture::LoraTap;
use airlag_models::chip::sx127x::interference::ChirpReceiver;
use airlag_models::chip::sx127x::sensitivity::demodulator;
use airlag_models::chip::sx127x::settings::FAMILY;

use crate::calls;
use crate::neighbours;
use airlag_air::Band;
use airlag_air::transmitter::{Access, Spectrum, Transmitter};
use airlag_rig::dependant::Dependant;
use airlag_rig::ends::{Bench, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor, split};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Ways};
use airlag_rig::knob::{BandPlan, Knob};
use airlag_rig::neighbours::Kinds;
use airlag_rig::propagation::Hearing;

pub use parameters::Parameters;
use parameters::{Header, LowDataRate, Setup, counted};
pub use station::Station;

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

impl Facts for Parameters {
    const NAME: &'static str = "lora";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::ALL;

    /// Registers of the modem, and their use by the driver.
    const KNOBS: &'static [Knob] = &[
        Knob::all(Parameters::idle),
        // SX1276 datasheet rev. 7, 4.1.1.2 and 4.1.1.6.
        Knob::of(Parameters::header, &["implicit"])
            .giving_up("messages of other lengths: length and coding are fixed at both ends"),
        Knob::of(Parameters::preamble, &["6"]).giving_up(
            "receivers with a longer preamble: both ends must agree, and a receiver has fewer \
             symbols to detect a frame",
        ),
        Knob::of(Parameters::crc, &["false"])
            .giving_up("the modem's CRC: damaged packets reach the program"),
        Knob::of(Parameters::coding_rate, &["4/5"]).giving_up("correction of bit errors"),
        // SX1276 datasheet rev. 7, table 10 and section 4.1.1.5. A spreading factor of 6 needs
        // implicit headers.
        Knob::of(Parameters::spreading_factor, &["6", "7", "8", "9", "10"])
            .giving_up_range("range: 2.5 dB per step"),
        Knob::of(Parameters::bandwidth, &["125kHz", "250kHz", "500kHz"])
            .giving_up_range("range: 3 dB per doubling"),
    ];

    const REACH: &'static [Knob] = &[
        Knob::of(Parameters::spreading_factor, &["7", "8", "9", "10", "11", "12"]),
        Knob::of(Parameters::bandwidth, &["125kHz"]),
        // This knob is last, so that a slower mode is tried before a second copy.
        Knob::of(Parameters::transmissions, &["2", "3"]),
    ];

    const SAVING: &'static [Knob] = &[Knob::of(Parameters::idle, &["sleep"])];

    /// Band plans for Europe and the United States. ERC Recommendation 70-03, annex 1, permits 25
    /// mW at 1 % duty cycle from 868.0 to 868.6 MHz, and 500 mW at 10 % duty cycle from 869.4 to
    /// 869.65 MHz. 47 CFR 15.247(a)(2) requires a transmission on a fixed frequency to be at least
    /// 500 kHz wide.
    const BAND_PLANS: &'static [BandPlan] = &[
        BandPlan { region: "eu", settings: &[(Parameters::frequency, "868.3MHz")] },
        BandPlan { region: "eu", settings: &[(Parameters::frequency, "869.525MHz")] },
        BandPlan {
            region: "us",
            settings: &[(Parameters::frequency, "915MHz"), (Parameters::bandwidth, "500kHz")],
        },
    ];
}

impl Parameters {
    /// Whether low data rate optimisation is disabled although a symbol lasts more than 16 ms. The
    /// datasheet requires the optimisation for such long symbols (SX1276 rev. 7, 4.1.1.6). The chip
    /// accepts the setting without optimisation, but packets may be lost when the crystal drifts.
    fn is_beyond_datasheet(&self) -> bool {
        let slow = SpreadingFactor::new(self.spreading_factor)
            .is_some_and(|factor| Frame::needs_optimize(factor, self.bandwidth));
        slow && self.low_data_rate_optimize == LowDataRate::Off
    }
}

/// Creates the two stations of a profile, with the losses between them. The first one transmits.
///
/// # Errors
///
/// [`Refusal`] of settings that conflict.
pub fn stations(p: &Parameters, size: usize, bench: &Bench) -> Result<(Station, Station), Refusal> {
    let (setup, air) = (Setup::of_pair(p, size, bench.place().group)?, bench.air());
    let near = Station::new(&setup, p.boards.sender(bench.sim()), bench);
    let far = Station::new(&setup, p.boards.receiver(bench.sim()), bench);
    let (from, to) = (near.node(), far.node());
    let disturbed = Disturbed { per_second: p.disturbances };
    let lost = Independent { probability: p.losses.frame_loss };
    air.set_loss(from, to, (disturbed, lost));
    let receiver = ChirpReceiver(demodulator(&setup.config.frame));
    p.propagation.apply(bench, [from, to], receiver, HEARING);
    Ok((near, far))
}

impl Configured for Parameters {
    /// The time of each packet from standby to the end of its airtime, and the decoding latency of
    /// the receiving modem after the last one.
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        let setup = Setup::new(self, size)?;
        let decode = setup.timing.decode(&setup.config.frame).as_ns();
        let way = on_the_air(&setup, size, 1);
        Ok(way.with("receiver latency", 1, decode, "profile: decode, decode_offset"))
    }

    /// Like the floor, but without the decoding latency, which overlaps with the next packet.
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        let setup = Setup::new(self, size)?;
        Ok(Cycle::each(on_the_air(&setup, size, setup.transmissions.into())))
    }

    fn ends(&self, size: usize, bench: &Bench) -> Result<Ends, Refusal> {
        if self.is_beyond_datasheet() {
            bench.incidents()("low data rate optimisation off at symbols above 16 ms");
        }
        let (near, far) = stations(self, size, bench)?;
        Ok(Ends::two(near.end(), far.end()))
    }

    /// Spreading factor 6 requires implicit headers (SX1276 rev. 7, 4.1.1.2). Symbols of more than
    /// 16 ms require low data rate optimisation (4.1.1.6). With this optimisation, a symbol carries
    /// two bits fewer than without it. An explicit setting may disable the optimisation, but the
    /// advice of airlag never disables it.
    fn dependants(&self, _: usize) -> Vec<Dependant> {
        let headless = self.spreading_factor == 6 && self.header == Header::Explicit;
        let implicit = Dependant { name: Parameters::header, value: "implicit" };
        let optimised = Dependant { name: Parameters::low_data_rate_optimize, value: "auto" };
        let bare = self.is_beyond_datasheet();
        headless.then_some(implicit).into_iter().chain(bare.then_some(optimised)).collect()
    }

    fn tap(&self, sniffer: Sniffer) -> Sniffer {
        sniffer.with(FAMILY, LoraTap)
    }

    fn band(&self) -> Band {
        Band::around(self.frequency / 1_000, self.bandwidth.hz().div_ceil(1_000))
    }

    /// Chirps that sweep the bandwidth, on one frequency, without carrier sense.
    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        let (power_dbm, gain_dbi) = self.propagation.radiates();
        let spectrum = Spectrum::even(f64::from(self.bandwidth.hz()) / 1e3);
        Some(Transmitter { power_dbm, gain_dbi, spectrum, hopping: None, access: Access::Blind })
    }
}

/// Response of the chip to other signals. No program here uses carrier sense; the chip's channel
/// activity detection finds chirps rather than energy.
const HEARING: Hearing = Hearing {
    family: FAMILY,
    harm: Db(0.0),
    sense: Sense { own: Dbm(f64::NEG_INFINITY), energy: Dbm(f64::INFINITY) },
};

/// Returns the start-up time plus the airtime, summed over the packets of a message and over all
/// transmissions of each packet. Of the last packet, only `last` transmissions count, because
/// copies that are sent after the last packet has arrived do not delay the message.
fn on_the_air(setup: &Setup, size: usize, last: u64) -> Floor {
    let frame = &setup.config.frame;
    let mtu = setup.config.mtu();
    let times = u64::from(setup.transmissions);
    // Each packet has a counter byte.
    let (mut full, mut rest) = split(size, mtu - (counted(setup.transmissions, mtu) - mtu));
    if rest > 0 {
        rest = counted(setup.transmissions, rest);
    }
    if rest > 0 && !frame.explicit_header {
        (full, rest) = (full + 1, 0);
    }
    let airtime = "SX1276/77/78/79 rev. 7, 4.1.1.6 and 4.1.1.7";
    let some = if rest > 0 { last } else { 0 };
    let full = match full.checked_sub(u64::from(rest == 0)) {
        Some(before) => before * times + if rest == 0 { last } else { 0 },
        None => 0,
    };
    Floor::new()
        .with("standby to air", full + some, setup.timing.transmit.as_ns(), "profile: transmit")
        .with(format!("air, {mtu} B"), full, frame.duration_ns(mtu), airtime)
        .with(format!("air, {rest} B"), some, frame.duration_ns(rest), airtime)
}
