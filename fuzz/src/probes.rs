//! What a reflector and a prober hear: packets of STAMP, and streams of framed messages.

use airlag_app::reflector::StreamReflector;
use airlag_link::framing::{Deframer, framed_len};
use airlag_link::{probe, stamp};

const LONGEST: usize = 64;
const FRAME: usize = framed_len(LONGEST);

/// Bytes of anybody: no panic, no answer longer than its question, no answer to an answer.
pub fn probes(bytes: &[u8]) {
    packets(bytes);
    stream(bytes);
}

fn packets(bytes: &[u8]) {
    let mut packet = bytes.to_vec();
    if stamp::is_question(&packet) {
        let ssid = stamp::ssid(&packet);
        let sequence = &packet[..4].to_vec();
        stamp::reflect(&mut packet, 7, 1_000, 64, stamp::error_estimate(None), || 2_000);
        assert_eq!(packet.len(), bytes.len());
        let answer = stamp::read(&packet, ssid, 0).expect("an answer to its own session");
        assert_eq!((answer.received_ns, answer.answered_ns), (1_000, 2_000));
        assert_eq!(answer.sequence.to_be_bytes(), sequence[..]);
    } else {
        assert!(stamp::read(&packet, 0, 0).is_none());
    }
    let mut message = bytes.to_vec();
    if probe::reflect(&mut message, 1, 2, 3) {
        assert!(probe::read(&message).is_some());
        assert!(!probe::reflect(&mut message, 1, 2, 3));
    } else {
        assert_eq!(message, bytes);
    }
}

fn stream(bytes: &[u8]) {
    let mut reflector = StreamReflector::<LONGEST, FRAME>::new();
    let mut prober = Deframer::<LONGEST>::new();
    let (mut since, mut answers) = (0, 0_u8);
    for &byte in bytes {
        since += 1;
        let Some(answer) = reflector.feed(byte, 5, || 9) else { continue };
        answers = answers.wrapping_add(1);
        assert!(answer.len() <= since, "an answer longer than what was heard since the last");
        since = 0;
        let mut found = None;
        for &byte in answer {
            found = prober.feed(byte).and_then(|message| probe::read(message)).or(found);
        }
        assert_eq!(found.map(|one| one.count), Some(answers));
    }
}
