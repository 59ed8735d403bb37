//! Frames of IEEE 802.15.4 devices to a coordinator.

use airlag_kinds::crowds::ieee802154::{self, LONGEST};
use airlag_sim::Duration;

use super::settings::{Defaults, Limits, Settings, absent, settle};
use super::{Group, Point, Quantiles, Question, csma, share};
use crate::error::Error;

const DEFAULTS: Defaults = Defaults {
    devices: &[10, 30, 100, 200, 300],
    size: 12,
    period: Duration::from_secs(1),
    duration: Duration::from_secs(60),
    radius_m: 5.0,
    path_loss_exponent: 3.0,
    tx_power_dbm: 0.0,
};

/// Numbers of devices to simulate, and the network with the first of these numbers.
pub(super) fn network(asked: &mut Question) -> Result<(Vec<usize>, ieee802154::Network), Error> {
    absent([
        ("gateways", asked.gateways.is_some()),
        ("channels", asked.channels.is_some()),
        ("spreading_factors", asked.spreading_factors.is_some()),
        ("scan_interval_ns", asked.scan_interval_ns.is_some()),
        ("scan_window_ns", asked.scan_window_ns.is_some()),
    ])?;
    let settings = Settings::of(asked, &DEFAULTS);
    let acknowledged = settle(&mut asked.acknowledged, true);
    let airtime = ieee802154::airtime(settings.size);
    settings.check(&Limits {
        // Each device has a path to each other device.
        devices: 1_000,
        size: LONGEST,
        period: [airtime, Duration::from_ns(1_000_000_000_000_000_000)],
    })?;
    let network = ieee802154::Network {
        devices: 0,
        area: settings.area,
        size: settings.size,
        period: settings.period,
        lasts: settings.lasts,
        acknowledged,
        levels: settings.levels,
        seed: settings.seed,
    };
    Ok((settings.devices, network))
}

/// Runs the network with this number of devices.
pub(super) fn run(network: &ieee802154::Network, devices: usize) -> Result<Point, Error> {
    let network = ieee802154::Network { devices, ..network.clone() };
    let outcome = ieee802154::run(&network)?;
    let duty_cycle = share(outcome.airtime.as_ns(), network.period.as_ns());
    let group = Group {
        name: "all".to_owned(),
        devices,
        out_of_range: outcome.out_of_range,
        airtime_ns: outcome.airtime.as_ns(),
        duty_cycle,
        load: devices as f64 * duty_cycle,
        sent: outcome.sent,
        delivered: outcome.delivered,
        delivered_share: share(outcome.delivered, outcome.sent),
        predicted_share: csma::delivered(&csma::Traffic::of(&network)),
    };
    Ok(Point {
        latency: Quantiles::of(&outcome.latencies),
        frames_per_message: Some(share(outcome.frames, outcome.sent)),
        channel_access_failure_share: Some(share(outcome.channel_access_failures, outcome.sent)),
        ..Point::of(devices, vec![group])
    })
}
