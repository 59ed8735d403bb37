//! A SiK telemetry radio is an Si1000 (an 8051 and an EZRadioPRO transceiver in one package) with
//! the open SiK firmware. The model is transcribed from the sources of the firmware
//! (`Firmware/radio`: `tdm.c`, `packet.c`, `serial.c`, `freq_hopping.c`, `timer.c`,
//! `radio_443x.c`). Function names in this documentation are those of the firmware.
//!
//! - [`settings`]: user settings, and the durations of windows and silences that follow from these
//!   settings (`tdm_init`).
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
//! buffer is empty, the radio sends a packet without data, and stays silent until its window ends.
//! The packet without data yields the rest of the window to the peer. A peer that has no data also
//! sends a packet without data. Two idle radios can therefore send only when one of the two windows
//! of a round starts. A byte that arrives at an idle radio waits up to the interval between the
//! starts of two windows, 115.6 ms. Every half-second, a radio sends a packet of statistics before
//! the packet that yields the window. The packet of statistics delays waiting data.
//!
//! # Duration of a round
//!
//! The firmware computes in "ticks of 16 us". At 64 kbit/s, a window lasts 7140 ticks and a silence
//! 260 ticks. With ticks of 16 us, the period from window to window would be 118.4 ms. In captures,
//! this period is 115.648 ms. The reason is the actual duration of a tick, as the following table
//! shows:
//!
//! | period from window to window | ms |
//! |---|---|
//! | 7400 ticks of 16 us | 118.400 |
//! | 7400 ticks of 32 periods of SYSCLK/12 at 24.5 MHz (`timer2_tick`, `radio.h`), 15.673 us | 115.984 |
//! | 7400 ticks as in the previous row, if the oscillator is 0.264 % fast (its data sheet allows 2 %), 15.632 us | 115.679 |
//! | the value of the previous row, minus the time by which the clocks of both radios advance whenever a radio yields its window to the other radio | 115.648 |
//!
//! The frequency error of the oscillator was determined in two ways. The first way uses the packets
//! of statistics, which become due when more than 32768 ticks have passed, that is, at tick 32769.
//! In the capture in which the trigger follows the radio's own transmissions, packets of statistics
//! delay some windows of the peer. A period from 512.26 to 512.30 ms between these packets predicts
//! for all but one window in a hundred whether the window is delayed. Longer and shorter periods
//! predict fewer windows. One tick is therefore 15.632 to 15.634 us. The second way uses the measured
//! period from window to window. With a tick of 15.632 us, 7400 ticks are 31 us longer than this
//! period, because of the advance of both clocks (last row of the table).
//!
//! The clocks of the two radios advance for the following reason. The trailer of a packet contains
//! the time that remains in the sender's window after the packet. To compute the remaining time,
//! the sender subtracts the flight time of the packet in ticks, which is an estimate and differs
//! from the actual duration of the packet. If the remaining time in a trailer is too short, the
//! clock of the receiver runs ahead of the clock of the sender from then on. The receiver's next
//! packet passes this advance on to the sender. For a packet without data, flight time and actual
//! duration nearly agree. For each byte of data, the firmware assumes 9 ticks, 140.7 us, but the
//! byte takes 125 us on the air plus the processor time to copy it. If a window ends while data is
//! being sent, without a packet that yields the window, the period from window to window is
//! therefore shorter. For this reason, this period is 115.516 ms in a capture with a kilobyte every
//! half-second.
//!
//! Later releases of the firmware add two CRC bytes to the trailer. With these two bytes, the
//! period from window to window would be 7346 ticks, and the period of the model would be 0.85 ms
//! shorter than the period in captures. Packets with these two bytes would also take longer than
//! the lower bound of the latency permits.
//!
//! In the capture in which the trigger follows the radio's own transmissions, messages have three
//! latencies. Half of the messages take 8.9 ms, a quarter take 11.7 ms, and a quarter take 14.9 ms.
//! Every second message takes 8.9 ms, because it is sent in the radio's own window. A message that
//! takes 11.7 ms is sent 2.8 ms into the peer's window, after the peer's packet without data, which
//! yields this window. A message that takes 14.9 ms is sent 3.2 ms later, because the peer sends a
//! packet of statistics before the packet without data.
//!
//! # Not modelled
//!
//! - Signal strength affects only packet loss. `LBT_RSSI` only switches carrier sense on or off,
//!   and the heating of the transmitter is not modelled.
//! - The timeout of `radio_transmit` is not modelled. This timeout is longer than the assumed
//!   packet time by half a silence period. At every rate, a packet therefore ends before the
//!   timeout.
//! - AT commands, hardware flow control, injected MAVLink reports, encryption and Manchester coding
//!   are not modelled.
//! - Bit errors are not modelled. Error correction takes its time but corrects nothing.
//! - Network acquisition after power-up is not modelled. Radios are synchronised at the start. A
//!   radio without reception for 20 s starts to search.
//! - The transceiver's crystal has no frequency error. The duration of bits on the air follows the
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
