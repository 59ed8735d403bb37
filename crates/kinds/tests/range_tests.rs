//! Range tests that manufacturers and users published, compared with the simulated range of the
//! same radio.
//!
//! `docs/range.md` contains the table; its rows are checked against these results.

use airlag_air::quantity::Hertz;
use airlag_rig::places::apart;

use crate::bench::{bench, every, profile};

/// A published test.
struct Published {
    /// Name on the page.
    radio: &'static str,
    link: &'static str,
    /// Power, antennas and heights, as published or as assumed.
    settings: &'static [(&'static str, &'static str)],
    environment: &'static str,
    frequency: Hertz,
    /// Share of frames lost at the end of the test.
    lost: f64,
    /// Distance reached.
    metres: f64,
    /// Whether the result may be outside the tenth to ninetieth percentile of locations.
    outside: bool,
}

const GHZ: Hertz = Hertz(2.44e9);

const TESTS: [Published; 11] = [
    Published {
        radio: "ESP-NOW, two ESP32 boards",
        link: "espnow",
        settings: &[("antenna_gain", "-10")],
        environment: "outdoor",
        frequency: GHZ,
        lost: 0.01,
        metres: 220.0,
        outside: false,
    },
    Published {
        radio: "ESP-NOW, long range",
        link: "espnow-lr",
        settings: &[("antenna_gain", "-10")],
        environment: "outdoor",
        frequency: GHZ,
        lost: 0.5,
        metres: 500.0,
        outside: false,
    },
    Published {
        radio: "nRF24L01+, 0 dBm, one 20 m up",
        link: "nrf24-2m",
        settings: &[("rate", "1000"), ("antenna_height", "5.5")],
        environment: "outdoor",
        frequency: GHZ,
        lost: 0.5,
        metres: 450.0,
        outside: true,
    },
    Published {
        radio: "nRF24L01+ with PA and LNA",
        link: "nrf24-250k",
        settings: &[("tx_power", "20"), ("antenna_gain", "4"), ("noise_figure", "10")],
        environment: "outdoor",
        frequency: GHZ,
        lost: 0.5,
        metres: 1_000.0,
        outside: false,
    },
    Published {
        radio: "nRF24L01+ with PA and LNA, to a hill",
        link: "nrf24-250k",
        settings: &[("tx_power", "20"), ("antenna_gain", "4"), ("noise_figure", "10")],
        environment: "free-space",
        frequency: GHZ,
        lost: 0.5,
        metres: 7_020.0,
        outside: true,
    },
    Published {
        radio: "XBee-PRO, 60 mW, in a city",
        link: "ieee802154-blind",
        settings: &[("tx_power", "18"), ("noise_figure", "10.5")],
        environment: "urban",
        frequency: GHZ,
        lost: 0.01,
        metres: 30.0,
        outside: true,
    },
    Published {
        radio: "LoRa SF12, 14 dBm, a car",
        link: "lora-sf7-250k",
        settings: SF12,
        environment: "outdoor",
        frequency: Hertz(868e6),
        lost: 0.7,
        metres: 15_000.0,
        outside: true,
    },
    Published {
        radio: "LoRa SF12, 14 dBm, a boat",
        link: "lora-sf7-250k",
        settings: SF12,
        environment: "outdoor",
        frequency: Hertz(868e6),
        lost: 0.4,
        metres: 30_000.0,
        outside: false,
    },
    Published {
        radio: "SiK, 100 mW, better than",
        link: "sik-64k",
        settings: &[],
        environment: "outdoor",
        frequency: Hertz(915e6),
        lost: 0.01,
        metres: 300.0,
        outside: true,
    },
    Published {
        radio: "nRF24L01+, 0 dBm, in a garage",
        link: "nrf24-250k",
        settings: &[("antenna_gain", "-10")],
        environment: "shop",
        frequency: GHZ,
        lost: 0.01,
        metres: 15.0,
        outside: false,
    },
    Published {
        radio: "RN-42, with the chip of an HC-05, up to",
        link: "hc05-460800",
        settings: &[("antenna_gain", "-10")],
        environment: "outdoor",
        frequency: GHZ,
        lost: 0.01,
        metres: 20.0,
        outside: false,
    },
];

/// A base station at 24 m and a node at 2 m, which is equivalent to two nodes at 7 m.
const SF12: &[(&str, &str)] = &[
    ("frequency", "868000000"),
    ("spreading_factor", "12"),
    ("bandwidth", "125kHz"),
    ("low_data_rate_optimize", "on"),
    ("disturbances", "0"),
    ("antenna_height", "7"),
    ("antenna_gain", "2"),
];

/// Standard deviations from the mean exceeded by one location in ten on either side.
const TENTH: f64 = 1.281_55;

/// Distances that nine, five and one of ten locations reach, m.
fn reaches(test: &Published) -> [f64; 3] {
    let place = [("range", "10m"), ("environment", test.environment)];
    let link = profile(test.link, &[&place[..], test.settings].concat());
    let run = bench(&link, 12, &every(10_000, 3), 1);
    let margin = run.fade_margin.expect("a frame was sent");
    let propagation = apart(&link).expect("it is apart");
    [TENTH, 0.0, -TENTH].map(|worse| propagation.reach(margin, test.frequency, worse, test.lost).0)
}

/// Formats a distance with two digits.
fn two_digits(metres: f64) -> String {
    let step = 10_f64.powf(metres.log10().floor() - 1.0);
    let rounded = (metres / step).round() * step;
    if rounded < 1_000.0 { format!("{rounded:.0} m") } else { format!("{:.1} km", rounded / 1e3) }
}

#[test]
fn what_was_published_lies_where_eight_of_ten_places_end_or_the_page_says_why_not() {
    let page = std::fs::read_to_string("../../docs/range.md").expect("a page");
    let mut wrong = Vec::new();
    for test in &TESTS {
        let [low, middle, high] = reaches(test);
        let row = format!(
            "| {} | {} | {} | {} | {} | {} |",
            test.radio,
            test.environment,
            two_digits(test.metres),
            two_digits(low),
            two_digits(middle),
            two_digits(high)
        );
        let inside = (low..=high).contains(&test.metres);
        if inside == test.outside {
            wrong.push(format!("inside: {inside}: {row}"));
        }
        if !page.contains(&row) {
            wrong.push(format!("docs/range.md has not: {row}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
