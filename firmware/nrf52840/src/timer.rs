//! TIMER0 as the clock of the radio: it stamps the end of every frame and starts and stops the radio without the
//! processor.
//!
//! The programmable peripheral interconnect connects TIMER0 with the radio (product specification
//! v1.7, section 6.16.1.2). On channel 20, compare register 0 of the timer starts the transmitter.
//! On channel 22, compare register 1 stops the radio. On channel 0, the end of a frame makes the
//! timer capture the time of this end.

use embassy_nrf::pac;
use embassy_nrf::pac::timer::vals::{Bitmode, Mode};

/// Prescaler: 16 MHz over 2^4 is 1 MHz.
const PRESCALER: u8 = 4;
/// Channels of the interconnect.
const END: usize = 0;
const START: usize = 20;
const STOP: usize = 22;
/// Compare and capture registers.
const START_AT: usize = 0;
const STOP_AT: usize = 1;
const ENDED_AT: usize = 2;
const NOW: usize = 3;

/// The timer, which counts microseconds and wraps after 71 minutes.
pub struct Timer(());

impl Timer {
    /// Starts the timer. `end` is the address of the register of the event that ends a frame.
    #[must_use]
    pub fn start(end: u32) -> Self {
        let timer = pac::TIMER0;
        timer.tasks_stop().write_value(1);
        timer.mode().write(|w| w.set_mode(Mode::Timer));
        timer.bitmode().write(|w| w.set_bitmode(Bitmode::_32bit));
        timer.prescaler().write(|w| w.set_prescaler(PRESCALER));
        timer.tasks_clear().write_value(1);
        timer.tasks_start().write_value(1);
        pac::PPI.ch(END).eep().write_value(end);
        pac::PPI.ch(END).tep().write_value(timer.tasks_capture(ENDED_AT).as_ptr() as u32);
        pac::PPI.chenset().write(|w| w.set_ch(END, true));
        Self(())
    }

    /// The time, microseconds.
    #[must_use]
    pub fn now(&self) -> u32 {
        pac::TIMER0.tasks_capture(NOW).write_value(1);
        pac::TIMER0.cc(NOW).read()
    }

    /// Time at which the last frame ended, microseconds.
    #[must_use]
    pub fn ended(&self) -> u32 {
        pac::TIMER0.cc(ENDED_AT).read()
    }

    /// Starts the transmitter at `at`. Returns `false`, and does nothing, if that time has passed.
    pub fn transmit_at(&mut self, at: u32) -> bool {
        self.arm(START_AT, START, at)
    }

    /// Stops the radio at `at`. Returns `false`, and does nothing, if that time has passed.
    pub fn stop_at(&mut self, at: u32) -> bool {
        self.arm(STOP_AT, STOP, at)
    }

    fn arm(&mut self, register: usize, channel: usize, at: u32) -> bool {
        let timer = pac::TIMER0;
        timer.events_compare(register).write_value(0);
        timer.cc(register).write_value(at);
        pac::PPI.chenset().write(|w| w.set_ch(channel, true));
        // The event is read after the time. If it has not occurred by then, it is still to come, or
        // its time has passed.
        let has_passed = self.now().wrapping_sub(at) as i32 >= 0;
        let has_occurred = timer.events_compare(register).read() != 0;
        if has_passed && !has_occurred {
            disarm();
            return false;
        }
        true
    }

    /// Whether the time of [`Self::stop_at`] has passed.
    #[must_use]
    pub fn has_stopped(&self) -> bool {
        pac::TIMER0.events_compare(STOP_AT).read() != 0
    }
}

/// Disables the start and the stop of the radio by the timer.
pub fn disarm() {
    pac::PPI.chenclr().write(|w| {
        w.set_ch(START, true);
        w.set_ch(STOP, true);
    });
}
