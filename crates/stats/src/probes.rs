//! A session of probes, and its counts as defined by the standards for IP performance metrics.

use crate::clock::Exchange;
use crate::pair::{NONE, Outcome, Transfers};

/// Delay from which a request counts as late, ns. On an idle core, 99.9 % of sends are earlier than
/// this.
pub const LATE_NS: i64 = 50_000;

/// Records of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probes {
    /// All requests in send order.
    pub exchanges: Vec<Exchange>,
    /// For each request, the number of requests that the reflector had received when it responded,
    /// from an arbitrary origin. `None` without a response.
    pub counts: Vec<Option<i64>>,
    /// Whether the reflector is known to count requests. A stateless reflector may repeat the
    /// sequence numbers of the requests instead (RFC 8762, section 4.3).
    pub is_stateful: bool,
    /// Number of duplicate responses to a request (RFC 5560).
    pub duplicates: u64,
    /// Number of responses after the timeout.
    pub too_late: u64,
    /// First and last instant of the session on the near clock, ns.
    pub span_ns: [i64; 2],
    /// Largest error of the far clock that the reflector reported, ns. `None` if it is not synchronized.
    pub far_error_ns: Option<u64>,
}

/// Losses by direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// Requests that did not reach the reflector.
    pub forward: u64,
    /// Responses that were lost on the return path.
    pub back: u64,
    /// Losses in an unknown direction.
    pub unknown: u64,
}

impl Probes {
    /// Returns the round trips as the transfers of a run. A round trip lasts from the send time of a request
    /// to the arrival of its response, including the residence time at the reflector. A request without a
    /// response is censored if the session ended before the timeout of the request.
    #[must_use]
    pub fn transfers(&self, timeout_ns: i64) -> Transfers {
        let outcome = |one: &Exchange| {
            if one.is_complete() {
                Outcome::Delivered
            } else if self.span_ns[1] - one.sent_ns >= timeout_ns {
                Outcome::Lost
            } else {
                Outcome::Censored
            }
        };
        // Instants of a run are relative to its start.
        let start = self.span_ns[0];
        Transfers {
            trigger_ns: self.exchanges.iter().map(|one| one.sent_ns - start).collect(),
            completion_ns: self
                .exchanges
                .iter()
                .map(|one| if one.is_complete() { one.arrived_ns - start } else { NONE })
                .collect(),
            outcome: self.exchanges.iter().map(outcome).collect(),
            start_ns: 0,
            end_ns: self.span_ns[1] - start,
            ..Transfers::default()
        }
    }

    /// Returns the losses by direction. They follow from the reflector's counts, because the increase
    /// between two responses is the number of requests that it received.
    #[must_use]
    pub fn lost(&self, transfers: &Transfers) -> Lost {
        let answers: Vec<(usize, i64)> = self
            .counts
            .iter()
            .enumerate()
            .filter_map(|(nth, count)| Some((nth, (*count)?)))
            .collect();
        let mut lost = Lost::default();
        let is_lost = |nth: usize| transfers.outcome[nth] == Outcome::Lost;
        for pair in answers.windows(2) {
            let [(from, before), (to, after)] = [pair[0], pair[1]];
            let missing = (from + 1..to).filter(|&nth| is_lost(nth)).count() as u64;
            let received = u64::try_from(after - before - 1).unwrap_or(0).min(missing);
            lost.back += received;
            lost.forward += missing - received;
        }
        let all = transfers.count(Outcome::Lost) as u64;
        // If the counts never differ from the sequence, either nothing was lost on the forward path, or the
        // reflector does not count.
        let may_repeat = lost.forward == 0 && !self.is_stateful;
        if may_repeat {
            lost.back = 0;
        }
        lost.unknown = all - lost.forward - lost.back;
        lost
    }

    /// Number of responses that arrived after the response to a later request (RFC 4737, section 3.3, for
    /// round trips).
    #[must_use]
    pub fn reordered(&self) -> u64 {
        let mut arrivals: Vec<(i64, usize)> = self
            .exchanges
            .iter()
            .enumerate()
            .filter(|(_, one)| one.is_complete())
            .map(|(nth, one)| (one.arrived_ns, nth))
            .collect();
        arrivals.sort_unstable();
        let (mut next, mut reordered) = (0, 0);
        for (_, nth) in arrivals {
            if nth < next {
                reordered += 1;
            } else {
                next = nth + 1;
            }
        }
        reordered
    }

