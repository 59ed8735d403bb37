//! A frame in time and frequency.

use std::rc::Rc;

use airlag_sim::Instant;

use crate::medium::NodeId;
use crate::quantity::Hertz;

/// A stretch of spectrum, in kilohertz.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Band {
    /// Lower edge.
    pub low_khz: u32,
    /// Upper edge.
    pub high_khz: u32,
}

impl Band {
    /// `width_khz` around `centre_khz`.
    #[must_use]
    pub const fn around(centre_khz: u32, width_khz: u32) -> Self {
        let low_khz = centre_khz.saturating_sub(width_khz / 2);
        Self { low_khz, high_khz: low_khz + width_khz }
    }

    /// The middle, as it was given to [`Band::around`].
    #[must_use]
    pub const fn centre_khz(&self) -> u32 {
        self.low_khz + (self.high_khz - self.low_khz) / 2
    }

    /// The same.
    #[must_use]
    pub fn centre(&self) -> Hertz {
        Hertz(f64::from(self.centre_khz()) * 1e3)
    }

    /// How wide it is.
    #[must_use]
    pub const fn width_khz(&self) -> u32 {
        self.high_khz - self.low_khz
    }

    /// Which share of this stretch lies in `other`, from 0 to 1.
    #[must_use]
    pub fn share_in(&self, other: &Self) -> f64 {
        let (low, high) = (self.low_khz.max(other.low_khz), self.high_khz.min(other.high_khz));
        f64::from(high.saturating_sub(low)) / f64::from(self.width_khz().max(1))
    }

    /// True if the two share any spectrum. Bands that only touch do not.
    #[must_use]
    pub const fn overlaps(&self, other: &Self) -> bool {
        self.low_khz < other.high_khz && other.low_khz < self.high_khz
    }
}

/// How a frame is modulated: only a receiver set to the same can read it. The meaning of the
/// number belongs to the radio's model, which keeps it unique by starting from its own `FAMILY`.
#[derive(Clone, Copy, Debug, Eq)]
pub struct Modulation {
    /// The family of radios, a short name.
    pub family: &'static str,
    /// A setting within the family, such as the bit rate.
    pub setting: u32,
}

impl PartialEq for Modulation {
    /// Every receiver asks this of every frame, mostly of its own family: one constant, whose
    /// letters need not be read.
    fn eq(&self, other: &Self) -> bool {
        let same = std::ptr::eq(self.family, other.family) || self.family == other.family;
        self.setting == other.setting && same
    }
}

/// Names a frame that is in the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId(pub(crate) u64);

/// A frame as it is on the air.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Which one.
    pub id: FrameId,
    /// Who sends it.
    pub from: NodeId,
    /// Where in the spectrum.
    pub band: Band,
    /// How it is modulated.
    pub modulation: Modulation,
    /// First bit leaves the antenna.
    pub begin: Instant,
    /// Last bit leaves the antenna.
    pub end: Instant,
    /// What is sent, laid out as the radio's family says.
    pub bytes: Rc<[u8]>,
}
