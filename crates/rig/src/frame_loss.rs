//! Frames the air loses by itself, each way alike: independently, or in bursts.

use airlag_air::{Burst, Independent, Medium, NodeId};

use crate::error::Error;
use crate::parameter::Known;
use crate::profile::Profile;

/// `frame_loss`.
pub(crate) const SHARE: Known =
    Known::real("frame_loss", "", 0.0, 1.0, "share of frames lost, each way");
/// `loss_burst`.
pub(crate) const BURST: Known = Known::real(
    "loss_burst",
    "frames",
    0.0,
    10_000.0,
    "mean length of a loss burst; 0 for independent losses",
);

/// What a profile says is lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameLoss {
    share: f64,
    burst: f64,
}

impl FrameLoss {
    /// Reads [`SHARE`] and [`BURST`].
    pub(crate) fn new(profile: &Profile) -> Result<Self, Error> {
        Ok(Self { share: profile.real(SHARE.name)?, burst: profile.real(BURST.name)? })
    }

    /// Reads [`SHARE`]; each frame is lost or not whatever became of the one before.
    pub(crate) fn independent(profile: &Profile) -> Result<Self, Error> {
        Ok(Self { share: profile.real(SHARE.name)?, burst: 0.0 })
    }

    /// Loses frames between two nodes, in both directions. Where none is lost nothing is drawn.
    pub(crate) fn apply(self, air: &Medium, [one, other]: [NodeId; 2]) {
        if self.share <= 0.0 {
            return;
        }
        for (from, to) in [(one, other), (other, one)] {
            if self.burst > 1.0 {
                air.set_loss(from, to, Burst::gilbert(self.share, self.burst));
            } else {
                air.set_loss(from, to, Independent { probability: self.share });
            }
        }
    }
}
