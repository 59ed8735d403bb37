//! A board with an SX1276 as a LoRaWAN end device, a gateway, and an application server.

mod parameters;
mod takes;

use std::future::ready;
use std::rc::Rc;

use airlag_air::quantity::{Db, Dbm};
use airlag_air::transmitter::{Access, Hopping, Spectrum, Transmitter};
use airlag_air::{Band, Sense, Sniffer};
use airlag_models::chip::sx127x::capture::LoraTap;
use airlag_models::chip::sx127x::interference::ChirpReceiver;
use airlag_models::chip::sx127x::sensitivity::demodulator;
use airlag_models::chip::sx127x::settings::FAMILY;
use airlag_models::stack::lorawan::plan::Direction as Way;
use airlag_models::stack::lorawan::{Application, Class, Device, EndDevice, Network, Plan};
use airlag_sim::Duration;

use crate::neighbours;
use airlag_rig::dependant::Dependant;
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Configured, Definition, Facts, Medium, Ways};
use airlag_rig::knob::{BandPlan, Knob};
use airlag_rig::neighbours::Kinds;
use airlag_rig::propagation::Hearing;

pub use parameters::{Direction, Parameters};

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

impl Facts for Parameters {
    const NAME: &'static str = "lorawan";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::One;
    const NEIGHBOURS: Kinds = neighbours::ALL;

    /// Settings of the network server and of the device's session.
    const KNOBS: &'static [Knob] = &[
        Knob::of(Parameters::deduplication, &["50ms"])
            .giving_up("copies of an uplink that other gateways deliver later"),
        Knob::of(Parameters::data_rate, &["3", "4", "5"])
            .giving_up_range("range: 2.5 dB per step, and 6 dB to a bandwidth of 500 kHz"),
        Knob::of(Parameters::second_window_data_rate, &["3", "5", "10", "13"])
            .giving_up_range("range: 2.5 dB per step"),
        Knob::of(Parameters::report_period, &["10s", "60s"])
            .giving_up_energy("energy: an uplink in each period"),
        Knob::of(Parameters::class, &["c"]).giving_up_energy("energy: the receiver is always on"),
    ];

    const REACH: &'static [Knob] = &[
        Knob::of(Parameters::data_rate, &["4", "3", "2", "1", "0"]),
        Knob::of(Parameters::second_window_data_rate, &["2", "1", "0", "8"]),
        // Last: a slower data rate is tried before further copies.
        Knob::of(Parameters::transmissions, &["2", "3", "8"]),
    ];

    /// LoRaWAN Regional Parameters: the channel plans of the regions.
    const BAND_PLANS: &'static [BandPlan] = &[
        BandPlan {
            region: "eu",
            settings: &[
                (Parameters::plan, "eu868"),
                (Parameters::data_rate, "5"),
                (Parameters::second_window_data_rate, "3"),
                (Parameters::duty_cycle, "1%"),
            ],
        },
        BandPlan {
            region: "us",
            settings: &[
                (Parameters::plan, "us915"),
                (Parameters::data_rate, "3"),
                (Parameters::second_window_data_rate, "8"),
                (Parameters::duty_cycle, "100%"),
            ],
        },
    ];
}

impl Parameters {
    /// Whether a downlink waits for an uplink of the device.
    fn waits_for_uplink(&self) -> bool {
        self.direction == Direction::Down && self.class == Class::A
    }
}

