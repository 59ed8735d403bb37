//! Battery life.

use airlag_rig::batteries::{Battery, Figure};

/// Hours per year of 365.25 days.
const HOURS_PER_YEAR: f64 = 8_766.0;
/// nA per mA.
const NA_PER_MA: f64 = 1e6;

/// Battery life at a current.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Life {
    /// Time until the capacity is used up, years. Includes self-discharge.
    pub years: f64,
    /// Share of the capacity that is lost because of large pulses.
    pub derating: f64,
    /// Peak current and largest pulse current of the battery, mA, if the peak exceeds the pulse
    /// current. `None` if the battery supplies the peak.
    pub overloaded_ma: Option<(f64, f64)>,
}

/// Largest pulse current that `battery` supplies, mA: the upper bound of its rated pulse current. Returns
/// `None` if this current is not known.
#[must_use]
pub fn most_ma(battery: &Battery) -> Option<f64> {
    let rated = battery.largest_pulse_ma.as_ref()?;
    let upper = rated.origin.bound().and_then(|bound| bound.high.number());
    Some(upper.unwrap_or(rated.value))
}

/// Share of the capacity of `battery` that is lost with pulses of `peak_ma`. Linear from 0 at the rated
/// pulse current to the full derating at the largest.
fn derating(battery: &Battery, peak_ma: f64) -> f64 {
    let (Some(rated), Some(all), Some(most)) =
        (&battery.largest_pulse_ma, &battery.pulse_derating_percent, most_ma(battery))
    else {
        return 0.0;
    };
    let beyond = (peak_ma - rated.value) / (most - rated.value).max(f64::MIN_POSITIVE);
    all.value / 100.0 * beyond.clamp(0.0, 1.0)
}

/// Battery life at a mean current of `average_na` and a peak current of `peak_na`. A pulse above the rated
/// current reduces the capacity. The battery does not supply a pulse above [`most_ma`].
#[must_use]
pub fn life(battery: &Battery, average_na: f64, peak_na: u64) -> Life {
    let figure = |one: &Option<Figure>| one.as_ref().map(|one| one.value);
    let lost = figure(&battery.self_discharge_percent_per_year).unwrap_or(0.0) / 100.0;
    let peak_ma = peak_na as f64 / NA_PER_MA;
    let derating = derating(battery, peak_ma);
    let capacity_mah = battery.capacity_mah.value;
    let drawn_ma = average_na / NA_PER_MA + capacity_mah * lost / HOURS_PER_YEAR;
    let left_mah = capacity_mah * (1.0 - derating);
    let years = left_mah / drawn_ma.max(f64::MIN_POSITIVE) / HOURS_PER_YEAR;
    let most = most_ma(battery).filter(|&most| most < peak_ma);
    Life { years, derating, overloaded_ma: most.map(|most| (peak_ma, most)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capacity_is_used_up_by_its_current() {
        let battery = Battery::find("8766 mAh").expect("a capacity");
        let life = life(&battery, 1e6, 200_000_000);
        assert!((life.years - 1.0).abs() < 1e-9, "{life:?}");
        assert_eq!(life.overloaded_ma, None);
    }

    #[test]
    fn a_coin_cell_gives_no_radio_of_wifi_its_current_and_does_not_last_for_ever() {
        let battery = Battery::find("cr2032").expect("listed");
        let life = life(&battery, 1e3, 240_000_000);
        let (asked, most) = life.overloaded_ma.expect("too much");
        assert!(asked > most);
        assert!(life.years < battery.capacity_mah.value * 1e3 / HOURS_PER_YEAR);
    }

    #[test]
    fn a_pulse_above_the_rated_one_costs_capacity_and_only_beyond_the_bound_it_is_too_much() {
        // CR2032: rated for pulses of 15 mA, at most 30 mA, where it loses 9 % of its capacity.
        let battery = Battery::find("CR2032").expect("listed");
        let at = |ma: u64| life(&battery, 1e4, ma * 1_000_000);
        assert_eq!((at(15).derating, at(15).overloaded_ma), (0.0, None));
        assert!((at(20).derating - 0.03).abs() < 1e-9, "{:?}", at(20));
        assert_eq!(at(30).overloaded_ma, None);
        assert!((at(30).years / at(15).years - 0.91).abs() < 1e-9);
        assert_eq!(at(31).overloaded_ma, Some((31.0, 30.0)));
    }
}
