//! Pairing of each trigger with the first completion in its window.
//!
//! The window of a transfer opens just after its trigger, and closes at the next trigger or at the end of
//! observation. A completion outside of every window is spurious. Without windows, a lost trigger would be
//! paired with the completion of the next trigger, and the loss would appear as a latency that is one trigger
//! period too long.
//!
//! [`Pairer`] is a [`Sink`]: rows stream through it and only transfers are stored, so the memory does not
//! depend on the length of a capture but on its transfers.

use airlag_trace::memory::Held;
use airlag_trace::{Current, Header, MemoryLimit, Problem, Row, Sink, Trace, replay};

use crate::charge::Metered;

/// Memory per transfer, bytes: two instants and the outcome, stored here and by the caller, plus the working
/// memory of statistics and findings. Measured; a test checks it with a limit of the operating system.
pub const TRANSFER_BYTES: usize = 104;
/// Memory per spurious completion or glitch, bytes.
const STRAY_BYTES: usize = 32;

/// Value of a missing time.
pub const NONE: i64 = i64::MIN;

/// Outcome of a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Outcome {
    /// Completed inside its own window.
    Delivered = 0,
    /// Its window closed without a completion.
    Lost = 1,
    /// Its window was cut off by the end of observation or by a gap. The outcome is unknown.
    Censored = 2,
    /// Completed after the next trigger. Only if the caller permits overlap, or if a bench matched it.
    Late = 3,
}

impl Outcome {
    /// The outcome with this code. Unknown codes count as censored.
    #[must_use]
    pub const fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Delivered,
            1 => Self::Lost,
            3 => Self::Late,
            _ => Self::Censored,
        }
    }
}

/// Definition of triggers and completions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairOptions {
    /// Time for which the trigger channel must have been low before a rising edge counts as a trigger, ns.
    /// This minimum keeps a slow or ringing edge with several rises from counting as several triggers.
    /// Strobes have no such minimum, because real strobes may be as short as one sample.
    pub min_low_ns: i64,
    /// Longest accepted time from a trigger to its completion, ns. Further triggers may come in between. If
    /// `None`, a window ends at the next trigger.
    pub overlap_ns: Option<i64>,
}

impl Default for PairOptions {
    fn default() -> Self {
        Self { min_low_ns: 1_000, overlap_ns: None }
    }
}

/// All triggers of a run with their outcomes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transfers {
    /// Trigger instants, ns, ascending.
    pub trigger_ns: Vec<i64>,
    /// Completion instants, ns, one per trigger. [`NONE`] if there is none.
    pub completion_ns: Vec<i64>,
    /// Outcomes, one per trigger.
    pub outcome: Vec<Outcome>,
    /// Times of spurious completions, ns: completions before the first trigger, or after a transfer
    /// was complete.
    pub spurious_ns: Vec<i64>,
    /// Times of rising edges of the trigger channel after too short a low time, ns. They are not
    /// counted as triggers.
    pub glitch_ns: Vec<i64>,
    /// Low time before each of those edges, ns.
    pub glitch_low_ns: Vec<i64>,
    /// First observed instant, ns.
    pub start_ns: i64,
    /// Last observed instant, ns.
    pub end_ns: i64,
    /// Start of each simulated location, ns, ascending. Empty for a single location. Confidence intervals of
    /// shares include the variation between locations.
    pub places_ns: Vec<i64>,
    /// Measured current and charge. `None` without a measured current.
    pub charge: Option<Metered>,
}

impl Transfers {
    /// Adds the charge from a current that was measured on the same clock.
    pub(crate) fn with_charge(self, current: Option<&Current>) -> Self {
        let charge = current.and_then(|current| Metered::of(current, &self));
        Self { charge, ..self }
    }

    /// Latencies of the completed transfers, ns, in trigger order.
    #[must_use]
    pub fn latencies_ns(&self) -> Vec<i64> {
        let pairs = self.trigger_ns.iter().zip(&self.completion_ns);
        pairs.filter(|&(_, &c)| c != NONE).map(|(t, c)| c - t).collect()
    }

