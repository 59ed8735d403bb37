//! Air interface settings. They are decoded when a register is written, because every frame needs
//! all of them.

use airlag_air::{Band, Modulation};
use airlag_link::airtime::nrf24::Frame as Airtime;

use super::packet;
use super::registers::Registers;
use super::timing::{Detection, Timing};

#[derive(Clone, Copy, Debug)]
pub(super) struct AirInterface {
    pub(super) airtime: Airtime,
    pub(super) band: Band,
    pub(super) modulation: Modulation,
    pub(super) detection: Detection,
}

impl AirInterface {
    pub(super) fn new(registers: &Registers, timing: &Timing) -> Self {
        let airtime = Airtime {
            rate: registers.rate(),
            address: registers.address_len(),
            crc: registers.crc_len(),
            enhanced: true,
        };
        Self {
            airtime,
            band: packet::band(registers.channel(), airtime.rate),
            modulation: packet::modulation(airtime.rate, airtime.crc),
            detection: timing.detection(airtime.rate),
        }
    }
}
