//! The offsets that the stamps allow, although the far clock may have been set.
//!
//! One line passes the bounds of all exchanges between two steps. Where the step is, is known only so
//! far: a line may still pass some exchanges after it, or even all of them. For one exchange, a step is
//! either later, and then the line passes this exchange and those before it, or earlier, and then it
//! passes this one and those after it. The union of both intervals contains the offset wherever the step
//! is. It is claimed for one step per [`Stretch`] beyond those that the stamps prove, outside of its first
//! and last [`LEAST`] exchanges.

use super::{Band, Exchange};

/// Fewest exchanges of a line where there are as many. Fewer would have one slow exchange at the start of a
/// session state the uncertainty of all of it.
const LEAST: usize = 4;
/// A line is kept at each count that is this many times the one before. A line of fewer exchanges than
/// there are is wider than it need be, and never too narrow.
const GROWTH: f64 = 1.125;

/// The offset at an instant, less a base, lies between these, ns.
pub(super) type Interval = [f64; 2];

/// The lines that pass some exchange of a list and all before it.
#[derive(Clone, Debug)]
struct Lines {
    /// Send time of that exchange, ns.
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

/// Lines through the first exchanges of a list, for growing counts.
#[derive(Clone, Debug)]
struct Chain {
    lines: Vec<Lines>,
    /// Exchanges that one line passes.
    count: usize,
}

impl Chain {
    /// As many exchanges as one line passes, in ascending order of their send times.
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

    /// The interval at `at_ns`, less `base_ns`, by the exchanges up to the one sent at `until_ns`, or by the
    /// fewest.
    fn at(&self, until_ns: i64, at_ns: i64, base_ns: i64) -> Option<Interval> {
        let after = self.lines.partition_point(|lines| lines.until_ns <= until_ns);
        let Lines { band, slopes, .. } = self.lines.get(after.saturating_sub(1))?;
        // Integers first: offsets may be decades, which doubles do not resolve.
        let base = (band.base_ns() - base_ns) as f64;
        Some(band.bounds(*slopes, at_ns).map(|each| each + base))
    }
}

/// The session played backwards: the offset changes its sign, and a delay stays a delay.
const fn mirrored(exchange: &Exchange) -> Exchange {
    Exchange {
        scheduled_ns: -exchange.arrived_ns,
        sent_ns: -exchange.arrived_ns,
        received_ns: -exchange.answered_ns,
        answered_ns: -exchange.received_ns,
        arrived_ns: -exchange.sent_ns,
    }
}

/// Exchanges between two steps that the stamps prove.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// Send time of its first exchange, ns.
    from_ns: i64,
    /// Send time of the first exchange that may belong to it: a step that is proved late lies between.
    maybe_from_ns: i64,
    forwards: Chain,
    backwards: Chain,
}

impl Stretch {
    /// Instants at which another line decides, ns.
    pub(super) fn changes_ns(&self) -> impl Iterator<Item = i64> {
        let forwards = self.forwards.lines.iter().map(|lines| lines.until_ns);
        let backwards = self.backwards.lines.iter().map(|lines| -lines.until_ns);
        [self.from_ns, self.maybe_from_ns].into_iter().chain(forwards).chain(backwards)
    }
}

/// The stretches of a session, whose first exchanges in `complete` are `starts`.
pub(super) fn stretches(complete: &[&Exchange], starts: &[usize]) -> Vec<Stretch> {
    let mut stretches = Vec::with_capacity(starts.len());
    // Behind the last exchange that certainly belongs to the stretch.
    let mut end = complete.len();
    for (nth, &from) in starts.iter().enumerate().rev() {
        let to = starts.get(nth + 1).copied().unwrap_or(complete.len());
        // The clock may have been set during the exchange that proves it: its bounds hold for no line.
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

/// The interval of the offset at the send time of `exchange`, less `base_ns`.
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
