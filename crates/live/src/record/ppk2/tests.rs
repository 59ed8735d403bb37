use airlag_sim::Duration;
use airlag_trace::MemoryLimit;

use super::*;

/// Metadata in the format of an instrument, with a different calibration for each range.
const METADATA: &str = "Calibrated: 1\nR0: 1031.64\nR1: 101.65\nR2: 10.15\nR3: 0.94\nR4: 0.043\n\
    GS0: 0.0\nGS1: 1.0\nGS2: 2.5\nGS3: -nan\nGS4: 0.0\nGI0: 1.01\nGI1: 0.99\nGI2: 1.0\nGI3: 1.0\nGI4: 0.95\n\
    O0: 112.0\nO1: 60.5\nO2: 0.0\nO3: 0.0\nO4: 8.0\nS0: 0.0\nS1: 0.000001\nS2: 0.0\nS3: 0.0\nS4: 0.0\n\
    I0: -0.0000001\nI1: 0.0\nI2: 0.0\nI3: 0.0\nI4: 0.0\nUG0: 1.0\nUG1: 1.0\nUG2: 1.02\nUG3: 1.0\nUG4: 1.0\n\
    VDD: 3000\nHW: 9173\nmode: 1\nIA: 54\nEND";

fn word(nth: u64, range: u32, reading: u32, levels: u32) -> [u8; 4] {
    let counter = (nth % 64) as u32;
    (reading | range << 14 | counter << 18 | levels << 24).to_le_bytes()
}

fn ppk2(lasting: Option<Duration>, channels: &[u8]) -> Ppk2 {
    let plan = Plan { lasting, memory: MemoryLimit::of(1 << 24) };
    let channels = channels.to_vec();
    Ppk2::new(&plan, Setup { supply_mv: None, end: "sender".into(), channels })
}

/// An instrument that has responded with its metadata.
fn greeted(channels: &[u8]) -> Ppk2 {
    let mut ppk2 = ppk2(None, channels);
    give(&mut ppk2, METADATA.as_bytes());
    ppk2
}

fn give(ppk2: &mut Ppk2, bytes: &[u8]) -> Vec<u8> {
    let mut reply = Vec::new();
    assert!(ppk2.take(bytes, &mut reply).is_ok(), "refused");
    reply
}

/// Words with the given numbers, without those in `missing`. D1 is high in the second half of every
/// hundred words, and D3 follows it three samples later.
fn words(numbers: std::ops::Range<u64>, missing: &[u64]) -> Vec<u8> {
    let levels = |nth: u64| {
        let [d1, d3] = [nth % 100 >= 50, nth % 100 >= 53];
        u32::from(d1) << 1 | u32::from(d3) << 3
    };
    let present = numbers.filter(|nth| !missing.contains(nth));
    present.flat_map(|nth| word(nth, 3, 1_000, levels(nth))).collect()
}

fn edges(trace: &Trace, channel: usize) -> Vec<Vec<i64>> {
    trace.channels[channel].segments.iter().map(|of| of.edges_ns.clone()).collect()
}

