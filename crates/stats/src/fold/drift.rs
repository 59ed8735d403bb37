//! Drift of the latency over time: the difference of two crystals, visible if the triggers always sample the
//! same phase of a tick or slot.
//!
//! In a plot of latency against time, a drift is a line with a slope of tens of ppm. The latencies scatter
//! about the line by much less than the line rises or falls. Rare slow transfers lie above the line. Where
//! the phase wraps, a rising line continues one tick lower. The line is detected as in a Hough transform
//! (Duda and Hart, "Use of the Hough transformation to detect lines and curves in pictures", 1972): each
//! trial slope is subtracted from the latencies, and the slope with the most latencies in one cell of equal
//! latency is selected. Then a slope is fitted to the latencies on the line. If noise makes the line too
//! thick for this method, the line is detected by ranks (`steady`).

use crate::fold::series::{
    Series, correlation, median, quantile, rank_serial_correlation, robust_sd,
};
use crate::fold::steady;

/// Largest slope: crystals and trimmed RC clocks of radios are within 100 ppm each.
const STEEPEST: f64 = 200e-6;

/// Smallest slope. A crystal is not more stable than this over minutes.
const FLATTEST: f64 = 0.2e-6;

/// Smallest share of the latencies that must lie on the line, and smallest share of the run that the line
/// must cover. A link that is sampled at three phases gives three parallel lines, with at most a third of the
/// latencies each.
const LEAST_SHARE: f64 = 0.4;
const LEAST_COVER: f64 = 0.75;

/// Smallest ratio of the height of the ramp to the spread around it. A smaller ramp does not affect
/// quantiles, and is indistinguishable from other slow changes.
const LEAST_RISE: f64 = 4.0;

/// Smallest rank serial correlation, in standard deviations above 0, at which a line is searched for.
/// Latencies in random order exceed it with a probability of 2 in 10,000.
const ORDERED: f64 = 3.5;

/// Smallest number of transfers. Shorter random walks resemble a line too often. Of random walks with 55 to
/// 120 steps, one in forty still does.
const LEAST_TRANSFERS: usize = 50;

/// Largest number of transfers that are used.
const CAP: usize = 1500;

/// A line of latency against time.
#[derive(Clone, Debug, PartialEq)]
pub struct Ramp {
    /// Change of the latency over time, ns per ns. Positive if the latency grows.
    pub slope: f64,
    /// Its standard error.
    pub slope_stderr: f64,
    /// Latency on the line at the first trigger, ns.
    pub offset_ns: f64,
    /// Spread around the line, ns.
    pub residual_ns: f64,
    /// Change of the latency along the line over the run, ns.
    pub height_ns: f64,
    /// Share of the transfers on the line.
    pub share: f64,
    /// Number of wraps, each by one tick.
    pub wraps: usize,
    /// Correlation of latency with time along the line.
    pub correlation: f64,
}

/// One straight piece: the latencies within `reach` of `centre` after tilting.
struct Piece {
    members: Vec<usize>,
    centre: f64,
    from: f64,
    to: f64,
}

/// Finds the drift of a run with a regular trigger.
#[must_use]
pub fn ramp(series: &Series) -> Option<Ramp> {
    series.trigger_period_ns?;
    let every = series.len().div_ceil(CAP).max(1);
    let time: Vec<f64> = series.trigger.iter().step_by(every).copied().collect();
    let latency: Vec<f64> = series.latency.iter().step_by(every).copied().collect();
    let n = time.len();
    if n < LEAST_TRANSFERS || !in_order(&latency) {
        return None;
    }
    thin(&time, &latency, series.grid_ns).or_else(|| steady::line(&time, &latency, series.grid_ns))
}

/// A line that is thin relative to its height, with or without wraps.
fn thin(time: &[f64], latency: &[f64], grid: f64) -> Option<Ramp> {
    let span = time[time.len() - 1] - time[0];
    let (guess, cell) = densest_tilt(time, latency, span, grid)?;
    let (slope, reach) = settle(time, latency, guess, cell, grid)?;
    let tilted: Vec<f64> = time.iter().zip(latency).map(|(t, l)| l - slope * t).collect();
    let pieces = chain(time, &tilted, slope, reach);
    judge(time, latency, &tilted, &pieces, slope, grid)
}

/// Whether successive latencies have a rank correlation, in the whole run or without its slowest third. Slow
/// transfers at random times can hide the correlation of the others. The same limit applies to both, because
/// exchangeable values stay exchangeable if all values above a bound are removed.
fn in_order(latency: &[f64]) -> bool {
    let ordered =
        |values: &[f64]| rank_serial_correlation(values) * (values.len() as f64).sqrt() > ORDERED;
    let bound = quantile(latency, 0.67).unwrap_or(f64::INFINITY);
    let quick: Vec<f64> = latency.iter().copied().filter(|l| *l <= bound).collect();
    ordered(latency) || ordered(&quick)
}

