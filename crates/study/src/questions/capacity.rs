//! Capacity of a network: the share of messages delivered against the number of devices, beside a formula.

mod ble;
mod csma;
mod ieee802154;
mod lorawan;
mod settings;

use airlag_sim::Duration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::question::{Answered, Progress};

/// Request for the delivery ratio of a network, by number of devices. A value that is null or absent becomes
/// the default of the network. It stays null if the network has no such setting.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "CapacityQuestion")]
pub struct Question {
    /// Type of network.
    pub network: Network,
    /// Numbers of devices. Each number is simulated as a separate network.
    pub devices: Option<Vec<usize>>,
    /// Payload, bytes. For `lorawan`, the frame is 13 bytes longer; for `ble`, advertising data.
    pub size: Option<usize>,
    /// Time between two messages of a device, ns. For `ble`, the advertising interval.
    pub period_ns: Option<u64>,
    /// Time during which devices send, ns.
    pub duration_ns: Option<u64>,
    /// Number of receivers: gateways of `lorawan`, scanners of `ble`, one coordinator of `ieee802154`. The
    /// first receiver is in the centre; the others are distributed evenly over the area.
    pub gateways: Option<usize>,
    /// Radius of the disc over which devices are distributed, m.
    pub radius_m: Option<f64>,
    /// Path loss exponent beyond 1 m.
    pub path_loss_exponent: Option<f64>,
    /// Shadowing: standard deviation of the path loss about its mean, dB.
    pub shadowing_db: Option<f64>,
    /// Transmit power of a device, dBm.
    pub tx_power_dbm: Option<f64>,
    /// Gain of both antennas together, dB.
    pub antenna_gain_db: Option<f64>,
    /// Number of 125 kHz channels of `lorawan`.
    /// The three default channels of EU863-870, then 867.1 to 867.9 MHz.
    pub channels: Option<usize>,
    /// Spreading factors of `lorawan`.
    pub spreading_factors: Option<SpreadingFactors>,
    /// Scan interval of `ble`: time after which a scanner changes the channel, ns.
    pub scan_interval_ns: Option<u64>,
    /// Scan window of `ble`: time for which a scanner listens in each scan interval, ns.
    pub scan_window_ns: Option<u64>,
    /// Whether frames of `ieee802154` are acknowledged, and retried up to three times.
    pub acknowledged: Option<bool>,
    /// Rule for overlapping frames.
    pub reception: Reception,
    /// Random seed.
    pub seed: Option<u64>,
}

/// Type of network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "CapacityNetwork")]
pub enum Network {
    /// Unconfirmed uplinks of LoRaWAN devices of class A to gateways.
    #[default]
    Lorawan,
    /// Advertisements of Bluetooth LE tags to scanners.
    Ble,
    /// Frames of IEEE 802.15.4 devices to a coordinator, with CSMA-CA.
    Ieee802154,
}

/// Choice of the LoRaWAN devices' spreading factors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SpreadingFactors {
    /// The devices are divided equally among the spreading factors 7 to 12.
    #[default]
    Even,
    /// For each device, the fastest spreading factor that the nearest gateway receives with a margin of
    /// 10 dB, as adaptive data rate (ADR) selects it.
    Adaptive,
    /// 7 for all devices.
    Sf7,
    /// 8 for all devices.
    Sf8,
    /// 9 for all devices.
    Sf9,
    /// 10 for all devices.
    Sf10,
    /// 11 for all devices.
    Sf11,
    /// 12 for all devices.
    Sf12,
}

/// Rule for overlapping frames at a receiver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reception {
    /// Reception and carrier sense depend on signal levels: noise, capture effect, and for LoRaWAN
    /// interference between spreading factors and eight demodulators.
    #[default]
    Levels,
    /// Two frames that overlap on one channel (LoRaWAN: with one spreading factor) destroy each other.
    /// Nothing else is lost, as the formula assumes.
    Collisions,
}

/// Formula of a predicted share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Formula {
    /// Pure ALOHA without capture, exp(-2 G).
    PureAloha,
    /// Non-persistent CSMA without hidden devices, with the backoffs and retries of IEEE 802.15.4.
    Csma,
}

/// Share of messages that a network delivers, by number of devices.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Capacity")]
pub struct Answer {
    /// The question, with the defaults of the network.
    #[serde(flatten)]
    pub network: Question,
    /// Formula of `predicted_share`.
    pub formula: Formula,
    /// One entry per number of devices, in the order of the question.
    pub points: Vec<Point>,
}

