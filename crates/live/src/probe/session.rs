//! Session of probes: one thread sends on schedule, another one receives, and the caller's thread
//! reports progress.
//!
//! Requests are sent at the times of the configured pattern, whether or not earlier requests were
//! answered. A program that waits for a response before the next request hides the delays that it
//! should measure (coordinated omission). For a request that is sent late, both the scheduled and
//! the actual time are recorded.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use airlag_rig::interrupt;
use airlag_sim::Duration;
use airlag_stats::probes::Probes;

use super::journal::{Journal, Recent, Tally};
use super::metrics::Metrics;
use super::near::{Clock, TURN};
use super::packets::Carrier;
use super::pattern::Pattern;
use super::priority;
use super::target::Target;
use super::wire::{self, Ask, Error, Hear, Heard};
use crate::late::Lateness;

/// Configuration of a session of probes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Target of the requests.
    pub target: Target,
    /// Carrier of the packets, for a target that this crate cannot open.
    pub carrier: Option<Carrier>,
    /// Size of a request and of its response, bytes.
    pub size: usize,
    /// Pattern of the send times.
    pub pattern: Pattern,
    /// Number of requests. `None` means no limit: the session ends after `lasting`, or when it is
    /// interrupted.
    pub count: Option<u64>,
    /// Duration.
    pub lasting: Option<Duration>,
    /// Timeout of a response. A later response counts as lost.
    pub timeout: Duration,
    /// Random seed of the pattern.
    pub seed: u64,
    /// Largest error of this computer's clock, ns, if it is synchronised externally.
    pub error_ns: Option<u64>,
    /// Address at which OpenMetrics are served during the session.
    pub metrics: Option<SocketAddr>,
    /// Journal of the messages. `None` means a file without a name.
    pub kept: Option<Kept>,
}

/// A journal that remains if the process ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Path of its file.
    pub path: PathBuf,
    /// The question that is answered about the session.
    pub question: String,
    /// Whether an existing file is replaced.
    pub force: bool,
}

/// Progress of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Time since the start, ns.
    pub elapsed_ns: i64,
    /// Time to the last request, ns, at the mean rate so far. `None` for a session without an end,
    /// or before it begins.
    pub remaining_ns: Option<i64>,
    /// Requests sent.
    pub sent: u64,
    /// Requests answered.
    pub answered: u64,
    /// Responses after the timeout.
    pub too_late: u64,
    /// Second and further responses to a request.
    pub duplicates: u64,
    /// Round trip of the last response, ns.
    pub last_ns: i64,
    /// Median round trip since the start, ns, with a resolution of 1/16.
    pub p50_ns: u64,
    /// 99th percentile of the round trips, ns, with a resolution of 1/16.
    pub p99_ns: u64,
    /// Largest round trip, ns.
    pub max_ns: u64,
    /// Histogram of the round trips: lower bound, ns, and count of each bin that is not empty.
    pub bins_ns: Vec<(u64, u64)>,
}

/// State shared by both threads.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    ends: AtomicBool,
}

/// A message that may still be answered.
struct Open {
    sent_ns: i64,
    is_answered: bool,
}

/// Number of sent messages that are always kept, so that responses can be matched with them. If there are
/// more, messages older than the timeout are discarded.
const OPEN: usize = 1 << 16;
/// Delay of the first message of an open loop, ns, during which the receiving thread starts.
const LEAD_NS: i64 = 1_000_000;

#[derive(Default)]
struct State {
    /// The latest messages; `gone` is the number of earlier ones.
    open: VecDeque<Open>,
    gone: u64,
    recent: Recent,
    tally: Tally,
    answered: u64,
    last_ns: i64,
    round_trips: Lateness,
    timeout_ns: i64,
    /// Planned number of messages, and planned duration.
    count: Option<u64>,
    lasting_ns: Option<i64>,
    /// Sequence number and reflector's count of the last response.
    before: Option<(i64, i64)>,
    failed: Option<io::Error>,
    /// Error of writing the journal.
    unrecorded: Option<io::Error>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes new messages to the journal at intervals. Senders do not wait for the disk.
    fn record(&self, journal: &mut Journal, now_ns: i64) {
        if !journal.is_due() {
            return;
        }
        let mut state = self.lock();
        state.tally.span_ns[1] = now_ns;
        let (recent, tally) = (std::mem::take(&mut state.recent), state.tally);
        drop(state);
        if let Err(cause) = journal.write(&recent, &tally) {
            self.lock().unrecorded = Some(cause);
            self.ends.store(true, Ordering::Relaxed);
        }
    }
}

