//! How much of a clock's period the triggers have sampled, and a trigger period that samples it
//! all.

/// A gap counts when it leaves out this share of the period. Ten phases at equal distance give
/// every quantile of the wait within a tenth of the period; fewer do not.
const GAP: f64 = 0.1;

/// Where in the link's period the triggers fell.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// Share of the period that lies in no gap: 1 when every phase was tried.
    pub covered: f64,
    /// Number of separate groups of phases; 0 when there is no gap.
    pub phases: usize,
    /// Widest gap, as a share of the period.
    pub widest: f64,
}

impl Coverage {
    /// Folds trigger instants on a period and looks for gaps between their phases.
    #[must_use]
    pub fn of(triggers: &[f64], period: f64) -> Self {
        let mut phases: Vec<f64> = triggers.iter().map(|t| (t / period).rem_euclid(1.0)).collect();
        phases.sort_by(f64::total_cmp);
        let n = phases.len();
        let (Some(&first), Some(&last)) = (phases.first(), phases.last()) else {
            return Self { covered: 0.0, phases: 0, widest: 1.0 };
        };
        // n random points leave a gap of g or more somewhere with a chance of at most
        // n (1 - g)^(n - 1); this g has 1 in 1000 (Stevens, "Solution to a geometrical problem in
        // probability", 1939). A twentieth is the least that is worth calling a gap.
        let count = n as f64;
        let random = ((1e3 * count).ln() / count).max(0.05);
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

    /// Whether the run says little about an asynchronous trigger: a tenth of the period or more
    /// was never tried.
    #[must_use]
    pub fn is_poor(&self) -> bool {
        self.phases > 0 && self.widest >= GAP
    }
}

/// A trigger period near `trigger` that walks evenly through `period`: a whole number of periods
/// and the golden share of one, whose multiples leave the smallest gaps whatever their number
/// (the three-distance theorem). Rounded to what a generator is set to, where that still works.
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

/// A trigger period for a clock of which only a multiple, `multiple`, is known: a small step past
/// it, so that the phase walks through whatever fraction of it the period is.
#[must_use]
pub fn walking_trigger_period(multiple: f64) -> f64 {
    // 1.37 % is near no small fraction: neither it nor its first 12 multiples are.
    let walking = 1.0137 * multiple;
    let step = if multiple >= 1e8 { 1e5 } else { 1e4 };
    (walking / step).round() * step
}

fn walks_through(trigger: f64, period: f64) -> bool {
    let triggers: Vec<f64> = (0..200).map(|k| f64::from(k) * trigger).collect();
    Coverage::of(&triggers, period).widest < 0.03
}

/// Time the phase takes to walk from one of `phases` groups to the next, ns; `None` for an
/// irregular trigger. After it, the run starts to repeat itself.
#[must_use]
pub fn beat_ns(trigger: Option<f64>, period: f64, phases: usize) -> Option<f64> {
    let trigger = trigger?;
    let turns = phases.max(1) as f64 * trigger / period;
    let off = (turns - turns.round()).abs();
    (off > 0.0).then(|| trigger / off)
}
