//! Worked examples, each computed by hand from its clause.

use airlag_law::check::Limit;
use airlag_law::{
    Access, Compliance, Hopping, Record, Region, Remedy, Ruling, Spectrum, Transmission,
    Transmitter, Verdict, judge, standing,
};

const MS: u64 = 1_000_000;
const S: u64 = 1_000 * MS;

/// A transmitter on one carrier that sends for `airtime` every `period` during `observed`.
fn periodic(centre_khz: u32, width_khz: u32, airtime: u64, period: u64, observed: u64) -> Record {
    let one = |nth: u64| Transmission {
        begin_ns: nth * period,
        end_ns: nth * period + airtime,
        low_khz: centre_khz - width_khz / 2,
        high_khz: centre_khz + width_khz / 2,
    };
    Record::new((0..observed / period).map(one).collect(), observed)
}

fn chirps(power_dbm: f64, width_khz: f64) -> Transmitter {
    let spectrum = Spectrum::even(width_khz);
    Transmitter { power_dbm, gain_dbi: 0.0, spectrum, hopping: None, access: Access::Blind }
}

fn hops(power_dbm: f64, width_khz: f64, channels: u32, adaptive: bool) -> Transmitter {
    let hopping = Some(Hopping { channels, spacing_khz: 1_000, adaptive });
    Transmitter { hopping, ..chirps(power_dbm, width_khz) }
}

/// The only verdict.
fn only(region: Region, one: &Transmitter, record: &Record) -> Verdict {
    let mut found = judge(region, one, record);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn decisive(ruling: &Ruling) -> &airlag_law::Check {
    ruling.decisive().expect("each rule has limits")
}

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 0.001 * expected.abs(), "{value}, not {expected}");
}

fn ruling<'a>(verdict: &'a Verdict, rule: &str) -> &'a Ruling {
    let mut all = [&verdict.ruling].into_iter().chain(&verdict.others);
    all.find(|one| one.rule == rule).expect("a rule of this name")
}

#[test]
fn a_tenth_of_the_time_at_868_1_mhz_is_ten_times_too_much() {
    // 20.6 ms every 200 ms is 10.3 %, and 1 % is permitted; 14 dBm EIRP is 11.85 dBm ERP. With a
    // width of 250 kHz, the signal extends below 868.0 MHz, so the limits of the band below also
    // apply, which are also 1 %.
    let record = periodic(868_100, 250, 20_600_000, 200 * MS, 200 * S);
    let both = judge(Region::Eu, &chirps(14.0, 250.0), &record);
    assert_eq!(both.iter().map(|one| one.band_khz.0).collect::<Vec<_>>(), [868_000, 865_000]);
    let verdict = &both[0];
    assert_eq!(both.iter().map(Verdict::standing).max(), Some(Compliance::NotAllowed));
    near(verdict.airtime, 0.103);
    let duty = decisive(&verdict.ruling);
    near(duty.value, 10.3);
    assert_eq!(duty.limit, Limit::AtMost(1.0));
    assert_eq!(duty.remedy.map(|it| it.to_string()).as_deref(), Some("at 1/10.3 of this rate"));
    assert_eq!(
        duty.clause.to_string(),
        "Decision 2006/771/EC as amended by (EU) 2017/1483 (2017-08-08), annex, 868.0-868.6 MHz"
    );
}

#[test]
fn the_same_is_near_the_limit_every_two_seconds_and_within_it_every_three() {
    let lora = chirps(14.0, 250.0);
    let every = |seconds: u64| periodic(868_300, 250, 19_000_000, seconds * S, 600 * S);
    assert_eq!(only(Region::Eu, &lora, &every(2)).standing(), Compliance::AtLimit);
    assert_eq!(only(Region::Eu, &lora, &every(3)).standing(), Compliance::Within);
}

#[test]
fn an_hour_is_judged_by_its_worst_stretch() {
    // Two hours with 40 s of transmission in the first one: 1.11 % of that hour, but 0.56 % of the
    // whole record.
    let mut sent = periodic(868_300, 250, S, 60 * S, 2_400 * S).sent().to_vec();
    sent.truncate(40);
    let record = Record::new(sent, 7_200 * S);
    let verdict = only(Region::Eu, &chirps(14.0, 250.0), &record);
    near(verdict.airtime, 40.0 / 7_200.0);
    near(decisive(&verdict.ruling).value, 100.0 * 40.0 / 3_600.0);
    assert_eq!(verdict.standing(), Compliance::NotAllowed);
}

