//! Capacity of a LoRaWAN network: the share of uplinks delivered against the number of devices, beside pure
//! ALOHA.

use airlag_kinds::lorawan_uplinks::{
    self, Assignment, Db, Dbm, Group, Metres, Network, PathLoss, longest,
};
use airlag_link::airtime::lora::SpreadingFactor;
use airlag_sim::Duration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::question::{Answered, Progress};

/// Request for the delivery ratio of a LoRaWAN network, by number of devices.
/// Uplinks are unconfirmed. All devices are of class A.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CapacityQuestion")]
pub struct Question {
    /// Numbers of devices. Each number is simulated as a separate network.
    #[serde(default = "devices")]
    pub devices: Vec<usize>,
    /// Application payload, bytes. The LoRaWAN frame is 13 bytes longer.
    #[serde(default = "size")]
    pub size: usize,
    /// Time between two messages of a device, ns.
    #[serde(default = "period_ns")]
    pub period_ns: u64,
    /// Time during which devices send, ns.
    #[serde(default = "duration_ns")]
    pub duration_ns: u64,
    /// Number of gateways: one in the centre, further ones evenly over the area.
    #[serde(default = "gateways")]
    pub gateways: usize,
    /// Radius of the disc over which devices are distributed, m.
    #[serde(default = "radius_m")]
    pub radius_m: f64,
    /// Path loss exponent beyond 1 m.
    #[serde(default = "path_loss_exponent")]
    pub path_loss_exponent: f64,
    /// Standard deviation of the loss of a path about the mean, dB.
    #[serde(default)]
    pub shadowing_db: f64,
    /// Transmit power of a device, dBm.
    #[serde(default = "tx_power_dbm")]
    pub tx_power_dbm: f64,
    /// Gain of both antennas together, dB.
    #[serde(default)]
    pub antenna_gain_db: f64,
    /// Number of 125 kHz channels: the three default channels of EU863-870, then 867.1 to 867.9 MHz.
    #[serde(default = "channels")]
    pub channels: usize,
    /// Spreading factors of the devices.
    #[serde(default)]
    pub spreading_factors: SpreadingFactors,
    /// Rule for overlapping frames.
    #[serde(default)]
    pub reception: Reception,
    /// Random seed.
    #[serde(default = "super::goodput::seed")]
    pub seed: u64,
}

fn devices() -> Vec<usize> {
    vec![100, 300, 1_000, 3_000, 10_000]
}

const fn size() -> usize {
    12
}

const fn period_ns() -> u64 {
    600_000_000_000
}

const fn duration_ns() -> u64 {
    3_600_000_000_000
}

const fn gateways() -> usize {
    1
}

const fn radius_m() -> f64 {
    1_000.0
}

const fn path_loss_exponent() -> f64 {
    3.5
}

const fn tx_power_dbm() -> f64 {
    14.0
}

const fn channels() -> usize {
    8
}

/// Choice of the devices' spreading factors.
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

/// Rule for overlapping frames at a gateway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reception {
    /// Reception depends on signal levels: noise, capture effect, interference between spreading factors,
    /// and eight demodulators.
    #[default]
    Levels,
    /// Two frames with the same channel and spreading factor that overlap destroy each other. Nothing else
    /// is lost, as pure ALOHA assumes.
    Collisions,
}

/// Share of messages that a network delivers, by number of devices.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Capacity")]
pub struct Answer {
    /// The network.
    #[serde(flatten)]
    pub network: Question,
    /// One entry per number of devices, in the order of the question.
    pub points: Vec<Point>,
}

/// Results for one number of devices.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "CapacityPoint")]
pub struct Point {
    /// Number of devices.
    pub devices: usize,
    /// Messages sent.
    pub sent: u64,
    /// Messages that at least one gateway received.
    pub delivered: u64,
    /// Delivered share of the messages.
    pub delivered_share: f64,
    /// Frames that gateways received, including duplicates of one message.
    pub receptions: u64,
    /// Results by spreading factor, ascending. A spreading factor that no device uses is absent.
    pub spreading_factors: Vec<Factor>,
}