    /// Indices of the transfers with this outcome.
    pub fn indices(&self, outcome: Outcome) -> impl Iterator<Item = usize> + '_ {
        self.outcome.iter().enumerate().filter(move |&(_, &o)| o == outcome).map(|(i, _)| i)
    }

    /// Number of transfers with this outcome.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> usize {
        self.outcome.iter().filter(|&&o| o == outcome).count()
    }

    /// Median trigger period, ns. `None` for fewer than two triggers.
    #[must_use]
    pub fn trigger_period_ns(&self) -> Option<i64> {
        let mut gaps: Vec<i64> = self.trigger_ns.windows(2).map(|w| w[1] - w[0]).collect();
        if gaps.is_empty() {
            return None;
        }
        let middle = gaps.len() / 2;
        Some(*gaps.select_nth_unstable(middle).1)
    }
}

/// Recording time and sample rate of a capture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Taken {
    /// Wall-clock time of instant 0, ns since 1970, where recorded.
    pub epoch_unix_ns: Option<i64>,
    /// Sample rate, Hz, where recorded.
    pub sample_rate_hz: Option<f64>,
}

const TRIGGER: u64 = 1;
const COMPLETION: u64 = 2;

/// Pairs rows as they stream by. Channel 0 of the selection is the trigger, channel 1 the completion.
#[derive(Debug)]
pub struct Pairer {
    options: PairOptions,
    out: Transfers,
    levels: u64,
    known: u64,
    started: bool,
    /// Last falling edge of the trigger channel. `None` if the channel has not fallen since the
    /// capture began.
    fell_ns: Option<i64>,
    /// Index of the first open transfer. Completions belong to the oldest open transfer, so the open ones are
    /// always the last ones.
    open_from: usize,
    names: Vec<String>,
    taken: Taken,
    /// Bit mask of channels with an edge.
    seen: u64,
    held: Held,
}

impl Pairer {
    /// A pairer without any rows.
    #[must_use]
    pub fn new(options: PairOptions) -> Self {
        Self {
            options,
            out: Transfers::default(),
            levels: 0,
            known: 0,
            started: false,
            fell_ns: None,
            open_from: 0,
            names: Vec::new(),
            taken: Taken::default(),
            seen: 0,
            held: Held::default(),
        }
    }

    /// Sets a limit for the memory of the transfers.
    #[must_use]
    pub fn within(mut self, memory: MemoryLimit) -> Self {
        self.held = Held::within(memory);
        self
    }

    /// Name of a channel without edges, if there is one.
    #[must_use]
    pub fn silent_channel(&self) -> Option<String> {
        let silent = [TRIGGER, COMPLETION].iter().position(|bit| self.seen & bit == 0)?;
        Some(self.names.get(silent).cloned().unwrap_or_else(|| silent.to_string()))
    }

    /// Name of the trigger (0) or the completion (1). Empty if there is no such channel.
    #[must_use]
    pub fn name(&self, nth: usize) -> &str {
        self.names.get(nth).map_or("", String::as_str)
    }

    /// Returns the recording time and the sample rate of the capture, where recorded.
    #[must_use]
    pub const fn taken(&self) -> Taken {
        self.taken
    }

    /// Returns the transfers, after the reader has called [`Sink::end`].
    #[must_use]
    pub fn into_transfers(self) -> Transfers {
        self.out
    }

    fn is_open(&self) -> bool {
        self.open_from < self.out.outcome.len()
    }

    /// Closes the oldest open transfer, if any.
    #[inline(always)]
    fn settle(&mut self, outcome: Outcome) {
        if let Some(oldest) = self.out.outcome.get_mut(self.open_from) {
            *oldest = outcome;
            self.open_from += 1;
        }
    }

    /// Closes transfers whose window ends before `now_ns` as lost.
    fn expire(&mut self, now_ns: i64, overlap_ns: i64) {
        while let Some(&oldest_ns) = self.out.trigger_ns.get(self.open_from) {
            if now_ns - oldest_ns <= overlap_ns {
                break;
            }
            self.settle(Outcome::Lost);
        }
    }

