//! The clock findings in real captures.
//!
//! Expected findings are in a table by folder and file name. Only this test knows the names; the
//! library has only edges.

use std::path::Path;

use airlag_peers::{captures, files};
use airlag_stats::findings::{Finding, Name, Value, ack, across, clock, lattice, ramp};
use airlag_stats::fold::Clocks;
use airlag_stats::{PairOptions, Pairer};
use airlag_trace::{ReadOptions, read_into};

/// One row of the table: a selection of captures, with required and forbidden findings.
struct Fact {
    /// Selects files whose path below the root contains this text and
    path: &'static str,
    /// at least one of these.
    any: &'static [&'static str],
    expect: Expect,
}

enum Expect {
    /// The value of this key of this finding is in this range.
    Within(Name, &'static str, f64, f64),
    /// None of these.
    Never(&'static [Name]),
}

use Expect::{Never, Within};
use Name::{DelayedAck, DriftRamp, OwnPeriod, PhaseNotExplored, PowerSave, RetryQuantum};

const ALL: &[&str] = &[""];
const CLOCKS: &[Name] =
    &[OwnPeriod, PhaseNotExplored, PowerSave, DelayedAck, DriftRamp, RetryQuantum];
const NO_CLOCK: &[Name] = &[OwnPeriod, PhaseNotExplored, PowerSave, DelayedAck, DriftRamp];

/// A period in ms with a tolerance in ppm.
const fn period(name: Name, ms: f64, ppm: f64) -> Expect {
    Within(name, "period_ns", ms * 1e6 * (1.0 - ppm * 1e-6), ms * 1e6 * (1.0 + ppm * 1e-6))
}

const fn fact(path: &'static str, any: &'static [&'static str], expect: Expect) -> Fact {
    Fact { path, any, expect }
}

const FACTS: &[Fact] = &[
    // The fixture's tick.
    fact("ieee802154-esp32c6/", ALL, Within(DriftRamp, "ppm", -2.75, -1.9)),
    fact("espnow-esp32/", ALL, Within(DriftRamp, "ppm", 10.5, 16.8)),
    // SiK hops. Longer messages keep the air busy and change the duration of a round, so that file
    // has a period of its own.
    fact("sik/", &["12B-250ms"], period(OwnPeriod, 115.648, 20.0)),
    fact("sik/", &["1024B-500ms"], period(OwnPeriod, 115.516, 20.0)),
    // Wi-Fi power save, and without.
    fact("wifi-tcp-esp32/", &["/12B.csv", "/1024B.csv"], period(PowerSave, 102.4, 20.0)),
    fact("wifi-udp-esp32/", &["/12B.csv", "/1024B.csv"], period(PowerSave, 102.4, 20.0)),
    fact("wifi-tcp-esp32/", &["modified"], Never(&[OwnPeriod, PowerSave, DelayedAck])),
    fact("wifi-udp-esp32/", &["modified"], Never(&[OwnPeriod, PowerSave, DelayedAck])),
    // BLE connection intervals.
    fact("ble-bluedroid-esp32/", ALL, period(OwnPeriod, 15.0012, 20.0)),
    fact("ble-nimble-esp32/", &["override", "hci-fix"], period(OwnPeriod, 30.0012, 20.0)),
    fact("ble-nimble-esp32/", &["12B-sc-defaults"], period(OwnPeriod, 50.0013, 20.0)),
    // The other direction depends on the crystal of the other board during part of the path.
    fact("ble-nimble-esp32/", &["12B-cs-defaults"], period(OwnPeriod, 50.0003, 20.0)),
    fact("ble-nus-nrf52840/1", ALL, period(OwnPeriod, 30.0004, 20.0)),
    fact("ble-nus-nrf52840/early-results__12B-cs.csv", ALL, period(OwnPeriod, 50.0007, 20.0)),
    fact("ble-nus-nrf52840/early", ALL, Within(DriftRamp, "ppm", 17.0, 18.0)),
    fact("ble-", ALL, Never(&[PowerSave, DelayedAck, RetryQuantum])),
    // Swept, so no ramp.
    fact("ble-bluedroid-esp32/", ALL, Never(&[DriftRamp, PhaseNotExplored])),
    fact("ble-nimble-esp32/", &["override", "hci-fix"], Never(&[DriftRamp])),
    fact(
        "ble-nus-nrf52840/",
        &["/12B-sc-2", "/12B-sc-notify"],
        Never(&[DriftRamp, PhaseNotExplored]),
    ),
    // Phases not explored.
    fact(
        "ble-nus-nrf52840/",
        &["/1024B-sc", "/12B-cs-write", "/12B-sc-3"],
        Within(PhaseNotExplored, "phases", 3.0, 3.0),
    ),
    fact("ble-nimble-esp32/", &["defaults"], Within(PhaseNotExplored, "phases", 1.0, 1.0)),
    // A timer in the peer.
    fact("wifi-websocket-esp32/logs-with-nagles__12B-3", ALL, period(DelayedAck, 250.0, 20.0)),
    // Retries.
    fact("nrf24/", &["2Mbps-1024B"], Within(RetryQuantum, "quantum_ns", 1.1590e6, 1.1604e6)),
    fact("nrf24/", &["12B"], Never(CLOCKS)),
    // No clock, no retries.
    fact("nrf24/", ALL, Never(NO_CLOCK)),
    fact("uart-fixture/", ALL, Never(CLOCKS)),
    fact("gpio-fixture/", ALL, Never(CLOCKS)),
    fact("lora-rfm95/", ALL, Never(CLOCKS)),
    fact("pi4-websocket/", ALL, Never(CLOCKS)),
];

fn clocks(path: &Path) -> Clocks {
    let mut pairer = Pairer::new(PairOptions::default());
    read_into(path, &ReadOptions::default(), &mut pairer).expect("a capture reads");
    Clocks::of(&pairer.into_transfers())
}

fn findings(clocks: &Clocks) -> Vec<Finding> {
    [
        clock::own_period(clocks),
        clock::phase_not_explored(clocks),
        clock::power_save(clocks),
        ramp::drift_ramp(clocks),
        lattice::retry_quantum(clocks),
        ack::delayed_ack(clocks),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn number(finding: &Finding, key: &str) -> Option<f64> {
    finding.evidence.iter().find(|e| e.0 == key).and_then(|e| match e.1 {
        Value::Float(f) => Some(f),
        Value::Int(i) => Some(i as f64),
        Value::List(_) => None,
    })
}

fn check(expect: &Expect, found: &[Finding]) -> Result<(), String> {
    match *expect {
        Within(name, key, low, high) => {
            let value = found.iter().find(|f| f.name == name).and_then(|f| number(f, key));
            match value {
                Some(v) if (low..=high).contains(&v) => Ok(()),
                Some(v) => Err(format!("{name} {key} = {v}, not in {low}..={high}")),
                None => Err(format!("no {name}")),
            }
        }
        Never(names) => match found.iter().find(|f| names.contains(&f.name)) {
            Some(f) => Err(format!("{}: {}", f.name, f.message)),
            None => Ok(()),
        },
    }
}

#[test]
#[ignore = "needs captures"]
fn every_capture_tells_its_clock_and_no_other() {
    let Some(root) = captures() else { return };
    let files = files(&root, "csv");
    assert!(files.len() >= 90, "{} captures", files.len());
    let mut wrong = Vec::new();
    let mut used = vec![0usize; FACTS.len()];
    for path in &files {
        let name = path.strip_prefix(&root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        let found = findings(&clocks(path));
        for (fact, uses) in FACTS.iter().zip(&mut used) {
            if name.contains(fact.path) && fact.any.iter().any(|part| name.contains(part)) {
                *uses += 1;
                if let Err(why) = check(&fact.expect, &found) {
                    wrong.push(format!("{name}: {why}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    println!("{} captures, {} checks", files.len(), used.iter().sum::<usize>());
}

#[test]
#[ignore = "needs captures"]
fn runs_with_the_sender_waiting_for_an_acknowledgement_froze_different_phases_of_250_ms() {
    let Some(root) = captures() else { return };
    let mut files = files(&root.join("wifi-websocket-esp32"), "csv");
    files.retain(|f| f.to_string_lossy().contains("with-nagles"));
    assert!(files.len() >= 3, "{} runs", files.len());
    let runs: Vec<Clocks> = files.iter().map(|f| clocks(f)).collect();
    let found = across::timer_across_runs(&runs.iter().collect::<Vec<_>>());
    let period = found.as_ref().and_then(|f| number(f, "period_ns"));
    assert!(period.is_some_and(|p| (p / 250e6 - 1.0).abs() < 20e-6), "{found:?}");
}
