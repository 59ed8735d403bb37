//! A Thread mesh on the bench compared with the theory of a chain on one channel, and the event
//! names of its failures.

use airlag_kinds::registry;
use airlag_rig::carry::{Extent, Train};
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Profile, Run, Stimulus, run};
use airlag_sim::Duration;
use airlag_study::goodput::Goodput;
use airlag_study::{goodput, trials};

/// Payload that radio makers send, bytes.
const SIZE: usize = 63;

/// Boards without software time, so that only the channel limits the result.
const RADIO_ALONE: [(&str, &str); 10] = [
    ("aes_block", "0"),
    ("device_send", "0"),
    ("device_receive", "0"),
    ("router_send", "0"),
    ("router_receive", "0"),
    ("serial_latency", "0"),
    ("when_full", "wait"),
    ("pace", "100us"),
    ("collision_avoidance", "0"),
    ("address", "rloc"),
];

fn profile(link: &str, changes: &[(&str, &str)]) -> Profile {
    let mut profile = registry::find(link).expect("built in");
    for (name, value) in changes {
        profile.set(name, value).expect("in range");
    }
    profile
}

fn over(hops: &str, range: &str) -> Goodput {
    let mut changes = RADIO_ALONE.to_vec();
    changes.extend([("hops", hops), ("interference_range", range)]);
    goodput(&profile("thread-up", &changes), SIZE, 1, Extent::of(1_000)).expect("runs")
}

fn each(period_ms: u64, count: usize, link: &str, changes: &[(&str, &str)]) -> Run {
    let stimulus = Stimulus::Periodic(Periodic::new(Duration::from_ms(period_ms), count));
    run(&profile(link, changes), SIZE, &stimulus, Options::default()).expect("runs")
}

fn happened(run: &Run, name: &str) -> u32 {
    run.incidents.get(name).copied().unwrap_or(0)
}

/// Mean backoff, in units, until the first of `boards` boards with waiting frames starts to send:
/// the minimum of that many random numbers from 0 to 7.
fn units(boards: i32) -> f64 {
    (1..8).map(|least| (f64::from(8 - least) / 8.0).powi(boards)).sum()
}

/// Duration of a frame cycle if `boards` boards have waiting frames, us: backoff, CCA, turnaround,
/// a frame of 99 octets after 6 octets of PHY header, turnaround and acknowledgement. The next backoff
/// starts with the sender's interframe space.
fn cycle_us(boards: i32) -> f64 {
    units(boards) * 320.0 + 128.0 + 192.0 + 105.0 * 32.0 + 192.0 + 352.0
}

/// Duration of a collision, us: backoff, CCA, turnaround, the frames, and the wait for an
/// acknowledgement.
fn collision_us(boards: i32) -> f64 {
    units(boards) * 320.0 + 128.0 + 192.0 + 105.0 * 32.0 + 864.0
}

/// Goodput of one hop without other traffic, kbit/s: 3.5 units of backoff on average.
fn one_hop() -> f64 {
    SIZE as f64 * 8e3 / cycle_us(1)
}

#[test]
fn boards_that_hear_each_other_share_the_channel_among_the_hops() {
    for (hops, text) in [(2, "2"), (3, "3"), (4, "4"), (5, "5")] {
        let found = over(text, "5");
        let retries = f64::from(found.incidents["retry"]);
        let frames = (Extent::of(1_000).settle + found.delivered) as f64 * f64::from(hops);
        let share = found.kbps() * f64::from(hops) / one_hop();
        // Every board but the last has waiting frames, so the shortest of their backoffs counts. At
        // most all of them collide at once, so collisions cost each frame at least this much time.
        let lost_us = retries / f64::from(hops) * collision_us(hops) / frames;
        let most = cycle_us(1) / (cycle_us(hops) + lost_us);
        assert!(share < most, "{hops} hops: {share}, at most {most}");
        assert!(share > 0.75, "{hops} hops: {share}");
        if hops == 2 {
            // With two boards, exactly two frames collide. Collisions then explain the time to
            // within a few percent.
            let lost_us = retries / 2.0 * collision_us(2) / frames;
            let expected = cycle_us(1) / (cycle_us(2) + lost_us);
            assert!((0.9..1.0).contains(&(share / expected)), "{share}, expected {expected}");
        }
    }
}

#[test]
fn where_only_neighbours_are_heard_the_channel_is_used_again_three_hops_on() {
    let [three, four, five] = ["3", "4", "5"].map(|hops| over(hops, "1").kbps() / one_hop());
    // In theory, one third of the goodput remains. Boards two hops apart are hidden from each
    // other, and collide.
    for (share, all_hear) in [(four, 1.0 / 4.0), (five, 1.0 / 5.0)] {
        assert!(share < 1.0 / 3.0 && share > 0.95 * all_hear, "{share}");
        assert!(share > 0.7 * three, "{share}, {three}");
    }
    assert!(five > over("5", "5").kbps() / one_hop() * 1.3);
}

#[test]
fn goodput_stays_below_what_the_floor_says_it_cannot_pass() {
    for hops in ["1", "2", "3", "4", "5"] {
        for range in ["1", "2", "5"] {
            let found = over(hops, range);
            let ceiling = found.ceiling.kbps(SIZE).expect("it takes time");
            assert!(found.kbps() < ceiling, "{hops}, {range}: {} {ceiling}", found.kbps());
        }
    }
}

