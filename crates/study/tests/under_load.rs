//! Two flows over both tunnels: the effect of an increasing bulk load on itself and on a sparse
//! flow.

use airlag_kinds::registry;
use airlag_rig::Profile;
use airlag_rig::carry::Extent;
use airlag_sim::Duration;
use airlag_stats::dist::quantiles;
use airlag_study::load::Rate;
use airlag_study::under_load::{Flow, Loaded, Point, Task};
use airlag_study::{Error, goodput, under_load};

fn profile(link: &str, settings: &[(&str, &str)]) -> Profile {
    let mut profile = registry::find(link).expect("it comes with airlag");
    for (name, value) in settings {
        profile.set(name, value).expect("a setting");
    }
    profile
}

/// Loads as shares of the saturated goodput of the tunnel, for ten seconds each.
fn task(parts: &[f64], seed: u64) -> Task {
    let offered = parts.iter().copied().map(Rate::Utilisation).collect();
    Task { offered, window: Duration::from_secs(10), seed }
}

fn loaded(link: &str, settings: &[(&str, &str)], parts: &[f64]) -> Loaded {
    let found = under_load(&[profile(link, settings)], &task(parts, 1), || ());
    found.expect("it runs").pop().expect("one tunnel")
}

fn p95_ms(flow: &Flow) -> f64 {
    quantiles(&flow.latencies_ns, &[0.95])[0] / 1e6
}

/// Asserts that far above its capacity, a tunnel still carries nearly its saturated goodput.
fn assert_full(point: &Point, limit_kbps: f64) {
    let share = point.goodput_kbps / limit_kbps;
    assert!(share > 0.95, "{} kbit/s offered: {share:.3} of the limit", point.offered_kbps);
    assert!(share < 1.01, "{} kbit/s offered: {share:.3} of the limit", point.offered_kbps);
}

#[test]
fn a_sparse_flow_beside_a_full_one_is_there_within_60_ms() {
    for settings in [&[][..], &[("frame_loss", "0.1")]] {
        let found = loaded("tunnel", settings, &[2.0, 10.0]);
        for point in &found.points {
            assert_full(point, found.limit.kbps());
            assert_eq!((point.sparse.offered, point.sparse.lost()), (100, 0));
            let p95 = p95_ms(&point.sparse);
            assert!(p95 < 60.0, "{settings:?}, {} kbit/s: {p95:.1} ms", point.offered_kbps);
            assert!(point.bulk.lost() > 0, "more is offered than goes through");
        }
    }
}

#[test]
fn in_one_queue_everything_waits_for_seconds() {
    let found = loaded("tunnel-naive", &[], &[2.0, 10.0]);
    for point in &found.points {
        assert_full(point, found.limit.kbps());
        let p95 = p95_ms(&point.sparse);
        assert!(p95 > 1_000.0, "{} kbit/s: {p95:.0} ms", point.offered_kbps);
    }
}

/// As in the published measurement, the bulk arrives later than intended by the time in which the
/// link carries the excess, as long as its queue of 500 packets suffices. The sparse packets, which
/// that measurement did not have, take their share.
#[test]
fn beyond_its_limit_the_naive_tunnel_takes_longer_in_a_straight_line() {
    let found = loaded("tunnel-naive", &[], &[1.3, 1.6, 2.0, 2.5]);
    let sparse = goodput(&profile("tunnel-naive", &[]), 36, 1, Extent::of(200)).expect("it runs");
    let each_s = 36.0 * 8.0 / (sparse.kbps() * 1e3);
    for point in &found.points {
        let bulk_s = 10.0 * (point.offered_kbps / found.limit.kbps() - 1.0);
        let line = bulk_s + point.sparse.offered as f64 * each_s;
        let took = point.completion_excess.expect("some came").as_ns() as f64 / 1e9;
        assert!((took - line).abs() < 0.05 * line, "{took:.2} s, the line {line:.2} s");
        assert_eq!(point.bulk.lost(), 0);
    }
}

#[test]
fn below_the_limit_all_of_it_arrives_and_nothing_waits_long() {
    for (link, p95_at_most) in [("tunnel", 60.0), ("tunnel-naive", 200.0)] {
        let found = loaded(link, &[], &[0.2, 0.5, 0.8]);
        for point in &found.points {
            let share = point.goodput_kbps / point.offered_kbps;
            // One of a few dozen packets may be in flight at the end.
            assert!((share - 1.0).abs() < 0.05, "{link}: {share:.3} of {}", point.offered_kbps);
            assert_eq!(point.bulk.lost() + point.sparse.lost(), 0, "{link}");
            let p95 = p95_ms(&point.sparse);
            assert!(p95 < p95_at_most, "{link}, {} kbit/s: {p95:.1} ms", point.offered_kbps);
        }
    }
}

#[test]
fn one_seed_has_one_answer_however_many_are_asked_at_once() {
    let lossy = profile("tunnel", &[("frame_loss", "0.05")]);
    let both = [lossy.clone(), profile("tunnel-naive", &[])];
    let asked = Task { window: Duration::from_secs(2), ..task(&[0.5, 3.0], 7) };
    let once = under_load(&both, &asked, || ()).expect("it runs");
    let alone = under_load(std::slice::from_ref(&lossy), &asked, || ()).expect("it runs");
    assert_eq!(once[0], alone[0]);
    let other = under_load(&[lossy], &Task { seed: 8, ..asked }, || ()).expect("it runs");
    assert_ne!(other[0].points, alone[0].points);
}

#[test]
fn a_link_that_is_no_tunnel_says_so() {
    let refused = under_load(&[profile("nrf24-2m", &[])], &task(&[1.0], 1), || ());
    assert_eq!(refused, Err(Error::NoPackets { link: "nrf24-2m".to_owned() }));
}
