//! Advertisements of Bluetooth LE tags to scanners.

use airlag_kinds::crowds::ble::{self, LONGEST};
use airlag_sim::Duration;

use super::settings::{Defaults, Limits, Settings, absent, settle, whole, within};
use super::{Group, Point, Quantiles, Question, pure_aloha, share};
use crate::error::Error;

const DEFAULTS: Defaults = Defaults {
    devices: &[10, 30, 100, 300, 1_000],
    size: LONGEST,
    period: Duration::from_secs(1),
    duration: Duration::from_secs(60),
    radius_m: 20.0,
    path_loss_exponent: 3.0,
    tx_power_dbm: 0.0,
};

/// Default scan interval.
const SCAN_INTERVAL: Duration = Duration::from_ms(100);

/// Shortest and longest advertising interval, and scan interval in ns, that a controller accepts (Bluetooth Core
/// Specification 5.4, volume 4, part E, 7.8.5 and 7.8.10).
const ADVERTISING: [Duration; 2] = [Duration::from_ms(20), Duration::from_ms(10_240)];
const SCANNING: [f64; 2] = [2_500_000.0, 10_240_000_000.0];

/// Numbers of tags to simulate, and the network with the first of these numbers.
pub(super) fn network(asked: &mut Question) -> Result<(Vec<usize>, ble::Network), Error> {
    absent([
        ("channels", asked.channels.is_some()),
        ("spreading_factors", asked.spreading_factors.is_some()),
        ("acknowledged", asked.acknowledged.is_some()),
    ])?;
    let settings = Settings::of(asked, &DEFAULTS);
    let gateways = settle(&mut asked.gateways, 1);
    let scan_interval = settle(&mut asked.scan_interval_ns, SCAN_INTERVAL.as_ns());
    let scan_window = settle(&mut asked.scan_window_ns, scan_interval);
    settings.check(&Limits { devices: 100_000, size: LONGEST, period: ADVERTISING })?;
    whole("gateways", gateways, 1, 1_000)?;
    within("scan_interval_ns", scan_interval as f64, SCANNING[0], SCANNING[1])?;
    within("scan_window_ns", scan_window as f64, SCANNING[0], scan_interval as f64)?;
    let network = ble::Network {
        devices: 0,
        gateways,
        area: settings.area,
        size: settings.size,
        interval: settings.period,
        lasts: settings.lasts,
        scan_interval: Duration::from_ns(scan_interval),
        scan_window: Duration::from_ns(scan_window),
        levels: settings.levels,
        seed: settings.seed,
    };
    Ok((settings.devices, network))
}

/// Runs the network with this number of tags.
pub(super) fn run(network: &ble::Network, devices: usize) -> Result<Point, Error> {
    let network = ble::Network { devices, ..network.clone() };
    let outcome = ble::run(&network)?;
    let load = ble::load(&network);
    let airtime_ns = outcome.airtime.as_ns();
    let group = Group {
        name: "all".to_owned(),
        devices,
        out_of_range: outcome.out_of_range,
        airtime_ns,
        // An event has three frames.
        duty_cycle: 3.0 * load / devices as f64,
        load,
        sent: outcome.sent,
        delivered: outcome.delivered,
        delivered_share: share(outcome.delivered, outcome.sent),
        predicted_share: heard(&network, airtime_ns) * pure_aloha(load),
    };
    Ok(Point {
        receptions: Some(outcome.receptions),
        update_interval: Quantiles::of(&outcome.updates),
        never_received: Some(outcome.silent),
        ..Point::of(devices, vec![group])
    })
}

/// Mean number of frames of an advertising event that one scanner can receive completely.
fn heard(network: &ble::Network, airtime_ns: u64) -> f64 {
    let window = network.scan_window.as_ns().saturating_sub(airtime_ns);
    share(window, network.scan_interval.as_ns())
}