/// Results for the devices with one spreading factor.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "CapacityFactor")]
pub struct Factor {
    /// Spreading factor.
    pub spreading_factor: u8,
    /// Number of devices.
    pub devices: usize,
    /// Number of devices of which no gateway would receive 99 % of the frames, even without
    /// interference.
    pub out_of_range: usize,
    /// Airtime of a message, ns.
    pub airtime_ns: u64,
    /// Share of the time during which a device sends, on all channels.
    pub duty_cycle: f64,
    /// Load G: mean number of frames on the air per channel.
    pub load: f64,
    /// Messages sent.
    pub sent: u64,
    /// Messages that at least one gateway received.
    pub delivered: u64,
    /// Delivered share of the messages.
    pub delivered_share: f64,
    /// Delivered share of pure ALOHA without capture, exp(-2 G).
    pub pure_aloha: f64,
}

/// Delivered share of pure ALOHA without capture. Abramson, "The ALOHA System", AFIPS Fall Joint Computer
/// Conference 1970.
fn pure_aloha(load: f64) -> f64 {
    libm::exp(-2.0 * load)
}

fn share(part: u64, all: u64) -> f64 {
    part as f64 / all.max(1) as f64
}

impl Question {
    fn network(&self, devices: usize) -> Network {
        Network {
            devices,
            gateways: self.gateways,
            radius: Metres(self.radius_m),
            path: PathLoss::LogDistance { exponent: self.path_loss_exponent },
            shadowing: Db(self.shadowing_db),
            power: Dbm(self.tx_power_dbm),
            antenna_gain: Db(self.antenna_gain_db),
            size: self.size,
            period: Duration::from_ns(self.period_ns),
            lasts: Duration::from_ns(self.duration_ns),
            channels: self.channels,
            assignment: self.spreading_factors.assignment(),
            levels: self.reception == Reception::Levels,
            seed: self.seed,
        }
    }

    /// Refuses values outside the limits of the standard, the chips or this machine.
    fn check(&self) -> Result<(), Error> {
        let slowest = self.spreading_factors.slowest();
        let airtime = lorawan_uplinks::airtime(slowest, self.size);
        let within = |name, value: f64, low: f64, high: f64| {
            let allowed = || format!("{low} to {high}");
            let refusal = || Error::Network { name, value: value.to_string(), allowed: allowed() };
            (low..=high).contains(&value).then_some(()).ok_or_else(refusal)
        };
        let whole = |name, value: usize, low: usize, high: usize| {
            within(name, value as f64, low as f64, high as f64)
        };
        for &devices in &self.devices {
            whole("devices", devices, 1, MOST_DEVICES)?;
            let messages = devices as u64 * self.duration_ns.div_ceil(self.period_ns.max(1));
            if messages > MOST_MESSAGES {
                let name = "the number of messages";
                let allowed = format!("at most {MOST_MESSAGES}; shorten the duration");
                return Err(Error::Network { name, value: messages.to_string(), allowed });
            }
        }
        whole("size", self.size, 1, longest(slowest))?;
        whole("gateways", self.gateways, 1, 10_000)?;
        whole("channels", self.channels, 1, lorawan_uplinks::CHANNELS_KHZ.len())?;
        within("period_ns", self.period_ns as f64, airtime.as_ns() as f64, 1e18)?;
        within("duration_ns", self.duration_ns as f64, 1.0, 1e18)?;
        within("radius_m", self.radius_m, 1.0, 1e6)?;
        within("path_loss_exponent", self.path_loss_exponent, 1.0, 8.0)?;
        within("shadowing_db", self.shadowing_db, 0.0, 30.0)?;
        within("tx_power_dbm", self.tx_power_dbm, -100.0, 60.0)?;
        within("antenna_gain_db", self.antenna_gain_db, -30.0, 60.0)
    }
}

