//! Packet error rates by signal-to-noise ratio.
//!
//! ```text
//!  | access code 72 | header 18 x 3 | payload ...        |
//!  |   GFSK, 1 Mbit/s               | GFSK, or DPSK      |
//! ```
//!
//! Sections of the Bluetooth Core Specification, Vol 2, Part B:
//! - 6.3: a packet is detected by its sync word of 64 bits, which is not coded. Any two sync words
//!   differ in 14 bits or more. The number of bit errors that a receiver tolerates depends on the
//!   receiver. The model tolerates the largest number of errors with which the received bits are
//!   still closer to the sync word that was sent than to any other.
//! - 7.4: each bit of the header is sent three times, and the receiver takes the majority.
//! - 7.5: the payload of DM packets is sent in words of 15 bits with 10 data bits, and one bit
//!   error per word is corrected. The payload of all other packets is uncoded.
//!
//! The error rate of GFSK is computed with the formula for two tones. The error rates of the
//! enhanced rates are computed with the formula for DPSK. The signal level in this formula is
//! corrected by a value that is derived from a table of datasheet sensitivities. The model omits
//! the guard time, the synchronisation symbols and the trailer symbols of the enhanced rates. The
//! model also omits the detection of errors in the payload header before the CRC is checked.

use std::sync::LazyLock;

use airlag_air::Frame;
use airlag_air::error_rate::{
    BitErrors, Demodulator, DifferentialPsk, NoncoherentFsk, any_of, more_wrong_than,
};
use airlag_air::quantity::{Db, DbHz, Dbm, Hertz};

use super::packet::PacketType;
use super::piconet::FAMILY;

/// Symbol rate, equal at every data rate.
const SYMBOLS: Hertz = Hertz(1e6);
const BASIC: NoncoherentFsk = NoncoherentFsk { rate: SYMBOLS };

/// Length of the sync word, and tolerated bit errors.
const SYNC_BITS: u32 = 64;
const SYNC_CORRECTED: u32 = 6;
const HEADER_BITS: f64 = 18.0;

/// Bits per symbol, with the sensitivity, dBm, and the bit error rate that defines it: ESP32 Series
/// Datasheet v5.2, tables 5-7 and 5-9.
pub const ESP32: [(u8, Dbm, f64); 3] =
    [(1, Dbm(-89.0), 1e-3), (2, Dbm(-89.0), 1e-4), (3, Dbm(-83.0), 1e-4)];

/// A radio that decodes packets of every type. Its noise figure is that of the basic rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EveryPacket;

impl Demodulator for EveryPacket {
    /// This receiver ignores frames of other kinds of radio, so they do not fail.
    fn fails(&self, signal: DbHz, frame: &Frame) -> f64 {
        if frame.modulation.family != FAMILY {
            return 0.0;
        }
        let kind = frame.bytes.first().and_then(|&kind| PacketType::of(kind));
        kind.map_or(0.0, |kind| lost(kind, frame.bytes.len().saturating_sub(2), signal))
    }
}

/// Probability that a packet with `bytes` of user data is not received correctly.
#[must_use]
pub fn lost(kind: PacketType, bytes: usize, signal: DbHz) -> f64 {
    let wrong = BASIC.bit(signal);
    let unfound = more_wrong_than(SYNC_CORRECTED, SYNC_BITS, wrong);
    let header = any_of(HEADER_BITS, more_wrong_than(1, 3, wrong));
    let bits = kind.payload_bits(bytes);
    let payload = match kind {
        PacketType::Dm1 | PacketType::Dm3 | PacketType::Dm5 => {
            any_of(bits.div_ceil(10) as f64, more_wrong_than(1, 15, wrong))
        }
        _ => any_of(bits as f64, bit(kind.bits_a_symbol() as u8, signal)),
    };
    1.0 - (1.0 - unfound) * (1.0 - header) * (1.0 - payload)
}

