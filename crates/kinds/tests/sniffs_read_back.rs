//! Recordings of the bench's sniffer, read back as those of any other sniffer.
//!
//! The bench records the activity of its controllers and radios as time slices. These slices are
//! compared with the results derived from the frames alone.

use airlag_peers::dissect;
use airlag_rig::{Options, Run, sniff};
use airlag_sim::Stream as Chance;
use airlag_stats::sniff::{Counts, Sniff, Stream};
use airlag_stats::{NONE, Outcome};
use airlag_trace::{Input, MemoryLimit};

use crate::bench;

/// A run of `count` messages, 200 ms apart, and the recording of its frames.
fn recorded(link: &str, size: usize, changes: &[(&str, &str)], count: usize) -> (Run, Vec<u8>) {
    let profile = bench::profile(link, changes);
    let options = Options { seed: 3, spans: true, ..Options::default() };
    let (run, capture) =
        sniff(&profile, size, &bench::every(200, count), options).expect("the bench runs");
    assert!(capture.left_out.is_empty() && capture.over_limit == 0);
    (run, capture.pcapng)
}

fn read(file: Vec<u8>) -> Sniff {
    let mut input = Input::of_bytes("sniff.pcapng", file).expect("a known format");
    Sniff::read(&mut input, MemoryLimit::default()).expect("frames")
}

/// Slices of this name on this track, in time order.
fn slices(run: &Run, track: &str, name: &str) -> Vec<[i64; 2]> {
    let of = run
        .spans
        .iter()
        .filter(|span| span.slice.name() == name && run.tracks[span.track] == track);
    let mut found: Vec<_> = of.map(|span| [span.begin_ns, span.end_ns]).collect();
    found.sort_unstable();
    found
}

/// Instants of a stream on the clock of the run: first bit of each frame, and last bit of the
/// delivered transmission or [`NONE`].
fn instants(found: &Sniff, stream: &Stream) -> Vec<(i64, i64)> {
    let at = |ns: i64| if ns == NONE { NONE } else { ns + found.epoch_ns };
    let ends = stream.transfers.trigger_ns.iter().zip(&stream.transfers.completion_ns);
    ends.map(|(begin, end)| (at(*begin), at(*end))).collect()
}

fn stream<'a>(found: &'a Sniff, name: &str) -> &'a Stream {
    found.streams.iter().find(|stream| stream.name.ends_with(name)).expect("a stream")
}

/// A file without some of its packets. `keep` receives the number of each.
fn without(file: &[u8], mut keep: impl FnMut(usize) -> bool) -> (Vec<u8>, u64) {
    const PACKET: [u8; 4] = [6, 0, 0, 0];
    let (mut rest, mut kept, mut dropped, mut nth) = (file, Vec::new(), 0, 0);
    while let Some(length) = rest.get(4..8).and_then(|bytes| bytes.try_into().ok()) {
        let (block, after) = rest.split_at(u32::from_le_bytes(length) as usize);
        let is_packet = block.starts_with(&PACKET);
        if !is_packet || keep(nth) {
            kept.extend(block);
        } else {
            dropped += 1;
        }
        nth += usize::from(is_packet);
        rest = after;
    }
    (kept, dropped)
}

#[test]
fn a_connection_has_the_interval_that_was_configured() {
    for (link, interval, interval_ns) in [
        ("ble-nus-notify", "7500us", 7_500_000.0),
        ("ble-nus-notify", "50ms", 50_000_000.0),
        ("ble-nimble-default-write", "30ms", 30_000_000.0),
    ] {
        let changes = [("connection_interval", interval), ("frame_loss", "0.1")];
        let found = read(recorded(link, 100, &changes, 40).1);
        let [connection] = &found.connections[..] else { panic!("{found:?}") };
        let measured_ns = connection.interval_ns.expect("enough events");
        // The schedulers of some controllers add up to 1.3 us to an interval.
        assert!((0.0..1_300.0).contains(&(measured_ns - interval_ns)), "{link} {measured_ns}");
        assert_eq!((connection.events_missed, connection.off_grid), (0, 0), "{link}");
    }
}

