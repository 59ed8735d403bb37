//! Closed stacks: radios whose firmware cannot be run here, as the [`Link`](airlag_link::Link) a
//! program sees and the frames they put on the air.

pub mod espnow;
pub mod ieee802154;
