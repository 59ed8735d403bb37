//! Selection and inversion of channels.

use crate::error::Problem;
use crate::sink::MAX_CHANNELS;

/// A selected channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Name as in the file, or an index from 0.
    pub channel: String,
    /// Whether to swap high and low, for active-low signals.
    pub invert: bool,
}

impl Pick {
    /// Selects a channel without inversion.
    #[must_use]
    pub fn new(channel: impl Into<String>) -> Self {
        Self { channel: channel.into(), invert: false }
    }
}

/// Selected channels in the order of the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Every channel of the file.
    #[default]
    All,
    /// These channels, in this order.
    Picks(Vec<Pick>),
}

/// A selection resolved to the channels of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Index in the file of each selected channel.
    pub positions: Vec<usize>,
    /// Bit `i` is set if selected channel `i` is inverted.
    pub invert: u64,
}

impl Selection {
    /// Finds each selected channel among `names`: first by exact name, then by index from 0.
    ///
    /// # Errors
    /// [`Problem::NoSuchChannel`] for an unknown channel. [`Problem::TooManyChannels`] for more than
    /// [`MAX_CHANNELS`] channels.
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
