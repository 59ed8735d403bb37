//! Flags of an nRF24L01+ that rise while the driver acts on those before them: wherever that falls, no
//! payload is left in a FIFO and nobody waits for an interrupt that came already.

use crate::bench;

/// Longest of what is turned, ns: longer than from one payload to the next at 2 Mbit/s, acknowledged.
const LONGEST_NS: u32 = 500_000;

/// Two messages of `size` bytes, their payloads back to back, by boards whose interrupts take a time to their
/// first line that is turned in steps finer than a transaction on the bus: it moves each look at a chip past
/// each frame; `jitter` comes on top of it at most. Gives the times at which something was left over.
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
        // Two payloads, and the three that a FIFO holds.
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