impl State {
    /// Messages sent.
    fn sent(&self) -> u64 {
        self.gone + self.open.len() as u64
    }

    /// Records a message that is about to be sent.
    fn send(&mut self, scheduled_ns: i64, sent_ns: i64) {
        self.open.push_back(Open { sent_ns, is_answered: false });
        self.recent.sent(scheduled_ns, sent_ns);
        while self.open.len() > OPEN
            && self.open.front().is_some_and(|open| sent_ns - open.sent_ns > self.timeout_ns)
        {
            self.open.pop_front();
            self.gone += 1;
        }
    }

    /// Assigns a response to its request.
    fn take(&mut self, heard: Heard) {
        let Some(last) = self.sent().checked_sub(1) else { return };
        // The last request sent with this sequence number.
        let behind = last.wrapping_sub(u64::from(heard.sequence)) % heard.sequences;
        let Some(nth) = last.checked_sub(behind) else { return };
        let count = self.count(nth as i64, heard);
        let open = nth.checked_sub(self.gone).and_then(|at| self.open.get_mut(at as usize));
        let Some(open) = open else {
            self.tally.too_late += 1;
            return;
        };
        if open.is_answered {
            self.tally.duplicates += 1;
            return;
        }
        if heard.arrived_ns - open.sent_ns > self.timeout_ns {
            self.tally.too_late += 1;
            return;
        }
        open.is_answered = true;
        let residence_ns = heard.answered_ns - heard.received_ns;
        self.last_ns = heard.arrived_ns - open.sent_ns - residence_ns;
        let stamps = [heard.received_ns, heard.answered_ns, heard.arrived_ns];
        self.recent.answered(nth, stamps, count);
        self.tally.far_error_ns = self.tally.far_error_ns.max(heard.error_ns);
        self.answered += 1;
        self.round_trips.add(self.last_ns.max(0) as u64);
    }

    fn progress(&self, elapsed_ns: i64) -> Progress {
        Progress {
            elapsed_ns,
            remaining_ns: self.remaining_ns(elapsed_ns),
            sent: self.sent(),
            answered: self.answered,
            too_late: self.tally.too_late,
            duplicates: self.tally.duplicates,
            last_ns: self.last_ns,
            p50_ns: self.round_trips.quantile_ns(0.5),
            p99_ns: self.round_trips.quantile_ns(0.99),
            max_ns: self.round_trips.most_ns(),
            bins_ns: self.round_trips.bins(),
        }
    }

    /// Time to the last message: of the planned duration, or of the planned number at the mean rate so far.
    fn remaining_ns(&self, elapsed_ns: i64) -> Option<i64> {
        let sent = self.sent();
        let by_count = self.count.filter(|_| sent > 0).map(|count| {
            let missing = count.saturating_sub(sent);
            i64::try_from(i128::from(elapsed_ns) * i128::from(missing) / i128::from(sent))
                .unwrap_or(i64::MAX)
        });
        let by_time = self.lasting_ns.map(|lasting_ns| (lasting_ns - elapsed_ns).max(0));
        by_count.into_iter().chain(by_time).min()
    }

    /// Reflector's count with its wraps undone: the value nearest to the count of the previous
    /// response plus the number of requests sent since.
    fn count(&mut self, sequence: i64, heard: Heard) -> i64 {
        let wrap = heard.counts as i64;
        let count = i64::from(heard.count);
        let full = self.before.map_or(count, |(then, before)| {
            let expected = before + (sequence - then);
            let ahead = (count - expected).rem_euclid(wrap);
            expected + if ahead >= wrap / 2 { ahead - wrap } else { ahead }
        });
        self.before = Some((sequence, full));
        full
    }
}

