//! Thread on the bench compared with published measurements: goodput in each direction, and the
//! losses among a hundred packets in rapid succession.

use airlag_kinds::registry;
use airlag_rig::Profile;
use airlag_rig::carry::{Extent, Train};
use airlag_sim::Duration;
use airlag_stats::position::Which;
use airlag_study::train::{Cause, explain_train};
use airlag_study::trials::Trials;
use airlag_study::{goodput, trials};

/// Payload of the article's packets, bytes.
const SIZE: usize = 79;

fn profile(link: &str, changes: &[(&str, &str)]) -> Profile {
    let mut profile = registry::find(link).expect("built in");
    for (name, value) in changes {
        profile.set(name, value).expect("in range");
    }
    profile
}

fn kib_per_second(link: &str, changes: &[(&str, &str)]) -> f64 {
    let found = goodput(&profile(link, changes), SIZE, 1, Extent::of(1_000)).expect("runs");
    found.kbps() * 1_000.0 / 8.0 / 1_024.0
}

/// Ten trains of `count` packets.
fn tried(changes: &[(&str, &str)], count: u32, pace: Option<Duration>, repeat: bool) -> Trials {
    let train = Train { size: SIZE, count, pace, repeat };
    trials(&profile("thread-up", changes), train, 10, 1, || {}).expect("runs")
}

#[test]
fn goodput_is_that_of_the_article_each_way() {
    for (link, published) in [("thread-up", 5.0), ("thread-down", 7.5)] {
        let found = kib_per_second(link, &[]);
        assert!((found / published - 1.0).abs() < 0.1, "{link}: {found}");
    }
}

#[test]
fn without_software_the_radio_carries_what_the_formula_says() {
    let nothing = [
        ("aes_block", "0"),
        ("device_send", "0"),
        ("device_receive", "0"),
        ("router_send", "0"),
        ("router_receive", "0"),
        ("serial_latency", "0"),
        ("when_full", "wait"),
        ("pace", "100us"),
    ];
    // Backoff of 3.5 units on average, CCA, turnaround, 121 octets and 6 of PHY header,
    // turnaround, acknowledgement, and the remaining interframe space.
    let formula = |space_us: f64| {
        let cycle_us = 3.5 * 320.0 + 128.0 + 192.0 + 127.0 * 32.0 + 192.0 + 352.0 + space_us;
        SIZE as f64 / 1_024.0 / cycle_us * 1e6
    };
    // The article's goodput includes the whole interframe space.
    assert!((formula(640.0) / 11.2 - 1.0).abs() < 0.03, "{}", formula(640.0));
    // OpenThread's backoff runs during the interframe space. The space therefore costs two units
    // after a backoff of zero, and one unit after a backoff of one.
    let formula = formula((640.0 + 320.0) / 8.0);
    let found = kib_per_second("thread-up", &nothing);
    assert!((found / formula - 1.0).abs() < 0.01, "{found}, {formula}");
    let found = kib_per_second("thread-down", &nothing);
    // In addition there is the serial line to the co-processor, in both directions.
    assert!(found < formula && found > 0.9 * formula, "{found}, {formula}");
}

#[test]
fn of_a_hundred_packets_the_later_ones_are_lost() {
    let found = tried(&[], 100, None, false);
    assert!((found.delivery() - 0.823).abs() < 0.03, "{}", found.delivery());
    let lost: u32 = found.positions.lost.iter().sum();
    assert_eq!(found.incidents.get("no message buffers"), Some(&lost));
    assert!(found.positions.lost[..40].iter().all(|&count| count == 0), "{found:?}");
    let shift = found.positions.shift.expect("some were lost");
    assert!(shift.mean > shift.independent.1 && shift.p < 1e-6, "{shift:?}");
}

#[test]
fn frames_the_air_loses_are_lost_anywhere() {
    let changes = [("frame_loss", "0.3"), ("retries", "1"), ("when_full", "wait")];
    let found = tried(&changes, 100, None, false);
    assert!((0.6..0.95).contains(&found.delivery()), "{}", found.delivery());
    let shift = found.positions.shift.expect("some were lost");
    assert_eq!(shift.which(), Which::Any, "{found:?}");
}

#[test]
fn another_cause_of_the_same_loss_begins_later() {
    // An unlimited queue, at a node that drops its own messages after they have waited for a
    // second.
    let changes = [("device_buffers", "256"), ("drop_after", "1s"), ("pace", "2660us")];
    let found = tried(&changes, 100, None, false);
    assert!((found.delivery() - 0.823).abs() < 0.03, "{}", found.delivery());
    let first = found.positions.lost.iter().position(|&count| count > 0).expect("some were lost");
    let of_the_pool = tried(&[], 100, None, false);
    let earlier = of_the_pool.positions.lost.iter().position(|&count| count > 0);
    assert!(Some(first) > earlier, "{first}, {earlier:?}");
    assert!(found.incidents["dropped late"] > 0);
}

