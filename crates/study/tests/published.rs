//! Links compared with published measurements, in a table that is stored next to this file.
//!
//! None of these figures was used to fit a profile, except where stated. Each row has its source,
//! the settings as far as the source states them, and the result of the bench. `AIRLAG_BLESS=1`
//! rewrites the table.

use std::fmt::Write as _;
use std::path::Path;

use crate::bench;

use airlag_rig::carry::Extent;
use airlag_sim::Duration;
use airlag_study::answers::traffic::Traffic;
use airlag_study::goodput;
use airlag_study::questions::bench::Settings;
use airlag_study::questions::run::{Question, answer};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/published.md");
const COUNT: usize = 400;

/// A figure of the bench that is compared with a published one.
enum Figure {
    /// From the 1 % to the 99 % quantile of the latency: within the published range.
    Range,
    /// Mean and standard deviation: the mean within the published deviation of the published mean.
    Mean,
    /// The mean: at least the published one.
    Least,
    /// Saturated goodput, kbit/s.
    Goodput,
    /// The mean current of the sending board without messages, mA.
    IdleMilliamperes,
    /// The mean current of the sending board without messages, uA.
    IdleMicroamperes,
}

struct Row {
    what: &'static str,
    source: &'static str,
    published: (f64, f64),
    link: &'static str,
    size: usize,
    traffic: Traffic,
    settings: &'static [(&'static str, &'static str)],
    figure: Figure,
}

