//! A scan of the band by the driver: the power detector finds a sender on its own channel only.

use std::cell::Cell;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_drivers::nrf24::Role;
use airlag_kinds::nrf24::{Parameters, stations};
use airlag_link::Link;
use airlag_rig::ends::Bench;
use airlag_sim::{Duration, Instant, Sim, Simulation};
use embedded_hal_async::delay::DelayNs;

use crate::bench;

/// Samples of each channel.
const LOOKS: u16 = 50;

/// Waits in virtual time.
struct Waits(Sim);

impl DelayNs for Waits {
    async fn delay_ns(&mut self, ns: u32) {
        self.0.sleep(Duration::from_ns(u64::from(ns))).await;
    }
}

/// Number of detections on a channel while the other board sends on channel 60 or is silent.
fn found(channel: u8, sends: bool) -> u16 {
    let changes = [("acknowledge", "false"), ("channel", "60"), ("flush_after_read", "false")];
    let parameters: Parameters =
        bench::profile("nrf24-2m", &changes).read().expect("a right profile");
    let time = Simulation::new(1);
    let air = Medium::new(&time);
    let (near, far) = stations(&parameters, 32, &Bench::on(&time, &air)).expect("a right setup");
    let count = Rc::new(Cell::new(None));
    time.spawn("sender", async move {
        let mut link = near.link(Role::Transmitter).await.expect("it is set up");
        if sends {
            loop {
                link.send(&[0xA5; 32]).await.expect("the bus answers");
            }
        }
    });
    let (result, sim) = (Rc::clone(&count), Sim::clone(&time));
    time.spawn("scanner", async move {
        let mut driver = far.driver(Role::Receiver).await.expect("it is set up");
        result.set(driver.busy(channel, LOOKS, &mut Waits(sim)).await.ok());
    });
    time.run_until(Instant::START + Duration::from_secs(2)).expect("no livelock");
    count.get().expect("it was done")
}

#[test]
fn a_scan_finds_a_sender_on_its_channel_and_on_no_other() {
    assert_eq!([59, 60, 61].map(|channel| found(channel, false)), [0; 3]);
    // A frame of 32 B lasts 0.16 ms of the 0.35 ms frame interval.
    let own = found(60, true);
    assert!((LOOKS / 4..=LOOKS * 3 / 4).contains(&own), "{own} of {LOOKS}");
    for channel in [0, 40, 80, 125] {
        assert_eq!(found(channel, true), 0, "channel {channel}");
    }
}
