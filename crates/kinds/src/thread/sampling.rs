//! Coordinated sampled listening (CSL) of a sleepy device.

use airlag_link::airtime::ieee802154::ACK_PSDU;
use airlag_models::stack::ieee802154::element::{CSL_LEN, UNIT};
use airlag_models::stack::ieee802154::frame::{FCS_LEN, MAX_HEADER_LEN};
use airlag_models::stack::thread::csl::Settings;
use airlag_models::stack::thread::security::{AUXILIARY_LEN, MIC_LEN};
use airlag_models::stack::thread::{ELEMENTS_LEN, Sampling};
use airlag_sim::{Duration, Sim};

use super::parameters::Direction;
use crate::boards::rtos::phase_of;
use airlag_rig::error::Refusal;
use airlag_rig::parameter::{Phase, parameters};

parameters! {
    /// Coordinated sampled listening of the device.
    pub struct Csl {
        /// interval at which the device samples the channel for frames of its parent, with its
        /// radio off in between (CSL, Thread 1.2); 0: it polls instead
        csl_period: Duration = whole(0, 10_485_600_000, "ns"),
        /// time after its last frame for which the parent sends in the device's samples; the device
        /// sends a data request one second earlier
        csl_timeout: Duration = whole(2_000_000_000, 10_000_000_000_000, "ns"),
        /// frequency error of either end's clock that the device allows for
        csl_accuracy: u64 = whole(0, 1_000_000_000, "ppb"),
        /// scheduling error of either end that the device allows for
        csl_uncertainty: Duration = whole(0, 2_550_000, "ns"),
        /// software time of the device per sample
        csl_software: Duration = whole(0, 100_000_000, "ns"),
    }
}

/// Shortest period, units of ten symbols (`kMinCslPeriod`: the least whole number of units in
/// OPENTHREAD_CONFIG_MAC_CSL_MIN_PERIOD, 10 ms).
const LEAST: u64 = 62;
/// Samples of an idle cycle at least, so that a part of a sample changes the mean by 0.2 %.
const SAMPLES: u64 = 500;

impl Csl {
    /// Whether the device is in CSL.
    pub(super) fn is_on(&self) -> bool {
        !self.csl_period.is_zero()
    }

    /// Checks that the period is a whole number of units, as `otLinkSetCslPeriod` does.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let (period, unit) = (self.csl_period.as_ns(), UNIT.as_ns());
        if !self.is_on() || (period.is_multiple_of(unit) && period / unit >= LEAST) {
            return Ok(());
        }
        let near = (period / unit).max(LEAST) * unit / 1_000;
        let cause = format!("a multiple of 160 us is required, at least 9920 us; set {near}us");
        Err(Refusal::setting(Self::csl_period, cause))
    }

    fn settings(&self) -> Settings {
        Settings {
            period: (self.csl_period.as_ns() / UNIT.as_ns()) as u16,
            timeout: self.csl_timeout,
            accuracy_ppb: 2 * self.csl_accuracy,
            uncertainty: self.csl_uncertainty * 2,
            software: self.csl_software,
        }
    }

    /// Samples with a random phase.
    pub(super) fn sampling(&self, sim: &Sim, drift_ppb: i32) -> Option<Sampling> {
        let settings = self.is_on().then(|| self.settings())?;
        let phase = phase_of(sim, "device/CSL phase", Phase(None), settings.period());
        let poll = phase_of(sim, "device/poll phase", Phase(None), settings.keep_alive());
        Some(Sampling { settings, phase, poll_phase: poll, drift_ppb })
    }

    /// Time after which an idle device repeats itself: data requests at whole numbers of samples,
    /// or so many samples that a part of one does not matter.
    pub(super) fn idle_cycle(&self) -> Option<Duration> {
        let settings = self.is_on().then(|| self.settings())?;
        let (alive, period) = (settings.keep_alive().as_ns(), settings.period().as_ns());
        let most = (SAMPLES * period).div_ceil(alive).max(1);
        let whole = (1..most).find(|times| (alive * times).is_multiple_of(period));
        Some(settings.keep_alive() * whole.unwrap_or(most))
    }

    /// Octets of elements in a frame of the device.
    pub(super) fn elements_len(&self, direction: Direction) -> usize {
        if self.is_on() && direction == Direction::Up { ELEMENTS_LEN } else { 0 }
    }

    /// Length of the acknowledgement of a frame, octets.
    pub(super) fn ack_len(&self, direction: Direction) -> usize {
        // No source address.
        const ENHANCED: usize = MAX_HEADER_LEN - 8 + AUXILIARY_LEN + MIC_LEN + FCS_LEN;
        match direction {
            _ if !self.is_on() => ACK_PSDU,
            Direction::Up => ENHANCED,
            Direction::Down => ENHANCED + CSL_LEN,
        }
    }
}
