//! Coverage of a clock's period by the triggers, and a trigger period that covers all of it.

/// Smallest gap that counts, as a share of the period. Ten evenly spaced phases give every quantile of the
/// wait within a tenth of the period.
const GAP: f64 = 0.1;

/// Phases of the triggers within the period of the link.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// Share of the period outside of gaps. 1 if every phase was sampled.
    pub covered: f64,
    /// Number of groups of phases that are separated by gaps. 0 without a gap.
    pub phases: usize,
    /// Widest gap as a share of the period.
    pub widest: f64,
}

impl Coverage {
    /// Folds trigger instants on a period and searches for gaps between their phases.
    #[must_use]
    pub fn of(triggers: &[f64], period: f64) -> Self {
        let mut phases: Vec<f64> = triggers.iter().map(|t| (t / period).rem_euclid(1.0)).collect();
        phases.sort_by(f64::total_cmp);
        let n = phases.len();
        let (Some(&first), Some(&last)) = (phases.first(), phases.last()) else {
            return Self { covered: 0.0, phases: 0, widest: 1.0 };
        };
        // n random phases leave a gap of g or more with a probability of at most n (1 - g)^(n - 1) (Stevens,
        // "Solution to a geometrical problem in probability", 1939). For the threshold `random`, this
        // probability is about 1 in 1000. The threshold is at least a twentieth of the period.
        let count = n as f64;
        let random = (libm::log(1e3 * count) / count).max(0.05);
        let round = first + 1.0 - last;
        let gaps = phases.windows(2).map(|w| w[1] - w[0]).chain([round]);
        let (mut lost, mut groups, mut widest) = (0.0, 0, 0.0f64);
        for gap in gaps {
            widest = widest.max(gap);
            if gap >= random {
                (lost, groups) = (lost + gap, groups + 1);
            }
        }
        Self { covered: (1.0 - lost).max(0.0), phases: groups, widest }
    }

    /// Whether the triggers left a gap of a tenth of the period or more. The quantiles of the run then do not
    /// apply to triggers at random phases.
    #[must_use]
    pub fn is_poor(&self) -> bool {
        self.phases > 0 && self.widest >= GAP
    }
}

/// Returns a trigger period near `trigger`. Triggers with the returned period sweep evenly through the phases
/// of a clock with the period `period`. The returned period is a whole multiple of `period` plus the golden
/// ratio times `period`, because multiples of the golden ratio leave the smallest gaps between phases, for
/// any number of triggers (three-distance theorem). The returned period is rounded to a value that a signal
/// generator can be set to, if triggers with the rounded period still cover all phases.
#[must_use]
pub fn better_trigger_period(trigger: f64, period: f64) -> f64 {
    const GOLDEN: f64 = 0.381_966_011_250_105;
    let whole = (trigger / period).floor();
    let near = |k: f64, share: f64| (k + share) * period;
    let best = [
        near(whole - 1.0, 1.0 - GOLDEN),
        near(whole, GOLDEN),
        near(whole, 1.0 - GOLDEN),
        near(whole + 1.0, GOLDEN),
    ]
    .into_iter()
    .filter(|t| *t > 0.8 * trigger)
    .min_by(|a, b| (a - trigger).abs().total_cmp(&(b - trigger).abs()))
    .unwrap_or(trigger + GOLDEN * period);
    [1e6, 1e5, 1e4]
        .into_iter()
        .map(|step| (best / step).round() * step)
        .find(|rounded| walks_through(*rounded, period))
        .unwrap_or(best)
}

/// Returns a trigger period for a clock whose period is unknown, except that it is a whole fraction of
/// `multiple`. The result is slightly longer than `multiple`, so that the trigger phase sweeps through any
/// such fraction.
#[must_use]
pub fn walking_trigger_period(multiple: f64) -> f64 {
    // A step of 1.37 % is not near a small fraction, and neither are its first 12 multiples.
    let walking = 1.0137 * multiple;
    let step = if multiple >= 1e8 { 1e5 } else { 1e4 };
    (walking / step).round() * step
}

fn walks_through(trigger: f64, period: f64) -> bool {
    let triggers: Vec<f64> = (0..200).map(|k| f64::from(k) * trigger).collect();
    Coverage::of(&triggers, period).widest < 0.03
}

/// Returns the time in which the phase moves from one of `phases` groups to the next, ns. After this
/// time the run starts to repeat itself. `None` for an irregular trigger.
#[must_use]
pub fn beat_ns(trigger: Option<f64>, period: f64, phases: usize) -> Option<f64> {
    let trigger = trigger?;
    let turns = phases.max(1) as f64 * trigger / period;
    let off = (turns - turns.round()).abs();
    (off > 0.0).then(|| trigger / off)
}