#[test]
fn ble_retransmissions_are_those_that_the_controllers_counted() {
    for (link, size) in [
        ("ble-nus-notify", 100),
        ("ble-nimble-fixed-write", 100),
        ("ble-nimble-default-notify", 300),
    ] {
        let (run, file) = recorded(link, size, &[("frame_loss", "0.1")], 60);
        let found = read(file);
        let mut sent = [0, 0];
        for (stream, sent) in found.streams.iter().zip(&mut sent) {
            *sent = stream.counts.retransmissions;
            assert_eq!((stream.counts.missed, stream.counts.acks_missed), (0, 0), "{link}");
            assert_eq!(stream.transfers.count(Outcome::Lost), 0, "{link}");
        }
        let mut slices = ["sender controller", "receiver controller"]
            .map(|track| slices(&run, track, "retry").len() as u64);
        // Which board is the central depends on the link.
        sent.sort_unstable();
        slices.sort_unstable();
        assert_eq!(sent, slices, "{link}");
        assert!(sent[1] > 5, "{link}: {sent:?}");
    }
}

#[test]
fn a_notification_is_delivered_when_the_host_of_the_receiver_gets_it() {
    let (run, file) = recorded("ble-nus-notify", 100, &[("frame_loss", "0.2")], 100);
    let found = read(file);
    let notified = stream(&found, "peripheral→central");
    assert!(notified.counts.retransmissions > 10, "{notified:?}");
    let waits = slices(&run, "sender controller", "interval wait");
    let hosts = slices(&run, "receiver", "host");
    // Each message waits for its event, and after a loss for the next one.
    let triggers = bench::transfers(&run).trigger_ns;
    let first = |trigger: &i64| waits.iter().find(|wait| wait[0] >= *trigger).expect("a wait");
    let waits = triggers.iter().map(first);
    let expected: Vec<_> = waits.zip(&hosts).map(|(wait, host)| (wait[1], host[0])).collect();
    assert_eq!(instants(&found, notified), expected);
}

#[test]
fn ieee_802154_and_wifi_retransmissions_are_those_that_the_radios_counted() {
    for (link, size, changes) in [
        ("ieee802154-ack", 60, &[("frame_loss", "0.2"), ("retries", "3")][..]),
        ("thread-up", 60, &[("frame_loss", "0.1")]),
        ("espnow", 100, &[("frame_loss", "0.2")]),
    ] {
        let (run, file) = recorded(link, size, changes, 100);
        let found = read(file);
        let sum = |of: fn(&Counts) -> u64| -> u64 {
            found.streams.iter().map(|stream| of(&stream.counts)).sum()
        };
        let counted = run.incidents.iter().find(|(name, _)| **name == "retry").expect("retries");
        // A retransmission that collided with another frame is damaged in the recording.
        let heard = sum(|counts| counts.retransmissions);
        assert_eq!(heard + sum(|counts| counts.damaged), u64::from(*counted.1), "{link}");
        assert!(heard > 10, "{link}: {heard}");
        assert_eq!(sum(|counts| counts.missed), 0, "{link}");
    }
}

#[test]
fn an_acknowledged_ieee_802154_frame_is_delivered_with_its_last_bit() {
    let (run, file) = recorded("ieee802154-ack", 60, &[], 50);
    let found = read(file);
    let [stream] = &found.streams[..] else { panic!("{found:?}") };
    let expected: Vec<_> = slices(&run, "sender radio", "transmit")
        .iter()
        .map(|[begin, end]| (*begin, *end))
        .collect();
    assert_eq!(instants(&found, stream), expected);
}

#[test]
fn packets_that_are_missing_in_the_file_are_losses_of_the_sniffer() {
    for (link, size) in [
        ("ble-nus-notify", 100),
        ("ble-nimble-fixed-write", 100),
        ("ieee802154-ack", 60),
        ("thread-up", 200),
    ] {
        let (_, file) = recorded(link, size, &[("frame_loss", "0")], 60);
        let whole = read(file.clone());
        for (seed, share) in [(1, 2), (2, 10), (3, 30)] {
            let mut chance = Chance::new(seed, "missed");
            let (seen, dropped) = without(&file, |_| chance.below(100) >= share);
            let found = read(seen);
            let case = format!("{link}, {share} %: {dropped}");
            let mut noticed = 0;
            for stream in &found.streams {
                let counts = stream.counts;
                assert_eq!(counts.retransmissions, 0, "{case}");
                assert_eq!(stream.transfers.count(Outcome::Lost), 0, "{case}");
                noticed += counts.missed;
                assert!(counts.acks_missed <= dropped, "{case}");
                let complete = self::stream(&whole, &stream.name);
                let complete = instants(&whole, complete);
                for delivered in instants(&found, stream).iter().filter(|one| one.1 != NONE) {
                    assert!(complete.contains(delivered), "{case}: {delivered:?}");
                }
            }
            assert!(noticed > 0 && noticed <= dropped, "{case}: {noticed}");
            for (connection, before) in found.connections.iter().zip(&whole.connections) {
                let ratio =
                    connection.interval_ns.expect("enough") / before.interval_ns.expect("enough");
                assert!((ratio - 1.0).abs() < 1e-6, "{case}: {ratio}");
                let events = connection.events + connection.events_missed;
                assert!(before.events - events <= 4, "{case}: {events} of {}", before.events);
            }
        }
    }
}

