use super::*;

/// Devices that all hear each other, without signal levels.
fn heard(devices: usize) -> Network {
    Network {
        devices,
        area: disc(5.0),
        size: 12,
        period: Duration::from_secs(1),
        lasts: Duration::from_secs(60),
        acknowledged: true,
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
fn a_device_alone_waits_for_its_backoff_only() {
    let outcome = run(&heard(1)).expect("no livelock");
    assert_eq!((outcome.sent, outcome.delivered, outcome.frames), (60, 60, 60));
    assert_eq!((outcome.channel_access_failures, outcome.unacknowledged), (0, 0));
    // Synchronisation header and length 6, MAC header 9, payload 12, FCS 2: 29 bytes of 32 us.
    assert_eq!(outcome.airtime, Duration::from_us(928));
    // CCA 128 us, turnaround 192 us, and up to seven backoffs of 320 us.
    let fastest = Duration::from_us(128 + 192 + 928);
    assert_eq!(outcome.latencies[0], fastest);
    assert_eq!(outcome.latencies[59], fastest + Duration::from_us(7 * 320));
}

#[test]
fn unacknowledged_frames_are_lost_in_collisions_only_one_turnaround_apart() {
    let network = Network { acknowledged: false, ..heard(200) };
    let outcome = run(&network).expect("no livelock");
    assert_eq!((outcome.sent, outcome.unacknowledged), (60 * 200, 0));
    let given_up = outcome.channel_access_failures;
    assert_eq!(outcome.frames + given_up, outcome.sent);
    // Without carrier sense, exp(-2 G) = 0.69 would arrive. A frame collides with those whose
    // assessment ends within 192 us before or after its own, and the channel is busy 20 % of the
    // time: exp(-2 x 200 x 192 us x 1.25) = 0.91.
    assert!((share(&outcome) - 0.91).abs() < 0.02, "{}", share(&outcome));
}

#[test]
fn retries_deliver_what_collisions_destroyed() {
    let outcome = run(&heard(200)).expect("no livelock");
    let bare = run(&Network { acknowledged: false, ..heard(200) }).expect("no livelock");
    assert!(share(&outcome) > 0.97 && share(&outcome) > share(&bare) + 0.05);
    assert!(outcome.frames > outcome.sent);
    // A message that was not acknowledged may have arrived.
    let lost = outcome.sent - outcome.delivered;
    assert!(lost <= outcome.channel_access_failures + outcome.unacknowledged);
}

#[test]
fn hidden_devices_collide() {
    // 0 dBm reach -75 dBm at 14.5 m: devices on opposite sides of a disc of 14 m do not sense each
    // other, but the coordinator receives both.
    let of = |radius| {
        let area = disc(radius);
        let network = Network { area, levels: true, acknowledged: false, ..heard(100) };
        run(&network).expect("no livelock")
    };
    let (near, far) = (of(3.0), of(14.0));
    assert_eq!((near.out_of_range, far.out_of_range), (0, 0));
    assert!(share(&near) > share(&far) + 0.01, "{} {}", share(&near), share(&far));
}

#[test]
fn a_stronger_frame_survives_and_only_its_sender_is_acknowledged() {
    let of = |levels| run(&Network { levels, ..heard(200) }).expect("no livelock");
    let (destroyed, captured) = (of(false), of(true));
    assert!(share(&captured) > share(&destroyed), "{captured:?}");
    // A message is lost unnoticed only if two frames collide whose sequence numbers are equal, one
    // pair in 256.
    let known = captured.channel_access_failures + captured.unacknowledged;
    let unnoticed = (captured.sent - captured.delivered).saturating_sub(known);
    assert!(unnoticed < captured.sent / 500, "{unnoticed} of {}", captured.sent);
}

#[test]
fn devices_out_of_range_deliver_nothing() {
    let network = Network { area: disc(500.0), levels: true, ..heard(50) };
    let outcome = run(&network).expect("no livelock");
    // 100 dB are 40.2 + 30 log10(98): an area of 4 %.
    assert!(outcome.out_of_range > 40, "{outcome:?}");
    assert!(share(&outcome) < 0.2 && outcome.unacknowledged > 0);
}

#[test]
fn the_attributes_are_those_of_the_standard() {
    let config = config(true);
    assert_eq!(config.csma, Some(Csma::default()));
    assert_eq!((config.max_retries, config.ack_request), (3, true));
}

#[test]
fn equal_seeds_give_equal_outcomes() {
    let network = Network { levels: true, ..heard(30) };
    let first = run(&network).expect("no livelock");
    assert_eq!(run(&network).expect("no livelock"), first);
    assert_ne!(
        run(&Network { seed: 2, ..network }).expect("no livelock").latencies,
        first.latencies
    );
}
