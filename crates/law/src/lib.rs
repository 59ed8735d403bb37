//! # airlag-law: regulatory limits
//!
//! **Input:** the properties of a transmitter ([`airlag_air::transmitter`]) and a record of its
//! transmissions. **Output:** for a region, the rule that permits these transmissions, or the
//! clause that they violate and the amount of the violation. **Used by:** `airlag-study`, which
//! checks the transmissions of virtual benches.
//!
//! - [`record`]: transmissions, and their largest duty cycle in any time window of a given length.
//! - [`clause`]: clauses of regulatory documents, with the version and date of each document.
//! - [`check`]: comparison of one quantity with one limit.
//! - [`verdict`]: the rules that apply, and the most favourable of these rules.
//! - [`eu`]: European rules for short-range devices below 1 GHz and for wide band data at 2.4 GHz.
//! - [`us`]: 47 CFR 15.247 and 15.249, for the United States.
//!
//! The crate does not cover receiver requirements, spurious and out-of-band emissions, antenna
//! properties other than gain, human exposure to radio fields, national exceptions, the 5 and 6 GHz
//! bands, or the procedure of equipment authorisation. The verdict of the crate is information for
//! an engineer, not legal advice.

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
