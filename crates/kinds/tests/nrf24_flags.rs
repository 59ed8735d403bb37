//! Flags of an nRF24L01+ that rise while the driver processes earlier ones: at any timing, no
//! payload is left in a FIFO, and no driver waits for an interrupt that has already occurred.

use crate::bench;

/// Longest interrupt delay, ns: longer than the interval of acknowledged payloads at 2 Mbit/s.
const LONGEST_NS: u32 = 500_000;

/// Sends two messages of `size` bytes as back-to-back payloads between boards with varying
/// interrupt delays. The step of the delays is shorter than a bus transaction, so that every poll
/// of a chip coincides with every part of a frame in some run; up to `jitter` is added. Returns the
/// delays at which data was left over.
fn left_over(acknowledge: &str, size: usize, jitter: &str) -> Vec<u32> {
    let all = |ns: &u32| {
        let time = format!("{ns}ns");
        let changes = [
            ("window", "3"),
            ("flush_after_read", "false"),
            ("late_frames", "0"),
            ("acknowledge", acknowledge),
            ("interrupt_entry", time.as_str()),
            ("interrupt_jitter", jitter),
        ];
        let profile = bench::profile("nrf24-2m", &changes);
        let run = bench::bench(&profile, size, &bench::every(100, 2), 1);
        (run.sent.messages, run.received.messages, run.sent.lost) == (2, 2, 0)
    };
    (0..LONGEST_NS).step_by(500).filter(|ns| !all(ns)).collect()
}

#[test]
fn a_flag_that_rises_while_another_is_cleared_is_not_missed() {
    for acknowledge in ["true", "false"] {
        // Two payloads, and three, which fill a FIFO.
        for size in [64, 96] {
            for jitter in ["0us", "20us"] {
                let left = left_over(acknowledge, size, jitter);
                assert!(
                    left.is_empty(),
                    "{size} B, acknowledged {acknowledge}, {jitter}: {left:?}"
                );
            }
        }
    }
}
