//! Parameters of a chain of Meshtastic nodes, and the settings of each node.

use airlag_air::quantity::{DbHz, Hertz};
use airlag_link::airtime::lora::{CodingRate, Frame};
use airlag_models::stack::meshtastic::data::channel_hash;
use airlag_models::stack::meshtastic::{Addressee, Config, Host, Preset, Region, Role};
use airlag_sim::Duration;

use crate::boards::rtos::Rtos;
use airlag_rig::error::Refusal;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::{choices, parameters};
use airlag_rig::propagation::Propagation;

choices!(for Preset {
    ShortTurbo = "short-turbo",
    ShortFast = "short-fast",
    ShortSlow = "short-slow",
    MediumFast = "medium-fast",
    MediumSlow = "medium-slow",
    LongTurbo = "long-turbo",
    LongFast = "long-fast",
    LongModerate = "long-moderate",
    LongSlow = "long-slow",
});
choices!(for Region { Eu868 = "eu868", Us = "us" });
choices!(for Role { Client = "client", Router = "router" });
choices!(for Addressee { Node = "node", Channel = "channel" });

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// region, which determines the frequencies
        region: Region,
        /// modem preset: spreading factor, bandwidth and least coding rate
        preset: Preset,
        /// least coding rate; a preset with a more redundant one keeps its own
        coding_rate: CodingRate,
        /// hops from the sender to the receiver; all nodes between them relay
        hops: u8 = whole(1, 8, ""),
        /// number of hops over which a transmission is received; with 2, a message also skips
        /// relays
        reach: u8 = whole(1, 8, "hops"),
        /// largest number of rebroadcasts of a message: the hop limit
        hop_limit: u8 = whole(0, 7, ""),
        /// role of the relays: clients wait longer, and cancel what another node has relayed
        relay_role: Role,
        /// signal-to-noise ratio that receivers report, on which the wait of a relay depends; with
        /// a range, that of the median location up to this value
        snr: f64 = real(-25.0, 31.75, "dB"),
        /// a direct message to the receiving node, or a message to its channel, which it relays too
        addressee: Addressee,
        /// encryption of direct messages with the public key of the receiver, which adds 12 B
        public_key: bool,
        /// request an acknowledgement of each message; a copy from a relay also counts as one
        acknowledged: bool,
        /// largest number of transmissions of a message without an acknowledgement
        transmissions: u8 = whole(1, 10, ""),
        /// largest share of an hour in which a node sends; it refuses and drops further packets
        duty_cycle: f64 = real(0.01, 100.0, "%"),
        /// longest data of a message
        longest_message: usize = whole(1, 232, "B"),
        /// symbols of a preamble that a receiver needs
        lock: u16 = whole(1, 16, "symbols"),
        /// from the end of channel activity detection to the first symbol on the air
        radio_start: Duration,
        /// from the end of a received packet to the decision of the firmware about it
        processing: Duration,
        /// from the program's call to the packet in the transmit queue
        host_send: Duration,
        /// from the decision about a received packet to its data in the program
        host_receive: Duration,
        /// longest wait for the addressee's acknowledgement before the next message
        ack_patience: Duration,
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

/// Largest number of nodes in one chain, for numbering.
const CHAIN: u32 = 16;
/// Number of the first node. Numbers of nodes come from their hardware addresses.
const FIRST: u32 = 0x6169_0001;

impl Parameters {
    /// Checks that the region offers the preset, and that messages reach the end of the chain and
    /// fit.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        if !self.region.allows(self.preset) {
            let khz = self.preset.bandwidth().hz() / 1_000;
            let cause = format!("{khz} kHz do not fit into the region's band");
            return Err(Refusal::setting(Self::preset, cause));
        }
        let rebroadcasts = self.least_hops() - 1;
        if rebroadcasts > u64::from(self.hop_limit) {
            let cause = format!("{} hops need a limit of {rebroadcasts}", self.least_hops());
            return Err(Refusal::setting(Self::hop_limit, cause));
        }
        let most = self.config(0, 0).most();
        if self.longest_message > most {
            let cause = format!("a packet holds {most} B of data");
            return Err(Refusal::setting(Self::longest_message, cause));
        }
        Ok(())
    }

    /// Packet format.
    pub(super) fn frame(&self) -> Frame {
        self.preset.frame(self.coding_rate)
    }

    /// Least number of successive transmissions from the sender to the receiver.
    pub(super) fn least_hops(&self) -> u64 {
        u64::from(self.hops).div_ceil(u64::from(self.reach))
    }

    /// Signal-to-noise ratio that receivers report, dB.
    fn reported_snr(&self) -> f64 {
        if self.propagation.range <= 0.0 {
            return self.snr;
        }
        let band = self.region.channel(self.preset);
        let DbHz(signal) = self.propagation.budget().signal(band.centre());
        let Hertz(width) = Hertz(f64::from(self.preset.bandwidth().hz()));
        (signal - 10.0 * width.log10()).min(self.snr)
    }

    /// Settings of the node `nth` of the chain, counted from the sender.
    pub(super) fn config(&self, nth: u8, group: u16) -> Config {
        let number = |nth: u8| FIRST + CHAIN * u32::from(group) + u32::from(nth);
        Config {
            number: number(nth),
            peer: number(if nth == 0 { self.hops } else { 0 }),
            addressee: self.addressee,
            frame: self.frame(),
            band: self.region.channel(self.preset),
            channel: channel_hash(self.preset.channel()),
            hop_limit: self.hop_limit,
            role: if nth == 0 || nth == self.hops { Role::Client } else { self.relay_role },
            snr_db: self.reported_snr(),
            public_key: self.public_key,
            acknowledged: self.acknowledged,
            transmissions: self.transmissions,
            duty_cycle: self.duty_cycle,
            lock_symbols: self.lock,
            start: self.radio_start,
            processing: self.processing,
        }
    }

    pub(super) const fn host(&self) -> Host {
        Host { send: self.host_send, receive: self.host_receive, patience: self.ack_patience }
    }
}
