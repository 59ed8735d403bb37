//! Delays of at least the requested time.

use embassy_time::{Duration, Timer};
use embedded_hal_async::delay::DelayNs;

/// Delays for drivers. A timer that is started within a tick of the board expires up to one tick
/// early. With a tick of 100 us, that is the whole reset of an SX127x, so one tick is added.
#[derive(Clone, Copy, Debug)]
pub struct AtLeast;

const TICK: Duration = Duration::from_ticks(1);

impl DelayNs for AtLeast {
    async fn delay_ns(&mut self, ns: u32) {
        Timer::after(Duration::from_nanos(u64::from(ns)) + TICK).await;
    }

    async fn delay_us(&mut self, us: u32) {
        Timer::after(Duration::from_micros(u64::from(us)) + TICK).await;
    }

    async fn delay_ms(&mut self, ms: u32) {
        Timer::after(Duration::from_millis(u64::from(ms)) + TICK).await;
    }
}
