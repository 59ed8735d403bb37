//! Regulatory verdict on every profile with a radio, in a table that is stored next to this file.
//!
//! Each profile runs with its published sizes, or those of the latency comparison, at the default
//! period of `airlag run`. `AIRLAG_BLESS=1` rewrites the table, so that a review shows every
//! changed verdict.

use std::fmt::Write as _;
use std::path::Path;

use airlag_kinds::registry;
use airlag_law::check::number;
use airlag_law::{Compliance, Region};
use airlag_rig::emissions::emitted;
use airlag_rig::kind::Medium;
use airlag_rig::profile::Profile;
use airlag_rig::run::Options;
use airlag_sim::Duration;
use airlag_study::law::{Condition, Judged, judged};
use airlag_study::pace;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/law.md");
/// Payloads of profiles without published payloads, bytes.
const SIZES: [usize; 3] = [12, 128, 1024];
const TRIGGERS: usize = 100;

fn sizes(profile: &Profile) -> Vec<usize> {
    let mut sizes: Vec<usize> = profile.published.iter().filter_map(|one| one.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.is_empty() { SIZES.to_vec() } else { sizes }
}

fn told(judged: &Judged) -> String {
    let mended = judged.mended().map_or_else(String::new, |how| format!("; allowed {how}"));
    let verdict = judged.decisive().expect("a radio that sent");
    let check = verdict.ruling.decisive().expect("each rule has limits");
    format!("{}: {check}{mended}", judged.standing().as_str())
}

fn row(profile: &Profile, size: usize) -> String {
    let service = pace::service(profile, size, 1).expect("it can be run");
    let period = pace::period(profile, size, service).expect("it is right");
    let stimulus = pace::uniform(period, TRIGGERS);
    let (_, senders) = emitted(profile, size, &stimulus, Options::default()).expect("a run");
    let [eu, us] = Region::ALL.map(|region| {
        Judged::of(profile, &senders, region).expect("a right profile").expect("it sent")
    });
    let (period_s, percent) = (period.as_ns() as f64 / 1e9, 100.0 * eu.airtime());
    let (period, airtime) = (number(period_s), number(percent));
    format!(
        "| {} | {size} | {period} | {airtime} | {} | {} |\n",
        profile.name,
        told(&eu),
        told(&us)
    )
}

#[test]
fn every_profile_has_the_verdicts_of_the_table() {
    let mut table =
        "| profile | B | period, s | airtime, % | EU | US |\n|---|---|---|---|---|---|\n"
            .to_owned();
    for profile in registry::all().expect("right files") {
        if profile.kind.medium() == Medium::Air {
            for size in sizes(profile) {
                table.push_str(&row(profile, size));
            }
        }
    }
    if std::env::var_os("AIRLAG_BLESS").is_some() {
        std::fs::write(Path::new(TABLE), &table).expect("a table can be written");
    }
    let kept = std::fs::read_to_string(TABLE).expect("a table that is kept");
    let mut differs = String::new();
    for line in table.lines().filter(|line| !kept.lines().any(|one| one == *line)) {
        writeln!(differs, "{line}").expect("text");
    }
    assert!(table == kept, "not in {TABLE}; AIRLAG_BLESS=1 writes it anew:\n{differs}");
}

fn with(name: &str, settings: &[(&str, &str)]) -> Profile {
    let mut profile = registry::find(name).expect("a profile");
    for (name, value) in settings {
        profile.set(name, value).expect("a setting");
    }
    profile
}

fn at(profile: &Profile, size: usize, period: Option<Duration>, region: Region) -> Judged {
    let condition = Condition { region, period, seed: 1 };
    condition.judge(profile, size).expect("a run").expect("a radio")
}

#[test]
fn lora_at_868_1_mhz_sends_ten_times_as_often_as_it_may() {
    let lora = with("lora-sf7-250k", &[("frequency", "868.1MHz")]);
    let told = at(&lora, 12, None, Region::Eu);
    assert_eq!(told.standing(), Compliance::NotAllowed);
    // 20.6 ms every 200 ms (SX1276 rev. 7, 4.1.1.7; derived in the tests of this kind of link).
    assert!((told.airtime() - 0.103).abs() < 0.002, "{}", told.airtime());
    // The stated remedy suffices.
    assert_eq!(told.mended().as_deref(), Some("at 1/10.4 of this rate"));
    let slower = at(&lora, 12, Some(Duration::from_us(200_000 * 104 / 10)), Region::Eu);
    assert_eq!(slower.standing(), Compliance::AtLimit, "{}", slower.reason());
    let told = at(&lora, 12, Some(Duration::from_secs(3)), Region::Eu);
    assert_eq!(told.standing(), Compliance::Within, "{}", told.reason());
}

#[test]
fn a_slow_frame_stays_too_long_on_one_frequency_of_the_us() {
    let lora = with("lora-sf11-62k5", &[]);
    let told = at(&lora, 1024, None, Region::Us);
    assert_eq!(told.standing(), Compliance::NotAllowed);
    assert!(told.mended().is_none_or(|how| !how.contains("rate")), "{}", told.reason());
    let widest = with("lora-sf7-250k", &[("bandwidth", "500kHz")]);
    assert_eq!(at(&widest, 128, None, Region::Us).standing(), Compliance::Within);
}

#[test]
fn without_a_look_1024_b_of_802_15_4_are_more_than_may_be_sent() {
    // 9.6 dBm/MHz: the spectral density limits neither of them.
    let quiet = [("tx_power", "10.5")];
    let listens = with("ieee802154-ack", &[quiet[0], ("csma", "true")]);
    let blind = with("ieee802154-ack", &[quiet[0], ("csma", "false")]);
    let (looks, does_not) = [&listens, &blind].map(|one| at(one, 1024, None, Region::Eu)).into();
    assert!(looks.standing() < Compliance::NotAllowed, "{}", looks.reason());
    assert_eq!(does_not.standing(), Compliance::NotAllowed, "{}", does_not.reason());
    let condition = Condition { region: Region::Eu, period: None, seed: 1 };
    assert!(!condition.breaks_no_more(Some(&looks), &blind, 1024));
    assert!(condition.breaks_no_more(Some(&does_not), &blind, 1024));
}

#[test]
fn a_wire_asks_nobody() {
    let uart = registry::find("uart-115200-irq").expect("a profile");
    let stimulus = pace::uniform(Duration::from_ms(200), 10);
    let (_, told) = judged(&uart, 12, &stimulus, Options::default(), Region::Eu).expect("a run");
    assert_eq!(told, None);
}

#[test]
fn every_kind_with_a_radio_says_what_it_is() {
    for profile in registry::all().expect("right files") {
        let told = profile.bind().expect("a right profile").link().transmitter("sender");
        assert_eq!(told.is_some(), profile.kind.medium() == Medium::Air, "{}", profile.name);
    }
}

#[test]
fn bluetooth_le_that_leaves_channels_out_is_allowed_for_its_width_or_its_power() {
    for (adaptive, least) in [("false", "15"), ("true", "15"), ("true", "2")] {
        let ble =
            with("ble-nus-notify", &[("adaptive_hopping", adaptive), ("least_channels", least)]);
        let told =
            ble.bind().expect("a right profile").link().transmitter("sender").expect("a radio");
        let hopping = told.hopping.expect("it hops");
        assert_eq!((hopping.adaptive, hopping.channels < 15), (adaptive == "true", least == "2"));
        for region in Region::ALL {
            let judged = at(&ble, 128, None, region);
            assert_eq!(judged.standing(), Compliance::Within, "{adaptive}: {}", judged.reason());
        }
    }
}

#[test]
fn bluetooth_le_at_20_dbm_in_the_eu_is_for_who_keeps_15_channels() {
    for (least, allowed) in [("15", true), ("14", false)] {
        let settings =
            [("adaptive_hopping", "true"), ("least_channels", least), ("tx_power", "18")];
        let judged = at(&with("ble-nus-notify", &settings), 128, None, Region::Eu);
        assert_eq!(judged.is_allowed(), allowed, "{least}: {}", judged.reason());
    }
}