#[test]
fn a_relay_drops_what_it_has_acknowledged_and_has_no_room_for() {
    let train = Train { size: SIZE, count: 200, pace: None, repeat: false };
    let lossless = trials(&profile("thread-up", &[("when_full", "wait")]), train, 1, 1, || {});
    assert_eq!(lossless.expect("runs").delivery(), 1.0);
    let over = |hops, count| {
        let mut changes = RADIO_ALONE.to_vec();
        changes.push(("hops", hops));
        let train = Train { count, ..train };
        trials(&profile("thread-up", &changes), train, 1, 1, || {}).expect("runs")
    };
    // Two boards take turns: the interframe space of the last sender gives the other a head start,
    // so the queue of a single relay stays short.
    let found = over("2", 2_000);
    assert_eq!(found.delivery(), 1.0, "{:?}", found.incidents);
    assert!(found.incidents["retry"] > 500, "they contend: {:?}", found.incidents);
    // A relay in the middle receives both sides, and gets the channel a third of the time.
    let found = over("3", 200);
    let lost: u32 = found.positions.lost.iter().sum();
    let dropped = ["no message buffers at a relay", "dropped late"]
        .map(|name| found.incidents.get(name).copied().unwrap_or(0));
    assert!(lost > 0 && dropped.iter().sum::<u32>() >= lost, "{lost}, {:?}", found.incidents);
}

#[test]
fn a_route_over_a_relay_that_is_off_has_a_name_and_one_that_cannot_be_is_refused() {
    let found = each(1_000, 20, "thread-up", &[("hops", "3"), ("relay_off", "1")]);
    // The preceding relay detects this: four frames are not acknowledged, and then there is no
    // route.
    assert_eq!(found.received.messages, 0, "{:?}", found.incidents);
    let (missed, none) = (happened(&found, "no acknowledgement"), happened(&found, "no route"));
    assert_eq!((missed, missed + none), (4, 20), "{:?}", found.incidents);

    let none = profile("thread-up", &[("hops", "2"), ("relay_off", "2")]);
    let stimulus = Stimulus::Periodic(Periodic::new(Duration::from_secs(1), 1));
    let error =
        run(&none, SIZE, &stimulus, Options::default()).err().map(|error| error.to_string());
    assert_eq!(
        error.as_deref(),
        Some("thread-up: `relay_off`: there is no relay 2 on a route of 2 hops; 0 leaves all on")
    );
}

#[test]
fn datagrams_that_come_in_pieces_from_many_storm_a_small_pool() {
    let storm = [("senders", "10"), ("sender_size", "1000"), ("sender_interval", "2s")];
    let mut small = storm.to_vec();
    small.push(("router_buffers", "12"));
    let (ample, small) =
        (each(1_000, 60, "thread-up", &storm), each(1_000, 60, "thread-up", &small));
    assert_eq!(happened(&ample, "fragment storm"), 0, "{:?}", ample.incidents);
    let refused = happened(&small, "fragment storm");
    assert!(refused > 10, "{:?}", small.incidents);
    // The remaining fragments of refused datagrams have no first fragment.
    assert!(happened(&small, "orphan fragment") > 5 * refused, "{:?}", small.incidents);
}

#[test]
fn a_while_of_security_errors_takes_what_comes_in_it_and_nothing_else() {
    let spell = [("security_errors_at", "3s"), ("security_errors_for", "2s")];
    let found = each(100, 100, "thread-up", &spell);
    assert_eq!(happened(&found, "security error"), 20, "{:?}", found.incidents);
    assert_eq!(found.received.messages, 80);
    // The radio still acknowledges frames, so the sender does not detect the problem.
    assert_eq!(happened(&found, "no acknowledgement"), 0);
}

#[test]
fn a_flooded_co_processor_stops_and_its_host_gives_up_on_it() {
    let train = Train { size: SIZE, count: 300, pace: None, repeat: false };
    let tried = |changes: &[(&str, &str)]| {
        trials(&profile("thread-down", changes), train, 1, 1, || {}).expect("runs")
    };
    let (sound, gone) = (tried(&[]), tried(&[("co_processor_stops_at", "50")]));
    assert!(!sound.incidents.contains_key("co-processor stopped"));
    assert_eq!(gone.incidents.get("co-processor stopped"), Some(&1));
    assert!(gone.delivery() < 0.1 && sound.delivery() > 0.3, "{:?}", gone.incidents);
    // Below that backlog, it does not stop.
    let paced = Train { pace: Some(Duration::from_ms(20)), ..train };
    let changes = [("co_processor_stops_at", "50")];
    let found = trials(&profile("thread-down", &changes), paced, 1, 1, || {}).expect("runs");
    assert_eq!(found.delivery(), 1.0);

    // A host waits five seconds for an answer before it sends the next request.
    let flooded = [("co_processor_stops_at", "1"), ("pace", "1ms")];
    let found = each(500, 60, "thread-down", &[flooded[0], flooded[1], ("device_send", "0")]);
    assert_eq!(happened(&found, "co-processor stopped"), 0, "one at a time is no backlog");
    let found = each(5, 100, "thread-down", &flooded);
    assert_eq!(happened(&found, "co-processor stopped"), 1, "{:?}", found.incidents);
}
