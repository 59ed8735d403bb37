//! Limits that phones and computers impose on an accessory.

use airlag_models::stack::ble::controller::Settings;
use airlag_sim::Duration;

use super::Parameters;
use airlag_rig::error::Refusal;
use airlag_rig::parameter::choices;

choices! {
    /// Device at the central end.
    pub enum Central {
        /// A board, which allows the whole specification.
        Any = "any",
        /// iOS, iPadOS or macOS.
        Apple = "apple",
        /// Android, with its three priorities.
        Android = "android",
    }
}

/// Intervals of Android's connection priorities high, balanced and low power, us
/// (`BluetoothGatt.requestConnectionPriority`; values of its Bluetooth configuration).
const ANDROID_US: [(u64, u64); 3] = [(11_250, 15_000), (30_000, 50_000), (100_000, 125_000)];

impl Central {
    /// Checks the settings against the limits of this central. An Apple central may reject a
    /// connection parameter update that breaks one of Apple's rules (Accessory Design Guidelines
    /// for Apple Devices, release R21, 49.6).
    pub(super) fn check(self, settings: &Settings) -> Result<(), Refusal> {
        let interval = settings.interval.duration();
        let us = interval.as_ns() / 1_000;
        let refused = |name, cause: String| Err(Refusal::setting(name, cause));
        let interval_name = Parameters::connection_interval;
        match self {
            Self::Any => Ok(()),
            Self::Apple if us == 0 || !us.is_multiple_of(15_000) => refused(
                interval_name,
                format!("Apple's devices require multiples of 15 ms, not {us} us (Accessory Design Guidelines R21, 49.6)"),
            ),
            Self::Apple if settings.latency > 30 => refused(
                Parameters::latency,
                format!("Apple's devices allow up to 30 events, not {} (Accessory Design Guidelines R21, 49.6)", settings.latency),
            ),
            Self::Apple if interval * (u64::from(settings.latency) + 1) > Duration::from_secs(2) => refused(
                Parameters::latency,
                "Apple's devices require contact with an accessory every 2 s (Accessory Design Guidelines R21, 49.6)".to_owned(),
            ),
            Self::Apple
                if !(Duration::from_secs(2)..=Duration::from_secs(6)).contains(&settings.supervision_timeout) =>
            {
                let ms = settings.supervision_timeout.as_ns() / 1_000_000;
                refused(
                    Parameters::supervision_timeout,
                    format!("Apple's devices require 2 to 6 s, not {ms} ms (Accessory Design Guidelines R21, 49.6)"),
                )
            }
            Self::Android if !ANDROID_US.iter().any(|&(low, high)| (low..=high).contains(&us)) => refused(
                interval_name,
                format!("Android's connection priorities are 11.25 to 15, 30 to 50 and 100 to 125 ms, not {us} us"),
            ),
            Self::Apple | Self::Android => Ok(()),
        }
    }
}
