//! What a link may cost: charge a message, and how long a battery lasts.

use airlag_rig::batteries::Battery;

use crate::charge::{Charge, EndCharge, life};

/// What a message may cost the board that sends it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// What a message that arrives may add to what is drawn anyway, nC; none: anything.
    pub charge_nc: Option<f64>,
    /// How long a battery has to last; none: for any time.
    pub life: Option<Lasting>,
}

/// How long a battery has to last.
#[derive(Clone, Debug, PartialEq)]
pub struct Lasting {
    /// Which one.
    pub battery: Battery,
    /// So many years.
    pub years: f64,
    /// At so many messages a second.
    pub per_second: f64,
}

/// What a message that arrives adds to what the sending board draws anyway, nC; none where nobody
/// lists what it draws, or nothing arrives.
#[must_use]
pub fn delivered_nc(end: &EndCharge, delivered: f64) -> Option<f64> {
    end.marginal_nc().filter(|_| delivered > 0.0).map(|one| one / delivered)
}

/// Why a link costs too much whose messages arrive in a share of `delivered`; none if it does not.
#[must_use]
pub fn too_much(limits: &Limits, charge: &Charge, delivered: f64) -> Option<String> {
    if *limits == Limits::default() {
        return None;
    }
    let Some(end) = charge.ends.iter().find(|one| one.end == "sender") else {
        return Some("what its sender draws is not listed".to_owned());
    };
    if let Some(most) = limits.charge_nc {
        match delivered_nc(end, delivered) {
            None => return Some("nothing arrives".to_owned()),
            Some(nc) if nc > most => {
                let [nc, most] = [nc, most].map(|nc| nc / 1e3);
                return Some(format!("a message takes {nc:.3} uC, {most:.3} uC may be"));
            }
            Some(_) => {}
        }
    }
    let asked = limits.life.as_ref()?;
    let average_na = end.average_at_na(asked.per_second)?;
    let found = life(&asked.battery, average_na, end.peak_na());
    if let Some((drawn, given)) = found.overloaded_ma {
        return Some(format!(
            "it draws {drawn:.0} mA at once, and the battery gives {given:.0} mA"
        ));
    }
    (found.years < asked.years).then(|| {
        let (lasts, wanted) = (lasting(found.years), lasting(asked.years));
        let most = end.parts.iter().max_by_key(|part| part.charge_ac());
        let most = most.map_or("", |part| part.currents.key.as_str());
        let average = current(average_na);
        format!("the battery lasts {lasts} at {average}, most of it for {most}, not {wanted}")
    })
}

/// A time in years, or in days where it is shorter than one.
fn lasting(years: f64) -> String {
    if years >= 1.0 { format!("{years:.1} years") } else { format!("{:.1} days", years * 365.25) }
}

/// A current in mA, or in uA where it is less than one.
fn current(na: f64) -> String {
    if na >= 1e6 { format!("{:.1} mA", na / 1e6) } else { format!("{:.1} uA", na / 1e3) }
}
