//! Lower bounds of the time that the air, the channel plan and the protocol require.

use airlag_models::stack::lorawan::config::{BETWEEN_WINDOWS, off_time_ns};
use airlag_models::stack::lorawan::plan::{Direction as Way, OVERHEAD};
use airlag_models::stack::lorawan::{Class, Plan};

use super::parameters::{Direction, Parameters};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Floor, Term, split};

const AIRTIME: &str = "SX1276/77/78/79 rev. 7, 4.1.1.7; LoRaWAN 1.0.4, 4: 13 B around the data";
const DUTY: &str = "profile: duty_cycle; ERC Recommendation 70-03, annex 1";
const WINDOWS: &str = "LoRaWAN 1.0.4, 3.3: no uplink before its receive windows are over";
const NETWORK: &str = "profile: backhaul, deduplication";

/// Frames of a message of `size` bytes: the number of full frames, the bytes in a full frame, and
/// the bytes in the last frame if it is shorter.
fn frames(p: &Parameters, size: usize) -> Result<(u64, usize, usize), Refusal> {
    let full = p.rate()?.most;
    let (whole, rest) = split(size, full);
    Ok((whole, full, rest))
}

/// Airtime of a frame with `bytes` of data, ns.
fn air_ns(p: &Parameters, bytes: usize) -> Result<u64, Refusal> {
    Ok(p.rate()?.duration_ns(p.way(), bytes))
}

/// Least time from the end of a frame with `bytes` of data to the next one, ns, and its source.
fn gap_ns(p: &Parameters, bytes: usize) -> Result<(u64, &'static str), Refusal> {
    let (config, air) = (p.config(0)?, air_ns(p, bytes)?);
    let off = off_time_ns(air, duty(p));
    let protocol = match (p.direction, p.class) {
        // An acknowledgement in the first window ends the wait, and so does any other downlink.
        (Direction::Up, _) if p.confirmed => {
            let acknowledgement = config.first_window().map_or(0, |rate| {
                // Without a port.
                rate.frame(Way::Down).duration_ns(OVERHEAD - 1)
            });
            p.receive_delay.as_ns() + acknowledgement
        }
        (Direction::Up, _) => {
            let window = config.second_window().map(|rate| config.window(rate));
            let opens = (p.receive_delay + BETWEEN_WINDOWS).as_ns() as i64;
            window
                .map_or(0, |window| (opens + window.opens_ns).max(0) as u64 + window.length.as_ns())
        }
        (Direction::Down, Class::C) => 0,
        // Each downlink needs an uplink of its own, and the receive window after that uplink.
        (Direction::Down, Class::A) => p.receive_delay.as_ns(),
    };
    Ok(if off > protocol { (off, DUTY) } else { (protocol, WINDOWS) })
}

/// Share of time that the duty cycle leaves for the messages.
fn duty(p: &Parameters) -> f64 {
    match (p.direction, p.class) {
        (Direction::Up, _) => p.duty_cycle / 100.0,
        (Direction::Down, Class::C) => p.plan.second_window_duty(),
        // Both windows are used.
        (Direction::Down, Class::A) => 1.0,
    }
}

/// Frames of a message, with the gap after each; without the gap after the last one if `ends`.
fn through(p: &Parameters, size: usize, ends: bool) -> Result<Floor, Refusal> {
    let (whole, full, rest) = frames(p, size)?;
    let some = u64::from(rest > 0);
    let last = u64::from(ends);
    // The gap after the last frame is not part of a message.
    let after_whole = if rest > 0 { whole } else { whole.saturating_sub(last) };
    let after_rest = some.saturating_sub(last);
    let term = |count, bytes| -> Result<[Term; 2], Refusal> {
        let (gap, source) = gap_ns(p, bytes)?;
        let after = if bytes == full { after_whole } else { after_rest };
        Ok([
            Term::new(format!("air, {bytes} B"), count, air_ns(p, bytes)?, AIRTIME),
            Term::new("gap between frames", after, gap, source),
        ])
    };
    Ok(Floor::of(term(whole, full)?).then(term(some, rest)?))
}

/// Lower bound of a message: its frames, the gaps between them, and the way to or from the server.
pub(super) fn floor(p: &Parameters, size: usize) -> Result<Floor, Refusal> {
    let network = match p.direction {
        Direction::Up => p.backhaul.as_ns() + p.deduplication.as_ns(),
        Direction::Down if p.class == Class::C => p.backhaul.as_ns(),
        // The message may be waiting at the server when an uplink arrives.
        Direction::Down => 0,
    };
    let name = match p.direction {
        Direction::Up => "backhaul and deduplication",
        Direction::Down => "backhaul",
    };
    Ok(through(p, size, true)?.then([Term::new(name, u64::from(network > 0), network, NETWORK)]))
}

/// Lower bound of the period of a stream of messages.
pub(super) fn cycle(p: &Parameters, size: usize) -> Result<Floor, Refusal> {
    through(p, size, false)
}

/// Refuses uplinks that last longer than the region allows.
pub(super) fn check(p: &Parameters, size: usize) -> Result<(), Refusal> {
    let (whole, full, rest) = frames(p, size)?;
    let longest = air_ns(p, if whole > 0 { full } else { rest })?;
    if p.plan == Plan::Us915 && p.direction == Direction::Up && longest > p.plan.longest_ns() {
        let cause = format!("an uplink of {} ms exceeds 400 ms", longest / 1_000_000);
        return Err(Refusal::setting(Parameters::data_rate, cause));
    }
    Ok(())
}
