//! IP packets from outside over links that support IP: they arrive unchanged, and a flow is not
//! affected by the saturation of another.

use airlag_kinds::ip_tunnel::FRAMING;
use airlag_kinds::registry;
use airlag_rig::relay::{Bridge, DIRECTIONS, Direction, Options};
use airlag_sim::Duration;
use airlag_tunnel::flow::datagram;

fn session(link: &str) -> Bridge {
    let profile = registry::find(link).expect("built in");
    let options = Options { size: 1_400, room: 10_000, framing: FRAMING, seed: 1, sniff: false };
    Bridge::open(&profile, options).expect("it opens")
}

fn ms(ms: u64) -> Duration {
    Duration::from_ms(ms)
}

#[test]
fn packets_come_both_ways_at_once_as_they_were() {
    for link in ["tunnel", "tunnel-naive"] {
        let session = session(link);
        let packet = |nth: u64, way: usize| datagram(nth as u16, &[way as u8; 700]);
        for nth in 0..50 {
            session.run_until(ms(100 * nth)).expect("it runs");
            for (way, direction) in DIRECTIONS.into_iter().enumerate() {
                assert!(session.offer(direction, &packet(nth, way), nth as u32).is_some());
            }
        }
        session.run_until(ms(6_000)).expect("it runs");
        for (way, direction) in DIRECTIONS.into_iter().enumerate() {
            let arrived = session.arrived(direction);
            let numbers: Vec<usize> = arrived.iter().map(|(packet, _)| packet.nth).collect();
            assert_eq!(numbers, (0..50).collect::<Vec<_>>(), "{link}, way {way}");
            for (one, at) in arrived {
                assert_eq!(one.bytes, packet(one.nth as u64, way), "{link}: as it was");
                assert_eq!(one.tag, one.nth as u32);
                let took_ms = at.as_ns() as f64 / 1e6 - 100.0 * one.nth as f64;
                assert!(took_ms > 0.0 && took_ms < 60.0, "{link}: {took_ms} ms");
            }
        }
    }
}

/// Largest latency, ms, of a flow with a packet each 100 ms, beside one that offers `bulk` packets
/// of 1,400 B each 100 ms, over 10 s.
fn latest_of_a_sparse_flow_ms(link: &str, bulk: u64) -> f64 {
    let session = session(link);
    for nth in 0..100 {
        for packet in 0..bulk {
            session.run_until(ms(100 * nth + packet * 100 / bulk)).expect("it runs");
            let _ = session.offer(Direction::Forward, &datagram(1, &[packet as u8; 1_372]), 0);
        }
        let _ = session.offer(Direction::Forward, &datagram(2, &[nth as u8; 36]), 1 + nth as u32);
    }
    session.run_until(ms(40_000)).expect("it runs");
    let arrived = session.arrived(Direction::Forward);
    let sparse = arrived.iter().filter(|(packet, _)| packet.tag > 0);
    let took_ms = sparse.map(|(packet, at)| {
        let offered_ms = 100 * u64::from(packet.tag - 1) + (bulk - 1) * 100 / bulk;
        at.as_ns() as f64 / 1e6 - offered_ms as f64
    });
    took_ms.fold(0.0, f64::max)
}

#[test]
fn a_full_link_is_late_for_who_fills_it_only() {
    // 20 x 1,400 B each 100 ms are 2.24 Mbit/s, twice the capacity of the tunnel.
    let [fair_ms, naive_ms] =
        ["tunnel", "tunnel-naive"].map(|link| latest_of_a_sparse_flow_ms(link, 20));
    assert!(fair_ms > 0.0 && fair_ms < 60.0, "{fair_ms} ms");
    assert!(naive_ms > 10_000.0, "{naive_ms} ms");
}

#[test]
fn what_is_longer_than_the_mtu_does_not_come_and_harms_nothing() {
    for link in ["tunnel", "tunnel-naive"] {
        let session = session(link);
        let _ = session.offer(Direction::Forward, &datagram(1, &[1; 2_000]), 1);
        let _ = session.offer(Direction::Forward, &datagram(1, &[2; 1_300]), 2);
        session.run_until(ms(1_000)).expect("it runs");
        let arrived = session.arrived(Direction::Forward);
        let tags: Vec<u32> = arrived.iter().map(|(packet, _)| packet.tag).collect();
        assert_eq!(tags, [2], "{link}");
    }
}

/// Goodput of each direction with a permanent backlog in both, kbit/s of packets.
fn both_ways_kbps(settings: &[(&str, &str)]) -> [f64; 2] {
    let mut profile = registry::find("tunnel").expect("built in");
    for (name, value) in settings {
        profile.set(name, value).expect("a setting");
    }
    let options = Options { size: 1_400, room: 10_000, framing: FRAMING, seed: 1, sniff: false };
    let session = Bridge::open(&profile, options).expect("it opens");
    let mut bytes = [0; 2];
    for step in 0..1_000 {
        session.run_until(ms(10 * step)).expect("it runs");
        for (way, direction) in DIRECTIONS.into_iter().enumerate() {
            for nth in 0..2 {
                let _ = session.offer(direction, &datagram(7, &[(step + nth) as u8; 1_372]), 0);
            }
            let arrived = session.arrived(direction);
            bytes[way] += arrived.iter().map(|(packet, _)| packet.bytes.len()).sum::<usize>();
        }
    }
    bytes.map(|bytes| bytes as f64 * 8e-3 / 10.0)
}

#[test]
fn two_radios_carry_both_ways_what_one_carries_in_turns() {
    let one = both_ways_kbps(&[]);
    let two = both_ways_kbps(&[("radios", "two")]);
    println!("one radio: {one:.0?} kbit/s, two: {two:.0?} kbit/s");
    assert!(one.iter().sum::<f64>() > 1_000.0 && one[0].min(one[1]) > 0.4 * one[0].max(one[1]));
    // Both directions together carry as much as one direction alone, which another test compares
    // with the ceiling.
    assert!(two.iter().all(|&way| way > 1_150.0), "{two:.0?}");
}

#[test]
fn two_radios_on_one_channel_are_refused() {
    let mut profile = registry::find("tunnel").expect("built in");
    for (name, value) in [("radios", "two"), ("channel", "100"), ("second_channel", "101")] {
        profile.set(name, value).expect("a setting");
    }
    let options = Options { size: 128, room: 1, framing: FRAMING, seed: 1, sniff: false };
    let refused = Bridge::open(&profile, options).err().expect("refused").to_string();
    assert!(refused.contains("`second_channel`: must be 2 MHz or more from channel"), "{refused}");
}