/// Results for one number of devices.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "CapacityPoint")]
pub struct Point {
    /// Number of devices.
    pub devices: usize,
    /// Messages sent. A message of a tag is an advertising event.
    pub sent: u64,
    /// Messages that at least one receiver received.
    pub delivered: u64,
    /// Delivery ratio of the messages.
    pub delivered_share: f64,
    /// Groups of devices with equal frames: one, or one per spreading factor, ascending.
    pub groups: Vec<Group>,
    /// Number of frames received, as the sum over the receivers. Several of these frames may carry the same
    /// message. Null for `ieee802154`.
    pub receptions: Option<u64>,
    /// Time from the creation of a message to its reception. Null unless the network is `ieee802154`.
    pub latency: Option<Quantiles>,
    /// Time from one received message of a device to the next. Null unless the network is `ble`.
    pub update_interval: Option<Quantiles>,
    /// Number of tags from which no message was received. Null unless the network is `ble`.
    pub never_received: Option<usize>,
    /// Frames on the air per message, with retries. Null unless the network is `ieee802154`.
    pub frames_per_message: Option<f64>,
    /// Share of messages that devices dropped because every assessment found the channel busy. Null unless
    /// the network is `ieee802154`.
    pub channel_access_failure_share: Option<f64>,
}

/// Results for a group of devices with equal frames.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "CapacityGroup")]
pub struct Group {
    /// Name: a spreading factor such as "SF7", or "all".
    pub name: String,
    /// Number of devices.
    pub devices: usize,
    /// Number of devices from which no receiver would receive 99 % of the frames, even without interference.
    pub out_of_range: usize,
    /// Airtime of a frame, ns.
    pub airtime_ns: u64,
    /// Share of the time during which a device sends, on all channels, without retries.
    pub duty_cycle: f64,
    /// Load G: mean number of frames on the air per channel, without retries.
    pub load: f64,
    /// Messages sent.
    pub sent: u64,
    /// Messages that at least one receiver received.
    pub delivered: u64,
    /// Delivery ratio of the messages.
    pub delivered_share: f64,
    /// Delivery ratio that the formula predicts.
    pub predicted_share: f64,
}

/// Quantiles of a duration.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "CapacityQuantiles")]
pub struct Quantiles {
    /// Median, ns.
    pub p50_ns: u64,
    /// 99th percentile, ns.
    pub p99_ns: u64,
    /// Maximum, ns.
    pub max_ns: u64,
}

impl Quantiles {
    /// Quantiles of ascending durations; `None` without durations. Each quantile is one of the durations: the
    /// smallest one that at least that share of the durations does not exceed.
    fn of(times: &[Duration]) -> Option<Self> {
        let at = |share: f64| {
            let rank = (share * times.len() as f64).ceil().max(1.0) as usize;
            times.get(rank - 1).map(|time| time.as_ns())
        };
        Some(Self { p50_ns: at(0.5)?, p99_ns: at(0.99)?, max_ns: at(1.0)? })
    }
}

/// Answers the question.
///
/// # Errors
///
/// [`Error`] for a parameter outside its limits. The errors of the simulation are returned too.
pub fn answer(question: &Question, progress: Progress<'_>) -> Result<Answered<Answer>, Error> {
    let mut network = question.clone();
    let points = match question.network {
        Network::Lorawan => points(lorawan::network(&mut network)?, lorawan::run, progress)?,
        Network::Ble => points(ble::network(&mut network)?, ble::run, progress)?,
        Network::Ieee802154 => {
            points(ieee802154::network(&mut network)?, ieee802154::run, progress)?
        }
    };
    let formula = match question.network {
        Network::Lorawan | Network::Ble => Formula::PureAloha,
        Network::Ieee802154 => Formula::Csma,
    };
    Ok(Answered::plain(Answer { network, formula, points }))
}

impl Point {
    /// Results of these groups. Results that only some networks have are `None`.
    fn of(devices: usize, groups: Vec<Group>) -> Self {
        let sum = |of: fn(&Group) -> u64| groups.iter().map(of).sum();
        let (sent, delivered) = (sum(|group| group.sent), sum(|group| group.delivered));
        Self {
            devices,
            sent,
            delivered,
            delivered_share: share(delivered, sent),
            groups,
            receptions: None,
            latency: None,
            update_interval: None,
            never_received: None,
            frames_per_message: None,
            channel_access_failure_share: None,
        }
    }
}

/// Delivered share of pure ALOHA without capture. Abramson, "The ALOHA System", AFIPS Fall Joint Computer
/// Conference 1970.
fn pure_aloha(load: f64) -> f64 {
    libm::exp(-2.0 * load)
}

fn share(part: u64, all: u64) -> f64 {
    part as f64 / all.max(1) as f64
}

/// Runs a network with each number of devices.
fn points<N>(
    (numbers, network): (Vec<usize>, N),
    run: impl Fn(&N, usize) -> Result<Point, Error>,
    progress: Progress<'_>,
) -> Result<Vec<Point>, Error> {
    let mut points = Vec::new();
    for &devices in &numbers {
        points.push(run(&network, devices)?);
        progress(points.len() as u64, numbers.len() as u64);
    }
    Ok(points)
}

#[cfg(test)]
mod tests;
