//! Delivery of unconfirmed uplinks from many LoRaWAN class A devices to gateways.
//!
//! ```text
//!  device ──► channel at random, pure ALOHA ──► every gateway in range ──► network server
//!  sleeps until its next message                 8 demodulators             counts each message once
//! ```
//!
//! - [`uplink`]: the frame. [`layout`]: positions, spreading factors, paths. [`devices`]: traffic.
//!   [`gateway`]: reception.
//!
//! Each device sends one message per period, on a random channel and with a fixed spreading factor.
//! The phase of the period is random. A device joins the medium [in
//! isolation](airlag_air::Medium::join_isolated): the medium has paths from devices to gateways
//! only, and none between devices. A sleeping device therefore takes no computing time.
//!
//! The model omits downlinks and the receive windows after an uplink, retransmissions, joining,
//! adaptive data rate during operation, clock errors, fading, and propagation delay. The model
//! reports the duty cycle of each device, but does not limit it.

mod devices;
mod gateway;
mod layout;
pub mod uplink;

use std::rc::Rc;

use airlag_air::Medium;
use airlag_link::airtime::lora::SpreadingFactor;
use airlag_models::chip::sx1301;
use airlag_models::stack::lorawan::plan::OVERHEAD;
use airlag_sim::{Duration, Error, Instant, Simulation};

use devices::Devices;
use gateway::Gateway;
use layout::Layout;

use super::Area;

/// Spreading factors 7 to 12.
pub const FACTORS: [SpreadingFactor; 6] = {
    let [_, factors @ ..] = SpreadingFactor::ALL;
    factors
};

/// Choice of the devices' spreading factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assignment {
    /// The devices are divided equally among the spreading factors.
    Even,
    /// All devices have this spreading factor.
    Fixed(SpreadingFactor),
    /// Each device has the fastest spreading factor that the nearest gateway receives with a margin
    /// of 10 dB, as adaptive data rate (ADR) selects it, or 12 if there is none.
    Adaptive,
}

/// A population of devices around gateways.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Number of devices, uniformly distributed over a disc.
    pub devices: usize,
    /// Number of gateways: one in the centre, further ones evenly over the disc.
    pub gateways: usize,
    /// Positions and paths.
    pub area: Area,
    /// Application payload, bytes.
    pub size: usize,
    /// Time between two messages of a device.
    pub period: Duration,
    /// Time during which devices send.
    pub lasts: Duration,
    /// Number of channels, up to [`sx1301::CHANNELS`].
    pub channels: usize,
    /// Spreading factors.
    pub assignment: Assignment,
    /// Whether reception depends on signal levels. If true, the model includes noise, the capture
    /// effect, interference between spreading factors, and the limited number of demodulators of a
    /// gateway. If false, each gateway receives every frame in range, unless another frame with the
    /// same spreading factor overlaps this frame on the same channel.
    pub levels: bool,
    /// Random seed.
    pub seed: u64,
}

/// Messages of the devices of one spreading factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// Spreading factor.
    pub factor: SpreadingFactor,
    /// Number of devices.
    pub devices: usize,
    /// Devices that no gateway can receive.
    pub out_of_range: usize,
    /// Airtime of a message.
    pub airtime: Duration,
    /// Messages sent.
    pub sent: u64,
    /// Messages that at least one gateway received.
    pub delivered: u64,
}

impl Group {
    /// Mean number of frames on the air per channel: devices times airtime over period and
    /// channels.
    #[must_use]
    pub fn load(&self, network: &Network) -> f64 {
        let airtime = self.airtime.as_ns() as f64 / network.period.as_ns().max(1) as f64;
        self.devices as f64 * airtime / network.channels.max(1) as f64
    }
}

/// Outcome of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Messages by spreading factor, ascending. Spreading factors that no device uses are omitted.
    pub groups: Vec<Group>,
    /// Frames that gateways received, with duplicates.
    pub receptions: u64,
    /// Frames that reached a gateway, received or not.
    pub arrivals: u64,
    /// Simulated events.
    pub events: u64,
}

/// Runs a network from its first message until its last has ended.
///
/// # Errors
///
/// Errors of the simulation.
pub fn run(network: &Network) -> Result<Outcome, Error> {
    let bench = Simulation::new(network.seed);
    // Devices are not part of an observed link: they have no time slices and no current.
    let air = Medium::new(&bench).beside("network");
    let layout = Layout::new(network, &bench, &air);
    let devices = Devices::start(network, &layout, &bench, &air);
    let gateways: Vec<Rc<Gateway>> =
        layout.gateways.iter().map(|&node| Gateway::attach(&air, node, &devices)).collect();
    bench.run_until(Instant::from_ns(u64::MAX))?;
    let sum = |count: fn(&Gateway) -> u64| gateways.iter().map(|one| count(one)).sum();
    Ok(Outcome {
        groups: devices.groups(network, &layout),
        receptions: sum(Gateway::received),
        arrivals: sum(Gateway::arrived),
        events: bench.events_fired(),
    })
}

/// Airtime of a message of `size` bytes.
#[must_use]
pub const fn airtime(factor: SpreadingFactor, size: usize) -> Duration {
    Duration::from_ns(sx1301::uplink(factor).duration_ns(size + OVERHEAD))
}

/// Centre frequencies of the channels, kHz. The first three are the default channels of EU863-870
/// (LoRaWAN Regional Parameters RP002-1.0.3, 2.4.2); a network server commonly adds the others.
pub const CHANNELS_KHZ: [u32; sx1301::CHANNELS] =
    [868_100, 868_300, 868_500, 867_100, 867_300, 867_500, 867_700, 867_900];

/// Longest application payload at a spreading factor, bytes (RP002-1.0.3, table of the maximum
/// payload size of EU863-870 without repeaters, N).
#[must_use]
pub const fn longest(factor: SpreadingFactor) -> usize {
    match factor {
        SpreadingFactor::Sf10 | SpreadingFactor::Sf11 | SpreadingFactor::Sf12 => 51,
        SpreadingFactor::Sf9 => 115,
        _ => 242,
    }
}

#[cfg(test)]
mod tests;
