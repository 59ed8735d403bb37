//! Parameters of a chain of Zigbee devices, and the settings of each device.

use airlag_link::airtime::ieee802154::Phy;
use airlag_models::stack::ieee802154::{self, Address, Channel, Csma, Destination};
use airlag_models::stack::zigbee::config::Format;
use airlag_models::stack::zigbee::station::Routes;
use airlag_models::stack::zigbee::{Config, Costs, Host, Place};
use airlag_sim::Duration;

use crate::boards::rtos::Rtos;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::parameters;
use airlag_rig::propagation::Propagation;

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// hops from the sender to the receiver; all devices between them are routers
        hops: u8 = whole(1, 15, ""),
        /// distance up to which a frame is sensed and interferes; it is decoded only one hop away
        interference_range: u8 = whole(1, 15, "hops").or("2", "a router with a good link at one hop is still sensed at two hops; no effect while hops is 1"),
        /// channel of the 2.4 GHz band
        channel: u8 = whole(11, 26, ""),
        /// security of NWK frames: AES-CCM* with the network key
        security: bool,
        /// IEEE addresses of both devices in NWK headers
        ieee_addresses: bool,
        /// ZCL header of messages
        zcl: bool,
        /// request an APS acknowledgement of each message from the receiver
        aps_ack: bool,
        /// repetitions of a message without an APS acknowledgement, apscMaxFrameRetries
        aps_retries: u8 = whole(0, 15, ""),
        /// wait for an APS acknowledgement, apscAckWaitDuration
        aps_ack_wait: Duration = whole(50, 60_000, "ms"),
        /// repetitions of an NWK frame that the MAC has given up, nwkcUnicastRetries
        unicast_retries: u8 = whole(0, 15, ""),
        /// delay before such a repetition, nwkcUnicastRetryDelay
        unicast_retry_delay: Duration = whole(0, 10_000, "ms"),
        /// longest data of a message; at most what a frame can contain, because messages are not
        /// fragmented
        longest_message: usize = whole(1, 100, "B"),
        /// first backoff exponent, macMinBE
        min_be: u8 = whole(0, 8, ""),
        /// largest backoff exponent, macMaxBE
        max_be: u8 = whole(3, 8, ""),
        /// channel assessments after a busy first one, macMaxCSMABackoffs
        max_csma_backoffs: u8 = whole(0, 5, ""),
        /// retries of a frame, macMaxFrameRetries
        retries: u8 = whole(0, 7, ""),
        /// wait for SIFS or LIFS after a frame
        interframe_space: bool,
        /// frames that a device buffers; a router drops further ones
        buffers: usize = whole(1, 1_000, "frames"),
        /// software time of the stack per sent frame, without AES
        stack_send: Duration,
        /// software time of the stack per received frame, without AES
        stack_receive: Duration,
        /// time for one block of AES
        aes_block: Duration,
        /// from the program's call to the message in the stack
        host_send: Duration,
        /// from the message in the stack to its data in the program
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

/// Radius of messages: twice `nwkcMaxDepth`, the default of the specification (3.2.1.1.3).
const RADIUS: u8 = 30;
/// IEEE address of the first device; the others follow. The prefix is for local administration.
const FIRST_EUI: u64 = 0x0200_5E20_0000_0001;

impl Parameters {
    /// Optional parts of the frames.
    pub(super) const fn format(&self) -> Format {
        Format { secured: self.security, ieee: self.ieee_addresses, zcl: self.zcl }
    }

    /// Longest data of a message.
    pub(super) fn chunk(&self) -> usize {
        self.longest_message.min(self.format().room())
    }

    /// The channel; the range of the parameter contains only numbers of channels.
    pub(super) fn radio_channel(&self) -> Channel {
        Channel::new(self.channel).unwrap_or(Channel::first(Phy::Oqpsk2450))
    }

    /// Address of the device `nth` of the chain, counted from the sender.
    const fn place(nth: u8) -> Place {
        Place { short: nth as u16, eui: FIRST_EUI + nth as u64 }
    }

    /// MAC settings of a device in a network of its own for each `group` of devices on the air.
    pub(super) fn mac(&self, nth: u8, group: u16) -> ieee802154::Config {
        let csma =
            Csma { min_be: self.min_be, max_be: self.max_be, max_backoffs: self.max_csma_backoffs };
        let own = Address::Short(Self::place(nth).short);
        // The stack above addresses every frame.
        let standard =
            ieee802154::Config::standard(self.radio_channel(), own, Destination::Broadcast);
        ieee802154::Config {
            pan: standard.pan + group,
            csma: Some(csma),
            ack_request: true,
            max_retries: self.retries,
            interframe_space: self.interframe_space,
            ..standard
        }
    }

    /// Settings of the stack of a device.
    pub(super) fn station(&self, nth: u8) -> Config {
        let peer = if nth == 0 { self.hops } else { 0 };
        Config {
            own: Self::place(nth),
            peer: Self::place(peer),
            format: self.format(),
            radius: RADIUS,
            aps_ack: self.aps_ack,
            aps_retries: self.aps_retries,
            aps_ack_wait: self.aps_ack_wait,
            unicast_retries: self.unicast_retries,
            unicast_retry_delay: self.unicast_retry_delay,
            buffers: self.buffers,
            costs: Costs {
                send: self.stack_send,
                receive: self.stack_receive,
                aes_block: self.aes_block,
            },
        }
    }

    /// Next hops of a device to all others.
    pub(super) fn routes(&self, nth: u8) -> Routes {
        let towards = |to: u8| if to < nth { nth - 1 } else { nth + 1 };
        let others = (0..=self.hops).filter(|&to| to != nth);
        others.map(|to| (Self::place(to).short, Self::place(towards(to)).short)).collect()
    }

    pub(super) const fn host(&self) -> Host {
        Host { send: self.host_send, receive: self.host_receive }
    }
}

#[cfg(test)]
mod tests {
    use crate::registry;

    #[test]
    fn a_message_crosses_as_many_hops_as_are_set() {
        let mut profile = registry::find("zigbee").expect("built in");
        for hops in 1..=15_u64 {
            profile.set("hops", &hops.to_string()).expect("in range");
            let floor = profile.bind().expect("it is right").floor(8).expect("it is carried");
            let cca = floor.terms().iter().find(|term| term.name == "cca").expect("CSMA-CA");
            assert_eq!(cca.count, hops);
        }
    }
}
