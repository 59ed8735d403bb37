//! Links with neighbours on the same air: overlapping frames, capture, and carrier sense.

use airlag_kinds::registry;
use airlag_rig::carry::{Extent, saturate};
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Profile, Run, Stimulus, run};
use airlag_sim::Duration;
use airlag_stats::pair::{PairOptions, pair};

/// Every kind with a radio, its shortest period here, and a Wi-Fi channel that overlaps with it.
const LINKS: [(&str, u64, u8); 10] = [
    ("ieee802154-blind", 50, 1),
    ("ieee802154-ack", 50, 1),
    ("espnow", 50, 1),
    ("nrf24-2m", 50, 6),
    ("ble-nus-notify", 100, 6),
    ("lora-sf7-250k", 250, 6),
    ("sik-64k", 250, 6),
    ("wifi-udp-tuned", 50, 6),
    ("hc05-460800", 100, 6),
    ("spp-esp32", 100, 6),
];

fn with(link: &str, settings: &[(&str, &str)]) -> Profile {
    let mut profile = registry::find(link).unwrap_or_else(|error| panic!("{error}"));
    for (name, value) in settings {
        profile.set(name, value).unwrap_or_else(|error| panic!("{error}"));
    }
    profile
}

fn beside(link: &str, neighbours: &str) -> Profile {
    with(link, &[("neighbours", neighbours)])
}

/// 12-byte messages at random times in their periods.
fn ran(profile: &Profile, period_ms: u64, count: usize, seed: u64) -> Run {
    let stimulus = Periodic::new(Duration::from_ms(period_ms), count).asynchronous();
    let options = Options { seed, ..Options::default() };
    let run = run(profile, 12, &Stimulus::Periodic(stimulus), options);
    run.unwrap_or_else(|error| panic!("{error}"))
}

fn delivered(profile: &Profile, period_ms: u64, count: usize) -> f64 {
    let run = ran(profile, period_ms, count, 3);
    f64::from(run.received.messages) / f64::from(run.sent.messages)
}

#[test]
fn nobody_beside_a_link_changes_nothing() {
    for (link, period, _) in LINKS {
        let alone = registry::find(link).expect(link);
        assert_eq!(ran(&alone, period, 20, 1), ran(&beside(link, ""), period, 20, 1), "{link}");
    }
}

