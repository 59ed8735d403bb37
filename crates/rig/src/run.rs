//! Runs a bench and collects its results.

use airlag_air::quantity::Db;
use airlag_app::receiver::Received;
use airlag_app::sender::Sent;
use airlag_sim::{Duration, Instant, Sim, Slice};
use airlag_trace::{Channel, Segment, Trace};

use crate::draws::Draws;
use crate::ends::Bench;
use crate::error::Error;
use crate::exchange::AnyExchange;
use crate::generator::{Source, generate};
use crate::messages::{Matched, Wires};
use crate::payload::check_size;
use crate::profile::Profile;
use crate::programs::Program;
use crate::programs::both::Both;
use crate::programs::echo::Echo;
use crate::programs::triggered::Triggered;
use crate::report::Incidents;
use crate::session::{READY, Session, Wiring};
use crate::stimulus::Stimulus;

/// Longest message that a bench carries, bytes.
pub const MAX_SIZE: usize = 2048;

/// Options of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Random seed.
    pub seed: u64,
    /// Whether to record time slices. This takes memory and a little time.
    pub spans: bool,
    /// Traffic that a trigger starts, and the event that a strobe marks.
    pub traffic: Traffic,
}

/// Traffic that a trigger starts, and the event that a strobe marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Traffic {
    /// A message. The strobe marks its arrival at the other board.
    #[default]
    Trigger,
    /// A message. The strobe marks its return to the board that sent it.
    Echo,
    /// Like [`Traffic::Trigger`], in both directions at once with separate triggers: four channels.
    Both,
    /// A request. The strobe marks the arrival of the response at the requesting board.
    Exchange(AnyExchange),
}

/// A program with the wires by which a bench observes it: a trigger and a strobe for each
/// direction.
struct Wired {
    program: Box<dyn Program>,
    ways: Vec<Wires>,
}

impl Traffic {
    /// Checks a message size.
    pub(crate) fn check_size(self, profile: &Profile, size: usize) -> Result<(), Error> {
        // An exchange has its own limits.
        if let Self::Exchange(_) = self { Ok(()) } else { check_size(profile, size) }
    }

    fn wired(self, sim: &Sim, profile: &Profile, size: usize) -> Result<Wired, Error> {
        Ok(match self {
            Self::Trigger => {
                let program = Triggered::new(sim, size);
                let ways = vec![program.wires.clone()];
                Wired { program: Box::new(program), ways }
            }
            Self::Echo => {
                let program = Echo::new(sim, size);
                let ways = vec![program.wires.clone()];
                Wired { program: Box::new(program), ways }
            }
            Self::Both => {
                let program = Both::new(sim, size);
                let ways = vec![program.there.clone(), program.back.clone()];
                Wired { program: Box::new(program), ways }
            }
            Self::Exchange(AnyExchange(exchange)) => {
                let wires = Wires::new(sim);
                let program = exchange.triggered(profile, size, wires.clone())?;
                Wired { program, ways: vec![wires] }
            }
        })
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { seed: 1, spans: false, traffic: Traffic::Trigger }
    }
}

/// Results of a bench.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Channel 0 is the trigger and channel 1 the completion. Two more channels are the same for
    /// the return direction. Instant 0 is the instant at which the bench became ready.
    pub trace: Trace,
    /// Messages matched by identity, one entry for each direction.
    pub matched: Vec<Matched>,
    /// Time slices on the trace's clock; empty unless requested.
    pub spans: Vec<Span>,
    /// Names of the tracks that contain the spans.
    pub tracks: Vec<String>,
    /// Counters of the sending program.
    pub sent: Sent,
    /// Counters of the receiving program.
    pub received: Received,
    /// Named events, with counts.
    pub incidents: Incidents,
    /// Simulation events fired.
    pub events: u64,
    /// Random seed.
    pub seed: u64,
    /// Start of each location on the trace's clock, ns. Empty for a single location.
    pub places_ns: Vec<i64>,
    /// Smallest fade margin of all frames: the mean signal relative to the signal at which 1 % of
    /// the frames are lost. `None` if the radios are next to each other.
    pub fade_margin: Option<Db>,
    /// Whether the completion is at the board with the trigger, as for a round trip.
    pub ends_at_sender: bool,
    /// Time in each power state since the bench was ready, for every part that draws current.
    pub draws: Draws,
}

/// A named time slice on the trace's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Index into [`Run::tracks`].
    pub track: usize,
    /// Activity.
    pub slice: &'static Slice,
    /// Begin, ns.
    pub begin_ns: i64,
    /// End, ns.
    pub end_ns: i64,
}

/// Sends a message of `size` bytes over the link of `profile` at each trigger of `stimulus`.
pub fn run(
    profile: &Profile,
    size: usize,
    stimulus: &Stimulus,
    options: Options,
) -> Result<Run, Error> {
    observed(profile, size, stimulus, options, |_| Ok(())).map(|(run, ())| run)
}

