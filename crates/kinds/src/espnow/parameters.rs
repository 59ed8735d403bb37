//! Parameters of a pair of ESP32 with ESP-NOW, and the resulting settings of their radios.

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
    /// DSSS, CCK and OFDM rates, and HT rates with the long guard interval, MCS 0 to 7, kbit/s.
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
    /// Destination of frames.
    pub enum Destination {
        /// The other board, which acknowledges each frame.
        Peer = "peer",
        /// Broadcast, without acknowledgement or retries.
        Everybody = "everybody",
    }
}

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// DSSS, CCK, OFDM or HT rate of the frames
        rate: DataRate = unit("kbit/s"),
        /// Espressif's proprietary modulation at 512 and 256 kbit/s instead
        long_range: bool,
        /// longest body at 512 kbit/s; longer ones need the 256 kbit/s of long range
        fallback_over: usize = whole(0, 250, "B"),
        /// channel
        channel: u8 = whole(1, 13, ""),
        /// protocol version: frames of up to 250 B, or up to 1470 B, supported from ESP-IDF v5.4 on
        version: Version = unit("").or("1", "the only version before ESP-IDF v5.4"),
        /// CCMP encryption, 16 B more per frame
        encrypted: bool = unit("").or("false", "a peer added without a key"),
        /// the other board, which acknowledges each frame, or broadcast without acknowledgement
        destination: Destination = unit("").or("peer", "the firmware sends to a unicast address"),
        /// slots of the interframe space after SIFS: the AIFSN of the access category
        aifsn: u8 = whole(1, 15, "slots"),
        /// smallest contention window
        cw_min: u16 = whole(0, 1_023, "slots"),
        /// largest contention window
        cw_max: u16 = whole(0, 1_023, "slots"),
        /// retries of a frame
        retries: u8 = whole(0, 31, ""),
        /// whether both boards are access points and send beacons
        beacons: bool,
        /// beacon interval in units of 1.024 ms
        beacon_interval: u16 = whole(1, 65_535, "TU"),
        /// initial phase of the sending board's beacons
        sender_beacon_phase: Phase,
        /// initial phase of the receiving board's beacons
        receiver_beacon_phase: Phase,
        /// body of a full frame; 0: the maximum of the version
        chunk: usize = whole(0, 1_470, "B"),
        /// frames queued for the receiving program
        receive_queue: usize = whole(1, 10_000, "frames"),
        /// from the handover of a chunk to its frame in the MAC
        send_overhead: Duration,
        /// largest random addition to send_overhead
        send_jitter: Duration,
        /// from the acknowledgement to the program being ready with the next chunk
        gate: Duration,
        /// additional delay after bodies longer than stall_over
        stall: Duration,
        /// longest body without the delay of stall
        stall_over: usize = whole(0, 1_470, "B"),
        /// from a frame's end to its body in the program
        receive_overhead: Duration,
        /// handling of the message's rest after a lost chunk
        on_failure: OnFailure,
        /// duration of the strobe pulse
        strobe: Duration,
        /// losses on the air
        losses: Bursts,
        /// deep sleep of the sending board
        deep_sleep: DeepSleep,
        /// the two boards
        boards: Rtos,
        /// distance and path between the radios
        propagation: Propagation,
    }
}

/// Addresses of the two boards. The choice has no measurable effect.
pub(super) const SENDER: Address = [0x24, 0x6F, 0x28, 0x2A, 0x69, 0xF1];
pub(super) const RECEIVER: Address = [0x24, 0x6F, 0x28, 0x2A, 0x70, 0x05];

impl Parameters {
    /// Frame format of the version.
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

/// Radio settings of the sending board, except for its beacons.
pub(super) fn config(p: &Parameters) -> Result<Config, Refusal> {
    let format = p.format();
    if p.chunk > format.max_body() {
        let cause =
            format!("version 1 allows up to {MAX_ELEMENT} B per frame; set version=2 for more");
        return Err(Refusal::setting(Parameters::chunk, cause));
    }
    let everybody = p.destination == Destination::Everybody;
    if everybody && p.encrypted {
        let cause = "broadcast frames are not encrypted (ESP-IDF Programming Guide, ESP-NOW); set \
                     encrypted=false, or destination=peer";
        return Err(Refusal::setting(Parameters::encrypted, cause.to_owned()));
    }
    if p.cw_min > p.cw_max {
        let cause = format!("must not exceed cw_max, {} slots (IEEE 802.11-2012, 9.3.3)", p.cw_max);
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
