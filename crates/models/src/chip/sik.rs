//! A SiK telemetry radio: an Si1000 (an 8051 and an EZRadioPRO transceiver in one package) with the
//! open SiK firmware, transcribed from its sources (`Firmware/radio`: `tdm.c`, `packet.c`,
//! `serial.c`, `freq_hopping.c`, `timer.c`, `radio_443x.c`; function names below are its own).
//!
//! - [`settings`]: what an owner sets, and the widths of a round (`tdm_init`).
//! - [`schedule`]: whose turn it is (`tdm_state_update`, `sync_tx_windows`).
//! - [`frame`]: a packet as it is handed to the air, with its trailer.
//! - [`port`]: the serial port and its two rings.
//! - [`radio`]: the main loop that puts all of it together (`tdm_serial_loop`).
//! - [`sensitivity`]: how weak a signal it receives.
//! - [`slices`]: what it spends time on.
//!
//! # A round
//!
//! ```text
//!  one radio    transmit window | silence | receive window  | silence |
//!  its peer     receive window  | silence | transmit window | silence |
//!               ^ hops          ^ hops
//! ```
//!
//! In its own window a radio sends what its ring holds, packet after packet. Once there is nothing
//! it sends a packet without data, which yields the rest of the window to the peer, and is mute until
//! the phase changes. A peer without data answers the same way. So between two idle radios nothing can be
//! sent but at the two beginnings of windows in a round, and a byte waits up to one of them: 115.6 ms.
//! Every half-second a packet of statistics goes before the yield, and delays what waits for it.
//!
//! # How long a round is
//!
//! The firmware computes in "ticks of 16 us". At 64 kbit/s a window has 7140 of them and a silence
//! 260, which would make 118.4 ms from window to window. Captures fold on 115.648 ms. The tick is
//! the constant that differs:
//!
//! | from window to window | ms |
//! |---|---|
//! | 7400 ticks of 16 us | 118.400 |
//! | 7400 ticks of 32 periods of SYSCLK/12 at 24.5 MHz (`timer2_tick`, `radio.h`), 15.673 us | 115.984 |
//! | the same, with an oscillator 0.27 % fast; its data sheet allows 2 % | 115.676 |
//! | less what each exchange of yields moves both clocks ahead | 115.648 |
//!
//! The oscillator is measured twice. Statistics become due after 32769 ticks. In the capture whose
//! trigger follows the radio's own transmissions they delay certain windows of the peer and not others, and
//! the only period that says which, in 465 of 466 windows, is 512.30 ms: 15.63 us a tick. The period of the windows
//! themselves then leaves 25 us for the last row. That row is the difference between the flight
//! time a sender puts into the trailer, in ticks, and the time the packet takes: a receiver that is
//! told too small a rest is ahead of its sender from then on, and the next packet back hands that on.
//! For a packet without data the two nearly agree. For each byte of data the firmware
//! believes 9 ticks, 140.7 us, and the byte takes 125 us on the air besides what
//! the processor needs to put it there. So windows that are cut off in the middle of data, with no yield behind
//! it, shorten the round. That is why a capture of a kilobyte every half-second folds on 115.516 ms.
//!
//! Trailers with a CRC of two bytes more, as later releases have them, would make 7346 ticks and
//! leave 0.85 ms the other way, more than the floor of the latency allows a packet to take.
//!
//! The same capture has messages in three places, 8.9, 11.7 and 14.9 ms behind the trigger, in the ratio
//! 2 : 1 : 1, the first and one of the others alternating: the radio's own window, the peer's yield
//! 2.8 ms into its window, and the yield behind statistics 3.2 ms later.
//!
//! # What it leaves out
//!
//! - Signal strength: it decides which packets are lost, but `LBT_RSSI` is on or off, and nothing warms
//!   up.
//! - `radio_transmit` giving up: it waits half a silence longer than a packet is believed to take,
//!   which suffices at every rate.
//! - AT commands, hardware flow control, injected MAVLink reports, encryption, Manchester coding.
//! - Bit errors: error correction costs its time and corrects nothing.
//! - How a radio finds its network after power-up. Radios begin in step; one that hears nothing for
//!   20 s begins to search.
//! - The crystal of the transceiver: bits on the air last what the registers say.

pub mod frame;
mod framer;
mod hopping;
pub mod port;
pub mod radio;
pub mod schedule;
pub mod sensitivity;
pub mod settings;
pub mod slices;

pub use hopping::Span;
pub use radio::{Counts, FAMILY, Radio, SYSCLK, Timing, Wiring};
pub use schedule::{Phase, Schedule};
pub use settings::{Framing, Room, Round, Settings};
