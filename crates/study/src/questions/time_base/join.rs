//! Edges of several captures on a common time.

use airlag_stats::pps::SECOND_NS;
use airlag_trace::current::{Current, Stretch};
use airlag_trace::sink::MAX_CHANNELS;
use airlag_trace::{Channel, Segment, Trace};

use super::{Site, refused};
use crate::error::Error;

/// Longest time before the first and after the last pulse that is kept, ns.
const MARGIN_NS: i64 = SECOND_NS;

/// Conversion of the times of a site to the common time.
struct Clock<'a> {
    site: &'a Site<'a>,
    /// Common time of the first pulse, ns.
    first_ns: i64,
}

impl Clock<'_> {
    fn at(&self, at_ns: i64) -> i64 {
        self.first_ns.saturating_add(self.site.base.since_first_ns(at_ns))
    }

    /// Start and end of the kept time, ns on the common time.
    fn span(&self) -> [i64; 2] {
        let pulses = self.site.base.pulses();
        let lasting = pulses.second.last().copied().unwrap_or(0).saturating_mul(SECOND_NS);
        [self.first_ns - MARGIN_NS, self.first_ns.saturating_add(lasting) + MARGIN_NS]
    }

    /// A segment within the kept time, and the number of its edges outside. `earliest` is the end of the
    /// previous segment.
    fn segment(&self, of: &Segment, earliest: i64) -> (Option<Segment>, u64) {
        let [low, high] = self.span();
        let many = of.edges_ns.len() as u64;
        let begin_ns = self.at(of.begin_ns).max(low).max(earliest);
        let end_ns = self.at(of.end_ns).min(high);
        if begin_ns > end_ns {
            return (None, many);
        }
        let (mut initial, mut edges_ns) = (of.initial, Vec::with_capacity(of.edges_ns.len()));
        for &edge in &of.edges_ns {
            let at_ns = self.at(edge);
            if at_ns < begin_ns {
                initial = !initial;
                continue;
            }
            // Two edges a nanosecond apart may be rounded to the same nanosecond.
            let after = edges_ns.last().map_or(at_ns, |last| at_ns.max(last + 1));
            if after > end_ns.max(at_ns.min(high)) {
                break;
            }
            edges_ns.push(after);
        }
        let end_ns = edges_ns.last().map_or(end_ns, |&last| end_ns.max(last));
        let left_out = many - edges_ns.len() as u64;
        (Some(Segment { begin_ns, end_ns, initial, edges_ns }), left_out)
    }

    fn channel(&self, of: &Channel, name: String) -> (Channel, u64) {
        let (mut segments, mut left_out) = (Vec::new(), 0);
        let mut earliest = i64::MIN;
        for segment in &of.segments {
            let (kept, outside) = self.segment(segment, earliest);
            left_out += outside;
            if let Some(kept) = kept {
                earliest = kept.end_ns;
                segments.push(kept);
            }
        }
        (Channel { name, segments }, left_out)
    }

    fn current(&self, of: &Current) -> Current {
        let [low, high] = self.span();
        let stretch = |of: &Stretch| {
            let mut kept = Stretch::default();
            for (&at_ns, &charge_fc) in of.at_ns.iter().zip(&of.charge_fc) {
                let at_ns = self.at(at_ns);
                let is_later = kept.at_ns.last().is_none_or(|&last| last < at_ns);
                if (low..=high).contains(&at_ns) && is_later {
                    kept.at_ns.push(at_ns);
                    kept.charge_fc.push(charge_fc);
                }
            }
            let first = kept.charge_fc.first().copied().unwrap_or(0);
            kept.charge_fc.iter_mut().for_each(|charge| *charge -= first);
            kept
        };
        let stretches = of.stretches.iter().map(stretch).filter(|one| !one.at_ns.is_empty());
        Current { supply: of.supply.clone(), peak_na: of.peak_na, stretches: stretches.collect() }
    }
}

/// Joins the channels of all sites, and returns how many edges of each are left out. `is_dated`
/// states whether the seconds of the pulses are counted from 1970.
pub(super) fn joined(sites: &[Site<'_>], is_dated: bool) -> Result<(Trace, Vec<u64>), Error> {
    let origin_s = origin_s(sites)?;
    let mut trace = Trace {
        epoch_unix_ns: if is_dated { origin_s.checked_mul(SECOND_NS) } else { None },
        ..Trace::default()
    };
    let rates = sites.iter().map(|site| site.trace.sample_rate_hz);
    trace.sample_rate_hz = rates.reduce(|one, other| Some(one?.min(other?))).flatten();
    let mut left_out = Vec::new();
    for site in sites {
        let first_ns = (site.first_s - origin_s).saturating_mul(SECOND_NS);
        let clock = Clock { site, first_ns };
        let mut outside = 0;
        for (nth, channel) in site.trace.channels.iter().enumerate() {
            if nth == site.pps {
                continue;
            }
            let prefixed = || format!("{}:{}", site.capture.site, channel.name);
            let name = if sites.len() > 1 { prefixed() } else { channel.name.clone() };
            let (channel, edges) = clock.channel(channel, name);
            outside += edges;
            trace.channels.push(channel);
        }
        left_out.push(outside);
        if let Some(current) = &site.trace.current {
            if trace.current.is_some() {
                let source = &site.capture.source;
                let line = "has a measured current, as another capture has; join only one of them";
                return Err(refused(format!("{source} {line}")));
            }
            trace.current = Some(clock.current(current));
        }
    }
    let found = trace.channels.len();
    if found > MAX_CHANNELS {
        let line = format!("the captures have {found} channels; a joined one has at most 64");
        return Err(refused(line));
    }
    Ok((trace, left_out))
}

/// The second in which the first site begins, on the time of the pulses.
fn origin_s(sites: &[Site<'_>]) -> Result<i64, Error> {
    // In 128 bits, because a stated distance may be of any size.
    let spans = sites.iter().map(|site| {
        let clock = Clock { site, first_ns: 0 };
        let [low, high] = clock.span();
        let begin = i128::from(clock.at(site.trace.begin_ns()).max(low));
        let end = i128::from(clock.at(site.trace.end_ns()).min(high));
        let first = i128::from(site.first_s) * i128::from(SECOND_NS);
        [first + begin, first + end]
    });
    let spans: Vec<[i128; 2]> = spans.collect();
    let latest = spans.iter().map(|span| span[0]).max().unwrap_or(0);
    let earliest = spans.iter().map(|span| span[1]).min().unwrap_or(0);
    if latest >= earliest {
        let apart_s = (latest - earliest) as f64 / SECOND_NS as f64;
        return Err(refused(format!(
            "the captures have no time in common: one begins {apart_s:.1} s after another one ends; check the \
             clocks of both computers, or --seconds"
        )));
    }
    let begin = spans.iter().map(|span| span[0]).min().unwrap_or(0);
    Ok(begin.div_euclid(i128::from(SECOND_NS)) as i64)
}
