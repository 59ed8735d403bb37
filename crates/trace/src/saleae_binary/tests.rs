use super::*;
use crate::made::{binary_0, binary_1};
use crate::select::Pick;
use crate::sink::Recorder;
use crate::trace::Segment;

fn parse(bytes: &[u8]) -> Result<Trace, At> {
    let kept = read_trace(bytes, "a", &ReadOptions::default());
    let mut recorder = Recorder::default();
    let streamed = read(bytes, "a", &ReadOptions::default(), &mut recorder);
    assert_eq!(kept.is_ok(), streamed.is_ok());
    if let Ok(kept) = &kept {
        assert_eq!(*kept, recorder.into_trace());
    }
    kept
}

fn message(bytes: &[u8]) -> String {
    let at = parse(bytes).expect_err("bad input");
    format!("{}{}", at.place, at.problem)
}

fn segments(bytes: &[u8]) -> Vec<Segment> {
    parse(bytes).unwrap().channels.remove(0).segments
}

fn segment(begin_ns: i64, end_ns: i64, initial: bool, edges_ns: &[i64]) -> Segment {
    Segment { begin_ns, end_ns, initial, edges_ns: edges_ns.to_vec() }
}

#[test]
fn version_0_is_one_segment() {
    let bytes = binary_0(true, -0.5, 2.0, &[-0.000_000_002, 0.000_000_3, 1.000_000_001]);
    assert_eq!(bytes[..20], *b"<SALEAE>\0\0\0\0\0\0\0\0\x01\0\0\0");
    let expected = segment(-500_000_000, 2_000_000_000, true, &[-2, 300, 1_000_000_001]);
    assert_eq!(segments(&bytes), [expected]);
    assert_eq!(parse(&bytes).unwrap().sample_rate_hz, None);
}

#[test]
fn chunks_of_version_1_are_apart_where_data_is_missing() {
    let bytes =
        binary_1(1e6, &[(false, 0.0, 0.001, &[0.0005]), (true, 0.002, 0.003, &[0.0021, 0.0022])]);
    let [first, second] = &segments(&bytes)[..] else { panic!("two segments") };
    assert_eq!(*first, segment(0, 1_000_000, false, &[500_000]));
    assert_eq!(*second, segment(2_000_000, 3_000_000, true, &[2_100_000, 2_200_000]));
    assert_eq!(parse(&bytes).unwrap().sample_rate_hz, Some(1e6));
}

#[test]
fn adjoining_chunks_are_one_and_an_edge_may_lie_between_them() {
    let same = binary_1(1e6, &[(false, 0.0, 0.001, &[0.0005]), (true, 0.001, 0.002, &[0.0015])]);
    assert_eq!(segments(&same), [segment(0, 2_000_000, false, &[500_000, 1_500_000])]);
    // One sample period of 1 us later, the level is different.
    let other = binary_1(1e6, &[(false, 0.0, 0.001, &[]), (true, 0.001_001, 0.002, &[0.0015])]);
    assert_eq!(segments(&other), [segment(0, 2_000_000, false, &[1_001_000, 1_500_000])]);
}

#[test]
fn a_transition_on_the_last_instant_before_a_gap_is_kept() {
    let bytes = binary_1(1e6, &[(false, 0.0, 0.001, &[0.001]), (true, 0.002, 0.002, &[])]);
    let expected =
        [segment(0, 1_000_000, false, &[1_000_000]), segment(2_000_000, 2_000_000, true, &[])];
    assert_eq!(segments(&bytes), expected);
}

#[test]
fn a_transition_on_the_first_instant_is_no_edge() {
    let bytes = binary_0(false, 0.5, 1.0, &[0.5, 0.75]);
    assert_eq!(segments(&bytes), [segment(500_000_000, 1_000_000_000, true, &[750_000_000])]);
}

#[test]
fn more_transitions_than_the_buffer_holds_are_all_there() {
    let times: Vec<f64> = (1..=100_000).map(|n| f64::from(n) * 1e-6).collect();
    let expected: Vec<i64> = (1..=100_000).map(|n| n * 1_000).collect();
    assert_eq!(segments(&binary_0(false, 0.0, 1.0, &times))[0].edges_ns, expected);
}

