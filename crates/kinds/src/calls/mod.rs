//! Calls: what the first board asks, the second one answers (see [`airlag_rpc`]).
//!
//! ```text
//!  drive: when -> central -> packets -> link ... link -> packets -> peripheral -> benchmark service
//!         over <- central <- packets <- link ... link <- packets <- peripheral <-
//! ```
//!
//! - [`request`]: which calls there are, and their messages.
//! - [`settings`]: what both ends can do, and what it costs them.
//! - [`drive`]: when a call is begun, and who learns that it is over.
//! - [`outside`]: a central that is not ours.
//! - [`asking`]: a bench that answers the calls of a central that is not ours.
//! - [`list`]: calls in their order. `exchange`: calls as the traffic of a run or a load.
//! - `packets`: a link as packets, each with a container.
//! - `central`, `peripheral`: the programs on the two boards.
//!
//! The protocol and the service are those that run on a board.

pub mod asking;
mod central;
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

/// How calls are made, as every link that goes both ways declares it.
pub const PARAMETERS: &[Declared] = &[declared::<Settings>];

/// Calls, and when.
#[derive(Clone)]
pub struct Calls {
    /// What both ends can do, and what it costs them.
    pub settings: Settings,
    /// How long nothing may come until a call counts as failed.
    pub patience: Duration,
    /// When calls are begun.
    pub drive: Drive,
}

/// How long nothing may come until a call counts as failed: this, and some short messages as long as they
/// take at least.
const PATIENCE: (Duration, u64) = (Duration::from_secs(2), 16);
/// A short message, bytes.
const SHORT: usize = 64;

impl Calls {
    /// Calls over the link of a profile.
    ///
    /// # Errors
    ///
    /// [`Error::OneWay`] over a link on which no answer comes, and [`Error::ExchangeSize`] where there is no call of a size that is asked for.
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
