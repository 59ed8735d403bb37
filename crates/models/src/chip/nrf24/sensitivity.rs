//! Receiver sensitivity of the chip at each of its rates (section 5.4).

use airlag_air::error_rate::{BitErrors, Detuned, NoncoherentFsk};
use airlag_air::quantity::{Db, Dbm, Hertz};
use airlag_link::airtime::nrf24::Rate;

/// Bit error rate that defines the sensitivity.
pub const WRONG: f64 = 1e-3;

/// Sensitivity at [`WRONG`] bit errors: SENS of RX at 250 kbit/s, 1 and 2 Mbit/s, typical.
#[must_use]
pub const fn sensitivity(rate: Rate) -> Dbm {
    Dbm(match rate {
        Rate::Kbps250 => -94.0,
        Rate::Mbps1 => -85.0,
        Rate::Mbps2 => -82.0,
    })
}

/// Demodulator at a rate. The noise figure is that at 250 kbit/s. The loss at the other rates is 3
/// dB larger than their shorter bits explain.
#[must_use]
pub fn demodulator(rate: Rate) -> Detuned<NoncoherentFsk> {
    let (Db(here), Db(slowest)) = (noise_figure(rate), noise_figure(Rate::Kbps250));
    Detuned { demodulator: formula(rate), loss: Db(here - slowest) }
}

/// Noise figure at which the formula has the chip's sensitivity.
fn noise_figure(rate: Rate) -> Db {
    formula(rate).noise_figure(sensitivity(rate), WRONG)
}

fn formula(rate: Rate) -> NoncoherentFsk {
    NoncoherentFsk { rate: Hertz(1e9 / rate.bit_ns() as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_faster_rates_lose_three_decibels_in_the_chip() {
        // -85 is 9 dB above -94. Four times the bit rate explains 6.02 dB of this.
        let loss = |rate| demodulator(rate).loss.0;
        assert!(loss(Rate::Kbps250).abs() < 1e-6);
        assert!((loss(Rate::Mbps1) - 2.98).abs() < 0.01, "{}", loss(Rate::Mbps1));
        assert!((loss(Rate::Mbps2) - 2.97).abs() < 0.01, "{}", loss(Rate::Mbps2));
    }
}