/// Finds the slope and the cell size, ns, at which one cell contains the most latencies relative to the
/// square root of its size.
fn densest_tilt(time: &[f64], latency: &[f64], span: f64, grid: f64) -> Option<(f64, f64)> {
    let (q1, q3) = (quantile(latency, 0.25)?, quantile(latency, 0.75)?);
    let (low, high) = (quantile(latency, 0.02)?, quantile(latency, 0.9)?);
    let spread = q3 - q1;
    if spread < 5.0 * grid {
        return None;
    }
    let steepest = STEEPEST.min(4.0 * (high - low) / span);
    let floor = q1 - 4.0 * spread;
    let mut best: Option<(f64, f64, f64)> = None;
    let mut counts: Vec<u32> = Vec::new();
    for parts in [32.0, 16.0, 8.0, 4.0] {
        let cell = (spread / parts).max(4.0 * grid);
        let cells = (10.0 * spread / cell) as usize + 4;
        // From one trial slope to the next, the line rises by half a cell more over the run.
        let steps = ((steepest * span / (cell / 2.0)) as i32).min(600);
        for step in -steps..=steps {
            let slope = f64::from(step) / f64::from(steps.max(1)) * steepest;
            counts.clear();
            counts.resize(cells, 0);
            for (t, l) in time.iter().zip(latency) {
                let at = (l - slope * (t - span / 2.0) - floor) / cell;
                if at >= 0.0 && (at as usize) < cells {
                    counts[at as usize] += 1;
                }
            }
            let most = counts.windows(2).map(|w| w[0] + w[1]).max()?;
            // A cell of twice the width is better only if it contains more than sqrt(2) times as many
            // latencies.
            let score = f64::from(most) / cell.sqrt();
            if best.is_none_or(|b| score > b.0) {
                best = Some((score, slope, cell));
            }
        }
    }
    best.map(|b| (b.1, b.2))
}

/// Fits the slope to the latencies within a reach of the line, which decreases from step to step. Returns the
/// slope and the final reach on either side of the line.
fn settle(
    time: &[f64],
    latency: &[f64],
    mut slope: f64,
    cell: f64,
    grid: f64,
) -> Option<(f64, f64)> {
    let mut reach = 2.0 * cell;
    for _ in 0..10 {
        let tilted: Vec<f64> = time.iter().zip(latency).map(|(t, l)| l - slope * t).collect();
        let centre = densest(&tilted, reach)?;
        let on: Vec<usize> =
            (0..tilted.len()).filter(|&i| (tilted[i] - centre).abs() < reach).collect();
        if on.len() < 8 {
            return None;
        }
        slope += line_slope(&on, time, &tilted).0;
        let rest: Vec<f64> = on.iter().map(|&i| tilted[i]).collect();
        reach = reach.min((4.0 * robust_sd(&rest)).max(3.0 * grid));
    }
    Some((slope, reach))
}

/// Middle of the window of width `2 * reach` with the most values.
fn densest(values: &[f64], reach: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (mut low, mut best) = (0, (0, 0));
    for high in 0..sorted.len() {
        while sorted[high] - sorted[low] > 2.0 * reach {
            low += 1;
        }
        if high - low > best.1 - best.0 {
            best = (low, high);
        }
    }
    median(sorted.get(best.0..=best.1)?)
}

/// Least-squares slope of values over time, and the sum of squared time deviations.
fn line_slope(members: &[usize], time: &[f64], values: &[f64]) -> (f64, f64) {
    let n = members.len() as f64;
    let mt = members.iter().map(|&i| time[i]).sum::<f64>() / n;
    let mv = members.iter().map(|&i| values[i]).sum::<f64>() / n;
    let tt: f64 = members.iter().map(|&i| (time[i] - mt).powi(2)).sum();
    let tv: f64 = members.iter().map(|&i| (time[i] - mt) * (values[i] - mv)).sum();
    (if tt > 0.0 { tv / tt } else { 0.0 }, tt)
}

