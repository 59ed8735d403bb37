//! Parameters of a pair of SX1276, and the resulting settings of their chips and drivers.

use airlag_drivers::sx127x::{Config, Idle};
use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};
use airlag_models::chip::sx127x::Timing;
use airlag_sim::Duration;

use crate::boards::spi::SpiBoards;
use airlag_rig::error::Refusal;
use airlag_rig::frame_loss::Losses;
use airlag_rig::parameter::{choices, parameters};
use airlag_rig::propagation::Propagation;

choices!(for Bandwidth {
    Khz7_8 = "7.8",
    Khz10_4 = "10.4",
    Khz15_6 = "15.6",
    Khz20_8 = "20.8",
    Khz31_25 = "31.25",
    Khz41_7 = "41.7",
    Khz62_5 = "62.5",
    Khz125 = "125",
    Khz250 = "250",
    Khz500 = "500",
});
choices!(for CodingRate { Cr4_5 = "4/5", Cr4_6 = "4/6", Cr4_7 = "4/7", Cr4_8 = "4/8" });
choices!(for Idle { Sleep = "sleep", Ready = "ready" });

choices! {
    /// Packet header with length and coding rate.
    pub enum Header {
        /// Present.
        Explicit = "explicit",
        /// Absent. Both ends are configured with length and coding rate.
        Implicit = "implicit",
    }
}

choices! {
    /// Low data rate optimisation: two bits fewer per symbol.
    pub enum LowDataRate {
        /// On only if a symbol lasts more than 16 ms.
        Auto = "auto",
        /// Always on.
        On = "on",
        /// Always off.
        Off = "off",
    }
}

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// carrier frequency
        frequency: u32 = whole(137_000_000, 1_020_000_000, "Hz"),
        /// chips per symbol, as a power of two
        spreading_factor: u8 = whole(6, 12, ""),
        /// bandwidth
        bandwidth: Bandwidth = unit("kHz"),
        /// data bits per bits on the air
        coding_rate: CodingRate,
        /// programmed preamble; the radio adds 4.25
        preamble: u16 = whole(6, 65_535, "symbols"),
        /// whether a packet header contains length and coding rate
        header: Header,
        /// CRC over the payload
        crc: bool,
        /// two bits fewer per symbol; auto: where a symbol lasts more than 16 ms, which requires it
        low_data_rate_optimize: LowDataRate,
        /// transmissions of each packet, of which the receiver accepts one: NbTrans of LoRaWAN;
        /// adds one byte
        transmissions: u8 = whole(1, 15, "").or("1", "the firmware sends once"),
        /// state of the chip between packets
        idle: Idle,
        /// sleep to standby, TS_OSC
        crystal: Duration,
        /// time from sleep to standby if the crystal is still running
        standby: Duration,
        /// time for which the crystal keeps running after it was switched off
        swings_on: Duration,
        /// standby to a locked synthesiser, TS_FS
        synthesiser: Duration,
        /// standby to the first symbol on the air, TS_FS and TS_TR
        transmit: Duration,
        /// standby to receiving, TS_FS and TS_RE
        receive: Duration,
        /// delay from the last symbol to RxDone: the part proportional to the symbol duration
        decode: u64 = whole(0, 10_000, "1/1000 symbol"),
        /// delay from the last symbol to RxDone: the constant part
        decode_offset: i64 = whole(-1_000_000, 1_000_000, "ns"),
        /// largest delay of a sender's frame start
        send_grid: u64 = whole(0, 10_000, "1/1000 chip"),
        /// largest delay of a receiver's frame end detection
        receive_grid: u64 = whole(0, 10_000, "1/1000 chip"),
        /// preamble that a receiver needs
        lock: u16 = whole(0, 65_535, "symbols"),
        /// the boards
        boards: SpiBoards,
        /// bursts of interference, each of which destroys the frame it hits
        disturbances: f64 = real(0.0, 1_000.0, "1/s"),
        /// losses independent of frame length
        losses: Losses,
        /// distance and path between the radios
        propagation: Propagation,
    }
}

/// Parameters converted to the settings of chips, drivers and programs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setup {
    pub(super) config: Config,
    pub(super) timing: Timing,
    pub(super) boards: SpiBoards,
    pub(super) transmissions: u8,
}

impl Setup {
    /// Settings for messages of `size` bytes.
    pub(super) fn new(p: &Parameters, size: usize) -> Result<Self, Refusal> {
        Self::of_pair(p, size, 0)
    }

    /// Settings for one of the pairs on the air, each of which has its own sync word. Pair 0 is the
    /// link.
    pub(super) fn of_pair(p: &Parameters, size: usize, group: u16) -> Result<Self, Refusal> {
        Ok(Self {
            config: config(p, size, group)?,
            timing: Timing {
                crystal: p.crystal,
                standby: p.standby,
                swings_on: p.swings_on,
                synthesiser: p.synthesiser,
                transmit: p.transmit,
                receive: p.receive,
                decode_millisymbols: p.decode,
                decode_offset_ns: p.decode_offset,
                send_grid_millichips: p.send_grid,
                receive_grid_millichips: p.receive_grid,
                lock_symbols: p.lock,
                ..Timing::default()
            },
            boards: p.boards,
            transmissions: p.transmissions,
        })
    }
}

/// Length of a chunk including the counter that identifies copies, bytes.
pub(super) const fn counted(transmissions: u8, size: usize) -> usize {
    size + (transmissions > 1) as usize
}

fn config(p: &Parameters, size: usize, group: u16) -> Result<Config, Refusal> {
    let size = counted(p.transmissions, size);
    let spreading_factor = SpreadingFactor::new(p.spreading_factor).ok_or_else(|| {
        Refusal::setting(Parameters::spreading_factor, "must be 6 to 12".to_owned())
    })?;
    let frame = Frame {
        spreading_factor,
        bandwidth: p.bandwidth,
        coding_rate: p.coding_rate,
        preamble: p.preamble,
        explicit_header: p.header == Header::Explicit,
        crc: p.crc,
        low_data_rate_optimize: match p.low_data_rate_optimize {
            LowDataRate::Auto => Frame::needs_optimize(spreading_factor, p.bandwidth),
            LowDataRate::On => true,
            LowDataRate::Off => false,
        },
    };
    let config = Config::new(p.frequency, frame).idle(p.idle);
    let sync_word = config.sync_word.wrapping_add(group as u8);
    let config = Config { implicit_length: size.min(255) as u8, sync_word, ..config };
    config.check().map_err(|error| Refusal::stopped("driver", &error))?;
    Ok(config)
}