/// Runs as [`run`] does, with an observer that is attached when the bench is ready.
pub(crate) fn observed<T>(
    profile: &Profile,
    size: usize,
    stimulus: &Stimulus,
    options: Options,
    observer: impl FnOnce(&Session) -> Result<T, Error>,
) -> Result<(Run, T), Error> {
    options.traffic.check_size(profile, size)?;
    stimulus.check(&profile.name)?;
    let source = Source::of(stimulus, profile, size, options)?;
    let wiring = Wiring::new(options.seed);
    let Wired { program, ways } = options.traffic.wired(wiring.sim(), profile, size)?;
    let twin = |bench: &Bench| twin(profile, size, stimulus, options.traffic, bench);
    let session = wiring.open(profile, size, &*program, Some(&twin))?;
    let observer = observer(&session)?;
    let (time, ready) = (session.time(), session.ready());
    time.record_spans(options.spans);
    let start = |(wires, stream): (&Wires, &str)| {
        let Wires { trigger, strobe, .. } = wires;
        trigger.record();
        strobe.record();
        source.start(&session, trigger, stream)
    };
    let generators: Vec<_> = ways.iter().zip(["stimulus", "stimulus back"]).map(start).collect();
    let mut end = ready;
    for generator in generators {
        end = generator.run(&session, stimulus, profile)?.max(end);
    }
    session.run_until(end)?;

    let channel = |name: &str, edges: &[Instant]| Channel {
        name: name.to_owned(),
        segments: vec![Segment {
            begin_ns: 0,
            end_ns: end.since(ready).as_ns() as i64,
            initial: false,
            edges_ns: edges.iter().map(|at| at.since(ready).as_ns() as i64).collect(),
        }],
    };
    let names = [["trigger", "completion"], ["trigger back", "completion back"]];
    let (mut channels, mut matched) = (Vec::new(), Vec::new());
    for (Wires { trigger, strobe, messages }, [one, other]) in ways.iter().zip(names) {
        let (triggers, strobes) = (trigger.take_edges(), strobe.take_edges());
        channels.extend([channel(one, &triggers), channel(other, &strobes)]);
        matched.push(messages.matched(ready, &rises(&triggers), &rises(&strobes)));
    }
    let report = session.report();
    let run = Run {
        trace: Trace { channels, ..Trace::default() },
        matched,
        draws: session.draws(end),
        spans: session.spans(ready),
        tracks: time.track_names(),
        sent: report.sent,
        received: report.received,
        incidents: report.incidents,
        events: time.events_fired(),
        seed: options.seed,
        places_ns: Vec::new(),
        fade_margin: report.fade_margin,
        ends_at_sender: matches!(options.traffic, Traffic::Echo | Traffic::Exchange(_)),
    };
    Ok((run, observer))
}

/// Runs an idle bench for `duration`.
///
/// # Errors
///
/// Errors of a run.
pub fn idle(
    profile: &Profile,
    size: usize,
    duration: Duration,
    options: Options,
) -> Result<Draws, Error> {
    let session = open_idle(profile, size, options)?;
    let end = session.ready() + duration;
    session.run_until(end)?;
    Ok(session.draws(end))
}

/// Opens a bench without triggers.
pub(crate) fn open_idle(
    profile: &Profile,
    size: usize,
    options: Options,
) -> Result<Session, Error> {
    options.traffic.check_size(profile, size)?;
    let wiring = Wiring::new(options.seed);
    let Wired { program, .. } = options.traffic.wired(wiring.sim(), profile, size)?;
    // Other pairs of the same link are idle too.
    let twin = |bench: &Bench| Ok(options.traffic.wired(bench.sim(), profile, size)?.program);
    wiring.open(profile, size, &*program, Some(&twin))
}

/// Rising edges of a wire that was low before the first of `edges`.
fn rises(edges: &[Instant]) -> Vec<Instant> {
    edges.iter().copied().step_by(2).collect()
}

/// Creates the program of another pair of the same link: the same stimulus with a random delay.
fn twin(
    profile: &Profile,
    size: usize,
    stimulus: &Stimulus,
    traffic: Traffic,
    bench: &Bench,
) -> Result<Box<dyn Program>, Error> {
    let sim = bench.sim();
    let Wired { program, ways } = traffic.wired(sim, profile, size)?;
    for (nth, Wires { trigger, .. }) in ways.into_iter().enumerate() {
        let mut stream = sim.stream(&format!("stimulus {nth}"));
        let later = stream.within(stimulus.patience());
        let ready = READY + later;
        generate(sim, &trigger, stimulus.instants(ready, &mut stream));
    }
    Ok(program)
}
