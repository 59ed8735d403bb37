//! Receiver sensitivity of the transceiver at its rates.
//!
//! The Si1000 contains the transceiver of an Si4432 (Si4430/31/32-B1 data sheet, table 3: GFSK, BT
//! 0.5, bit error rate 0.1 %). Error correction is not included: see [`super`].

use airlag_air::error_rate::{BitErrors, Detuned, NoncoherentFsk};
use airlag_air::quantity::{Db, Dbm, Hertz};

/// Bit error rate that defines the sensitivity.
pub const WRONG: f64 = 1e-3;

/// Rates of the table, bit/s, with the sensitivity at each, dBm.
pub const TABLE: [(f64, f64); 4] =
    [(2e3, -121.0), (40e3, -108.0), (100e3, -104.0), (125e3, -101.0)];

/// Returns the demodulator for an air data rate of `kbps` kbit/s. At every rate, the noise figure
/// of the demodulator is the noise figure at 2 kbit/s. An additional loss represents the difference
/// between the noise figures at `kbps` and at 2 kbit/s. A rate that [`TABLE`] does not list has the
/// loss of the next higher listed rate. A rate above the last listed rate has the loss of the last
/// listed rate.
#[must_use]
pub fn demodulator(kbps: u64) -> Detuned<NoncoherentFsk> {
    let rate = Hertz(kbps as f64 * 1e3);
    let [slowest, .., fastest] = TABLE;
    let listed = TABLE.into_iter().find(|(listed, _)| *listed >= rate.0).unwrap_or(fastest);
    let (Db(here), Db(usual)) = (noise_figure(listed), noise_figure(slowest));
    Detuned { demodulator: NoncoherentFsk { rate }, loss: Db(here - usual) }
}

/// Noise figure at which the formula has the chip's sensitivity at a rate of the table.
fn noise_figure((rate, dbm): (f64, f64)) -> Db {
    NoncoherentFsk { rate: Hertz(rate) }.noise_figure(Dbm(dbm), WRONG)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_one_noise_figure_but_for_its_fastest_rate() {
        // -121 + 173.975 - 10.944 - 33.01 = 9.02 dB; at 125 kbit/s 73.0 - 10.944 - 50.97 = 11.06.
        let figures = TABLE.map(|row| noise_figure(row).0);
        assert!(figures[..3].iter().all(|figure| (figure - 9.02).abs() < 0.05), "{figures:?}");
        assert!((figures[3] - 11.06).abs() < 0.05, "{figures:?}");
        assert!(demodulator(64).loss.0.abs() < 0.05);
        assert!((demodulator(250).loss.0 - 2.04).abs() < 0.05);
    }
}
