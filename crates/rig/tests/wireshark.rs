//! Frames of the closed stacks as Wireshark reads them: none malformed, every check right.
//!
//! Without the program the tests say so and pass, unless `AIRLAG_REQUIRE_PEERS=1` asks for it.

mod bench;

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::rc::Rc;

use airlag_rig::run::Wiring;
use airlag_rig::{Error, Profile, espnow, ieee802154};
use airlag_sim::{Duration, Instant, Sim, Simulation};

type Wire = fn(&Profile, usize, &Sim) -> Result<Wiring, Error>;

/// Sends one message and writes every frame into a `.pcap` file (libpcap's format, version 2.4) of
/// `link_type`, each behind `before`.
fn capture(
    name: &str,
    changes: &[(&str, &str)],
    link_type: u32,
    before: &[u8],
    wire: Wire,
) -> PathBuf {
    let bench = Simulation::new(1);
    let wiring = wire(&bench::profile(name, changes), 600, &bench).expect("a bench");
    let mut file: Vec<u8> = Vec::new();
    file.extend(0xA1B2_3C4D_u32.to_le_bytes());
    file.extend([2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    file.extend(65_535_u32.to_le_bytes());
    file.extend(link_type.to_le_bytes());
    let file = Rc::new(RefCell::new(file));
    let (keep, before) = (Rc::clone(&file), before.to_vec());
    let tap = wiring.air.as_ref().expect("an air");
    tap.tap(move |frame, _| {
        let at = frame.begin.as_ns();
        let length = (before.len() + frame.bytes.len()) as u32;
        let mut file = keep.borrow_mut();
        for word in [(at / 1_000_000_000) as u32, (at % 1_000_000_000) as u32, length, length] {
            file.extend(word.to_le_bytes());
        }
        file.extend(&before);
        file.extend(&*frame.bytes);
    });
    bench.run_until(Instant::START + Duration::from_ms(300)).expect("no livelock");
    wiring.trigger.set(true);
    bench.run_until(Instant::START + Duration::from_ms(600)).expect("no livelock");
    assert_eq!(wiring.report.borrow().received.messages, 1);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.pcap"));
    std::fs::write(&path, &*file.borrow()).expect("a file");
    path
}

/// Fields of every frame as `tshark` reads them, a row a frame; `None` where it is missing.
fn dissect(path: &PathBuf, fields: &[&str]) -> Option<Vec<Vec<String>>> {
    let mut command = Command::new("tshark");
    command.arg("-r").arg(path).args(["-T", "fields", "-E", "separator=;"]);
    command.args(["-o", "wlan.check_checksum:TRUE", "-e", "_ws.malformed"]);
    command.args(fields.iter().flat_map(|field| ["-e", field]));
    let Ok(output) = command.stderr(Stdio::null()).output() else {
        let required = std::env::var_os("AIRLAG_REQUIRE_PEERS").is_some_and(|value| value == "1");
        assert!(!required, "tshark is required and not installed");
        // Not through `eprintln!`, whose output the test harness keeps for failures.
        let _ = writeln!(std::io::stderr(), "skipped: tshark is not installed");
        return None;
    };
    let text = String::from_utf8(output.stdout).expect("text");
    let rows: Vec<Vec<String>> =
        text.lines().map(|line| line.split(';').map(str::to_owned).collect()).collect();
    assert!(rows.iter().all(|row| row[0].is_empty()), "malformed: {rows:?}");
    Some(rows)
}

fn column(rows: &[Vec<String>], nth: usize) -> Vec<&str> {
    rows.iter().map(|row| row[nth].as_str()).collect()
}

#[test]
fn an_acknowledged_transfer_of_802_15_4() {
    const WITH_FCS: u32 = 195;
    let path = capture("ieee802154-ack-woken", &[], WITH_FCS, &[], ieee802154::wire);
    let fields = ["wpan.frame_type", "wpan.seq_no", "wpan.fcs_ok", "frame.len"];
    let Some(rows) = dissect(&path, &fields) else { return };
    let pairs = ["0x0001", "0x0002"].repeat(6);
    assert_eq!(column(&rows, 1), pairs);
    let numbers: Vec<String> = (0..6).flat_map(|nth| [nth.to_string(), nth.to_string()]).collect();
    assert_eq!(column(&rows, 2), numbers);
    assert!(column(&rows, 3).iter().all(|right| *right == "1" || *right == "True"), "{rows:?}");
    let lengths = column(&rows, 4);
    assert_eq!((lengths[0], lengths[1], lengths[10]), ("127", "5", "31"));
}

#[test]
fn an_esp_now_transfer_between_beacons() {
    const RADIOTAP: u32 = 127;
    // Version 0, eight octets and flags: the frame has its check.
    let radiotap = [0, 0, 9, 0, 2, 0, 0, 0, 0x10];
    let path = capture("espnow-woken", &[], RADIOTAP, &radiotap, espnow::wire);
    let fields =
        ["wlan.fc.type_subtype", "wlan.fcs.status", "wlan.ssid", "wlan.fixed.category_code"];
    let Some(rows) = dissect(&path, &fields) else { return };
    assert!(column(&rows, 2).iter().all(|status| *status == "1" || *status == "Good"), "{rows:?}");
    let kinds = column(&rows, 1);
    let (beacon, action, ack) = ("0x0008", "0x000d", "0x001d");
    let of = |kind| kinds.iter().filter(|found| **found == kind).count();
    assert_eq!((of(action), of(ack)), (3, 3), "{kinds:?}");
    assert!((10..=12).contains(&of(beacon)), "two boards, 600 ms: {kinds:?}");
    let named = rows.iter().filter(|row| !row[3].is_empty()).count();
    assert_eq!(named, of(beacon));
    assert_eq!(rows.iter().filter(|row| row[4] == "127").count(), 3);
}