/// Limits of memory and time.
const MOST_DEVICES: usize = 1_000_000;
const MOST_MESSAGES: u64 = 100_000_000;

/// Answers the question.
///
/// # Errors
///
/// A parameter outside its limits, and errors of the simulation.
pub fn answer(question: &Question, progress: Progress<'_>) -> Result<Answered<Answer>, Error> {
    question.check()?;
    let total = question.devices.len() as u64;
    let mut points = Vec::new();
    for &devices in &question.devices {
        let network = question.network(devices);
        let outcome = lorawan_uplinks::run(&network)?;
        let sum = |of: fn(&Group) -> u64| outcome.groups.iter().map(of).sum();
        let (sent, delivered) = (sum(|group| group.sent), sum(|group| group.delivered));
        points.push(Point {
            devices,
            sent,
            delivered,
            delivered_share: share(delivered, sent),
            receptions: outcome.receptions,
            spreading_factors: outcome.groups.iter().map(|one| factor(one, &network)).collect(),
        });
        progress(points.len() as u64, total);
    }
    Ok(Answered::plain(Answer { network: question.clone(), points }))
}

fn factor(group: &Group, network: &Network) -> Factor {
    let load = group.load(network);
    Factor {
        spreading_factor: group.factor.exponent(),
        devices: group.devices,
        out_of_range: group.out_of_range,
        airtime_ns: group.airtime.as_ns(),
        duty_cycle: share(group.airtime.as_ns(), network.period.as_ns()),
        load,
        sent: group.sent,
        delivered: group.delivered,
        delivered_share: share(group.delivered, group.sent),
        pure_aloha: pure_aloha(load),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::SILENT;

    fn of(json: &str) -> Result<Answer, Error> {
        let question = serde_json::from_str(json).expect("a question");
        answer(&question, SILENT).map(|answered| answered.answer)
    }

    #[test]
    fn every_spreading_factor_is_beside_its_formula() {
        let found =
            of(r#"{"devices": [1200, 6000], "reception": "collisions"}"#).expect("an answer");
        assert_eq!(found.points.len(), 2);
        for point in &found.points {
            let factors = &point.spreading_factors;
            assert_eq!(factors.iter().map(|one| one.delivered).sum::<u64>(), point.delivered);
            assert_eq!(factors.len(), 6);
            for one in factors {
                // 1,200 messages and more: five standard deviations are 7 points at most.
                assert!((one.delivered_share - one.pure_aloha).abs() < 0.07, "{one:?}");
            }
        }
        let shares: Vec<f64> = found.points.iter().map(|point| point.delivered_share).collect();
        assert!(shares[0] > shares[1], "{shares:?}");
    }

    #[test]
    fn a_network_that_no_device_could_be_part_of_is_refused() {
        for (json, cause) in [
            (r#"{"size": 52}"#, "size is 52, but must be 1 to 51"),
            (r#"{"size": 243, "spreading_factors": "sf7"}"#, "size is 243, but must be 1 to 242"),
            (r#"{"channels": 9}"#, "channels is 9, but must be 1 to 8"),
            (r#"{"devices": [0]}"#, "devices is 0, but must be 1 to 1000000"),
            (r#"{"gateways": 0}"#, "gateways is 0, but must be 1 to 10000"),
            (r#"{"radius_m": 0.0}"#, "radius_m is 0, but must be 1 to 1000000"),
            (
                r#"{"devices": [1000000], "period_ns": 2000000000}"#,
                "the number of messages is 1800000000, but must be at most 100000000; shorten the \
                 duration",
            ),
        ] {
            assert_eq!(of(json).expect_err("a refusal").to_string(), cause);
        }
        let sooner = of(r#"{"period_ns": 1000000000}"#).expect_err("a refusal").to_string();
        assert!(
            sooner.starts_with("period_ns is 1000000000, but must be 1482752000 to"),
            "{sooner}"
        );
    }
}
