//! Prohibitions of datasheets and standards, transcribed independently of the bench.

use airlag_rig::Profile;
use airlag_rig::parameter::Value;

fn value<'a>(profile: &'a Profile, name: &str) -> &'a Value {
    &profile.parameters.get(name).unwrap_or_else(|| panic!("{}: {name}", profile.name)).value
}

fn number(profile: &Profile, name: &str) -> f64 {
    value(profile, name).number().unwrap_or_else(|| panic!("{}: {name}", profile.name))
}

fn text(profile: &Profile, name: &str) -> String {
    match value(profile, name) {
        Value::Choice(choice) => choice.clone(),
        other => panic!("{}: {name} is {other}", profile.name),
    }
}

fn is_on(profile: &Profile, name: &str) -> bool {
    *value(profile, name) == Value::Flag(true)
}

/// The clause that `profile` breaks. `None` if it breaks none.
pub fn broken(profile: &Profile) -> Option<&'static str> {
    match profile.kind.name() {
        "nrf24" => nrf24(profile),
        "tunnel-naive" => naive(profile),
        "lora" => lora(profile),
        "lorawan" => lorawan(profile),
        "ble" => ble(profile),
        "ieee802154" | "thread" => ieee802154(profile),
        "espnow" => espnow(profile),
        "wifi" => wifi(profile),
        _ => None,
    }
}

/// The clause that `turned` breaks and `profile` did not: a profile may reproduce a measured bench
/// that broke one.
pub fn newly_broken(profile: &Profile, turned: &Profile) -> Option<&'static str> {
    broken(turned).filter(|clause| broken(profile) != Some(clause))
}

fn nrf24(profile: &Profile) -> Option<&'static str> {
    let slow = text(profile, "rate") == "250";
    let delay = number(profile, "retransmit_delay");
    if text(profile, "reply") == "ack-payload" {
        if !is_on(profile, "acknowledge") {
            return Some("nRF24L01+ v1.0, 7.5.2: payloads go with acknowledgements");
        }
        // If payloads have the length of the message, there is no fixed size, and at least one byte
        // counts.
        let least = match (slow, text(profile, "payload").as_str()) {
            (true, "exact") => 750.0,
            (true, _) => 1_500.0,
            (false, "exact") => 250.0,
            (false, _) => 500.0,
        };
        return (delay < least)
            .then_some("nRF24L01+ v1.0, 7.4.2: the delay of an acknowledgement with a payload");
    }
    (is_on(profile, "acknowledge") && slow && delay < 500.0)
        .then_some("nRF24L01+ v1.0, 9.1, SETUP_RETR: 500 us or more at 250 kbit/s")
}

/// Acknowledgements with up to 32 B.
fn naive(profile: &Profile) -> Option<&'static str> {
    let least = if text(profile, "rate") == "250" { 1_500.0 } else { 500.0 };
    (number(profile, "retransmit_delay") < least)
        .then_some("nRF24L01+ v1.0, 7.4.2: the delay of an acknowledgement with 32 B")
}

fn lora(profile: &Profile) -> Option<&'static str> {
    let (factor, khz) = (number(profile, "spreading_factor"), text(profile, "bandwidth"));
    let symbol_ms = factor.exp2() / khz.parse::<f64>().expect("a number");
    if symbol_ms > 16.0 && text(profile, "low_data_rate_optimize") == "off" {
        return Some("SX1276 rev. 7, 4.1.1.6: low data rate optimisation above 16 ms");
    }
    if factor == 6.0 && text(profile, "header") == "explicit" {
        return Some("SX1276 rev. 7, 4.1.1.2: implicit headers at SF6");
    }
    let wide = ["250", "500"].contains(&khz.as_str());
    if wide && number(profile, "frequency") < 400e6 {
        return Some("SX1276 rev. 7, 4.1.1.4: no 250 or 500 kHz below 400 MHz");
    }
    (number(profile, "preamble") < 6.0).then_some("SX1276 rev. 7, 4.1.1.6: 6 symbols or more")
}

fn lorawan(profile: &Profile) -> Option<&'static str> {
    let [uplink, second] = ["data_rate", "second_window_data_rate"].map(|one| number(profile, one));
    let is_one = match text(profile, "plan").as_str() {
        "eu868" => uplink <= 5.0 && second <= 5.0,
        _ => uplink <= 4.0 && (8.0..=13.0).contains(&second),
    };
    if !is_one {
        return Some("RP002: data rates of the channel plan");
    }
    let reports = number(profile, "report_period") > 0.0;
    if text(profile, "direction") == "down" && text(profile, "class") == "a" && !reports {
        return Some("LoRaWAN 1.0.4, 3.3: class A receives after its uplinks");
    }
    None
}

fn ble(profile: &Profile) -> Option<&'static str> {
    let interval_us = number(profile, "connection_interval");
    let on_grid = |low: f64, high: f64, step: f64| {
        (low..=high).contains(&interval_us) && interval_us % step == 0.0
    };
    let (baseline, values) = (on_grid(7_500.0, 4e6, 1_250.0), text(profile, "interval_values"));
    match values.as_str() {
        "extended" if !on_grid(375.0, 4e6, 125.0) => {
            return Some("Core 6.2, 6.B.4.5.1: 375 us to 4 s in steps of 125 us");
        }
        "low-latency" if !baseline && !on_grid(1_000.0, 7_000.0, 1_000.0) => {
            return Some("nrfxlib, hci_vs_cmd_conn_update_t: 1 to 7 ms in steps of 1 ms");
        }
        "baseline" if !baseline => {
            return Some("Core 5.4, 6.B.4.5.1: 7.5 ms to 4 s in steps of 1.25 ms");
        }
        _ => {}
    }
    let skipped = number(profile, "latency");
    let longest_ms = (1.0 + skipped) * interval_us / 1_000.0 * 2.0;
    if number(profile, "supervision_timeout") <= longest_ms {
        return Some("Core 5.4, 6.B.4.5.2: a supervision timeout above two effective intervals");
    }
    (number(profile, "chunk") > number(profile, "mtu") - 3.0)
        .then_some("Core 5.4, 3.F.3.4: a value and its 3 B fit the MTU")
}

fn ieee802154(profile: &Profile) -> Option<&'static str> {
    if profile.parameters.contains_key("csma") && !is_on(profile, "csma") {
        return Some("IEEE 802.15.4-2006, 7.5.1.4: CSMA-CA before a data frame");
    }
    if !is_on(profile, "interframe_space") {
        return Some("IEEE 802.15.4-2006, 7.5.1.3: a space between frames");
    }
    let ends = ["min_be", "max_be"].map(|name| number(profile, name));
    (ends[0] > ends[1]).then_some("IEEE 802.15.4-2006, table 86: macMinBE up to macMaxBE")
}

fn espnow(profile: &Profile) -> Option<&'static str> {
    (number(profile, "cw_min") > number(profile, "cw_max"))
        .then_some("IEEE 802.11-2012, 9.3.3: CWmin up to CWmax")
}

fn wifi(profile: &Profile) -> Option<&'static str> {
    (number(profile, "aifsn") < 2.0)
        .then_some("IEEE 802.11-2012, 8.4.2.31: an AIFSN of 2 or more where no access point sends")
}