/// Sends requests according to the plan until it is complete or interrupted. After an interruption,
/// returns the messages recorded so far.
///
/// # Errors
///
/// If the target cannot be opened, or ends before any request was answered.
pub fn probe(plan: &Plan, mut report: impl FnMut(Progress)) -> Result<Probes, Error> {
    let clock = Clock::start();
    let metrics = plan.metrics.map(Metrics::open).transpose();
    let metrics = metrics.map_err(|cause| Error::Open { target: "--metrics".to_owned(), cause })?;
    let (asks, hears) = wire::open(plan, clock)?;
    let kept = plan.kept.as_ref();
    let unrecorded = |cause| Error::Journal {
        path: kept.map_or_else(std::env::temp_dir, |kept| kept.path.clone()),
        cause,
    };
    let mut journal = match kept {
        None => Journal::begin(None, "{}", false),
        Some(kept) => Journal::begin(Some(&kept.path), &kept.question, kept.force),
    }
    .map_err(unrecorded)?;
    // By default, Linux may delay a wake-up by up to 50 us to save power. Threads inherit this setting.
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    let shared = Shared::default();
    let start_ns = clock.now_ns();
    {
        let mut state = shared.lock();
        state.timeout_ns = plan.timeout.as_ns() as i64;
        state.count = plan.count;
        state.lasting_ns = plan.lasting.map(|lasting| lasting.as_ns() as i64);
        state.tally.span_ns = [start_ns; 2];
        state.tally.is_stateful = wire::counts(&plan.target);
    }
    let sending = Sending { plan, clock, start_ns, shared: &shared };
    let mut reporting =
        Reporting { start_ns, shared: &shared, report: &mut report, reported_ns: start_ns };
    thread::scope(|scope| {
        if let Some(metrics) = &metrics {
            let progress = || shared.lock().progress(clock.now_ns() - start_ns);
            let ends = || shared.ends.load(Ordering::Relaxed);
            let target = plan.target.to_string();
            scope.spawn(move || metrics.serve(&target, progress, ends));
        }
        if plan.pattern == Pattern::ClosedLoop {
            sending.closed_loop(asks, hears, &mut journal, &mut reporting);
        } else {
            scope.spawn(|| listen(&shared, hears, &mut journal, clock));
            let caller = thread::current();
            let sender = scope.spawn(move || {
                priority::schedule(&plan.pattern);
                sending.open_loop(asks);
                caller.unpark();
            });
            while !sender.is_finished() {
                thread::park_timeout(TURN);
                reporting.update(clock.now_ns());
                if interrupt::is_requested() {
                    shared.ends.store(true, Ordering::Relaxed);
                }
            }
        }
        shared.ends.store(true, Ordering::Relaxed);
    });
    let mut state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(cause) = state.failed.take()
        && state.answered == 0
    {
        // The journal is empty. Removing it frees its path for the next session.
        let _ = kept.map(|kept| std::fs::remove_file(&kept.path));
        return Err(Error::Ended { target: plan.target.to_string(), cause });
    }
    if let Some(cause) = state.unrecorded.take() {
        return Err(unrecorded(cause));
    }
    state.tally.span_ns[1] = clock.now_ns();
    journal.write(&state.recent, &state.tally).map_err(unrecorded)?;
    journal.finish().map_err(unrecorded)
}

