use std::vec;
use std::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::message::write_test;

const MTU: usize = 32;

fn message(len: usize, sequence: u16) -> Vec<u8> {
    let mut bytes = vec![0; len];
    write_test(&mut bytes, sequence).expect("long enough");
    bytes
}

fn padded(chunk: &[u8]) -> [u8; MTU] {
    let mut full = [0; MTU];
    full[..chunk.len()].copy_from_slice(chunk);
    full
}

fn whole(sequence: u16, len: usize) -> Seen {
    Seen::Whole(Header { sequence, length: len as u16 })
}

#[test]
fn a_hundred_and_twenty_eight_bytes_are_exactly_four_chunks() {
    let bytes = message(128, 7);
    let pieces: Vec<_> = chunks(&bytes, MTU).collect();
    assert_eq!(pieces.iter().map(|p| p.len()).collect::<Vec<_>>(), [32; 4]);
    assert_eq!(count(128, MTU), 4);
    assert_eq!((count(12, MTU), count(1024, 255), count(0, MTU)), (1, 5, 0));
    let mut reassembler = Reassembler::<1024>::new();
    let seen: Vec<_> = pieces.iter().map(|piece| reassembler.push(piece)).collect();
    assert_eq!(seen, [Seen::Partial, Seen::Partial, Seen::Partial, whole(7, 128)]);
    assert_eq!(reassembler.message(), bytes);
}

#[test]
fn a_short_message_in_a_padded_chunk_is_whole() {
    let bytes = message(12, 1);
    let mut reassembler = Reassembler::<64>::new();
    assert_eq!(reassembler.push(&padded(&bytes)), whole(1, 12));
    assert_eq!(reassembler.message(), bytes);
}

#[test]
fn a_missing_chunk_costs_its_message_and_not_the_next() {
    let (first, second) = (message(128, 1), message(128, 2));
    for missing in 0..4 {
        let mut reassembler = Reassembler::<1024>::new();
        let mut seen = Vec::new();
        let kept = chunks(&first, MTU).enumerate().filter(|&(at, _)| at != missing);
        for piece in kept.map(|(_, piece)| piece).chain(chunks(&second, MTU)) {
            seen.push(reassembler.push(piece));
        }
        assert_eq!(seen.last(), Some(&whole(2, 128)), "missing {missing}: {seen:?}");
        assert!(!seen.contains(&whole(1, 128)));
        let noticed = |s: &Seen| matches!(s, Seen::Damaged { sequence: 1 } | Seen::Orphan);
        assert!(seen.iter().any(noticed), "missing {missing}: {seen:?}");
    }
}

#[test]
fn a_swapped_pair_and_a_doubled_chunk_are_noticed() {
    let bytes = message(128, 9);
    let pieces: Vec<_> = chunks(&bytes, MTU).collect();
    for order in [[0, 2, 1, 3], [0, 1, 1, 2], [0, 1, 2, 2]] {
        let mut reassembler = Reassembler::<1024>::new();
        let seen: Vec<_> = order.iter().map(|&at| reassembler.push(pieces[at])).collect();
        assert_eq!(seen[3], Seen::Damaged { sequence: 9 }, "{order:?}");
    }
}

#[test]
fn a_message_longer_than_the_buffer_is_an_orphan_and_hurts_nobody() {
    let mut reassembler = Reassembler::<64>::new();
    for piece in chunks(&message(128, 1), MTU) {
        assert_eq!(reassembler.push(piece), Seen::Orphan);
    }
    assert_eq!(reassembler.push(&message(12, 2)), whole(2, 12));
}

#[test]
fn a_stream_finds_its_messages_between_rubbish() {
    let mut bytes = vec![0xAA; 7];
    for sequence in 0..3 {
        bytes.extend(message(40, sequence));
        bytes.extend([0; 3]);
    }
    for piece in [1, 3, 64, 200] {
        let mut reassembler = Reassembler::<256>::new();
        let mut found = Vec::new();
        for part in bytes.chunks(piece) {
            let mut rest = part;
            while !rest.is_empty() {
                let (seen, used) = reassembler.push_stream(rest);
                if let Seen::Whole(header) = seen {
                    found.push(header.sequence);
                }
                rest = &rest[used..];
            }
        }
        assert_eq!(found, [0, 1, 2], "pieces of {piece}");
    }
}

