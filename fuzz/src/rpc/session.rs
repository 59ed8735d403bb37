//! Sealed commands, and what anybody makes of them.

use airlag_rpc::capability::Flags;
use airlag_rpc::session::{Role, Session};

const KEY: [u8; 16] = [7; 16];

/// Bytes as what happens between two ends that have a session: commands, each sealed and changed in a byte,
/// kept back or repeated; and others that nobody sealed.
///
/// # Panics
/// If anything is opened but what was sealed, or out of order, or twice.
pub fn session(bytes: &[u8]) {
    let [mut from, mut to] =
        [Role::Central, Role::Peripheral].map(|role| Session::new(KEY, role).agreed(Flags::BOUND));
    let mut sent: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    let mut next = 0;
    for piece in super::pieces(bytes) {
        let Some((&what, text)) = piece.split_first() else { continue };
        let mut sealed = match what & 3 {
            0 => text.to_vec(),
            1 => {
                let mut sealing = from.seal(7).expect("counters are left");
                let mut out = text.to_vec();
                let (first, second) = out.split_at_mut(text.len().min(usize::from(what >> 2)));
                sealing.update(first);
                sealing.update(second);
                let sealed = [&sealing.counter(), &out[..], &sealing.tag()].concat();
                sent.push((text.to_vec(), sealed.clone()));
                if what & 0x80 != 0 {
                    continue;
                }
                sealed
            }
            _ => {
                let Some((_, sealed)) = sent.get(usize::from(what >> 2)) else { continue };
                let mut sealed = sealed.clone();
                if let &[at, bits, ..] = text {
                    let at = usize::from(at) % sealed.len();
                    sealed[at] ^= bits;
                }
                sealed
            }
        };
        let came = sealed.clone();
        if let Ok(opened) = to.open(7, &mut sealed) {
            let nth = sent.iter().position(|(_, sealed)| *sealed == came);
            // libFuzzer watches what is compared, and so comes to know the right tag.
            let Some(nth) = nth else { return assert_eq!(what & 3, 0) };
            assert!(nth >= next, "{nth} after {next}");
            assert_eq!(opened, sent[nth].0);
            assert_eq!(to.missed() as usize, nth - next);
            next = nth + 1;
        }
    }
}
