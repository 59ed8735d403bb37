use crate::crowds::Db;

use super::*;

/// A disc of this radius.
fn disc(radius: f64) -> Area {
    Area::disc(radius, 3.5, 14.0)
}

/// One gateway that hears every device, without signal levels.
fn aloha(devices: usize) -> Network {
    Network {
        devices,
        gateways: 1,
        area: disc(1_000.0),
        size: 12,
        period: Duration::from_secs(600),
        lasts: Duration::from_secs(3_600),
        channels: 8,
        assignment: Assignment::Even,
        levels: false,
        seed: 1,
    }
}

fn shares(outcome: &Outcome) -> Vec<f64> {
    outcome.groups.iter().map(|group| group.delivered as f64 / group.sent as f64).collect()
}

#[test]
fn ten_thousand_devices_without_capture_deliver_what_pure_aloha_predicts() {
    let network = aloha(10_000);
    let outcome = run(&network).expect("no livelock");
    assert_eq!(outcome.groups.len(), 6);
    for group in &outcome.groups {
        // Six messages each; 1,666 or 1,667 devices.
        assert_eq!((group.sent, group.out_of_range), (6 * group.devices as u64, 0));
        assert!(group.devices.abs_diff(1_666) <= 1);
        let (share, load) = (group.delivered as f64 / group.sent as f64, group.load(&network));
        let predicted = (-2.0 * load).exp();
        // Three points; the standard deviation of 10,000 messages is at most half a point.
        assert!((share - predicted).abs() < 0.03, "{:?}: {share} {predicted}", group.factor);
    }
    // 0.0617 s / 600 s 1666 / 8 = 0.0214 to 1.4828 s / 600 s 1666 / 8 = 0.5148.
    let loads: Vec<f64> = outcome.groups.iter().map(|group| group.load(&network)).collect();
    assert!((loads[0] - 0.0214).abs() < 1e-4 && (loads[5] - 0.5148).abs() < 1e-3, "{loads:?}");
    // Two events per message, its timer and the end of its frame, and a final timer for each
    // device.
    assert_eq!(outcome.events, 2 * 60_000 + 10_000);
    assert_eq!(outcome.arrivals, 60_000);
}

#[test]
fn capture_delivers_the_frames_that_are_six_decibels_stronger() {
    let bare = Network { assignment: Assignment::Fixed(SpreadingFactor::Sf12), ..aloha(1_000) };
    let network = Network { levels: true, ..bare.clone() };
    let [without, with] = [&bare, &network].map(|network| {
        let outcome = run(network).expect("no livelock");
        shares(&outcome)[0]
    });
    // A frame is received if no frame of its kind is on the air when it begins (probability
    // exp(-G)), and if all frames that begin during it are 6 dB weaker. Over a disc with exponent
    // 3.5, 6 dB is a distance ratio of 10^(6/35) = 1.484, and a random frame is that much nearer
    // with a probability of 1 / (2 1.484^2) = 0.227. More frames arrive, because some survive an
    // earlier frame that the receiver abandoned or never found. The number is limited by the case
    // in which only earlier frames count.
    let load = run(&bare).expect("no livelock").groups[0].load(&bare);
    let [least, most] = [2.0 - 0.227, 1.0].map(|harm: f64| (-harm * load).exp());
    // 6,000 messages: the standard deviation is 0.6 points.
    assert!((without - (-2.0 * load).exp()).abs() < 0.02, "{without}");
    assert!(with > without && (least - 0.01..most).contains(&with), "{least} {with} {most}");
}

#[test]
fn a_gateway_receives_at_most_as_many_frames_at_once_as_it_has_demodulators() {
    let network = Network {
        assignment: Assignment::Fixed(SpreadingFactor::Sf12),
        levels: true,
        ..aloha(8_000)
    };
    let outcome = run(&network).expect("no livelock");
    let most = 8.0 * 3_600.0 / (outcome.groups[0].airtime.as_ns() as f64 / 1e9);
    assert!(outcome.groups[0].load(&network) * 8.0 > 15.0);
    assert!((outcome.receptions as f64) < most, "{} {most}", outcome.receptions);
}

#[test]
fn further_gateways_deliver_messages_that_one_does_not_receive() {
    let of = |gateways| {
        let network = Network {
            gateways,
            area: disc(5_000.0),
            assignment: Assignment::Fixed(SpreadingFactor::Sf9),
            levels: true,
            ..aloha(1_000)
        };
        let outcome = run(&network).expect("no livelock");
        (outcome.groups[0], outcome.receptions)
    };
    let ((few, first), (many, second)) = (of(1), of(7));
    assert!(few.delivered < many.delivered && few.out_of_range > many.out_of_range);
    assert!(few.delivered == first && many.delivered < second, "{many:?} {second}");
    assert!(many.delivered <= many.sent);
}

#[test]
fn a_further_device_changes_neither_place_nor_phase_of_the_others() {
    // With one device per channel and hour there is no interference, so the results depend on
    // positions only.
    let sparse = |devices| Network {
        area: Area { shadowing: Db(8.0), ..disc(6_000.0) },
        assignment: Assignment::Adaptive,
        lasts: Duration::from_secs(600),
        levels: true,
        ..aloha(devices)
    };
    let [five, six] = [5, 6].map(|devices| run(&sparse(devices)).expect("no livelock"));
    let count = |outcome: &Outcome| {
        let sum = |of: fn(&Group) -> u64| outcome.groups.iter().map(of).sum::<u64>();
        [sum(|group| group.sent), sum(|group| group.delivered)]
    };
    let ([sent, delivered], [more_sent, more_delivered]) = (count(&five), count(&six));
    assert_eq!((sent, more_sent), (5, 6));
    assert!((delivered..=delivered + 1).contains(&more_delivered), "{delivered} {more_delivered}");
    assert_eq!(run(&sparse(6)).expect("no livelock"), six);
}

#[test]
fn the_adaptive_assignment_uses_faster_factors_near_a_gateway() {
    let near = Network { area: disc(100.0), assignment: Assignment::Adaptive, ..aloha(200) };
    let far = Network { area: disc(10_000.0), ..near.clone() };
    let [near, far] = [&near, &far].map(|network| run(network).expect("no livelock").groups);
    assert_eq!(near.iter().map(|group| group.factor).collect::<Vec<_>>(), [SpreadingFactor::Sf7]);
    assert!(far.last().expect("a group").factor == SpreadingFactor::Sf12 && far.len() > 2);
}

#[test]
fn the_cost_of_a_frame_depends_on_its_receivers_not_on_the_number_of_devices() {
    // Equal density: a hundred times the devices and gateways on a hundred times the area.
    let of = |factor: usize| {
        let network = Network {
            devices: 100 * factor,
            gateways: factor,
            area: disc(500.0 * (factor as f64).sqrt()),
            assignment: Assignment::Fixed(SpreadingFactor::Sf7),
            ..aloha(0)
        };
        let outcome = run(&network).expect("no livelock");
        let frames = outcome.groups[0].sent as f64;
        [outcome.events as f64 / frames, outcome.arrivals as f64 / frames]
    };
    let ([few_events, _], [many_events, many_arrivals]) = (of(1), of(100));
    assert!((few_events - many_events).abs() < 1e-9, "{few_events} {many_events}");
    // -139.5 dBm at factor 12 is -126.6 dBm at factor 7: 140.6 dB of path loss, 1.34 km. That is
    // 5.6 km2, 7.2 times the area of a gateway, and less at the edge.
    assert!((4.0..7.2).contains(&many_arrivals), "{many_arrivals}");
}