    /// Returns the send delay of each request relative to its scheduled time, ns.
    #[must_use]
    pub fn lateness_ns(&self) -> Vec<i64> {
        self.exchanges.iter().map(|one| one.sent_ns - one.scheduled_ns).collect()
    }
}

/// Lengths of the runs of consecutive losses (loss episodes, RFC 6534).
#[must_use]
pub fn episodes(transfers: &Transfers) -> Vec<usize> {
    let lost: Vec<bool> = transfers.outcome.iter().map(|one| *one == Outcome::Lost).collect();
    lost.chunk_by(|a, b| a == b).filter(|run| run[0]).map(<[bool]>::len).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A session of requests a millisecond apart. The flags are whether the request and its
    /// response arrive.
    fn session(fates: &[(bool, bool)], is_stateful: bool) -> Probes {
        let mut received = 100;
        let mut probes = Probes { is_stateful, span_ns: [0, 1 << 40], ..Probes::default() };
        for (nth, &(arrives, comes_back)) in fates.iter().enumerate() {
            let sent_ns = nth as i64 * 1_000_000;
            let is_complete = arrives && comes_back;
            let stamp = |after: i64| if is_complete { sent_ns + after } else { NONE };
            probes.exchanges.push(Exchange {
                scheduled_ns: sent_ns,
                sent_ns,
                received_ns: stamp(200_000),
                answered_ns: stamp(210_000),
                arrived_ns: stamp(400_000),
            });
            received += i64::from(arrives);
            let count = if is_stateful { received } else { nth as i64 };
            probes.counts.push(is_complete.then_some(count));
        }
        probes
    }

    proptest! {
        #[test]
        fn the_direction_of_every_loss_between_answers_is_known(
            fates in prop::collection::vec((prop::bool::weighted(0.9), prop::bool::weighted(0.9)), 1..80),
        ) {
            let probes = session(&fates, true);
            let transfers = probes.transfers(1_000_000_000);
            let lost = probes.lost(&transfers);
            let ends = (
                fates.iter().position(|fate| *fate == (true, true)),
                fates.iter().rposition(|fate| *fate == (true, true)),
            );
            let (from, to) = match ends { (Some(from), Some(to)) => (from, to), _ => (0, 0) };
            let between = &fates[from..to];
            let forward = between.iter().filter(|fate| !fate.0).count() as u64;
            let back = between.iter().filter(|fate| fate.0 && !fate.1).count() as u64;
            prop_assert_eq!((lost.forward, lost.back), (forward, back));
            let all = fates.iter().filter(|fate| **fate != (true, true)).count() as u64;
            prop_assert_eq!(lost.forward + lost.back + lost.unknown, all);
        }
    }

    #[test]
    fn a_reflector_that_repeats_sequence_numbers_tells_no_direction() {
        let probes = session(&[(true, true), (false, true), (true, false), (true, true)], false);
        let lost = probes.lost(&probes.transfers(1_000_000));
        assert_eq!(lost, Lost { forward: 0, back: 0, unknown: 2 });
    }

    #[test]
    fn what_overtakes_is_not_reordered_what_is_overtaken_is() {
        let mut probes = session(&[(true, true); 5], true);
        assert_eq!(probes.reordered(), 0);
        probes.exchanges[1].arrived_ns = 3_500_000;
        assert_eq!(probes.reordered(), 1);
    }

    #[test]
    fn losses_in_a_row_are_one_episode() {
        let fates = [(true, true), (false, true), (false, true), (true, true), (true, false)];
        let probes = session(&fates, true);
        assert_eq!(episodes(&probes.transfers(1_000_000)), [2, 1]);
        // The end of the session cuts off the timeout of all requests.
        let short = Probes { span_ns: [0, 1_500_000], ..probes };
        let cut = short.transfers(1_000_000);
        assert_eq!((cut.count(Outcome::Lost), cut.count(Outcome::Censored)), (0, 3));
    }
}