/// Finds the line with the most transfers, and the parallel lines that continue it after each wrap. If the
/// latency grows, each continuation is lower than the one before.
fn chain(time: &[f64], tilted: &[f64], slope: f64, reach: f64) -> Vec<Piece> {
    let n = time.len();
    let mut free: Vec<usize> = (0..n).collect();
    let mut pieces: Vec<Piece> = Vec::new();
    for _ in 0..8 {
        let values: Vec<f64> = free.iter().map(|&i| tilted[i]).collect();
        let Some(centre) = densest(&values, reach) else { break };
        let (on, off): (Vec<usize>, Vec<usize>) =
            free.into_iter().partition(|&i| (tilted[i] - centre).abs() < reach);
        free = off;
        // In a random walk, some parallel line always contains a few transfers by chance.
        if on.len() < (n / 20).max(if pieces.is_empty() { 8 } else { 20 }) {
            break;
        }
        // The first and the last 2 % of the members are ignored, so that a single distant member does not
        // extend the piece over its neighbours in time.
        let trim = on.len() / 50;
        let piece =
            Piece { from: time[on[trim]], to: time[on[on.len() - 1 - trim]], centre, members: on };
        let fits = pieces.iter().all(|other| {
            let (early, late) =
                if other.from < piece.from { (other, &piece) } else { (&piece, other) };
            let overlap = (early.to - late.from).max(0.0);
            let short = (other.to - other.from).min(piece.to - piece.from);
            overlap <= 0.05 * short && (late.centre < early.centre) == (slope > 0.0)
        });
        if fits {
            pieces.push(piece);
        }
    }
    pieces
}

fn judge(
    time: &[f64],
    latency: &[f64],
    tilted: &[f64],
    pieces: &[Piece],
    slope: f64,
    grid: f64,
) -> Option<Ramp> {
    let span = time[time.len() - 1] - time[0];
    let mut rest: Vec<(usize, f64)> =
        pieces.iter().flat_map(|p| p.members.iter().map(|&i| (i, tilted[i] - p.centre))).collect();
    rest.sort_by_key(|r| r.0);
    let values: Vec<f64> = rest.iter().map(|r| r.1).collect();
    let share = rest.len() as f64 / time.len() as f64;
    let cover = pieces.iter().map(|p| p.to - p.from).sum::<f64>() / span;
    let height_ns = slope.abs() * cover.min(1.0) * span;
    // The smallest possible spread is that of one uniformly distributed grid step.
    let residual_ns = robust_sd(&values).max(grid / 12f64.sqrt());
    let steep = (FLATTEST..STEEPEST).contains(&slope.abs());
    if !steep
        || share < LEAST_SHARE
        || cover < LEAST_COVER
        || height_ns < LEAST_RISE * residual_ns
        || !is_straight(&rest, time, height_ns, height_ns > 10.0 * residual_ns)
    {
        return None;
    }
    let main = pieces.first()?;
    let (_, times) = line_slope(&main.members, time, tilted);
    let on = |v: &[f64]| main.members.iter().map(|&i| v[i]).collect::<Vec<f64>>();
    Some(Ramp {
        slope,
        slope_stderr: residual_ns / times.sqrt().max(1.0),
        offset_ns: main.centre,
        residual_ns,
        height_ns,
        share,
        wraps: pieces.len() - 1,
        correlation: correlation(&on(time), &on(latency)),
    })
}

/// Whether the residuals of the line show no systematic deviation from the line. A varying load, a part that
/// warms up or a random walk also changes the latency gradually, but not along a line. The function returns
/// true if either of two conditions holds. The first condition is that the residuals are small compared with
/// the rise of the line (`thin`), and that in no twelfth of the run the median residual is far from zero. The
/// second condition is that at least 60 residuals are in random order (their serial correlation is below two
/// standard deviations), and that in no twelfth of the run the median residual is very far from zero. With
/// fewer than 60 transfers, a random walk would meet the second condition in one of ten runs.
fn is_straight(rest: &[(usize, f64)], time: &[f64], height: f64, thin: bool) -> bool {
    const STRETCHES: usize = 12;
    let (first, last) = (time[0], time[time.len() - 1]);
    let mut stretches = vec![Vec::new(); STRETCHES];
    for &(i, value) in rest {
        let at = (time[i] - first) / (last - first) * STRETCHES as f64;
        stretches[(at as usize).min(STRETCHES - 1)].push(value);
    }
    let bent = stretches
        .iter()
        .filter(|s| s.len() >= 5)
        .filter_map(|s| median(s))
        .fold(0.0f64, |worst, m| worst.max(m.abs()));
    let values: Vec<f64> = rest.iter().map(|r| r.1).collect();
    let order = rank_serial_correlation(&values) * (values.len() as f64).sqrt();
    let random = values.len() >= 60 && order < 2.0;
    (thin && bent < 0.03 * height) || (random && bent < 0.2 * height)
}
