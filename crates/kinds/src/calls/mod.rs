//! Calls: remote procedure calls from the first board to the second (see [`airlag_rpc`]).
//!
//! ```text
//!  drive: when -> central -> packets -> link ... link -> packets -> peripheral -> benchmark service
//!         over <- central <- packets <- link ... link <- packets <- peripheral <-
//! ```
//!
//! - [`request`]: the calls and their messages.
//! - [`settings`]: capabilities of both ends of a call, and the costs of a call on their boards.
//! - [`drive`]: start times of calls, and notification when a call ends.
//! - [`outside`]: an external central, whose containers enter and leave the bench.
//! - [`central_bench`]: a bench that responds to the calls of an external central.
//! - [`list`]: calls made in the order of a list. `exchange`: calls as the traffic of a run or a
//!   load.
//! - `packets`: a link that carries packets with one container each.
//! - `central`, `peripheral`: the programs on the two boards.
//!
//! The protocol and the service are the code that runs on a board.

mod central;
pub mod central_bench;
pub mod drive;
mod exchange;
pub mod list;
pub mod outside;
mod packets;
mod peripheral;
pub mod request;
pub mod settings;
pub mod slices;

use airlag_rig::kind::{Declared, declared};
use airlag_sim::Duration;

use airlag_rig::ends::{Bench, BoxedEnd};
use airlag_rig::error::Error;
use airlag_rig::kind::Ways;
use airlag_rig::profile::Profile;
use airlag_rig::programs::Program;

use drive::Drive;
use settings::Settings;

pub use list::ask;

/// Parameters for calls, declared by every bidirectional link.
pub const PARAMETERS: &[Declared] = &[declared::<Settings>];

/// Calls and their schedule.
#[derive(Clone)]
pub struct Calls {
    /// Capabilities of both ends, and their costs.
    pub settings: Settings,
    /// Silence after which a call counts as failed.
    pub patience: Duration,
    /// Schedule.
    pub drive: Drive,
}

/// Time without a response after which a call counts as failed: this duration, plus this multiple
/// of the lower bound for a short message.
const PATIENCE: (Duration, u64) = (Duration::from_secs(2), 16);
/// Size of a short message, bytes.
const SHORT: usize = 64;

impl Calls {
    /// Creates calls over the link of a profile.
    ///
    /// # Errors
    ///
    /// [`Error::OneWay`] over a one-way link, and [`Error::ExchangeSize`] for an invalid size of a
    /// call.
    pub fn new(profile: &Profile, drive: Drive) -> Result<Self, Error> {
        let bound = profile.bind()?;
        if bound.ways() == Ways::One {
            return Err(bound.one_way());
        }
        drive.asks().iter().try_for_each(|ask| ask.check())?;
        let (least, messages) = PATIENCE;
        let floor = bound.floor(SHORT)?.ns();
        let patience = least + Duration::from_ns(floor.saturating_mul(messages));
        Ok(Self { settings: profile.read()?, patience, drive })
    }
}

impl Program for Calls {
    fn needs_both_ways(&self) -> bool {
        true
    }

    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench) {
        match &self.drive {
            Drive::Outside(outside) => outside.start(near, bench),
            drive => central::start(self, drive, near, bench),
        }
        peripheral::start(self, far.link, bench);
    }
}
