//! Wide band data transmission from 2400 to 2483.5 MHz: EN 300 328, with frequency hopping or other
//! modulation, adaptive or not.
//!
//! Below 10 dBm, EN 300 328 limits only power and power density. From 10 dBm, non-adaptive
//! equipment has limits for the gaps between transmissions and for medium utilisation, which is the
//! duty cycle times the ratio of the power to 100 mW. Adaptive equipment has a limit for channel
//! occupancy. Adaptive equipment may also send short control signals, such as acknowledgements,
//! without a clear channel assessment during 10 % of any 50 ms. This limit of 10 % is not checked,
//! because the record of transmissions does not identify these control signals.

use crate::check::{Check, Limit};
use crate::clause::EN_300_328;
use crate::record::Record;
use crate::verdict::Ruling;
use airlag_air::transmitter::{Access, Hopping, Transmitter};

const SECOND_NS: u64 = 1_000_000_000;
const MS: f64 = 1e6;
/// Power below which timing is not limited, dBm EIRP.
const EXEMPT_DBM: f64 = 10.0;

/// A hopping transmitter may also be assessed as non-hopping, as is usual for Bluetooth LE.
pub(super) fn rulings(one: &Transmitter, record: &Record) -> Vec<Ruling> {
    let mut rulings: Vec<Ruling> =
        one.hopping.map(|hopping| hops(one, record, hopping)).into_iter().collect();
    if one.eirp_dbm() < EXEMPT_DBM {
        let checks = radiated(one).into();
        rulings.push(Ruling { rule: "wide band modulation below 10 dBm", checks });
        return rulings;
    }
    if let Access::Listens(us) = one.access {
        rulings.push(adaptive(one, record, us));
    }
    rulings.push(non_adaptive(one, record));
    rulings
}

/// Limits for any modulation other than hopping.
fn radiated(one: &Transmitter) -> [Check; 2] {
    let eirp = one.eirp_dbm();
    let dense = one.within(eirp, 1_000.0);
    [
        Check::power("radiated power", eirp, 20.0, "dBm", EN_300_328.at("4.3.2.2")),
        Check::power("density", dense, 10.0, "dBm/MHz", EN_300_328.at("4.3.2.3")),
    ]
}

/// Listen before talk as load based equipment, which includes the carrier sense of IEEE 802.11 and
/// 802.15.4: a clear channel assessment of 18 us or more, and a channel occupancy of 13 ms at most.
fn adaptive(one: &Transmitter, record: &Record, us: u32) -> Ruling {
    let looks = EN_300_328.at("4.3.2.6.3.2");
    let longest = record.longest_ns() as f64 / MS;
    let occupancy = EN_300_328.unconfirmed("4.3.2.6.3.2");
    let mut checks = Vec::from(radiated(one));
    checks.extend([
        Check::built("clear channel assessment", f64::from(us), Limit::AtLeast(18.0), "us", looks),
        Check::time("channel occupancy", longest, 13.0, "ms", false, occupancy),
    ]);
    Ruling { rule: "adaptive by listening", checks }
}

/// Sequences of up to 10 ms, gaps of the same length, and a medium utilisation limit.
fn non_adaptive(one: &Transmitter, record: &Record) -> Ruling {
    // A gap is as long as the sequence before it, and at least 3.5 ms. Transmissions with a shorter
    // gap form one sequence.
    let sequence = record.longest_sequence_ns(|before_ns| before_ns.max(3_500_000)) as f64 / MS;
    let mut checks = Vec::from(radiated(one));
    checks.push(Check::time("sequence", sequence, 10.0, "ms", false, EN_300_328.at("4.3.2.4")));
    let clause = EN_300_328.at("4.3.2.5");
    let used = utilisation(one, record.share_within(SECOND_NS));
    checks.push(Check::time("medium utilisation", used, 10.0, "%", true, clause));
    Ruling { rule: "non-adaptive", checks }
}

/// Medium utilisation, percent of 100 mW at all times.
fn utilisation(one: &Transmitter, share: f64) -> f64 {
    libm::pow(10_f64, one.eirp_dbm() / 10.0) / 100.0 * share * 100.0
}

/// Checks the rules for frequency hopping. A transmitter needs at least 15 channels, or as many
/// channels as span 15 MHz if that number is larger than 15. The accumulated dwell time on a
/// channel is limited to 400 ms for adaptive equipment, and to 15 ms for non-adaptive equipment.
/// The limit applies to any period whose length is this limit times the required number of
/// channels.
fn hops(one: &Transmitter, record: &Record, hopping: Hopping) -> Ruling {
    let needed = 15_000_u32.div_ceil(hopping.spacing_khz.max(1)).max(15);
    let most_ms: u32 = if hopping.adaptive { 400 } else { 15 };
    let period_ns = u64::from(most_ms * needed) * 1_000_000;
    let share = record.channels().iter().map(|one| one.share_within(period_ns)).fold(0.0, f64::max);
    let on_one = share * period_ns as f64 / MS;
    let scales = record.longest_ns() as f64 / MS <= f64::from(most_ms);
    let sequence = EN_300_328.at("4.3.1.4");
    let (eirp, channels) = (one.eirp_dbm(), f64::from(hopping.channels));
    let least = Limit::AtLeast(f64::from(needed));
    let quantity = format!("dwell time on one channel in {:.3} s", period_ns as f64 / 1e9);
    let mut checks = vec![
        Check::power("radiated power", eirp, 20.0, "dBm", EN_300_328.at("4.3.1.2")),
        Check::built("channels", channels, least, "", sequence),
        Check::time(quantity, on_one, f64::from(most_ms), "ms", scales, sequence),
    ];
    if eirp >= EXEMPT_DBM && !hopping.adaptive {
        let burst = record.longest_sequence_ns(|_| 5_000_000) as f64 / MS;
        checks.push(Check::time("sequence", burst, 5.0, "ms", false, EN_300_328.at("4.3.1.3")));
        let used = utilisation(one, record.share_within(SECOND_NS));
        let clause = EN_300_328.at("4.3.1.6");
        checks.push(Check::time("medium utilisation", used, 10.0, "%", true, clause));
    }
    let rule = if hopping.adaptive { "adaptive hopping" } else { "non-adaptive hopping" };
    Ruling { rule, checks }
}
