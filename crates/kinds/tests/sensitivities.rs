//! For each radio and rate, the distance with 1 % frame loss in free space corresponds to the
//! datasheet's sensitivity.

use airlag_air::PathLoss;
use airlag_air::quantity::{Db, Hertz, Metres};
use airlag_link::airtime::lora::{Bandwidth, SpreadingFactor};
use airlag_link::airtime::wifi::Rate;
use airlag_models::chip::sx127x::sensitivity::sensitivity as of_lora;
use airlag_models::stack::wifi::sensitivity::sensitivity as of_wifi;
use airlag_rig::places::apart;

use crate::bench::{bench, every, profile};

/// Largest deviation from the datasheet, dB: 0.1 % of bits and 1 % of frames are 1.9 dB apart for
/// the nRF24.
const WITHIN: f64 = 2.0;

/// Weakest signal, dBm, with 1 % loss of the frames that need most, computed from the fade margin
/// at a distance without loss.
fn weakest(link: &str, settings: &[(&str, &str)], size: usize, frequency: Hertz) -> f64 {
    let place = [("range", "10m"), ("environment", "free-space")];
    let link = profile(link, &[&place[..], settings].concat());
    let run = bench(&link, size, &every(2_000, 5), 1);
    let Db(margin) = run.fade_margin.expect("a frame was sent");
    let sent = apart(&link).expect("it is apart");
    let Db(loss) = PathLoss::FreeSpace.loss(Metres(10.0), frequency);
    sent.tx_power + sent.antenna_gain - loss - margin
}

fn close(what: &str, found: f64, listed: f64) {
    assert!((found - listed).abs() <= WITHIN, "{what}: {found:.2} dBm, listed {listed}");
}

#[test]
fn nrf24_at_each_rate() {
    // nRF24L01+ v1.0, 5.4: a bit error rate of 0.1 %. The rate setting includes its additional
    // loss.
    for link in ["nrf24-250k", "nrf24-2m"] {
        for (rate, dbm) in [("250", -94.0), ("1000", -85.0), ("2000", -82.0)] {
            let settings = [("rate", rate), ("retransmit_delay", "500us")];
            close(&format!("{link} {rate}"), weakest(link, &settings, 12, Hertz(2.5e9)), dbm);
        }
    }
}

#[test]
fn lora_at_each_spreading_factor_and_bandwidth() {
    for factor in &SpreadingFactor::ALL[1..] {
        for (bandwidth, khz) in
            [(Bandwidth::Khz125, "125"), (Bandwidth::Khz250, "250"), (Bandwidth::Khz500, "500")]
        {
            let optimised = factor.chips() * bandwidth.chip_ns() > 16_000_000;
            let exponent = factor.exponent().to_string();
            let settings = [
                ("spreading_factor", exponent.as_str()),
                ("bandwidth", khz),
                ("low_data_rate_optimize", if optimised { "on" } else { "off" }),
                ("disturbances", "0"),
            ];
            let listed = of_lora(*factor, bandwidth).expect("it is in the table").0;
            let found = weakest("lora-sf7-250k", &settings, 10, Hertz(915e6));
            close(&format!("SF{exponent} {khz} kHz"), found, listed);
        }
    }
}

#[test]
fn esp_now_at_each_rate_of_dsss_cck_and_ofdm() {
    for rate in Rate::ALL.into_iter().filter(|rate| !matches!(rate, Rate::Ht(..))) {
        let Some(listed) = of_wifi(rate) else { continue };
        let kbps = rate.kbps().to_string();
        let settings = [("rate", kbps.as_str()), ("beacons", "false")];
        close(&kbps, weakest("espnow", &settings, 200, Hertz(2.412e9)), listed.0);
    }
}

#[test]
fn wifi_at_each_mcs() {
    for (index, rate) in
        Rate::ALL.into_iter().filter(|rate| matches!(rate, Rate::Ht(..))).take(8).enumerate()
    {
        let listed = of_wifi(rate).expect("it is in the table").0;
        let mcs = index.to_string();
        let found = weakest("wifi-udp-tuned-woken", &[("mcs", &mcs)], 1_024, Hertz(2.437e9));
        close(&format!("MCS {mcs}"), found, listed);
        // ESP32-C6 v1.3, table 6-4.
        let younger = [-93.6, -92.4, -89.6, -86.2, -82.8, -78.8, -77.2, -75.6][index];
        let found = weakest("websocket-esp32c6", &[("mcs", &mcs)], 1_024, Hertz(2.437e9));
        close(&format!("ESP32-C6 MCS {mcs}"), found, younger);
    }
}

#[test]
fn radios_of_802_15_4() {
    // Frame loss of 1 % with 20 octets: ESP32-C6 v1.3, and nRF52840 v1.1 for Thread.
    close("ESP32-C6", weakest("ieee802154-blind", &[], 12, Hertz(2.405e9)), -104.0);
    close("nRF52840", weakest("thread-up", &[], 12, Hertz(2.405e9)), -100.0);
}

#[test]
fn sik_at_rates_of_its_table() {
    // Si4430/31/32-B1, table 3: a bit error rate of 0.1 % needs -104 dBm at 100 kbit/s and -101 dBm
    // at 125 kbit/s. Between rows of the table, the sensitivity scales with the rate: 64 and 96
    // kbit/s need 1.94 and 0.18 dB less than 100 kbit/s.
    for (rate, listed) in [("64", -104.0 - 1.94), ("96", -104.0 - 0.18), ("128", -101.0)] {
        let found = weakest("sik-64k", &[("air_rate", rate)], 12, Hertz(915e6));
        close(&format!("SiK {rate} kbit/s"), found, listed);
    }
}

#[test]
fn bluetooth_classic_at_the_basic_rate_and_both_enhanced_ones() {
    // ESP32 v5.2, tables 5-7 and 5-9: a bit error rate of 0.1 %, and of 0.01 % at the enhanced
    // rates. The sensitivity of the module with the chip of an HC-05 is -80 dBm; the differences
    // between its rates are those of the ESP32.
    for (packets, listed, of_module) in
        [("basic", -89.0, -80.0), ("edr2", -89.0, -80.0), ("edr3", -83.0, -74.0)]
    {
        let found = |link| weakest(link, &[("packets", packets)], 12, Hertz(2.441e9));
        close(&format!("ESP32 {packets}"), found("spp-esp32"), listed);
        close(&format!("HC-05 {packets}"), found("hc05-460800"), of_module);
    }
}
