//! What the rules ask of a transmitter.

/// A transmitter: what does not depend on what it sends when.
#[derive(Clone, Debug, PartialEq)]
pub struct Transmitter {
    /// Power at the terminals of the antenna while it sends, dBm.
    pub power_dbm: f64,
    /// Gain of the antenna, dBi.
    pub gain_dbi: f64,
    /// How its power lies in the spectrum.
    pub spectrum: Spectrum,
    /// How it hops; none if it stays where it is.
    pub hopping: Option<Hopping>,
    /// What it does before it sends.
    pub access: Access,
}

/// Widths of one frame's spectrum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spectrum {
    /// Between the outermost points 6 dB below the greatest density, kHz.
    pub six_db_khz: f64,
    /// Between the outermost points 20 dB below it, kHz.
    pub twenty_db_khz: f64,
    /// Over which all of the power would lie with the greatest density, kHz.
    pub flat_khz: f64,
}

/// A set of channels that are used in turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hopping {
    /// How many there are.
    pub channels: u32,
    /// From one to the next, kHz.
    pub spacing_khz: u32,
    /// Channels that others use are left out.
    pub adaptive: bool,
}

/// What a transmitter does before it sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It sends.
    Blind,
    /// It listens for this long, us, and sends if nobody else does.
    Listens(u32),
}

/// From the gain over an isotropic antenna to that over a half-wave dipole, dB.
const DIPOLE_DB: f64 = 2.15;

impl Transmitter {
    /// Equivalent isotropically radiated power, dBm.
    #[must_use]
    pub fn eirp_dbm(&self) -> f64 {
        self.power_dbm + self.gain_dbi
    }

    /// Effective radiated power, as over a dipole, dBm.
    #[must_use]
    pub fn erp_dbm(&self) -> f64 {
        self.eirp_dbm() - DIPOLE_DB
    }

    /// Of `power_dbm`, the most that lies within any `width_khz`, dBm.
    #[must_use]
    pub fn within(&self, power_dbm: f64, width_khz: f64) -> f64 {
        power_dbm + 10.0 * (width_khz / self.spectrum.flat_khz).min(1.0).log10()
    }
}

impl Spectrum {
    /// The same density all over `width_khz`: chirps that sweep it, or many subcarriers.
    #[must_use]
    pub const fn even(width_khz: f64) -> Self {
        Self { six_db_khz: width_khz, twenty_db_khz: width_khz, flat_khz: width_khz }
    }
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
}
