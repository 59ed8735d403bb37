//! Settings that a datasheet forbids are refused with the clause, and are never tried as an
//! improvement.

use crate::bench;
use crate::rules::{broken, newly_broken};
use airlag_kinds::registry::{all, find};
use airlag_kinds::{ble, lora, nrf24};
use airlag_rig::knob::Knob;
use airlag_rig::parameter::Name;
use airlag_rig::{Error, Options, Profile, run};

fn with(name: &str, settings: &[(&str, &str)]) -> Profile {
    let mut profile = find(name).expect("it is listed");
    for (key, value) in settings {
        profile.set(key, value).expect("the hardware has it by itself");
    }
    profile
}

fn refusal(profile: &Profile) -> Option<String> {
    let size = profile.bytes(Some(32)).unwrap_or(0);
    profile.bind().and_then(|link| link.floor(size)).err().map(|error| error.to_string())
}

#[test]
fn an_nrf24_at_250_kbits_waits_500_us_for_its_acknowledgement() {
    // nRF24L01+ Product Specification v1.0, 9.1, register 04: at 250 kbit/s, 500 us or more even
    // for an empty acknowledgement. The acknowledgement takes 358 us on the air: 130 us, and 57
    // bits of 4 us.
    for link in ["nrf24-250k", "nrf24-250k-raw"] {
        let message =
            refusal(&with(link, &[("retransmit_delay", "250us")])).expect("it is refused");
        assert!(
            message.contains("250 us is too short") && message.contains("9.1, SETUP_RETR"),
            "{message}"
        );
        assert_eq!(refusal(&with(link, &[("retransmit_delay", "500us")])), None);
    }
    // At 2 Mbit/s, 130 us and 57 bits of 0.5 us are 158.5 us.
    assert_eq!(refusal(&with("nrf24-2m", &[("retransmit_delay", "250us")])), None);
    let slower = [("rate", "250kbit/s"), ("retransmit_delay", "250us")];
    assert!(refusal(&with("nrf24-2m", &slower)).is_some());
    // Without acknowledgements, the delay is irrelevant.
    let unanswered = [("retransmit_delay", "250us"), ("acknowledge", "false")];
    assert_eq!(refusal(&with("nrf24-250k", &unanswered)), None);
}

#[test]
fn lora_symbols_longer_than_16_ms_are_optimised_for_low_data_rates() {
    // SX1276/77/78/79 rev. 7, 4.1.1.6. A symbol has 2^SF chips of 1 / bandwidth: 2^10 / 62.5 kHz is
    // 16.384 ms, and 2^9 / 62.5 kHz half of it.
    let of = |factor, optimised| {
        let factor = ("spreading_factor", factor);
        let settings = [("bandwidth", "62.5kHz"), factor, ("low_data_rate_optimize", optimised)];
        refusal(&with("lora-sf7-250k", &settings))
    };
    assert_eq!(of("10", "off"), None, "chips do it: it is an incident of the run");
    assert_eq!(of("10", "on"), None);
    assert_eq!(of("10", "auto"), None);
    assert_eq!(of("9", "off"), None);
    assert_eq!(of("9", "on"), None, "it may be used for any symbol");
}

#[test]
fn a_radio_of_802_15_4_has_the_bands_it_is_made_for() {
    // IEEE 802.15.4-2006, 6.1.2, table 1: BPSK at 868 and 915 MHz, O-QPSK at 2450.
    let of = |band, bands| refusal(&with("ieee802154-blind", &[("band", band), ("bands", bands)]));
    for (band, bands) in [("868", "2450"), ("915", "2450"), ("2450", "868-915")] {
        let message = of(band, bands).expect("it is refused");
        assert!(message.contains("`band`") && message.contains("6.1.2, table 1"), "{message}");
    }
    for (band, bands) in [("868", "868-915"), ("915", "868-915"), ("2450", "2450")] {
        assert_eq!(of(band, bands), None);
    }
}

