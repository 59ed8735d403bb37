//! Models under drivers of other projects.
//!
//! One program for all of them, because each would be linked with everything that it tests.

mod foreign_driver;
mod lora_phy;
