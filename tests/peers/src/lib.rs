//! What tests need that is not part of the project: programs, and files that others made.
//!
//! A test that needs an external program or file is marked `#[ignore = "needs …"]`. `make test` leaves out
//! tests with this mark, and `make test-all` runs them. If the program or file is missing, the test reports
//! what is missing and passes. However, with `AIRLAG_PEERS=all`, which `make test-all` sets, the test fails.
//! With `AIRLAG_PEERS=none`, which `make test` sets, a test without the mark fails if it needs an external
//! program or file. For tests in Python, `tests/python/peers.py` has the same rules.

use std::env::{var, var_os};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Says on standard error that a test is skipped, and why.
///
/// # Panics
/// Where nothing may lack, and in a test that is not marked.
pub fn absent(missing: &str) {
    check_mark();
    assert!(var("AIRLAG_PEERS").as_deref() != Ok("all"), "{missing}");
    // Not through `eprintln!`, whose output the test harness keeps for failures.
    let _ = writeln!(std::io::stderr(), "skipped: {missing}");
}

/// Fails a test that uses what is not part of the project among those that must not.
fn check_mark() {
    let left_out = var("AIRLAG_PEERS").as_deref() == Ok("none");
    assert!(!left_out, "a test that uses what is not part of the project is marked #[ignore]");
}

/// A command that runs `program`, or `None` where it is not installed.
///
/// # Panics
/// Where nothing may lack.
#[must_use]
pub fn program(program: &str) -> Option<Command> {
    check_mark();
    if Command::new(program).arg("--version").output().is_ok() {
        return Some(Command::new(program));
    }
    absent(&format!("{program} is not installed"));
    None
}

/// What tshark prints of `arguments`.
///
/// # Panics
/// Where nothing may lack, and when it fails.
#[must_use]
pub fn tshark(arguments: &[&str]) -> Option<String> {
    let output = program("tshark")?.args(arguments).output().expect("it was just there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("tshark prints text"))
}

/// The fields of every packet of a file of packets, as tshark prints them; `name` is for the file
/// that the test needs for it.
///
/// # Panics
/// Where nothing may lack, and when tshark fails.
#[must_use]
pub fn dissect(name: &str, file: &[u8], fields: &[&str]) -> Option<Vec<Vec<String>>> {
    dissect_with(name, file, &[], fields)
}

/// The same with preferences, such as keys.
///
/// # Panics
/// Where nothing may lack, and when tshark fails.
#[must_use]
pub fn dissect_with(
    name: &str,
    file: &[u8],
    preferences: &[&str],
    fields: &[&str],
) -> Option<Vec<Vec<String>>> {
    let path = std::env::temp_dir().join(format!("airlag-{name}-{}.pcapng", std::process::id()));
    std::fs::write(&path, file).expect("a place for a file");
    let mut arguments = vec!["-r", path.to_str().expect("a name of text"), "-T", "fields"];
    arguments.extend(["-E", "separator=|", "-o", "wlan.check_checksum:TRUE"]);
    arguments.extend(preferences.iter().flat_map(|preference| ["-o", preference]));
    arguments.extend(fields.iter().flat_map(|field| ["-e", field]));
    let text = tshark(&arguments);
    let _ = std::fs::remove_file(&path);
    Some(text?.lines().map(|line| line.split('|').map(str::to_owned).collect()).collect())
}

/// What the TCP stack of Linux sends under `settings`, a line a packet: see `linux_tcp.py`.
///
/// # Panics
/// Where nothing may lack, and when it fails.
#[must_use]
pub fn linux_tcp(settings: &str) -> Option<String> {
    const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/linux_tcp.py");
    const NO_NAMESPACES: i32 = 3;
    let output = program("python3")?.args([PROGRAM, settings]).output().expect("it was just there");
    let complaint = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(NO_NAMESPACES) {
        absent(complaint.trim());
        return None;
    }
    assert!(output.status.success(), "{complaint}");
    Some(String::from_utf8(output.stdout).expect("it prints text"))
}

/// The folder of real captures, which `AIRLAG_CAPTURES` names and nothing else.
///
/// # Panics
/// Where nothing may lack.
#[must_use]
pub fn captures() -> Option<PathBuf> {
    check_mark();
    let folder = var_os("AIRLAG_CAPTURES").map(PathBuf::from).filter(|folder| folder.is_dir());
    if folder.is_none() {
        absent("AIRLAG_CAPTURES names no folder of captures");
    }
    folder
}

/// Captures that are held back from most folders: a model has to predict what it has not seen.
const HELD_BACK: [&str; 19] = [
    "bt-spp-esp32/1024B-64B-chunks",
    "bt-spp-esp32/128B",
    "bt-spp-hc05/57600-1024B",
    "bt-spp-hc05/57600-128B",
    "bt-spp-hc05/57600-12B",
    "bt-spp-hc05/9600-128B",
    "espnow-esp32/128B",
    "espnow-esp32/LR-128B",
    "gpio-fixture/ll-os",
    "gpio-fixture/stm32duino-os",
    "ieee802154-esp32c6/128B-ACK",
    "ieee802154-esp32c6/128B-FaF",
    "lora-rfm95/250k-SF128-128B",
    "lora-rfm95/64k5-SF2048-4o6-128B",
    "nrf24/256kbps-1024B",
    "nrf24/256kbps-128b",
    "nrf24/2Mbps-128B",
    "sik/packet-size-logs__128B-250ms-trigger",
    "sik/packet-size-logs__128B-500ms-trigger",
];

/// One capture: its path below the folder of captures, with its extension. One that is held back
/// may lack anywhere.
///
/// # Panics
/// Where nothing may lack.
#[must_use]
pub fn capture(name: &str) -> Option<PathBuf> {
    let path = captures()?.join(name);
    if path.is_file() {
        return Some(path);
    }
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if !HELD_BACK.contains(&stem) {
        absent(&format!("no capture {name} in the folder AIRLAG_CAPTURES names"));
    }
    None
}

/// Files that other programs wrote, with this extension: they lie in `other-tools`, beside the
/// folder of captures.
///
/// # Panics
/// Where nothing may lack.
#[must_use]
pub fn other_tools(extension: &str) -> Option<Vec<PathBuf>> {
    let found = files(&captures()?.with_file_name("other-tools"), extension);
    if found.is_empty() {
        absent(&format!("no .{extension} in other-tools, beside the folder AIRLAG_CAPTURES names"));
        return None;
    }
    Some(found)
}

/// Files with this extension in a folder and below it, in an order that does not depend on the
/// disk; none where there is no such folder.
#[must_use]
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The folder of the nodes that `make openthread` builds: `AIRLAG_OPENTHREAD`, or `target/openthread`.
///
/// # Panics
/// Where nothing may lack.
#[must_use]
pub fn openthread() -> Option<PathBuf> {
    check_mark();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder =
        var_os("AIRLAG_OPENTHREAD").map_or_else(|| root.join("target/openthread"), PathBuf::from);
    if folder.join("ot-node-ftd").is_file() && folder.join("ot-node-mtd").is_file() {
        return Some(folder);
    }
    absent("no nodes of OpenThread; `make openthread` builds them");
    None
}
