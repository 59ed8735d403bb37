//! What a link carries when its sender never waits for a trigger, and what it spends its time on.

use std::collections::BTreeMap;

use airlag_rig::carry::{Extent, saturate};
use airlag_rig::exchange::AnyExchange;
use airlag_rig::floor::Cycle;
use airlag_rig::profile::Profile;
use airlag_rig::report::Incidents;

use crate::error::Error;
use crate::timeline::{Label, cut};

/// What came through in the steady state: from a message that has others before it, to the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Goodput {
    /// Bytes of user data in a message, or a call.
    pub size: usize,
    /// Messages received whole, the one at which the watch started not counted.
    pub delivered: u64,
    /// Messages that did not arrive although a later one did.
    pub lost: u64,
    /// Messages the link held when the last one came.
    pub under_way: u64,
    /// From the message at which the watch started to the last, ns.
    pub elapsed_ns: u64,
    /// From each of these messages to the next, ns: what a program that knows only arrivals can measure.
    pub gaps_ns: Vec<i64>,
    /// What the formulas allow on exact crystals.
    pub ceiling: Cycle,
    /// How many times as fast as an exact one the fastest clock of the profile runs, 1 at least.
    pub fastest_clock: f64,
    /// What the time went to, ns, the most first; empty unless slices were asked for.
    pub spent: Vec<(Label, u64)>,
    /// What happened that has a name of its own.
    pub incidents: Incidents,
    /// Events the simulation fired.
    pub events: u64,
}

impl Goodput {
    /// User data in kilobits a second, of whole bursts; 0 where too few messages arrived.
    #[must_use]
    pub fn kbps(&self) -> f64 {
        let (messages, ns) = of_whole_bursts(&self.gaps_ns, self.ceiling.messages);
        let bits = (messages * self.size as u64 * 8) as f64;
        if ns == 0 { 0.0 } else { bits * 1e6 / ns as f64 }
    }

    /// The most the formulas allow on the clocks of the profile, kilobits a second.
    #[must_use]
    pub fn ceiling_kbps(&self) -> Option<f64> {
        self.ceiling.kbps(self.size).map(|kbps| kbps * self.fastest_clock)
    }
}

/// How many times as fast as an exact one the fastest clock of `profile` runs, 1 at least.
fn fastest_clock(profile: &Profile) -> f64 {
    let clocks = profile.kind.parameters().iter().filter(|known| known.unit == "ppb");
    let runs = |name: &str| profile.parameters.get(name)?.value.number();
    let ppb = clocks.filter_map(|known| runs(known.name)).fold(0.0, f64::max);
    1.0 + ppb / 1e9
}

/// Messages, and the time in which they came, ns, of messages that came `gaps_ns` after each other on a link
/// with a cycle of `cycle` messages.
///
/// Links with a schedule deliver in bursts, and a pause comes after each. From the middle of one burst to the
/// end of another there are more messages than the pauses among them allow. So as many messages count as are
/// whole cycles; where there is not one whole cycle, those from the end of a burst to the end of another.
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

/// Sends messages of `size` bytes one after the other over the link of `profile`.
///
/// # Errors
///
/// Those of a run; a link that carries no bytes has no goodput.
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
        // Nine messages in 30 ms are three cycles, wherever the watch starts.
        assert_eq!(of_whole_bursts(&BURSTS, 3), (9, 30));
        // Of ten, one is left out: 11 messages came in 31 ms.
        let more: Vec<i64> = [1].into_iter().chain(BURSTS).collect();
        assert_eq!(of_whole_bursts(&more, 3), (9, 30));
    }

    #[test]
    fn without_a_whole_cycle_bursts_end_where_they_pause() {
        // From the end of the first burst to that of the third.
        assert_eq!(of_whole_bursts(&BURSTS, 100), (6, 20));
        // Without a pause, or with one, all of them count.
        assert_eq!(of_whole_bursts(&[2, 2, 2], 100), (3, 6));
        assert_eq!(of_whole_bursts(&[1, 5, 1], 100), (3, 7));
        assert_eq!(of_whole_bursts(&[], 100), (0, 0));
    }
}
