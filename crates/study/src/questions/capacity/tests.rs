use super::*;
use crate::question::SILENT;

fn of(json: &str) -> Result<Answer, Error> {
    let question = serde_json::from_str(json).expect("a question");
    answer(&question, SILENT).map(|answered| answered.answer)
}

/// Differences of simulated and predicted shares, with the share of each.
fn beside(found: &Answer) -> Vec<[f64; 2]> {
    let groups = found.points.iter().flat_map(|point| &point.groups);
    groups.map(|one| [one.delivered_share, one.predicted_share]).collect()
}

#[test]
fn every_spreading_factor_is_beside_its_formula() {
    let found = of(r#"{"devices": [1200, 6000], "reception": "collisions"}"#).expect("an answer");
    assert_eq!((found.points.len(), found.formula), (2, Formula::PureAloha));
    for point in &found.points {
        assert_eq!(point.groups.iter().map(|one| one.delivered).sum::<u64>(), point.delivered);
        assert_eq!(point.groups.len(), 6);
        assert_eq!(point.groups[0].name, "SF7");
    }
    // 1,200 messages and more: five standard deviations are 7 points at most.
    for [simulated, predicted] in beside(&found) {
        assert!((simulated - predicted).abs() < 0.07, "{simulated} {predicted}");
    }
    let shares: Vec<f64> = found.points.iter().map(|point| point.delivered_share).collect();
    assert!(shares[0] > shares[1], "{shares:?}");
}

#[test]
fn tags_are_beside_pure_aloha() {
    let found = of(r#"{"network": "ble", "devices": [100, 1000], "reception": "collisions"}"#)
        .expect("an answer");
    // 6,000 events and more: five standard deviations are 3 points.
    for [simulated, predicted] in beside(&found) {
        assert!((simulated - predicted).abs() < 0.03, "{simulated} {predicted}");
    }
    let [few, many] = &found.points[..] else { panic!("{found:?}") };
    let p99 = |point: &Point| point.update_interval.as_ref().map(|times| times.p99_ns);
    assert!(p99(few) < p99(many) && few.latency.is_none() && few.receptions.is_some());
    assert_eq!((found.network.size, found.network.acknowledged), (Some(31), None));
}

#[test]
fn carrier_sense_is_beside_its_formula() {
    for acknowledged in [false, true] {
        let found = of(&format!(
            r#"{{"network": "ieee802154", "reception": "collisions", "acknowledged": {acknowledged},
                 "devices": [10, 100, 200, 300], "duration_ns": 30000000000}}"#
        ))
        .expect("an answer");
        assert_eq!(found.formula, Formula::Csma);
        for [simulated, predicted] in beside(&found) {
            assert!((simulated - predicted).abs() < 0.03, "{simulated} {predicted}");
        }
        let last = &found.points[3];
        let frames = last.frames_per_message.expect("with a coordinator");
        assert!(if acknowledged { frames > 1.1 } else { frames <= 1.0 }, "{frames}");
        assert!(last.latency.is_some() && last.receptions.is_none());
    }
}

#[test]
fn a_network_that_no_device_could_be_part_of_is_refused() {
    for (json, cause) in [
        (r#"{"size": 52}"#, "size is 52, but must be 1 to 51"),
        (r#"{"size": 243, "spreading_factors": "sf7"}"#, "size is 243, but must be 1 to 242"),
        (r#"{"channels": 9}"#, "channels is 9, but must be 1 to 8"),
        (r#"{"devices": [0]}"#, "devices is 0, but must be 1 to 1000000"),
        (r#"{"gateways": 0}"#, "gateways is 0, but must be 1 to 10000"),
        (r#"{"radius_m": 0.0}"#, "radius_m is 0, but must be 1 to 1000000"),
        (
            r#"{"devices": [1000000], "period_ns": 2000000000}"#,
            "the number of messages is 1800000000, but must be at most 100000000; shorten the duration",
        ),
        (r#"{"network": "ble", "size": 32}"#, "size is 32, but must be 1 to 31"),
        (
            r#"{"network": "ble", "scan_window_ns": 200000000}"#,
            "scan_window_ns is 200000000, but must be 2500000 to 100000000",
        ),
        (
            r#"{"network": "ieee802154", "devices": [1001]}"#,
            "devices is 1001, but must be 1 to 1000",
        ),
        (r#"{"network": "ble", "channels": 3}"#, "channels: the network has no such setting"),
        (r#"{"acknowledged": true}"#, "acknowledged: the network has no such setting"),
        (
            r#"{"network": "ieee802154", "gateways": 2}"#,
            "gateways: the network has no such setting",
        ),
    ] {
        assert_eq!(of(json).expect_err("a refusal").to_string(), cause);
    }
    let sooner = of(r#"{"period_ns": 1000000000}"#).expect_err("a refusal").to_string();
    assert!(sooner.starts_with("period_ns is 1000000000, but must be 1482752000 to"), "{sooner}");
}

#[test]
fn quantiles_are_times_that_occurred() {
    let times: Vec<Duration> = (1..=200).map(Duration::from_ns).collect();
    let found = Quantiles::of(&times).expect("times");
    assert_eq!((found.p50_ns, found.p99_ns, found.max_ns), (100, 198, 200));
    assert!(Quantiles::of(&[]).is_none());
}
