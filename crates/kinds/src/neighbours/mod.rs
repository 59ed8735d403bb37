//! Who else can be on the air: one file a kind of neighbour, and one line in the lists here.

mod ble;
mod ieee802154;
mod wifi;

use airlag_rig::neighbours::Kinds;
use airlag_rig::neighbours::same_link::SameLink;

/// Of a radio whose pairs tell each other apart. What is not in its band is on the air all the same.
pub(crate) const ALL: Kinds =
    Kinds::new(&[&wifi::Wifi, &ble::Ble, &ieee802154::Ieee802154, &SameLink]);

/// Of one whose pairs have no addresses of their own on the bench.
pub(crate) const OTHERS: Kinds = Kinds::new(&[&wifi::Wifi, &ble::Ble, &ieee802154::Ieee802154]);