/// Receives responses until the session ends.
fn listen(shared: &Shared, mut hears: Box<dyn Hear>, journal: &mut Journal, clock: Clock) {
    while !shared.ends.load(Ordering::Relaxed) {
        shared.record(journal, clock.now_ns());
        match hears.hear() {
            Ok(Some(heard)) => shared.lock().take(heard),
            Ok(None) => {}
            // No program listens there now. This may change during the session.
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                refused(shared, error)
            }
            Err(error) => {
                shared.lock().failed = Some(error);
                shared.ends.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// Ends a session that has received no response.
fn refused(shared: &Shared, error: io::Error) {
    let mut state = shared.lock();
    if state.answered == 0 {
        state.failed = Some(error);
        shared.ends.store(true, Ordering::Relaxed);
    }
}

#[derive(Clone, Copy)]
struct Sending<'a> {
    plan: &'a Plan,
    clock: Clock,
    start_ns: i64,
    shared: &'a Shared,
}

/// Reports of progress, on the thread that called.
struct Reporting<'a> {
    start_ns: i64,
    shared: &'a Shared,
    report: &'a mut dyn FnMut(Progress),
    reported_ns: i64,
}

impl Sending<'_> {
    fn open_loop(self, mut asks: Box<dyn Ask>) {
        let most = self.plan.count.unwrap_or(u64::MAX);
        let times = self.plan.pattern.times_ns(self.plan.seed);
        let end_ns = self.plan.lasting.map_or(i64::MAX, |lasting| lasting.as_ns() as i64);
        let first_ns = self.clock.now_ns() + LEAD_NS;
        let mut last_ns = first_ns;
        for (nth, at) in (0..most).zip(times) {
            let at_ns = first_ns + at;
            if at >= end_ns || !self.wait(at_ns) || !self.send(asks.as_mut(), nth, at_ns) {
                break;
            }
            last_ns = at_ns;
        }
        // Wait for outstanding responses.
        let until_ns = last_ns + self.plan.timeout.as_ns() as i64;
        while self.clock.now_ns() < until_ns && !self.is_over() {
            let state = self.shared.lock();
            if state.answered == state.sent() {
                break;
            }
            drop(state);
            self.wait(self.clock.now_ns() + TURN.as_nanos() as i64 / 10);
        }
    }

    /// Sends each request as soon as the previous one is answered or has timed out.
    fn closed_loop(
        self,
        mut asks: Box<dyn Ask>,
        mut hears: Box<dyn Hear>,
        journal: &mut Journal,
        reporting: &mut Reporting<'_>,
    ) {
        let most = self.plan.count.unwrap_or(u64::MAX);
        let timeout_ns = self.plan.timeout.as_ns() as i64;
        let end_ns = self.plan.lasting.map_or(i64::MAX, |one| self.start_ns + one.as_ns() as i64);
        for nth in 0..most {
            let now_ns = self.clock.now_ns();
            reporting.update(now_ns);
            self.shared.record(journal, now_ns);
            if now_ns >= end_ns || self.is_over() || !self.send(asks.as_mut(), nth, now_ns) {
                break;
            }
            loop {
                match hears.hear() {
                    Ok(Some(heard)) => self.shared.lock().take(heard),
                    Ok(None) => {}
                    Err(error) => {
                        self.shared.lock().failed = Some(error);
                        return;
                    }
                }
                let state = self.shared.lock();
                let is_answered = state.open.back().is_some_and(|open| open.is_answered);
                drop(state);
                if is_answered || self.is_over() || self.clock.now_ns() - now_ns > timeout_ns {
                    break;
                }
            }
        }
    }

    /// Sends a request. Returns whether the session continues.
    fn send(&self, asks: &mut dyn Ask, nth: u64, scheduled_ns: i64) -> bool {
        let mut state = self.shared.lock();
        let sent_ns = self.clock.now_ns();
        state.send(scheduled_ns, sent_ns);
        drop(state);
        match asks.ask(nth as u32, sent_ns) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                refused(self.shared, error);
                !self.is_over()
            }
            Err(error) => {
                self.shared.lock().failed = Some(error);
                false
            }
        }
    }

    /// Waits until an instant. Returns whether the session continues.
    fn wait(&self, at_ns: i64) -> bool {
        self.clock.wait(at_ns, || self.is_over())
    }

    fn is_over(&self) -> bool {
        self.shared.ends.load(Ordering::Relaxed) || interrupt::is_requested()
    }
}

impl Reporting<'_> {
    /// Reports progress at most once per [`TURN`].
    fn update(&mut self, now_ns: i64) {
        if now_ns - self.reported_ns < TURN.as_nanos() as i64 {
            return;
        }
        self.reported_ns = now_ns;
        let now = self.shared.lock().progress(now_ns - self.start_ns);
        (self.report)(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remaining_ns(sent: u64, count: Option<u64>, lasting_ns: Option<i64>) -> Option<i64> {
        let state = State { gone: sent, count, lasting_ns, ..State::default() };
        state.progress(4_000).remaining_ns
    }

    #[test]
    fn what_remains_is_what_ends_first() {
        assert_eq!(remaining_ns(8, None, None), None);
        assert_eq!(remaining_ns(0, Some(10), None), None);
        assert_eq!(remaining_ns(8, Some(10), None), Some(1_000));
        assert_eq!(remaining_ns(8, Some(10), Some(4_500)), Some(500));
        assert_eq!(remaining_ns(8, Some(10), Some(9_000)), Some(1_000));
        assert_eq!(remaining_ns(12, Some(10), Some(3_000)), Some(0));
        assert_eq!(remaining_ns(1, Some(u64::MAX), None), Some(i64::MAX));
    }
}