#[test]
fn what_the_format_rules_out_is_refused_with_its_offset() {
    let good = binary_0(false, 0.0, 1.0, &[0.25, 0.5]);
    let cases: [(usize, &[u8], &str); 14] = [
        (0, b"{", "byte 0: bad header: another identifier; expected <SALEAE>"),
        (8, &[2], "byte 8: Saleae binary export version 2 is unknown; airlag reads 0 and 1"),
        (8, &[0xff; 4], "byte 8: Saleae binary export version -1 is unknown"),
        (12, &[1], "byte 12: the file contains analogue samples; expected digital edges"),
        (12, &[100], "byte 12: the type is 100, a channel taken out of a .sal; expected 0"),
        (12, &[7], "byte 12: the type is 7; expected 0, digital"),
        (16, &[2], "byte 16: the initial state is 2; expected 0 or 1"),
        (20, &f64::NAN.to_le_bytes(), "byte 20: bad number \"NaN\""),
        (28, &(-0.0f64).to_le_bytes(), "byte 28: bad number \"-0.0\""),
        (28, &(-1.0f64).to_le_bytes(), "byte 28: time goes back from 0 ns to -1000000000 ns"),
        (36, &[1], "byte 52: what follows the last transition is more data; expected the end"),
        (36, &[0xff; 8], "byte 60: the file ends inside the transitions of a chunk"),
        (52, &0.25f64.to_le_bytes(), "byte 52: time goes back from 250000000 ns to 250000000 ns"),
        (52, &1.5f64.to_le_bytes(), "byte 52: a transition is at 1500000000 ns; expected at most"),
    ];
    for (offset, bytes, expected) in cases {
        let mut file = good.clone();
        file[offset..offset + bytes.len()].copy_from_slice(bytes);
        assert!(message(&file).starts_with(expected), "{offset}: {}", message(&file));
    }
    let chunks = binary_1(1e6, &[(false, 0.0, 0.5, &[]), (false, 0.25, 1.0, &[])]);
    assert!(message(&chunks).contains("time goes back from 500000000 ns to 250000000 ns"));
    assert!(message(&binary_1(1e6, &[])).contains("the number of chunks is 0"));
    assert!(message(&binary_1(0.0, &[(false, 0.0, 1.0, &[])])).contains("the sample rate is 0"));
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    let chunks = [(false, 0.0, 0.001, &[0.0005][..]), (true, 0.002, 0.003, &[0.0021, 0.0022])];
    for whole in [binary_0(true, 0.0, 1.0, &[0.25, 0.5]), binary_1(1e6, &chunks)] {
        for length in 0..whole.len() {
            let found = message(&whole[..length]);
            assert!(found.contains("the file ends inside"), "{length}: {found}");
        }
    }
}

#[test]
fn a_folder_is_one_capture_of_numbered_channels() {
    let folder = std::env::temp_dir().join(format!("airlag-folder-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (number, time) in [(0, 0.25), (2, 0.5), (10, 0.75)] {
        let bytes = binary_0(false, 0.0, 1.0, &[time]);
        std::fs::write(folder.join(format!("digital_{number}.bin")), bytes).unwrap();
    }
    std::fs::write(folder.join("analog_0.bin"), b"").unwrap();
    let opened = Folder::open(&folder).unwrap();
    let trace = opened.read_trace(&ReadOptions::default()).unwrap();
    let names: Vec<&str> = trace.channels.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["Channel 0", "Channel 2", "Channel 10"]);
    let mut recorder = Recorder::default();
    opened.read(&ReadOptions::default(), &mut recorder).unwrap();
    assert_eq!(recorder.into_trace(), trace);

    let picks = ["Channel 10", "0"].map(Pick::new).to_vec();
    let options = ReadOptions { selection: Selection::Picks(picks), ..ReadOptions::default() };
    let picked = opened.read_trace(&options).unwrap();
    assert_eq!(picked.channels, [trace.channels[2].clone(), trace.channels[0].clone()]);

    std::fs::write(folder.join("digital_2.bin"), b"<SALEAE>").unwrap();
    let broken = opened.read_trace(&ReadOptions::default()).unwrap_err().to_string();
    assert!(broken.contains("member digital_2.bin, byte 8: the file ends inside"), "{broken}");

    for file in std::fs::read_dir(&folder).unwrap() {
        std::fs::remove_file(file.unwrap().path()).unwrap();
    }
    let none = Folder::open(&folder).unwrap_err().to_string();
    assert!(none.contains("the folder has no digital_0.bin"), "{none}");
    std::fs::write(folder.join("analog_0.bin"), b"").unwrap();
    let analog = Folder::open(&folder).unwrap_err().to_string();
    assert!(analog.contains("analogue samples only"), "{analog}");
    std::fs::remove_dir_all(&folder).unwrap();
}
