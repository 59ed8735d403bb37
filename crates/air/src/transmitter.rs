//! Radio properties for regulation and coexistence: power, spectrum, hopping and channel access.
//! Regional rules are in `airlag-law`.

use std::f64::consts::PI;

/// Difference between gain over an isotropic antenna and over a half-wave dipole, dB.
const DIPOLE_DB: f64 = 2.15;

/// Properties of a transmitter that do not depend on its traffic.
#[derive(Clone, Debug, PartialEq)]
pub struct Transmitter {
    /// Transmit power at the antenna terminals, dBm.
    pub power_dbm: f64,
    /// Antenna gain, dBi.
    pub gain_dbi: f64,
    /// Spectral shape.
    pub spectrum: Spectrum,
    /// Frequency hopping. `None` for a fixed channel.
    pub hopping: Option<Hopping>,
    /// Channel access before sending.
    pub access: Access,
}

/// Widths of one frame's spectrum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spectrum {
    /// Width between the outermost points 6 dB below the peak density, kHz.
    pub six_db_khz: f64,
    /// Width between the outermost points 20 dB below the peak density, kHz.
    pub twenty_db_khz: f64,
    /// Width of a rectangular spectrum with the peak density and the same total power, kHz.
    pub flat_khz: f64,
}

/// A set of channels used in turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hopping {
    /// Number of channels.
    pub channels: u32,
    /// Channel spacing, kHz.
    pub spacing_khz: u32,
    /// Whether channels used by others are avoided.
    pub adaptive: bool,
}

/// Channel access before sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Sends without listening.
    Blind,
    /// Listens for this time, us, and sends if the channel is free.
    Listens(u32),
}

impl Transmitter {
    /// Equivalent isotropically radiated power, dBm.
    #[must_use]
    pub fn eirp_dbm(&self) -> f64 {
        self.power_dbm + self.gain_dbi
    }

    /// Effective radiated power, relative to a dipole, dBm.
    #[must_use]
    pub fn erp_dbm(&self) -> f64 {
        self.eirp_dbm() - DIPOLE_DB
    }

    /// Largest part of `power_dbm` within any `width_khz`, dBm.
    #[must_use]
    pub fn within(&self, power_dbm: f64, width_khz: f64) -> f64 {
        power_dbm + 10.0 * libm::log10((width_khz / self.spectrum.flat_khz).min(1.0))
    }
}

impl Spectrum {
    /// Uniform density over `width_khz`: chirps that sweep it, or many subcarriers.
    #[must_use]
    pub const fn even(width_khz: f64) -> Self {
        Self { six_db_khz: width_khz, twenty_db_khz: width_khz, flat_khz: width_khz }
    }

    /// Binary phase shift keying at a symbol or chip rate: (sin pi x / pi x)^2 at x rates from the
    /// carrier, which is 6 dB down at 0.6025. Its second side lobe crosses 20 dB at 2.681.
    #[must_use]
    pub const fn phases(symbols_khz: f64) -> Self {
        Self {
            six_db_khz: 2.0 * 0.6025 * symbols_khz,
            twenty_db_khz: 2.0 * 2.681 * symbols_khz,
            flat_khz: symbols_khz,
        }
    }

    /// Continuous-phase binary FSK with tones `deviation_khz` above and below the carrier (Proakis,
    /// "Digital communications", 4th edition, 4.4.2). The model contains no Gaussian filter before
    /// the modulator, although such a filter would narrow the spectrum. The modulation index is
    /// twice the deviation divided by the bit rate. The modulation index must not be an integer,
    /// because the spectrum for an integer index contains lines.
    #[must_use]
    pub fn tones(bits_khz: f64, deviation_khz: f64) -> Self {
        let index = 2.0 * deviation_khz / bits_khz;
        // Up to four bit rates beyond the tones, where the density is more than 40 dB down.
        let step = (index / 2.0 + 4.0) / STEPS as f64;
        let densities: Vec<f64> = (0..STEPS).map(|nth| density(nth as f64 * step, index)).collect();
        let greatest = densities.iter().copied().fold(0.0, f64::max);
        let width = |down_db: f64| {
            let least = greatest * libm::pow(10_f64, -down_db / 10.0);
            let outermost = densities.iter().rposition(|&density| density >= least);
            2.0 * bits_khz * step * outermost.unwrap_or(0) as f64
        };
        Self { six_db_khz: width(6.0), twenty_db_khz: width(20.0), flat_khz: bits_khz / greatest }
    }

    /// Half-sine pulses alternating between two axes, at a total chip rate: this is minimum shift
    /// keying, with tones a quarter of the rate from the carrier.
    #[must_use]
    pub fn half_sines(chips_khz: f64) -> Self {
        Self::tones(chips_khz, chips_khz / 4.0)
    }
}

/// Sampling points of a density.
const STEPS: usize = 4_000;

/// Density of continuous-phase binary FSK, `x` bit rates from the carrier; its integral is 1.
fn density(x: f64, index: f64) -> f64 {
    let beta = libm::cos(PI * index);
    let tone = |n: f64| {
        let u = PI * (x - n * index / 2.0);
        if u.abs() < 1e-9 { 1.0 } else { libm::sin(u) / u }
    };
    let (low, high) = (tone(-1.0), tone(1.0));
    let below = 1.0 + beta * beta - 2.0 * beta * libm::cos(2.0 * PI * x);
    let pair = |sum: f64| {
        let alpha = PI * index * sum;
        (libm::cos(2.0 * PI * x - alpha) - beta * libm::cos(alpha)) / below
    };
    let each = low * low + high * high;
    let crossed = pair(-1.0) * low * low + 2.0 * pair(0.0) * low * high + pair(1.0) * high * high;
    0.5 * (each + crossed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_power_is_cut_to_the_band_that_is_looked_at_and_narrow_power_is_not() {
        let wide = Transmitter {
            power_dbm: 20.0,
            gain_dbi: 2.0,
            spectrum: Spectrum::even(2_000.0),
            hopping: None,
            access: Access::Blind,
        };
        assert!((wide.eirp_dbm() - 22.0).abs() < 1e-9);
        assert!((wide.erp_dbm() - 19.85).abs() < 1e-9);
        assert!((wide.within(20.0, 1_000.0) - 16.990).abs() < 1e-3);
        assert!((wide.within(20.0, 5_000.0) - 20.0).abs() < 1e-9);
    }

    #[test]
    fn minimum_shift_keying_has_the_widths_of_its_formula() {
        // 16 / pi^2 (cos 2 pi x / (1 - 16 x^2))^2: 6 dB down at 0.4092, 20 dB at 0.6516.
        let one = Spectrum::tones(1_000.0, 250.0);
        assert!((one.six_db_khz - 818.4).abs() < 3.0, "{one:?}");
        assert!((one.twenty_db_khz - 1_303.3).abs() < 3.0, "{one:?}");
        assert!((one.flat_khz - 1_000.0 * PI * PI / 16.0).abs() < 1.0, "{one:?}");
        assert_eq!(Spectrum::half_sines(1_000.0), one);
    }

    #[test]
    fn all_of_the_power_is_in_the_density() {
        for index in [0.32, 0.5, 0.7, 1.28] {
            let step = 1e-3;
            let sum: f64 =
                (0..20_000).map(|nth| density((f64::from(nth) + 0.5) * step, index)).sum();
            assert!((2.0 * sum * step - 1.0).abs() < 0.005, "{index}: {sum}");
        }
    }
}
