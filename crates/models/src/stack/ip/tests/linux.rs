//! Comparison with the TCP stack of Linux for the same writes over a wire with the same delay: the
//! segments sent, their order, and the waits. Each difference has a test named after it.
//!
//! Linux runs in real time between two network namespaces. A busy machine can only delay it, so
//! where durations are compared, one of three attempts has to match.

use std::fmt::Write as _;

use super::*;

/// One-way delay. It is long enough to keep causes and effects in order on a busy machine.
const ONE_WAY_MS: u64 = 20;

/// Usage of a connection.
#[derive(Clone, Copy)]
struct Use {
    /// Number of bytes sent before the writes, to open the congestion window.
    warm_up: usize,
    writes: &'static [usize],
    nagle: bool,
    /// Whether the receiver's acknowledgements are delayed by 40 ms, the minimum of Linux
    /// (`TCP_DELACK_MIN`).
    delayed: bool,
    /// Indices of lost data segments, from 0.
    drops: &'static [usize],
}

/// Two small writes with TCP_NODELAY to a receiver that acknowledges immediately.
const TWO_WRITES: Use =
    Use { warm_up: 0, writes: &[10, 20], nagle: false, delayed: false, drops: &[] };
/// A write that ends in a small segment, with a sufficient congestion window.
const LONG_WRITE: Use = Use { warm_up: 10 * MSS, writes: &[2 * MSS + 1_080], ..TWO_WRITES };
/// A data segment that is lost twice.
const LOST_TWICE: Use = Use { writes: &[10], drops: &[0, 1], ..TWO_WRITES };

/// Maximum segment size of both, in packets of 1500 B without options.
const MSS: usize = 1_460;

/// A segment of either stack.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Segment {
    /// Departure, us after the first write.
    at: i64,
    /// End, flags, offset in its direction's stream, bytes.
    what: String,
}

impl Segment {
    fn carries_data(&self) -> bool {
        !self.what.ends_with(" 0")
    }
}

fn segments(lines: &str) -> Vec<Segment> {
    let read = |line: &str| {
        let (at, what) = line.split_once(' ')?;
        Some(Segment { at: at.parse().ok()?, what: what.to_owned() })
    };
    lines.lines().map(|line| read(line).expect("a line of a log")).collect()
}

fn of_linux(used: Use) -> Option<Vec<Segment>> {
    let Use { warm_up, writes, nagle, delayed, drops } = used;
    // Retransmissions start after a quarter of a second, at intervals that double.
    let last_ms = if drops.is_empty() { 400 } else { 1_000 };
    let settings = format!(
        r#"{{"warm_up": {warm_up}, "writes": {writes:?}, "nagle": {nagle}, "delayed": {delayed},
            "drops": {drops:?}, "one_way_ms": {ONE_WAY_MS}, "last_ms": {last_ms}}}"#
    );
    Some(segments(&airlag_peers::linux_tcp(&settings)?))
}

/// Formats a segment like the peer's log, with sequence numbers relative to the start of their
/// streams.
fn line(first: [u32; 2], sent: &Sent) -> String {
    let ip = Ipv4Packet::new_checked(&sent.packet).expect("a packet");
    let tcp = TcpPacket::new_checked(ip.payload()).expect("a segment");
    let at = (sent.at.as_ns() - BEGIN.as_ns()) / 1_000;
    let mut line = format!("{at} {} ", [">", "<"][sent.end]);
    let flags = [tcp.fin(), tcp.syn(), tcp.rst(), tcp.psh(), tcp.ack()];
    line.extend("FSRPA".chars().zip(flags).filter(|&(_, set)| set).map(|(letter, _)| letter));
    let offset = sequence(sent).wrapping_sub(first[sent.end]);
    let _ = write!(line, " {offset} {}", tcp.payload().len());
    line
}

fn sequence(sent: &Sent) -> u32 {
    let ip = Ipv4Packet::new_checked(&sent.packet).expect("a packet");
    TcpPacket::new_checked(ip.payload()).expect("a segment").seq_number().0 as u32
}

