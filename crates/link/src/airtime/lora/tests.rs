use lora_modulation::{
    Bandwidth as TheirBandwidth, BaseBandModulationParams, CodingRate as TheirRate,
    SpreadingFactor as TheirFactor,
};
use proptest::prelude::*;

use super::*;

const FAST: Frame = Frame::new(SpreadingFactor::Sf7, Bandwidth::Khz250, CodingRate::Cr4_5);
const LONG: Frame = Frame::new(SpreadingFactor::Sf11, Bandwidth::Khz62_5, CodingRate::Cr4_5);

#[test]
fn frames_of_the_measured_bench_have_the_length_read_off_it() {
    // 250 kHz, SF7: 40.25, 210.25, 390.25 and 30.25 symbols of 0.512 ms.
    assert_eq!(FAST.duration_ns(12), 20_608_000);
    assert_eq!(FAST.duration_ns(128), 107_648_000);
    assert_eq!(FAST.duration_ns(255), 199_808_000);
    assert_eq!(FAST.duration_ns(4), 15_488_000);
    // 62.5 kHz, SF11: a symbol of 32.768 ms needs the optimisation.
    let optimized = [LONG, FAST].map(|frame| frame.low_data_rate_optimize);
    assert_eq!(optimized, [true, false]);
    assert_eq!(LONG.duration_ns(12), 1_155_072_000);
    assert_eq!(LONG.duration_ns(255), 10_002_432_000);
}

#[test]
fn only_one_setting_explains_the_difference_between_two_captured_sizes() {
    // 128 bytes took 4260.04 ms longer than 12 bytes: 130 symbols. This matches neither another
    // coding rate nor disabled optimisation.
    let difference = |frame: Frame| frame.payload_symbols(128) - frame.payload_symbols(12);
    assert_eq!(difference(LONG), 130);
    let plain = Frame { low_data_rate_optimize: false, ..LONG };
    let slower = CodingRate::Cr4_6;
    assert_eq!(difference(Frame { coding_rate: slower, ..plain }), 126);
    assert_eq!(difference(Frame { coding_rate: slower, ..LONG }), 156);
}

#[test]
fn the_optimisation_begins_above_sixteen_milliseconds() {
    let needs = |factor, bandwidth| Frame::needs_optimize(factor, bandwidth);
    assert!(needs(SpreadingFactor::Sf11, Bandwidth::Khz125));
    assert!(!needs(SpreadingFactor::Sf10, Bandwidth::Khz125));
    assert!(needs(SpreadingFactor::Sf12, Bandwidth::Khz250));
}

#[test]
fn a_bandwidth_is_found_by_its_nearest_hertz() {
    assert_eq!(Bandwidth::from_hz(62_500), Some(Bandwidth::Khz62_5));
    assert_eq!(Bandwidth::from_hz(41_667), Some(Bandwidth::Khz41_7));
    assert_eq!(Bandwidth::from_hz(64_500), None);
    assert_eq!(SpreadingFactor::new(5), None);
    assert_eq!(CodingRate::new(9), None);
}

proptest! {
    /// Compares with the calculator of another project. It rounds the symbol to whole microseconds
    /// and the narrow bandwidths to ten hertz, so deviations up to that are permitted. If no bits
    /// remain after the header, it still counts a block, which the formula does not.
    #[test]
    fn another_calculator_agrees(
        factor in 0_usize..7, bandwidth in 0_usize..10, rate in 0_usize..4,
        preamble in 6_u8..=255, explicit_header: bool, payload: u8,
    ) {
        let theirs = BaseBandModulationParams::new(
            [TheirFactor::_6, TheirFactor::_7, TheirFactor::_8, TheirFactor::_9,
             TheirFactor::_10, TheirFactor::_11, TheirFactor::_12][factor],
            [TheirBandwidth::_7KHz, TheirBandwidth::_10KHz, TheirBandwidth::_15KHz,
             TheirBandwidth::_20KHz, TheirBandwidth::_31KHz, TheirBandwidth::_41KHz,
             TheirBandwidth::_62KHz, TheirBandwidth::_125KHz, TheirBandwidth::_250KHz,
             TheirBandwidth::_500KHz][bandwidth],
            [TheirRate::_4_5, TheirRate::_4_6, TheirRate::_4_7, TheirRate::_4_8][rate],
        );
        let ours = Frame {
            preamble: preamble.into(),
            explicit_header,
            low_data_rate_optimize: theirs.ldro,
            ..Frame::new(
                SpreadingFactor::ALL[factor], Bandwidth::ALL[bandwidth], CodingRate::ALL[rate],
            )
        };
        let left = 8 * i64::from(payload) - 4 * (factor as i64 + 6) + 44
            - 20 * i64::from(!explicit_header);
        prop_assume!(left > 0);
        let theirs_us = theirs.time_on_air_us(Some(preamble), explicit_header, payload);
        let ours_us = ours.duration_ns(payload.into()) / 1_000;
        let symbols = ours.duration_ns(payload.into()) / ours.symbol_ns() + 1;
        let allowed = ours_us / 2_000 + symbols + 1;
        prop_assert!(ours_us.abs_diff(theirs_us.into()) <= allowed, "{} {}", ours_us, theirs_us);
    }

    #[test]
    fn a_longer_payload_never_takes_less_time(
        factor in 0_usize..7, bandwidth in 0_usize..10, optimize: bool, payload in 0_usize..255,
    ) {
        let frame = Frame {
            low_data_rate_optimize: optimize,
            ..Frame::new(
                SpreadingFactor::ALL[factor], Bandwidth::ALL[bandwidth], CodingRate::Cr4_5,
            )
        };
        prop_assert!(frame.duration_ns(payload) <= frame.duration_ns(payload + 1));
    }
}