const ROWS: [Row; 31] = [
    Row {
        what: "6LoWPAN ping, 12 B, one hop, ms",
        source: "RIOT, pull requests 22541 and 21674: 7.2 to 11.9",
        published: (7.0, 12.0),
        link: "thread-up-quick",
        size: 12,
        traffic: Traffic::Echo,
        settings: &[],
        figure: Figure::Mean,
    },
    Row {
        what: "6LoWPAN ping, 1032 B, one hop, ms",
        source: "RIOT, pull request 22541: 193 to 253; issue 16273, another stack: 141 to 149",
        published: (141.0, 253.0),
        link: "thread-up-quick",
        size: 1032,
        traffic: Traffic::Echo,
        settings: &[],
        figure: Figure::Range,
    },
    Row {
        what: "Thread, 512 B, three hops and back, ms",
        source: "connectedhomeip, issue 23600: the mean can exceed 260",
        published: (260.0, f64::INFINITY),
        link: "thread-up-quick",
        size: 512,
        traffic: Traffic::Echo,
        settings: &[("hops", "3")],
        figure: Figure::Least,
    },
    Row {
        what: "Thread ping, 8 B, EFR32, one hop, ms (fitted: serial_latency)",
        source: "docs.silabs.com, multi-PAN: 18 to 20",
        published: (18.0, 20.0),
        link: "thread-down-efr32",
        size: 8,
        traffic: Traffic::Echo,
        settings: &[],
        figure: Figure::Mean,
    },
    Row {
        what: "Zigbee, XBee ZB, one hop, without security, kbit/s (fitted: host_send)",
        source: "Digi, XBee ZigBee RF Modules User Guide, data throughput: 35",
        published: (34.5, 35.5),
        link: "zigbee",
        size: 84,
        traffic: Traffic::Trigger,
        settings: &[("security", "false")],
        figure: Figure::Goodput,
    },
    Row {
        what: "Zigbee, XBee ZB, one hop, with security, kbit/s (fitted: aes_block)",
        source: "Digi, XBee ZigBee RF Modules User Guide, data throughput: 19",
        published: (18.5, 19.5),
        link: "zigbee",
        size: 66,
        traffic: Traffic::Trigger,
        settings: &[],
        figure: Figure::Goodput,
    },
    Row {
        what: "Zigbee, XBee ZB, four hops, without security, kbit/s (fitted: stack_send, stack_receive)",
        source: "Digi, XBee ZigBee RF Modules User Guide, data throughput: 10",
        published: (9.5, 10.5),
        link: "zigbee",
        size: 84,
        traffic: Traffic::Trigger,
        settings: &[("hops", "4"), ("security", "false")],
        figure: Figure::Goodput,
    },
    Row {
        what: "Zigbee, XBee ZB, four hops, with security, kbit/s",
        source: "Digi, XBee ZigBee RF Modules User Guide, data throughput: 5",
        published: (4.5, 5.5),
        link: "zigbee",
        size: 66,
        traffic: Traffic::Trigger,
        settings: &[("hops", "4")],
        figure: Figure::Goodput,
    },
    Row {
        what: "Bluetooth LE, 750 us, 4 B (here 7) and back, ms (fitted: host_send, host_receive)",
        source: "Nordic, sample shorter_conn_intervals: twice 0.718 to 0.962, n = 6",
        published: (1.436, 1.924),
        link: "ble-sci-notify",
        size: 7,
        traffic: Traffic::Echo,
        settings: &[],
        figure: Figure::Mean,
    },
    Row {
        what: "Bluetooth LE, 1 ms, 4 B (here 7) and back, ms",
        source: "Nordic, sample shorter_conn_intervals: twice 0.630 to 1.161, n = 6",
        published: (1.260, 2.322),
        link: "ble-sci-notify",
        size: 7,
        traffic: Traffic::Echo,
        settings: &[("connection_interval", "1ms")],
        figure: Figure::Mean,
    },
    Row {
        what: "Bluetooth LE, low latency packet mode, 1 ms, 4 B (here 7) and back, ms",
        source: "Nordic, sample llpm: twice 1.083 to 1.235, n = 3, here 15 % to either side of their middle",
        published: (1.970, 2.666),
        link: "ble-llpm-notify",
        size: 7,
        traffic: Traffic::Echo,
        settings: &[],
        figure: Figure::Mean,
    },
    Row {
        what: "Enhanced ShockBurst, 1 B (here 7), core to core, ms",
        source: "arXiv 2509.06541: 0.312 ± 0.097, two nRF53",
        published: (0.215, 0.409),
        link: "nrf24-2m-ordinary",
        size: 7,
        traffic: Traffic::Trigger,
        settings: &[],
        figure: Figure::Range,
    },
    Row {
        what: "Enhanced ShockBurst, 1 B (here 7), core to core, ms (fitted: host_send, host_receive)",
        source: "arXiv 2509.06541: 0.312 ± 0.097, two nRF53",
        published: (0.215, 0.409),
        link: "esb-nrf52840-legacy",
        size: 7,
        traffic: Traffic::Trigger,
        settings: &[],
        figure: Figure::Mean,
    },
    Row {
        what: "Enhanced ShockBurst, 244 B, ms",
        source: "arXiv 2604.07188: 0.68, here 15 % to either side, two nRF54L15",
        published: (0.578, 0.782),
        link: "esb-nrf54l15",
        size: 244,
        traffic: Traffic::Trigger,
        settings: &[],
        figure: Figure::Mean,
    },
    Row {
        what: "Enhanced ShockBurst, 4 Mbit/s, 252 B, no acknowledgements, kbit/s (fitted: next_packet)",
        source: "Ezurio, BL54L15: 3300 sent, 3270 received",
        published: (3_270.0, 3_310.0),
        link: "esb-nrf54l15-unacknowledged",
        size: 252,
        traffic: Traffic::Trigger,
        settings: &[],
        figure: Figure::Goodput,
    },
    Row {
        what: "LoRaWAN, EU868, payload not stated (here 12 B), public network, ms (fitted: application)",
        source: "On the evaluation of application level delays in public LoRaWAN networks: mean of 400 to 700",
        published: (400.0, 700.0),
        link: "lorawan-eu868-unconfirmed",
        size: 12,
        traffic: Traffic::Trigger,
        settings: &[],
        figure: Figure::Mean,
    },
    Row {
        what: "LoRaWAN, EU868, SF7 (here 12 B), server at the gateway, ms",
        source: "WFCS 2019, Pötsch and Hammer: below 400 at low spreading factors",
        published: (0.0, 400.0),
        link: "lorawan-eu868-unconfirmed",
        size: 12,
        traffic: Traffic::Trigger,
        settings: &[("backhaul", "0ms"), ("backhaul_jitter", "0ms"), ("application", "50ms")],
        figure: Figure::Mean,
    },
    Row {
        what: "LoRaWAN, EU868, SF12 (here 12 B), server at the gateway, ms",
        source: "WFCS 2019, Pötsch and Hammer: well above 1000 at high spreading factors",
        published: (1_000.0, f64::INFINITY),
        link: "lorawan-eu868-unconfirmed",
        size: 12,
        traffic: Traffic::Trigger,
        settings: &[
            ("backhaul", "0ms"),
            ("backhaul_jitter", "0ms"),
            ("application", "50ms"),
            ("data_rate", "0"),
        ],
        figure: Figure::Least,
    },
    Row {
        what: "ESP-NOW, payload not stated (here 12 B and back), ms",
        source: "PMC10909231, table 2: 2.01 ± 0.82",
        published: (1.19, 2.83),
        link: "espnow-woken",
        size: 12,
        traffic: Traffic::Echo,
        settings: &[],
        figure: Figure::Mean,
    },
    Row {
        what: "ESP-NOW, payload not stated (here 250 B), ms",
        source: "PMC10909231, table 2: 3.19 ± 0.66",
        published: (2.53, 3.85),
        link: "espnow-woken",
        size: 250,
        traffic: Traffic::Trigger,
        settings: &[],
        figure: Figure::Mean,
    },
    Row {
        what: "ExpressLRS, 200 Hz, handset of 250 Hz out of step, ms",
        source: "OpenTX, issue 7017: around 6 at best, 12 or more at worst",
        published: (6.0, 12.0),
        link: "elrs-900-200hz",
        size: 7,
        traffic: Traffic::Trigger,
        settings: &[("handset", "free")],
        figure: Figure::Mean,
    },
    Row {
        what: "ExpressLRS, 1000 Hz, handset in step, ms",
        source: "ExpressLRS, pull request 1532: plots from 1 to 4",
        published: (1.0, 4.0),
        link: "elrs-2g4-f1000",
        size: 7,
        traffic: Traffic::Trigger,
        settings: &[],
        figure: Figure::Range,
    },
    Row {
        what: "Wi-Fi module ODIN-W2, 512 B and back, ms (fitted: decode, encode)",
        source: "SSL-A-Team, wiki 2026: median 5.676, here 15 % to either side",
        published: (4.825, 6.527),
        link: "wifi-module-odin-w2",
        size: 512,
        traffic: Traffic::Echo,
        settings: &[],
        figure: Figure::Mean,
    },
    Row {
        what: "Wi-Fi module NORA-W36, 512 B and back, ms (fitted: decode, encode)",
        source: "SSL-A-Team, wiki 2026: median 7.195, here 15 % to either side",
        published: (6.116, 8.274),
        link: "wifi-module-nora-w36",
        size: 512,
        traffic: Traffic::Echo,
        settings: &[],
        figure: Figure::Mean,
    },
    Row {
        what: "nRF24 ping, 12 B, ms",
        source: "RIOT, pull request 13743: 1.415",
        published: (1.13, 1.70),
        link: "nrf24-2m-ordinary",
        size: 12,
        traffic: Traffic::Echo,
        settings: &[("reply", "turn")],
        figure: Figure::Mean,
    },
    Row {
        what: "ESP32, modem sleep, DTIM 1, mA",
        source: "ESP-IDF, low-power guide: 31.12",
        published: (28.0, 34.2),
        link: "wifi-udp-default",
        size: 12,
        traffic: Traffic::Trigger,
        settings: &[("dtim_period", "1")],
        figure: Figure::IdleMilliamperes,
    },
    Row {
        what: "ESP32, modem sleep, DTIM 3, mA",
        source: "ESP-IDF, low-power guide: 28.81",
        published: (25.9, 31.7),
        link: "wifi-udp-default",
        size: 12,
        traffic: Traffic::Trigger,
        settings: &[("dtim_period", "3")],
        figure: Figure::IdleMilliamperes,
    },
    Row {
        what: "ESP32, modem sleep, DTIM 10, mA",
        source: "ESP-IDF, low-power guide: 29.66",
        published: (26.7, 32.6),
        link: "wifi-udp-default",
        size: 12,
        traffic: Traffic::Trigger,
        settings: &[("dtim_period", "10")],
        figure: Figure::IdleMilliamperes,
    },
    Row {
        what: "Bluetooth LE connection without data, 1 s at 1M, 0 dBm, uA (another chip)",
        source: "TI, SWRA793A, table 6-1: 7 for a CC2340R5, here 15 % to either side",
        published: (5.95, 8.05),
        link: "ble-nus-notify",
        size: 12,
        traffic: Traffic::Trigger,
        settings: &[("phy", "1M"), ("connection_interval", "1s")],
        figure: Figure::IdleMicroamperes,
    },
    Row {
        what: "Thread device, polls once a second, nRF52840, 0 dBm, uA",
        source: "Nordic, OpenThread power consumption: 1110 to 1263 uC per minute, here 15 % to either side",
        published: (15.73, 24.21),
        link: "thread-up-quick",
        size: 12,
        traffic: Traffic::Trigger,
        settings: &[("poll_period", "1s")],
        figure: Figure::IdleMicroamperes,
    },
    Row {
        what: "Thread device, CSL samples once a second, nRF52840, 0 dBm, uA (fitted: csl_software)",
        source: "Nordic, OpenThread power consumption: 1080 to 1115 uC per minute, here 15 % to either side",
        published: (15.30, 21.37),
        link: "thread-up-quick",
        size: 12,
        traffic: Traffic::Trigger,
        settings: &[("csl_period", "1s"), ("csl_timeout", "20s")],
        figure: Figure::IdleMicroamperes,
    },
];

