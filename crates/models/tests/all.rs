//! Models under third-party drivers.
//!
//! All test files are in one program, because linking many programs would take long.

mod foreign_driver;
mod lora_phy;