/// Bit error probability of an uncoded payload.
#[must_use]
pub fn bit(bits_a_symbol: u8, DbHz(signal): DbHz) -> f64 {
    match bits_a_symbol {
        1 => BASIC.bit(DbHz(signal)),
        bits => DifferentialPsk { symbols: SYMBOLS, bits }.bit(DbHz(signal - loss(bits).0)),
    }
}

/// Returns the noise figure of an enhanced rate minus the noise figure of the basic rate. The noise
/// figure of a rate is the value with which the error-rate formula of the rate yields the datasheet
/// sensitivity. The receiver has the noise figure of the basic rate, so the difference is
/// subtracted from the signal level of the enhanced rate. The difference is negative, because the
/// noise figure of the basic rate is higher. The reason is that the two-tone formula of the basic
/// rate assumes a larger distance between the tones than the actual distance (a third of the rate).
/// The basic rate therefore performs worse than its formula, which raises its noise figure. The
/// values are those of the ESP32. Other radios have nearly the same differences between the rates.
fn loss(bits_a_symbol: u8) -> Db {
    static LOSSES: LazyLock<[Db; 2]> = LazyLock::new(|| {
        let [(_, basic, wrong), two, three] = ESP32;
        let Db(usual) = BASIC.noise_figure(basic, wrong);
        [two, three].map(|(bits, dbm, wrong)| {
            let Db(figure) = DifferentialPsk { symbols: SYMBOLS, bits }.noise_figure(dbm, wrong);
            Db(figure - usual)
        })
    });
    LOSSES[usize::from(bits_a_symbol > 2)]
}

#[cfg(test)]
mod tests {
    use airlag_air::signal::noise_figure;

    use super::*;

    #[test]
    fn both_enhanced_rates_say_the_same_of_the_receiver() {
        // -89 dBm: 84.98 - 13.79 - 60 = 11.18 dB; -83 dBm: 90.98 - 19.35 - 60 = 11.62 dB; 14.03 dB
        // at the basic rate.
        let losses = [2, 3].map(|bits| loss(bits).0);
        assert!((losses[0] + 2.85).abs() < 0.01 && (losses[1] + 2.41).abs() < 0.01, "{losses:?}");
    }

    #[test]
    fn the_distances_of_the_rates_are_those_of_another_radio_within_two_decibels() {
        // Intel PBA 31309 (eUniStone), revision 1.0, table 16: -88 dBm with four phases, -83 with
        // eight.
        let needs = |bits| noise_figure(Dbm(0.0), |signal| bit(bits, signal) > 1e-4).0;
        let apart = needs(2) - needs(3);
        assert!((apart - 5.0).abs() < 2.0, "{apart} dB");
    }

    #[test]
    fn a_header_is_safer_than_a_payload_and_a_code_than_none() {
        for db in [70.0, 71.5, 73.0] {
            let signal = DbHz(db);
            let [null, dm, dh] = [
                lost(PacketType::Null, 0, signal),
                lost(PacketType::Dm1, 17, signal),
                lost(PacketType::Dh1, 17, signal),
            ];
            assert!(null < dm && dm < dh, "{db}: {null} {dm} {dh}");
        }
        // Calculated by hand for a signal at which nothing else fails: 1 - (1 - p)^240 for 27 bytes
        // with a bit error rate of 0.1 %.
        let weakest = DbHz(60.0 + 10.0 * (2.0 * 500.0_f64.ln()).log10());
        let found = lost(PacketType::Dh1, 27, weakest);
        assert!((found - (1.0 - 0.999_f64.powi(240))).abs() < 1e-4, "{found}");
    }

    #[test]
    fn every_packet_is_lost_less_the_stronger_it_is() {
        for kind in PacketType::ALL {
            let mut last = 1.0;
            for tenth in 0..1_000 {
                let found = lost(kind, kind.capacity(), DbHz(f64::from(tenth) / 10.0));
                assert!((0.0..=1.0).contains(&found) && found <= last + 1e-12, "{kind}: {found}");
                last = found;
            }
            assert!(last < 1e-9, "{kind}: {last}");
        }
    }
}
