//! Histograms of latencies for a terminal, on a logarithmic time axis.
//!
//! Percentiles are evenly spaced on a logit scale, log(p / (1 - p)), which shows both tails: 99.9 % is as far
//! from 99 % as 99 % from 90 %.

use std::fmt::Write as _;

use airlag_stats::dist::{quantile_name, quantiles};

use crate::quantity::{count, duration, number, time_unit};

/// Characters of the strip.
const STRIP: usize = 24;
/// Rows of the histogram, and maximum length of its bars, characters.
const ROWS: usize = 12;
const BAR: usize = 40;
/// Percentiles, one decade of odds apart.
const SHARES: [f64; 9] = [0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999];
/// Block characters: eighths of a cell, upward and to the right.
const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const LENGTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// A logarithmic axis from the smallest to the largest latency, divided into cells of equal width.
struct Axis {
    low: f64,
    span: f64,
    cells: usize,
}

impl Axis {
    fn new(low_ns: f64, high_ns: f64, cells: usize) -> Self {
        let low = libm::log(low_ns.max(1.0));
        Self { low, span: (libm::log(high_ns.max(1.0)) - low).max(f64::MIN_POSITIVE), cells }
    }

    fn cell(&self, ns: f64) -> usize {
        let share = (libm::log(ns.max(1.0)) - self.low) / self.span;
        ((share * self.cells as f64) as usize).min(self.cells - 1)
    }

    /// Lower bound of a cell, ns.
    fn edge(&self, cell: usize) -> f64 {
        libm::exp(self.low + self.span * cell as f64 / self.cells as f64)
    }

    fn counts(&self, bins: impl IntoIterator<Item = (f64, u64)>) -> Vec<u64> {
        let mut counts = vec![0; self.cells];
        for (ns, count) in bins {
            counts[self.cell(ns)] += count;
        }
        counts
    }
}

/// Formats a histogram as one line. `bins_ns` are in ascending order: lower bound, ns, and count. A
/// cell with at least one message is visible.
#[must_use]
pub fn strip(bins_ns: &[(u64, u64)]) -> String {
    let (Some(&(low, _)), Some(&(high, _))) = (bins_ns.first(), bins_ns.last()) else {
        return String::new();
    };
    let (low, high) = (low as f64, high as f64);
    let counts = Axis::new(low, high, STRIP).counts(bins_ns.iter().map(|&(ns, n)| (ns as f64, n)));
    let most = counts.iter().max().copied().unwrap_or(0).max(1);
    let bars: String = counts.iter().map(|n| HEIGHTS[(8 * n).div_ceil(most) as usize]).collect();
    format!("{} {bars} {}", duration(low), duration(high))
}

/// Formats a histogram, followed by the percentiles that the number of latencies supports. Each row of the
/// histogram shows the latency at which the row starts, and the share of messages that would miss a deadline
/// of this latency. `lost` is the number of lost messages, which miss every deadline. Without latencies, the
/// text is empty.
#[must_use]
pub fn view(latencies_ns: &[i64], lost: usize) -> String {
    let (Some(&low), Some(&high)) = (latencies_ns.iter().min(), latencies_ns.iter().max()) else {
        return String::new();
    };
    let (low, high) = (low as f64, high as f64);
    let unit = time_unit([high]);
    let time = |ns: f64| number(ns / unit.size, 4);
    let rows = Axis::new(low, high, ROWS);
    let counts = rows.counts(latencies_ns.iter().map(|&ns| (ns as f64, 1)));
    let most = counts.iter().max().copied().unwrap_or(0).max(1);
    let all = (latencies_ns.len() + lost) as f64;
    let mut in_time = 0;
    let mut text =
        format!("{:>10}  {:>9}  missed, %\n", format!("from, {}", unit.name), "messages");
    for (row, &n) in counts.iter().enumerate() {
        let missed = number(100.0 * (1.0 - in_time as f64 / all), 4);
        in_time += n;
        let eighths = (8 * BAR as u64 * n).div_ceil(most) as usize;
        let bar = format!("{}{}", "█".repeat(eighths / 8), LENGTHS[eighths % 8]);
        let line = format!("{:>10}  {:>9}  {missed:>9}  {bar}", time(rows.edge(row)), count(n));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let bars = Axis::new(low, high, BAR);
    let _ = writeln!(text, "\n{:>10}  {:>9}", "percentile", unit.name);
    let supported = |share: &f64| share.min(1.0 - share) * latencies_ns.len() as f64 >= 1.0;
    let shares: Vec<f64> = SHARES.into_iter().filter(supported).collect();
    for (&share, ns) in shares.iter().zip(quantiles(latencies_ns, &shares)) {
        let line = "·".repeat(bars.cell(ns));
        let _ = writeln!(text, "{:>10}  {:>9}  {line}●", quantile_name(share), time(ns));
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strip_spans_its_bins_and_shows_a_single_message() {
        // 2.1 ms is at 0.357 of the axis, in the ninth of 24 cells.
        let drawn = strip(&[(1_000_000, 1), (2_100_000, 1_000), (8_000_000, 500)]);
        let cells = format!("▁{}█{}▄", " ".repeat(7), " ".repeat(14));
        assert_eq!(drawn, format!("1.000 ms {cells} 8.000 ms"));
        assert_eq!(strip(&[(5, 3)]).matches('█').count(), 1);
        assert_eq!(strip(&[]), "");
    }

    #[test]
    fn a_view_contains_every_message_and_only_supported_percentiles() {
        let latencies: Vec<i64> = (1..=1_000).map(|ms| ms * 1_000_000).collect();
        let view = view(&latencies, 0);
        let (histogram, percentiles) = view.split_once("\n\n").expect("two parts");
        let messages = histogram.lines().skip(1).map(|line| {
            line.split_whitespace().nth(1).expect("a count").parse::<u64>().expect("a number")
        });
        assert_eq!(messages.sum::<u64>(), 1_000);
        assert_eq!(histogram.lines().count(), ROWS + 1);
        let names: Vec<&str> = percentiles.lines().skip(1).map(|line| line[..10].trim()).collect();
        assert_eq!(names, ["p0.1", "p1", "p10", "p50", "p90", "p99", "p99.9"]);
        let medians: Vec<&str> = percentiles.lines().filter(|line| line.contains("p50 ")).collect();
        assert!(medians[0].contains(" 0.5005 "), "{medians:?}");
        assert_eq!(super::view(&[], 3), "");
    }

    #[test]
    fn a_deadline_is_missed_by_what_is_later_and_by_what_is_lost() {
        let latencies: Vec<i64> =
            (0..90).map(|at| if at < 45 { 1_000_000 } else { 4_096_000_000 }).collect();
        let view = view(&latencies, 10);
        let missed = |line: &str| line.split_whitespace().nth(2).map(str::to_owned);
        let missed: Vec<String> = view.lines().skip(1).take(ROWS).filter_map(missed).collect();
        // One millisecond is in the first row, and four seconds in the last.
        assert_eq!(missed[0].parse::<f64>(), Ok(100.0));
        assert!(missed[1..].iter().all(|share| share.parse() == Ok(55.0)), "{missed:?}");
    }

    #[test]
    fn equal_latencies_fill_one_row() {
        let view = view(&[7; 20], 0);
        let filled = view.lines().filter(|line| line.contains('█')).count();
        assert_eq!(filled, 1, "{view}");
    }
}
