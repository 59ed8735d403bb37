//! How long a battery lasts.

use airlag_rig::batteries::{Battery, Figure};

/// Hours of a year of 365.25 days.
const HOURS_PER_YEAR: f64 = 8_766.0;
/// nA of a mA.
const NA_PER_MA: f64 = 1e6;

/// How long a battery lasts at a current.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Life {
    /// Until its capacity is used up, years; what it loses by itself counts.
    pub years: f64,
    /// What it is asked for at once and does not give, mA: what is drawn, and the most it gives.
    pub overloaded_ma: Option<(f64, f64)>,
}

/// How long `battery` lasts at a mean current of `average_na` with at most `peak_na` at once.
#[must_use]
pub fn life(battery: &Battery, average_na: f64, peak_na: u64) -> Life {
    let figure = |one: &Option<Figure>| one.as_ref().map(|one| one.value);
    let lost = figure(&battery.self_discharge_percent_per_year).unwrap_or(0.0) / 100.0;
    let capacity_mah = battery.capacity_mah.value;
    let drawn_ma = average_na / NA_PER_MA + capacity_mah * lost / HOURS_PER_YEAR;
    let years = capacity_mah / drawn_ma.max(f64::MIN_POSITIVE) / HOURS_PER_YEAR;
    let peak_ma = peak_na as f64 / NA_PER_MA;
    let most = figure(&battery.largest_pulse_ma).filter(|&most| most < peak_ma);
    Life { years, overloaded_ma: most.map(|most| (peak_ma, most)) }
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
}
