//! Parameters of a pair of raw IEEE 802.15.4 radios, and the resulting settings of their MACs.

use airlag_air::Sense;
use airlag_air::quantity::{Db, Dbm};
use airlag_link::airtime::ieee802154::Phy;
use airlag_models::stack::ieee802154::{Address, Channel, Config, Csma, Destination, phy::FAMILY};
use airlag_sim::Duration;

use crate::boards::rtos::Rtos;
use airlag_rig::error::Refusal;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::{choices, parameters};
use airlag_rig::propagation::{Hearing, Propagation};

choices!(for Phy { Bpsk868 = "868", Bpsk915 = "915", Oqpsk2450 = "2450" });

choices! {
    /// Bands of a chip; no chip supports all of them.
    pub enum Bands {
        /// 2450 MHz alone: ESP32-C6, nRF52840.
        Upper = "2450",
        /// 868 and 915 MHz: AT86RF212B.
        Lower = "868-915",
    }
}

choices! {
    /// Destination of frames.
    pub enum Addressing {
        /// All receivers.
        Broadcast = "broadcast",
        /// The other board.
        Unicast = "unicast",
    }
}

choices! {
    /// Handling of a message's rest after a lost chunk.
    pub enum OnFailure {
        /// The rest of the message is not sent.
        Abandon = "abandon",
        /// The rest of the message is sent nevertheless.
        Continue = "continue",
    }
}

choices! {
    /// Criterion for a busy channel (IEEE Std 802.15.4-2006, 6.9.9).
    pub enum Assessment {
        /// Mode 1: energy.
        Energy = "energy",
        /// Mode 2: a frame of the standard.
        Carrier = "carrier",
        /// Mode 3: energy, or a frame of the standard.
        Either = "either",
    }
}

/// Response of an IEEE 802.15.4 radio to other signals.
///
/// Carrier sense detects IEEE 802.15.4 frames down to the sensitivity that IEEE Std 802.15.4-2006
/// requires (6.5.3.3, 6.6.3.4). Energy detection has a threshold 10 dB above this sensitivity, the
/// highest threshold that the standard permits (6.9.9). Interference counts as noise in the formula
/// of the standard for the error rate.
#[must_use]
pub fn hearing(phy: Phy, assessment: Assessment) -> Hearing {
    let sensitivity = match phy {
        Phy::Oqpsk2450 => -85.0,
        Phy::Bpsk868 | Phy::Bpsk915 => -92.0,
    };
    let (carrier, energy) = (Dbm(sensitivity), Dbm(sensitivity + 10.0));
    let never = Dbm(f64::INFINITY);
    let sense = match assessment {
        Assessment::Energy => Sense::energy(energy),
        Assessment::Carrier => Sense { own: carrier, energy: never },
        Assessment::Either => Sense { own: carrier, energy },
    };
    Hearing { family: FAMILY, harm: Db(0.0), sense }
}

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// band: 20, 40 or 250 kbit/s
        band: Phy = unit("MHz"),
        /// bands of the chip
        bands: Bands = unit("MHz"),
        /// unslotted CSMA-CA before each frame; without it there is no channel assessment
        csma: bool,
        /// criterion for a busy channel
        cca: Assessment = unit("").or("energy", "mode 1 of the standard"),
        /// first backoff exponent, macMinBE
        min_be: u8 = whole(0, 8, ""),
        /// largest backoff exponent, macMaxBE
        max_be: u8 = whole(3, 8, ""),
        /// channel assessments after a busy first one, macMaxCSMABackoffs
        max_csma_backoffs: u8 = whole(0, 5, ""),
        /// request an acknowledgement of each frame
        acknowledge: bool,
        /// retries of a frame, macMaxFrameRetries
        retries: u8 = whole(0, 7, ""),
        /// destination of frames
        destination: Addressing,
        /// whether the radio also acknowledges broadcasts
        acknowledge_broadcast: bool,
        /// wait for SIFS or LIFS after a frame
        interframe_space: bool,
        /// turnaround from receiving to the first symbol
        turnaround: u64 = whole(0, 100_000, "1/1000 symbol"),
        /// from a frame's end to its acknowledgement
        ack_turnaround: u64 = whole(0, 100_000, "1/1000 symbol"),
        /// frames that the radio queues for its program
        rx_buffer: usize = whole(1, 10_000, "frames"),
        /// payload of a full frame
        chunk: usize = whole(1, 116, "B"),
        /// from the end of a frame, or of its acknowledgement, to the handover of the next
        gate: Duration,
        /// from a frame's end to its payload in the program
        receive_overhead: Duration,
        /// handling of the message's rest after a lost chunk
        on_failure: OnFailure,
        /// duration of the strobe pulse
        strobe: Duration,
        /// losses on the air
        losses: Bursts,
        /// the two boards
        boards: Rtos,
        /// distance and path between the radios
        propagation: Propagation,
    }
}

/// Short addresses of the two boards. The choice has no measurable effect.
const SENDER: Address = Address::Short(0x8899);
const RECEIVER: Address = Address::Short(0x88AA);

/// MAC settings of the sending and of the receiving board; refused in a band that the chip does not
/// support.
///
/// Each pair on the air is a separate network: `group` is 0 for the link, and above 0 for others.
pub(super) fn configs(p: &Parameters, group: u16) -> Result<(Config, Config), Refusal> {
    let phy = p.band;
    let has = match p.bands {
        Bands::Upper => phy == Phy::Oqpsk2450,
        Bands::Lower => phy != Phy::Oqpsk2450,
    };
    if !has {
        let cause = "the chip does not support this band (bands): 868 and 915 MHz are BPSK, 2450 MHz is O-QPSK, \
                     and a radio supports one of them (IEEE 802.15.4-2006, 6.1.2, table 1)";
        return Err(Refusal::setting(Parameters::band, cause.to_owned()));
    }
    let milli_symbols = |count: u64| Duration::from_ns(count * phy.symbol_ns() / 1_000);
    let csma = Csma { min_be: p.min_be, max_be: p.max_be, max_backoffs: p.max_csma_backoffs };
    let destination = match p.destination {
        Addressing::Broadcast => Destination::Broadcast,
        Addressing::Unicast => Destination::Unicast(RECEIVER),
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
    let sender = Config { pan: sender.pan + group, ..sender };
    let receiver =
        Config { address: RECEIVER, destination: Destination::Unicast(SENDER), ..sender };
    Ok((sender, receiver))
}