#[test]
fn half_a_watt_is_for_a_quarter_of_a_megahertz() {
    // 29 dBm EIRP is 26.85 dBm ERP; the limit of 500 mW is 26.99 dBm, and that of 25 mW 13.98 dBm.
    let loud = chirps(29.0, 125.0);
    let there = periodic(869_525, 125, 50 * MS, S, 3_600 * S);
    assert_eq!(only(Region::Eu, &loud, &there).standing(), Compliance::AtLimit);
    let verdict = only(Region::Eu, &loud, &periodic(868_300, 125, 5 * MS, S, 3_600 * S));
    let Some(Remedy::LowerPower(db)) = decisive(&verdict.ruling).remedy else {
        panic!("{verdict:?}");
    };
    near(db, 26.85 - 13.979_4);
}

#[test]
fn who_listens_is_freed_of_the_duty_cycle_and_told_other_limits() {
    // 50 ms per second is 5 %: 180 s per hour on one channel, and 100 s are permitted.
    let polite = Transmitter { access: Access::Listens(5_000), ..chirps(14.0, 200.0) };
    let verdict = only(Region::Eu, &polite, &periodic(868_300, 200, 50 * MS, S, 3_600 * S));
    let manners = ruling(&verdict, "polite spectrum access");
    near(decisive(manners).value, 180.0);
    let verdict = only(Region::Eu, &polite, &periodic(868_300, 200, 20 * MS, S, 3_600 * S));
    assert_eq!(
        (verdict.standing(), verdict.ruling.rule),
        (Compliance::Within, "polite spectrum access")
    );
    // A clear channel assessment of 100 us is too short.
    let hasty = Transmitter { access: Access::Listens(100), ..polite };
    let verdict = only(Region::Eu, &hasty, &periodic(868_300, 200, 20 * MS, S, 3_600 * S));
    assert_eq!(
        (verdict.standing(), verdict.ruling.rule),
        (Compliance::NotAllowed, "short-range device")
    );
}

#[test]
fn at_915_mhz_there_is_no_band_in_the_eu_and_at_868_none_in_the_us() {
    for (region, centre) in [(Region::Eu, 915_000), (Region::Us, 868_100), (Region::Us, 2_500_000)]
    {
        let verdict = only(region, &chirps(-30.0, 125.0), &periodic(centre, 125, MS, S, 10 * S));
        assert_eq!((verdict.standing(), verdict.ruling.rule), (Compliance::NotAllowed, "no band"));
        assert!(decisive(&verdict.ruling).remedy.is_none());
    }
}

#[test]
fn what_sticks_out_of_a_band_is_not_in_it() {
    // Half of 1 MHz reaches below 2400 MHz.
    let verdict =
        only(Region::Eu, &chirps(0.0, 1_000.0), &periodic(2_400_000, 1_000, MS, S, 10 * S));
    assert_eq!(verdict.ruling.rule, "no band");
}

#[test]
fn a_gap_between_two_bands_is_in_neither() {
    // From 868.6 to 868.7 MHz only alarms may send.
    let verdict = only(Region::Eu, &chirps(0.0, 125.0), &periodic(868_600, 125, MS, S, 10 * S));
    assert_eq!(verdict.ruling.rule, "no band");
}

#[test]
fn each_band_has_a_verdict_and_the_worst_one_counts() {
    let (mut sent, one) = (Vec::new(), chirps(10.0, 125.0));
    for centre in [868_300, 868_950] {
        sent.extend_from_slice(periodic(centre, 125, 5 * MS, S, 3_600 * S).sent());
    }
    let found = judge(Region::Eu, &one, &Record::new(sent, 3_600 * S));
    // 0.5 % in each: within 1 %, and five times 0.1 %.
    let bands: Vec<_> = found.iter().map(|one| (one.band_khz.0, one.standing())).collect();
    assert_eq!(bands, [(868_700, Compliance::NotAllowed), (868_000, Compliance::Within)]);
    assert_eq!(standing(&found), Compliance::NotAllowed);
}

#[test]
fn nothing_is_asked_of_when_a_radio_below_10_dbm_sends() {
    // The signal is on the air 100 % of the time with 9 dBm over 2 MHz: 5.99 dBm/MHz.
    let record = periodic(2_440_000, 2_000, 10 * MS, 10 * MS, 10 * S);
    let verdict = only(Region::Eu, &chirps(9.0, 2_000.0), &record);
    assert_eq!(verdict.standing(), Compliance::Within);
    near(verdict.ruling.checks[1].value, 9.0 - 10.0 * 2_f64.log10());
}

