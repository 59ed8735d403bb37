//! What a host that records hears from a board that stamps edges, and a board from its host.

use airlag_link::edges::{Frame, LONGEST, ORDER, Report, Row, order, read_order, read_report};

/// A message of either side: as it is, and with its checksum made right, so that what it guards is reached, too.
///
/// # Panics
/// If an order of this version does not come back from what a host would send, if rows go back in time, or those of a frame do not come back from the frame that a board would send of them.
pub fn edges(bytes: &[u8]) {
    let _ = read_order(bytes);
    let _ = read_report(bytes);
    let [kind, body @ ..] = bytes else { return };
    let message = [&[*kind], &checksum(bytes).to_be_bytes()[..], body].concat();
    if let Some(read) = read_order(&message) {
        let mut sent = [0; ORDER];
        let len = order(read, &mut sent);
        // Of an order of another version, only the number is read.
        assert!(sent[..len] == message[..] || read_order(&sent[..len]) == Some(read));
    }
    let Some(Report::Rows(rows)) = read_report(&message) else { return };
    let all: Vec<Row> = rows.iter().collect();
    assert!(all.is_sorted_by_key(|row| row.at));
    assert!(2 * all.len() <= message.len());
    let mut frame = Frame::new();
    let fitting = all.iter().take_while(|row| frame.push(**row)).count();
    assert!(fitting == all.len() || message.len() + 20 > LONGEST);
    let Some(sent) = frame.finish(rows.sequence, rows.dropped) else { return };
    let Some(Report::Rows(again)) = read_report(sent) else { panic!("{sent:?} has no rows") };
    assert!(again.iter().eq(all[..fitting].iter().copied()));
    assert_eq!((again.sequence, again.dropped), (rows.sequence, rows.dropped));
}

/// CRC-16 with polynomial 0x1021 and preset 0xFFFF, bit by bit.
pub(crate) fn checksum(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xFFFF, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| {
            (crc << 1) ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 }
        })
    })
}
