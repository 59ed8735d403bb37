//! Settings of a device and of its network.

use airlag_sim::Duration;

use super::plan::{DataRate, Direction, Plan};

/// Class of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Listens in two windows after each uplink.
    A,
    /// Also listens with the settings of the second window whenever it does not send.
    C,
}

/// Address and keys of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// Device address.
    pub dev_addr: u32,
    /// Key of the integrity code, NwkSKey.
    pub network_key: [u8; 16],
    /// Key of the data, AppSKey.
    pub application_key: [u8; 16],
}

impl Session {
    /// Session of a pair of ends on the bench. Its keys are public, so a capture of the bench can
    /// be decrypted.
    #[must_use]
    pub const fn of_pair(pair: u16) -> Self {
        // Addresses of NetID 0, which is for experiments (LoRaWAN back-end interfaces 1.0, 17).
        let dev_addr = 0x0102_0000 | pair as u32;
        Self { dev_addr, network_key: *b"airlag network k", application_key: *b"airlag applicat." }
    }
}

/// Off time of a transmitter after `airtime_ns` that keeps it within a share of `duty`, ns.
#[must_use]
pub fn off_time_ns(airtime_ns: u64, duty: f64) -> u64 {
    (airtime_ns as f64 * (1.0 / duty - 1.0)).ceil() as u64
}

/// Configuration of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Channel plan.
    pub plan: Plan,
    /// Class.
    pub class: Class,
    /// Session.
    pub session: Session,
    /// Sub-band of US915, from 1; 0 for all channels.
    pub sub_band: u8,
    /// Data rate of uplinks.
    pub data_rate: u8,
    /// Data rate of the second window.
    pub second_window_data_rate: u8,
    /// Whether uplinks request an acknowledgement.
    pub confirmed: bool,
    /// Number of transmissions of an unconfirmed uplink (NbTrans), and largest number for a
    /// confirmed uplink.
    pub transmissions: u8,
    /// Largest share of time on the air in the band of the uplinks, above 0.
    pub duty: f64,
    /// Time from the end of an uplink to the first window; the second follows a second later.
    pub receive_delay: Duration,
    /// Largest error of the device's timing, for which windows are widened.
    pub window_error: Duration,
    /// Symbols of a preamble that the radio needs.
    pub lock_symbols: u16,
    /// Shortest time from the second window to the retransmission of a confirmed uplink.
    pub ack_timeout: Duration,
    /// Largest random addition to `ack_timeout`.
    pub ack_timeout_spread: Duration,
    /// Time from sleep to the first symbol.
    pub start: Duration,
    /// Period of the device's own uplinks without data. Zero if there are none.
    pub report_period: Duration,
}

/// Time from the first receive window to the second one (LoRaWAN 1.0.4, 3.3.2).
pub const BETWEEN_WINDOWS: Duration = Duration::from_secs(1);

/// A receive window: its opening relative to the first symbol of a downlink, and its length if no
/// preamble is detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Opening, ns; negative before the downlink.
    pub opens_ns: i64,
    /// Length.
    pub length: Duration,
}

impl Config {
    /// Data rate of uplinks.
    #[must_use]
    pub const fn uplink(&self) -> Option<DataRate> {
        self.plan.data_rate(Direction::Up, self.data_rate)
    }

    /// Data rate of the first window.
    #[must_use]
    pub const fn first_window(&self) -> Option<DataRate> {
        self.plan.data_rate(Direction::Down, self.plan.first_window(self.data_rate))
    }

    /// Data rate of the second window.
    #[must_use]
    pub const fn second_window(&self) -> Option<DataRate> {
        self.plan.data_rate(Direction::Down, self.second_window_data_rate)
    }

    /// Receive window at `rate`: long enough to find a preamble that is early or late by the error
    /// (`RegionCommonComputeRxWindowParameters` of LoRaMac-node).
    #[must_use]
    pub const fn window(&self, rate: DataRate) -> Window {
        let symbol = rate.frame(Direction::Down).symbol_ns();
        let lock = self.lock_symbols as u64;
        let wide = ((2 * lock).saturating_sub(8) * symbol + 2 * self.window_error.as_ns())
            .div_ceil(symbol);
        let symbols = if wide > lock { wide } else { lock };
        let opens_ns = 4 * symbol as i64 - (symbols * symbol / 2) as i64;
        Window { opens_ns, length: Duration::from_ns(symbols * symbol) }
    }
}

/// Configuration of a gateway and the servers behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkConfig {
    /// Period at which the gateway's program fetches received frames.
    pub poll: Duration,
    /// Least delay between gateway and network server, each way.
    pub backhaul: Duration,
    /// Mean of a random addition to `backhaul`, which is exponentially distributed.
    pub backhaul_jitter: Duration,
    /// Time for which the network server collects copies of an uplink from other gateways.
    pub deduplication: Duration,
    /// Time from the network server to the application's program.
    pub processing: Duration,
    /// Time that the network server leaves the application for a response before it schedules a
    /// downlink.
    pub response_wait: Duration,
    /// Time before the transmission of a downlink at which the gateway needs it.
    pub lead: Duration,
}
