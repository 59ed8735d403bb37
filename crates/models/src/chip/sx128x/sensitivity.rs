//! Receiver sensitivity, and the demodulators with it.
//!
//! For a bandwidth of 812.5 kHz and a packet loss of 1 %, the sensitivities are those of the SX128x
//! datasheet, as the rate table of ExpressLRS quotes them (`common.cpp`). The error rate formula of
//! LoRa for spreading factors from 6 on is also used for spreading factor 5.

use airlag_air::error_rate::{Demodulator, Detuned, Disturbance, ErrorRate, NoncoherentFsk};
use airlag_air::quantity::{Db, DbHz, Dbm, Hertz};
use airlag_air::{Frame, Modulation, signal};
use airlag_link::airtime::sx128x::{Flrc, Lora};
use airlag_sim::Duration;

use super::modulation;

/// Packet loss that defines the sensitivity, and payload of the packets, B.
const LOST: f64 = 0.01;
const OCTETS: usize = 8;

/// Sensitivity of LoRa in 812.5 kHz at spreading factors 5 to 9. `None` for other settings.
#[must_use]
pub fn lora_sensitivity(format: &Lora) -> Option<Dbm> {
    const TABLE: [f64; 5] = [-105.0, -108.0, -112.0, -115.0, -117.0];
    if format.bandwidth_hz != 812_500 {
        return None;
    }
    let at = usize::from(format.spreading_factor.checked_sub(5)?);
    TABLE.get(at).copied().map(Dbm)
}

/// Sensitivity of FLRC at 650 kbit/s with a code of rate 1/2.
pub const FLRC_SENSITIVITY: Dbm = Dbm(-104.0);

/// Smallest ratio at which a packet survives another of the same slope, as for an
/// [SX1276](crate::chip::sx127x::interference).
const CO_CHANNEL: Db = Db(6.0);

/// A demodulator of the chip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Modem {
    /// LoRa.
    Lora(Detuned<airlag_air::error_rate::Lora>),
    /// FLRC. The difference of the sensitivities includes its code and its coherent receiver.
    Flrc(Detuned<NoncoherentFsk>),
}

impl Modem {
    /// Demodulator of a LoRa format. The noise figure of the chip is that at spreading factor 7;
    /// other settings differ by their sensitivity.
    #[must_use]
    pub fn lora(format: &Lora) -> Self {
        let own = lora_noise_figure(format).unwrap_or(noise_figure());
        Self::Lora(Detuned { demodulator: formula(format), loss: Db(own.0 - noise_figure().0) })
    }

    /// Demodulator of an FLRC format.
    #[must_use]
    pub fn flrc(format: &Flrc) -> Self {
        let demodulator = NoncoherentFsk { rate: Hertz(f64::from(format.bit_rate)) };
        let airtime = Duration::from_ns(format.duration_ns(OCTETS));
        let fails = |signal| demodulator.frame(signal, airtime) > LOST;
        let own = signal::noise_figure(FLRC_SENSITIVITY, fails);
        Self::Flrc(Detuned { demodulator, loss: Db(own.0 - noise_figure().0) })
    }
}

/// Noise figure at which the formula of LoRa has the sensitivity at spreading factor 7.
#[must_use]
pub fn noise_figure() -> Db {
    let usual = Lora {
        spreading_factor: 7,
        bandwidth_hz: 812_500,
        coded_bits: 8,
        long_interleaving: true,
        preamble: 12,
        explicit_header: false,
        crc: false,
    };
    lora_noise_figure(&usual).unwrap_or(Db(0.0))
}

fn lora_noise_figure(format: &Lora) -> Option<Db> {
    let (modem, airtime) = (formula(format), Duration::from_ns(format.duration_ns(OCTETS)));
    let sensitivity = lora_sensitivity(format)?;
    Some(signal::noise_figure(sensitivity, |signal| modem.frame(signal, airtime) > LOST))
}

fn formula(format: &Lora) -> airlag_air::error_rate::Lora {
    airlag_air::error_rate::Lora {
        spreading_factor: format.spreading_factor,
        bandwidth: Hertz(f64::from(format.bandwidth_hz)),
        coded_bits: format.coded_bits,
        low_data_rate_optimize: false,
        overhead_symbols: format.overhead_quarters() as f64 / 4.0,
    }
}

impl ErrorRate for Modem {
    fn frame(&self, signal: DbHz, airtime: Duration) -> f64 {
        match self {
            Self::Lora(modem) => modem.frame(signal, airtime),
            Self::Flrc(modem) => modem.frame(signal, airtime),
        }
    }
}

/// A [`Modem`] that survives weaker packets of the same slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChirpReceiver(pub Modem);

impl Demodulator for ChirpReceiver {
    fn fails(&self, signal: DbHz, frame: &Frame) -> f64 {
        self.0.frame(signal, frame.end.since(frame.begin))
    }

    fn disturbance(&self, frame: &Frame, modulation: Modulation) -> Disturbance {
        if modulation.family == modulation::LORA && modulation == frame.modulation {
            Disturbance::Unless(CO_CHANNEL)
        } else {
            Disturbance::Noise
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(spreading_factor: u8) -> Lora {
        Lora {
            spreading_factor,
            bandwidth_hz: 812_500,
            coded_bits: 8,
            long_interleaving: true,
            preamble: 12,
            explicit_header: false,
            crc: false,
        }
    }

    /// Share of packets lost at `dbm` with the chip's noise figure.
    fn lost(modem: Modem, ns: u64, dbm: f64) -> f64 {
        let signal = DbHz(dbm + 173.975 - noise_figure().0);
        modem.frame(signal, Duration::from_ns(ns))
    }

    #[test]
    fn one_packet_in_a_hundred_is_lost_at_the_sensitivity() {
        for factor in 5..=9 {
            let format = format(factor);
            let Dbm(dbm) = lora_sensitivity(&format).expect("in the table");
            let ns = format.duration_ns(OCTETS);
            let share = lost(Modem::lora(&format), ns, dbm);
            assert!((0.008..0.012).contains(&share), "{factor}: {share}");
            assert!(lost(Modem::lora(&format), ns, dbm - 2.0) > 0.1);
        }
        let flrc = Flrc { bit_rate: 650_000, preamble: 32, sync_word: 32, crc: 16 };
        let share = lost(Modem::flrc(&flrc), flrc.duration_ns(OCTETS), FLRC_SENSITIVITY.0);
        assert!((0.008..0.012).contains(&share), "{share}");
    }

    #[test]
    fn the_formula_alone_is_within_three_decibels_of_the_table() {
        for factor in 5..=9 {
            let Modem::Lora(modem) = Modem::lora(&format(factor)) else { unreachable!() };
            assert!(modem.loss.0.abs() < 3.0, "{factor}: {:?}", modem.loss);
        }
    }
}
