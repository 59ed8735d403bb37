//! A SiK telemetry radio is an Si1000 (an 8051 and an EZRadioPRO transceiver in one package) with
//! the open SiK firmware. The model is transcribed from the sources of the firmware
//! (`Firmware/radio`: `tdm.c`, `packet.c`, `serial.c`, `freq_hopping.c`, `timer.c`,
//! `radio_443x.c`). Function names in this documentation are those of the firmware.
//!
//! - [`settings`]: user settings, and the resulting widths of a round (`tdm_init`).
//! - [`schedule`]: time division between the two radios (`tdm_state_update`, `sync_tx_windows`).
//! - [`frame`]: packet format on the air, including the trailer.
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
//! buffer is empty, the radio sends a packet without data, which yields the rest of the window to
//! the peer, and stays silent until this window ends. A peer that has no data also sends a packet
//! without data. Two idle radios can therefore send only when one of the two windows of a round
//! starts. A byte waits up to the interval between two such starts: 115.6 ms. Every half-second, a
//! radio sends a packet of statistics before the packet that yields the window, which delays
//! waiting data.
//!
//! # Duration of a round
//!
//! The firmware computes in "ticks of 16 us". At 64 kbit/s, a window lasts 7140 ticks and a silence
//! 260 ticks. With ticks of 16 us, the period from window to window would be 118.4 ms. In captures,
//! this period is 115.648 ms. The difference comes from the duration of a tick:
//!
//! | period from window to window | ms |
//! |---|---|
//! | 7400 ticks of 16 us | 118.400 |
//! | 7400 ticks of 32 periods of SYSCLK/12 at 24.5 MHz (`timer2_tick`, `radio.h`), 15.673 us | 115.984 |
//! | 7400 such ticks, if the oscillator is 0.27 % fast (its data sheet allows 2 %) | 115.676 |
//! | the previous value, minus the time by which both clocks advance whenever the radios exchange yields | 115.648 |
//!
//! The frequency error of the oscillator was determined in two ways. The first way uses the packets
//! of statistics, which become due after 32769 ticks. In the capture whose trigger follows the
//! radio's own transmissions, statistics delay some windows of the peer. A period of the statistics
//! of 512.30 ms predicts which windows are delayed, in 465 of 466 windows, and no other period
//! does. One tick is therefore 15.63 us. The second way uses the measured period of the windows.
//! With this tick, 25 us of the period remain for the last row of the table, the advance of both
//! clocks.
//!
//! The clocks of the two radios advance for the following reason. A sender puts the flight time of
//! a packet, in ticks, into the trailer, and this time differs from the actual time of the packet.
//! If a trailer contains too short a remaining time, the clock of the receiver runs ahead of the
//! clock of the sender from then on. The receiver's next packet passes this advance on to the
//! sender. For a packet without data, flight time and actual time nearly agree. For each byte of
//! data, the firmware assumes 9 ticks, 140.7 us, but the byte takes 125 us on the air plus the
//! processor time to copy it. A window that ends in the middle of data, without a yield, therefore
//! shortens the round. This is why the period is 115.516 ms in a capture with a kilobyte every
//! half-second.
//!
//! If trailers had two additional CRC bytes, as in later releases of the firmware, the period from
//! window to window would be 7346 ticks, and the model would deviate from captures by 0.85 ms in
//! the other direction. Such long packets are also excluded by the lower bound of the latency.
//!
//! In the capture whose trigger follows the radio's own transmissions, messages have three
//! latencies. Half of the messages take 8.9 ms, a quarter take 11.7 ms, and a quarter take 14.9 ms.
//! Every second message takes 8.9 ms: it is sent in the radio's own window. The 11.7 ms are those
//! of messages sent after the peer's yield, 2.8 ms into the peer's window. The 14.9 ms are those of
//! messages sent after a yield that follows statistics, 3.2 ms later.
//!
//! # Not modelled
//!
//! - Signal strength affects only packet loss: `LBT_RSSI` is a switch without a threshold, and the
//!   heating of the transmitter is not modelled.
//! - The timeout of `radio_transmit` is not modelled. It is longer than the assumed packet time by
//!   half a silence period, which is sufficient at every rate.
//! - AT commands, hardware flow control, injected MAVLink reports, encryption and Manchester coding
//!   are not modelled.
//! - Bit errors are not modelled: error correction takes its time but corrects nothing.
//! - Network acquisition after power-up is not modelled. Radios are synchronised at the start. A
//!   radio without reception for 20 s starts to search.
//! - The transceiver's crystal has no frequency error: the duration of bits on the air follows the
//!   registers exactly.

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
