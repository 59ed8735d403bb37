//! A frame in time and frequency.

use std::rc::Rc;

use airlag_sim::Instant;

use crate::medium::NodeId;
use crate::quantity::Hertz;

/// A frequency band, in kilohertz.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Band {
    /// Lower edge.
    pub low_khz: u32,
    /// Upper edge.
    pub high_khz: u32,
}

impl Band {
    /// Creates a band of `width_khz` around `centre_khz`.
    #[must_use]
    pub const fn around(centre_khz: u32, width_khz: u32) -> Self {
        let low_khz = centre_khz.saturating_sub(width_khz / 2);
        Self { low_khz, high_khz: low_khz + width_khz }
    }

    /// Centre, as passed to [`Band::around`].
    #[must_use]
    pub const fn centre_khz(&self) -> u32 {
        self.low_khz + (self.high_khz - self.low_khz) / 2
    }

    /// Centre as a frequency.
    #[must_use]
    pub fn centre(&self) -> Hertz {
        Hertz(f64::from(self.centre_khz()) * 1e3)
    }

    /// Width.
    #[must_use]
    pub const fn width_khz(&self) -> u32 {
        self.high_khz - self.low_khz
    }

    /// Share of this band that lies in `other`, from 0 to 1.
    #[must_use]
    pub fn share_in(&self, other: &Self) -> f64 {
        let (low, high) = (self.low_khz.max(other.low_khz), self.high_khz.min(other.high_khz));
        f64::from(high.saturating_sub(low)) / f64::from(self.width_khz().max(1))
    }

    /// Returns true if the bands overlap. Bands that only touch do not.
    #[must_use]
    pub const fn overlaps(&self, other: &Self) -> bool {
        self.low_khz < other.high_khz && other.low_khz < self.high_khz
    }
}

/// Modulation of a frame. Only a receiver with the same modulation can read the frame. The model of
/// the radio defines the setting, and the family makes the pair unique.
#[derive(Clone, Copy, Debug, Eq)]
pub struct Modulation {
    /// Family of radios, a short name.
    pub family: &'static str,
    /// A setting within the family, such as the bit rate.
    pub setting: u32,
}

impl PartialEq for Modulation {
    /// Every receiver compares its modulation with that of every frame, mostly of the same family.
    /// With equal pointers, the names of the families need no comparison.
    fn eq(&self, other: &Self) -> bool {
        let same = std::ptr::eq(self.family, other.family) || self.family == other.family;
        self.setting == other.setting && same
    }
}

/// Identifier of a frame on the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId(pub(crate) u64);

/// A frame on the air.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Identifier.
    pub id: FrameId,
    /// Sender.
    pub from: NodeId,
    /// Frequency band.
    pub band: Band,
    /// Modulation.
    pub modulation: Modulation,
    /// Instant at which the first bit leaves the antenna.
    pub begin: Instant,
    /// Instant at which the last bit leaves the antenna.
    pub end: Instant,
    /// Content, in the layout of the radio's family.
    pub bytes: Rc<[u8]>,
}