#[test]
fn setup_selects_the_mode_and_edges_are_exact() {
    let mut meter = ppk2(None, &[1, 3]);
    assert_eq!(meter.start(), [0x19]);
    let (head, tail) = METADATA.split_at(METADATA.len() - 2);
    assert!(give(&mut meter, head.as_bytes()).is_empty() && !meter.has_answered());
    let both = [tail.as_bytes(), &words(0..4, &[])].concat();
    assert_eq!(give(&mut meter, &both), [0x11, 1, 0x0C, 1, 0x06]);
    assert!(meter.has_answered());
    // Reads have arbitrary lengths.
    words(4..300, &[]).chunks(7).for_each(|piece| drop(give(&mut meter, piece)));
    assert_eq!((meter.recorded_ns(), meter.lost_samples()), (3_000_000, 0));
    assert_eq!(meter.stop(), [0x07]);
    let trace = meter.finish();
    assert_eq!(trace.channels.iter().map(|of| &of.name[..]).collect::<Vec<_>>(), ["D1", "D3"]);
    let ms = |tenths: &[i64]| tenths.iter().map(|tenth| tenth * 10_000).collect::<Vec<i64>>();
    assert_eq!(edges(&trace, 0), [ms(&[50, 100, 150, 200, 250])]);
    assert_eq!(edges(&trace, 1), [ms(&[53, 100, 153, 200, 253])]);
    assert_eq!((trace.end_ns(), trace.sample_rate_hz), (3_000_000, Some(1e5)));

    let setup = Setup { supply_mv: Some(3_300), end: "receiver".into(), channels: vec![0] };
    let plan = Plan { lasting: None, memory: MemoryLimit::of(1 << 20) };
    let mut source = Ppk2::new(&plan, setup);
    let commands = give(&mut source, METADATA.as_bytes());
    assert_eq!(commands, [0x11, 2, 0x0D, 0x0C, 0xE4, 0x0C, 1, 0x06]);
}

#[test]
fn readings_are_converted_with_the_calibration_of_their_range() {
    let calibration = Calibration::read(METADATA, None).unwrap();
    // Computed by hand from the metadata: 4 times the reading, minus the offset, times 1.8 V / 163840, over the shunt.
    for (range, reading, expected_na) in [
        (0, 100, 1.01 * (288.0 * 1.8 / 163_840.0 / 1031.64) * 1e9 - 100.0),
        (1, 2_000, {
            let bare = 7_939.5 * 1.8 / 163_840.0 / 101.65;
            (bare * (bare + 0.99) + 3e-6) * 1e9
        }),
        (2, 9_000, {
            let bare = 36_000.0 * 1.8 / 163_840.0 / 10.15;
            1.02 * bare * (2.5 * bare + 1.0) * 1e9
        }),
        (4, 2, 0.0),
    ] {
        let na = calibration.na(range, reading);
        assert!((na - expected_na).abs() < 1e-6 * expected_na.abs().max(1.0), "{range}: {na}");
    }
    let supplied = Calibration::read(METADATA, Some(5_000)).unwrap();
    let more = supplied.na(1, 2_000) - calibration.na(1, 2_000);
    assert!((more - 2_000.0).abs() < 1e-6, "{more}");
    for lacking in ["R3: 0.94\n", "VDD: 3000\n"] {
        assert_eq!(Calibration::read(&METADATA.replace(lacking, ""), None), None);
    }
}

#[test]
fn samples_after_a_range_change_are_averaged() {
    let mut filter = SpikeFilter::default();
    for _ in 0..100 {
        assert_eq!(filter.through(0, 10.0), 10.0);
    }
    // A spike at the change counts with a weight of 18 % and then decays. The fourth sample is not
    // averaged.
    let first = 10.0 + 0.18 * 990.0;
    assert!((filter.through(1, 1_000.0) - first).abs() < 1e-9);
    let second = first + 0.18 * (20.0 - first);
    assert!((filter.through(1, 20.0) - second).abs() < 1e-9);
    let third = second + 0.18 * (20.0 - second);
    assert!((filter.through(1, 20.0) - third).abs() < 1e-9);
    assert_eq!(filter.through(1, 20.0), 20.0);
    // In the last range the first two samples are ignored, and the average is slower.
    let mut filter = SpikeFilter::default();
    assert_eq!(filter.through(3, 10.0), 10.0);
    assert_eq!([filter.through(4, 1e6), filter.through(4, 1e6)], [10.0, 10.0]);
    assert!((filter.through(4, 110.0) - 16.0).abs() < 1e-9);
    assert_eq!(filter.through(4, 110.0), 110.0);
}

#[test]
fn charge_is_the_integral_of_current_between_edges() {
    let mut meter = greeted(&[1]);
    give(&mut meter, &words(0..1_000, &[]));
    let trace = meter.finish();
    let current = trace.current.unwrap();
    let na = Calibration::read(METADATA, None).unwrap().na(3, 1_000);
    let charge_fc = current.charge_fc(500_000, 1_500_000).unwrap();
    assert!((charge_fc - na * 1e3).abs() <= 1.0, "{charge_fc} fC of {na} nA");
    assert_eq!((current.supply.as_str(), current.peak_na), ("sender", na as u64));
}

