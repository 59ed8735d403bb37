//! Levels and lengths with units, so that a gain cannot be mistaken for a power.
//!
//! Levels in dB are added and subtracted: a power plus a gain is a power, and the difference of two
//! powers is a ratio. Logarithms and exponentials are computed in software by `libm`, so results
//! are the same on every machine.

use std::ops::{Add, Neg, Sub};

/// A ratio of two powers, dB.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Db(pub f64);

/// A power, dB above one milliwatt.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Dbm(pub f64);

/// The power of a signal over that of the noise in one hertz, C/N0, dB-Hz.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct DbHz(pub f64);

/// A frequency or a bandwidth, Hz.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Hertz(pub f64);

/// A length, m.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Metres(pub f64);

impl Db {
    /// Converts a ratio to a level.
    #[must_use]
    pub fn of(ratio: f64) -> Self {
        Self(10.0 * libm::log10(ratio))
    }

    /// Converts a level to a ratio.
    #[must_use]
    pub fn ratio(self) -> f64 {
        libm::pow(10.0, self.0 / 10.0)
    }
}

impl DbHz {
    /// Signal-to-noise ratio in a bandwidth; also Eb/N0, for a bit rate.
    #[must_use]
    pub fn in_bandwidth(self, bandwidth: Hertz) -> Db {
        Db(self.0) - Db::of(bandwidth.0)
    }
}

impl Add for Db {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Db {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Db {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<Db> for Dbm {
    type Output = Self;
    fn add(self, gain: Db) -> Self {
        Self(self.0 + gain.0)
    }
}

impl Sub<Db> for Dbm {
    type Output = Self;
    fn sub(self, loss: Db) -> Self {
        Self(self.0 - loss.0)
    }
}

impl Sub for Dbm {
    type Output = Db;
    fn sub(self, other: Self) -> Db {
        Db(self.0 - other.0)
    }
}
