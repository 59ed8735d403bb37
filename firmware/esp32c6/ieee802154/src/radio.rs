//! The manufacturer's driver of the radio, with futures instead of callbacks.

use airlag_drivers::ieee802154::{Data, FCS, Frame, MAX_FRAME};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::{Duration, with_timeout};
use esp_hal::peripherals::IEEE802154;
use esp_radio::ieee802154::{Config, Ieee802154 as Driver, RawReceived};

/// Received frames that wait for the program: as many as in the firmware of the bench's profiles.
const QUEUE: usize = 20;
/// Transmit power, dBm: the highest one, which the bench assumes.
const POWER_DBM: i8 = 20;
/// Time without a reaction after which the radio counts as silent. The driver stops waiting for an acknowledgement
/// after 200 ms.
const LIMIT: Duration = Duration::from_millis(300);

/// Whether the last frame was sent, and acknowledged if it requested that.
static SENT: Signal<CriticalSectionRawMutex, bool> = Signal::new();
static ARRIVED: Signal<CriticalSectionRawMutex, ()> = Signal::new();

/// The radio does not respond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silent;

/// A received frame.
pub struct Received(RawReceived);

impl Received {
    /// The frame without its check sequence, which the driver has replaced by signal strength and quality.
    pub fn bytes(&self) -> &[u8] {
        let [length, psdu @ ..] = &self.0.data;
        let len = usize::from(*length).saturating_sub(FCS);
        psdu.get(..len).unwrap_or_default()
    }
}

/// The radio, which receives while it does not send.
pub struct Radio {
    driver: Driver<'static>,
    /// Whether a frame is being sent. A future that was dropped does not end it.
    is_sending: bool,
}

impl Radio {
    /// Takes the radio.
    pub fn new(radio: IEEE802154<'static>) -> Self {
        let mut driver = Driver::new(radio);
        driver.set_tx_done_callback_fn(|| SENT.signal(true));
        driver.set_tx_failed_callback_fn(|| SENT.signal(false));
        driver.set_rx_available_callback_fn(|| ARRIVED.signal(()));
        Self { driver, is_sending: false }
    }

    /// Changes channel and address, effective from the next frame that is sent. Frames that wait are dropped.
    pub fn configure(&mut self, channel: u8, pan: u16, own: u16) {
        self.driver.set_config(Config {
            auto_ack_tx: true,
            auto_ack_rx: true,
            rx_when_idle: true,
            txpower: POWER_DBM,
            channel,
            pan_id: Some(pan),
            short_addr: Some(own),
            rx_queue_size: QUEUE,
            ..Config::default()
        });
        while self.driver.raw_received().is_some() {}
    }

    /// Begins to send a frame. `None` if it is too long.
    pub fn begin(&mut self, frame: &Data<'_>) -> Option<()> {
        // The radio itself writes the check sequence.
        let mut psdu = [0; MAX_FRAME + FCS];
        let len = frame.encode(psdu.first_chunk_mut()?)?;
        SENT.reset();
        self.is_sending = true;
        self.driver.transmit_raw(&psdu[..len + FCS], false).ok()
    }

    /// Waits for the outcome of the frame that is being sent: whether it was sent, and acknowledged if it requested
    /// that. Returns `true` if none is being sent.
    pub async fn finish(&mut self) -> Result<bool, Silent> {
        if !self.is_sending {
            return Ok(true);
        }
        let sent = with_timeout(LIMIT, SENT.wait()).await;
        self.is_sending = false;
        sent.map_err(|_| Silent)
    }

    /// Sequence number of the acknowledgement of the last frame.
    pub fn acknowledged(&self) -> Option<u8> {
        let received = Received(self.driver.get_ack_frame()?);
        match Frame::decode(received.bytes())? {
            Frame::Ack(sequence) => Some(sequence),
            Frame::Data(_) => None,
        }
    }

    /// Waits for a frame to this end. Dropping this future loses none.
    pub async fn receive(&mut self) -> Received {
        loop {
            if let Some(frame) = self.driver.raw_received() {
                return Received(frame);
            }
            ARRIVED.wait().await;
        }
    }
}
