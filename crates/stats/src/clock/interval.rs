//! Offsets of the remote clock that the timestamps permit, with steps of that clock.
//!
//! Between two steps of the remote clock, the offset of the remote clock changes linearly with time, and one
//! line fits all exchanges between the steps. A line fits an exchange if it lies between the two bounds of
//! the offset that the timestamps of the exchange give. The time of a step is known only approximately,
//! because the line before the step may also fit some or even all exchanges after the step. For an exchange
//! near a step there are two cases. If the step is later than the exchange, the line that fits this exchange
//! also fits all earlier exchanges. If the step is earlier than the exchange, the line that fits this
//! exchange also fits all later exchanges. Each case limits the offset at the exchange to an interval. The
//! union of the two intervals contains the offset, whatever the time of the step is. A [`Stretch`] contains
//! the exchanges between two steps that the timestamps prove. The union also contains the offset if a stretch
//! contains one further step, unless this step is within the first or last [`LEAST`] exchanges of the
//! stretch.

use super::{Band, Exchange};

/// Smallest number of exchanges of a line, if available. With fewer, one slow exchange at the start of a
/// session would determine the uncertainty of the whole session.
const LEAST: usize = 4;
/// Lines are stored for exchange counts that grow by this factor. A line over fewer exchanges than available
/// only widens the interval, so the interval remains valid.
const GROWTH: f64 = 1.125;

/// Lower and upper limit of the offset at an instant, relative to a base, ns.
pub(super) type Interval = [f64; 2];

/// The lines that fit an exchange and all before it.
#[derive(Clone, Debug)]
struct Lines {
    /// Send time of the exchange, ns.
    until_ns: i64,
    band: Band,
    slopes: [f64; 2],
}

impl Lines {
    fn of(until_ns: i64, band: Band) -> Self {
        let slopes = band.slopes();
        Self { until_ns, band, slopes }
    }
}

/// Lines over the first exchanges of a list, for growing counts.
#[derive(Clone, Debug)]
struct Chain {
    lines: Vec<Lines>,
    /// Number of exchanges that one line fits.
    count: usize,
}

impl Chain {
    /// Covers as many exchanges as one line fits, in ascending order of send time.
    fn of(exchanges: impl Iterator<Item = Exchange>) -> Self {
        let mut chain = Self { lines: Vec::new(), count: 0 };
        let mut all: Option<(i64, Band)> = None;
        let mut next = LEAST;
        for exchange in exchanges {
            match &mut all {
                None => all = Some((exchange.sent_ns, Band::new(&exchange))),
                Some((until_ns, band)) => {
                    if !band.admit(&exchange) {
                        break;
                    }
                    *until_ns = exchange.sent_ns;
                }
            }
            chain.count += 1;
            if chain.count == next {
                chain.lines.extend(all.clone().map(|(until_ns, band)| Lines::of(until_ns, band)));
                next = (next as f64 * GROWTH).ceil() as usize;
            }
        }
        chain.lines.extend(all.map(|(until_ns, band)| Lines::of(until_ns, band)));
        chain
    }

    /// Interval at `at_ns` relative to `base_ns`, from the exchanges up to the one sent at `until_ns`, or
    /// from the smallest number.
    fn at(&self, until_ns: i64, at_ns: i64, base_ns: i64) -> Option<Interval> {
        let after = self.lines.partition_point(|lines| lines.until_ns <= until_ns);
        let Lines { band, slopes, .. } = self.lines.get(after.saturating_sub(1))?;
        // Subtract as integers first, because doubles do not resolve an offset of decades.
        let base = (band.base_ns() - base_ns) as f64;
        Some(band.bounds(*slopes, at_ns).map(|each| each + base))
    }
}

/// The exchange in reversed time: the offset changes sign, and delays are unchanged.
const fn mirrored(exchange: &Exchange) -> Exchange {
    Exchange {
        scheduled_ns: -exchange.arrived_ns,
        sent_ns: -exchange.arrived_ns,
        received_ns: -exchange.answered_ns,
        answered_ns: -exchange.received_ns,
        arrived_ns: -exchange.sent_ns,
    }
}

/// Exchanges between two proved steps.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// Send time of its first exchange, ns.
    from_ns: i64,
    /// Send time of the first exchange that may belong to the stretch: the step may precede the
    /// exchange that proves it.
    maybe_from_ns: i64,
    forwards: Chain,
    backwards: Chain,
}

impl Stretch {
    /// Instants at which another line applies, ns.
    pub(super) fn changes_ns(&self) -> impl Iterator<Item = i64> {
        let forwards = self.forwards.lines.iter().map(|lines| lines.until_ns);
        let backwards = self.backwards.lines.iter().map(|lines| -lines.until_ns);
        [self.from_ns, self.maybe_from_ns].into_iter().chain(forwards).chain(backwards)
    }
}

/// The stretches of a session. `starts` are the indices of their first exchanges in `complete`.
pub(super) fn stretches(complete: &[&Exchange], starts: &[usize]) -> Vec<Stretch> {
    let mut stretches = Vec::with_capacity(starts.len());
    // Index after the last exchange that certainly belongs to the stretch.
    let mut end = complete.len();
    for (nth, &from) in starts.iter().enumerate().rev() {
        let to = starts.get(nth + 1).copied().unwrap_or(complete.len());
        // The clock may have been set during the exchange that proves the step, so it bounds no line.
        let skip = usize::from(nth > 0 && to - from > 1);
        let forwards = Chain::of(complete[from + skip..to].iter().map(|one| **one));
        let least = if nth == 0 { 0 } else { starts[nth - 1] };
        let last = if end > from { end } else { to };
        let backwards = Chain::of(complete[least..last].iter().rev().map(|one| mirrored(one)));
        let maybe_from = last - backwards.count;
        stretches.push(Stretch {
            from_ns: complete[from].sent_ns,
            maybe_from_ns: complete[maybe_from.min(from)].sent_ns,
            forwards,
            backwards,
        });
        end = maybe_from.min(from).saturating_sub(1);
    }
    stretches.reverse();
    stretches
}

/// Interval of the offset at the send time of `exchange`, relative to `base_ns`.
pub(super) fn at(stretches: &[Stretch], exchange: &Exchange, base_ns: i64) -> Option<Interval> {
    let sent_ns = exchange.sent_ns;
    let nth = stretches.partition_point(|each| each.from_ns <= sent_ns).saturating_sub(1);
    let here = stretches.get(nth)?;
    let next = stretches.get(nth + 1).filter(|next| next.maybe_from_ns <= sent_ns);
    let later = here.forwards.at(sent_ns, sent_ns, base_ns);
    let backwards = &next.unwrap_or(here).backwards;
    let earlier = backwards.at(-exchange.arrived_ns, -sent_ns, -base_ns);
    let earlier = earlier.map(|[low, high]| [-high, -low]);
    match (later, earlier) {
        (Some(a), Some(b)) => Some([a[0].min(b[0]), a[1].max(b[1])]),
        (a, b) => a.or(b),
    }
}
