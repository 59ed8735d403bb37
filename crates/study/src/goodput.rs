//! Saturated goodput, and the time budget of a saturated link.

use std::collections::BTreeMap;

use airlag_rig::carry::{Extent, saturate};
use airlag_rig::exchange::AnyExchange;
use airlag_rig::floor::Cycle;
use airlag_rig::profile::Profile;
use airlag_rig::report::Incidents;

use crate::error::Error;
use crate::timeline::{Label, cut};

/// Steady-state result of a saturated link. The measurement starts when a message arrives after a
/// warm-up, and ends at the last arrival.
#[derive(Clone, Debug, PartialEq)]
pub struct Goodput {
    /// User data of a message or of a call, bytes.
    pub size: usize,
    /// Messages received completely, excluding the one whose arrival started the measurement.
    pub delivered: u64,
    /// Messages that did not arrive although a later one did.
    pub lost: u64,
    /// Messages in the link at the last arrival.
    pub under_way: u64,
    /// Time from the arrival at which the measurement started to the last arrival, ns.
    pub elapsed_ns: u64,
    /// Time between consecutive arrivals, ns. A program can measure the same values.
    pub gaps_ns: Vec<i64>,
    /// Upper bound of the goodput from the formulas, with exact crystals.
    pub ceiling: Cycle,
    /// Ratio of the fastest clock of the profile to an exact clock, at least 1.
    pub fastest_clock: f64,
    /// Time by activity, ns, largest first. Empty unless slices were requested.
    pub spent: Vec<(Label, u64)>,
    /// Named events, with counts.
    pub incidents: Incidents,
    /// Number of simulated events.
    pub events: u64,
}

impl Goodput {
    /// Returns the rate of delivered user data, averaged over whole bursts, kbit/s. 0 if too few
    /// messages arrived.
    #[must_use]
    pub fn kbps(&self) -> f64 {
        let (messages, ns) = of_whole_bursts(&self.gaps_ns, self.ceiling.messages);
        let bits = (messages * self.size as u64 * 8) as f64;
        if ns == 0 { 0.0 } else { bits * 1e6 / ns as f64 }
    }

    /// Returns the upper bound of the goodput from the formulas, with the clocks of the profile,
    /// kbit/s.
    #[must_use]
    pub fn ceiling_kbps(&self) -> Option<f64> {
        self.ceiling.kbps(self.size).map(|kbps| kbps * self.fastest_clock)
    }
}

/// Ratio of the fastest clock of `profile` to an exact clock, at least 1.
fn fastest_clock(profile: &Profile) -> f64 {
    let clocks = profile.kind.parameters().iter().filter(|known| known.unit == "ppb");
    let runs = |name: &str| profile.parameters.get(name)?.value.number();
    let ppb = clocks.filter_map(|known| runs(known.name)).fold(0.0, f64::max);
    1.0 + ppb / 1e9
}

/// Number of messages and their total time in ns, for messages with intervals `gaps_ns` on a link with a
/// cycle of `cycle` messages.
///
/// A link with a schedule delivers messages in bursts, with a pause after each burst. A time span from the
/// middle of one burst to the end of another burst contains too few pauses for its number of messages, so the
/// goodput in this span is too high. Therefore the number of counted messages is a whole multiple of `cycle`.
/// If the measurement contains fewer than `cycle` messages, the messages from the end of one burst to the end
/// of another burst are counted.
fn of_whole_bursts(gaps_ns: &[i64], cycle: u64) -> (u64, u64) {
    let sum = |gaps: &[i64]| (gaps.len() as u64, gaps.iter().sum::<i64>().unsigned_abs());
    let cycle = usize::try_from(cycle.max(1)).unwrap_or(usize::MAX);
    if cycle <= gaps_ns.len() {
        return sum(&gaps_ns[..gaps_ns.len() / cycle * cycle]);
    }
    let (messages, all_ns) = sum(gaps_ns);
    let is_pause = |gap: &i64| gap.unsigned_abs() * messages > all_ns;
    let (first, last) = (gaps_ns.iter().position(is_pause), gaps_ns.iter().rposition(is_pause));
    match (first, last) {
        (Some(first), Some(last)) if first < last => sum(&gaps_ns[first..last]),
        _ => (messages, all_ns),
    }
}

/// Sends messages of `size` bytes back to back over the link of `profile`.
///
/// # Errors
///
/// Returns the errors of a run, and of a link without a payload.
pub fn goodput(
    profile: &Profile,
    size: usize,
    seed: u64,
    extent: Extent,
) -> Result<Goodput, Error> {
    let carriage = saturate(profile, size, seed, extent)?;
    let size = extent.exchange.map_or(size, |AnyExchange(one)| one.bytes(size));
    let ceiling = profile.bind()?.cycle(size)?;
    let carried = carriage.carried;
    let (begin, end) = (carried.first.as_ns() as i64, carried.last.as_ns() as i64);
    let mut sums: BTreeMap<Label, u64> = BTreeMap::new();
    if extent.spans && end > begin {
        for part in cut(&carriage.spans, &carriage.tracks, extent.exchange.is_some(), begin, end) {
            let label = Label { name: part.name, class: part.class };
            *sums.entry(label).or_default() += (part.end_ns - part.begin_ns) as u64;
        }
    }
    let mut spent: Vec<(Label, u64)> = sums.into_iter().collect();
    spent.sort_by_key(|&(_, ns)| std::cmp::Reverse(ns));
    Ok(Goodput {
        size,
        delivered: carried.delivered,
        lost: carried.lost,
        under_way: carried.under_way,
        elapsed_ns: carried.last.since(carried.first).as_ns(),
        gaps_ns: carriage.gaps_ns,
        ceiling,
        fastest_clock: fastest_clock(profile),
        spent,
        incidents: carriage.incidents,
        events: carriage.events,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bursts of three messages a millisecond apart, every ten milliseconds.
    const BURSTS: [i64; 9] = [1, 8, 1, 1, 8, 1, 1, 8, 1];

    #[test]
    fn no_more_messages_count_than_whole_cycles_have() {
        // Nine messages in 30 ms are three cycles, wherever the measurement starts.
        assert_eq!(of_whole_bursts(&BURSTS, 3), (9, 30));
        // One of ten intervals is left out: 11 messages arrived in 31 ms.
        let more: Vec<i64> = [1].into_iter().chain(BURSTS).collect();
        assert_eq!(of_whole_bursts(&more, 3), (9, 30));
    }

    #[test]
    fn without_a_whole_cycle_bursts_end_where_they_pause() {
        // From the end of the first burst to that of the third.
        assert_eq!(of_whole_bursts(&BURSTS, 100), (6, 20));
        // Without a pause, or with a single one, all messages count.
        assert_eq!(of_whole_bursts(&[2, 2, 2], 100), (3, 6));
        assert_eq!(of_whole_bursts(&[1, 5, 1], 100), (3, 7));
        assert_eq!(of_whole_bursts(&[], 100), (0, 0));
    }
}
