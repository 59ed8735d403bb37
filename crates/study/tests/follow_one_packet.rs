//! One nRF24 packet from trigger to strobe, with every time stamp derived by hand.
//!
//! From the product specification: settling 130 us (6.1.7); 313 bits for 32 bytes with three
//! address bytes and two of CRC, 57 bits for the acknowledgement (7.3); 0.5 us per bit; 6 us from
//! the end of a packet to the interrupt at 2 Mbit/s (7.7). The board has round numbers: 1 us per
//! byte on the bus, 2 us to detect an interrupt.

use crate::bench;
use airlag_rig::{Options, Run, run};

const BOARD: [(&str, &str); 12] = [
    ("spi_byte", "1000"),
    ("spi_transaction", "0"),
    ("trigger_entry", "2000"),
    ("trigger_jitter", "0"),
    ("late_frames", "0"),
    ("frame_jitter", "0"),
    ("interrupt_entry", "2000"),
    ("send_overhead", "3000"),
    ("receive_per_byte", "100"),
    ("rearm", "5000"),
    ("strobe", "1000"),
    ("flush_after_read", "false"),
];

/// Names and times, in ns after the trigger, of the slices on a track.
fn on(run: &Run, track: &str, names: &[&str]) -> Vec<(&'static str, i64, i64)> {
    let track = run.tracks.iter().position(|name| name == track).expect("a track");
    let trigger = run.trace.channels[0].segments[0].edges_ns[0];
    let spans = run.spans.iter().filter(|span| span.track == track);
    let after = spans.filter(|s| s.end_ns > trigger && names.contains(&s.slice.name()));
    after.map(|s| (s.slice.name(), s.begin_ns - trigger, s.end_ns - trigger)).collect()
}

#[test]
fn every_stamp_is_the_one_worked_out_by_hand() {
    let profile = bench::profile("nrf24-2m", &BOARD);
    let options = Options { seed: 1, spans: true, ..Options::default() };
    let run = run(&profile, 12, &bench::every(10, 1), options).expect("the bench runs");

    // The sending board detects the trigger, starts its message, and writes the command and 32
    // bytes.
    let sender = on(&run, "sender", &["interrupt", "software", "SPI write payload"]);
    assert_eq!(
        sender[..3],
        [("interrupt", 0, 2_000), ("software", 2_000, 5_000), ("SPI write payload", 5_000, 38_000),]
    );
    // Its chip settles and sends.
    let chip =
        on(&run, "sender nRF24", &["settle", "transmit", "receive turnaround", "raise interrupt"]);
    assert_eq!(
        chip,
        [
            ("settle", 38_000, 168_000),
            ("transmit", 168_000, 324_500),
            ("receive turnaround", 324_500, 454_500),
            ("raise interrupt", 489_000, 495_000),
        ]
    );
    // The packet, and its acknowledgement 6 us and 130 us later.
    assert_eq!(on(&run, "air", &["air"]), [("air", 168_000, 324_500), ("air", 460_500, 489_000)]);
    // The receiving board gets the interrupt at 330.5 us, clears the flag, reads, and checks 32
    // bytes.
    let receiver =
        on(&run, "receiver", &["interrupt", "SPI clear flags", "SPI read payload", "software"]);
    assert_eq!(
        receiver[..4],
        [
            ("interrupt", 330_500, 332_500),
            ("SPI clear flags", 332_500, 334_500),
            ("SPI read payload", 334_500, 367_500),
            ("software", 367_500, 370_700),
        ]
    );
    // And the strobe.
    let trigger = run.trace.channels[0].segments[0].edges_ns[0];
    let strobe = &run.trace.channels[1].segments[0].edges_ns;
    assert_eq!(strobe.iter().map(|at| at - trigger).collect::<Vec<_>>(), [370_700, 371_700]);
    // The sending program continues when it has read that the FIFO is empty: interrupt at 495, two
    // bytes of STATUS to clear the flag of the acknowledged packet, two bytes of FIFO_STATUS.
    let looks = on(&run, "sender", &["SPI clear flags", "SPI status"]);
    assert_eq!(looks, [("SPI clear flags", 497_000, 499_000), ("SPI status", 499_000, 501_000)]);
}

#[test]
fn slices_add_up_to_the_latency_of_every_transfer() {
    for (size, name) in [(12, "nrf24-2m"), (128, "nrf24-2m"), (128, "nrf24-250k")] {
        let profile = bench::profile(name, &[("frame_loss", "0.05")]);
        let options = Options { seed: 3, spans: true, ..Options::default() };
        let run = run(&profile, size, &bench::every(100, 50), options).expect("the bench runs");
        let transfers = bench::transfers(&run);
        for (&begin, &end) in transfers.trigger_ns.iter().zip(&transfers.completion_ns) {
            if end == airlag_stats::NONE {
                continue;
            }
            let parts = airlag_study::timeline::timeline(&run, begin, end);
            let sum: i64 = parts.iter().map(|part| part.end_ns - part.begin_ns).sum();
            assert_eq!(sum, end - begin);
            assert!(parts.windows(2).all(|pair| pair[0].end_ns == pair[1].begin_ns));
            assert!(parts.iter().all(|part| part.name != "other"), "{parts:?}");
        }
    }
}