    /// Grows the capacity of all lists of transfers together.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> bool {
        let Transfers { trigger_ns, completion_ns, outcome, .. } = &mut self.out;
        if !self.held.grow(trigger_ns, TRANSFER_BYTES) {
            return false;
        }
        // `TRANSFER_BYTES` includes the memory of these two lists.
        let more = trigger_ns.capacity() - trigger_ns.len();
        if completion_ns.try_reserve_exact(more).is_err()
            || outcome.try_reserve_exact(more).is_err()
        {
            self.held.starve();
            return false;
        }
        true
    }

    #[cold]
    fn keep_glitch(&mut self, at_ns: i64, low_ns: i64) {
        let Transfers { glitch_ns, glitch_low_ns, .. } = &mut self.out;
        self.held.push(glitch_ns, at_ns, STRAY_BYTES);
        self.held.push(glitch_low_ns, low_ns, STRAY_BYTES);
    }

    #[inline(always)]
    fn on_trigger(&mut self, at_ns: i64) {
        let low_ns = self.fell_ns.map_or(i64::MAX, |fell| at_ns - fell);
        if low_ns < self.options.min_low_ns {
            self.keep_glitch(at_ns, low_ns);
            return;
        }
        match self.options.overlap_ns {
            None => self.settle(Outcome::Lost),
            Some(overlap_ns) => self.expire(at_ns, overlap_ns),
        }
        if self.out.trigger_ns.len() == self.out.trigger_ns.capacity() && !self.grow() {
            return;
        }
        self.out.trigger_ns.push(at_ns);
        self.out.completion_ns.push(NONE);
        self.out.outcome.push(Outcome::Censored);
    }

    #[inline(always)]
    fn on_completion(&mut self, at_ns: i64) {
        if let Some(overlap_ns) = self.options.overlap_ns {
            self.expire(at_ns, overlap_ns);
        }
        let in_time = self.open_from + 1 == self.out.outcome.len();
        match self.out.completion_ns.get_mut(self.open_from) {
            Some(completion_ns) => {
                *completion_ns = at_ns;
                self.settle(if in_time { Outcome::Delivered } else { Outcome::Late });
            }
            None => self.held.push(&mut self.out.spurious_ns, at_ns, STRAY_BYTES),
        }
    }

    #[cold]
    fn on_gap_or_start(&mut self, row: Row) {
        let Row { at_ns, known, .. } = row;
        if !self.started {
            (self.started, self.out.start_ns) = (true, at_ns);
        }
        if self.known & !known & (TRIGGER | COMPLETION) != 0 {
            // Open transfers may have completed, or new ones been triggered, during the gap.
            while self.is_open() {
                self.settle(Outcome::Censored);
            }
        }
        if (known & !self.known) & TRIGGER != 0 {
            self.fell_ns = None;
        }
    }
}

impl Sink for Pairer {
    fn header(&mut self, header: Header) {
        let Header { names, epoch_unix_ns, sample_rate_hz } = header;
        self.names = names;
        self.taken = Taken { epoch_unix_ns, sample_rate_hz };
    }

    #[inline(always)]
    fn row(&mut self, row: Row) {
        let Row { at_ns, levels, known } = row;
        let both = TRIGGER | COMPLETION;
        if known & self.known & both != both {
            self.on_gap_or_start(row);
        }
        // Only a change between two observed levels is an edge.
        let changed = (levels ^ self.levels) & known & self.known;
        (self.levels, self.known) = (levels, known);
        self.seen |= changed;
        // A completion at the instant of a trigger cannot be caused by it.
        if changed & levels & COMPLETION != 0 {
            self.on_completion(at_ns);
        }
        if changed & TRIGGER != 0 {
            if levels & TRIGGER != 0 {
                self.on_trigger(at_ns);
            } else {
                self.fell_ns = Some(at_ns);
            }
        }
    }

    fn end(&mut self, at_ns: i64) {
        self.out.end_ns = at_ns;
        let window_ns = self.options.overlap_ns.or_else(|| self.out.trigger_period_ns());
        while let Some(&trigger_ns) = self.out.trigger_ns.get(self.open_from) {
            // A transfer is lost if its window ended within the observation, and censored if the observation
            // ended first.
            let complete = window_ns.is_some_and(|window| at_ns - trigger_ns >= window);
            self.settle(if complete { Outcome::Lost } else { Outcome::Censored });
        }
    }

    fn refusal(&self) -> Option<Problem> {
        self.held.refusal()
    }
}

/// Pairs a whole trace. Channel 0 is the trigger, channel 1 the completion.
#[must_use]
pub fn pair(trace: &Trace, options: PairOptions) -> Transfers {
    let mut pairer = Pairer::new(options);
    replay(trace, &mut pairer);
    pairer.into_transfers().with_charge(trace.current.as_ref())
}

#[cfg(test)]
mod tests;
