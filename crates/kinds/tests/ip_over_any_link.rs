//! IP packets from outside over links that know nothing of IP: a tunnel over each carries them whole and once, or
//! says that it dropped them.

use std::collections::BTreeSet;

use airlag_kinds::registry;
use airlag_rig::carry::{self, Extent};
use airlag_rig::programs::relayed::Framing;
use airlag_rig::relay::{Options, Session, Toward, WAYS};
use airlag_sim::Duration;
use airlag_tunnel::flow::datagram;

/// The link, how many bytes of payload a packet has, and how far apart packets are: all of it is less than
/// the link carries.
const LINKS: [(&str, usize, u64); 6] = [
    ("lora-sf7-250k", 200, 4_000),
    ("sik-64k", 400, 1_000),
    ("ieee802154-ack", 600, 500),
    ("espnow", 600, 500),
    ("ble-nimble-fixed-write", 600, 2_000),
    ("hc05-57600", 400, 1_000),
];
const COUNT: usize = 30;

fn session(link: &str, settings: &[(&str, &str)]) -> Session {
    let mut profile = registry::find(link).expect("built in");
    for (name, value) in settings {
        profile.set(name, value).expect("a setting");
    }
    let options = Options { size: 128, room: 10_000, framing: Framing::Ip, seed: 1, sniff: false };
    Session::open(&profile, options).expect("it opens")
}

fn packet(nth: usize, way: usize, len: usize) -> Vec<u8> {
    let payload: Vec<u8> = (0..len).map(|at| (at * 7 + nth * 13 + way) as u8).collect();
    datagram(5_000 + nth as u16, &payload)
}

/// Offers packets both ways; which came, each way, and how many the bench was told are lost.
fn carry(session: &Session, len: usize, period_ms: u64) -> ([BTreeSet<usize>; 2], u32) {
    for nth in 0..COUNT {
        session.run_until(Duration::from_ms(period_ms * (nth as u64 + 1))).expect("it runs");
        for (way, toward) in WAYS.into_iter().enumerate() {
            assert_eq!(session.offer(toward, &packet(nth, way, len), 0), Some(nth));
        }
    }
    session.run_until(Duration::from_ms(period_ms * (COUNT as u64 + 60))).expect("it runs");
    let came = [0, 1].map(|way| {
        let mut came = BTreeSet::new();
        for (one, _) in session.arrived(WAYS[way]) {
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
        let (came, lost) = carry(&session(link, &[]), len, period_ms);
        assert_eq!((came.each_ref().map(BTreeSet::len), lost), ([COUNT; 2], 0), "{link}");
    }
}

#[test]
fn what_the_link_loses_is_sent_again_or_told_of() {
    for (link, len, period_ms) in LINKS {
        let (came, lost) = carry(&session(link, &[("frame_loss", "0.1")]), len, 2 * period_ms);
        let came: usize = came.iter().map(BTreeSet::len).sum();
        assert_eq!(came + lost as usize, 2 * COUNT, "{link}: {came} came, {lost} lost");
        assert!(came > COUNT, "{link}: {came} came");
    }
}

/// kbit/s of IP packets of 1400 B that one way carries, when there are always some.
fn tunnelled_kbps(link: &str) -> f64 {
    let (session, seconds) = (session(link, &[]), 60);
    let (mut bytes, mut offered) = (0, 0);
    for second in 0..seconds {
        // More than the fastest of them carries; what is too much is dropped.
        for _ in 0..100 {
            let _ = session.offer(Toward::There, &packet(offered, 0, 1_372), 0);
            offered += 1;
        }
        session.run_until(Duration::from_secs(second + 1)).expect("it runs");
        let arrived = session.arrived(Toward::There);
        bytes += arrived.iter().map(|(packet, _)| packet.bytes.len()).sum::<usize>();
    }
    bytes as f64 * 8e-3 / seconds as f64
}

/// kbit/s of messages of 1024 B that a program sends which never waits.
fn own_kbps(link: &str) -> f64 {
    let (profile, size, count) = (registry::find(link).expect("built in"), 1_024, 60);
    let carried = carry::saturate(&profile, size, 1, Extent::of(count)).expect("a run").carried;
    let bits = 8 * size as u64 * carried.delivered;
    bits as f64 * 1e6 / carried.last.since(carried.first).as_ns() as f64
}

#[test]
fn a_tunnel_takes_at_most_a_third_of_what_the_link_carries_without() {
    for (link, ..) in LINKS {
        let (tunnelled, own) = (tunnelled_kbps(link), own_kbps(link));
        let told = format!("{link}: {tunnelled:.1} kbit/s of IP, {own:.1} of messages\n");
        std::io::Write::write_all(&mut std::io::stdout(), told.as_bytes()).expect("told");
        assert!(tunnelled > own * 2.0 / 3.0, "{told}");
    }
}
