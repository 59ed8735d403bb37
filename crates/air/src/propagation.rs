//! Path loss and shadowing.
//!
//! Each formula cites its source. It gives the mean or, for [`PathLoss::Open`] and
//! [`PathLoss::Street`], the median over locations of one type, not a prediction for a particular
//! building. Shadowing in dB has a symmetric distribution, so its mean and its median are equal. At
//! distances below the shortest distance for which a formula is defined, the loss at this shortest
//! distance applies. The loss is never negative.

use airlag_sim::{Duration, Stream};

use crate::quantity::{Db, Hertz, Metres};

/// In vacuum, m/s (exact by definition of the metre).
const SPEED_OF_LIGHT: f64 = 299_792_458.0;

/// Mean or median path loss by distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathLoss {
    /// Free space: 20 log10(4 pi d f / c). Friis, "A note on a simple transmission formula", Proc.
    /// IRE 34, 1946; Recommendation ITU-R P.525.
    FreeSpace,
    /// Log-distance model. At a distance d of up to 1 m, the loss is that of free space. At a
    /// larger distance d, the loss is that of free space at 1 m, plus 10 n log10(d / 1 m).
    /// Rappaport, "Wireless communications", 2nd edition, 4.9.1. Table 4.2 of this book gives n =
    /// 2.7 to 3.5 in a city, 1.6 to 1.8 along a corridor, and 4 to 6 through walls.
    LogDistance {
        /// Path loss exponent n.
        exponent: f64,
    },
    /// Two-ray model over flat ground, with a direct and a reflected ray, for antennas at the
    /// heights h1 and h2. Up to the breakpoint distance 4 pi h1 h2 / wavelength, the loss is that
    /// of free space. At a larger distance d, the loss is 40 log10(d) - 20 log10(h1 h2). At the
    /// breakpoint distance, the two formulas give the same loss. Rappaport, "Wireless
    /// communications", 4.6.
    TwoRay {
        /// Height of both antennas above ground.
        heights: [Metres; 2],
    },
    /// Path along a street or over open ground, between low antennas at the heights h1 and h2: the
    /// median of line-of-sight measurements. Up to the distance 4 h1 h2 / wavelength, the loss is
    /// that of free space. At a larger distance d, the loss grows with 40 log10(d), and is 10 dB
    /// more than the loss of the two-ray model. Recommendation ITU-R P.1411-12, 4.1.2, equations
    /// for UHF (300 MHz to 3 GHz, up to 1 km).
    Open {
        /// Height of both antennas above ground.
        heights: [Metres; 2],
    },
    /// Path between terminals at head height among houses: the median of all locations. The loss is
    /// that of free space up to 44.2 m. From 64.2 m on, the loss is 9.5 + 45 log10(f / MHz) + 40
    /// log10(d / km) plus an urban term. Between 44.2 m and 64.2 m, the loss is interpolated
    /// linearly over the distance. Recommendation ITU-R P.1411-12, 4.3.1, at 50 % of locations (300
    /// MHz to 3 GHz, up to 3 km).
    Street {
        /// Urban term: 0 in a suburb, 6.8 dB in a town.
        urban: Db,
    },
    /// Inside a building, on one floor: 20 log10(f / MHz) + N log10(d / m) - 28, from 1 m on.
    /// Recommendation ITU-R P.1238-13, 3.2; N by [`Building`].
    Indoor {
        /// Type of building, which determines N.
        building: Building,
    },
    /// Site-general model: a loss of 10 a log10(d / m) + b + 10 g log10(f / GHz), from 1 m on. The
    /// coefficients a, b and g are fitted to measurements at one type of location. Recommendations
    /// ITU-R P.1238-13, 3.1, and P.1411-12, 4.1.1.
    SiteGeneral {
        /// Distance coefficient a.
        distance: f64,
        /// Offset b.
        offset: Db,
        /// Frequency coefficient g.
        frequency: f64,
    },
}

/// Type of building that a signal crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Building {
    /// Rooms of a home.
    Home,
    /// Rooms of offices.
    Office,
    /// Halls of a shop.
    Shop,
}

