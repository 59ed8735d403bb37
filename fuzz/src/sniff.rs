//! Recordings of a sniffer.

use airlag_stats::Outcome;
use airlag_stats::sniff::{Sniff, Stream};
use airlag_trace::Input;

use crate::promise::{one_line, options, sound};

/// Link types that the script of [`wrapped`] may choose.
const LINK_TYPES: [u16; 9] = [251, 256, 272, 195, 230, 283, 105, 127, 1];

/// Bytes as a file of pcapng or pcap, or as packets of a pcap file that is sound, analysed to the end.
///
/// # Panics
/// If a stream breaks a promise.
pub fn sniff(bytes: &[u8]) {
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    let file = match usize::from(kind).checked_sub(1) {
        None => bytes.to_vec(),
        Some(nth) => wrapped(LINK_TYPES[nth % LINK_TYPES.len()], bytes),
    };
    let Ok(mut input) = Input::of_bytes("a", file).map_err(|error| one_line(&error)) else {
        return;
    };
    if !input.format().has_packets() {
        return;
    }
    match Sniff::read(&mut input, options().memory) {
        Ok(found) => {
            assert!(found.unsupported + found.undecoded <= found.packets);
            found.streams.iter().for_each(whole);
        }
        Err(error) => one_line(&error),
    }
}

/// A pcap file in nanoseconds. Each packet is its distance from the one before in microseconds (u16 LE), its
/// length (u8), and its bytes.
#[must_use]
pub fn wrapped(link_type: u16, mut script: &[u8]) -> Vec<u8> {
    let mut file = 0xA1B2_3C4D_u32.to_le_bytes().to_vec();
    file.extend([2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    file.extend(u32::from(link_type).to_le_bytes());
    let mut at_us = 0_u32;
    while let [low, high, length, rest @ ..] = script {
        at_us = at_us.saturating_add(u32::from(u16::from_le_bytes([*low, *high])));
        let (bytes, after) = rest.split_at(rest.len().min(usize::from(*length)));
        let size = (bytes.len() as u32).to_le_bytes();
        for field in [at_us / 1_000_000, at_us % 1_000_000 * 1_000] {
            file.extend(field.to_le_bytes());
        }
        file.extend([size, size].concat());
        file.extend(bytes);
        script = after;
    }
    file
}

/// Every transfer has an outcome, and only delivered ones have a completion, which is not before the trigger.
fn whole(stream: &Stream) {
    let transfers = &stream.transfers;
    assert!(transfers.trigger_ns.is_sorted());
    assert_eq!(transfers.trigger_ns.len(), transfers.outcome.len());
    let delivered = transfers.latencies_ns();
    assert_eq!(delivered.len(), transfers.count(Outcome::Delivered));
    assert_eq!(delivered.len(), stream.acknowledged_ns.len());
    assert!(delivered.iter().all(|&ns| ns >= 0));
    assert!(stream.counts.transmissions >= stream.counts.frames);
    sound(&stream.edges(0, "delivered"));
}
