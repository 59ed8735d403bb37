//! A packet from outside has the latency of a message in a run: the same program, link and size.

use airlag_kinds::registry;
use airlag_rig::programs::relayed::Framing;
use airlag_rig::relay::{Bridge, Direction, Options};
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Profile, Stimulus, run};
use airlag_sim::Duration;
use airlag_stats::dist::quantiles;
use airlag_stats::pair::{PairOptions, pair};

const SIZE: usize = 128;
const COUNT: usize = 1_000;
/// The period is not a multiple of any clock of a link, so that packets arrive at all phases.
const PERIOD: Duration = Duration::from_us(457_307);

fn median_ns(latencies_ns: &[i64]) -> f64 {
    quantiles(latencies_ns, &[0.5])[0]
}

fn run_median_ns(profile: &Profile) -> f64 {
    let stimulus = Stimulus::Periodic(Periodic::new(PERIOD, COUNT));
    let seen = run(profile, SIZE, &stimulus, airlag_rig::Options::default()).expect("it runs");
    median_ns(&pair(&seen.trace, PairOptions::default()).latencies_ns())
}

fn relayed_median_ns(profile: &Profile) -> f64 {
    let options = Options { size: SIZE, room: 8, framing: Framing::Packets, seed: 1, sniff: false };
    let session = Bridge::open(profile, options).expect("it opens");
    let mut latencies_ns = Vec::new();
    for nth in 1..=COUNT as u64 {
        let at = Duration::from_ns(PERIOD.as_ns() * nth);
        session.run_until(at).expect("it runs");
        assert!(session.offer(Direction::Forward, &[nth as u8; SIZE], 0).is_some());
        session.run_until(at + Duration::from_ns(PERIOD.as_ns() - 1)).expect("it runs");
        for (packet, arrived) in session.arrived(Direction::Forward) {
            assert_eq!(packet.bytes, [nth as u8; SIZE], "as it was");
            latencies_ns.push(arrived.as_ns() as i64 - at.as_ns() as i64);
        }
    }
    median_ns(&latencies_ns)
}

#[test]
fn a_relayed_packet_takes_as_long_as_a_message_of_a_run() {
    for link in [
        "uart-115200-irq",
        "nrf24-250k",
        "ieee802154-ack-woken",
        "espnow-woken",
        "sik-64k",
        "hc05-57600",
        "ble-nus-notify",
        "wifi-udp-tuned",
        "tcp-stream-softap",
        "thread-up",
    ] {
        let profile = registry::find(link).expect("built in");
        let (run, relayed) = (run_median_ns(&profile), relayed_median_ns(&profile));
        // Allows for the pin and the interrupt before a program sends, and for the strobe
        // afterwards.
        assert!((run - relayed).abs() < 300_000.0, "{link}: {run} ns, relayed {relayed} ns");
    }
}
