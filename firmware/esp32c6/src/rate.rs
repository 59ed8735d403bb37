//! Rates of ESP-NOW, by their numbers in the manufacturer's driver.

use esp_wifi_sys_esp32c6::include::{
    wifi_phy_mode_t, wifi_phy_mode_t_WIFI_PHY_MODE_11B as DSSS,
    wifi_phy_mode_t_WIFI_PHY_MODE_11G as OFDM, wifi_phy_mode_t_WIFI_PHY_MODE_HT20 as HT,
    wifi_phy_mode_t_WIFI_PHY_MODE_LR as LONG_RANGE, wifi_phy_rate_t,
    wifi_phy_rate_t_WIFI_PHY_RATE_1M_L as RATE_1M_L,
    wifi_phy_rate_t_WIFI_PHY_RATE_2M_L as RATE_2M_L,
    wifi_phy_rate_t_WIFI_PHY_RATE_5M_L as RATE_5M_L, wifi_phy_rate_t_WIFI_PHY_RATE_6M as RATE_6M,
    wifi_phy_rate_t_WIFI_PHY_RATE_9M as RATE_9M, wifi_phy_rate_t_WIFI_PHY_RATE_11M_L as RATE_11M_L,
    wifi_phy_rate_t_WIFI_PHY_RATE_12M as RATE_12M, wifi_phy_rate_t_WIFI_PHY_RATE_18M as RATE_18M,
    wifi_phy_rate_t_WIFI_PHY_RATE_24M as RATE_24M, wifi_phy_rate_t_WIFI_PHY_RATE_36M as RATE_36M,
    wifi_phy_rate_t_WIFI_PHY_RATE_48M as RATE_48M, wifi_phy_rate_t_WIFI_PHY_RATE_54M as RATE_54M,
    wifi_phy_rate_t_WIFI_PHY_RATE_LORA_250K as RATE_LORA_250K,
    wifi_phy_rate_t_WIFI_PHY_RATE_LORA_500K as RATE_LORA_500K,
    wifi_phy_rate_t_WIFI_PHY_RATE_MCS0_LGI as RATE_MCS0_LGI,
    wifi_phy_rate_t_WIFI_PHY_RATE_MCS1_LGI as RATE_MCS1_LGI,
    wifi_phy_rate_t_WIFI_PHY_RATE_MCS2_LGI as RATE_MCS2_LGI,
    wifi_phy_rate_t_WIFI_PHY_RATE_MCS3_LGI as RATE_MCS3_LGI,
    wifi_phy_rate_t_WIFI_PHY_RATE_MCS4_LGI as RATE_MCS4_LGI,
    wifi_phy_rate_t_WIFI_PHY_RATE_MCS5_LGI as RATE_MCS5_LGI,
    wifi_phy_rate_t_WIFI_PHY_RATE_MCS6_LGI as RATE_MCS6_LGI,
    wifi_phy_rate_t_WIFI_PHY_RATE_MCS7_LGI as RATE_MCS7_LGI,
};

/// A rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// kbit/s.
    pub kbps: u64,
    /// Modulation.
    pub mode: wifi_phy_mode_t,
    /// Rate.
    pub rate: wifi_phy_rate_t,
}

impl Rate {
    /// All rates, in ascending order. Those of HT have the long guard interval.
    const ALL: [Self; 22] = [
        Self::new(250, LONG_RANGE, RATE_LORA_250K),
        Self::new(500, LONG_RANGE, RATE_LORA_500K),
        Self::new(1_000, DSSS, RATE_1M_L),
        Self::new(2_000, DSSS, RATE_2M_L),
        Self::new(5_500, DSSS, RATE_5M_L),
        Self::new(6_000, OFDM, RATE_6M),
        Self::new(6_500, HT, RATE_MCS0_LGI),
        Self::new(9_000, OFDM, RATE_9M),
        Self::new(11_000, DSSS, RATE_11M_L),
        Self::new(12_000, OFDM, RATE_12M),
        Self::new(13_000, HT, RATE_MCS1_LGI),
        Self::new(18_000, OFDM, RATE_18M),
        Self::new(19_500, HT, RATE_MCS2_LGI),
        Self::new(24_000, OFDM, RATE_24M),
        Self::new(26_000, HT, RATE_MCS3_LGI),
        Self::new(36_000, OFDM, RATE_36M),
        Self::new(39_000, HT, RATE_MCS4_LGI),
        Self::new(48_000, OFDM, RATE_48M),
        Self::new(52_000, HT, RATE_MCS5_LGI),
        Self::new(54_000, OFDM, RATE_54M),
        Self::new(58_500, HT, RATE_MCS6_LGI),
        Self::new(65_000, HT, RATE_MCS7_LGI),
    ];

    /// Lowest and highest rate, kbit/s.
    pub const BOUNDS: [u64; 2] = [Self::ALL[0].kbps, Self::ALL[Self::ALL.len() - 1].kbps];

    const fn new(kbps: u64, mode: wifi_phy_mode_t, rate: wifi_phy_rate_t) -> Self {
        Self { kbps, mode, rate }
    }

    /// The highest rate of at most `kbps`.
    #[must_use]
    pub fn at_most(kbps: u64) -> Option<Self> {
        Self::ALL.into_iter().rfind(|rate| rate.kbps <= kbps)
    }

    /// Whether this is one of Espressif's long range.
    #[must_use]
    pub const fn is_long_range(self) -> bool {
        self.mode == LONG_RANGE
    }
}