/// Number of rows whose fields fulfil a condition.
fn count(rows: &[Vec<String>], is: impl Fn(&[String]) -> bool) -> u64 {
    rows.iter().filter(|row| is(row)).count() as u64
}

/// Sums over all streams.
fn totals(found: &Sniff) -> Counts {
    found.streams.iter().fold(Counts::default(), |sum, stream| Counts {
        transmissions: sum.transmissions + stream.counts.transmissions,
        retransmissions: sum.retransmissions + stream.counts.retransmissions,
        ..sum
    })
}

#[test]
#[ignore = "needs tshark"]
fn tshark_counts_the_same_transmissions_and_retransmissions() {
    let (_, file) = recorded("ble-nimble-fixed-write", 100, &[("frame_loss", "0.1")], 60);
    let fields = [
        "btle_rf.flags",
        "btle.data_header.sequence_number",
        "btle.data_header.length",
        "btle.access_address",
    ];
    let Some(rows) = dissect("sniff-ble", &file, &fields) else { return };
    let found = read(file);
    let has_data = |row: &[String]| row[2] != "0";
    assert_eq!(totals(&found).transmissions, count(&rows, has_data));
    // Packets of one direction with the sequence number of the one before. Frames of the first
    // event have no direction in the file, and no data.
    let direction = |row: &[String]| u16::from_str_radix(&row[0][2..], 16).expect("flags") >> 7 & 7;
    let again: u64 = [2, 3]
        .map(|way| {
            let of: Vec<_> = rows.iter().filter(|row| direction(row) == way).collect();
            of.windows(2).filter(|pair| has_data(pair[1]) && pair[0][1] == pair[1][1]).count()
                as u64
        })
        .iter()
        .sum();
    assert_eq!(totals(&found).retransmissions, again);
    let address = format!("0x{:08x}", found.connections[0].access_address);
    assert!(rows.iter().all(|row| row[3] == address), "{rows:?}");

    let (_, file) = recorded("espnow", 100, &[("frame_loss", "0.2")], 60);
    let fields = ["wlan.fc.type_subtype", "wlan.fc.retry", "radiotap.flags.badfcs"];
    let Some(rows) = dissect("sniff-wifi", &file, &fields) else { return };
    // The bytes of a frame that collided are right in the file, and marked as damaged.
    let is_action =
        |row: &[String]| row[0] == "0x000d" && ["0", "False"].contains(&row[2].as_str());
    let found = totals(&read(file));
    assert_eq!(found.transmissions, count(&rows, is_action));
    let again = count(&rows, |row| is_action(row) && ["1", "True"].contains(&row[1].as_str()));
    assert_eq!(found.retransmissions, again);

    let changes = [("frame_loss", "0.2"), ("retries", "3")];
    let (_, file) = recorded("ieee802154-ack", 60, &changes, 60);
    let fields = ["wpan.ack_request", "wpan.seq_no", "wpan.fcs_ok"];
    let Some(rows) = dissect("sniff-wpan", &file, &fields) else { return };
    assert!(rows.iter().all(|row| ["1", "True"].contains(&row[2].as_str())), "{rows:?}");
    let asks = |row: &&Vec<String>| ["1", "True"].contains(&row[0].as_str());
    let numbers: Vec<_> = rows.iter().filter(asks).map(|row| &row[1]).collect();
    let found = totals(&read(file));
    assert_eq!(found.transmissions, numbers.len() as u64);
    let again = numbers.windows(2).filter(|pair| pair[0] == pair[1]).count();
    assert_eq!(found.retransmissions, again as u64);
}
