//! Parameters of a chain of mesh nodes, and the settings of each node.

use airlag_models::stack::btmesh::{Config, Host, Occupancy, Segmentation, Transmit};
use airlag_sim::Duration;

use crate::boards::rtos::Rtos;
use airlag_rig::error::Refusal;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::{choices, parameters};
use airlag_rig::propagation::Propagation;

choices!(for Occupancy { Counted = "counted", Timed = "timed" });
choices!(for Segmentation { Profile10 = "1.0", Protocol11 = "1.1" });

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// hops from the sender to the receiver; all nodes between them are relays
        hops: u8 = whole(1, 10, ""),
        /// number of hops over which a transmission is received; with 2, a message also skips
        /// relays
        reach: u8 = whole(1, 10, "hops"),
        /// time to live of the sender's messages; a relay forwards those above 1
        ttl: u8 = whole(2, 127, ""),
        /// retransmissions of the sender's network PDUs: Network Transmit Count
        network_transmit_count: u8 = whole(0, 7, ""),
        /// interval between transmissions of the sender's network PDUs: Network Transmit Interval
        /// Steps; controllers need 20 ms
        network_transmit_interval: Duration = whole(10, 320, "ms"),
        /// retransmissions of relayed network PDUs: Relay Retransmit Count
        relay_retransmit_count: u8 = whole(0, 7, ""),
        /// interval between transmissions of relayed network PDUs: Relay Retransmit Interval Steps;
        /// controllers need 20 ms
        relay_retransmit_interval: Duration = whole(10, 320, "ms"),
        /// how long a PDU occupies the advertiser: until its transmissions are counted, or for a
        /// time computed in advance
        occupancy: Occupancy,
        /// from the command to advertise to the first advertising event
        advertising_start: Duration,
        /// largest random addition to advertising_start
        advertising_start_spread: Duration = whole(0, 1_000_000, "us"),
        /// from the end of an advertising PDU to the next one on another channel
        channel_change: Duration,
        /// time for which the scanner stays on a channel
        scan_interval: Duration = whole(3, 10_000, "ms"),
        /// from the end of a received PDU to a relay's command to advertise it
        relay_processing: Duration,
        /// largest random addition to relay_processing
        relay_delay: Duration = whole(0, 1_000, "ms"),
        /// PDUs in the queue of the advertiser; a relay drops further ones
        queue: usize = whole(1, 1_000, "PDUs"),
        /// entries of the message cache
        cache: usize = whole(2, 10_000, ""),
        /// longest data of a message; data of more than 8 B, or 7 B if acknowledged, are segmented
        longest_message: usize = whole(1, 376, "B"),
        /// request a response to each message
        acknowledged: bool,
        /// largest number of transmissions of a message without a response
        attempts: u8 = whole(1, 100, ""),
        /// from the end of a message to its next transmission without a response
        response_timeout: Duration = whole(50, 60_000, "ms"),
        /// rules for segmented messages: those of Mesh Profile 1.0, or of Mesh Protocol 1.1
        segmentation: Segmentation,
        /// shortest time from one segment of a message to the next, since 1.1: SAR Segment Interval
        /// Step
        segment_interval: Duration = whole(10, 160, "ms"),
        /// segment interval that a receiver expects, since 1.1: SAR Receiver Segment Interval Step;
        /// it acknowledges 2.5 intervals after the last new segment
        segment_reception_interval: Duration = whole(10, 160, "ms"),
        /// wait for an acknowledgement before segments are retransmitted, at the lowest TTL; each
        /// further unit of TTL adds 50 ms: SAR Unicast Retransmissions Interval Step
        segment_timer: Duration = whole(25, 10_000, "ms"),
        /// largest number of transmissions of the segments of a message
        segment_attempts: u8 = whole(1, 100, ""),
        /// from the program's call to the command to advertise
        host_send: Duration,
        /// from the end of a message to its data in the program
        host_receive: Duration,
        /// duration of the strobe pulse
        strobe: Duration,
        /// losses on the air
        losses: Bursts,
        /// the two boards
        boards: Rtos,
        /// distance and path of each hop
        propagation: Propagation,
    }
}

/// Address of the first node of the chain; the others follow.
const FIRST: u16 = 1;

impl Parameters {
    /// Checks that messages reach the end of the chain, and that their data fit.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let relayed = self.least_hops();
        if relayed > u64::from(self.ttl) {
            let cause = format!("a message over {relayed} hops needs a TTL of at least {relayed}");
            return Err(Refusal::setting(Self::ttl, cause));
        }
        let most = Config::most(self.acknowledged);
        if self.longest_message > most {
            let cause = format!("32 segments hold {most} B of data");
            return Err(Refusal::setting(Self::longest_message, cause));
        }
        Ok(())
    }

    /// Least number of successive transmissions from the sender to the receiver.
    pub(super) fn least_hops(&self) -> u64 {
        u64::from(self.hops).div_ceil(u64::from(self.reach))
    }

    /// Settings of the node `nth` of the chain, counted from the sender.
    pub(super) fn config(&self, nth: u8, network: u16) -> Config {
        let transmit = |count: u8, interval| Transmit { transmissions: count + 1, interval };
        let peer = if nth == 0 { self.hops } else { 0 };
        Config {
            network,
            address: FIRST + u16::from(nth),
            peer: FIRST + u16::from(peer),
            ttl: self.ttl,
            relay: nth > 0 && nth < self.hops,
            network_transmit: transmit(self.network_transmit_count, self.network_transmit_interval),
            relay_retransmit: transmit(self.relay_retransmit_count, self.relay_retransmit_interval),
            occupancy: self.occupancy,
            start: self.advertising_start,
            start_spread: self.advertising_start_spread,
            channel_change: self.channel_change,
            scan_interval: self.scan_interval,
            relay_processing: self.relay_processing,
            relay_delay: self.relay_delay,
            queue: self.queue,
            cache: self.cache,
            acknowledged: self.acknowledged,
            attempts: self.attempts,
            response_timeout: self.response_timeout,
            segmentation: self.segmentation,
            segment_interval: self.segment_interval,
            segment_reception_interval: self.segment_reception_interval,
            segment_timer: self.segment_timer,
            segment_attempts: self.segment_attempts,
        }
    }

    pub(super) const fn host(&self) -> Host {
        Host { send: self.host_send, receive: self.host_receive }
    }
}
