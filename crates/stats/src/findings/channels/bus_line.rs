//! Finding of a bus signal on a channel that should be a trigger or a strobe.

use super::{FEWEST, completion_rises, gaps, trigger_rises};
use crate::findings::{Finding, Name, Value};
use crate::pair::Transfers;

/// Longest distance between two rising edges within a word, in multiples of the shortest distance. It allows
/// for a zero byte on a serial line (ten bits), and for pauses of a few bits between frames.
const IN_A_WORD: i64 = 30;
/// Smallest mean number of rising edges per word. A clock has eight rising edges per byte. Data have two or
/// more, and a word has at least two bytes. Ringing edges and short bursts of triggers have fewer rising
/// edges.
const RISES: f64 = 7.0;
/// Tolerance for whole multiples of half the shortest distance, as a share of that half. Two rising edges on
/// a serial line are any number of bits apart, and at least two.
const OFF: f64 = 0.25;
/// Smallest share of the distances within words that must equal one bit if the signal is a clock. The share
/// is seven of eight if a pause follows every byte.
const ONE_STEP: f64 = 7.0 / 8.0 - 0.01;
/// Half of random distances would be within the tolerance. This is the number of standard
/// deviations by which the count must exceed half.
const SURE: f64 = 4.0;

/// Returns the finding if a channel carries words: many rising edges at whole multiples of one bit, and long
/// pauses in between.
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
            "The {wire} channel looks like a bus signal: {count} words of {rises:.0} rising edges each on \
             average, at multiples of {:.3} us.",
            unit_ns as f64 / 1e3,
        ),
        advice: format!(
            "`airlag channels` lists the channels of the file; select the {wire} with --{wire}."
        ),
    })
}

struct Words {
    unit_ns: i64,
    count: usize,
    /// Mean number per word.
    rises: f64,
}

fn words(gaps: &[i64]) -> Option<Words> {
    if gaps.len() < FEWEST {
        return None;
    }
    let mut ordered = gaps.to_vec();
    ordered.sort_unstable();
    // The shortest distance itself is not used, because a single glitch would make every distance a
    // multiple of it.
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
    // With coarse sampling the distances of a clock are not exactly equal, but they all are one
    // bit.
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

    /// Rising edges of a clock with period `bit_ns`, eight per byte, with `bytes` bytes every `period_ns`.
    fn clock(bit_ns: i64, bytes: i64, period_ns: i64, transactions: i64) -> Vec<i64> {
        let bit = |at: i64, nth: i64| at + (nth / 8) * 3 * bit_ns + nth * bit_ns;
        let one = |nth: i64| (0..8 * bytes).map(move |bit_at| bit(nth * period_ns, bit_at));
        (0..transactions).flat_map(one).collect()
    }

    /// Rising edges of bytes on a serial line with `bit_ns` per bit.
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
        // A burst of five pulses per second, and edges that ring three times.
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
