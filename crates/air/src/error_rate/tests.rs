use super::*;
use crate::quantity::Dbm;
use crate::signal::{THERMAL_NOISE, noise_figure};

/// C/N0 for an Eb/N0 at a bit rate.
fn per_bit(db: f64, rate: Hertz) -> DbHz {
    DbHz(db + 10.0 * rate.0.log10())
}

#[test]
fn bit_errors_are_those_of_the_textbook_curves() {
    // Computed by hand: an error rate of 1e-5 needs 2 ln 50 000 = 13.35 dB with noncoherent
    // orthogonal signals, and 3 dB less with DPSK.
    let rate = Hertz(1e6);
    for (db, expected) in [(13.35, 1e-5), (10.94, 1e-3), (f64::NEG_INFINITY, 0.5)] {
        let fsk = NoncoherentFsk { rate }.bit(per_bit(db, rate));
        let dpsk = Dbpsk { rate }.bit(per_bit(db - 3.0103, rate));
        assert!((fsk / expected - 1.0).abs() < 0.02, "{db}: {fsk}");
        assert!((dpsk / expected - 1.0).abs() < 0.02, "{db}: {dpsk}");
    }
}

#[test]
fn ieee_802154_is_the_formula_of_its_annex_e() {
    // The expected values were computed with exact fractions for the binomials in another program.
    for (db, expected) in [
        (-5.0, 0.075_171_564_089_620_9),
        (-2.0, 0.005_196_999_567_405_19),
        (0.0, 0.000_161_526_687_922_948),
        (1.0, 1.291_186_626_482_859e-5),
    ] {
        let found = OqpskDsss.bit(per_bit(db, Hertz(2e6)));
        assert!((found / expected - 1.0).abs() < 1e-9, "{db} dB: {found}");
    }
    assert!((OqpskDsss.bit(DbHz(-100.0)) - 0.5).abs() < 1e-9);
}

#[test]
fn ieee_802154_meets_the_packet_error_rate_of_its_own_standard() {
    // IEEE 802.15.4-2006, 6.5.3.3 requires at most 1 % loss of 20-byte packets at -85 dBm. A
    // receiver with a noise figure of 10 dB has a margin of 15 dB (26 bytes with preamble, SFD and
    // length: 832 us).
    let airtime = Duration::from_us(832);
    let at = |dbm: f64| DbHz(dbm - THERMAL_NOISE.0 - 10.0);
    assert!(OqpskDsss.frame(at(-85.0), airtime) < 1e-9);
    let limit = noise_figure(Dbm(-85.0), |signal| OqpskDsss.frame(signal, airtime) > 0.01);
    assert!((limit.0 - 25.5).abs() < 0.1, "{limit:?}");
}

fn lora(spreading_factor: u8, bandwidth: f64, coded_bits: u8) -> Lora {
    let bandwidth = Hertz(bandwidth);
    Lora {
        spreading_factor,
        bandwidth,
        coded_bits,
        low_data_rate_optimize: false,
        overhead_symbols: 0.0,
    }
}

/// Duration of `bits` of data.
fn lasting(modem: &Lora, bits: f64) -> Duration {
    let symbols = bits * f64::from(modem.coded_bits) / 4.0 / f64::from(modem.spreading_factor);
    let symbol_s = f64::from(1 << modem.spreading_factor) / modem.bandwidth.0;
    Duration::from_ns((symbols * symbol_s * 1e9) as u64)
}

#[test]
fn lora_bits_are_those_of_the_published_approximation() {
    // The letter's approximation, computed with another program at the datasheet's SNR limits.
    for (sf, db, expected) in [
        (7, -7.5, 1.389_575_481_920_518_8e-4),
        (10, -15.0, 7.522_516_539_026_06e-6),
        (12, -20.0, 3.351_781_950_972_061e-7),
    ] {
        let found = lora(sf, 125e3, 6).bit(per_bit(db, Hertz(125e3)));
        assert!((found / expected - 1.0).abs() < 1e-6, "SF{sf}: {found}");
    }
}

#[test]
fn lora_is_as_sensitive_as_a_datasheet_says() {
    // SX1272/73 rev. 2, 2.5.5: 1 % of packets with 10 bytes and a CRC, at 4/6; SF6 to SF12.
    // Semtech's AN1200.22 assumes a noise figure of 6 dB for these receivers. The formula is
    // slightly better than the chip at the extremes.
    for (bandwidth, datasheet) in [
        (125e3, [-121.0, -124.0, -127.0, -130.0, -133.0, -135.0, -137.0]),
        (250e3, [-118.0, -122.0, -125.0, -128.0, -130.0, -132.0, -135.0]),
    ] {
        for (sf, expected) in (6..=12).zip(datasheet) {
            let modem = lora(sf, bandwidth, 6);
            let airtime = lasting(&modem, 96.0);
            let Db(figure) = noise_figure(Dbm(expected), |at| modem.frame(at, airtime) > 0.01);
            assert!((figure - 6.0).abs() < 1.5, "SF{sf} {bandwidth} Hz: {figure} dB");
        }
    }
}

#[test]
fn lora_corrects_one_bit_of_a_word_from_four_in_seven_on() {
    let signal = per_bit(-8.0, Hertz(125e3));
    let rates = [5, 6, 7, 8].map(|coded_bits| {
        let modem = lora(7, 125e3, coded_bits);
        modem.frame(signal, lasting(&modem, 800.0))
    });
    assert!((rates[0] - rates[1]).abs() < 1e-3 && rates[1] > 10.0 * rates[2], "{rates:?}");
    // Computed by hand: 200 words of 7 bits with two errors each.
    let wrong = lora(7, 125e3, 7).bit(signal);
    assert!((rates[2] / (200.0 * 21.0 * wrong * wrong) - 1.0).abs() < 0.05, "{rates:?} {wrong}");
}

#[test]
fn longer_frames_and_weaker_signals_are_lost_more_often() {
    let modems: [&dyn ErrorRate; 4] = [
        &NoncoherentFsk { rate: Hertz(250e3) },
        &Dbpsk { rate: Hertz(1e6) },
        &OqpskDsss,
        &lora(7, 250e3, 5),
    ];
    for modem in modems {
        let short = Duration::from_us(500);
        let mut last = 1.0;
        for db in 0..120 {
            let signal = DbHz(f64::from(db));
            let (one, four) = (modem.frame(signal, short), modem.frame(signal, short * 4));
            assert!((0.0..=1.0).contains(&one) && one <= four && one <= last, "{db}: {one}");
            last = one;
        }
        assert!(last < 1e-12 && modem.frame(DbHz(-200.0), short * 8) > 0.9);
    }
}