#[test]
fn pacing_and_selective_repeat_deliver_all_and_cost_little() {
    let unpaced = goodput(&profile("thread-up", &[]), SIZE, 1, Extent::of(1_000)).expect("runs");
    for (pace, repeat) in [
        (Some(Duration::from_us(16_000)), false),
        (None, true),
        (Some(Duration::from_us(16_000)), true),
    ] {
        let found = tried(&[], 1_000, pace, repeat);
        assert_eq!(found.delivery(), 1.0, "{pace:?}, {repeat}: {:?}", found.each);
        assert!(found.kbps() > 0.9 * unpaced.kbps(), "{pace:?}, {repeat}: {}", found.kbps());
    }
}

#[test]
fn a_fragmented_datagram_is_lost_as_often_as_any_of_its_frames_would_be() {
    // A single attempt, so that a frame is lost with the configured probability.
    let loss = 0.02;
    let changes =
        [("frame_loss", "0.02"), ("retries", "0"), ("when_full", "wait"), ("device_send", "0")];
    for (size, frames) in [(79, 1), (160, 2), (432, 5), (1_024, 12)] {
        let train = Train { size, count: 2_000, pace: None, repeat: false };
        let found = trials(&profile("thread-up", &changes), train, 1, 1, || {}).expect("runs");
        // A frame whose acknowledgement is lost is given up too, together with the rest of its
        // datagram. For the last frame, this is not a loss.
        let (through, acknowledged) = (1.0_f64 - loss, (1.0_f64 - loss).powi(2));
        let expected = acknowledged.powi(frames - 1) * through;
        let error = 4.0 * (expected * (1.0 - expected) / 2_000.0).sqrt();
        assert!(
            (found.delivery() - expected).abs() < error,
            "{size}: {} {expected}",
            found.delivery()
        );
    }
}

#[test]
fn a_train_that_loses_is_told_what_to_change_and_what_that_costs() {
    let train = Train { size: 79, count: 100, pace: None, repeat: false };
    let told = explain_train(&profile("thread-up", &[]), train, 3, 1, || {}).expect("runs");
    assert_eq!(told.cause, Cause::Refused);
    let lost: u32 = told.trials.positions.lost.iter().sum();
    assert_eq!((told.refused, told.on_the_way), (u64::from(lost), 0));
    let (handed, arrived) =
        (told.handed_every_ns.expect("many"), told.arrived_every_ns.expect("many"));
    assert!(handed < 0.8 * arrived, "handed over every {handed} ns, arrived every {arrived} ns");
    // The queue grows until it is full, and then stays full.
    assert!(told.under_way[5] < told.under_way[30] && told.under_way[30] < told.under_way[60]);
    assert!((told.under_way[80] - told.under_way[95]).abs() < 1.5, "{:?}", told.under_way);

    let [paced, repeated, both] = &told.remedies[..] else { panic!("{:?}", told.remedies.len()) };
    for remedy in [paced, repeated, both] {
        assert_eq!(remedy.trials.delivery(), 1.0);
        assert!(remedy.goodput_share > 0.9, "{}", remedy.goodput_share);
    }
    assert!(!paced.trials.train.repeat && paced.trials.train.pace.is_some());
    assert!(repeated.trials.train.repeat && repeated.trials.train.pace.is_none());
    assert_eq!(both.trials.train.pace, paced.trials.train.pace);
    // With a pace nothing is lost, so that nothing has to be retransmitted.
    assert!(both.trials.each.iter().all(|one| one.handed == 100));
}

#[test]
fn a_train_that_loses_on_the_air_is_not_helped_by_a_pace() {
    let train = Train { size: 79, count: 60, pace: Some(Duration::from_ms(40)), repeat: false };
    let profile = profile("thread-up", &[("frame_loss", "0.5"), ("retries", "0")]);
    let told = explain_train(&profile, train, 2, 1, || {}).expect("runs");
    assert_eq!(told.cause, Cause::OnTheWay);
    assert!(told.remedies.iter().any(|remedy| remedy.trials.delivery() == 1.0));
    assert!(
        told.remedies
            .iter()
            .all(|remedy| remedy.trials.train.repeat || remedy.trials.delivery() < 1.0)
    );
}

#[test]
fn a_train_that_arrives_needs_nothing() {
    let train = Train { size: 79, count: 60, pace: None, repeat: false };
    let told = explain_train(&profile("thread-down", &[]), train, 2, 1, || {}).expect("runs");
    assert_eq!((told.cause, told.remedies.len()), (Cause::None, 0));
}