#[test]
fn a_rate_or_a_bandwidth_alone_takes_its_dependants_from_the_profile() {
    // A symbol of 2^11 / 62.5 kHz takes 33 ms. The chip's driver then optimises automatically, so
    // the duration is the same as with the setting.
    let slow = [("spreading_factor", "11"), ("bandwidth", "62.5kHz")];
    let optimised = [slow[0], slow[1], ("low_data_rate_optimize", "on")];
    let floor = |settings| with("lora-sf7-250k", settings).bind().and_then(|link| link.floor(32));
    assert_eq!(floor(&slow[..]), floor(&optimised[..]));
    assert!(floor(&slow[..]).is_ok());
    // The interrupt delay of an nRF24 follows the bit rate, in whichever profile the rate is set.
    let delay = |link: &str, rate: &str| {
        let profile = with(link, &[("rate", rate)]);
        let floor = profile.bind().expect("a right profile").floor(32).expect("a floor");
        let term = floor.terms().iter().find(|term| term.name == "packet to interrupt");
        term.expect("a term").each_ns
    };
    for link in ["nrf24-2m", "nrf24-250k", "tunnel"] {
        let delays = ["250kbit/s", "1Mbit/s", "2Mbit/s"].map(|rate| delay(link, rate));
        assert_eq!(delays, [31_220, 8_200, 6_000], "{link}");
    }
}

#[test]
fn a_knob_takes_along_what_it_needs_and_says_so() {
    let along = |link: &str, settings: &[(&str, &str)], knob: Name, value: &str| {
        let mut profile = with(link, settings);
        let along = profile.turn(knob, value, 32)?;
        Ok::<_, Error>(along.iter().map(|one| (one.name.as_str(), one.value)).collect::<Vec<_>>())
    };
    let short = [("retransmit_delay", "250us")];
    let (rate, delay) = (nrf24::Parameters::rate, nrf24::Parameters::retransmit_delay);
    assert_eq!(along("nrf24-2m", &short, rate, "250kbit/s"), Ok(vec![(delay.as_str(), "500us")]));
    assert_eq!(along("nrf24-2m", &short, rate, "1Mbit/s"), Ok(vec![]));
    assert_eq!(along("nrf24-2m", &[], rate, "250kbit/s"), Ok(vec![]), "it is long enough");
    // A forbidden value of the knob that is varied is refused and not adjusted.
    assert!(along("nrf24-250k", &[], delay, "250us").is_err());
    let factor = lora::Parameters::spreading_factor;
    let (off, narrow) = (("low_data_rate_optimize", "off"), ("bandwidth", "62.5kHz"));
    assert_eq!(along("lora-sf7-250k", &[off, narrow], factor, "10"), Ok(vec![(off.0, "auto")]),);
    assert_eq!(along("lora-sf7-250k", &[narrow], factor, "6"), Ok(vec![("header", "implicit")]));
    // Bluetooth Core 5.4, Vol 6, Part B, 4.5.2: more than 2 × 1 s × (1 + 4), and at most 32 s.
    let (latency, second) = (ble::Parameters::latency, ("connection_interval", "1s"));
    let timeout = "supervision_timeout";
    assert_eq!(along("ble-nus-notify", &[second], latency, "4"), Ok(vec![(timeout, "16s")]));
    assert!(along("ble-nus-notify", &[second], latency, "15").is_err(), "32.01 s");
    assert!(
        along("ble-nus-notify", &[second], ble::Parameters::phy, "2M")
            .is_ok_and(|all| all.is_empty())
    );
}

/// Sizes around the capacity of frames, and the limits of a message.
const SIZES: [usize; 8] = [7, 12, 32, 33, 128, 251, 1_024, 2_048];

fn knobs(profile: &Profile) -> Vec<(Name, &'static str)> {
    let values = |knob: &Knob| {
        let name = knob.name;
        let values = knob.candidates(profile).expect("it is a knob of this kind");
        values.into_iter().map(move |value| (name, value)).collect::<Vec<_>>()
    };
    profile.kind.knobs().iter().flat_map(values).collect()
}

/// `profile` with a knob turned. `None` if that is refused, with a one-line error.
fn turned(profile: &Profile, (knob, value): (Name, &str), size: usize) -> Option<Profile> {
    let mut turned = profile.clone();
    match turned.turn(knob, value, size) {
        Ok(_) => Some(turned),
        Err(refusal) => {
            assert!(!refusal.to_string().contains('\n'), "{refusal}");
            None
        }
    }
}