fn of_ours(used: Use) -> Vec<Segment> {
    let time = Simulation::new(1);
    let pipe = pipe(&time, Duration::from_ms(ONE_WAY_MS), used.drops);
    let acks = if used.delayed { Acks::Delayed(Duration::from_ms(40)) } else { Acks::AtOnce };
    let config = TcpConfig { nagle: used.nagle, acks, send_buffer: 16_384, receive_buffer: 65_535 };
    let ends = [Transport::Tcp(Role::Client, config), Transport::Tcp(Role::Server, config)];
    let log = exchange(&time, pipe, ends, used.warm_up, used.writes).log;
    let first = [used.warm_up, 0].map(|before| before as u32 + 1);
    let first = [0, 1].map(|end| {
        let syn = log.iter().find(|sent| sent.end == end).expect("a connection has two ends");
        sequence(syn).wrapping_add(first[end])
    });
    let lines: Vec<String> =
        log.iter().filter(|sent| sent.at >= BEGIN).map(|sent| line(first, sent)).collect();
    segments(&lines.join("\n"))
}

fn whats(segments: &[Segment]) -> Vec<&str> {
    segments.iter().map(|segment| segment.what.as_str()).collect()
}

/// Segments with data only.
fn data(segments: &[Segment]) -> Vec<&str> {
    let data = segments.iter().filter(|segment| segment.carries_data());
    data.map(|segment| segment.what.as_str()).collect()
}

/// Asserts a property of Linux that a late packet may violate, in one of several attempts.
fn holds(used: Use, what: impl Fn(&[Segment]) -> bool) {
    for attempt in 1..=3 {
        let Some(linux) = of_linux(used) else { return };
        if what(&linux) {
            return;
        }
        assert!(attempt < 3, "{linux:?}");
    }
}

#[test]
#[ignore = "needs network namespaces"]
fn small_writes_leave_in_the_same_order_with_nagle_and_without() {
    for (nagle, delayed) in [(true, false), (true, true), (false, true)] {
        let used = Use { nagle, delayed, ..TWO_WRITES };
        let Some(linux) = of_linux(used) else { return };
        let ours = of_ours(used);
        assert_eq!(whats(&ours), whats(&linux), "Nagle {nagle}, delayed {delayed}");
        // With Nagle's algorithm, an acknowledgement comes between the two.
        assert_eq!(ours[1].carries_data(), !nagle);
    }
}

#[test]
#[ignore = "needs network namespaces"]
fn what_nagle_holds_back_waits_as_long_for_a_delayed_acknowledgement() {
    let used = Use { nagle: true, delayed: true, ..TWO_WRITES };
    let ours = of_ours(used);
    // 20 ms to the peer, 40 ms delay, 20 ms back. Linux counts in ticks of up to 10 ms.
    assert_eq!((ours[1].at, ours[2].at), (60_000, 80_000));
    holds(used, |linux| {
        let ratio = linux[2].at as f64 / ours[2].at as f64;
        (0.9..1.3).contains(&ratio)
    });
}

#[test]
#[ignore = "needs network namespaces"]
fn linux_delays_no_acknowledgement_after_one_whose_time_ran_out_and_smoltcp_does() {
    let used = Use { nagle: true, delayed: true, ..TWO_WRITES };
    let ours = of_ours(used);
    assert_eq!(ours[3].at - ours[2].at, 60_000);
    holds(used, |linux| linux[3].at - linux[2].at < 40_000);
}

#[test]
#[ignore = "needs network namespaces"]
fn linux_acknowledges_each_of_two_segments_that_come_together_and_smoltcp_both_with_one() {
    let Some(linux) = of_linux(TWO_WRITES) else { return };
    let ours = of_ours(TWO_WRITES);
    assert_eq!(data(&ours), data(&linux));
    assert_eq!((ours.len(), linux.len()), (3, 4));
}

#[test]
#[ignore = "needs network namespaces"]
fn a_long_write_without_nagle_is_cut_in_the_same_places() {
    let Some(linux) = of_linux(LONG_WRITE) else { return };
    assert_eq!(data(&of_ours(LONG_WRITE)).len(), 3);
    let places = |segments: &[Segment]| -> Vec<String> {
        // Linux sets PSH on every second segment of a long write, smoltcp on its last.
        data(segments).iter().map(|what| what.replace("PA", "A")).collect()
    };
    assert_eq!(places(&of_ours(LONG_WRITE)), places(&linux));
}

