//! A virtual capture written to a file is read back like a real one and gives the same transfers.

use crate::bench;
use airlag_files::{Replace, write};
use airlag_rig::{Options, Stimulus, run};
use airlag_stats::pair::{PairOptions, pair};
use airlag_trace::{ReadOptions, WriteFormat, read};

#[test]
fn written_and_read_back_it_gives_the_same_latencies() {
    let profile = bench::profile("nrf24-2m", &[("frame_loss", "0.02")]);
    let run = run(&profile, 128, &bench::every(50, 100), Options::default()).expect("it runs");
    let ours = bench::transfers(&run);
    for format in [WriteFormat::SaleaeCsv, WriteFormat::Vcd] {
        let name = format!("airlag-{}-{format:?}", std::process::id());
        let path = std::env::temp_dir().join(name);
        write(&path, &run.trace, format, Replace::Anything).expect("it is written");
        let back = read(&path, &ReadOptions::default()).expect("it is read");
        std::fs::remove_file(&path).expect("it is removed");
        let theirs = pair(&back, PairOptions::default());
        assert_eq!(theirs.latencies_ns(), ours.latencies_ns(), "{format:?}");
        assert_eq!(theirs.outcome, ours.outcome, "{format:?}");
    }
}

#[test]
fn a_message_the_bench_cannot_carry_is_one_line() {
    let profile = bench::profile("nrf24-2m", &[]);
    for size in [0, 6, 2049] {
        let stimulus = Stimulus::At(vec![0]);
        let error = run(&profile, size, &stimulus, Options::default()).expect_err("refused");
        assert_eq!(
            error.to_string(),
            format!("nrf24-2m: a message has 7 to 2048 bytes, not {size}")
        );
    }
}
