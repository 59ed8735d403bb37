//! Uplinks of LoRaWAN devices of class A to gateways.

use airlag_kinds::crowds::lorawan::{self, Assignment, longest};
use airlag_link::airtime::lora::SpreadingFactor;
use airlag_sim::Duration;

use super::settings::{Defaults, Limits, Settings, absent, settle, whole};
use super::{Group, Point, Question, SpreadingFactors, pure_aloha, share};
use crate::error::Error;

const DEFAULTS: Defaults = Defaults {
    devices: &[100, 300, 1_000, 3_000, 10_000],
    size: 12,
    period: Duration::from_secs(600),
    duration: Duration::from_secs(3_600),
    radius_m: 1_000.0,
    path_loss_exponent: 3.5,
    tx_power_dbm: 14.0,
};

impl SpreadingFactors {
    const fn assignment(self) -> Assignment {
        match self {
            Self::Even => Assignment::Even,
            Self::Adaptive => Assignment::Adaptive,
            Self::Sf7 => Assignment::Fixed(SpreadingFactor::Sf7),
            Self::Sf8 => Assignment::Fixed(SpreadingFactor::Sf8),
            Self::Sf9 => Assignment::Fixed(SpreadingFactor::Sf9),
            Self::Sf10 => Assignment::Fixed(SpreadingFactor::Sf10),
            Self::Sf11 => Assignment::Fixed(SpreadingFactor::Sf11),
            Self::Sf12 => Assignment::Fixed(SpreadingFactor::Sf12),
        }
    }

    /// The slowest spreading factor that a device may use.
    const fn slowest(self) -> SpreadingFactor {
        match self.assignment() {
            Assignment::Fixed(factor) => factor,
            Assignment::Even | Assignment::Adaptive => SpreadingFactor::Sf12,
        }
    }
}

/// Numbers of devices to simulate, and the network with the first of these numbers.
pub(super) fn network(asked: &mut Question) -> Result<(Vec<usize>, lorawan::Network), Error> {
    absent([
        ("scan_interval_ns", asked.scan_interval_ns.is_some()),
        ("scan_window_ns", asked.scan_window_ns.is_some()),
        ("acknowledged", asked.acknowledged.is_some()),
    ])?;
    let settings = Settings::of(asked, &DEFAULTS);
    let factors = settle(&mut asked.spreading_factors, SpreadingFactors::default());
    let gateways = settle(&mut asked.gateways, 1);
    let channels = settle(&mut asked.channels, 8);
    let slowest = factors.slowest();
    let airtime = lorawan::airtime(slowest, settings.size);
    settings.check(&Limits {
        devices: 1_000_000,
        size: longest(slowest),
        period: [airtime, Duration::from_ns(1_000_000_000_000_000_000)],
    })?;
    whole("gateways", gateways, 1, 10_000)?;
    whole("channels", channels, 1, lorawan::CHANNELS_KHZ.len())?;
    let network = lorawan::Network {
        devices: 0,
        gateways,
        area: settings.area,
        size: settings.size,
        period: settings.period,
        lasts: settings.lasts,
        channels,
        assignment: factors.assignment(),
        levels: settings.levels,
        seed: settings.seed,
    };
    Ok((settings.devices, network))
}

/// Runs the network with this number of devices.
pub(super) fn run(network: &lorawan::Network, devices: usize) -> Result<Point, Error> {
    let network = lorawan::Network { devices, ..network.clone() };
    let outcome = lorawan::run(&network)?;
    let groups = outcome.groups.iter().map(|one| group(one, &network)).collect();
    Ok(Point { receptions: Some(outcome.receptions), ..Point::of(devices, groups) })
}

fn group(group: &lorawan::Group, network: &lorawan::Network) -> Group {
    let load = group.load(network);
    Group {
        name: format!("SF{}", group.factor.exponent()),
        devices: group.devices,
        out_of_range: group.out_of_range,
        airtime_ns: group.airtime.as_ns(),
        duty_cycle: share(group.airtime.as_ns(), network.period.as_ns()),
        load,
        sent: group.sent,
        delivered: group.delivered,
        delivered_share: share(group.delivered, group.sent),
        predicted_share: pure_aloha(load),
    }
}
