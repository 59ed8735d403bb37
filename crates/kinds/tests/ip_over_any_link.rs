//! IP packets from outside over links without IP support: a tunnel carries them intact and once, or
//! reports that it dropped them.

use std::collections::BTreeSet;

use airlag_kinds::ip_tunnel::FRAMING;
use airlag_kinds::registry;
use airlag_rig::carry::{self, Extent};
use airlag_rig::relay::{Bridge, DIRECTIONS, Direction, Options};
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Stimulus, run};
use airlag_sim::Duration;
use airlag_stats::pair::{PairOptions, pair};
use airlag_tunnel::flow::datagram;

/// Links with the payload of a packet in bytes and the interval between packets. The load is below
/// each link's capacity.
const LINKS: [(&str, usize, u64); 6] = [
    ("lora-sf7-250k", 200, 4_000),
    ("sik-64k", 400, 1_000),
    ("ieee802154-ack", 600, 500),
    ("espnow", 600, 500),
    ("ble-nimble-fixed-write", 600, 2_000),
    ("hc05-57600", 400, 1_000),
];
const COUNT: usize = 30;

fn session(link: &str, settings: &[(&str, &str)], seed: u64) -> Bridge {
    let mut profile = registry::find(link).expect("built in");
    for (name, value) in settings {
        profile.set(name, value).expect("a setting");
    }
    let options = Options { size: 128, room: 10_000, framing: FRAMING, seed, sniff: false };
    Bridge::open(&profile, options).expect("it opens")
}

fn packet(nth: usize, way: usize, len: usize) -> Vec<u8> {
    let payload: Vec<u8> = (0..len).map(|at| (at * 7 + nth * 13 + way) as u8).collect();
    datagram(5_000 + nth as u16, &payload)
}

/// Offers packets in both directions. Returns those that arrived in each direction, and the number
/// reported lost.
fn carry(session: &Bridge, len: usize, period_ms: u64) -> ([BTreeSet<usize>; 2], u32) {
    for nth in 0..COUNT {
        session.run_until(Duration::from_ms(period_ms * (nth as u64 + 1))).expect("it runs");
        for (way, direction) in DIRECTIONS.into_iter().enumerate() {
            assert_eq!(session.offer(direction, &packet(nth, way, len), 0), Some(nth));
        }
    }
    session.run_until(Duration::from_ms(period_ms * (COUNT as u64 + 60))).expect("it runs");
    let came = [0, 1].map(|way| {
        let mut came = BTreeSet::new();
        for (one, _) in session.arrived(DIRECTIONS[way]) {
            assert_eq!(one.bytes, packet(one.nth, way, len), "as it was");
            assert!(came.insert(one.nth), "{} came twice", one.nth);
        }
        came
    });
    (came, session.report().sent.lost)
}

#[test]
fn packets_come_both_ways_whole_and_once_over_any_link() {
    for (link, len, period_ms) in LINKS {
        let (came, lost) = carry(&session(link, &[], 1), len, period_ms);
        assert_eq!((came.each_ref().map(BTreeSet::len), lost), ([COUNT; 2], 0), "{link}");
    }
}

#[test]
fn what_the_link_loses_is_sent_again_or_told_of() {
    for (link, len, period_ms) in LINKS {
        for seed in 1..5 {
            let session = session(link, &[("frame_loss", "0.1")], seed);
            let (came, lost) = carry(&session, len, 2 * period_ms);
            let came: usize = came.iter().map(BTreeSet::len).sum();
            assert_eq!(came + lost as usize, 2 * COUNT, "{link}, {seed}: {came} came, {lost} lost");
            assert!(came > COUNT, "{link}, {seed}: {came} came");
        }
    }
}

/// Goodput of 1400 B IP packets in one direction with a permanent backlog, kbit/s.
fn tunnelled_kbps(link: &str) -> f64 {
    let (session, seconds) = (session(link, &[], 1), 60);
    let (mut bytes, mut offered) = (0, 0);
    for second in 0..seconds {
        // The offered load exceeds the capacity of the fastest of these links; the excess is
        // dropped.
        for _ in 0..100 {
            let _ = session.offer(Direction::Forward, &packet(offered, 0, 1_372), 0);
            offered += 1;
        }
        session.run_until(Duration::from_secs(second + 1)).expect("it runs");
        let arrived = session.arrived(Direction::Forward);
        bytes += arrived.iter().map(|(packet, _)| packet.bytes.len()).sum::<usize>();
    }
    bytes as f64 * 8e-3 / seconds as f64
}

/// Goodput of 1024 B messages of a saturating program, kbit/s.
fn own_kbps(link: &str) -> f64 {
    let (profile, size, count) = (registry::find(link).expect("built in"), 1_024, 60);
    let carried = carry::saturate(&profile, size, 1, Extent::of(count)).expect("a run").carried;
    let bits = 8 * size as u64 * carried.delivered;
    bits as f64 * 1e6 / carried.last.since(carried.first).as_ns() as f64
}

