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

/// A trigger and its completion.
///
/// If only one of them is given, the other is the first of the remaining channels. If none is given, the first
/// two channels are paired in file order, even if a name such as `1` looks like an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// Trigger channel: exact name, else index from 0.
    pub trigger: Option<String>,
    /// Completion channel: exact name, else index from 0.
    pub completion: Option<String>,
    /// Active-low channels among the two.
    pub invert: Vec<String>,
}

/// Selected channels in the order of the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Every channel of the file.
    #[default]
    All,
    /// These channels, in this order.
    Picks(Vec<Pick>),
    /// The trigger, then the completion.
    Pair(Pair),
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
    /// [`Problem::NoSuchChannel`] if a selected channel does not exist. [`Problem::TooManyChannels`] if more
    /// than [`MAX_CHANNELS`] channels are selected. For a pair of channels, also [`Problem::SameChannel`] if
    /// trigger and completion are the same channel, and [`Problem::InvertedStranger`] if an inverted channel
    /// is not in the pair.
    pub fn resolve<N: AsRef<str>>(&self, names: &[N]) -> Result<Resolved, Problem> {
        let resolved = match self {
            Self::All => Resolved { positions: (0..names.len()).collect(), invert: 0 },
            Self::Picks(picks) => {
                let mut resolved = Resolved { positions: Vec::new(), invert: 0 };
                for (index, pick) in picks.iter().enumerate() {
                    resolved.positions.push(found(&pick.channel, names)?);
                    if pick.invert && index < MAX_CHANNELS {
                        resolved.invert |= 1 << index;
                    }
                }
                resolved
            }
            Self::Pair(pair) => pair.resolve(names)?,
        };
        if resolved.positions.len() > MAX_CHANNELS {
            return Err(Problem::TooManyChannels { found: resolved.positions.len() });
        }
        Ok(resolved)
    }
}

impl Pair {
    fn resolve<N: AsRef<str>>(&self, names: &[N]) -> Result<Resolved, Problem> {
        let given = |channel: &Option<String>| {
            channel.as_ref().map(|channel| found(channel, names)).transpose()
        };
        let other = |taken: Option<usize>| {
            let free = (0..names.len()).find(|&position| Some(position) != taken);
            free.ok_or_else(|| missing(&names.len().to_string(), names))
        };
        let (trigger, completion) = (given(&self.trigger)?, given(&self.completion)?);
        let trigger = trigger.map_or_else(|| other(completion), Ok)?;
        let completion = completion.map_or_else(|| other(Some(trigger)), Ok)?;
        let name = |position: usize| names[position].as_ref().to_owned();
        if trigger == completion {
            return Err(Problem::SameChannel { channel: name(trigger) });
        }
        let positions = vec![trigger, completion];
        let mut invert = 0;
        for channel in &self.invert {
            let position = found(channel, names).ok();
            let bit = positions.iter().position(|&one| Some(one) == position);
            invert |= 1
                << bit.ok_or_else(|| Problem::InvertedStranger {
                    channel: channel.clone(),
                    paired: Box::new([name(trigger), name(completion)]),
                })?;
        }
        Ok(Resolved { positions, invert })
    }
}

/// Returns the index of a channel, found first by exact name, then by index from 0.
fn found<N: AsRef<str>>(channel: &str, names: &[N]) -> Result<usize, Problem> {
    let by_name = names.iter().position(|name| name.as_ref() == channel);
    let by_number = || channel.parse().ok().filter(|&position| position < names.len());
    by_name.or_else(by_number).ok_or_else(|| missing(channel, names))
}

fn missing<N: AsRef<str>>(channel: &str, names: &[N]) -> Problem {
    let present = names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    Problem::NoSuchChannel { channel: channel.to_owned(), present }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::subsequence;

    use super::*;

    /// Names that mostly look like indices.
    const NAMES: [&str; 7] = ["0", "1", "2", "3", "7", "D0", "completion"];

    fn names() -> impl Strategy<Value = Vec<&'static str>> {
        subsequence(NAMES.to_vec(), 2..=NAMES.len()).prop_shuffle()
    }

    fn paired(names: &[&str], trigger: Option<&str>, completion: Option<&str>) -> Vec<usize> {
        let own = |channel: Option<&str>| channel.map(str::to_owned);
        let pair = Pair { trigger: own(trigger), completion: own(completion), invert: Vec::new() };
        Selection::Pair(pair).resolve(names).map(|found| found.positions).unwrap_or_default()
    }

    proptest! {
        #[test]
        fn without_a_choice_the_first_two_are_paired_whatever_they_are_called(names in names()) {
            prop_assert_eq!(paired(&names, None, None), [0, 1]);
        }

        #[test]
        fn a_name_is_found_before_a_position(names in names(), nth in 0..7_usize) {
            let nth = nth % names.len();
            let others = (0..names.len()).filter(|&other| other != nth);
            for other in others.clone() {
                prop_assert_eq!(paired(&names, Some(names[nth]), Some(names[other])), [nth, other]);
            }
            let first = others.min().unwrap();
            prop_assert_eq!(paired(&names, Some(names[nth]), None), [nth, first]);
            prop_assert_eq!(paired(&names, None, Some(names[nth])), [first, nth]);
            let digits = nth.to_string();
            if !names.contains(&digits.as_str()) {
                prop_assert_eq!(paired(&names, Some(&digits), None), [nth, first]);
            }
        }

        #[test]
        fn one_channel_is_never_both(names in names(), nth in 0..7_usize) {
            let nth = nth % names.len();
            let digits = nth.to_string();
            if !names.contains(&digits.as_str()) {
                prop_assert!(paired(&names, Some(names[nth]), Some(&digits)).is_empty());
            }
        }
    }

    #[test]
    fn channels_are_inverted_by_name_or_position_and_no_others() {
        let invert = |channels: &[&str]| {
            let invert = channels.iter().map(|&channel| channel.to_owned()).collect();
            let pair = Pair { invert, ..Pair::default() };
            Selection::Pair(pair).resolve(&["2", "b", "c"]).map(|found| found.invert)
        };
        assert_eq!(invert(&["2"]).unwrap(), 0b01);
        assert_eq!(invert(&["b", "0"]).unwrap(), 0b11);
        for stranger in ["c", "9"] {
            let line = invert(&[stranger]).unwrap_err().to_string();
            assert!(line.contains("neither the trigger (2) nor the completion (b)"), "{line}");
        }
    }
}
