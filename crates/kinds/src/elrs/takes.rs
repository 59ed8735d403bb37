//! Lower bounds of messages: the serial lines, the slots, and the frame on the air.

use airlag_models::stack::elrs::{Config, Content, Handset};
use airlag_sim::Duration;

use super::parameters::Parameters;
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};

const LINE: &str = "CRSF, RC channels packed: 26 B, 8N1";
const SLOT: &str = "ExpressLRS, common.cpp: interval and numOfSends";
const AIRTIME: &str = "SX1280 datasheet, 7.4.4 and 14.3; SX1276 rev. 7, 4.1.1.7";

/// Frames of a message of `size` bytes.
fn frames(config: &Config, size: usize) -> u64 {
    size.div_ceil(config.rate.format().chunk(size)).max(1) as u64
}

/// Shortest time from the new data of one frame to those of the next one.
fn spacing(config: &Config) -> u64 {
    let slots = config.rate.sends() * config.rate.interval().as_ns();
    match config.handset {
        Handset::Synchronised => slots,
        Handset::Free => slots.max(config.handset_period.as_ns()),
    }
}

/// Lower bound of a message whose data are computed in time for the next slot. All its frames but
/// the last one take their slots, or periods of the handset.
pub(super) fn floor(p: &Parameters, size: usize) -> Result<Floor, Refusal> {
    let config = p.config(0)?;
    let air = format!("air, {} B", config.rate.format().frame_len());
    Ok(Floor::new()
        .with("serial in, 26 B", 1, config.handset_frame.as_ns(), LINE)
        .with("slot", frames(&config, size) - 1, spacing(&config), SLOT)
        .with(air, 1, config.rate.airtime().as_ns(), AIRTIME)
        .with("serial out, 26 B", 1, config.receiver_frame.as_ns(), LINE))
}

/// Shortest message period of a stream: the slots of the frames of a message, plus the telemetry
/// slots. A telemetry slot adds no time if each frame is transmitted several times, because the
/// telemetry slot then replaces only one of these transmissions. A telemetry slot also adds no time
/// if the handset sends data at a period longer than a slot.
pub(super) fn cycle(p: &Parameters, size: usize) -> Result<Cycle, Refusal> {
    let config = p.config(0)?;
    let (frames, interval) = (frames(&config, size), config.rate.interval().as_ns());
    let is_lost = config.telemetry_ratio > 1 && spacing(&config) == interval;
    // As many messages as data slots between two telemetry slots, so that the counts are whole
    // numbers.
    let (messages, telemetry) = if is_lost { (config.telemetry_ratio - 1, frames) } else { (1, 0) };
    let takes = Floor::new().with("slot", messages * frames, spacing(&config), SLOT).with(
        "telemetry slot",
        telemetry,
        interval,
        SLOT,
    );
    Ok(Cycle { messages, takes })
}

/// Wait before the data of a lost frame are sent again: up to two slots, one of them a telemetry
/// slot. A serial stream is not retransmitted.
pub(super) fn repetition_wait(p: &Parameters) -> Duration {
    match p.content {
        Content::Channels => p.packet_rate.interval() + p.packet_rate.interval(),
        Content::Airport => Duration::ZERO,
    }
}
