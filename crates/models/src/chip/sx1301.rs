//! Receiver of an SX1301 concentrator, the LoRa baseband chip of a gateway.
//!
//! According to the Semtech SX1301 datasheet, V2.4, the chip searches for preambles of all
//! spreading factors on eight channels of 125 kHz at the same time. The chip demodulates up to
//! eight packets at once. Several of these packets may be on one channel if their spreading factors
//! differ.
//!
//! The model reserves a demodulator for a packet from the first symbol of the packet to its last
//! symbol. The real chip reserves a demodulator only when it has detected the preamble of the
//! packet. If several packets begin within a few symbols of each other, the packets that the real
//! chip receives may therefore differ from those that the model receives. The model omits the ninth
//! LoRa channel, the FSK channel, the transmitter and the packet buffer.

use std::rc::Rc;

use airlag_air::error_rate::{Demodulator, Disturbance, ErrorRate, Lora};
use airlag_air::quantity::{Db, DbHz, Dbm};
use airlag_air::{Frame, Modulation, Receiver, Sense, signal};
use airlag_link::airtime::lora::{self, Bandwidth, CodingRate, SpreadingFactor};
use airlag_sim::Duration;

use super::sx127x::interference::between;
use super::sx127x::sensitivity::{LOST, OCTETS, formula};
use super::sx127x::settings::{FAMILY, chirps};

/// Largest number of packets that the chip demodulates at once.
pub const DEMODULATORS: usize = 8;

/// Number of channels on which the chip searches for all spreading factors.
pub const CHANNELS: usize = 8;

/// Sensitivity of the reference design (list of features), at spreading factor 12 and 125 kHz. The
/// list states no packet length and error rate; those of the SX1276 are used.
pub const SENSITIVITY: Dbm = Dbm(-139.5);

/// Format of an uplink packet at a spreading factor: LoRaWAN Regional Parameters RP002-1.0.3, 125
/// kHz, coding rate 4/5, preamble of 8 symbols.
#[must_use]
pub const fn uplink(factor: SpreadingFactor) -> lora::Frame {
    lora::Frame::new(factor, Bandwidth::Khz125, CodingRate::Cr4_5)
}

/// Demodulator of uplink packets at a spreading factor.
#[must_use]
pub fn modem(factor: SpreadingFactor) -> Lora {
    formula(&uplink(factor))
}

/// Demodulates uplink packets of spreading factors 7 to 12.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uplinks([Lora; 6]);

impl Uplinks {
    /// Creates the demodulator.
    #[must_use]
    pub fn new() -> Self {
        let [_, factors @ ..] = SpreadingFactor::ALL;
        Self(factors.map(modem))
    }
}

impl Default for Uplinks {
    fn default() -> Self {
        Self::new()
    }
}

impl Demodulator for Uplinks {
    fn fails(&self, signal: DbHz, frame: &Frame) -> f64 {
        let exponent = chirps(frame.modulation).map(|chirps| chirps.spreading_factor.exponent());
        let place = exponent.and_then(|exponent| usize::from(exponent).checked_sub(7));
        // A packet for which the chip does not search.
        let Some(modem) = place.and_then(|place| self.0.get(place)) else { return 1.0 };
        modem.frame(signal, frame.end.since(frame.begin))
    }

    fn disturbance(&self, frame: &Frame, modulation: Modulation) -> Disturbance {
        between(frame.modulation, modulation)
    }
}

/// Noise figure at which the formula has the [`SENSITIVITY`].
#[must_use]
pub fn noise_figure() -> Db {
    let frame = lora::Frame::new(SpreadingFactor::Sf12, Bandwidth::Khz125, CodingRate::Cr4_6);
    let (modem, airtime) = (formula(&frame), Duration::from_ns(frame.duration_ns(OCTETS)));
    signal::noise_figure(SENSITIVITY, |signal| modem.frame(signal, airtime) > LOST)
}

/// Returns the receiver, which has no carrier sense.
#[must_use]
pub fn receiver() -> Receiver {
    Receiver {
        family: FAMILY,
        demodulator: Rc::new(Uplinks::new()),
        noise_figure: noise_figure(),
        harm: Db(0.0),
        sense: Sense { own: Dbm(f64::NEG_INFINITY), energy: Dbm(f64::INFINITY) },
        demodulators: Some(DEMODULATORS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::sx127x::sensitivity::sensitivity;

    #[test]
    fn it_is_as_much_better_than_a_node_as_the_datasheets_differ() {
        // -139.5 dBm against -136 dBm of the SX1276 at the same setting.
        let frame = lora::Frame::new(SpreadingFactor::Sf12, Bandwidth::Khz125, CodingRate::Cr4_6);
        let (modem, airtime) = (formula(&frame), Duration::from_ns(frame.duration_ns(OCTETS)));
        let node = sensitivity(SpreadingFactor::Sf12, Bandwidth::Khz125).expect("in the table");
        let Db(figure) = signal::noise_figure(node, |signal| modem.frame(signal, airtime) > LOST);
        assert!((figure - noise_figure().0 - 3.5).abs() < 1e-3, "{figure}");
    }

    #[test]
    fn an_uplink_of_25_bytes_lasts_as_long_as_by_hand() {
        // Spreading factor 7: 12.25 symbols, 8 and 8 blocks of 5, 1.024 ms each. Factor 12: 8 and
        // 5 blocks, 32.768 ms each.
        assert_eq!(uplink(SpreadingFactor::Sf7).duration_ns(25), 60 * 1_024_000 + 256_000);
        assert_eq!(uplink(SpreadingFactor::Sf12).duration_ns(25), 45 * 32_768_000 + 8_192_000);
    }
}
