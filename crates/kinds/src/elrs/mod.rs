//! ExpressLRS: a handset with a transmitter module, and a receiver with a program on its serial
//! line.
//!
//! ```text
//!  handset -> serial line -> module -> air -> receiver -> serial line -> program
//! ```

mod parameters;
mod takes;

use std::future::ready;

use airlag_air::quantity::{Db, Dbm};
use airlag_air::transmitter::{Access, Hopping, Spectrum, Transmitter};
use airlag_air::{Band, Sense, Sniffer};
use airlag_models::chip::sx127x::capture::LoraTap;
use airlag_models::chip::sx127x::{interference, sensitivity, settings};
use airlag_models::chip::sx128x::modulation;
use airlag_models::chip::sx128x::sensitivity::{ChirpReceiver, Modem};
use airlag_models::stack::elrs::{Elrs, Module, Receiver, Receiving, Waveform};
use airlag_sim::Duration;

use crate::neighbours;
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Configured, Definition, Facts, Medium, Ways};
use airlag_rig::knob::{BandPlan, Knob};
use airlag_rig::neighbours::Kinds;
use airlag_rig::propagation::Hearing;

pub use parameters::{Parameters, TelemetryRatio};

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

impl Facts for Parameters {
    const NAME: &'static str = "elrs";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::One;
    const NEIGHBOURS: Kinds = neighbours::ALL;

    /// Settings of the module's menu, and of the handset.
    const KNOBS: &'static [Knob] = &[
        Knob::of(Parameters::handset, &["synchronised"]),
        Knob::of(Parameters::handset_baud, &["921600baud", "1870000baud"]),
        Knob::of(Parameters::telemetry_ratio, &["1:128", "off"]).giving_up("telemetry"),
        Knob::of(
            Parameters::packet_rate,
            &[
                "2g4-50",
                "2g4-150",
                "2g4-250",
                "2g4-500",
                "2g4-f1000",
                "900-50",
                "900-100",
                "900-200",
            ],
        )
        .giving_up_range("range: 3 to 4 dB per step"),
    ];

    const REACH: &'static [Knob] = &[Knob::of(
        Parameters::packet_rate,
        &["2g4-250", "2g4-150", "2g4-50", "900-100", "900-50", "900-25"],
    )];

    /// Domains of the firmware (`FHSS.cpp`).
    const BAND_PLANS: &'static [BandPlan] = &[
        BandPlan { region: "eu", settings: &[(Parameters::domain, "eu868")] },
        BandPlan { region: "us", settings: &[(Parameters::domain, "fcc915")] },
    ];
}

impl Configured for Parameters {
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        takes::floor(self, size)
    }

    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        takes::cycle(self, size)
    }

    fn repetition_wait(&self, _: usize) -> Duration {
        takes::repetition_wait(self)
    }

    /// The module sends in every slot, with or without new data.
    fn idle_period(&self) -> Option<Duration> {
        Some(self.packet_rate.interval())
    }

    fn ends(&self, size: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let (sim, air) = (bench.sim(), bench.air());
        let config = self.config(bench.place().group)?;
        let (near, far) = (self.boards.sender(sim), self.boards.receiver(sim));
        let schedule = self.schedule(&config, *near.clock(), sim);
        // Chirps of different slopes are orthogonal.
        air.orthogonal(settings::FAMILY);
        air.orthogonal(modulation::LORA);
        let module = Module::new(
            air,
            &format!("{} radio", near.name()),
            sim,
            *near.clock(),
            config,
            &schedule,
            self.handset_offset(sim),
        );
        let happened = bench.incidents();
        module.observe(move |incident| happened(incident.name()));
        let name = format!("{} radio", far.name());
        let receiver = Receiver::new(air, &name, sim, *far.clock(), config, &schedule);
        module.leave_out_repetitions(&receiver);
        let nodes = [module.id(), receiver.id()];
        self.losses.apply(air, nodes);
        match config.rate.waveform() {
            Waveform::Sx127x(frame) => {
                let modem = interference::ChirpReceiver(sensitivity::demodulator(&frame));
                self.propagation.apply(bench, nodes, modem, hearing(settings::FAMILY));
            }
            Waveform::Sx128xLora(format) => {
                let modem = ChirpReceiver(Modem::lora(&format));
                self.propagation.apply(bench, nodes, modem, hearing(modulation::LORA));
            }
            Waveform::Sx128xFlrc(format) => {
                let modem = Modem::flrc(&format);
                self.propagation.apply(bench, nodes, modem, hearing(modulation::FLRC));
            }
        }
        let near = End {
            pins: self.boards.pins(&near, self.strobe),
            link: ready(Ok::<_, String>(Elrs::new(&module, size))),
        };
        let far = End {
            pins: self.boards.pins(&far, self.strobe),
            link: ready(Ok::<_, String>(Receiving::new(&receiver, &far, self.host_receive, size))),
        };
        Ok(Ends::two(near, far))
    }

    /// Only below 1 GHz, because LoRaTap supports neither the bandwidths of an SX1280 nor FLRC.
    fn tap(&self, sniffer: Sniffer) -> Sniffer {
        if self.packet_rate.is_at_2400() {
            sniffer
        } else {
            sniffer.with(settings::FAMILY, LoraTap)
        }
    }

    fn band(&self) -> Band {
        self.domain.band(self.packet_rate.waveform().width_khz())
    }

    /// Chirps that sweep the bandwidth, or minimum shift keying, over the channels of the domain.
    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        let (power_dbm, gain_dbi) = self.propagation.radiates();
        let spectrum = match self.packet_rate.waveform() {
            Waveform::Sx127x(frame) => Spectrum::even(f64::from(frame.bandwidth.hz()) / 1e3),
            Waveform::Sx128xLora(format) => Spectrum::even(f64::from(format.bandwidth_hz) / 1e3),
            Waveform::Sx128xFlrc(format) => Spectrum::half_sines(f64::from(format.bit_rate) / 1e3),
        };
        let hopping = Some(Hopping {
            channels: self.domain.count(),
            spacing_khz: self.domain.spacing_khz(),
            adaptive: false,
        });
        let listens_us = (self.listen.as_ns() / 1_000) as u32;
        let access = if listens_us > 0 { Access::Listens(listens_us) } else { Access::Blind };
        Some(Transmitter { power_dbm, gain_dbi, spectrum, hopping, access })
    }
}

/// Threshold of the clear channel assessment: -70 dBm/MHz for 20 dBm (EN 300 328, 4.3.2.6.3.2).
const BUSY: Dbm = Dbm(-70.0);

/// Response of the radios to other signals.
const fn hearing(family: &'static str) -> Hearing {
    Hearing { family, harm: Db(0.0), sense: Sense::energy(BUSY) }
}
