//! The bench of LoRaWAN: times of its parts, waiting for uplinks, current of both classes, and the pace.

use crate::bench;
use airlag_kinds::registry;
use airlag_rig::{Options, Run, run};
use airlag_sim::Duration;
use airlag_study::charge::charge;
use airlag_study::timeline::timeline;
use airlag_study::{matched, pace};

/// Changes that leave nothing to chance.
const CERTAIN: [(&str, &str); 3] =
    [("gateway_poll", "0"), ("backhaul_jitter", "0"), ("trigger_entry", "0")];

fn traced(link: &str, changes: &[(&str, &str)], size: usize, every_ms: u64, count: usize) -> Run {
    let changes: Vec<_> = CERTAIN.iter().chain(changes).copied().collect();
    let profile = bench::profile(link, &changes);
    let options = Options { seed: 1, spans: true, ..Options::default() };
    run(&profile, size, &bench::every(every_ms, count), options).expect("the bench runs")
}

#[test]
fn an_uplink_takes_what_its_parts_take() {
    // MAC 1.5, start of the radio 0.422, 25 B at SF7, backhaul 20, deduplication 200, application 232 ms.
    for (link, air_us) in
        [("lorawan-eu868-unconfirmed", 61_696), ("lorawan-us915-confirmed", 61_696)]
    {
        let run = traced(link, &[], 12, 20_000, 5);
        let expected = 1_500_000 + 422_000 + air_us * 1_000 + (20 + 200 + 232) * 1_000_000;
        assert_eq!(bench::transfers(&run).latencies_ns(), [expected; 5], "{link}");
    }
    // Application 232, backhaul 20, 25 B at SF9, MAC 1.5 ms.
    let run = traced("lorawan-eu868-class-c", &[], 12, 20_000, 5);
    let expected = (232 + 20) * 1_000_000 + 205_824_000 + 1_500_000;
    assert_eq!(bench::transfers(&run).latencies_ns(), [expected; 5]);
}

#[test]
fn every_nanosecond_of_a_transfer_is_explained() {
    for (link, size, changes) in [
        ("lorawan-eu868-unconfirmed", 300, &[][..]),
        ("lorawan-eu868-confirmed", 12, &[("frame_loss", "0.2")]),
        ("lorawan-us915-confirmed", 300, &[("frame_loss", "0.2")]),
        ("lorawan-us915-unconfirmed", 12, &[("transmissions", "3")]),
        ("lorawan-eu868-class-c", 300, &[]),
        ("lorawan-eu868-class-c", 12, &[("class", "a"), ("report_period", "60s")]),
    ] {
        let run = traced(link, changes, size, 500_000, 10);
        let transfers = bench::transfers(&run);
        let mut explained = 0;
        for (&trigger, &completion) in transfers.trigger_ns.iter().zip(&transfers.completion_ns) {
            if completion == airlag_stats::NONE {
                continue;
            }
            let parts = timeline(&run, trigger, completion);
            let sum: i64 = parts.iter().map(|part| part.end_ns - part.begin_ns).sum();
            assert_eq!(sum, completion - trigger, "{link}");
            let other = parts.iter().filter(|part| part.name == "other");
            assert_eq!(other.count(), 0, "{link}: {parts:?}");
            explained += 1;
        }
        assert!(explained >= 8, "{link}: {explained}");
    }
}

#[test]
fn a_downlink_of_class_a_waits_for_the_next_report() {
    let changes = [("class", "a"), ("report_period", "60s")];
    let profile = bench::profile("lorawan-eu868-class-c", &changes);
    let run = run(&profile, 12, &pace::uniform(Duration::from_secs(600), 400), Options::default());
    let mut latencies = matched::transfers(&run.expect("it runs")).latencies_ns();
    assert_eq!(latencies.len(), 400);
    latencies.sort_unstable();
    let seconds = |nth: usize| latencies[nth] as f64 / 1e9;
    // The application, what remains of the period, uplink, window and downlink. What reaches the server until 0.3 s
    // after an uplink is sent in its window. Three deviations of a quantile of 400 are 4.5 s in the middle.
    assert!((0.8..2.0).contains(&seconds(0)), "{}", seconds(0));
    assert!((59.0..63.0).contains(&seconds(399)), "{}", seconds(399));
    assert!((seconds(199) - 31.0).abs() < 4.5, "{}", seconds(199));
}

#[test]
fn class_c_listens_all_the_time_and_class_a_sleeps() {
    let idle_ma = |link: &str, end: &str| {
        let profile = registry::find(link).expect("a link");
        let stimulus = pace::uniform(Duration::from_secs(60), 20);
        let ran = run(&profile, 12, &stimulus, Options::default()).expect("a run");
        let cost = charge(&profile, 12, 20, &ran.draws, Options::default()).expect("listed");
        let end = cost.ends.iter().find(|one| one.end == end).expect("it has a supply");
        end.idle_na / 1e6
    };
    let [a, c] = [
        idle_ma("lorawan-eu868-unconfirmed", "sender"),
        idle_ma("lorawan-eu868-class-c", "receiver"),
    ];
    assert!((0.002..0.01).contains(&a), "{a}");
    // The receiver of an SX1276: 11.5 mA.
    assert!((11.0..12.0).contains(&c), "{c}");
}

#[test]
fn messages_are_as_far_apart_as_the_link_is_occupied() {
    for (link, occupied_s) in [
        // Receive windows, 2.1 s; off times of 1 % of 62 ms, and of 10 % of 206 ms.
        ("lorawan-us915-unconfirmed", 2.0..2.2),
        ("lorawan-eu868-unconfirmed", 6.1..6.2),
        ("lorawan-eu868-class-c", 2.0..2.1),
    ] {
        let profile = registry::find(link).expect("a link");
        let occupied = pace::occupied(&profile, 12).expect("a cycle").as_ns() as f64 / 1e9;
        assert!(occupied_s.contains(&occupied), "{link}: {occupied}");
        let service = pace::service(&profile, 12, 1).expect("it runs").expect("something arrives");
        assert!(service.as_ns() as f64 / 1e9 >= occupied, "{link}");
        let period = pace::unhurried(Some(service));
        let ran = run(&profile, 12, &pace::uniform(period, 200), Options::default());
        let latencies = matched::transfers(&ran.expect("it runs")).latencies_ns();
        assert_eq!(latencies.len(), 200, "{link}");
        assert!(latencies.iter().all(|&ns| ns < 1_000_000_000), "{link}: none waits for another");
    }
}
