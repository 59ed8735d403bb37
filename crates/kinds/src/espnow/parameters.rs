//! What a profile of a pair of ESP32 with ESP-NOW sets, and what its radios are told.

use airlag_link::airtime::wifi::Rate;
use airlag_models::stack::espnow::frame::{BROADCAST, Format, MAX_ELEMENT};
use airlag_models::stack::espnow::{Address, Config, Fallback};
use airlag_sim::Duration;

use crate::boards::deep_sleep::DeepSleep;
use crate::boards::rtos::Rtos;
use crate::ieee802154::OnFailure;
use airlag_rig::error::Refusal;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::{Phase, choices, numbers, parameters};
use airlag_rig::propagation::Propagation;

numbers! {
    /// DSSS, CCK and OFDM rates, and those of HT with the long guard interval, MCS 0 to 7, kbit/s.
    pub struct DataRate(u32) of
        1000, 2000, 5500, 11000, 6000, 9000, 12000, 18000, 24000, 36000, 48000, 54000,
        6500, 13000, 19500, 26000, 39000, 52000, 58500, 65000
}

choices! {
    /// Version of the protocol.
    pub enum Version {
        /// Frames of up to 250 B.
        One = "1",
        /// Frames of up to 1470 B.
        Two = "2",
    }
}

choices! {
    /// To whom frames go.
    pub enum Destination {
        /// The other board, which acknowledges each.
        Peer = "peer",
        /// Everybody, who acknowledge none, so that none is sent again.
        Everybody = "everybody",
    }
}

parameters! {
    /// What a profile of this kind sets.
    pub struct Parameters {
        /// DSSS, CCK, OFDM or HT rate of the frames
        rate: DataRate = unit("kbit/s"),
        /// Espressif's own modulation instead, at 512 and 256 kbit/s
        long_range: bool,
        /// longer bodies need the 256 kbit/s of long range
        fallback_over: usize = whole(0, 250, "B"),
        /// channel
        channel: u8 = whole(1, 13, ""),
        /// frames of up to 250 B, or of up to 1470 B, which ESP-IDF has from v5.4 on
        version: Version = unit("").or("1", "ESP-IDF before v5.4 has no other"),
        /// 16 B more a frame, of CCMP
        encrypted: bool = unit("").or("false", "a peer that is added without a key"),
        /// the other board, which acknowledges each frame, or everybody, who acknowledge none
        destination: Destination = unit("").or("peer", "the firmware sends to an address"),
        /// slots of the interframe space behind SIFS: the AIFSN of the access category
        aifsn: u8 = whole(1, 15, "slots"),
        /// smallest contention window
        cw_min: u16 = whole(0, 1_023, "slots"),
        /// largest contention window
        cw_max: u16 = whole(0, 1_023, "slots"),
        /// times a frame is sent again
        retries: u8 = whole(0, 31, ""),
        /// both boards are access points and say so
        beacons: bool,
        /// between two beacons, 1.024 ms each
        beacon_interval: u16 = whole(1, 65_535, "TU"),
        /// where the sending board's beacons stand
        sender_beacon_phase: Phase,
        /// where the receiving board's beacons stand
        receiver_beacon_phase: Phase,
        /// body of a full frame; 0: as long as the version has them
        chunk: usize = whole(0, 1_470, "B"),
        /// frames held for the receiving program
        receive_queue: usize = whole(1, 10_000, "frames"),
        /// from a chunk being handed over to the MAC having its frame
        send_overhead: Duration,
        /// what is added to that at most
        send_jitter: Duration,
        /// from the acknowledgement to the program being ready with the next chunk
        gate: Duration,
        /// what is added to that after long bodies
        stall: Duration,
        /// bodies that are long in this sense are longer
        stall_over: usize = whole(0, 1_470, "B"),
        /// from a frame's end to the program having its body
        receive_overhead: Duration,
        /// the message's rest after a lost chunk
        on_failure: OnFailure,
        /// how long the strobe stays high
        strobe: Duration,
        /// losses on the air
        losses: Bursts,
        /// how the sending board rests
        deep_sleep: DeepSleep,
        /// the two boards
        boards: Rtos,
        /// how far the radios stand apart
        propagation: Propagation,
    }
}

/// Addresses of the two boards. Which they are changes nothing that can be measured.
pub(super) const SENDER: Address = [0x24, 0x6F, 0x28, 0x2A, 0x69, 0xF1];
pub(super) const RECEIVER: Address = [0x24, 0x6F, 0x28, 0x2A, 0x70, 0x05];

impl Parameters {
    /// The frames of its version.
    const fn format(&self) -> Format {
        let version = match self.version {
            Version::One => 1,
            Version::Two => 2,
        };
        Format { version, encrypted: self.encrypted }
    }

    /// Body of a full frame, B.
    pub(super) const fn full(&self) -> usize {
        if self.chunk == 0 { self.format().max_body() } else { self.chunk }
    }
}

/// What the radio of the sending board is told, but for its beacons.
pub(super) fn config(p: &Parameters) -> Result<Config, Refusal> {
    let format = p.format();
    if p.chunk > format.max_body() {
        let cause =
            format!("version 1 holds up to {MAX_ELEMENT} B a frame; set version=2 for more");
        return Err(Refusal::setting(Parameters::chunk, cause));
    }
    let everybody = p.destination == Destination::Everybody;
    if everybody && p.encrypted {
        let cause = "frames to everybody are not encrypted (ESP-IDF Programming Guide, ESP-NOW); set \
                     encrypted=false, or destination=peer";
        return Err(Refusal::setting(Parameters::encrypted, cause.to_owned()));
    }
    if p.cw_min > p.cw_max {
        let cause = format!("goes up to cw_max, {} slots (IEEE 802.11-2012, 9.3.3)", p.cw_max);
        return Err(Refusal::setting(Parameters::cw_min, cause));
    }
    let named = Rate::ALL.into_iter().find(|rate| rate.kbps() == p.rate.0 && !rate.is_long_range());
    let rate = if p.long_range { Rate::LongRange512 } else { named.unwrap_or(Rate::Dsss1) };
    let fallback = Fallback { longest: p.fallback_over };
    Ok(Config {
        address: SENDER,
        peer: if everybody { BROADCAST } else { RECEIVER },
        format,
        space_slots: p.aifsn,
        channel: p.channel,
        rate,
        fallback: (p.long_range && p.fallback_over < 250).then_some(fallback),
        cw_min: p.cw_min,
        cw_max: p.cw_max,
        max_retries: p.retries,
        beacons: None,
        receive_queue: p.receive_queue,
    })
}
