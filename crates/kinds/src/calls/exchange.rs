//! Calls as the traffic of a run or a load: triggered, back to back, or offered.

use super::Calls;
use super::drive::Drive;
use super::request::{Ask, Call};
use airlag_rig::error::Error;
use airlag_rig::exchange::Exchange;
use airlag_rig::messages::Wires;
use airlag_rig::profile::Profile;
use airlag_rig::programs::Program;
use airlag_rig::programs::offered::Offered;
use airlag_rig::programs::saturated::Saturated;

impl Exchange for Call {
    fn name(&self) -> &'static str {
        (*self).name()
    }

    fn bytes(&self, size: usize) -> usize {
        (*self).bytes(size)
    }

    fn lengths(&self, size: usize) -> (usize, usize) {
        Ask::new(*self, size).lengths()
    }

    fn triggered(
        &self,
        profile: &Profile,
        size: usize,
        wires: Wires,
    ) -> Result<Box<dyn Program>, Error> {
        let ask = Ask::new(*self, size);
        program(profile, Drive::Triggered { ask, wires })
    }

    fn saturated(
        &self,
        profile: &Profile,
        size: usize,
        count: Saturated,
    ) -> Result<Box<dyn Program>, Error> {
        program(profile, Drive::Saturated(Ask::new(*self, size), count))
    }

    fn offered(
        &self,
        profile: &Profile,
        size: usize,
        load: Offered,
    ) -> Result<Box<dyn Program>, Error> {
        program(profile, Drive::Offered(Ask::new(*self, size), load))
    }
}

fn program(profile: &Profile, drive: Drive) -> Result<Box<dyn Program>, Error> {
    Ok(Box::new(Calls::new(profile, drive)?))
}
