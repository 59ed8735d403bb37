//! A Thread mesh on the bench compared with the theory of a chain on one channel, and the names of
//! its failures.

use airlag_kinds::registry;
use airlag_rig::carry::{Extent, Train};
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Profile, Run, Stimulus, run};
use airlag_sim::Duration;
use airlag_study::goodput::Goodput;
use airlag_study::{goodput, trials};

/// What radio makers send, bytes.
const SIZE: usize = 63;

/// Boards whose software costs nothing, so that the channel is what is left.
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

/// Mean units of backoff before the first of so many boards begins that all have something to send: the
/// least of as many numbers from 0 to 7.
fn units(boards: i32) -> f64 {
    (1..8).map(|least| (f64::from(8 - least) / 8.0).powi(boards)).sum()
}

/// What a frame takes where so many boards have something to send, us: backoff, CCA, turnaround, a frame of 99
/// octets and 6 before them, turnaround and acknowledgement. The next backoff begins with the sender's
/// interframe space.
fn cycle_us(boards: i32) -> f64 {
    units(boards) * 320.0 + 128.0 + 192.0 + 105.0 * 32.0 + 192.0 + 352.0
}

/// What a collision takes, us: backoff, CCA, turnaround, the frames, and the wait for an acknowledgement.
fn collision_us(boards: i32) -> f64 {
    units(boards) * 320.0 + 128.0 + 192.0 + 105.0 * 32.0 + 864.0
}

/// What a hop carries when nobody else is there, kbit/s: 3.5 units of backoff on average.
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
        // Every board but the last has something to send, so the shortest of their backoffs counts, and at
        // most all of them collide at once: collisions take at least this much time from every frame.
        let lost_us = retries / f64::from(hops) * collision_us(hops) / frames;
        let most = cycle_us(1) / (cycle_us(hops) + lost_us);
        assert!(share < most, "{hops} hops: {share}, at most {most}");
        assert!(share > 0.75, "{hops} hops: {share}");
        if hops == 2 {
            // Of two boards exactly two collide: what they lose accounts for the time within some percent.
            let lost_us = retries / 2.0 * collision_us(2) / frames;
            let expected = cycle_us(1) / (cycle_us(2) + lost_us);
            assert!((0.9..1.0).contains(&(share / expected)), "{share}, expected {expected}");
        }
    }
}

#[test]
fn where_only_neighbours_are_heard_the_channel_is_used_again_three_hops_on() {
    let [three, four, five] = ["3", "4", "5"].map(|hops| over(hops, "1").kbps() / one_hop());
    // A third is what theory has. Boards two hops apart are hidden from each other, and collide.
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
    // Two boards take turns: the interframe space of who just sent is a head start for the other, so the queue
    // of a single relay stays short.
    let found = over("2", 2_000);
    assert_eq!(found.delivery(), 1.0, "{:?}", found.incidents);
    assert!(found.incidents["retry"] > 500, "they contend: {:?}", found.incidents);
    // A relay in the middle hears both sides, and has the channel a third of the time.
    let found = over("3", 200);
    let lost: u32 = found.positions.lost.iter().sum();
    let dropped = ["no message buffers at a relay", "dropped late"]
        .map(|name| found.incidents.get(name).copied().unwrap_or(0));
    assert!(lost > 0 && dropped.iter().sum::<u32>() >= lost, "{lost}, {:?}", found.incidents);
}

#[test]
fn a_route_over_a_relay_that_is_off_has_a_name_and_one_that_cannot_be_is_refused() {
    let found = each(1_000, 20, "thread-up", &[("hops", "3"), ("relay_off", "1")]);
    // The relay before it finds out: four frames that nobody acknowledges, and then no route.
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
    // The rest of what was refused belongs to nothing.
    assert!(happened(&small, "orphan fragment") > 5 * refused, "{:?}", small.incidents);
}

#[test]
fn a_while_of_security_errors_takes_what_comes_in_it_and_nothing_else() {
    let spell = [("security_errors_at", "3s"), ("security_errors_for", "2s")];
    let found = each(100, 100, "thread-up", &spell);
    assert_eq!(happened(&found, "security error"), 20, "{:?}", found.incidents);
    assert_eq!(found.received.messages, 80);
    // The radio acknowledges all the same: the sender does not know.
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
    // Below that backlog nothing happens to it.
    let paced = Train { pace: Some(Duration::from_ms(20)), ..train };
    let changes = [("co_processor_stops_at", "50")];
    let found = trials(&profile("thread-down", &changes), paced, 1, 1, || {}).expect("runs");
    assert_eq!(found.delivery(), 1.0);

    // A host waits five seconds for an answer, and then for the next one.
    let flooded = [("co_processor_stops_at", "1"), ("pace", "1ms")];
    let found = each(500, 60, "thread-down", &[flooded[0], flooded[1], ("device_send", "0")]);
    assert_eq!(happened(&found, "co-processor stopped"), 0, "one at a time is no backlog");
    let found = each(5, 100, "thread-down", &flooded);
    assert_eq!(happened(&found, "co-processor stopped"), 1, "{:?}", found.incidents);
}
