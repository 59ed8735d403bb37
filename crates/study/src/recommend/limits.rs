//! Limits on charge, battery life and peak current of the sender.

use airlag_rig::batteries::Battery;

use crate::charge::EndCharge;

/// Limits of the sender.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Largest charge that a delivered message may add to the idle charge, nC. `None` means no
    /// limit.
    pub charge_nc: Option<f64>,
    /// Battery of the sender. `None` means no battery.
    pub supply: Option<Supplied>,
}

/// A battery with the required life.
#[derive(Clone, Debug, PartialEq)]
pub struct Supplied {
    /// The battery.
    pub battery: Battery,
    /// Required life, years. `None` means no requirement.
    pub years: Option<f64>,
    /// Message rate, 1/s.
    pub per_second: f64,
}

/// Charge that a delivered message adds to the idle charge, nC. Returns `None` without current data, and if
/// nothing arrives.
#[must_use]
pub fn delivered_nc(end: &EndCharge, delivered: f64) -> Option<f64> {
    end.marginal_nc().filter(|_| delivered > 0.0).map(|one| one / delivered)
}
