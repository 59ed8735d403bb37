//! The order of latencies on the wired fixture, which the table of `model_vs_capture` does not
//! show.

use crate::bench::{profile, real, transfers};
use airlag_stats::Transfers;
use airlag_study::matching::{Options, hold};

#[test]
#[ignore = "needs captures"]
fn exactly_every_fourth_dma_transfer_is_early_in_captures_and_on_the_bench() {
    for (file, link, build) in [
        ("baudrate-12B-logs__115200-dma", "uart-115200-dma", "release"),
        ("baudrate-12B-logs__460800-dma", "uart-460800-dma", "release"),
        ("baudrate-12B-logs__1843200-dma", "uart-1843200-dma", "release"),
        ("peripheral-configuration-12B-logs__ll-115200-dma-release", "uart-115200-dma", "release"),
        ("peripheral-configuration-12B-logs__ll-115200-dma-minsize", "uart-115200-dma", "minsize"),
        ("peripheral-configuration-12B-logs__ll-115200-dma-debug", "uart-115200-dma", "debug"),
    ] {
        let Some(captured) = real(&format!("uart-fixture/{file}")) else { continue };
        let profile = profile(link, &[("build", build)]);
        let found = hold(&profile, 12, &captured, &Options::default()).expect("a match");
        let made = earliest_of_four(&transfers(&found.run));
        assert_eq!(earliest_of_four(&captured), made, "{file}: {:?}", found.fitted);
    }
}

/// Index modulo four of the early transfers: it is constant, and each is earlier than the three
/// around it.
fn earliest_of_four(transfers: &Transfers) -> usize {
    let latencies = transfers.latencies_ns();
    let least = |four: &[i64]| (0..4).min_by_key(|&at| four[at]).expect("four");
    let first = least(&latencies[..4]);
    for four in latencies.chunks_exact(4) {
        assert_eq!(least(four), first, "{four:?}");
    }
    first
}
