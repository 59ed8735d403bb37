//! Check for other transmitters on the channel of a radio, with free channels as a remedy.

use std::ops::ControlFlow;
use std::rc::Rc;

use super::{Found, missing};
use crate::nrf24;
use crate::radio::Wiring;
use crate::reactor::Reactor;

/// Number of samples per channel.
const LOOKS: u16 = 50;
/// Share of samples with a signal above which another channel is recommended. A choice, not a measurement.
const BUSY: f64 = 0.1;
/// Number of neighbouring channels on each side that a frame at 2 Mbit/s covers (nRF24L01+ v1.0, section 6.3).
const BESIDE: usize = 1;
/// Number of recommended channels.
const NAMED: usize = 3;
/// Number of channels in the licence-free band, which ends at 2483.5 MHz.
const IN_BAND: usize = 83;

pub(super) fn is_quiet(wiring: &Wiring) -> Found {
    let reactor = Rc::new(Reactor::default());
    let scan = nrf24::scan(wiring, LOOKS, &reactor);
    match reactor.run(scan, || ControlFlow::Continue(())) {
        Ok(Some(Ok(found))) => judged(wiring.channel, &found),
        Ok(Some(Err(cause))) => missing(cause, "check the bus messages in dmesg"),
        Ok(None) => missing("the scan was interrupted", "run it again"),
        Err(cause) => missing(cause.to_string(), "check the bus messages in dmesg"),
    }
}

/// Share of samples with a signal on a channel or its neighbours.
fn share(found: &[u16], channel: usize) -> f64 {
    let beside = channel.saturating_sub(BESIDE)..=(channel + BESIDE).min(found.len() - 1);
    let most = found[beside].iter().max().copied().unwrap_or(0);
    f64::from(most) / f64::from(LOOKS)
}

fn judged(channel: u8, found: &[u16]) -> Found {
    let here = share(found, usize::from(channel));
    let signal = format!("channel {channel}: a signal in {:.0} % of {LOOKS} samples", here * 100.0);
    if here <= BUSY {
        return Ok(signal);
    }
    let mut quiet: Vec<usize> = (0..IN_BAND.min(found.len())).collect();
    quiet.sort_by(|one, other| share(found, *one).total_cmp(&share(found, *other)));
    let named: Vec<String> = quiet.iter().take(NAMED).map(ToString::to_string).collect();
    missing(signal, format!("use --channel {} at both ends", named.join(" or ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wi-Fi channels 1 and 6, each 22 MHz wide, busy in half of the samples.
    fn beside_wifi() -> Vec<u16> {
        let busy = |channel: i32| [12, 37].iter().any(|middle| (channel - middle).abs() <= 11);
        (0..126).map(|channel| if busy(channel) { LOOKS / 2 } else { 0 }).collect()
    }

    #[test]
    fn a_channel_under_wifi_is_reported_with_quiet_ones_and_others_are_not() {
        let (signal, mend) = judged(37, &beside_wifi()).expect_err("it is busy");
        assert!(signal.contains("50 %"), "{signal}");
        for word in mend.split_whitespace().filter_map(|word| word.parse::<i32>().ok()) {
            assert!([12, 37].iter().all(|middle| (word - middle).abs() > 12), "{mend}");
        }
        assert!(judged(76, &beside_wifi()).is_ok());
        // A neighbour of a busy channel also receives that channel's signal.
        assert!(judged(49, &beside_wifi()).is_err() && judged(50, &beside_wifi()).is_ok());
    }
}
