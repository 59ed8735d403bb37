//! Neighbours on the air: one file for each kind, and one line in the lists here.

mod ble;
mod ieee802154;
mod wifi;

use airlag_rig::neighbours::Kinds;
use airlag_rig::neighbours::same_link::SameLink;

/// For radios whose pairs have their own addresses. Neighbours outside their band are valid and
/// have no effect.
pub(crate) const ALL: Kinds =
    Kinds::new(&[&wifi::Wifi, &ble::Ble, &ieee802154::Ieee802154, &SameLink]);

/// For radios whose pairs have no addresses of their own on the bench.
pub(crate) const OTHERS: Kinds = Kinds::new(&[&wifi::Wifi, &ble::Ble, &ieee802154::Ieee802154]);