#[test]
fn what_is_on_the_air_elsewhere_changes_no_instant() {
    // Wi-Fi channel 13 ends at 2483 MHz, and channel 1 at 2423 MHz. 802.15.4 and ESP-NOW use their
    // first channels, below 2424 MHz; the nRF24 uses 2476 MHz.
    let above = ["wifi:60%@ch13", "802154:50%@ch26,1m", "wifi:30%@ch13,1m; 802154:5%@ch24"];
    let below = ["wifi:60%@ch1", "802154:50%@ch11,1m", "wifi:30%@ch1,1m; 802154:5%@ch12"];
    for (link, elsewhere) in [
        ("ieee802154-ack", above),
        ("espnow", above),
        ("nrf24-2m", below),
        ("lora-sf7-250k", above),
    ] {
        let alone = ran(&registry::find(link).expect(link), 50, 50, 1);
        for others in elsewhere {
            assert_eq!(ran(&beside(link, others), 50, 50, 1), alone, "{link} {others}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_run_among_others() {
    for (link, period, channel) in LINKS {
        let profile = beside(link, &format!("wifi:30%@ch{channel},1m; ble:2"));
        let (one, again) = (ran(&profile, period, 20, 7), ran(&profile, period, 20, 7));
        assert_eq!(one, again, "{link}");
    }
}

#[test]
fn a_loud_neighbour_loses_frames_of_who_does_not_look_and_a_faint_one_none() {
    let channel = [("channel", "37"), ("acknowledge", "false")];
    for (link, settings, wifi) in
        [("ieee802154-blind", &[][..], 1), ("nrf24-2m-raw", &channel[..], 6)]
    {
        let among = |distance: &str| {
            let others = format!("wifi:60%@ch{wifi},{distance}");
            delivered(
                &with(link, &[settings, &[("neighbours", others.as_str())]].concat()),
                50,
                400,
            )
        };
        let (near, far) = (among("20cm"), among("3km"));
        assert!(near < 0.9, "{link}: {near}");
        assert!(far > 0.995, "{link}: {far}");
    }
}

#[test]
fn who_waits_for_a_clear_channel_loses_less_and_takes_longer() {
    let wifi = ("neighbours", "wifi:30%@ch1,20cm");
    let csma = |on| delivered(&with("ieee802154-blind", &[("csma", on), wifi]), 50, 3_000);
    let (blind, polite) = (csma("false"), csma("true"));
    assert!(polite > blind, "{polite} and {blind}");
    // Mode 1 senses Wi-Fi and gives up in permanent traffic; mode 2 senses frames of its own kind.
    let given_up = |cca| {
        let full = ("neighbours", "wifi:90%@ch1,20cm");
        let profile = with("ieee802154-blind", &[("csma", "true"), ("cca", cca), full]);
        let run = ran(&profile, 50, 400, 3);
        run.incidents.get("channel access failure").copied().unwrap_or(0)
    };
    let modes = ["energy", "carrier", "either"].map(given_up);
    assert!(modes[0] > 10 && modes[1] == 0 && modes[2] > 10, "{modes:?} of 400");

    let count = |profile| ran(&profile, 50, 200, 3).incidents.get("deferral").copied().unwrap_or(0);
    let (alone, among) = (count(beside("espnow", "")), count(beside("espnow", "wifi:60%@ch1")));
    assert!(among > alone + 50, "{among} and {alone} deferrals");
    // A signal from 3 km away arrives at -90 dBm, below the threshold for a busy channel.
    assert_eq!(count(beside("espnow", "wifi:60%@ch1,3km")), alone);
}

/// Without carrier sense, a frame of duration T survives N others of the same duration, each at a
/// random time in a period P, if none begins within T before it or during it: (1 - 2 T / P)^N,
/// which for large N is the exp(-2 G) of pure ALOHA (Abramson, "The ALOHA system", AFIPS 1970). If
/// it is 6 dB stronger, only frames that a receiver is already reading matter: (1 - T / P)^N,
/// capture as in Bor et al., MSWiM 2016.
#[test]
fn lora_among_its_own_is_aloha_and_captures_what_is_stronger() {
    // SF7, 250 kHz, 12 B of payload: 21.1 ms minus the pauses (docs/links/lora.md); 25 pairs in
    // 2 s.
    let (t, period, pairs): (f64, _, _) = (20.6, 2_000, 25);
    let share = |distance: &str| {
        let profile = beside("lora-sf7-250k", &format!("same-link:{pairs},{distance}"));
        delivered(&profile, period, 600)
    };
    let (equal, weaker) = (share("1m"), share("10m"));
    let aloha = (1.0 - 2.0 * t / period as f64).powi(pairs);
    let captured = (1.0 - t / period as f64).powi(pairs);
    // Four standard errors of 600 messages: 0.08.
    assert!((equal - aloha).abs() < 0.08, "{equal}, ALOHA {aloha}");
    assert!((weaker - captured).abs() < 0.08, "{weaker}, with capture {captured}");
}

#[test]
fn pairs_that_contend_share_what_one_had() {
    let rate = |neighbours: &str| {
        let profile = beside("espnow", neighbours);
        let carried = saturate(&profile, 200, 1, Extent::of(200)).expect("a stream").carried;
        carried.delivered as f64 / carried.last.since(carried.first).as_ns() as f64
    };
    let (alone, one, three) = (rate(""), rate("same-link:1"), rate("same-link:3"));
    assert!(one < 0.75 * alone && three < one, "{alone} {one} {three}");
    assert!(three > alone / 8.0, "{three} of {alone}");
}

#[test]
fn a_connection_that_leaves_the_channels_of_others_carries_more() {
    let rate = |adaptive: &str| {
        let settings = [("neighbours", "wifi:90%@ch6,1m"), ("adaptive_hopping", adaptive)];
        let profile = with("ble-nus-notify", &settings);
        let carried = saturate(&profile, 200, 1, Extent::of(20_000)).expect("a stream").carried;
        carried.delivered as f64 / carried.last.since(carried.first).as_ns() as f64
    };
    let (all, some) = (rate("false"), rate("true"));
    // Eleven of the 37 channels are within the 22 MHz; connection events on these may end early.
    assert!(some > 1.02 * all, "{some} and {all}");
}

#[test]
fn bluetooth_classic_repeats_what_a_near_neighbour_destroys_on_its_channels() {
    for link in ["hc05-460800", "spp-esp32-woken"] {
        let mean_ms = |distance: &str| {
            let neighbours = format!("wifi:90%@ch6,{distance}");
            // No loss at close range, and no scans.
            let quiet = [("frame_loss", "0"), ("scan_windows", "0"), ("neighbours", &neighbours)];
            let run = ran(&with(link, &quiet), 100, 400, 3);
            assert_eq!(run.received.messages, run.sent.messages, "{link} {neighbours}");
            let found = pair(&run.trace, PairOptions::default()).latencies_ns();
            found.iter().sum::<i64>() as f64 / 1e6 / found.len() as f64
        };
        let [near, far, nowhere] = ["1m", "3km", "300km"].map(mean_ms);
        // A quarter of the hops are within the 22 MHz; a lost packet costs a pair of slots or more.
        assert!(near > far + 0.2, "{link}: {near} ms, {far} far away");
        assert_eq!(far, nowhere, "{link}");
    }
}

#[test]
fn what_cannot_be_beside_a_link_is_told() {
    let refusal = |link: &str, neighbours| {
        let mut profile = registry::find(link).expect(link);
        profile.set("neighbours", neighbours).expect_err("wrong").to_string()
    };
    assert_eq!(
        refusal("uart-115200-irq", "ble:3"),
        "uart-115200-irq has no radio on this bench, so it cannot have neighbours; choose a link with a radio"
    );
    assert_eq!(
        refusal("espnow", "wifi:30%"),
        "espnow: `neighbours`: `wifi:30%`: its channel is 1 to 13, as in wifi:30%@ch6"
    );
    assert_eq!(
        refusal("thread-up", "same-lin:2"),
        "thread-up: `neighbours`: `same-lin:2`: no such neighbour; did you mean `wifi`, as in \
         wifi:30%@ch6, ble:3, 802154:10%@ch18?"
    );
}
