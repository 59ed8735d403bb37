use airlag_sim::Duration;
use proptest::prelude::*;

use super::*;
use crate::error_rate::{NoncoherentFsk, OqpskDsss};
use crate::medium::tests::any_frame;

/// A frame of 1 ms in 2 MHz, and its receiver with a noise figure of 10 dB.
fn frame() -> Frame {
    let mut frame = any_frame();
    frame.band = Band::around(2_450_000, 2_000);
    frame.end = frame.begin + Duration::from_us(1_000);
    frame
}

fn receiver(demodulator: impl Demodulator + 'static) -> Receiver {
    Receiver {
        family: "any",
        demodulator: Rc::new(demodulator),
        noise_figure: Db(10.0),
        harm: Db(0.0),
        sense: Sense::energy(Dbm(-75.0)),
        demodulators: None,
    }
}

fn interferer(dbm: f64, from_us: u64, us: u64) -> Interferer {
    let frame = frame();
    let begin = frame.begin + Duration::from_us(from_us);
    let Frame { band, modulation, .. } = frame;
    Interferer { band, modulation, received: Dbm(dbm), begin, end: begin + Duration::from_us(us) }
}

#[test]
fn a_frame_under_an_equal_one_is_that_of_the_curve_at_a_ratio_of_one() {
    // Signal and interference of -50 dBm in the same 2 MHz; noise at -101 dBm is negligible. At 0
    // dB in 2 MHz the first terms of the sum for 802.15.4 are, by hand, 1/30 of 120 exp(-10) - 560
    // exp(-13.33) + 1820 exp(-15) - 4368 exp(-16) + 8008 exp(-16.67): 1.7e-4, and with the rest
    // 1.6e-4. 250 bits then arrive with probability 0.96.
    let whole = arrives(&receiver(OqpskDsss), &frame(), Dbm(-50.0), &[interferer(-50.0, 0, 1_000)]);
    assert!((whole - 0.9604).abs() < 0.001, "{whole}");
}

#[test]
fn half_a_frame_under_interference_is_lost_with_half_of_its_bits() {
    let radio = receiver(NoncoherentFsk { rate: Hertz(1e6) });
    let all = arrives(&radio, &frame(), Dbm(-50.0), &[interferer(-58.0, 0, 1_000)]);
    let half = arrives(&radio, &frame(), Dbm(-50.0), &[interferer(-58.0, 250, 500)]);
    assert!((half * half - all).abs() < 1e-9 && all < 0.9, "{half} {all}");
    // Before it, after it, and ending at the instant at which it begins: no effect.
    let beside = [interferer(-20.0, 1_000, 50)];
    assert_eq!(arrives(&radio, &frame(), Dbm(-50.0), &beside), 1.0);
}

#[test]
fn a_wide_interferer_counts_with_what_lies_in_the_band() {
    // 22 MHz, of which 2 MHz lie in the band: 10.4 dB less.
    let radio = receiver(NoncoherentFsk { rate: Hertz(1e6) });
    let wide =
        Interferer { band: Band::around(2_447_000, 22_000), ..interferer(-47.586_07, 0, 1_000) };
    let narrow = arrives(&radio, &frame(), Dbm(-50.0), &[interferer(-58.0, 0, 1_000)]);
    let spread = arrives(&radio, &frame(), Dbm(-50.0), &[wide]);
    assert!((narrow - spread).abs() < 1e-4, "{narrow} {spread}");
}

#[test]
fn harm_moves_the_curve() {
    let radio = receiver(NoncoherentFsk { rate: Hertz(1e6) });
    let worse = Receiver { harm: Db(3.0), ..radio.clone() };
    let at = |radio, dbm| arrives(radio, &frame(), Dbm(-50.0), &[interferer(dbm, 0, 1_000)]);
    assert!((at(&worse, -61.0) - at(&radio, -58.0)).abs() < 1e-6);
}

/// Destroys frames that are not at least 6 dB stronger.
struct Threshold;

impl Demodulator for Threshold {
    fn fails(&self, _: DbHz, _: &Frame) -> f64 {
        0.0
    }
    fn disturbance(&self, _: &Frame, _: Modulation) -> Disturbance {
        Disturbance::Unless(Db(6.0))
    }
}

#[test]
fn a_threshold_is_one() {
    let at = |dbm| arrives(&receiver(Threshold), &frame(), Dbm(-50.0), &[interferer(dbm, 10, 10)]);
    assert_eq!((at(-56.0), at(-55.9), at(-40.0)), (1.0, 0.0, 0.0));
}

fn some() -> impl Strategy<Value = Interferer> {
    (-110.0..-30.0_f64, 0..1_500_u64, 1..1_500_u64).prop_map(|(dbm, from, us)| {
        let early = interferer(dbm, from, us);
        let back = Duration::from_us(250).as_ns();
        let moved = |at: Instant| Instant::from_ns(at.as_ns().saturating_sub(back));
        Interferer { begin: moved(early.begin), end: moved(early.end), ..early }
    })
}

proptest! {
    #[test]
    fn more_interference_never_helps(
        others in prop::collection::vec(some(), 0..4), more in some(), own in -100.0..-30.0_f64,
        louder in 0.0..20.0_f64,
    ) {
        for radio in [receiver(OqpskDsss), receiver(NoncoherentFsk { rate: Hertz(1e6) }), receiver(Threshold)] {
            let before = arrives(&radio, &frame(), Dbm(own), &others);
            let one_more = [others.clone(), vec![more]].concat();
            let after = arrives(&radio, &frame(), Dbm(own), &one_more);
            prop_assert!(after <= before + 1e-12, "{after} > {before}");
            let raised = Interferer { received: more.received + Db(louder), ..more };
            let raised = [others.clone(), vec![raised]].concat();
            prop_assert!(arrives(&radio, &frame(), Dbm(own), &raised) <= after + 1e-12);
        }
    }

    #[test]
    fn a_weaker_signal_never_helps(
        others in prop::collection::vec(some(), 0..4), own in -100.0..-30.0_f64, weaker in 0.0..20.0_f64,
    ) {
        for radio in [receiver(OqpskDsss), receiver(NoncoherentFsk { rate: Hertz(1e6) }), receiver(Threshold)] {
            let strong = arrives(&radio, &frame(), Dbm(own), &others);
            let weak = arrives(&radio, &frame(), Dbm(own - weaker), &others);
            prop_assert!(weak <= strong + 1e-12, "{weak} > {strong}");
        }
    }

    #[test]
    fn what_lies_outside_the_band_does_nothing(
        mut others in prop::collection::vec(some(), 0..4), own in -100.0..-30.0_f64, off in 2_000..50_000_u32,
    ) {
        for other in &mut others {
            other.band = Band::around(2_450_000 + off, 2_000);
        }
        for radio in [receiver(OqpskDsss), receiver(Threshold)] {
            let alone = arrives(&radio, &frame(), Dbm(own), &[]);
            prop_assert!((arrives(&radio, &frame(), Dbm(own), &others) - alone).abs() < 1e-9);
        }
    }
}