#[test]
fn a_tunnel_takes_at_most_a_quarter_of_what_the_link_carries_without() {
    for (link, ..) in LINKS {
        let (tunnelled, own) = (tunnelled_kbps(link), own_kbps(link));
        let line = format!("{link}: {tunnelled:.1} kbit/s of IP, {own:.1} of messages\n");
        std::io::Write::write_all(&mut std::io::stdout(), line.as_bytes()).expect("written");
        assert!(tunnelled > own * 0.75, "{line}");
    }
}

/// Durations of the first and the slowest of 20 further exchanges of 64 B, ms: a packet, and its
/// response.
fn exchanges_ms(link: &str) -> [f64; 2] {
    let (session, step) = (session(link, &[], 1), Duration::from_ms(1));
    let (mut now, mut took) = (Duration::ZERO, [0.0_f64; 2]);
    for nth in 0..21 {
        let began = now;
        assert!(session.offer(Direction::Forward, &packet(nth, 0, 36), 0).is_some());
        loop {
            now += step;
            session.run_until(now).expect("it runs");
            for (came, _) in session.arrived(Direction::Forward) {
                assert!(session.offer(Direction::Return, &came.bytes, 0).is_some());
            }
            if let Some((_, at)) = session.arrived(Direction::Return).first() {
                let slowest = &mut took[nth.min(1)];
                *slowest = slowest.max((at.as_ns() - began.as_ns()) as f64 / 1e6);
                break;
            }
            assert!(now.as_ns() - began.as_ns() < 60_000_000_000, "{link}: no answer to {nth}");
        }
        // Different phases of all periodic processes.
        now += Duration::from_us(457_307);
        session.run_until(now).expect("it runs");
    }
    took
}

/// Duration of the slowest of 100 messages of 128 B, ms.
fn slowest_message_ms(link: &str) -> f64 {
    let profile = registry::find(link).expect("built in");
    let stimulus = Stimulus::Periodic(Periodic::new(Duration::from_us(2_457_307), 100));
    let seen = run(&profile, 128, &stimulus, airlag_rig::Options::default()).expect("it runs");
    let latencies_ns = pair(&seen.trace, PairOptions::default()).latencies_ns();
    latencies_ns.into_iter().max().expect("some came") as f64 / 1e6
}

#[test]
fn an_answer_comes_as_soon_as_the_link_lets_it() {
    for (link, ..) in LINKS {
        let ([first, later], message) = (exchanges_ms(link), slowest_message_ms(link));
        let line =
            format!("{link}: {first:.0} ms, then {later:.0} ms, a message {message:.0} ms\n");
        std::io::Write::write_all(&mut std::io::stdout(), line.as_bytes()).expect("written");
        // Before two ends have measured their link, they assume one second in each direction, as
        // RFC 6298 does.
        assert!(first < 2_000.0 + 5.0 * message, "{line}");
        // On a half-duplex link, an end that has responded lets the other end send next.
        assert!(later < 8.0 * message, "{line}");
    }
}

/// Round trips of 20 pings of 84 B, 2 s apart, to a computer that responds within a millisecond:
/// ms, in ascending order. The first ping, which starts the session, is omitted.
fn pings_ms(link: &str, seed: u64) -> Vec<f64> {
    let (session, step) = (session(link, &[], seed), Duration::from_us(100));
    let (mut now, mut sent, mut took) = (Duration::ZERO, Duration::ZERO, Vec::new());
    for nth in 0..21 {
        assert!(session.offer(Direction::Forward, &packet(nth, 0, 56), 0).is_some());
        while now.as_ns() < sent.as_ns() + 2_000_000_000 {
            now += step;
            session.run_until(now).expect("it runs");
            for (came, _) in session.arrived(Direction::Forward) {
                assert!(session.offer(Direction::Return, &came.bytes, 0).is_some());
            }
            for (came, at) in session.arrived(Direction::Return) {
                let began = came.bytes[20..22].to_vec();
                assert_eq!(began, (5_000 + nth as u16).to_be_bytes(), "{link}: late");
                took.push((at.as_ns() - sent.as_ns()) as f64 / 1e6);
            }
        }
        sent = now;
    }
    assert_eq!(took.len(), 21, "{link}: {took:?}");
    took.remove(0);
    took.sort_by(f64::total_cmp);
    took
}

#[test]
fn a_ping_waits_for_nobody_who_has_nothing_to_send() {
    for (link, ..) in LINKS {
        for seed in 1..4 {
            let (took, message) = (pings_ms(link, seed), slowest_message_ms(link));
            let line = format!(
                "{link}: {:.1} to {:.1} ms, a message {message:.1} ms\n",
                took[0], took[19]
            );
            std::io::Write::write_all(&mut std::io::stdout(), line.as_bytes()).expect("written");
            // A ping takes no longer than the message and its response.
            assert!(took[19] < 2.5 * message, "{line}");
        }
    }
}
