//! One end, and anybody at the other.

use airlag_rpc::Instant;
use airlag_rpc::benchmark::BenchmarkServer;
use airlag_rpc::central::{CallKind, Central, Config as Asking, Event};
use airlag_rpc::flash::Flash;
use airlag_rpc::peripheral::{Config, Encryption, Peripheral};

const PACKET: usize = 244;
/// More than any number of packets that the queues of a peripheral hold, streams aside.
const ANSWERS: usize = 3 * 36 + 5;

fn zeros(bytes: &mut [u8]) {
    bytes.fill(1);
}

/// Bytes as packets of anybody, each with its length before it, to the benchmark service. The first byte says
/// whether it encrypts.
///
/// # Panics
/// If a packet is longer than the link's, or more comes than there is room for; or if another connection
/// afterwards has no answer.
pub fn peripheral(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let memory = [7; 10_000];
    let mut config = Config::new(PACKET, 2);
    config.encryption = match first & 3 {
        0 => Encryption::Required,
        1 => Encryption::Preferred,
        _ => Encryption::Off,
    };
    let service = BenchmarkServer(Flash::new(&memory[..]));
    let mut end: Peripheral<_, _, 320, 2> = Peripheral::new(service, [9; 32], zeros, config);
    let mut now = Instant(0);
    let mut packet = [0; PACKET];
    for heard in super::pieces(rest) {
        now = now.after(1_000_000);
        let _refused = end.received(heard, now);
        // It is pulled now and then; a stream may have any number of items.
        if heard.len() % 3 == 0 {
            for _ in 0..ANSWERS {
                let Some(length) = end.outgoing(&mut packet) else { break };
                assert!(length <= PACKET);
            }
        }
    }
    end.reset();
    assert!(!end.has_outgoing() && !end.is_sealed());
    let capabilities = [0, 0, 0b11 << 6 | 4 << 2, 0];
    assert!(end.received(&capabilities, now).is_ok());
    assert_eq!(end.outgoing(&mut packet), Some(10));
}

/// Bytes as packets of anybody, each with its length before it, to a central with calls. The first byte says
/// whether it encrypts.
///
/// # Panics
/// If a call does not come to exactly one end.
pub fn central(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let mut config = Asking::new(PACKET, 4);
    config.encryption = match first & 3 {
        0 => Encryption::Required,
        1 => Encryption::Preferred,
        _ => Encryption::Off,
    };
    let mut now = Instant(0);
    let mut end = Central::new(config, zeros, now);
    let kinds = [CallKind::Single, CallKind::Stream, CallKind::Upload];
    let mut ends = [0; 12];
    for (nth, kind) in kinds.into_iter().cycle().take(ends.len()).enumerate() {
        let requests = vec![vec![nth as u8; 100]; if kind == CallKind::Upload { 3 } else { 1 }];
        assert_eq!(end.ask(kind, "echo", requests) as usize, nth);
    }
    let mut packet = [0; PACKET];
    let mut look = |end: &mut Central<_>, now: Instant| {
        for _ in 0..2 {
            if let Some(length) = end.outgoing(&mut packet, now) {
                assert!(length <= PACKET);
            }
        }
        while let Some(event) = end.event() {
            match event {
                Event::Reply { ticket, .. }
                | Event::End { ticket }
                | Event::Failed { ticket, .. } => {
                    ends[ticket as usize] += 1;
                }
                Event::Item { ticket, .. } => assert_eq!(ends[ticket as usize], 0),
                _ => {}
            }
        }
    };
    for heard in super::pieces(rest) {
        now = now.after(1_000_000);
        end.received(heard, now);
        look(&mut end, now);
    }
    // Nothing more comes: each call is given up in its time.
    for _ in 0..200 {
        now = now.after(70_000_000_000);
        look(&mut end, now);
        end.tick(now);
    }
    look(&mut end, now);
    assert_eq!(end.unfinished(), 0);
    assert_eq!(ends, [1; 12]);
}
