//! Calls: remote procedure calls from the first board to the second (see [`airlag_rpc`]).
//!
//! ```text
//!  drive: when -> central -> packets -> link ... link -> packets -> peripheral -> benchmark service
//!         over <- central <- packets <- link ... link <- packets <- peripheral <-
//! ```
//!
//! - [`request`]: the remote procedure calls of the benchmark service (echo, flash read, data write
//!   and two streams), and the messages of each call.
//! - [`settings`]: capabilities of both ends of a call, and the time that a call takes on the
//!   boards, in addition to the link.
//! - [`drive`]: start times of calls, and notification when a call ends.
//! - [`outside`]: an external central, which exchanges containers with the bench. A container is a
//!   packet of the link that holds a header and a piece of a message.
//! - [`central_bench`]: a bench that responds to the calls of an external central.
//! - [`list`]: calls made in the order of a list.
//! - `exchange`: calls as the traffic of a run or of a load measurement.
//! - `packets`: a link that carries packets with one container each.
//! - `central`, `peripheral`: the program of the calling board, and that of the responding board.
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
