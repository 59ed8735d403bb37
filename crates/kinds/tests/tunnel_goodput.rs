//! Goodput of the tunnel compared with the ceiling of block acknowledgement: the same driver as on
//! a board, on emulated chips, in virtual time.

use airlag_kinds::registry;
use airlag_rig::{Profile, carry};

/// Payload of a datagram that fills a packet, bytes.
const SIZE: usize = 1_372;

/// Ceiling of bursts of 32 B frames with 30 B of stream data, each burst with a response of 32 B,
/// without loss, kbit/s: at 2 Mbit/s, 1 Mbit/s and 250 kbit/s.
const CEILINGS: [(&str, f64); 3] = [("2000", 1313.0), ("1000", 632.0), ("250", 130.0)];

fn tunnel(settings: &[(&str, &str)]) -> Profile {
    let mut profile = registry::find("tunnel").expect("it comes with airlag");
    for (name, value) in settings {
        profile.set(name, value).expect("a setting");
    }
    profile
}

/// Goodput of IP packets, kbit/s.
fn goodput(settings: &[(&str, &str)], count: u64) -> f64 {
    let profile = tunnel(settings);
    let run = carry::saturate(&profile, SIZE, 1, carry::Extent::of(count)).expect("a run");
    let carried = run.carried;
    assert_eq!((carried.delivered, carried.lost), (count, 0), "{settings:?}");
    let bits = 8 * (SIZE as u64 + 28) * carried.delivered;
    bits as f64 * 1e6 / carried.last.since(carried.first).as_ns() as f64
}

#[test]
fn without_loss_nine_tenths_of_the_ceiling_are_reached_at_each_rate() {
    for (rate, ceiling) in CEILINGS {
        let kbps = goodput(&[("rate", rate)], 200);
        assert!(kbps >= 0.9 * ceiling, "{rate} kbit/s: {kbps:.1} of {ceiling}");
    }
}

#[test]
fn with_a_tenth_of_all_frames_lost_seventeen_twentieths_of_the_rest_are_reached() {
    for (rate, ceiling) in CEILINGS {
        let kbps = goodput(&[("rate", rate), ("frame_loss", "0.1")], 400);
        assert!(kbps >= 0.85 * 0.9 * ceiling, "{rate} kbit/s: {kbps:.1} of {ceiling}");
    }
}
