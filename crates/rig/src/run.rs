//! Runs a bench and collects what it saw.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_app::receiver::Received;
use airlag_app::sender::Sent;
use airlag_sim::{Duration, Instant, Line, Sim, Simulation, Slice};
use airlag_trace::{Channel, Segment, Trace};

use crate::error::Error;
use crate::profile::Profile;
use crate::stimulus::{PULSE, Stimulus};

/// Longest message a bench carries.
pub const MAX_SIZE: usize = 2048;

/// What to run besides the link itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Root seed of every random stream.
    pub seed: u64,
    /// Keep where time went. Costs memory and a little time.
    pub spans: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { seed: 1, spans: false }
    }
}

/// What a bench saw.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Channel 0 is the trigger, channel 1 the completion; instant 0 is when the bench was ready.
    pub trace: Trace,
    /// Where time went, on the trace's clock; empty unless asked for.
    pub spans: Vec<Span>,
    /// Names of the lanes spans lie on.
    pub tracks: Vec<String>,
    /// What the sending program counted.
    pub sent: Sent,
    /// What the receiving program counted.
    pub received: Received,
    /// What happened that has a name of its own.
    pub incidents: Incidents,
    /// Events the simulation fired.
    pub events: u64,
    /// The root seed.
    pub seed: u64,
}

/// Time spent on one thing, on the trace's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Index into [`Run::tracks`].
    pub track: usize,
    /// What was going on.
    pub slice: &'static Slice,
    /// When it began, ns.
    pub begin_ns: i64,
    /// When it ended, ns.
    pub end_ns: i64,
}

/// What a kind of link hands to the bench: two wires, and what the programs count.
pub struct Wiring {
    /// The trigger input of the sending board.
    pub trigger: Line,
    /// The strobe output of the receiving board.
    pub strobe: Line,
    /// Boards that have to be ready before the first trigger.
    pub boards: u8,
    /// The air between the boards, where there is any.
    pub air: Option<Medium>,
    /// Counters, and the first error of either board.
    pub report: Rc<RefCell<Report>>,
}

/// Things that happened, by name, with how often.
pub type Incidents = BTreeMap<&'static str, u32>;

/// What the programs on the boards told.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The sending program's counters.
    pub sent: Sent,
    /// The receiving program's counters.
    pub received: Received,
    /// Boards that are set up and wait.
    pub ready: u8,
    /// How often something with a name of its own happened: `supervision timeout`, `queue full`.
    /// Results, not errors: the bench goes on.
    pub incidents: Incidents,
    /// Why a board stopped, if one did.
    pub stopped: Option<(&'static str, String)>,
}

/// Longest time a bench may take to set itself up.
const SET_UP: Duration = Duration::from_secs(10);

/// Sends messages of `size` bytes over the link of `profile` whenever `stimulus` says.
pub fn run(
    profile: &Profile,
    size: usize,
    stimulus: &Stimulus,
    options: Options,
) -> Result<Run, Error> {
    observed(profile, size, stimulus, options, |_, _| Ok(())).map(|(run, ())| run)
}

/// The same, with an observer that is let in when the bench is ready.
pub(crate) fn observed<T>(
    profile: &Profile,
    size: usize,
    stimulus: &Stimulus,
    options: Options,
    observer: impl FnOnce(&Wiring, Instant) -> Result<T, Error>,
) -> Result<(Run, T), Error> {
    let low = airlag_link::message::MIN_LEN;
    if !(low..=MAX_SIZE).contains(&size) {
        let link = profile.name.clone();
        return Err(Error::Size { link, size, low, high: MAX_SIZE });
    }
    let bench = Simulation::new(options.seed);
    let wiring = (profile.kind.spec().wire)(profile, size, &bench)?;
    bench.run_until(Instant::START + SET_UP)?;
    fail_if_stopped(&wiring)?;
    let ready = wiring.report.borrow().ready;
    if ready < wiring.boards {
        if wiring.air.is_none() {
            let cause = format!("not set up after {} s", SET_UP.as_ns() / 1_000_000_000);
            return Err(Error::Stopped { board: "a board", cause });
        }
        // Too few frames get through: a result. Its messages are lost.
        let missing = u32::from(wiring.boards - ready);
        wiring.report.borrow_mut().incidents.insert("not set up", missing);
    }

    let ready = bench.now();
    let observer = observer(&wiring, ready)?;
    bench.record_spans(options.spans);
    wiring.trigger.record();
    wiring.strobe.record();
    let triggers = stimulus.instants(ready, &mut bench.stream("stimulus"));
    let end = triggers.last().map_or(ready, |&last| last + stimulus.patience());
    generate(&bench, &wiring.trigger, triggers);
    bench.run_until(end)?;
    fail_if_stopped(&wiring)?;

    let channel = |name: &str, line: &Line| Channel {
        name: name.to_owned(),
        segments: vec![Segment {
            begin_ns: 0,
            end_ns: end.since(ready).as_ns() as i64,
            initial: false,
            edges_ns: line.take_edges().iter().map(|at| at.since(ready).as_ns() as i64).collect(),
        }],
    };
    let channels = vec![channel("trigger", &wiring.trigger), channel("completion", &wiring.strobe)];
    let on_trace = |span: &airlag_sim::Span| Span {
        track: span.track.index(),
        slice: span.slice,
        begin_ns: span.begin.since(ready).as_ns() as i64,
        end_ns: span.end.since(ready).as_ns() as i64,
    };
    let report = wiring.report.borrow();
    let run = Run {
        trace: Trace { epoch_unix_ns: None, sample_rate_hz: None, channels },
        spans: bench.take_spans().iter().map(on_trace).collect(),
        tracks: bench.track_names(),
        sent: report.sent,
        received: report.received,
        incidents: report.incidents.clone(),
        events: bench.events_fired(),
        seed: options.seed,
    };
    Ok((run, observer))
}

fn fail_if_stopped(wiring: &Wiring) -> Result<(), Error> {
    match &wiring.report.borrow().stopped {
        Some((board, cause)) => Err(Error::Stopped { board, cause: cause.clone() }),
        None => Ok(()),
    }
}

/// The signal generator: pulses of [`PULSE`], shorter where the next trigger comes sooner.
fn generate(sim: &Sim, trigger: &Line, triggers: Vec<Instant>) {
    let (line, clock) = (trigger.clone(), sim.clone());
    sim.spawn("signal generator", async move {
        for (nth, &at) in triggers.iter().enumerate() {
            clock.sleep_until(at).await;
            line.set(true);
            let gap = triggers.get(nth + 1).map_or(PULSE + PULSE, |next| next.since(at));
            let half = Duration::from_ns(gap.as_ns() / 2);
            clock.sleep(if PULSE < half { PULSE } else { half }).await;
            line.set(false);
        }
    });
}
