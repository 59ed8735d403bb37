//! Non-specific short-range devices below 1 GHz: a power limit, with either a duty cycle limit or
//! polite spectrum access.
//!
//! Adjacent bands may be used as one band if a transmission satisfies the conditions of both
//! (general conditions of the annex, as amended by (EU) 2019/1345).

use crate::check::{Check, Limit};
use crate::clause::{Clause, EN_300_220, NEAR_900, SHORT_RANGE};
use crate::record::Record;
use crate::verdict::Ruling;
use airlag_air::transmitter::{Access, Transmitter};

const HOUR_NS: u64 = 3_600_000_000_000;
/// 25 mW, dBm.
const DBM_25_MW: f64 = 13.979_400_086_720_376;

/// 10 mW at a duty cycle of 10 %, or 1 mW without a duty cycle limit (at up to -13 dBm in 10 kHz),
/// or 10 mW in 25 kHz above 434.04 MHz.
pub(super) fn at_433(one: &Transmitter, record: &Record) -> Vec<Ruling> {
    let clause = SHORT_RANGE.unconfirmed("annex, 433.05-434.79 MHz");
    let dense = one.within(one.erp_dbm(), 10.0);
    let mut always = vec![power(one, 0.0, clause)];
    always.push(Check::power("density", dense, -13.0, "dBm/10 kHz", clause));
    vec![shared(one, record, 10.0, 10.0, clause), Ruling { rule: "1 mW", checks: always }]
}

pub(super) fn at_863(one: &Transmitter, record: &Record) -> Vec<Ruling> {
    both(one, record, 0.1, SHORT_RANGE.unconfirmed("annex, 863-865 MHz"))
}

pub(super) fn at_865(one: &Transmitter, record: &Record) -> Vec<Ruling> {
    both(one, record, 1.0, SHORT_RANGE.unconfirmed("annex, 865-868 MHz"))
}

pub(super) fn at_868_0(one: &Transmitter, record: &Record) -> Vec<Ruling> {
    both(one, record, 1.0, SHORT_RANGE.at("annex, 868.0-868.6 MHz"))
}

pub(super) fn at_868_7(one: &Transmitter, record: &Record) -> Vec<Ruling> {
    both(one, record, 0.1, SHORT_RANGE.at("annex, 868.7-869.2 MHz"))
}

/// 500 mW.
pub(super) fn at_869_4(one: &Transmitter, record: &Record) -> Vec<Ruling> {
    let clause = SHORT_RANGE.at("annex, 869.4-869.65 MHz");
    let most = 10.0 * libm::log10(500_f64);
    let mut rulings = vec![shared(one, record, most, 10.0, clause)];
    rulings.extend(polite(one, record, most, clause));
    rulings
}

/// 5 mW without a duty cycle limit, or 25 mW at a duty cycle of 1 %.
pub(super) fn at_869_7(one: &Transmitter, record: &Record) -> Vec<Ruling> {
    let clause = SHORT_RANGE.unconfirmed("annex, 869.7-870 MHz");
    let quiet =
        Ruling { rule: "5 mW", checks: vec![power(one, 10.0 * libm::log10(5_f64), clause)] };
    let mut rulings = both(one, record, 1.0, clause);
    rulings.push(quiet);
    rulings
}

/// The only usable part of 902 to 928 MHz: up to 600 kHz wide.
pub(super) fn at_917(one: &Transmitter, record: &Record) -> Vec<Ruling> {
    let clause = NEAR_900.unconfirmed("annex, 917.4-919.4 MHz");
    let width = one.spectrum.twenty_db_khz;
    let mut ruling = shared(one, record, DBM_25_MW, 1.0, clause);
    let narrow = Limit::AtMost(600.0);
    ruling.checks.push(Check::built("20 dB bandwidth", width, narrow, "kHz", clause));
    vec![ruling]
}

/// 25 mW with a duty cycle limit or with polite spectrum access.
fn both(one: &Transmitter, record: &Record, percent: f64, clause: Clause) -> Vec<Ruling> {
    let mut rulings = vec![shared(one, record, DBM_25_MW, percent, clause)];
    rulings.extend(polite(one, record, DBM_25_MW, clause));
    rulings
}

fn power(one: &Transmitter, most_dbm: f64, clause: Clause) -> Check {
    Check::power("effective radiated power", one.erp_dbm(), most_dbm, "dBm", clause)
}

fn shared(one: &Transmitter, record: &Record, dbm: f64, percent: f64, clause: Clause) -> Ruling {
    let share = 100.0 * record.share_within(HOUR_NS);
    let duty = Check::time("duty cycle in an hour", share, percent, "%", true, clause);
    Ruling { rule: "short-range device", checks: vec![power(one, dbm, clause), duty] }
}

/// Polite spectrum access: after a sufficient clear channel assessment, at most one second per
/// transmission, and 100 s per hour in each 200 kHz.
fn polite(one: &Transmitter, record: &Record, dbm: f64, clause: Clause) -> Option<Ruling> {
    let Access::Listens(us) = one.access else { return None };
    let manners = EN_300_220.unconfirmed("4.5, polite spectrum access");
    let longest = record.longest_ns() as f64 / 1e6;
    let most = record.channels().iter().map(|one| one.share_within(HOUR_NS)).fold(0.0, f64::max);
    let listens = Limit::AtLeast(160.0);
    Some(Ruling {
        rule: "polite spectrum access",
        checks: vec![
            power(one, dbm, clause),
            Check::built("clear channel assessment", f64::from(us), listens, "us", manners),
            Check::time("longest transmission", longest, 1_000.0, "ms", false, manners),
            Check::time(
                "transmit time per hour and channel",
                3_600.0 * most,
                100.0,
                "s",
                true,
                manners,
            ),
        ],
    })
}
