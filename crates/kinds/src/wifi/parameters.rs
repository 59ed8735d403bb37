//! Parameters of two hosts with Wi-Fi, and the resulting settings of their stations.

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
    /// Location of the access point.
    pub enum Where {
        /// A separate device: each packet is sent over two hops.
        Separate = "separate",
        /// The sending board.
        Sender = "sender",
        /// The receiving board.
        Receiver = "receiver",
    }
}

choices! {
    /// Duration of an 802.11 slot.
    pub enum Slot {
        /// 9 us.
        Short = "short",
        /// 20 us.
        Long = "long",
    }
}

parameters! {
    /// The network: rates, contention, the access point, and competing stations.
    pub struct Network {
        /// location of the access point: a separate device, so that each packet is sent twice, or
        /// one of the two boards
        access_point: Where,
        /// channel
        channel: u8 = whole(1, 13, ""),
        /// modulation and coding scheme of 802.11n, one stream of 20 MHz; fixed, without rate
        /// adaptation
        mcs: u8 = whole(0, 7, ""),
        /// guard interval: 0.8 or 0.4 us
        guard_interval: GuardInterval,
        /// slot duration: 9 us, or 20 us where 802.11b stations may take part
        slot: Slot,
        /// slots between SIFS and the backoff: 2 for DIFS, 3 for best effort, 2 for voice
        aifsn: u8 = whole(2, 15, "slots"),
        /// smallest contention window
        cw_min: u16 = whole(0, 1_023, "slots"),
        /// largest contention window
        cw_max: u16 = whole(0, 1_023, "slots"),
        /// retries of a frame
        retries: u8 = whole(0, 31, ""),
        /// packets that a station queues for sending
        station_queue: usize = whole(1, 10_000, "packets"),
        /// beacon interval in units of 1.024 ms
        beacon_interval: u16 = whole(1, 65_535, "TU"),
        /// initial phase of the beacons
        beacon_phase: Phase,
        /// beacons from one DTIM, after which broadcast frames are sent, to the next
        dtim_period: u8 = whole(1, 255, "beacons"),
        /// frequency error of the access point's clock
        access_point_ppb: Ppb,
        /// from a packet's arrival in the access point to the queue of its radio
        forward: Duration,
        /// mean of a random addition to forward, exponentially distributed
        forward_jitter: Duration,
        /// capacity of the access point's queue, and of its queue for each sleeping station
        access_point_queue: usize = whole(1, 10_000, "packets"),
        /// other stations with a permanent backlog
        competitors: u8 = whole(0, 64, ""),
        /// packet size of the competitors
        competitor_size: usize = whole(28, 2_296, "B"),
        /// losses on the air
        losses: Bursts,
        /// distance of a radio from the access point, and the path between them
        propagation: Propagation,
    }
}

parameters! {
    /// Modem power save of both boards.
    pub struct Sleep {
        /// whether the radio is on for beacons and traffic only
        power_save: bool,
        /// time before a due beacon at which the radio is switched on
        wake_ahead: Duration,
        /// time after a due beacon for which the radio waits for it
        beacon_wait: Duration,
        /// from a beacon that announces pending frames to the station's request for them
        fetch: Duration,
        /// time for which the radio stays on after the last frame
        active: Duration,
        /// share of awaited beacons that a station misses
        missed_beacons: f64 = unit("").or("0", "every beacon is received"),
    }
}

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// the network between the boards
        network: Network,
        /// modem power save
        sleep: Sleep,
        /// deep sleep of the sending board
        deep_sleep: DeepSleep,
        /// TCP/IP of both hosts
        ip: Ip,
        /// duration of the strobe pulse
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

    /// Duration of a slot, ns.
    pub(super) const fn slot_ns(&self) -> u64 {
        match self.slot {
            Slot::Short => SHORT_SLOT_NS,
            Slot::Long => SLOT_NS,
        }
    }

    /// Number of transmissions of each packet.
    pub(super) const fn hops(&self) -> u64 {
        match self.access_point {
            Where::Separate => 2,
            Where::Sender | Where::Receiver => 1,
        }
    }
}