impl Building {
    /// Distance coefficient N, from table 4 of Recommendation ITU-R P.1238-13 (table 2 of
    /// P.1238-9), at the frequency of the table that is nearest to `frequency`. In an office, N is
    /// 33 at 0.9 GHz, 32 at 1.25 GHz, 30 at 1.9 GHz and 30 at 2.4 GHz. In a shop, N is 20 at 0.9
    /// GHz, 22 at 1.25 GHz and 22 at 1.9 GHz. At home, N is 28 at 1.9 GHz and at 2.4 GHz.
    #[must_use]
    pub fn coefficient(self, frequency: Hertz) -> f64 {
        let table: &[(f64, f64)] = match self {
            Self::Home => &[(1.9e9, 28.0), (2.4e9, 28.0)],
            Self::Office => &[(0.9e9, 33.0), (1.25e9, 32.0), (1.9e9, 30.0), (2.4e9, 30.0)],
            Self::Shop => &[(0.9e9, 20.0), (1.25e9, 22.0), (1.9e9, 22.0)],
        };
        let far = |at: f64| (at - frequency.0).abs();
        let nearest = table.iter().min_by(|one, other| far(one.0).total_cmp(&far(other.0)));
        nearest.map_or(0.0, |&(_, coefficient)| coefficient)
    }
}

/// Propagation time of light.
#[must_use]
pub fn delay(distance: Metres) -> Duration {
    Duration::from_ns((distance.0.max(0.0) * 1e9 / SPEED_OF_LIGHT + 0.5) as u64)
}

fn free_space(distance: Metres, frequency: Hertz) -> Db {
    let waves = distance.0 * frequency.0 / SPEED_OF_LIGHT;
    Db(20.0 * libm::log10(4.0 * std::f64::consts::PI * waves))
}

/// Distances up to which the median location has a line of sight, and from which it has none.
const IN_SIGHT: (Metres, Metres) = (Metres(44.2), Metres(64.2));

fn street(distance: Metres, frequency: Hertz, Db(urban): Db) -> Db {
    let (sight, corner) = IN_SIGHT;
    let hidden = |Metres(metres): Metres| {
        let megahertz = 45.0 * libm::log10(frequency.0 / 1e6);
        Db(9.5 + megahertz + 40.0 * libm::log10(metres / 1e3) + urban)
    };
    if distance.0 <= sight.0 {
        return free_space(distance, frequency);
    }
    if distance.0 >= corner.0 {
        return hidden(distance);
    }
    let (Db(from), Db(to)) = (free_space(sight, frequency), hidden(corner));
    Db(from + (to - from) * (distance.0 - sight.0) / (corner.0 - sight.0))
}

impl PathLoss {
    /// Path loss over `distance` at `frequency`.
    #[must_use]
    pub fn loss(&self, distance: Metres, frequency: Hertz) -> Db {
        let Db(loss) = match *self {
            Self::FreeSpace => free_space(distance, frequency),
            Self::LogDistance { exponent } => {
                let beyond = 10.0 * exponent * libm::log10(distance.0.max(1.0));
                free_space(Metres(distance.0.min(1.0)), frequency) + Db(beyond)
            }
            Self::TwoRay { heights: [Metres(one), Metres(other)] } => {
                let wavelength = SPEED_OF_LIGHT / frequency.0;
                if distance.0 < 4.0 * std::f64::consts::PI * one * other / wavelength {
                    free_space(distance, frequency)
                } else {
                    Db(40.0 * libm::log10(distance.0) - 20.0 * libm::log10(one * other))
                }
            }
            Self::Open { heights: [Metres(one), Metres(other)] } => {
                let turn = 4.0 * one * other * frequency.0 / SPEED_OF_LIGHT;
                let beyond = 20.0 * libm::log10((distance.0 / turn).max(1.0));
                free_space(distance, frequency) + Db(beyond)
            }
            Self::Street { urban } => street(distance, frequency, urban),
            Self::Indoor { building } => {
                let megahertz = 20.0 * libm::log10(frequency.0 / 1e6);
                let coefficient = building.coefficient(frequency);
                Db(megahertz + coefficient * libm::log10(distance.0.max(1.0)) - 28.0)
            }
            Self::SiteGeneral { distance: slope, offset: Db(offset), frequency: rise } => {
                let metres = libm::log10(distance.0.max(1.0));
                Db(10.0 * slope * metres + offset + 10.0 * rise * libm::log10(frequency.0 / 1e9))
            }
        };
        Db(loss.max(0.0))
    }
}

/// Draws the difference between the loss at one location and the mean loss. In dB, the difference
/// has a normal distribution with mean 0 and standard deviation `sigma` (Rappaport, "Wireless
/// communications", 4.9.2). The difference is a property of the location, so it is drawn once for a
/// path and applies to both directions of the path.
#[must_use]
pub fn shadowing(sigma: Db, stream: &mut Stream) -> Db {
    Db(sigma.0 * normal(stream))
}

