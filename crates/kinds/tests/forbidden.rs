//! What a datasheet forbids is refused with its clause, and never tried as a better setting.

use airlag_kinds::registry::{all, find};
use airlag_rig::Profile;

fn with(name: &str, settings: &[(&str, &str)]) -> Profile {
    let mut profile = find(name).expect("it is listed");
    for (key, value) in settings {
        profile.set(key, value).expect("the hardware has it by itself");
    }
    profile
}

fn refusal(profile: &Profile) -> Option<String> {
    profile.kind.floor(profile, 32).err().map(|error| error.to_string())
}

#[test]
fn an_nrf24_at_250_kbits_waits_500_us_for_its_acknowledgement() {
    // nRF24L01+ Product Specification v1.0, 9.1, register 04: at 250 kbit/s 500 us or more, also where the
    // acknowledgement carries nothing. On the air it takes 130 us and 57 bits of 4 us: 358 us.
    for link in ["nrf24-250k", "nrf24-250k-raw"] {
        let told = refusal(&with(link, &[("retransmit_delay", "250us")])).expect("it is refused");
        assert!(told.contains("250 us is too short") && told.contains("9.1, SETUP_RETR"), "{told}");
        assert_eq!(refusal(&with(link, &[("retransmit_delay", "500us")])), None);
    }
    // At 2 Mbit/s, 130 us and 57 bits of 0.5 us are 158.5 us.
    assert_eq!(refusal(&with("nrf24-2m", &[("retransmit_delay", "250us")])), None);
    let slower = [("rate", "250kbit/s"), ("retransmit_delay", "250us")];
    assert!(refusal(&with("nrf24-2m", &slower)).is_some());
    // Nobody waits for an acknowledgement that nobody sends.
    let unanswered = [("retransmit_delay", "250us"), ("acknowledge", "false")];
    assert_eq!(refusal(&with("nrf24-250k", &unanswered)), None);
}

#[test]
fn lora_symbols_longer_than_16_ms_are_optimised_for_low_data_rates() {
    // SX1276/77/78/79 rev. 7, 4.1.1.6. A symbol has 2^SF chips of 1 / bandwidth: 2^10 / 62.5 kHz are
    // 16.384 ms, 2^9 are half of it.
    let of = |factor, optimised| {
        let factor = ("spreading_factor", factor);
        let settings = [("bandwidth", "62.5kHz"), factor, ("low_data_rate_optimize", optimised)];
        refusal(&with("lora-sf7-250k", &settings))
    };
    let told = of("10", "false").expect("it is refused");
    assert!(told.contains("a symbol of 16384 us") && told.contains("4.1.1.6"), "{told}");
    assert_eq!(of("10", "true"), None);
    assert_eq!(of("9", "false"), None);
    assert_eq!(of("9", "true"), None, "it may be used for any symbol");
}

#[test]
fn a_radio_of_802_15_4_has_the_bands_it_is_made_for() {
    // IEEE 802.15.4-2006, 6.1.2, table 1: BPSK at 868 and 915 MHz, O-QPSK at 2450.
    let of = |band, bands| refusal(&with("ieee802154-blind", &[("band", band), ("bands", bands)]));
    for (band, bands) in [("868", "2450"), ("915", "2450"), ("2450", "868-915")] {
        let told = of(band, bands).expect("it is refused");
        assert!(told.contains("`band`") && told.contains("6.1.2, table 1"), "{told}");
    }
    for (band, bands) in [("868", "868-915"), ("915", "868-915"), ("2450", "2450")] {
        assert_eq!(of(band, bands), None);
    }
}

#[test]
fn every_setting_worth_a_try_runs_or_is_refused_in_one_line() {
    let mut refused = Vec::new();
    for profile in all().expect("right files") {
        assert_eq!(refusal(profile), None, "{} as it is", profile.name);
        for knob in profile.kind.knobs() {
            for value in knob.candidates(profile).expect("it is a knob of this kind") {
                let mut changed = profile.clone();
                changed.set(knob.name.as_str(), value).expect("a knob has values that exist");
                if let Some(told) = refusal(&changed) {
                    assert!(!told.contains('\n'), "{told}");
                    refused.push(format!("{} {}={value}", profile.name, knob.name.as_str()));
                }
            }
        }
    }
    // A walk that meets no refusal walks past them.
    assert!(refused.contains(&"nrf24-250k retransmit_delay=250us".to_owned()), "{refused:?}");
}
