//! Two ends with a session, and somebody between them.

use crate::wired::{Way, Wired, wired};
use airlag_rpc::central::{CallKind, Event};

/// Packets that are kept to be sent again.
const KEPT: usize = 64;

/// What happens to one packet.
struct Between<'a> {
    rest: &'a [u8],
    kept: Vec<Vec<u8>>,
}

impl Between<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// What comes instead of a packet.
    fn change(&mut self, mut packet: Vec<u8>) -> Vec<Vec<u8>> {
        if self.kept.len() < KEPT {
            self.kept.push(packet.clone());
        }
        let Some(what) = self.byte() else { return vec![packet] };
        match what & 7 {
            0 => vec![],
            1 => vec![packet.clone(), packet],
            2 => {
                let (at, bits) = (self.byte().unwrap_or(0), self.byte().unwrap_or(1));
                let at = usize::from(at) % packet.len();
                packet[at] ^= bits;
                vec![packet]
            }
            3 | 4 => {
                let nth = usize::from(self.byte().unwrap_or(0)) % self.kept.len();
                let mut other = self.kept[nth].clone();
                // Under another transaction, or as another container.
                other[usize::from(what >> 7)] ^= what >> 3 & 0xF;
                if what & 7 == 3 { vec![other, packet] } else { vec![other] }
            }
            5 => {
                let length = usize::from(self.byte().unwrap_or(0)).min(self.rest.len());
                let (forged, rest) = self.rest.split_at(length);
                self.rest = rest;
                vec![forged.to_vec(), packet]
            }
            _ => vec![packet],
        }
    }
}

fn run(ends: &mut Wired, between: &mut Between<'_>) -> Vec<Event> {
    let mut events = Vec::new();
    for _ in 0..12 {
        events.extend(ends.settle_with(|_: Way, packet| between.change(packet)));
        events.extend(ends.wait(66_000));
    }
    events
}

/// Bytes as what somebody does to each packet between two ends that have a session.
///
/// # Panics
/// If a call does not come to one end, or has another answer than its own; or if later ones, left
/// alone, are not answered.
pub fn between(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let calls = 1 + (first & 7);
    let mut ends = wired(140, |central, _| central.flags = central.flags.with_calls(calls));
    assert_eq!(ends.settle(), [Event::Ready]);
    let mut between = Between { rest, kept: Vec::new() };
    let texts: Vec<Vec<u8>> = (0..6_u8).map(|nth| vec![nth; usize::from(nth) * 50]).collect();
    let tickets: Vec<_> = texts.iter().map(|text| ends.echo(text)).collect();
    let stream = ends.central.ask(CallKind::Stream, "count", vec![vec![3]]);
    let upload = ends.central.ask(CallKind::Upload, "sum", vec![vec![0; 10]; 3]);
    let events = run(&mut ends, &mut between);
    assert_eq!(ends.central.unfinished(), 0);
    let mut over = vec![0; texts.len() + 2];
    let mut items = Vec::new();
    for event in &events {
        match event {
            Event::Reply { ticket, message } if *ticket == upload => {
                let sum = u64::from_le_bytes(message[..].try_into().expect("eight bytes"));
                // Items at its beginning and at its end can be taken away, none be added.
                assert!(sum <= 30 && sum % 10 == 0);
                over[*ticket as usize] += 1;
            }
            Event::Reply { ticket, message } => {
                let nth = tickets.iter().position(|one| one == ticket).expect("an echo");
                assert_eq!(message, &texts[nth]);
                over[*ticket as usize] += 1;
            }
            Event::Item { ticket, message } => {
                assert_eq!(*ticket, stream);
                items.push(message[0]);
            }
            Event::End { ticket } => {
                assert_eq!(*ticket, stream);
                over[*ticket as usize] += 1;
            }
            Event::Failed { ticket, .. } => over[*ticket as usize] += 1,
            Event::Ready | Event::Broken(_) | Event::Dropped => {}
        }
    }
    assert_eq!(over, vec![1; texts.len() + 2], "{events:?}");
    assert!(items.windows(2).all(|pair| pair[1] == pair[0] + 1), "{items:?}");
    // What was sent under the transaction of the next call may have spoilt it too.
    ends.echo(b"x");
    ends.settle();
    ends.works();
    assert_eq!(ends.upload(&[1, 2]), 3);
}
