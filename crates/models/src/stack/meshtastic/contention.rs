//! Contention windows, their slots, and the timeout of a retransmission (`RadioInterface.cpp`).
//!
//! A node waits for a random number of slots before it sends. For a packet of the node's own, the number
//! of slots is less than 2^CW. The contention window CW grows with the load of the channel. For a packet
//! that the node relays, the wait grows with the signal-to-noise ratio of the reception, so that a
//! distant relay sends first.

use airlag_link::airtime::lora::Frame;
use airlag_sim::{Duration, Stream};

use super::config::Role;

/// Smallest and largest contention window (`CWmin`, `CWmax`).
const SMALLEST: u8 = 3;
const LARGEST: u8 = 8;
/// Number of slots that only routers use. The slots of clients follow (`getTxDelayMsecWeighted`).
pub const ROUTER_SLOTS: u64 = 2 * LARGEST as u64;
/// Signal-to-noise ratios of the smallest and the largest window, dB (`getCWsize`).
const WEAKEST_DB: i32 = -20;
const STRONGEST_DB: i32 = 10;
/// Propagation, turnaround of the radio and processing in a slot, us (`computeSlotTimeMsec`).
const SLOT_OVERHEAD_US: u64 = 200 + 400 + 7_000;
/// Time for a packet to be processed and answered, in the timeout (`PROCESSING_TIME_MSEC`).
const PROCESSING_MS: u64 = 4_500;

/// Duration of channel activity detection on an SX126x with two symbols (`NUM_SYM_CAD`; two symbols and
/// a half, as in `computeSlotTimeMsec`).
#[must_use]
pub const fn detection(frame: &Frame) -> Duration {
    Duration::from_ns(frame.symbol_ns() * 5 / 2)
}

/// Duration of a slot, in whole milliseconds.
#[must_use]
pub const fn slot_ms(frame: &Frame) -> u64 {
    (detection(frame).as_ns() + SLOT_OVERHEAD_US * 1_000) / 1_000_000
}

/// Contention window of a node's own packets at a channel utilisation, %.
#[must_use]
pub fn window_of_load(percent: f64) -> u8 {
    SMALLEST + (percent.clamp(0.0, 100.0) as u8 as u16 * u16::from(LARGEST - SMALLEST) / 100) as u8
}

/// Contention window for relaying a packet that was received with a signal-to-noise ratio, dB.
#[must_use]
pub fn window_of_snr(snr_db: f64) -> u8 {
    let above = snr_db as i32 - WEAKEST_DB;
    let window = above * i32::from(LARGEST - SMALLEST) / (STRONGEST_DB - WEAKEST_DB);
    // Receivers report at most 31.75 dB, which is a window of 11.
    (i32::from(SMALLEST) + window).clamp(0, 11) as u8
}

/// Slots before a packet of the node's own, at random.
pub fn own_slots(window: u8, stream: &mut Stream) -> u64 {
    stream.below(1 << window)
}

/// Slots before a packet is relayed, at random.
pub fn relay_slots(role: Role, window: u8, stream: &mut Stream) -> u64 {
    match role {
        Role::Client => ROUTER_SLOTS + stream.below(1 << window),
        Role::Router => stream.below(2 * u64::from(window)),
    }
}

/// Least number of slots before a packet is relayed.
#[must_use]
pub const fn least_relay_slots(role: Role) -> u64 {
    match role {
        Role::Client => ROUTER_SLOTS,
        Role::Router => 0,
    }
}

/// Time from the order to send a packet of `airtime_ms` to its retransmission, at a channel utilisation, %
/// (`getRetransmissionMsec`).
#[must_use]
pub fn timeout_ms(frame: &Frame, airtime_ms: u64, percent: f64) -> u64 {
    let middle = 1 << ((LARGEST + SMALLEST) / 2);
    let slots = (1 << window_of_load(percent)) + ROUTER_SLOTS + middle;
    2 * airtime_ms + slots * slot_ms(frame) + PROCESSING_MS
}

#[cfg(test)]
mod tests {
    use airlag_link::airtime::lora::CodingRate;

    use super::super::preset::Preset;
    use super::*;

    fn frame(preset: Preset) -> Frame {
        preset.frame(CodingRate::Cr4_5)
    }

    #[test]
    fn slots_and_timeouts_are_those_of_published_logs() {
        // meshtastic/firmware, pull requests 5749 and 11137: 28 ms, and 28.1, 12.7 and 8.9 before rounding.
        let slots = [Preset::LongFast, Preset::MediumFast, Preset::ShortFast]
            .map(|preset| slot_ms(&frame(preset)));
        assert_eq!(slots, [28, 12, 8]);
        // Issue 10162: LongModerate, 26 B in 1,249 ms, "Setting next retransmission in 9686 msecs".
        let moderate = frame(Preset::LongModerate);
        let airtime_ms = moderate.duration_ns(26) / 1_000_000;
        assert_eq!((airtime_ms, timeout_ms(&moderate, airtime_ms, 0.0)), (1_249, 9_686));
    }

    #[test]
    fn windows_follow_load_and_signal() {
        let of_load = [0.0, 19.9, 20.0, 45.0, 99.0, 100.0].map(window_of_load);
        assert_eq!(of_load, [3, 3, 4, 5, 7, 8]);
        // -9.25 dB are -9 in whole numbers, and 11 * 5 / 30 = 1.
        let of_snr = [-25.0, -20.0, -9.25, 0.0, 9.9, 10.0, 12.0].map(window_of_snr);
        assert_eq!(of_snr, [3, 3, 4, 6, 7, 8, 8]);
    }
}