impl Row {
    /// The bench's figures as text, and whether they are within the published range.
    fn held(&self) -> (String, bool) {
        if matches!(self.figure, Figure::Goodput) {
            let profile = bench::profile(self.link, self.settings);
            let extent = Extent::lasting(Duration::from_secs(2));
            let kbps = goodput(&profile, self.size, 1, extent).expect("it runs").kbps();
            let (low, high) = self.published;
            return (format!("{kbps:.0}"), (low..=high).contains(&kbps));
        }
        let settings = self.settings.iter();
        let settings: Settings =
            settings.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let question = Question {
            settings,
            traffic: self.traffic,
            count: COUNT,
            ..Question::of(self.link, Some(self.size))
        };
        let seen = answer(&question).expect("it can be run").answer.remove(0);
        let latency = seen.run.transfers.latency_ns.as_ref().expect("some arrive");
        let quantile = |p: &str| {
            let all = serde_json::to_value(latency).expect("numbers");
            all[p].as_f64().expect("a number") / 1e6
        };
        let (mean, std) = (latency.mean / 1e6, latency.std.unwrap_or(0.0) / 1e6);
        let (low, high) = self.published;
        match self.figure {
            Figure::Range => {
                let (p1, p99) = (quantile("p1"), quantile("p99"));
                (format!("{p1:.3} to {p99:.3}"), low <= p1 && p99 <= high)
            }
            Figure::Mean => (format!("{mean:.3} ± {std:.3}"), (low..=high).contains(&mean)),
            Figure::Least => (format!("mean {mean:.1}"), mean >= low),
            Figure::Goodput | Figure::IdleMilliamperes | Figure::IdleMicroamperes => {
                let ends = seen.run.charge.iter().flatten().next().map(|charge| &charge.ends);
                let sender = ends.and_then(|ends| ends.sender.as_ref()).expect("listed");
                let unit = if matches!(self.figure, Figure::IdleMicroamperes) { 1e3 } else { 1e6 };
                let idle = sender.idle_na / unit;
                (format!("{idle:.2}"), (low..=high).contains(&idle))
            }
        }
    }

    fn line(&self) -> (String, bool) {
        let (told, is_held) = self.held();
        let settings: Vec<String> =
            self.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mark = if is_held { "within" } else { "beside it" };
        let Self { what, source, link, size, .. } = self;
        let with = if settings.is_empty() { "as it is".to_owned() } else { settings.join(" ") };
        (format!("| {what} | {source} | `{link}`, {size} B, {with} | {told} | {mark} |\n"), is_held)
    }
}

#[test]
fn published_measurements_are_met_as_the_table_says() {
    let mut table =
        "| what | published | profile | bench | verdict |\n|---|---|---|---|---|\n".to_owned();
    let mut beside = String::new();
    for row in &ROWS {
        let (line, is_held) = row.line();
        table.push_str(&line);
        if !is_held {
            write!(beside, "{line}").expect("memory");
        }
    }
    if std::env::var_os("AIRLAG_BLESS").is_some() {
        std::fs::write(Path::new(TABLE), &table).expect("a table can be written");
    }
    let kept = std::fs::read_to_string(TABLE).expect("a table that is kept");
    assert_eq!(table, kept, "the table is another one: if it is better, bless it");
    assert!(beside.is_empty(), "{beside}");
}
