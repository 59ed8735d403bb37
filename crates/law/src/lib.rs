//! # airlag-law: whether one may send like this
//!
//! **Enters:** what a transmitter is ([`airlag_air::transmitter`]), and what it sent when. **Leaves:** for a region, under which
//! rule it may do that, or which clause it breaks and by how much. **Next on the way:**
//! `airlag-study`, which asks this of benches.
//!
//! - [`record`]: what it sent, and the most of it within any stretch of time.
//! - [`clause`]: the documents, with version and date.
//! - [`check`]: one quantity against one limit.
//! - [`verdict`]: the rules that may apply, and the kindest of them.
//! - [`eu`]: short-range devices below 1 GHz, wide band data at 2.4 GHz. [`us`]: 47 CFR 15.247 and
//!   15.249.
//!
//! What it leaves out: what a receiver has to stand, spurious and out-of-band emissions, antennas
//! beyond their gain, exposure, national exceptions, the 5 and 6 GHz bands, and equipment
//! authorisation itself. It is information for an engineer, not legal advice.

#![forbid(unsafe_code)]

pub mod check;
pub mod clause;
pub mod eu;
pub mod record;
pub mod us;
pub mod verdict;

pub use airlag_air::transmitter::{Access, Hopping, Spectrum, Transmitter};
pub use check::{Check, Limit, Remedy, Standing};
pub use clause::{Clause, Document};
pub use record::{Record, Transmission};
pub use verdict::{Region, Ruling, Verdict, judge, standing};
