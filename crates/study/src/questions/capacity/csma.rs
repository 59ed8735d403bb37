//! Delivered share of unslotted CSMA-CA without hidden devices.
//!
//! ```text
//!  |-- idle --|-- turnaround --|------ frame ------|-- turnaround --|-- acknowledgement --|-- idle --
//!             ^                ^
//!             first clear CCA  the channel is busy only from here: a CCA that ends in between is clear
//!                              as well, and both frames collide
//! ```
//!
//! The channel is that of non-persistent CSMA (Kleinrock and Tobagi, "Packet switching in radio channels: part I",
//! IEEE Transactions on Communications 23, 1975): assessments end at random times at a constant rate, and the
//! turnaround takes the place of the propagation delay. The rate follows from the backoffs and retries of IEEE
//! 802.15.4, with probabilities of a busy channel and of a collision that do not depend on the history of a device
//! (Bianchi, "Performance analysis of the IEEE 802.11 distributed coordination function", IEEE Journal on Selected
//! Areas in Communications 18, 2000). Two dependences are included, because they change the result by several points: an
//! assessment after a short backoff may fall into the frame that the previous one has found, and two devices whose
//! frames collided back off again from almost the same time.

use airlag_kinds::crowds::ieee802154::{Csma, Network, airtime, config};
use airlag_link::airtime::ieee802154::{ACK_PSDU, CCA_SYMBOLS, Phy, UNIT_BACKOFF_SYMBOLS};

const PHY: Phy = Phy::Oqpsk2450;

/// Messages of all devices, and the durations of a frame, s.
pub(super) struct Traffic {
    /// Messages of all devices per second.
    rate: f64,
    /// Share of all messages that come from devices other than a given one.
    others: f64,
    frame: f64,
    /// Duration of an acknowledgement, s. 0 without acknowledgements.
    acknowledgement: f64,
    turnaround: f64,
    assessment: f64,
    backoff: f64,
    csma: Csma,
    /// Largest number of transmissions of a frame: the first one and its retries.
    attempts: u8,
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

impl Traffic {
    /// Traffic of a network.
    pub(super) fn of(network: &Network) -> Self {
        let config = config(network.acknowledged);
        let acknowledgement = if network.acknowledged { PHY.duration_ns(ACK_PSDU) } else { 0 };
        Self {
            rate: network.devices as f64 / seconds(network.period.as_ns()),
            others: 1.0 - 1.0 / network.devices as f64,
            frame: seconds(airtime(network.size).as_ns()),
            acknowledgement: seconds(acknowledgement),
            turnaround: seconds(config.turnaround.as_ns()),
            assessment: seconds(PHY.symbols_ns(CCA_SYMBOLS)),
            backoff: seconds(PHY.symbols_ns(UNIT_BACKOFF_SYMBOLS)),
            csma: config.csma.unwrap_or_default(),
            attempts: 1 + if network.acknowledged { config.max_retries } else { 0 },
        }
    }

    /// Time during which a frame and its acknowledgement make channel assessments busy, s. An assessment is
    /// busy if the channel is busy at any time during the assessment.
    fn sensed(&self) -> f64 {
        let acknowledged = self.acknowledgement > 0.0;
        let answer = if acknowledged { self.acknowledgement + self.assessment } else { 0.0 };
        self.frame + self.assessment + answer
    }

    /// Probability that the assessment after a backoff with this exponent finds the same frame as the
    /// previous assessment. The previous assessment found the frame at a random time during the frame.
    fn same(&self, exponent: u8) -> f64 {
        let units = 1_u32 << exponent;
        let left = |unit: u32| {
            let wait = f64::from(unit) * self.backoff + self.assessment;
            (1.0 - wait / self.sensed()).max(0.0)
        };
        (0..units).map(left).sum::<f64>() / f64::from(units)
    }

    /// Two probabilities for a frame that has collided with a frame of another device: that both frames
    /// collide again, and that the other frame is sent first and makes the first assessment busy. The two
    /// frames began at most one turnaround apart, and both devices back off after the same wait.
    fn again(&self) -> (f64, f64) {
        let units = 1_i32 << self.csma.min_be;
        let (mut collides, mut busy) = (0.0, 0.0);
        for step in 0..OFFSETS {
            let offset =
                (2.0 * (f64::from(step) + 0.5) / f64::from(OFFSETS) - 1.0) * self.turnaround;
            for later in 1 - units..units {
                let share = f64::from(units - later.abs()) / f64::from(units * units * OFFSETS);
                let lead = offset + f64::from(later) * self.backoff;
                if lead.abs() < self.turnaround {
                    collides += share;
                } else if (0.0..self.sensed()).contains(&(lead - self.turnaround)) {
                    busy += share;
                }
            }
        }
        (collides, busy)
    }

    /// Probability that no assessment finds the channel clear, and the mean number of assessments. The
    /// parameters are the probabilities that the first assessment is busy, and that a later one is busy.
    fn access(&self, first: f64, busy: f64) -> (f64, f64) {
        let (mut never, mut assessments) = (first, 1.0);
        for backoff in 1..=self.csma.max_backoffs {
            assessments += never;
            let same = self.same((self.csma.min_be + backoff).min(self.csma.max_be));
            never *= either(same, busy);
        }
        (never, assessments)
    }
}

/// Probability that at least one of two independent events occurs.
fn either(one: f64, other: f64) -> f64 {
    one + (1.0 - one) * other
}

/// Offsets between two frames over which their second collision is averaged.
const OFFSETS: i32 = 200;
/// Steps of the fixed-point iteration, and the part of the difference that each takes.
const STEPS: u32 = 500;
const DAMPING: f64 = 0.5;

/// Share of messages delivered.
pub(super) fn delivered(traffic: &Traffic) -> f64 {
    let (again, before) = traffic.again();
    let (mut busy, mut collided) = (0.0, 0.0);
    let mut share = 1.0;
    for _ in 0..STEPS {
        let fresh = (traffic.access(busy, busy), collided);
        let retry = (traffic.access(either(before, busy), busy), either(again, collided));
        let (mut reached, mut assessed) = (1.0, 0.0);
        share = 0.0;
        for attempt in 0..traffic.attempts {
            let ((never, assessments), collides) = if attempt == 0 { fresh } else { retry };
            assessed += reached * assessments;
            share += reached * (1.0 - never) * (1.0 - collides);
            reached *= (1.0 - never) * collides;
        }
        let rate = traffic.rate * assessed;
        let within = rate * traffic.others * traffic.turnaround;
        // A frame that begins alone does not collide. Frames that begin together do.
        let alone = libm::exp(-within);
        let overlapped = traffic.frame + traffic.assessment + traffic.turnaround / 2.0;
        let sensed = alone * traffic.sensed() + (1.0 - alone) * overlapped;
        let cycle = 1.0 / rate + traffic.turnaround + sensed;
        busy += DAMPING * (sensed / cycle * traffic.others - busy);
        collided += DAMPING * (1.0 - alone / (1.0 + within) - collided);
    }
    share
}