#[test]
fn no_knob_and_no_pair_of_knobs_of_any_link_breaks_a_rule_at_any_size() {
    let (mut offered, mut refused) = (0, Vec::new());
    for profile in all().expect("right files") {
        assert_eq!(refusal(profile), None, "{} as it is", profile.name);
        let knobs = knobs(profile);
        for size in SIZES {
            for &one in &knobs {
                let what = format!("{} {}={} {size} B", profile.name, one.0.as_str(), one.1);
                let Some(single) = turned(profile, one, size) else {
                    refused.push(what);
                    continue;
                };
                offered += 1;
                assert_eq!(newly_broken(profile, &single), None, "{what}");
                for &other in knobs.iter().filter(|other| other.0 != one.0) {
                    let Some(pair) = turned(&single, other, size) else { continue };
                    let also = format!("{what}, {}={}", other.0.as_str(), other.1);
                    assert_eq!(newly_broken(profile, &pair), None, "{also}");
                }
            }
        }
    }
    // The random walk has tried refused settings, and accepted ones as well.
    assert!(refused.contains(&"nrf24-250k retransmit_delay=250us 32 B".to_owned()), "{refused:?}");
    assert!(offered > 1_000, "{offered}");
}

#[test]
fn every_knob_of_every_link_that_is_offered_runs() {
    for profile in all().expect("right files") {
        for knob in knobs(profile) {
            let Some(turned) = turned(profile, knob, 32) else { continue };
            let what = format!("{} {}={}", profile.name, knob.0.as_str(), knob.1);
            let size = turned.bytes(Some(32)).unwrap_or(0);
            let stimulus = bench::every(2_000, 2);
            let ran = run(&turned, size, &stimulus, Options::default());
            assert!(ran.is_ok(), "{what}: {:?}", ran.err());
        }
    }
}

#[test]
fn the_rules_are_told_from_their_clauses() {
    // Each rule is broken by some setting, so no rule holds trivially.
    let breaks = |link: &str, settings: &[(&str, &str)]| broken(&with(link, settings)).is_some();
    assert!(breaks("nrf24-250k", &[("retransmit_delay", "250us")]));
    assert!(breaks("nrf24-250k", &[("reply", "ack-payload")]), "1000 us, which are set");
    let replying = ("reply", "ack-payload");
    assert!(breaks("nrf24-2m", &[replying, ("acknowledge", "false")]));
    assert!(breaks("nrf24-2m", &[replying, ("retransmit_delay", "250us")]));
    assert!(breaks("tunnel-naive", &[("retransmit_delay", "250us")]));
    assert!(breaks("lora-sf11-62k5", &[("low_data_rate_optimize", "off")]));
    assert!(breaks("lora-sf7-250k", &[("spreading_factor", "6")]));
    assert!(breaks("lora-sf7-250k", &[("frequency", "169MHz")]));
    assert!(breaks("ble-nus-notify", &[("supervision_timeout", "50ms")]));
    assert!(breaks("ieee802154-ack", &[("interframe_space", "false")]));
    assert!(breaks("thread-up", &[("interframe_space", "false")]));
    assert!(breaks("espnow", &[("cw_min", "15"), ("cw_max", "7")]));
}

#[test]
fn retransmissions_are_varied_only_with_acknowledgements() {
    let is_of_retries = |knob: &&Knob| {
        ["retransmit_count", "retransmit_delay", "retries"].contains(&knob.name.as_str())
    };
    for link in ["esb-nrf52840", "nrf24-2m", "ieee802154-ack"] {
        for (acknowledge, is_varied) in [("true", true), ("false", false)] {
            let profile = with(link, &[("acknowledge", acknowledge)]);
            let knobs = profile.kind.knobs().iter().chain(profile.kind.reach());
            let values = knobs
                .filter(is_of_retries)
                .flat_map(|knob| knob.candidates(&profile).expect("it is a knob of this kind"));
            assert_eq!(values.count() > 0, is_varied, "{link}, acknowledge = {acknowledge}");
        }
    }
}
