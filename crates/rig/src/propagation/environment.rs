//! Environments between the antennas: path loss, shadowing by location, and fading by frame.
//!
//! | name | mean path loss | shadowing, sigma | fading |
//! |---|---|---|---|
//! | free-space | ITU-R P.525 | none | none |
//! | log-distance | power law with a given exponent | none | none |
//! | two-ray | two-ray theory, flat ground | none | none |
//! | outdoor | ITU-R P.1411-12, 4.1.2 | 5.06 dB | Rician, K = 9 dB |
//! | suburban, urban | ITU-R P.1411-12, 4.3.1 | 7 dB | Rayleigh |
//! | home, office | ITU-R P.1238-13, 3.2 | 8 dB (home), 10 dB (office) | Rayleigh |
//! | shop | ITU-R P.1238-13, 3.2 | 10 dB | Rician, K = 7 dB |
//! | factory | ITU-R P.1238-13, 3.1 | 9.05 dB | Rayleigh |
//!
//! The standard deviation of shadowing is taken from ITU-R P.1411-12, table 4, for outdoor
//! environments in line of sight, and from P.1411-12, 4.3.1, for outdoor environments without line
//! of sight. For indoor environments, the sources of the standard deviation are ITU-R P.1238-7,
//! table 4 (from 1.8 to 2 GHz), and P.1238-13, table 2. In line of sight, fading is Rician. The
//! factor K is the mean K of 3GPP TR 38.901 V16.1.0, table 7.5-6: 9 dB along a street (UMi), and 7
//! dB in offices and factories (InH, InF). Without line of sight, fading is Rayleigh.

use airlag_air::quantity::{Db, Metres};
use airlag_air::{Building, Fading, PathLoss};

use super::Propagation;
use crate::parameter::choices;

/// Default environment, in which manufacturers and users publish range tests.
pub const USUAL: &str = "outdoor";

choices! {
    /// Environment between the antennas.
    pub enum Environment {
        /// Free space.
        FreeSpace = "free-space",
        /// Path loss with a given exponent.
        LogDistance = "log-distance",
        /// Flat ground, two-ray theory.
        TwoRay = "two-ray",
        /// Open ground or a street, line of sight.
        Outdoor = "outdoor",
        /// Houses with gardens, no line of sight.
        Suburban = "suburban",
        /// A town, no line of sight.
        Urban = "urban",
        /// One floor of a home.
        Home = "home",
        /// One floor of offices.
        Office = "office",
        /// One floor of a shop.
        Shop = "shop",
        /// A factory hall, no line of sight.
        Factory = "factory",
    }
}

impl Environment {
    /// Path loss by distance.
    #[must_use]
    pub const fn path(self, propagation: &Propagation) -> PathLoss {
        let heights = [Metres(propagation.antenna_height); 2];
        match self {
            Self::FreeSpace => PathLoss::FreeSpace,
            Self::LogDistance => PathLoss::LogDistance { exponent: propagation.path_loss_exponent },
            Self::TwoRay => PathLoss::TwoRay { heights },
            Self::Outdoor => PathLoss::Open { heights },
            Self::Suburban => PathLoss::Street { urban: Db(0.0) },
            Self::Urban => PathLoss::Street { urban: Db(6.8) },
            Self::Home => PathLoss::Indoor { building: Building::Home },
            Self::Office => PathLoss::Indoor { building: Building::Office },
            Self::Shop => PathLoss::Indoor { building: Building::Shop },
            Self::Factory => {
                PathLoss::SiteGeneral { distance: 3.79, offset: Db(21.01), frequency: 1.34 }
            }
        }
    }

    /// Standard deviation of location losses about the mean loss.
    #[must_use]
    pub const fn shadowing(self) -> Db {
        Db(match self {
            Self::FreeSpace | Self::LogDistance | Self::TwoRay => 0.0,
            Self::Outdoor => 5.06,
            Self::Suburban | Self::Urban => 7.0,
            Self::Home => 8.0,
            Self::Office | Self::Shop => 10.0,
            Self::Factory => 9.05,
        })
    }

    /// Fading from frame to frame at one location.
    #[must_use]
    pub const fn fading(self) -> Fading {
        match self {
            Self::FreeSpace | Self::LogDistance | Self::TwoRay => Fading::Steady,
            Self::Outdoor => Fading::Rician { k: Db(9.0) },
            Self::Shop => Fading::Rician { k: Db(7.0) },
            Self::Suburban | Self::Urban | Self::Home | Self::Office | Self::Factory => {
                Fading::Rayleigh
            }
        }
    }
}
