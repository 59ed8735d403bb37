//! # airlag-law: regulatory limits
//!
//! **Input:** the properties of a transmitter ([`airlag_air::transmitter`]) and a record of its
//! transmissions. **Output:** for a region, the rule that permits these transmissions, or the
//! clause that they violate and by how much. **Used by:** `airlag-study`, which checks benches.
//!
//! - [`record`]: transmissions, and the largest share of the time that they take within a window.
//! - [`clause`]: documents, with version and date.
//! - [`check`]: comparison of one quantity with one limit.
//! - [`verdict`]: applicable rules, and the most favourable of them.
//! - [`eu`]: short-range devices below 1 GHz, wide band data at 2.4 GHz. [`us`]: 47 CFR 15.247 and
//!   15.249.
//!
//! The crate does not cover receiver requirements, spurious and out-of-band emissions, properties
//! of antennas other than gain, exposure, national exceptions, the 5 and 6 GHz bands, or the
//! procedure of equipment authorisation. The result is information for an engineer, not legal
//! advice.

#![forbid(unsafe_code)]

pub mod check;
pub mod clause;
pub mod eu;
pub mod record;
pub mod us;
pub mod verdict;

pub use airlag_air::transmitter::{Access, Hopping, Spectrum, Transmitter};
pub use check::{Check, Compliance, Limit, Remedy};
pub use clause::{Clause, Document};
pub use record::{Record, Transmission};
pub use verdict::{Region, Ruling, Verdict, judge, standing};