impl Configured for Parameters {
    /// Frames, the gaps between them, backhaul and deduplication.
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        takes::check(self, size)?;
        takes::floor(self, size)
    }

    /// Every frame with its off time or its receive windows.
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        takes::check(self, size)?;
        takes::cycle(self, size).map(Cycle::each)
    }

    /// A channel plan has its own data rates, and a downlink of class A requires uplinks.
    fn dependants(&self, _: usize) -> Vec<Dependant> {
        let (up, down) = match self.plan {
            Plan::Eu868 => ("5", "3"),
            Plan::Us915 => ("3", "8"),
        };
        let without = |way, nth| self.plan.data_rate(way, nth).is_none();
        let second = self.second_window_data_rate;
        let required = [
            (Parameters::data_rate, up, without(Way::Up, self.data_rate)),
            (Parameters::second_window_data_rate, down, without(Way::Down, second)),
            (
                Parameters::report_period,
                "60s",
                self.waits_for_uplink() && self.report_period.is_zero(),
            ),
        ];
        let required = required.into_iter().filter(|&(_, _, missing)| missing);
        required.map(|(name, value, _)| Dependant { name, value }).collect()
    }

    fn idle_period(&self) -> Option<Duration> {
        let reports = self.direction == Direction::Down && !self.report_period.is_zero();
        reports.then_some(self.report_period)
    }

    fn ends(&self, size: usize, bench: &Bench) -> Result<Ends, Refusal> {
        takes::check(self, size)?;
        let config = self.config(bench.place().group)?;
        let (sim, air) = (bench.sim(), bench.air());
        let (near, far) = (self.boards.sender(sim), self.boards.receiver(sim));
        let (board, server) = match self.direction {
            Direction::Up => (&near, &far),
            Direction::Down => (&far, &near),
        };
        let name = format!("{} radio", board.name());
        let device = Device::new(air, &name, sim, *board.clock(), config);
        let name = format!("{} gateway", server.name());
        let network = Network::new(air, &name, sim, config, self.network());
        let happened = bench.incidents();
        device.observe(move |incident| happened(incident.name()));
        let happened = bench.incidents();
        network.observe(move |incident| happened(incident.name()));
        let nodes = [device.id(), network.id()];
        self.losses.apply(air, nodes);
        let frame = self.rate()?.frame(self.way());
        self.propagation.apply(bench, nodes, ChirpReceiver(demodulator(&frame)), HEARING);
        let node = Rc::clone(&device);
        let device = End {
            pins: self.boards.pins(board, self.strobe),
            link: ready(Ok::<_, String>(EndDevice::new(&device, board, self.host()))),
        };
        let server = End {
            pins: self.boards.pins(server, self.strobe),
            link: ready(Ok::<_, String>(Application::new(&network))),
        };
        bench.keep(node);
        bench.keep(network);
        Ok(match self.direction {
            Direction::Up => Ends::two(device, server),
            Direction::Down => Ends::two(server, device),
        })
    }

    fn tap(&self, sniffer: Sniffer) -> Sniffer {
        sniffer.with(FAMILY, LoraTap)
    }

    /// From the first channel to the second receive window.
    fn band(&self) -> Band {
        match self.plan {
            Plan::Eu868 => Band { low_khz: 868_000, high_khz: 869_650 },
            Plan::Us915 => Band { low_khz: 902_000, high_khz: 928_000 },
        }
    }

    /// Chirps that sweep the bandwidth of their data rate, over the channels in rotation, without
    /// carrier sense. The gateway sends in the windows of the device.
    fn transmitter(&self, node: &str) -> Option<Transmitter> {
        let (power_dbm, gain_dbi) = self.propagation.radiates();
        let config = self.config(0).ok()?;
        let gateway = node.ends_with("gateway");
        let rate = if gateway { config.second_window() } else { config.uplink() }?;
        let spectrum = Spectrum::even(f64::from(rate.bandwidth.hz()) / 1e3);
        let (_, count) = self.plan.channels(self.data_rate, config.sub_band);
        let hops = !gateway && self.plan.takes_turns();
        let channels = u32::from(count);
        let hopping = hops.then_some(Hopping { channels, spacing_khz: 200, adaptive: false });
        Some(Transmitter { power_dbm, gain_dbi, spectrum, hopping, access: Access::Blind })
    }
}

/// Response of the radios to other signals, as for [`lora`](crate::lora).
const HEARING: Hearing = Hearing {
    family: FAMILY,
    harm: Db(0.0),
    sense: Sense { own: Dbm(f64::NEG_INFINITY), energy: Dbm(f64::INFINITY) },
};
