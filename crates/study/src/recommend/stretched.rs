//! Transmissions of a radio with messages farther apart than those of a run.
//!
//! With one message per hour, a bench would simulate hours of polls, beacons and empty packets,
//! which repeat from second to second. The bench therefore sends messages at a shorter period than
//! required. In the second half of each period, the link is idle. The frames of this second half
//! are repeated until the period has the required length.

use airlag_rig::emissions::{Emission, Sender};

/// Largest number of frames of a radio. Beyond it, the period is stretched less, so that the duty
/// cycle is overestimated.
const MOST: u64 = 200_000;

/// Returns the frames of `sender`, which was observed over `messages` periods, stretched to a
/// period of `period_ns`. Periods that are already longer remain unchanged.
#[must_use]
pub fn stretched(sender: &Sender, messages: usize, period_ns: u64) -> Sender {
    let count = messages.max(1) as u64;
    let own_ns = sender.observed_ns / count;
    let half_ns = (own_ns / 2).max(1);
    let resting = |one: &&Emission| one.begin_ns % own_ns.max(1) >= own_ns - half_ns;
    let idle = sender.emissions.iter().filter(resting).count() as u64;
    let wanted = period_ns.saturating_sub(own_ns).div_ceil(half_ns);
    let repeats = MOST.checked_div(idle).map_or(wanted, |most| wanted.min(most));
    if own_ns == 0 || repeats == 0 {
        return sender.clone();
    }
    let more_ns = if idle == 0 { period_ns - own_ns } else { repeats * half_ns };
    let copies = if idle == 0 { 0 } else { repeats };
    let mut emissions = Vec::with_capacity(sender.emissions.len() + (copies * idle) as usize);
    for one in &sender.emissions {
        let (nth, within) = (one.begin_ns / own_ns, one.begin_ns % own_ns);
        let later =
            |ns: u64| Emission { begin_ns: one.begin_ns + ns, end_ns: one.end_ns + ns, ..*one };
        let before = nth.min(count) * more_ns;
        emissions.push(later(before));
        if within >= own_ns - half_ns {
            emissions.extend((1..=copies).map(|copy| later(before + copy * half_ns)));
        }
    }
    emissions.sort_by_key(|one| one.begin_ns);
    Sender { emissions, observed_ns: sender.observed_ns + count * more_ns, ..sender.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn sender(begins_ms: &[u64]) -> Sender {
        let emission = |&at: &u64| Emission {
            begin_ns: at * MS,
            end_ns: (at + 1) * MS,
            low_khz: 868_000,
            high_khz: 868_125,
        };
        let emissions = begins_ms.iter().map(emission).collect();
        Sender { name: "sender".to_owned(), emissions, observed_ns: 200 * MS }
    }

    fn begins(sender: &Sender) -> Vec<u64> {
        sender.emissions.iter().map(|one| one.begin_ns / MS).collect()
    }

    #[test]
    fn a_radio_that_rests_sends_its_messages_further_apart() {
        let found = stretched(&sender(&[0, 10, 100, 110]), 2, 1_000 * MS);
        assert_eq!(begins(&found), [0, 10, 1_000, 1_010]);
        assert_eq!(found.observed_ns, 2_000 * MS);
    }

    #[test]
    fn what_a_radio_sends_at_rest_goes_on() {
        // A beacon every 50 ms, and a message every 100 ms.
        let found = stretched(&sender(&[0, 20, 50, 100, 120, 150]), 2, 200 * MS);
        assert_eq!(begins(&found), [0, 20, 50, 100, 150, 200, 220, 250, 300, 350]);
        assert_eq!(found.observed_ns, 400 * MS);
    }

    #[test]
    fn a_shorter_period_and_a_radio_that_sends_without_end_change_nothing_or_less() {
        let busy = sender(&[0, 50, 100, 150]);
        assert_eq!(stretched(&busy, 2, 50 * MS), busy);
        let long = stretched(&busy, 2, 1_000_000_000 * MS);
        assert!(long.emissions.len() as u64 <= 2 * MOST + 4, "{}", long.emissions.len());
        // Half of the time between two beacons is repeated.
        let share = |one: &Sender| one.emissions.len() as f64 / one.observed_ns as f64;
        assert!((share(&long) / share(&busy) - 1.0).abs() < 0.01);
    }
}
