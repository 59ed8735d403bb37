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
//! - `packets`: a link as packets, each with a container.
//! - `central`, `peripheral`: the programs on the two boards.
//!
//! The protocol and the service are those that run on a board.

mod central;
pub mod drive;
pub mod outside;
mod packets;
mod peripheral;
pub mod request;
pub mod settings;
pub mod slices;

use airlag_sim::Duration;

use crate::ends::{Bench, End, Opening, Pins};
use crate::error::Error;
use crate::kind::Ways;
use crate::profile::Profile;
use drive::Drive;
use settings::Settings;

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
    /// [`Error::OneWay`] over a link on which no answer comes, and [`Error::CallSize`] where there is no call of a size that is asked for.
    pub fn new(profile: &Profile, drive: Drive) -> Result<Self, Error> {
        if profile.kind.ways(profile)? == Ways::One {
            return Err(profile.kind.one_way(profile));
        }
        drive.asks().iter().try_for_each(|ask| ask.check())?;
        let (least, messages) = PATIENCE;
        let floor = profile.kind.floor(profile, SHORT)?.ns();
        let patience = least + Duration::from_ns(floor.saturating_mul(messages));
        Ok(Self { settings: profile.read()?, patience, drive })
    }

    pub(super) fn start(
        &self,
        near: End<impl Pins, impl Opening>,
        far: End<impl Pins, impl Opening>,
        bench: &Bench,
    ) {
        match &self.drive {
            Drive::Outside(outside) => outside.start(near, bench),
            drive => central::start(self, drive, near, bench),
        }
        peripheral::start(self, far.link, bench);
    }
}