#[test]
#[ignore = "needs network namespaces"]
fn linux_sends_the_small_end_of_a_long_write_beside_full_segments_and_smoltcp_holds_it_back() {
    // Linux holds back a small segment only if another small segment is unacknowledged (G.
    // Minshall's variant). RFC 1122, 4.2.3.4, as implemented by smoltcp and lwIP, holds it back if
    // any data is unacknowledged.
    let used = Use { nagle: true, ..LONG_WRITE };
    let Some(linux) = of_linux(used) else { return };
    let ours = of_ours(used);
    let first_ack = |segments: &[Segment]| segments.iter().position(|one| !one.carries_data());
    assert_eq!(first_ack(&linux), Some(3), "{linux:?}");
    assert_eq!(first_ack(&ours), Some(2), "{ours:?}");
    assert_eq!(ours[3].what, "> PA 2920 1080");
}

#[test]
#[ignore = "needs network namespaces"]
fn linux_begins_with_ten_segments_and_smoltcp_with_two_kibibytes() {
    // RFC 6928. smoltcp has less than the 4380 B of RFC 3390, with which lwIP starts.
    let used = Use { warm_up: 0, ..LONG_WRITE };
    let Some(linux) = of_linux(used) else { return };
    let at_once = |segments: &[Segment]| {
        let first = segments.iter().take_while(|one| one.carries_data());
        first.map(|one| one.what.rsplit_once(' ').expect("its size").1.parse().unwrap_or(0)).sum()
    };
    let (ours, linux): (usize, usize) = (at_once(&of_ours(used)), at_once(&linux));
    assert_eq!((ours, linux), (2_048, 4_000));
}

#[test]
#[ignore = "needs network namespaces"]
fn what_is_lost_twice_is_sent_three_times_and_each_wait_is_twice_the_one_before() {
    let Some(linux) = of_linux(LOST_TWICE) else { return };
    let ours = of_ours(LOST_TWICE);
    assert_eq!(whats(&ours), whats(&linux));
    assert_eq!((ours[1].at, ours[2].at), (1_000_000, 3_000_000));
    holds(LOST_TWICE, |linux| {
        let [first, second] = [linux[1].at, linux[2].at - linux[1].at];
        (1.7..2.4).contains(&(second as f64 / first as f64))
    });
}

#[test]
#[ignore = "needs network namespaces"]
fn linux_repeats_after_two_hundred_milliseconds_and_smoltcp_after_a_second() {
    // RFC 6298, 2.4 requires a second; Linux uses a round trip and at least 200 ms (TCP_RTO_MIN).
    assert_eq!(of_ours(LOST_TWICE)[1].at, 1_000_000);
    holds(LOST_TWICE, |linux| (200_000..500_000).contains(&linux[1].at));
}

#[test]
#[ignore = "needs network namespaces"]
fn a_repeated_segment_takes_what_was_sent_after_it_along() {
    let used = Use { drops: &[0], ..TWO_WRITES };
    let Some(linux) = of_linux(used) else { return };
    let ours = of_ours(used);
    assert_eq!(whats(&ours), whats(&linux));
    assert_eq!(ours[3].what, "> PA 0 30");
}

#[test]
#[ignore = "needs network namespaces"]
fn three_copies_of_an_acknowledgement_bring_a_lost_segment_back_before_its_time() {
    let used = Use { writes: &[6 * MSS], drops: &[0], ..LONG_WRITE };
    let Some(linux) = of_linux(used) else { return };
    let ours = of_ours(used);
    for segments in [&ours, &linux] {
        let sent: Vec<usize> = (0..segments.len())
            .filter(|&at| {
                segments[at].what.starts_with("> ") && segments[at].what.ends_with(" 0 1460")
            })
            .collect();
        let [first, again] = sent[..] else { panic!("{segments:?}") };
        let copies = segments[first..again].iter().filter(|one| !one.carries_data()).count();
        assert!(copies >= 3, "{segments:?}");
    }
    let again = ours.iter().rposition(|one| one.what == "> A 0 1460").expect("it was repeated");
    assert_eq!(ours[again].at, 40_000);
}
