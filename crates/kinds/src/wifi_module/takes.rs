//! Lower bound and shortest period of datagrams over line and air.

use super::parameters::{Direction, Parameters};
use crate::ip::Packets;
use crate::wifi::{air_cycle, air_floor};
use airlag_models::stack::ip::udp;
use airlag_rig::floor::{Cycle, Floor, split};

const LINE: &str = "start, data, parity and stop bits at the rate of the line";

/// Bytes around a datagram on the line in the direction of messages.
const fn framing(p: &Parameters) -> usize {
    match p.direction {
        Direction::Up => p.serial.command,
        Direction::Down => p.serial.event,
    }
}

/// Sizes of the datagrams of a message: the number of full ones, and the rest.
fn datagrams(p: &Parameters, size: usize) -> (u64, usize) {
    split(size, p.serial.datagram)
}

fn packets(p: &Parameters, (full, rest): (u64, usize)) -> Packets {
    let packet = |bytes: usize| bytes + udp::OVERHEAD;
    let rest = (u64::from(rest > 0), packet(rest));
    Packets { messages: 1, full: (full, packet(p.serial.datagram)), rest, acks: 0 }
}

/// The datagrams on the line.
fn line(p: &Parameters, (full, rest): (u64, usize)) -> Floor {
    let (format, framing) = (p.line(), framing(p));
    let frame = |bytes: usize| (format!("line, {bytes} B"), format.duration_ns(bytes));
    let (name, ns) = frame(p.serial.datagram + framing);
    let floor = Floor::new().with(name, full, ns, LINE);
    let (name, ns) = frame(rest + framing);
    floor.with(name, u64::from(rest > 0), ns, LINE)
}

/// Lower bound of the latency of a message. A datagram crosses two paths, the serial line and the
/// air, one after the other. Meanwhile, other datagrams of the message can be on the other path. On
/// the slower path, the times of all datagrams add up. On the faster path, only one datagram adds
/// its time: the first datagram of the message if the faster path comes first, and the last
/// datagram otherwise.
pub(super) fn floor(p: &Parameters, size: usize) -> Floor {
    let (full, rest) = datagrams(p, size);
    let last = if rest > 0 { (0, rest) } else { (1, 0) };
    let first = if full > 0 { (1, 0) } else { (0, rest) };
    let (on_line, on_air) = match p.direction {
        Direction::Up => (first, last),
        Direction::Down => (last, first),
    };
    let air = |part| air_floor(&p.network, &packets(p, part));
    let whole = (full, rest);
    let by_line = [line(p, whole), air(on_air)];
    let by_air = [line(p, on_line), air(whole)];
    let ns = |parts: &[Floor; 2]| parts.iter().map(Floor::ns).sum::<u64>();
    let [line, air] = if ns(&by_line) >= ns(&by_air) { by_line } else { by_air };
    match p.direction {
        Direction::Up => line.and(air),
        Direction::Down => air.and(line),
    }
}

/// The slower of line and air. If the program waits for responses, their time is added to the line.
pub(super) fn cycle(p: &Parameters, size: usize) -> Cycle {
    let whole = datagrams(p, size);
    let (full, rest) = whole;
    let mut wired = line(p, whole);
    if p.direction == Direction::Up && p.serial.response > 0 {
        let response = p.serial.response;
        let ns = p.line().duration_ns(response);
        let count = full + u64::from(rest > 0);
        wired = wired.with(format!("line, response of {response} B"), count, ns, LINE);
    }
    let air = air_cycle(&p.network, &packets(p, whole));
    if wired.ns() >= air.ns() { Cycle::each(wired) } else { Cycle::each(air) }
}