/// Standard normal, from two draws (Box and Muller, 1958).
fn normal(stream: &mut Stream) -> f64 {
    let unit = 1.0 / (1_u64 << 53) as f64;
    // The share is above zero, so that its logarithm exists.
    let radius = ((stream.bits() >> 11) + 1) as f64 * unit;
    let angle = (stream.bits() >> 11) as f64 * unit;
    libm::sqrt(-2.0 * libm::log(radius)) * libm::cos(2.0 * std::f64::consts::PI * angle)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIFI: Hertz = Hertz(2.4e9);

    fn close(Db(found): Db, expected: f64, within: f64) {
        assert!((found - expected).abs() < within, "{found} dB, not {expected} dB");
    }

    #[test]
    fn free_space_is_the_table_of_p_525() {
        // P.525-4, equation 4: 32.4 + 20 log f (MHz) + 20 log d (km), computed by hand.
        close(PathLoss::FreeSpace.loss(Metres(1_000.0), Hertz(1e9)), 92.4, 0.06);
        close(PathLoss::FreeSpace.loss(Metres(10_000.0), Hertz(1e8)), 92.4, 0.06);
        close(PathLoss::FreeSpace.loss(Metres(1_000.0), WIFI), 100.0, 0.06);
        // The loss grows by 20 dB at ten times the distance.
        close(PathLoss::FreeSpace.loss(Metres(10.0), WIFI), 60.05, 0.01);
    }

    #[test]
    fn log_distance_goes_on_from_one_metre_with_its_exponent() {
        // 40.05 dB at 1 m; 35 dB a decade.
        let city = PathLoss::LogDistance { exponent: 3.5 };
        close(city.loss(Metres(1.0), WIFI), 40.05, 0.01);
        close(city.loss(Metres(100.0), WIFI), 110.05, 0.01);
        let space = PathLoss::LogDistance { exponent: 2.0 };
        for metres in [0.3, 1.0, 20.0, 5_000.0] {
            let Db(expected) = PathLoss::FreeSpace.loss(Metres(metres), WIFI);
            close(space.loss(Metres(metres), WIFI), expected, 1e-9);
        }
    }

    #[test]
    fn two_rays_meet_free_space_and_fall_with_the_fourth_power() {
        // At 900 MHz (0.3331 m) from 1.5 m to 50 m they agree at 4 pi 75 / 0.3331 = 2829 m.
        let ground = PathLoss::TwoRay { heights: [Metres(1.5), Metres(50.0)] };
        let frequency = Hertz(900e6);
        let Db(near) = ground.loss(Metres(2_829.0), frequency);
        close(ground.loss(Metres(2_830.0), frequency), near, 0.02);
        close(ground.loss(Metres(10_000.0), frequency), 160.0 - 37.5, 0.01);
        let Db(beyond) = ground.loss(Metres(4_000.0), frequency);
        close(ground.loss(Metres(40_000.0), frequency), beyond + 40.0, 1e-9);
        let Db(space) = PathLoss::FreeSpace.loss(Metres(1_000.0), frequency);
        close(ground.loss(Metres(1_000.0), frequency), space, 1e-9);
    }

    #[test]
    fn indoors_is_the_equation_of_p_1238_with_the_coefficient_of_the_frequency() {
        // 20 log 2400 = 67.6; 67.6 + 30 * 1.477 - 28.
        let office = PathLoss::Indoor { building: Building::Office };
        close(office.loss(Metres(30.0), WIFI), 83.92, 0.01);
        close(office.loss(Metres(1.0), WIFI), 39.6, 0.01);
        close(office.loss(Metres(0.1), WIFI), 39.6, 0.01);
        // 20 log 915 = 59.23; 59.23 + 33 * 1.477 - 28.
        close(office.loss(Metres(30.0), Hertz(915e6)), 79.97, 0.01);
        assert_eq!(Building::Office.coefficient(Hertz(868e6)), 33.0);
        assert_eq!(Building::Shop.coefficient(Hertz(915e6)), 20.0);
        assert_eq!(Building::Shop.coefficient(WIFI), 22.0);
        assert_eq!(Building::Home.coefficient(Hertz(868e6)), 28.0);
    }

    #[test]
    fn open_ground_is_the_median_of_p_1411() {
        // 2.4 GHz (0.12491 m), both at 1.5 m: the breakpoint is at 4 * 2.25 / 0.12491 = 72.05 m,
        // where 20 log10(0.12491^2 / (8 pi 2.25)) = -71.18, and free space is 6 dB more.
        let open = PathLoss::Open { heights: [Metres(1.5); 2] };
        close(open.loss(Metres(72.05), WIFI), 77.20, 0.03);
        close(open.loss(Metres(720.5), WIFI), 117.20, 0.03);
        let Db(space) = PathLoss::FreeSpace.loss(Metres(40.0), WIFI);
        close(open.loss(Metres(40.0), WIFI), space, 1e-9);
        // Far away, the two-ray model has 20 log10(pi) = 9.94 dB less loss.
        let rays = PathLoss::TwoRay { heights: [Metres(1.5); 2] };
        let (Db(measured), Db(theory)) =
            (open.loss(Metres(900.0), WIFI), rays.loss(Metres(900.0), WIFI));
        assert!((measured - theory - 9.94).abs() < 0.01, "{measured} {theory}");
    }

    #[test]
    fn among_houses_it_is_the_median_of_p_1411() {
        // At 868 MHz, 200 m: 9.5 + 45 * 2.93852 + 40 * -0.69897 = 113.77.
        let suburb = PathLoss::Street { urban: Db(0.0) };
        let town = PathLoss::Street { urban: Db(6.8) };
        close(suburb.loss(Metres(200.0), Hertz(868e6)), 113.77, 0.01);
        close(town.loss(Metres(200.0), Hertz(868e6)), 120.57, 0.01);
        // Line of sight up to 44.2 m: 32.45 + 58.77 - 27.09.
        close(town.loss(Metres(44.2), Hertz(868e6)), 64.13, 0.02);
        // Half way to the corner, the loss is the mean of both ends, 64.13 and 94.03.
        close(suburb.loss(Metres(54.2), Hertz(868e6)), 79.08, 0.02);
    }

    #[test]
    fn a_fit_to_a_site_is_its_line() {
        // 37.9 * 1.477 + 21.01 + 13.4 * 0.3802.
        let factory = PathLoss::SiteGeneral { distance: 3.79, offset: Db(21.01), frequency: 1.34 };
        close(factory.loss(Metres(30.0), WIFI), 82.09, 0.01);
    }

    #[test]
    fn no_path_gains_power_and_none_is_shorter_than_light() {
        let models = [
            PathLoss::FreeSpace,
            PathLoss::LogDistance { exponent: 6.0 },
            PathLoss::TwoRay { heights: [Metres(100.0), Metres(100.0)] },
            PathLoss::Open { heights: [Metres(100.0), Metres(100.0)] },
            PathLoss::Street { urban: Db(6.8) },
            PathLoss::Indoor { building: Building::Shop },
            PathLoss::SiteGeneral { distance: 3.79, offset: Db(21.01), frequency: 1.34 },
        ];
        for model in models {
            let mut last = Db(0.0);
            for step in 0..200 {
                let loss = model.loss(Metres(0.001 * libm::pow(1.1, f64::from(step))), WIFI);
                assert!(loss >= last, "{model:?}");
                last = loss;
            }
            assert_eq!(model.loss(Metres(0.0), WIFI).0.max(0.0), model.loss(Metres(0.0), WIFI).0);
        }
        assert_eq!(delay(Metres(299_792.458)), Duration::from_ms(1));
        assert_eq!(delay(Metres(2_000.0)), Duration::from_ns(6_671));
    }

    #[test]
    fn shadowing_has_the_mean_and_the_deviation_asked_for() {
        let mut stream = Stream::new(1, "shadowing");
        let drawn: Vec<f64> = (0..100_000).map(|_| shadowing(Db(8.0), &mut stream).0).collect();
        let count = drawn.len() as f64;
        let mean = drawn.iter().sum::<f64>() / count;
        let deviation = (drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
        // Five standard errors: 8 / sqrt(1e5) = 0.025, and 8 / sqrt(2e5) = 0.018.
        assert!(mean.abs() < 0.127 && (deviation - 8.0).abs() < 0.09, "{mean} {deviation}");
        // 68.27 % within one deviation.
        let within = drawn.iter().filter(|x| x.abs() < 8.0).count();
        assert!(within.abs_diff(68_269) < 740, "{within}");
    }
}
