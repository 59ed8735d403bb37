//! LoRaWAN networks: unconfirmed uplinks of class A devices, received by signal level.

use std::time::Instant as Wall;

use airlag_kinds::crowds::lorawan::{Assignment, Network, run};
use airlag_kinds::crowds::{Area, Db, Dbm, Metres, PathLoss};
use airlag_link::airtime::lora::SpreadingFactor;
use airlag_sim::Duration;

/// Messages of each network of equal density.
const FRAMES: usize = 600_000;

/// Time between two messages of a device.
const PERIOD: Duration = Duration::from_secs(600);

/// What was measured.
pub struct Measured {
    /// Wall time, with the placement of all devices.
    pub seconds: f64,
    /// Messages sent.
    pub frames: u64,
    /// Messages that a gateway received.
    pub delivered: u64,
    /// Frames that reached a gateway.
    pub arrivals: u64,
}

fn network(devices: usize, gateways: usize, radius: f64, lasts: Duration) -> Network {
    Network {
        devices,
        gateways,
        area: Area {
            radius: Metres(radius),
            path: PathLoss::LogDistance { exponent: 3.5 },
            shadowing: Db(0.0),
            power: Dbm(14.0),
            antenna_gain: Db(0.0),
        },
        size: 12,
        period: PERIOD,
        lasts,
        channels: 8,
        assignment: Assignment::Adaptive,
        levels: true,
        seed: 1,
    }
}

/// 100, 1,000 and 10,000 devices, a hundred per gateway on areas in the same proportion. At
/// spreading factor 7, a frame reaches 1.7 gateways within the area, and one at its edge.
pub fn of_equal_density() -> Vec<Network> {
    let of = |devices: usize| {
        let radius = 2_000.0 * (devices as f64 / 100.0).sqrt();
        let lasts = PERIOD * (FRAMES / devices) as u64;
        let assignment = Assignment::Fixed(SpreadingFactor::Sf7);
        Network { assignment, ..network(devices, devices / 100, radius, lasts) }
    };
    [100, 1_000, 10_000].map(of).into()
}

/// 10,000 devices around four gateways for an hour.
pub fn large() -> Network {
    network(10_000, 4, 2_000.0, Duration::from_secs(3_600))
}

/// Runs a network.
pub fn measure(network: &Network) -> Result<Measured, Box<dyn std::error::Error>> {
    let began = Wall::now();
    let outcome = run(network)?;
    let seconds = began.elapsed().as_secs_f64();
    let frames = outcome.groups.iter().map(|group| group.sent).sum();
    let delivered = outcome.groups.iter().map(|group| group.delivered).sum();
    Ok(Measured { seconds, frames, delivered, arrivals: outcome.arrivals })
}
