//! What a profile of a pair of raw IEEE 802.15.4 radios sets, and what its MACs are told.

use airlag_link::airtime::ieee802154::Phy;
use airlag_models::stack::ieee802154::{Address, Channel, Config, Csma, Destination};
use airlag_sim::Duration;

use crate::boards::rtos::Rtos;
use airlag_rig::error::Refusal;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::{choices, parameters};
use airlag_rig::propagation::Propagation;

choices!(for Phy { Bpsk868 = "868", Bpsk915 = "915", Oqpsk2450 = "2450" });

choices! {
    /// Which bands a chip has: none has all of them.
    pub enum Bands {
        /// 2450 MHz alone: ESP32-C6, nRF52840.
        Upper = "2450",
        /// 868 and 915 MHz: AT86RF212B.
        Lower = "868-915",
    }
}

choices! {
    /// Whom frames are for.
    pub enum To {
        /// Whoever hears them.
        Broadcast = "broadcast",
        /// The other board.
        Unicast = "unicast",
    }
}

choices! {
    /// What becomes of a message's rest after a lost chunk.
    pub enum OnFailure {
        /// It is not sent.
        Abandon = "abandon",
        /// It is sent all the same.
        Continue = "continue",
    }
}

parameters! {
    /// What a profile of this kind sets.
    pub struct Parameters {
        /// band: 20, 40 or 250 kbit/s
        band: Phy = unit("MHz"),
        /// bands that the chip has
        bands: Bands = unit("MHz"),
        /// unslotted CSMA-CA before each frame; without it nobody looks
        csma: bool,
        /// first backoff exponent, macMinBE
        min_be: u8 = whole(0, 8, ""),
        /// largest backoff exponent, macMaxBE
        max_be: u8 = whole(3, 8, ""),
        /// looks after a busy first one, macMaxCSMABackoffs
        max_csma_backoffs: u8 = whole(0, 5, ""),
        /// ask for an acknowledgement of each frame
        acknowledge: bool,
        /// times a frame is sent again, macMaxFrameRetries
        retries: u8 = whole(0, 7, ""),
        /// whom frames are for
        destination: To,
        /// the radio acknowledges broadcasts too
        acknowledge_broadcast: bool,
        /// keep silent for SIFS or LIFS after a frame
        interframe_space: bool,
        /// from receiving to the first symbol
        turnaround: u64 = whole(0, 100_000, "1/1000 symbol"),
        /// from a frame's end to its acknowledgement
        ack_turnaround: u64 = whole(0, 100_000, "1/1000 symbol"),
        /// frames the radio holds for its program
        rx_buffer: usize = whole(1, 10_000, "frames"),
        /// payload of a full frame
        chunk: usize = whole(1, 116, "B"),
        /// from a frame's end, or its acknowledgement's, to the next being handed over
        gate: Duration,
        /// from a frame's end to the program having its payload
        receive_overhead: Duration,
        /// the message's rest after a lost chunk
        on_failure: OnFailure,
        /// how long the strobe stays high
        strobe: Duration,
        /// losses on the air
        losses: Bursts,
        /// the two boards
        boards: Rtos,
        /// how far the radios stand apart
        propagation: Propagation,
    }
}

/// Short addresses of the two boards. Which they are changes nothing that can be measured.
const SENDER: Address = Address::Short(0x8899);
const RECEIVER: Address = Address::Short(0x88AA);

/// What the MAC of the sending board is told, then that of the receiving one; refused in a band that
/// the chip has not.
pub(super) fn configs(p: &Parameters) -> Result<(Config, Config), Refusal> {
    let phy = p.band;
    let has = match p.bands {
        Bands::Upper => phy == Phy::Oqpsk2450,
        Bands::Lower => phy != Phy::Oqpsk2450,
    };
    if !has {
        let cause = "the chip has no such band (bands): 868 and 915 MHz are BPSK, 2450 MHz is O-QPSK, \
                     and a radio is made for one of them (IEEE 802.15.4-2006, 6.1.2, table 1)";
        return Err(Refusal::setting(Parameters::band, cause.to_owned()));
    }
    let milli_symbols = |count: u64| Duration::from_ns(count * phy.symbol_ns() / 1_000);
    let csma = Csma { min_be: p.min_be, max_be: p.max_be, max_backoffs: p.max_csma_backoffs };
    let destination = match p.destination {
        To::Broadcast => Destination::Broadcast,
        To::Unicast => Destination::Unicast(RECEIVER),
    };
    let sender = Config {
        csma: p.csma.then_some(csma),
        ack_request: p.acknowledge,
        max_retries: p.retries,
        ack_broadcast: p.acknowledge_broadcast,
        interframe_space: p.interframe_space,
        turnaround: milli_symbols(p.turnaround),
        ack_turnaround: milli_symbols(p.ack_turnaround),
        rx_buffer: p.rx_buffer,
        ..Config::standard(Channel::first(phy), SENDER, destination)
    };
    let receiver =
        Config { address: RECEIVER, destination: Destination::Unicast(SENDER), ..sender };
    Ok((sender, receiver))
}
