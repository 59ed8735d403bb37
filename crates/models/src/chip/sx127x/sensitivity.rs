//! Receiver sensitivity of the modem by spreading factor and bandwidth (table 10).

use airlag_air::error_rate::{Detuned, ErrorRate, Lora};
use airlag_air::quantity::{Db, Dbm, Hertz};
use airlag_air::signal;
use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};
use airlag_sim::Duration;

/// Packet loss that defines the sensitivity, and the packet length: the conditions of the table,
/// which has coding rate 4/6.
pub(crate) const LOST: f64 = 0.01;
pub(crate) const OCTETS: usize = 10;

/// RFS_L125_HF, RFS_L250_HF and RFS_L500_HF of spreading factors 7 to 12, from 862 to 1020 MHz.
/// `None` for settings outside the table.
#[must_use]
pub fn sensitivity(factor: SpreadingFactor, bandwidth: Bandwidth) -> Option<Dbm> {
    let row = match bandwidth {
        Bandwidth::Khz125 => [-123.0, -126.0, -129.0, -132.0, -133.0, -136.0],
        Bandwidth::Khz250 => [-120.0, -123.0, -125.0, -128.0, -130.0, -133.0],
        Bandwidth::Khz500 => [-116.0, -119.0, -122.0, -125.0, -128.0, -130.0],
        _ => return None,
    };
    let at = usize::from(factor.exponent()).checked_sub(7)?;
    row.get(at).copied().map(Dbm)
}

/// Demodulator of the modem for frames of the format `frame`. The receiver has one noise figure,
/// which yields the sensitivity of the datasheet's table at spreading factor 7 and a bandwidth of
/// 250 kHz. At other settings, the sensitivity that the error rate formula gives with this noise
/// figure differs from the table, and the difference is added as a loss. Bandwidths below 125 kHz
/// have the loss of 125 kHz. Spreading factor 6, which the table omits, has no such loss.
#[must_use]
pub fn demodulator(frame: &Frame) -> Detuned<Lora> {
    let bandwidth = frame.bandwidth.max(Bandwidth::Khz125);
    let here = noise_figure(frame.spreading_factor, bandwidth);
    let usual = noise_figure(SpreadingFactor::Sf7, Bandwidth::Khz250);
    let loss = here.zip(usual).map_or(0.0, |(Db(here), Db(usual))| here - usual);
    Detuned { demodulator: formula(frame), loss: Db(loss) }
}

/// Noise figure at which the formula has the chip's sensitivity.
fn noise_figure(factor: SpreadingFactor, bandwidth: Bandwidth) -> Option<Db> {
    let frame = Frame::new(factor, bandwidth, CodingRate::Cr4_6);
    let (modem, airtime) = (formula(&frame), Duration::from_ns(frame.duration_ns(OCTETS)));
    let sensitivity = sensitivity(factor, bandwidth)?;
    Some(signal::noise_figure(sensitivity, |signal| modem.frame(signal, airtime) > LOST))
}

/// Demodulator by the formula alone, for frames of a format.
pub(crate) fn formula(frame: &Frame) -> Lora {
    // The preamble's sync word and downchirps (4.25 symbols), and the 8 symbols with the header,
    // coded 4/8 (sections 4.1.1.6 and 4.1.1.7).
    let header = if frame.explicit_header { 8.0 } else { 0.0 };
    Lora {
        spreading_factor: frame.spreading_factor.exponent(),
        bandwidth: Hertz(f64::from(frame.bandwidth.hz())),
        coded_bits: frame.coding_rate.denominator(),
        low_data_rate_optimize: frame.low_data_rate_optimize,
        overhead_symbols: f64::from(frame.preamble) + 4.25 + header,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_alone_is_within_two_decibels_of_the_table() {
        // The additional loss is small for all settings, so the formula is reliable below 125 kHz.
        for factor in SpreadingFactor::ALL {
            for bandwidth in [Bandwidth::Khz125, Bandwidth::Khz250, Bandwidth::Khz500] {
                let frame = Frame::new(factor, bandwidth, CodingRate::Cr4_5);
                let Db(loss) = demodulator(&frame).loss;
                assert!(loss.abs() < 2.0, "{factor:?} {bandwidth:?}: {loss}");
            }
        }
    }

    #[test]
    fn wider_bands_and_shorter_symbols_need_more_signal() {
        for factor in SpreadingFactor::ALL.windows(2).skip(1) {
            for bandwidth in Bandwidth::ALL.windows(2).skip(7) {
                let at = |factor, bandwidth| sensitivity(factor, bandwidth).map(|dbm| dbm.0);
                assert!(at(factor[0], bandwidth[0]) > at(factor[1], bandwidth[0]));
                assert!(at(factor[0], bandwidth[0]) < at(factor[0], bandwidth[1]));
            }
        }
    }
}
