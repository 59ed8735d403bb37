//! Limits on charge, battery life and peak current of the board that sends.

use airlag_rig::batteries::Battery;

use crate::charge::EndCharge;

/// What the board that sends may draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Largest charge that a message that arrives may add to the idle charge, nC; none: any.
    pub charge_nc: Option<f64>,
    /// Its battery; none: no battery.
    pub supply: Option<Supplied>,
}

/// A battery, and how long it has to last.
#[derive(Clone, Debug, PartialEq)]
pub struct Supplied {
    /// The battery.
    pub battery: Battery,
    /// Required life, years; none: any.
    pub years: Option<f64>,
    /// Messages a second.
    pub per_second: f64,
}

/// Charge that a message that arrives adds to the idle charge, nC; none where no current is listed or
/// nothing arrives.
#[must_use]
pub fn delivered_nc(end: &EndCharge, delivered: f64) -> Option<f64> {
    end.marginal_nc().filter(|_| delivered > 0.0).map(|one| one / delivered)
}
