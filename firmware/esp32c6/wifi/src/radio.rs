//! The board as an access point or as a station, over the manufacturer's Wi-Fi driver.

use alloc::format;
use alloc::string::String;
use core::convert::Infallible;

use airlag_esp32c6::board;
use embassy_time::{Duration, Timer, with_timeout};
use esp_hal::peripherals::WIFI;
use esp_radio::wifi::ap::AccessPointConfig;
use esp_radio::wifi::sta::StationConfig;
use esp_radio::wifi::{
    self, AuthenticationMethod, Config, ControllerConfig, Interface, Interfaces, PowerSaveMode,
    WifiController, WifiError,
};

use crate::plan::{AccessPoint, Plan};

/// Name of the network: `AIRLAG_SSID`, or this name. A board that is the access point appends the number of the pair.
const SSID: &str = text(option_env!("AIRLAG_SSID"), "airlag");
/// Password of the network: `AIRLAG_PASSWORD`. Without it, the network is open.
const PASSWORD: &str = text(option_env!("AIRLAG_PASSWORD"), "");
/// Longest name, bytes, with room for a hyphen and the number of a pair (IEEE Std 802.11-2016, 9.4.2.2: 32 bytes).
const _: () = assert!(SSID.len() <= 32 - 4, "AIRLAG_SSID must have at most 28 bytes");
/// IEEE Std 802.11-2016, J.4.1.
const _: () = assert!(
    PASSWORD.is_empty() || (PASSWORD.len() >= 8 && PASSWORD.len() <= 63),
    "AIRLAG_PASSWORD must have 8 to 63 bytes"
);

/// Beacons from one DTIM to the next, as in the profiles.
const DTIM_PERIOD: u8 = 1;
/// Stations of an access point: the other board, and one more for a computer.
const STATIONS: u16 = 2;
/// Time after which an attempt to associate, or to leave a network, is given up. A board that fails has reported that
/// earlier.
const LIMIT: Duration = Duration::from_secs(10);
/// Time between two attempts.
const PAUSE: Duration = Duration::from_secs(1);

const fn text(set: Option<&'static str>, default: &'static str) -> &'static str {
    match set {
        Some(set) => set,
        None => default,
    }
}

/// Wi-Fi.
pub struct Radio {
    controller: WifiController<'static>,
    interfaces: Interfaces<'static>,
}

impl Radio {
    /// Starts Wi-Fi. A board whose Wi-Fi does not start is halted.
    #[must_use]
    pub fn new(radio: WIFI<'static>) -> Self {
        // The bench has no aggregation.
        let config =
            ControllerConfig::default().with_ampdu_rx_enable(false).with_ampdu_tx_enable(false);
        let Ok((controller, interfaces)) = wifi::new(radio, config) else { board::halt() };
        Self { controller, interfaces }
    }

    /// The interface of a plan.
    #[must_use]
    pub const fn interface(&self, plan: &Plan) -> Interface<'static> {
        match plan.access_point {
            AccessPoint::Here => self.interfaces.access_point,
            AccessPoint::Separate | AccessPoint::Peer => self.interfaces.station,
        }
    }

    /// Becomes an access point, or a station that is not associated yet. Returns whether the driver accepts the plan.
    pub async fn apply(&mut self, plan: &Plan) -> bool {
        if self.controller.is_connected() {
            let _ = with_timeout(LIMIT, self.controller.disconnect_async()).await;
        }
        self.configure(plan).is_ok()
    }

    fn configure(&mut self, plan: &Plan) -> Result<(), WifiError> {
        let authentication = if PASSWORD.is_empty() {
            AuthenticationMethod::None
        } else {
            AuthenticationMethod::Wpa2Personal
        };
        let own_network = format!("{SSID}-{}", plan.pair);
        let station = StationConfig::default()
            .with_auth_method(authentication)
            .with_password(String::from(PASSWORD));
        let config = match plan.access_point {
            AccessPoint::Separate => Config::Station(station.with_ssid(SSID)),
            AccessPoint::Peer => {
                Config::Station(station.with_ssid(own_network).with_channel(plan.channel))
            }
            AccessPoint::Here => Config::AccessPoint(
                AccessPointConfig::default()
                    .with_ssid(own_network)
                    .with_channel(plan.channel)
                    .with_auth_method(authentication)
                    .with_password(String::from(PASSWORD))
                    .with_dtim_period(DTIM_PERIOD)
                    .with_max_connections(STATIONS),
            ),
        };
        self.controller.set_config(&config)?;
        let sleeps = plan.power_save && plan.access_point != AccessPoint::Here;
        let mode = if sleeps { PowerSaveMode::Minimum } else { PowerSaveMode::None };
        self.controller.set_power_saving(mode)?;
        // In units of 0.25 dBm.
        self.controller.set_max_tx_power(plan.power * 4)
    }

    /// Associates a station as often as necessary.
    pub async fn stay(&mut self, plan: &Plan) -> Infallible {
        if plan.access_point == AccessPoint::Here {
            core::future::pending::<()>().await;
        }
        loop {
            if let Ok(Ok(_)) = with_timeout(LIMIT, self.controller.connect_async()).await {
                let _ = self.controller.wait_for_disconnect_async().await;
            }
            Timer::after(PAUSE).await;
        }
    }
}
