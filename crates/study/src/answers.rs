//! Types that several answers share. Their JSON, schema and types in other languages are generated from
//! these declarations. Doc comments become the descriptions of the schema.

pub mod advice;
pub mod budget;
pub mod causes;
pub mod charge;
pub mod claim;
pub mod delivery;
pub mod difference;
pub mod finding;
pub mod floor;
pub mod latency;
pub mod law;
pub mod number;
pub mod places;
pub mod run;
pub mod setting;
pub mod sniff;
pub mod traffic;
pub(crate) mod words;
