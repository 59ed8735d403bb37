//! The radio of the chip as a transceiver (product specification v1.7, section 6.20).
//!
//! All frames use the same buffer in memory. The radio starts as soon as it has ramped up, and is disabled at
//! the end of a frame, so that a single interrupt ends every operation. In hardware, a timer captures the end
//! of a frame, and starts the transmitter one ramp-up time before the first bit of a frame. The start of a
//! transmission is therefore exact, as long as the program requests the transmission in time. At a receiver,
//! the captured end of a frame is later than the last bit on the air. The difference is the delay of the
//! demodulator, which is not compensated.

use core::convert::Infallible;
use core::future::poll_fn;
use core::sync::atomic::{AtomicU8, Ordering, fence};
use core::task::Poll;

use airlag_drivers::transceiver::{Start, Transceiver};
use embassy_nrf::Peri;
use embassy_nrf::interrupt::typelevel::{Binding, Handler, Interrupt, RADIO};
use embassy_nrf::pac;
use embassy_nrf::pac::radio::vals::{Ru, State};
use embassy_nrf::peripherals;
use embassy_sync::waitqueue::AtomicWaker;

use crate::timer::{Timer, disarm};

/// Fast ramp-up to transmit or to receive, microseconds (section 6.20.15.8).
const RAMP_UP_US: u32 = 40;
/// Bytes of the buffer: a length field of 8 bits, a control field and the longest payload.
const BUFFER_LEN: usize = 258;

static BUFFER: [AtomicU8; BUFFER_LEN] = [const { AtomicU8::new(0) }; BUFFER_LEN];
static WAKER: AtomicWaker = AtomicWaker::new();

/// Handler of the radio's interrupt.
pub struct InterruptHandler;

#[expect(unsafe_code, reason = "the trait of embassy-nrf has an unsafe method")]
impl Handler<RADIO> for InterruptHandler {
    // SAFETY: it is called by the interrupt only, and writes one register that the program also writes, in a
    // single access.
    unsafe fn on_interrupt() {
        // The event itself remains set for the program.
        pac::RADIO.intenclr().write(|w| w.set_disabled(true));
        WAKER.wake();
    }
}

/// Packet format: the event that ends a frame, and the layout of the frame in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Length and control field, then the payload of that length.
    Control,
    /// Length including a check sequence of two bytes, then the rest.
    Checked,
}

/// The radio.
pub struct Radio {
    timer: Timer,
    layout: Layout,
    /// Largest value of the length field.
    longest: u8,
    /// End of the previous frame, microseconds of the timer.
    ended: u32,
}

impl Radio {
    /// Takes the radio and its timer. A protocol has to set the radio up before it is used.
    #[expect(unsafe_code, reason = "only an unsafe function enables an interrupt")]
    pub fn new(
        _radio: Peri<'static, peripherals::RADIO>,
        _timer: Peri<'static, peripherals::TIMER0>,
        _irq: impl Binding<RADIO, InterruptHandler>,
        layout: Layout,
    ) -> Self {
        let radio = pac::RADIO;
        let end = match layout {
            Layout::Control => radio.events_end().as_ptr() as u32,
            Layout::Checked => radio.events_phyend().as_ptr() as u32,
        };
        let timer = Timer::start(end);
        RADIO::unpend();
        // SAFETY: no critical section relies on this interrupt being disabled, and its handler is bound.
        unsafe { RADIO::enable() };
        let ended = timer.now();
        Self { timer, layout, longest: 0, ended }
    }

    /// Resets the radio, and lets `set_up` configure it for frames whose length field is at most `longest`.
    pub fn configure(&mut self, longest: u8, set_up: impl FnOnce(pac::radio::Radio)) {
        let radio = pac::RADIO;
        radio.power().write(|w| w.set_power(false));
        radio.power().write(|w| w.set_power(true));
        radio.modecnf0().write(|w| w.set_ru(Ru::Fast));
        radio.packetptr().write_value(BUFFER.as_ptr() as u32);
        radio.shorts().write(|w| {
            w.set_ready_start(true);
            match self.layout {
                Layout::Control => w.set_end_disable(true),
                Layout::Checked => w.set_phyend_disable(true),
            }
        });
        set_up(radio);
        self.longest = longest;
        self.ended = self.timer.now();
    }

