//! Models under third-party drivers.
//!
//! One program for all of them, because each would be linked with everything that it tests.

mod foreign_driver;
mod lora_phy;
