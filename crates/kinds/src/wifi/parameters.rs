//! What a profile of two hosts with Wi-Fi sets, and what its stations are told.

use airlag_link::airtime::wifi::{GuardInterval, Mcs, Rate, SHORT_SLOT_NS, SLOT_NS};
use airlag_sim::Duration;

use crate::boards::deep_sleep::DeepSleep;
use crate::boards::rtos::Rtos;
use crate::ip::Ip;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::{Phase, Ppb, choices, parameters};
use airlag_rig::propagation::Propagation;

choices!(for GuardInterval { Long = "long", Short = "short" });

choices! {
    /// Where the access point is.
    pub enum Where {
        /// A device of its own: each packet is on the air twice.
        Separate = "separate",
        /// The sending board.
        Sender = "sender",
        /// The receiving board.
        Receiver = "receiver",
    }
}

choices! {
    /// How long an 802.11 slot lasts.
    pub enum Slot {
        /// 9 us.
        Short = "short",
        /// 20 us.
        Long = "long",
    }
}

parameters! {
    /// The network: rates, contention, the access point, and who else is on it.
    pub struct Network {
        /// a device of its own, so that each packet is on the air twice, or one of the two boards
        access_point: Where,
        /// channel
        channel: u8 = whole(1, 13, ""),
        /// modulation and coding scheme of 802.11n, one stream of 20 MHz; it stays where the signal is weak
        mcs: u8 = whole(0, 7, ""),
        /// before each symbol: 0.8 or 0.4 us
        guard_interval: GuardInterval,
        /// 9 us, or 20 where an 802.11b station may take part
        slot: Slot,
        /// slots between SIFS and the backoff: 2 for DIFS, 3 for best effort, 2 for voice
        aifsn: u8 = whole(2, 15, "slots"),
        /// smallest contention window
        cw_min: u16 = whole(0, 1_023, "slots"),
        /// largest contention window
        cw_max: u16 = whole(0, 1_023, "slots"),
        /// times a frame is sent again
        retries: u8 = whole(0, 31, ""),
        /// packets a station holds to be sent
        station_queue: usize = whole(1, 10_000, "packets"),
        /// between two beacons, 1.024 ms each
        beacon_interval: u16 = whole(1, 65_535, "TU"),
        /// where the beacons stand
        beacon_phase: Phase,
        /// beacons from one after which frames for everybody are sent to the next
        dtim_period: u8 = whole(1, 255, "beacons"),
        /// how fast the clock of the access point runs
        access_point_ppb: Ppb,
        /// from a packet being in the access point to it being in the queue of its radio
        forward: Duration,
        /// what is added to that on average, exponentially distributed
        forward_jitter: Duration,
        /// packets in the queue of the access point, and as many for each station that sleeps
        access_point_queue: usize = whole(1, 10_000, "packets"),
        /// other stations, which always have a packet to send
        competitors: u8 = whole(0, 64, ""),
        /// of a packet of theirs
        competitor_size: usize = whole(28, 2_296, "B"),
        /// losses on the air
        losses: Bursts,
        /// how far a radio stands from the access point
        propagation: Propagation,
    }
}

parameters! {
    /// Modem power save of both boards.
    pub struct Sleep {
        /// the radio is on for beacons and traffic only
        power_save: bool,
        /// before a beacon is due the radio is on
        wake_ahead: Duration,
        /// after a beacon is due the radio waits for it
        beacon_wait: Duration,
        /// from a beacon that says that frames are held to the station asking for them
        fetch: Duration,
        /// after the last frame that came or went the radio stays on
        active: Duration,
        /// share of the beacons it wakes for that a station does not receive
        missed_beacons: f64 = unit("").or("0", "every beacon is received"),
    }
}

parameters! {
    /// What a profile of this kind sets.
    pub struct Parameters {
        /// the network between the boards
        network: Network,
        /// how they sleep
        sleep: Sleep,
        /// how the sending board rests
        deep_sleep: DeepSleep,
        /// TCP/IP on both
        ip: Ip,
        /// how long the strobe stays high
        strobe: Duration,
        /// the two boards
        boards: Rtos,
    }
}

impl Network {
    /// Rate of the data frames.
    pub(super) fn rate(&self) -> Rate {
        Mcs::new(self.mcs).map_or(Rate::Ofdm6, |mcs| Rate::Ht(mcs, self.guard_interval))
    }

    /// Of a slot.
    pub(super) const fn slot_ns(&self) -> u64 {
        match self.slot {
            Slot::Short => SHORT_SLOT_NS,
            Slot::Long => SLOT_NS,
        }
    }

    /// How often each packet is on the air.
    pub(super) const fn hops(&self) -> u64 {
        match self.access_point {
            Where::Separate => 2,
            Where::Sender | Where::Receiver => 1,
        }
    }
}