#[test]
fn medium_utilisation_is_the_share_of_the_time_and_of_100_mw() {
    // 5 ms every 20 ms at 16 dBm (39.8 mW): the utilisation is 25 % of 0.398, 9.95 %. Over 10 MHz
    // the density is 6 dBm/MHz.
    let record = periodic(2_440_000, 10_000, 5 * MS, 20 * MS, 10 * S);
    let verdict = only(Region::Eu, &chirps(16.0, 10_000.0), &record);
    assert_eq!((verdict.standing(), verdict.ruling.rule), (Compliance::AtLimit, "non-adaptive"));
    near(decisive(&verdict.ruling).value, 9.953);
    // 18 dBm are 63.1 mW: 15.8 %.
    let verdict = only(Region::Eu, &chirps(18.0, 10_000.0), &record);
    let Some(Remedy::LowerRate(times)) = decisive(&verdict.ruling).remedy else {
        panic!("{verdict:?}");
    };
    near(times, 1.577);
}

#[test]
fn twelve_milliseconds_on_end_are_too_long_without_a_look_and_fine_with_one() {
    let record = periodic(2_440_000, 10_000, 12 * MS, S, 10 * S);
    let blind = chirps(16.0, 10_000.0);
    let verdict = only(Region::Eu, &blind, &record);
    near(decisive(&verdict.ruling).value, 12.0);
    assert!(decisive(&verdict.ruling).remedy.is_none());
    let listens = Transmitter { access: Access::Listens(20), ..blind };
    let verdict = only(Region::Eu, &listens, &record);
    assert_eq!(
        (verdict.standing(), verdict.ruling.rule),
        (Compliance::AtLimit, "adaptive by listening")
    );
}

#[test]
fn twenty_dbm_in_two_megahertz_are_too_dense() {
    // The density is 20 - 10 log 2 = 16.99 dBm/MHz, and 10 are permitted.
    let listens = Transmitter { access: Access::Listens(128), ..chirps(20.0, 2_000.0) };
    let verdict = only(Region::Eu, &listens, &periodic(2_405_000, 2_000, 4 * MS, S, 10 * S));
    let Some(Remedy::LowerPower(db)) = decisive(&verdict.ruling).remedy else {
        panic!("{verdict:?}");
    };
    near(db, 6.99);
}

#[test]
fn hopping_at_2_4_ghz_is_counted_by_channel() {
    // 10 ms every 100 ms on only one of 79 channels: 600 ms in 6 s, and 400 ms are permitted.
    let stuck = periodic(2_440_000, 1_000, 10 * MS, 100 * MS, 60 * S);
    let verdict = only(Region::Eu, &hops(4.0, 1_000.0, 79, true), &stuck);
    let hopping = ruling(&verdict, "adaptive hopping");
    near(decisive(hopping).value, 600.0);
    near(hopping.checks[1].value, 79.0);
    // Non-adaptive equipment may send for 15 ms in 225 ms; here it sends for 30 ms in the worst
    // such period.
    let verdict = only(Region::Eu, &hops(4.0, 1_000.0, 79, false), &stuck);
    near(decisive(ruling(&verdict, "non-adaptive hopping")).value, 30.0);
    // If the transmitter is assessed as non-hopping, its utilisation is low enough.
    assert_eq!(verdict.standing(), Compliance::Within);
}

#[test]
fn ten_seconds_on_one_channel_at_915_mhz_are_not_allowed_in_the_us() {
    let record = periodic(915_000, 62, 10 * S, 50 * S, 500 * S);
    let verdict = only(Region::Us, &chirps(14.0, 62.5), &record);
    assert_eq!(verdict.standing(), Compliance::NotAllowed);
    // The signal is too narrow for digital modulation: 62.5 kHz instead of 500 kHz.
    let digital = decisive(ruling(&verdict, "15.247, digital modulation"));
    assert_eq!((digital.value, digital.limit), (62.5, Limit::AtLeast(500.0)));
    // The power is 15.25 dB above the -1.249 dBm that produce 50 mV/m at 3 m.
    let Some(Remedy::LowerPower(db)) = decisive(ruling(&verdict, "15.249, low power")).remedy
    else {
        panic!("{verdict:?}");
    };
    near(db, 15.249);
    // The transmitter does not hop: it uses one channel instead of 50, with 10 s instead of 0.4 s
    // on it.
    let hopping = ruling(&verdict, "15.247, frequency hopping");
    let broken: Vec<_> = hopping.broken().map(|check| check.value).collect();
    assert_eq!(broken, [1.0, 10_000.0]);
    // If this were one of 50 hopping channels, the dwell time would be exceeded.
    let verdict = only(Region::Us, &hops(14.0, 62.5, 50, false), &record);
    let dwell = decisive(ruling(&verdict, "15.247, frequency hopping"));
    near(dwell.value, 10_000.0);
    assert!(dwell.remedy.is_none(), "a message is as long at any rate");
}

