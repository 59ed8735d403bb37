//! The modems of the SX1280 and SX1281 at 2.4 GHz: LoRa and FLRC.
//!
//! - [`modulation`]: which packets a receiver recognises.
//! - [`sensitivity`]: receiver sensitivity, and the demodulators with it.
//!
//! Airtimes are in [`airlag_link::airtime::sx128x`]. Commands, registers and interrupts of the chip
//! are not modelled. The only software stack on these chips, [ExpressLRS](crate::stack::elrs), is
//! modelled with the time that the stack takes for commands, registers and interrupts.

pub mod modulation;
pub mod sensitivity;
