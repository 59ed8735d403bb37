use super::*;

/// One scanner that hears every tag, without signal levels.
fn aloha(devices: usize) -> Network {
    Network {
        devices,
        gateways: 1,
        area: disc(20.0),
        size: LONGEST,
        interval: Duration::from_secs(1),
        lasts: Duration::from_secs(60),
        scan_interval: Duration::from_ms(100),
        scan_window: Duration::from_ms(100),
        levels: false,
        seed: 1,
    }
}

fn disc(radius: f64) -> Area {
    Area::disc(radius, 3.0, 0.0)
}

fn share(outcome: &Outcome) -> f64 {
    outcome.delivered as f64 / outcome.sent as f64
}

#[test]
fn a_frame_has_the_airtime_of_the_specification() {
    // Preamble 1, access address 4, header 2, address 6, data 31, CRC 3: 47 bytes at 1 Mbit/s.
    assert_eq!(airtime(LONGEST), Duration::from_us(376));
}

#[test]
fn a_thousand_tags_without_capture_deliver_what_pure_aloha_predicts() {
    for devices in [300, 1_000] {
        let network = aloha(devices);
        let outcome = run(&network).expect("no livelock");
        // 376 us in 1.005 s.
        let expected = devices as f64 * 376e-6 / 1.005;
        assert!((load(&network) - expected).abs() < 1e-9);
        // One event in 1.005 s for 60 s, and one at the beginning of half of the tags more.
        let events = outcome.sent as f64 / devices as f64;
        assert!((events - 60.0 / 1.005).abs() < 1.0, "{events}");
        let predicted = (-2.0 * expected).exp() * (1.0 - 0.376 / 100.0);
        assert!((share(&outcome) - predicted).abs() < 0.01, "{} {predicted}", share(&outcome));
        // An event is received twice only if the scanner changes to the next channel together with
        // the tag: 0.8 ms in 100 ms.
        let twice = (outcome.receptions - outcome.delivered) as f64;
        assert!(twice > 0.0 && twice < 0.02 * outcome.delivered as f64, "{twice}");
    }
}

#[test]
fn one_tag_is_received_once_per_event() {
    let outcome = run(&aloha(1)).expect("no livelock");
    assert_eq!((outcome.out_of_range, outcome.silent), (0, 0));
    // advDelay is uniform up to 10 ms. An event is missed if the scanner changes channel during it.
    let (first, last) = (outcome.updates[0], outcome.updates[outcome.updates.len() / 2]);
    assert!(first >= Duration::from_ms(1_000) && last <= Duration::from_ms(1_010));
    assert!(outcome.sent - outcome.delivered <= 3, "{outcome:?}");
}

#[test]
fn a_scanner_that_listens_half_of_the_time_receives_half() {
    let always = aloha(100);
    let half = Network { scan_window: Duration::from_ms(50), ..always.clone() };
    let [always, half] = [&always, &half].map(|network| run(network).expect("no livelock"));
    assert!((share(&half) / share(&always) - 0.5).abs() < 0.02);
    assert!(half.updates.last() > always.updates.last());
}

#[test]
fn the_stronger_of_two_frames_may_survive() {
    let network = Network { levels: true, ..aloha(1_000) };
    let [without, with] =
        [&aloha(1_000), &network].map(|network| share(&run(network).expect("no livelock")));
    // A frame is received if none is on the air before, exp(-G), and all that begin later are 9 dB
    // weaker. Over a disc with exponent 3, that is a distance ratio of 10^(9/30) = 1.995 and a
    // probability of 1 / (2 1.995^2) = 0.126. Sometimes a frame survives an earlier one, which the
    // scanner could not receive.
    let [least, most] = [2.0 - 0.126, 1.0].map(|harm: f64| (-harm * load(&network)).exp());
    assert!(with > without + 0.01, "{without} {with}");
    assert!((least - 0.01..most).contains(&with), "{least} {with} {most}");
}

#[test]
fn distant_tags_need_a_scanner_of_their_own() {
    let of = |gateways| {
        let network = Network { gateways, area: disc(200.0), levels: true, ..aloha(100) };
        run(&network).expect("no livelock")
    };
    let (few, many) = (of(1), of(9));
    // 0 dBm and -95 dBm: 95 dB are 40.1 + 30 log10(68), so an eighth of the area is in range.
    assert!((60..95).contains(&few.out_of_range) && few.silent <= few.out_of_range, "{few:?}");
    assert!(many.out_of_range < few.out_of_range && many.delivered > 2 * few.delivered);
}

#[test]
fn a_further_tag_does_not_change_the_events_of_the_others() {
    let [five, six] = [5, 6].map(|devices| run(&aloha(devices)).expect("no livelock"));
    let more = six.sent - five.sent;
    assert!((58..=61).contains(&more), "{more}");
    assert_eq!(run(&aloha(6)).expect("no livelock"), six);
}
