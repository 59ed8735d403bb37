//! The modems of the SX1280 and SX1281 at 2.4 GHz: LoRa and FLRC.
//!
//! - [`modulation`]: which packets a receiver recognises.
//! - [`sensitivity`]: receiver sensitivity, and the demodulators with it.
//!
//! Airtimes are in [`airlag_link::airtime::sx128x`]. Commands, registers and interrupts of the
//! SX1280 and SX1281 are not modelled. The only protocol stack that is modelled on these chips is
//! [ExpressLRS](crate::stack::elrs). The model of ExpressLRS includes the time that the stack takes
//! for commands, registers and interrupts.

pub mod modulation;
pub mod sensitivity;
