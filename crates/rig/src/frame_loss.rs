//! Frame loss of the air itself, equal in both directions: independent or in bursts.

use airlag_air::{Burst, Independent, Medium, NodeId};

use crate::parameter::parameters;

parameters! {
    /// Independent frame losses.
    pub struct Losses {
        /// share of frames lost, each way
        frame_loss: f64 = real(0.0, 1.0, ""),
    }
}

parameters! {
    /// Frame losses that may come in bursts.
    pub struct Bursts {
        /// share of frames lost, each way
        frame_loss: f64 = real(0.0, 1.0, ""),
        /// mean length of a loss burst; 0 for independent losses
        loss_burst: f64 = real(0.0, 10_000.0, "frames"),
    }
}

impl Losses {
    /// Applies the losses between two nodes, in both directions. Without losses, no random number
    /// is drawn.
    pub fn apply(self, air: &Medium, ends: [NodeId; 2]) {
        Bursts { frame_loss: self.frame_loss, loss_burst: 0.0 }.apply(air, ends);
    }
}

impl Bursts {
    /// Applies the losses between two nodes, in both directions. Without losses, no random number
    /// is drawn.
    pub fn apply(self, air: &Medium, [one, other]: [NodeId; 2]) {
        if self.frame_loss <= 0.0 {
            return;
        }
        for (from, to) in [(one, other), (other, one)] {
            if self.loss_burst > 1.0 {
                air.set_loss(from, to, Burst::gilbert(self.frame_loss, self.loss_burst));
            } else {
                air.set_loss(from, to, Independent { probability: self.frame_loss });
            }
        }
    }
}
