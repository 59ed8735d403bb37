//! A SiK telemetry radio: an Si1000 (an 8051 and an EZRadioPRO transceiver in one package) with the
//! open SiK firmware, transcribed from its sources (`Firmware/radio`: `tdm.c`, `packet.c`,
//! `serial.c`, `freq_hopping.c`, `timer.c`, `radio_443x.c`; function names below are the
//! firmware's).
//!
//! - [`settings`]: user settings, and the resulting widths of a round (`tdm_init`).
//! - [`schedule`]: time division between the two radios (`tdm_state_update`, `sync_tx_windows`).
//! - [`frame`]: packet format on the air, with its trailer.
//! - [`port`]: the serial port and its two ring buffers.
//! - [`radio`]: the main loop (`tdm_serial_loop`).
//! - [`sensitivity`]: receiver sensitivity.
//! - [`slices`]: time slices.
//!
//! # A round
//!
//! ```text
//!  one radio    transmit window | silence | receive window  | silence |
//!  its peer     receive window  | silence | transmit window | silence |
//!               ^ hops          ^ hops
//! ```
//!
//! In its own window, a radio sends the content of its ring buffer, packet after packet. Once the
//! buffer is empty, it sends a packet without data, which yields the rest of the window to the
//! peer, and stays silent until the phase changes. A peer without data responds the same way. Two
//! idle radios can therefore send only when one of the two windows of a round starts, and a byte
//! waits up to the interval between two starts: 115.6 ms. Every half-second, a packet of statistics
//! precedes the yield and delays waiting data.
//!
//! # Duration of a round
//!
//! The firmware computes in "ticks of 16 us". At 64 kbit/s a window has 7140 of them and a silence
//! 260, which would be 118.4 ms from window to window. In captures, the period is 115.648 ms. The
//! difference comes from the duration of a tick:
//!
//! | from window to window | ms |
//! |---|---|
//! | 7400 ticks of 16 us | 118.400 |
//! | 7400 ticks of 32 periods of SYSCLK/12 at 24.5 MHz (`timer2_tick`, `radio.h`), 15.673 us | 115.984 |
//! | the same, with an oscillator 0.27 % fast; its data sheet allows 2 % | 115.676 |
//! | minus the advance of both clocks at each exchange of yields | 115.648 |
//!
//! The oscillator was measured in two ways. Statistics become due after 32769 ticks. In the capture
//! whose trigger follows the radio's own transmissions, they delay certain windows of the peer and
//! not others. The only period that predicts which ones, in 465 of 466 windows, is 512.30 ms: 15.63
//! us a tick. The period of the windows then leaves 25 us for the last row. That row is the
//! difference between the flight time that a sender puts into the trailer, in ticks, and the actual
//! time of the packet. A receiver that gets a trailer with too small a remainder runs ahead of its
//! sender from then on, and its next packet passes this advance on to the sender. For a packet
//! without data, the two times nearly agree. For each byte of data, the firmware assumes 9 ticks,
//! 140.7 us, while the byte takes 125 us on the air plus the processor time to copy it. Windows
//! that are cut off in the middle of data, without a yield, therefore shorten the round. This is
//! why the period is 115.516 ms in a capture with a kilobyte every half-second.
//!
//! Trailers with two additional CRC bytes, as in later releases, would give 7346 ticks and a
//! deviation of 0.85 ms in the other direction. The lower bound of the latency excludes such a long
//! packet.
//!
//! The messages of the same capture have three latencies, 8.9, 11.7 and 14.9 ms after the trigger,
//! in the ratio 2 : 1 : 1, with the first alternating with one of the others: the radio's own
//! window, the peer's yield 2.8 ms into its window, and the yield after statistics 3.2 ms later.
//!
//! # Not modelled
//!
//! - Signal strength, except for packet loss: `LBT_RSSI` is a switch without a threshold, and the
//!   heat of the transmitter is not modelled.
//! - The timeout of `radio_transmit`: it is longer than the assumed packet time by half a silence
//!   period, which is sufficient at every rate.
//! - AT commands, hardware flow control, injected MAVLink reports, encryption, Manchester coding.
//! - Bit errors: error correction takes its time but corrects nothing.
//! - Network acquisition after power-up. Radios are synchronised at the start; a radio without
//!   reception for 20 s starts to search.
//! - Errors of the transceiver's crystal: the duration of bits on the air follows the registers
//!   exactly.

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
