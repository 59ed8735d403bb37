//! ESP-NOW over the manufacturer's Wi-Fi driver, as a link.
//!
//! A board is a station without an access point. Its frames have bodies of up to 250 B, the limit of version 1, which
//! the bench has by default. They go to the other board, which acknowledges them, or to everybody.

use airlag_app::control::Setting;
use airlag_ends::program::Protocol;
use airlag_ends::settings::{Role, Settings, all, setting};
use airlag_link::{Capability, Delivery, Link};
use embassy_time::{Duration, Timer, with_timeout};
use esp_hal::efuse::{InterfaceMacAddress, interface_mac_address};
use esp_hal::peripherals::WIFI;
use esp_radio::esp_now::{
    BROADCAST_ADDRESS, ESP_NOW_MAX_DATA_LEN, EspNow as Driver, EspNowError, EspNowWifiInterface,
    PeerInfo, ReceivedData,
};
use esp_radio::wifi::{
    self, ControllerConfig, PowerSaveMode, Protocol as Modulation, Protocols, SecondaryChannel,
    WifiController,
};
use esp_wifi_sys_esp32c6::include::{ESP_OK, esp_now_rate_config_t, esp_now_set_peer_rate_config};

use crate::board::{self, RADIO_SETTINGS, SETTINGS};
use crate::rate::Rate;

/// Heap beside the reclaimed memory, bytes: what esp-radio recommends for Wi-Fi.
const HEAP_SIZE: usize = 36 * 1024;
/// Longest wait for the driver's report on a frame. Seven attempts at 250 kbit/s, each with its backoff, take less.
const LIMIT: Duration = Duration::from_secs(1);

/// An address as a number: its first byte is the most significant of six.
type Number = u64;
/// Number of [`BROADCAST_ADDRESS`].
const EVERYBODY: Number = (1 << 48) - 1;

/// ESP-NOW.
pub struct EspNow {
    controller: WifiController<'static>,
    station: Station,
}

impl EspNow {
    /// Starts Wi-Fi. A board whose Wi-Fi does not start is halted.
    #[must_use]
    pub fn new(radio: WIFI<'static>) -> Self {
        add_heap();
        let config = ControllerConfig::default();
        let Ok((controller, interfaces)) = wifi::new(radio, config) else { board::halt() };
        let driver = interfaces.esp_now;
        let station = Station { driver, peer: BROADCAST_ADDRESS, is_sending: false };
        Self { controller, station }
    }

    /// Applies the settings of the radio; `None` if the driver refuses one of them.
    fn apply(&mut self, radio: [u64; RADIO_SETTINGS]) -> Option<()> {
        let [channel, rate, peer, _, power] = radio;
        let rate = Rate::at_most(rate)?;
        let modulations = Modulation::B | Modulation::G | Modulation::N;
        let modulations =
            if rate.is_long_range() { modulations | Modulation::LR } else { modulations };
        let controller = &mut self.controller;
        controller.set_power_saving(PowerSaveMode::None).ok()?;
        controller.set_protocols(Protocols::default().with_2_4(modulations)).ok()?;
        controller.set_channel(channel as u8, SecondaryChannel::None).ok()?;
        // In units of 0.25 dBm.
        controller.set_max_tx_power(power as i8 * 4).ok()?;
        self.station.pair(address(peer)).ok()?;
        self.station.set_rate(rate)
    }
}

impl Protocol<SETTINGS> for EspNow {
    type Link = Station;

    fn settings(role: Role) -> [Setting; SETTINGS] {
        let own = number(interface_mac_address(InterfaceMacAddress::Station).as_bytes());
        let radio: [Setting; RADIO_SETTINGS] = [
            setting("channel", "", 1, [1, 13]),
            // Rounded down to one of the rates.
            setting("rate", "kbit/s", 1_000, Rate::BOUNDS),
            setting("peer", "", EVERYBODY, [0, EVERYBODY]),
            // For the peer of the other board. It cannot be changed.
            setting("address", "", own, [own, own]),
            // The range of the driver.
            setting("power", "dBm", 20, [2, 20]),
        ];
        all(role, radio)
    }