    /// Clears the events that end the next operation.
    fn prepare(&self) {
        let radio = pac::RADIO;
        radio.events_disabled().write_value(0);
        radio.events_end().write_value(0);
        radio.events_phyend().write_value(0);
        radio.events_crcok().write_value(0);
        // Accesses to the buffer are complete before those of the radio begin.
        fence(Ordering::SeqCst);
    }

    /// Waits until the radio is disabled. If this future is dropped, the radio is switched off.
    async fn finish(&mut self) {
        let running = Running;
        poll_fn(|context| {
            WAKER.register(context.waker());
            if pac::RADIO.events_disabled().read() != 0 {
                return Poll::Ready(());
            }
            pac::RADIO.intenset().write(|w| w.set_disabled(true));
            Poll::Pending
        })
        .await;
        core::mem::forget(running);
        disarm();
        fence(Ordering::SeqCst);
    }

    /// Copies a frame into the buffer.
    fn store(&self, frame: &[u8]) {
        let at = match self.layout {
            Layout::Control => 0,
            Layout::Checked => {
                BUFFER[0].store(frame.len() as u8 + 2, Ordering::Relaxed);
                1
            }
        };
        BUFFER[at..].iter().zip(frame).for_each(|(to, &from)| to.store(from, Ordering::Relaxed));
    }

    /// Copies a received frame from the buffer, and returns its length. `None` if it is too long or too short.
    fn load(&self, frame: &mut [u8]) -> Option<usize> {
        let length = BUFFER[0].load(Ordering::Relaxed);
        let length = usize::from(length.min(self.longest));
        let (at, len) = match self.layout {
            Layout::Control => (0, 2 + length),
            Layout::Checked => (1, length.checked_sub(2)?),
        };
        let from = BUFFER.get(at..at + len)?;
        let into = frame.get_mut(..len)?;
        into.iter_mut().zip(from).for_each(|(to, from)| *to = from.load(Ordering::Relaxed));
        Some(len)
    }
}

impl Transceiver for Radio {
    type Error = Infallible;

    async fn send(&mut self, frame: &[u8], start: Start) -> Result<bool, Infallible> {
        self.store(frame);
        self.prepare();
        let (Start::NotBefore(after) | Start::Exactly(after)) = start;
        let at = self.ended.wrapping_add(after).wrapping_sub(RAMP_UP_US);
        let elapsed = self.timer.now().wrapping_sub(self.ended);
        let is_timed = elapsed < after && self.timer.transmit_at(at);
        if !is_timed {
            if matches!(start, Start::Exactly(_)) {
                return Ok(false);
            }
            pac::RADIO.tasks_txen().write_value(1);
        }
        self.finish().await;
        self.ended = self.timer.ended();
        Ok(true)
    }

    async fn receive(
        &mut self,
        frame: &mut [u8],
        until_us: Option<u32>,
    ) -> Result<Option<usize>, Infallible> {
        let limit = until_us.map(|until| self.ended.wrapping_add(until));
        loop {
            self.prepare();
            if limit.is_some_and(|at| !self.timer.stop_at(at)) {
                return Ok(None);
            }
            pac::RADIO.tasks_rxen().write_value(1);
            if limit.is_some() && self.timer.has_stopped() {
                // The radio may have been stopped before it was started.
                pac::RADIO.tasks_disable().write_value(1);
            }
            self.finish().await;
            if pac::RADIO.events_crcok().read() == 0 {
                // Stopped by the timer, or a damaged frame.
                continue;
            }
            if let Some(len) = self.load(frame) {
                self.ended = self.timer.ended();
                return Ok(Some(len));
            }
        }
    }
}

/// An operation of the radio. It ends when this value is dropped.
struct Running;

impl Drop for Running {
    fn drop(&mut self) {
        let radio = pac::RADIO;
        radio.intenclr().write(|w| w.set_disabled(true));
        disarm();
        radio.tasks_disable().write_value(1);
        // At most 21 us (section 6.20.15.8).
        while radio.state().read().state() != State::Disabled {}
    }
}
