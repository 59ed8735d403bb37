//! Steps of the key exchange, and what anybody makes of them.

use airlag_rpc::Entropy;
use airlag_rpc::capability::Flags;
use airlag_rpc::exchange::{Announced, Answering, Asking, identity};

const SEED: [u8; 32] = [9; 32];
const ANNOUNCED: Announced = Announced { ours: Flags(0x0701), theirs: Flags(0x3701) };

fn counting(mut next: u8) -> impl Entropy {
    move |bytes: &mut [u8]| {
        for byte in bytes {
            *byte = next;
            next = next.wrapping_mul(5).wrapping_add(7);
        }
    }
}

/// A step as it was sent, or what the bytes make of it: another one, or the same with bytes changed.
fn changed(step: &[u8], how: &[u8]) -> Vec<u8> {
    match how {
        [0, other @ ..] => other.to_vec(),
        [_, changes @ ..] => {
            let mut step = step.to_vec();
            for change in changes.chunks_exact(2) {
                let at = usize::from(change[0]) % step.len();
                step[at] ^= change[1];
            }
            step
        }
        [] => step.to_vec(),
    }
}

/// Bytes as what somebody between the two ends does to each step.
///
/// # Panics
/// If there is a session although a step was changed.
pub fn exchange(bytes: &[u8]) {
    let mut how = super::pieces(bytes);
    let mut change = |step: &[u8]| changed(step, how.next().unwrap_or_default());
    let (asking, first) = Asking::begin(&mut counting(1));
    let first_came = change(&first);
    let Ok((answering, second)) = Answering::first(&first_came, &SEED, &mut counting(2)) else {
        return;
    };
    let second_came = change(&second);
    let known = Some(identity(&SEED));
    let Ok((confirming, third)) = asking.second(&second_came, known, ANNOUNCED, &mut counting(3))
    else {
        return;
    };
    assert_eq!((&first_came[..], &second_came[..]), (&first[..], &second[..]));
    let third_came = change(&third);
    let Ok((fourth, _)) = answering.third(&third_came, ANNOUNCED, &mut counting(4)) else { return };
    assert_eq!(third_came, third);
    let fourth_came = change(&fourth);
    if let Ok((_, found)) = confirming.fourth(&fourth_came) {
        assert_eq!((fourth_came, Some(found)), (fourth.to_vec(), known));
    }
}