    async fn set_up(&mut self, settings: &Settings<SETTINGS>) -> bool {
        self.apply(settings.radio()).is_some()
    }

    fn link(&mut self) -> &mut Station {
        &mut self.station
    }
}

/// One end of a link.
pub struct Station {
    driver: Driver<'static>,
    peer: [u8; 6],
    /// Whether the driver has not reported the last frame yet.
    is_sending: bool,
}

impl Station {
    /// Sets the destination of frames. Frames of other boards are then ignored, unless it is
    /// [`BROADCAST_ADDRESS`].
    fn pair(&mut self, peer: [u8; 6]) -> Result<(), EspNowError> {
        // The driver itself added the destination of broadcasts, and needs it in any case.
        if self.peer != BROADCAST_ADDRESS {
            self.driver.remove_peer(&self.peer)?;
            self.peer = BROADCAST_ADDRESS;
        }
        if peer != BROADCAST_ADDRESS {
            self.driver.add_peer(PeerInfo {
                interface: EspNowWifiInterface::Station,
                peer_address: peer,
                lmk: None,
                channel: None,
                encrypt: false,
            })?;
        }
        self.peer = peer;
        Ok(())
    }

    /// Sets the rate of frames to the peer. `None` if the driver refuses it.
    ///
    /// The method of esp-radio 0.18.0 passes other numbers of rates than the driver has
    /// (github.com/esp-rs/esp-hal, issue 4710).
    #[expect(unsafe_code, reason = "a function of the binary library")]
    fn set_rate(&mut self, rate: Rate) -> Option<()> {
        let Rate { mode: phymode, rate, .. } = rate;
        let mut config = esp_now_rate_config_t { phymode, rate, ersu: false, dcm: false };
        // SAFETY: `driver` exists, so ESP-NOW is initialised. Both pointers are valid during the call, after which
        // the library has no use for them.
        let refusal = unsafe { esp_now_set_peer_rate_config(self.peer.as_ptr(), &raw mut config) };
        (refusal == ESP_OK as i32).then_some(())
    }

    const fn is_acknowledged(&self) -> bool {
        number(&self.peer) != EVERYBODY
    }

    fn is_from_peer(&self, frame: &ReceivedData) -> bool {
        !self.is_acknowledged() || frame.info.src_address == self.peer
    }
}

impl Link for Station {
    type Error = EspNowError;

    fn capability(&self) -> Capability {
        Capability::datagram(ESP_NOW_MAX_DATA_LEN).acknowledged(self.is_acknowledged()).duplex(true)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, EspNowError> {
        if self.is_sending {
            // A stop interrupted the previous frame. Wait for its report, so that it is not mistaken for that of this
            // frame.
            Timer::after(LIMIT).await;
        }
        self.is_sending = true;
        let sent = with_timeout(LIMIT, self.driver.send_async(&self.peer, chunk)).await;
        let Ok(sent) = sent else { return Err(EspNowError::SendFailed) };
        self.is_sending = false;
        match sent {
            Ok(()) if self.is_acknowledged() => Ok(Delivery::Confirmed),
            Ok(()) => Ok(Delivery::Sent),
            Err(EspNowError::SendFailed) => Ok(Delivery::Lost),
            Err(error) => Err(error),
        }
    }

    async fn flush(&mut self) -> Result<Delivery, EspNowError> {
        let confirms = self.is_acknowledged();
        Ok(if confirms { Delivery::Confirmed } else { Delivery::Sent })
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, EspNowError> {
        loop {
            let frame = self.driver.receive_async().await;
            if !self.is_from_peer(&frame) {
                continue;
            }
            let body = frame.data();
            let Some(into) = buffer.get_mut(..body.len()) else { continue };
            into.copy_from_slice(body);
            return Ok(body.len());
        }
    }
}

fn add_heap() {
    esp_alloc::heap_allocator!(size: HEAP_SIZE);
}

const fn address(number: Number) -> [u8; 6] {
    let [_, _, address @ ..] = number.to_be_bytes();
    address
}

const fn number(address: &[u8]) -> Number {
    let (mut number, mut at) = (0, 0);
    while at < address.len() {
        number = number << 8 | address[at] as Number;
        at += 1;
    }
    number
}
