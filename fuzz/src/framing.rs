//! What a tunnel's end hears over a link that does not keep the edges of frames: anything, in any pieces.

use airlag_link::Capability;
use airlag_tunnel::over::framing::{Framing, Heard, Mark, Sorter};

/// Frames after which a stream is found again, whatever came before: twice what the longest message holds.
const FOUND: u8 = 16;

fn heard(sorter: &mut Sorter, bytes: &[u8]) -> Vec<Heard> {
    let mut all = Vec::new();
    sorter.push(bytes, |one| all.push(one));
    all
}

/// Sends a frame in chunks.
fn send(sorter: &mut Sorter, capability: &Capability, mark: Mark, frame: &[u8]) -> Vec<Heard> {
    let mut came = Vec::new();
    for chunk in Framing::of(capability).wrap(mark, frame).as_slice().chunks(capability.mtu) {
        let mut chunk = chunk.to_vec();
        if capability.padded {
            chunk.resize(capability.mtu, 0);
        }
        came.extend(heard(sorter, &chunk));
    }
    came
}

/// Bytes as what comes over a link: pieces of them, and frames between. The first byte says what the link can
/// do.
///
/// # Panics
/// If frames that are sent undamaged do not come any more.
pub fn framing(bytes: &[u8]) {
    let Some((&first, mut rest)) = bytes.split_first() else { return };
    let mtu = 1 + usize::from(first >> 2) * 4;
    let capability = Capability::datagram(mtu).stream(first & 1 != 0).padded(first & 2 != 0);
    let longest = Framing::of(&capability).frame();
    let mut sorter = Sorter::new(&capability);
    while let [what, len, tail @ ..] = rest {
        let (piece, tail) = tail.split_at(usize::from(*len).min(tail.len()).min(mtu));
        rest = tail;
        if what & 1 == 0 {
            heard(&mut sorter, piece);
        } else {
            send(
                &mut sorter,
                &capability,
                Mark::burst(what >> 1),
                &piece[..piece.len().min(longest)],
            );
        }
    }
    let frame = vec![0; 60.min(longest)];
    for number in 0..FOUND {
        send(&mut sorter, &capability, Mark::burst(number), &frame);
    }
    let mark = Mark::burst(FOUND).answered();
    let came = send(&mut sorter, &capability, mark, &frame);
    assert_eq!(came, [Heard { mark, frame }], "{capability:?}");
}