#[test]
fn missing_samples_are_counted_and_leave_a_gap() {
    let mut meter = greeted(&[1]);
    let missing: Vec<u64> = (120..130).chain(520..583).collect();
    words(0..1_000, &missing).chunks(33).for_each(|piece| drop(give(&mut meter, piece)));
    assert_eq!(meter.lost_samples(), 73);
    assert_eq!(meter.recorded_ns(), 10_000_000);
    let trace = meter.finish();
    let spans = trace.channels[0].segments.iter().map(|of| (of.begin_ns, of.end_ns));
    let expected = [(0, 1_190_000), (1_300_000, 5_190_000), (5_830_000, 10_000_000)];
    assert_eq!(spans.collect::<Vec<_>>(), expected);
    let current = trace.current.unwrap();
    assert_eq!(current.charge_fc(1_000_000, 1_500_000), None);
    assert!(current.charge_fc(1_500_000, 5_000_000).is_some());
}

#[test]
fn words_are_realigned_after_lost_or_damaged_bytes() {
    let whole = words(0..400, &[]);
    for cut in 1..9 {
        // `cut` bytes are lost after the 100th word.
        let bytes = [&whole[..400], &whole[400 + cut..]].concat();
        let mut meter = greeted(&[1, 3]);
        give(&mut meter, &bytes);
        assert_eq!(meter.lost_samples(), cut.div_ceil(4) as u64, "{cut}");
        let trace = meter.finish();
        assert_eq!(edges(&trace, 0)[1], [1_500_000, 2_000_000, 2_500_000, 3_000_000, 3_500_000]);
    }
    let mut damaged = whole;
    damaged[402] ^= 0x40;
    let mut meter = greeted(&[1, 3]);
    give(&mut meter, &damaged);
    assert_eq!((meter.lost_samples(), meter.recorded_ns()), (1, 4_000_000));
}

#[test]
fn the_recording_ends_after_its_duration() {
    let mut meter = ppk2(Some(Duration::from_ns(1_495_000)), &[1]);
    give(&mut meter, &[METADATA.as_bytes(), &words(0..400, &[])].concat());
    assert_eq!(meter.recorded_ns(), 1_500_000);
    let trace = meter.finish();
    assert_eq!((trace.end_ns(), edges(&trace, 0)), (1_500_000, vec![vec![500_000, 1_000_000]]));
}

#[test]
fn other_instruments_are_refused() {
    for answer in ["WEEKEND\r\n".to_owned(), "x".repeat(LONGEST_METADATA + 1)] {
        let mut other = ppk2(None, &[0]);
        let refused = other.take(answer.as_bytes(), &mut Vec::new());
        assert!(matches!(refused, Err(Refusal::Version(..))));
        assert!(!other.has_answered());
    }
    let mut modem = ppk2(None, &[0]);
    assert!(give(&mut modem, b"ERROR\r\n").is_empty());
    assert!(!modem.has_answered());
}

#[test]
fn repeated_metadata_are_not_samples() {
    let mut meter = greeted(&[1]);
    give(&mut meter, &[METADATA.as_bytes(), &words(0..200, &[])].concat());
    assert_eq!((meter.recorded_ns(), meter.lost_samples()), (2_000_000, 0));
}

#[test]
fn the_memory_limit_ends_the_recording() {
    let plan = Plan { lasting: None, memory: MemoryLimit::of(4_096) };
    let mut small =
        Ppk2::new(&plan, Setup { supply_mv: None, end: "sender".into(), channels: vec![1] });
    give(&mut small, METADATA.as_bytes());
    let refused = small.take(&words(0..100_000, &[]), &mut Vec::new());
    assert!(matches!(refused, Err(Refusal::Memory)));
}
