//! Which channels of a file to read, and whether to turn them over.

use crate::error::Problem;
use crate::sink::MAX_CHANNELS;

/// One channel asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Name as in the file, else a position counted from 0.
    pub channel: String,
    /// Swap high and low: for active-low wires.
    pub invert: bool,
}

impl Pick {
    /// A channel as it is.
    #[must_use]
    pub fn new(channel: impl Into<String>) -> Self {
        Self { channel: channel.into(), invert: false }
    }
}

/// The channels to read, in the order the caller wants them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Every channel of the file.
    #[default]
    All,
    /// These, in this order.
    Picks(Vec<Pick>),
}

/// A selection matched against a file's channels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// For each selected channel, its position in the file.
    pub positions: Vec<usize>,
    /// Bit `i` set: selected channel `i` is inverted.
    pub invert: u64,
}

impl Selection {
    /// Finds each pick among `names`: by exact name first, then as a position counted from 0.
    ///
    /// # Errors
    /// [`Problem::NoSuchChannel`] when a pick is neither; [`Problem::TooManyChannels`] when more
    /// than [`MAX_CHANNELS`] are selected.
    pub fn resolve<N: AsRef<str>>(&self, names: &[N]) -> Result<Resolved, Problem> {
        let resolved = match self {
            Self::All => Resolved { positions: (0..names.len()).collect(), invert: 0 },
            Self::Picks(picks) => {
                let mut resolved = Resolved { positions: Vec::new(), invert: 0 };
                for (index, pick) in picks.iter().enumerate() {
                    let by_name = names.iter().position(|n| n.as_ref() == pick.channel);
                    let by_number = || pick.channel.parse().ok().filter(|&n| n < names.len());
                    let position =
                        by_name.or_else(by_number).ok_or_else(|| Problem::NoSuchChannel {
                            channel: pick.channel.clone(),
                            present: names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", "),
                        })?;
                    resolved.positions.push(position);
                    if pick.invert && index < MAX_CHANNELS {
                        resolved.invert |= 1 << index;
                    }
                }
                resolved
            }
        };
        if resolved.positions.len() > MAX_CHANNELS {
            return Err(Problem::TooManyChannels { found: resolved.positions.len() });
        }
        Ok(resolved)
    }
}