proptest! {
    #[test]
    fn what_is_split_is_put_together(
        len in crate::message::MIN_LEN..1500_usize, mtu in 8_usize..300, sequence: u16, pad: bool,
    ) {
        let bytes = message(len, sequence);
        let mut reassembler = Reassembler::<1500>::new();
        let mut last = Seen::Orphan;
        for piece in chunks(&bytes, mtu) {
            let mut full = vec![0; mtu];
            full[..piece.len()].copy_from_slice(piece);
            last = reassembler.push(if pad { &full } else { piece });
        }
        prop_assert_eq!(last, whole(sequence, len));
        prop_assert_eq!(reassembler.message(), &bytes[..]);
    }

    /// For any distortion of the chunks, only messages that were sent are returned, with all bytes
    /// correct.
    #[test]
    fn nothing_wrong_is_ever_reported_whole(
        len in prop::sample::select(vec![12_usize, 40, 128, 200]),
        fate in prop::collection::vec(0_u8..10, 1..80), pad: bool,
    ) {
        let mut reassembler = Reassembler::<256>::new();
        let mut sent = (0_u16..).flat_map(|sequence| {
            chunks(&message(len, sequence), MTU).map(<[u8]>::to_vec).collect::<Vec<_>>()
        });
        let mut arriving: Vec<Vec<u8>> = Vec::new();
        for fate in fate {
            let piece = sent.next().expect("endless");
            match fate {
                0 => {}
                1 => { arriving.push(piece.clone()); arriving.push(piece); }
                2 if !arriving.is_empty() => arriving.insert(arriving.len() - 1, piece),
                _ => arriving.push(piece),
            }
        }
        for piece in &arriving {
            let seen = if pad { reassembler.push(&padded(piece)) } else { reassembler.push(piece) };
            if let Seen::Whole(header) = seen {
                prop_assert_eq!(reassembler.message(), &message(len, header.sequence)[..]);
            }
        }
    }

    #[test]
    fn after_a_loss_the_next_untouched_message_arrives(
        len in prop::sample::select(vec![40_usize, 128, 200]),
        lost in prop::collection::vec(any::<bool>(), 7),
    ) {
        let mut reassembler = Reassembler::<256>::new();
        for (piece, lost) in chunks(&message(len, 1), MTU).zip(lost) {
            if !lost {
                reassembler.push(piece);
            }
        }
        // Resynchronisation takes one message at most.
        let mut found = Vec::new();
        for sequence in 2..4 {
            for piece in chunks(&message(len, sequence), MTU) {
                if let Seen::Whole(header) = reassembler.push(piece) {
                    found.push(header.sequence);
                }
            }
        }
        prop_assert!(found.contains(&3), "{:?}", found);
    }
}

#[test]
fn a_lost_chunk_never_delays_the_message_behind_it() {
    // Bodies contain bytes that look like headers. If such bytes were accepted as the start of a
    // message, the message after a loss would be complete only when the following one arrives.
    for sequence in 0..400 {
        for lost in 0..5 {
            let mut reassembler = Reassembler::<2048>::new();
            for (index, piece) in chunks(&message(1024, sequence), 255).enumerate() {
                if index != lost {
                    reassembler.push(piece);
                }
            }
            let seen: Vec<Seen> = chunks(&message(1024, sequence + 1), 255)
                .map(|piece| reassembler.push(piece))
                .collect();
            // One of 65536 damaged messages has a correct CRC by chance.
            if seen[0] != whole(sequence, 1024) {
                let last = seen.last().copied();
                assert_eq!(last, Some(whole(sequence + 1, 1024)), "{sequence} without {lost}");
            }
        }
    }
}
