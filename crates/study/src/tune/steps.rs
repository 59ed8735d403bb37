//! Detection of the step width in which hardware accepts a number, by trial settings.
//!
//! A connection interval is a multiple of 1.25 ms, a retransmit delay a multiple of 250 us. An
//! optimiser does not need to search between these steps.

/// Leading digits of hardware steps.
const LEADING: [f64; 5] = [1.0, 1.25, 2.0, 2.5, 5.0];
/// Multiples of a step that must be accepted.
const MULTIPLES: [f64; 3] = [1.0, 2.0, 3.0];
/// Positions in a range that lie on no hardware step except the finest.
const ODD: [f64; 3] = [0.0370, 0.1370, 0.4142];

/// Rounds a number to nine significant digits, to remove errors of binary fractions.
#[must_use]
pub fn typed(number: f64) -> f64 {
    format!("{number:.8e}").parse().unwrap_or(number)
}

/// Finds the finest step from `low` at which every number is accepted. Returns `None` if there are no steps, or
/// none was found.
///
/// `refusal` returns the reason why a number is rejected. `resolution` is the smallest difference between
/// numbers of an integer parameter.
///
/// # Errors
///
/// The rejection of the lower end, if neither end is accepted.
pub fn finest<E>(
    refusal: impl Fn(f64) -> Option<E>,
    low: f64,
    high: f64,
    resolution: Option<f64>,
) -> Result<Option<f64>, E> {
    // Steps are counted from an accepted end, and both ends must be on a step.
    let (start, sign) = match refusal(low) {
        None => (low, 1.0),
        Some(why) if refusal(high).is_some() => return Err(why),
        Some(_) => (high, -1.0),
    };
    let reach = high - low;
    let taken = |distance: f64| refusal(typed(start + sign * distance)).is_none();
    let odd = ODD.map(|share| {
        let whole = |width: f64| width * (reach * share / width).round_ties_even();
        resolution.map_or(reach * share, whole)
    });
    if odd.into_iter().all(taken) {
        return Ok(resolution);
    }
    let fits = |step: &f64| {
        let (parts, whole) = (reach / step, (reach / step).round_ties_even());
        start == low || (parts - whole).abs() <= 1e-9 * parts.abs().max(whole.abs())
    };
    let all = |step: &f64| {
        MULTIPLES.iter().map(|k| k * step).filter(|distance| *distance <= reach).all(taken)
    };
    Ok(steps(resolution.unwrap_or(reach / 1e6), reach).filter(fits).find(all).or(resolution))
}

/// Round numbers within a range.
fn steps(least: f64, most: f64) -> impl Iterator<Item = f64> {
    let powers = libm::log10(least).floor() as i32..=libm::log10(most).ceil() as i32;
    let round = powers.flat_map(|power| LEADING.map(|one| one * 10f64.powi(power)));
    round.filter(move |step| (least..=most).contains(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_on(number: f64, step: f64) -> bool {
        (number / step - (number / step).round()).abs() < 1e-9
    }

    #[test]
    fn a_step_is_found_from_whichever_end_is_taken() {
        for (step, from_above) in
            [0.625, 1.25, 2.0, 50.0].map(|step| [(step, false), (step, true)]).concat()
        {
            let (low, high) = (10.0 * step, 50.0 * step);
            let refusal = |number: f64| {
                let taken = is_on(number, step) && !(from_above && number < 20.0 * step);
                (!taken).then_some("no such number")
            };
            let found = finest(refusal, low, high, Some(0.005)).expect("an end").expect("a step");
            assert!(is_on(found, step), "{found} is not a multiple of {step}");
            // 0.625 lies on no step with these leading digits. The first matching step is twice as
            // long.
            assert!(found <= 2.0 * step, "{found}");
        }
    }

    #[test]
    fn what_takes_every_number_has_no_step() {
        assert_eq!(finest(|_| None::<()>, 0.0, 1.0, None), Ok(None));
        assert_eq!(finest(|_| None::<()>, 0.0, 10.0, Some(1.0)), Ok(Some(1.0)));
        assert_eq!(finest(Some, 0.0, 1.0, None), Err(0.0));
    }
}
