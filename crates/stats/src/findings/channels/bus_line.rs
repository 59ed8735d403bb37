//! A wire of a bus, where a trigger or a strobe is expected.

use super::{FEWEST, completion_rises, gaps, trigger_rises};
use crate::findings::{Finding, Name, Value};
use crate::pair::Transfers;

/// Rises belong to one word while they are no further apart than so many times the closest two: a
/// byte of zeros on a serial line has ten bits, and frames may pause for some.
const IN_A_WORD: i64 = 30;
/// Rises there are in a word, on average, at least: a clock makes eight a byte, data two or more. Two
/// bytes of data stand for a word; ringing edges and short bursts of triggers are fewer.
const RISES: f64 = 7.0;
/// How far from a whole multiple of half the closest distance another may lie, as a share of that half.
/// Between two rises on a serial line are two bits at least, and any number more.
const OFF: f64 = 0.25;
/// Share of the distances within words that are those of neighbouring bits, in a clock: seven of eight,
/// where every byte is followed by a pause.
const ONE_STEP: f64 = 7.0 / 8.0 - 0.01;
/// At random half of the distances would lie so: by so many standard deviations more have to.
const SURE: f64 = 4.0;

/// Raised when a wire carries words: many rises close together at whole multiples of one bit, and
/// long pauses in between.
#[must_use]
pub fn looks_like_a_clock(transfers: &Transfers) -> Option<Finding> {
    let wires =
        [("trigger", trigger_rises(transfers)), ("completion", completion_rises(transfers))];
    let found = wires.into_iter().find_map(|(wire, rises)| Some((wire, words(&gaps(&rises))?)));
    let (wire, Words { unit_ns, count, rises }) = found?;
    Some(Finding {
        name: Name::LooksLikeAClock,
        evidence: vec![
            ("words", Value::Int(count as i64)),
            ("rises", Value::Float(rises)),
            ("unit_ns", Value::Int(unit_ns)),
        ],
        message: format!(
            "The {wire} looks like a wire of a bus: {count} words of {rises:.0} rises each on \
             average, at multiples of {:.3} us.",
            unit_ns as f64 / 1e3,
        ),
        advice: format!(
            "`airlag channels` lists what the file has; choose the wire of the {wire} with --{wire}."
        ),
    })
}

struct Words {
    unit_ns: i64,
    count: usize,
    /// In each, on average.
    rises: f64,
}

fn words(gaps: &[i64]) -> Option<Words> {
    if gaps.len() < FEWEST {
        return None;
    }
    let mut ordered = gaps.to_vec();
    ordered.sort_unstable();
    // Not the very closest: one glitch would make every distance a multiple of it.
    let unit_ns = ordered[ordered.len() / 20].max(1);
    let within = ordered.partition_point(|&gap| gap <= IN_A_WORD * unit_ns);
    let pauses = ordered.len() - within;
    if pauses == 0 || pauses * 2 > ordered.len() {
        return None;
    }
    let rises = (within + pauses) as f64 / pauses as f64;
    let fits = |&&gap: &&i64| {
        let multiple = 2.0 * gap as f64 / unit_ns as f64;
        (multiple - multiple.round()).abs() <= OFF
    };
    let fitting = ordered[..within].iter().filter(fits).count() as f64;
    let expected = 0.5 * within as f64;
    // Sampled coarsely, the steps of a clock are not equal, but there is only one step.
    let steps = ordered.partition_point(|&gap| 2 * gap <= 3 * unit_ns);
    let clock = steps as f64 >= ONE_STEP * within as f64;
    let data = fitting > expected + SURE * (0.5 * expected).sqrt();
    let is = rises >= RISES && (clock || data);
    is.then_some(Words { unit_ns, count: pauses + 1, rises })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{CLEAN, Noise, clean, run};

    /// Rises of a clock of `bit_ns`, eight a byte, `bytes` of them every `period_ns`.
    fn clock(bit_ns: i64, bytes: i64, period_ns: i64, transactions: i64) -> Vec<i64> {
        let bit = |at: i64, nth: i64| at + (nth / 8) * 3 * bit_ns + nth * bit_ns;
        let one = |nth: i64| (0..8 * bytes).map(move |bit_at| bit(nth * period_ns, bit_at));
        (0..transactions).flat_map(one).collect()
    }

    /// Rises of bytes on a serial line at `bit_ns` a bit.
    fn serial(bit_ns: i64, bytes: usize, period_ns: i64, frames: i64) -> Vec<i64> {
        let mut noise = Noise::seed(3);
        let mut rises = Vec::new();
        for frame in 0..frames {
            for byte in 0..bytes {
                let bits = (noise.bits() & 0xFF) << 1 | 0x200;
                let high = |bit: u32| bits >> bit & 1 == 1;
                let begin = frame * period_ns + byte as i64 * 10 * bit_ns;
                let rising = (1..10).filter(|&bit| high(bit) && !high(bit - 1));
                rises.extend(rising.map(|bit| begin + i64::from(bit) * bit_ns));
            }
        }
        rises
    }

    #[test]
    fn wires_of_buses_are_found_on_either_side() {
        let spi = clock(80, 4, 10_000_000, 50);
        let uart = serial(8_680, 12, 20_000_000, 50);
        let right = run(10_000_000, &clean(1, 100, 1));
        for wire in [spi, uart] {
            let trigger = Transfers { trigger_ns: wire.clone(), ..right.clone() };
            let found = looks_like_a_clock(&trigger).expect("a wire of a bus");
            assert!(found.message.starts_with("The trigger"), "{}", found.message);
            let completion = Transfers { spurious_ns: wire, ..right.clone() };
            let none = vec![crate::pair::NONE; right.completion_ns.len()];
            let completion = Transfers { completion_ns: none, ..completion };
            let found = looks_like_a_clock(&completion).expect("a wire of a bus");
            assert!(found.message.starts_with("The completion"), "{}", found.message);
        }
    }

    #[test]
    fn triggers_trains_of_them_and_ringing_are_no_bus() {
        for (kind, (name, _)) in CLEAN.iter().enumerate() {
            let right = run(50_000_000, &clean(kind, 300, 2));
            assert_eq!(looks_like_a_clock(&right), None, "{name}");
        }
        // Trains of five every second, and edges that ring three times.
        let train = |each: i64, gap: i64| -> Vec<i64> {
            (0..100)
                .flat_map(|nth| (0..each).map(move |at| nth * 1_000_000_000 + at * gap))
                .collect()
        };
        for rises in [train(5, 1_000_000), train(4, 300)] {
            let one = Transfers { trigger_ns: rises, ..Transfers::default() };
            assert_eq!(looks_like_a_clock(&one), None);
        }
    }
}