#[test]
fn digital_modulation_is_wide_enough_not_too_loud_and_not_too_dense() {
    // 30 dBm over 500 kHz is 30 - 10 log (500 / 3) = 7.78 dBm in 3 kHz.
    let record = periodic(915_000, 500, 100 * MS, 200 * MS, 10 * S);
    let verdict = only(Region::Us, &chirps(30.0, 500.0), &record);
    assert_eq!(
        (verdict.standing(), verdict.ruling.rule),
        (Compliance::AtLimit, "15.247, digital modulation")
    );
    near(verdict.ruling.checks[2].value, 7.782);
    // An antenna gain of 9 dBi reduces the limit by 3 dB.
    let beam = Transmitter { gain_dbi: 9.0, ..chirps(29.0, 500.0) };
    let verdict = only(Region::Us, &beam, &record);
    near(verdict.ruling.checks[1].value - 27.0, 2.0);
    assert_eq!(verdict.ruling.checks[1].limit, Limit::AtMost(27.0));
}

#[test]
fn fifty_narrow_channels_may_have_a_watt_and_25_wider_ones_a_quarter() {
    let record = periodic(915_000, 200, 100 * MS, 10 * S, 100 * S);
    let rule = "15.247, frequency hopping";
    let verdict = only(Region::Us, &hops(28.0, 200.0, 50, false), &record);
    assert_eq!(ruling(&verdict, rule).standing(), Compliance::Within);
    let verdict = only(Region::Us, &hops(20.0, 200.0, 49, false), &record);
    assert_eq!(decisive(ruling(&verdict, rule)).limit, Limit::AtLeast(50.0));
    let verdict = only(Region::Us, &hops(25.0, 300.0, 25, false), &record);
    near(decisive(ruling(&verdict, rule)).value - 23.979_4, 25.0 - 23.979_4);
    let verdict = only(Region::Us, &hops(20.0, 600.0, 50, false), &record);
    assert_eq!(decisive(ruling(&verdict, rule)).limit, Limit::AtMost(500.0));
}

#[test]
fn a_hybrid_hops_over_few_channels_and_is_not_dense() {
    // 200 ms every second over eight channels: 0.6 or 0.8 s within 3.2 s on this channel, and 0.4 s
    // are permitted.
    let record = periodic(915_000, 125, 200 * MS, S, 100 * S);
    let verdict = only(Region::Us, &hops(20.0, 125.0, 8, false), &record);
    let hybrid = ruling(&verdict, "15.247, hybrid");
    near(decisive(hybrid).value, 800.0);
    // 20 - 10 log (125 / 3) = 3.8 dBm in 3 kHz.
    near(hybrid.checks[2].value, 3.802);
    let rare = periodic(915_000, 125, 200 * MS, 8 * S, 800 * S);
    let verdict = only(Region::Us, &hops(20.0, 125.0, 8, false), &rare);
    assert_eq!((verdict.standing(), verdict.ruling.rule), (Compliance::Within, "15.247, hybrid"));
}

#[test]
fn pulses_are_averaged_above_a_gigahertz_and_not_below() {
    // 10 ms in the worst 100 ms is -20 dB, so the average is -20 dBm, and -1.249 dBm are permitted.
    let narrow = Transmitter { spectrum: Spectrum::even(300.0), ..chirps(0.0, 300.0) };
    let record = periodic(2_440_000, 300, 10 * MS, 200 * MS, 10 * S);
    let verdict = only(Region::Us, &narrow, &record);
    assert_eq!(
        (verdict.standing(), verdict.ruling.rule),
        (Compliance::Within, "15.249, low power")
    );
    near(verdict.ruling.checks[0].value, -20.0);
    let verdict = only(Region::Us, &narrow, &periodic(915_000, 300, 10 * MS, 200 * MS, 10 * S));
    assert_eq!(ruling(&verdict, "15.249, low power").standing(), Compliance::NotAllowed);
    // A peak may be 20 dB above the average limit: 18.75 dBm.
    let loud = Transmitter { power_dbm: 19.0, ..narrow };
    let verdict = only(Region::Us, &loud, &periodic(2_440_000, 300, 100_000, 200 * MS, 10 * S));
    near(decisive(ruling(&verdict, "15.249, low power")).value, 19.0);
}

#[test]
fn more_messages_never_stand_better() {
    for region in Region::ALL {
        for one in [chirps(14.0, 250.0), hops(20.0, 1_000.0, 79, false), chirps(16.0, 5_000.0)] {
            for centre in [433_900, 868_300, 869_525, 915_000, 2_440_000] {
                let mut before = Compliance::NotAllowed;
                for period_ms in [20, 50, 200, 1_000, 5_000, 60_000] {
                    let record = periodic(centre, 100, 15 * MS, period_ms * MS, 3_600 * S);
                    let now = standing(&judge(region, &one, &record));
                    assert!(now <= before, "{region} {centre} kHz every {period_ms} ms");
                    before = now;
                }
            }
        }
    }
}
