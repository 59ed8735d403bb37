//! How often the stated interval of a far clock's offset contains the truth, over the delays of every
//! link of the virtual bench that goes both ways.
//!
//! `cargo test -p airlag-live --test all clocks -- --nocapture` prints the table of docs/probe.md.

use airlag_kinds::registry;
use airlag_rig::kind::Ways;
use airlag_rig::run::Traffic;
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Profile, Stimulus, run};
use airlag_sim::{Duration, Stream};
use airlag_stats::clock::{Clock, Exchange};
use airlag_stats::pair::{PairOptions, pair};
use airlag_trace::Trace;

/// Sessions a link and row of the table.
const CASES: u64 = 500;
/// Exchanges of a session.
const EXCHANGES: usize = 100;
/// Payload, bytes: the shortest packet of STAMP.
const SIZE: usize = 44;
/// Residence at the far end, ns.
const RESIDENCE_NS: f64 = 50_000.0;

/// A number from 0 to 1.
fn share(stream: &mut Stream) -> f64 {
    (stream.bits() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A number from `-most` to `most`.
fn around(stream: &mut Stream, most: f64) -> f64 {
    (2.0 * share(stream) - 1.0) * most
}

fn one_of(stream: &mut Stream, list: &[i64]) -> f64 {
    list[stream.below(list.len() as u64) as usize] as f64
}

/// Delays of both ways on the bench, ns.
fn delays(profile: &Profile) -> [Vec<i64>; 2] {
    let stimulus = Stimulus::Periodic(Periodic::new(Duration::from_ms(1_000), 300).asynchronous());
    let options = Options { traffic: Traffic::Both, ..Options::default() };
    let done = run(profile, SIZE, &stimulus, options).expect("it runs");
    let of = |channels: &[_]| {
        let trace = Trace { channels: channels.to_vec(), ..done.trace.clone() };
        pair(&trace, PairOptions::default()).latencies_ns()
    };
    let ways: Vec<Vec<i64>> = done.trace.channels.chunks(2).map(of).collect();
    ways.try_into().expect("two ways")
}

/// A simulated session.
struct Session {
    /// The stated interval contains the truth at every exchange.
    contains: bool,
    /// Stated uncertainty in the middle, ns.
    stated_ns: f64,
    /// Error in the middle, ns.
    error_ns: f64,
    /// The step exceeds every round trip, so that no exchange after it fits the clock before it.
    is_large: bool,
}

/// A session over these delays; with `steps` the far clock is set once.
fn session(delays: &[Vec<i64>; 2], seed: u64, steps: bool) -> Session {
    let mut draws = Stream::new(seed, "session");
    let slowest = delays.iter().flatten().copied().max().unwrap_or(0) as f64;
    let period_ns = 2.0 * slowest + 1e6;
    let (offset, skew) = (around(&mut draws, 1e9), around(&mut draws, 200e-6));
    let span_ns = period_ns * EXCHANGES as f64;
    let set_at = if steps { share(&mut draws) * span_ns } else { f64::INFINITY };
    let step = around(&mut draws, 1e9);
    let far = |at: f64| offset + skew * at + if at >= set_at { step } else { 0.0 };
    let exchanges: Vec<Exchange> = (0..EXCHANGES)
        .map(|nth| {
            let sent = nth as f64 * period_ns + share(&mut draws) * period_ns / 2.0;
            let received = sent + one_of(&mut draws, &delays[0]);
            let answered = received + RESIDENCE_NS;
            let arrived = answered + one_of(&mut draws, &delays[1]);
            Exchange {
                scheduled_ns: sent as i64,
                sent_ns: sent as i64,
                received_ns: (received + far(received)) as i64,
                answered_ns: (answered + far(answered)) as i64,
                arrived_ns: arrived as i64,
            }
        })
        .collect();
    let clock = Clock::of(&exchanges);
    let at = |one: &Exchange| {
        let piece = clock.at(one.sent_ns).expect("a piece");
        let error = piece.offset_ns(one.sent_ns) - far(one.sent_ns as f64);
        (error, piece.uncertainty_ns(one.sent_ns))
    };
    // The clock has no one offset during an exchange in which it is set. Stamps are cut to whole
    // nanoseconds.
    let is_torn =
        |one: &&Exchange| (one.sent_ns as f64) < set_at && set_at <= one.arrived_ns as f64;
    let contains = exchanges
        .iter()
        .filter(|one| !is_torn(one))
        .map(at)
        .all(|(error, stated)| error.abs() <= stated + 2.0);
    let (error_ns, stated_ns) = at(&exchanges[EXCHANGES / 2]);
    Session { contains, stated_ns, error_ns, is_large: step.abs() > 2.0 * slowest }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
fn the_stated_interval_contains_the_truth_on_every_link() {
    let mut kinds: Vec<Profile> = Vec::new();
    for name in registry::names().expect("right files") {
        let profile = registry::find(name).expect("a profile");
        let is_new = kinds.iter().all(|one| one.kind != profile.kind);
        if is_new && profile.bind().expect("a right profile").ways() == Ways::Both {
            kinds.push(profile);
        }
    }
    assert!(kinds.len() >= 7, "{} kinds", kinds.len());
    println!(
        "| link | least round trip, ms | contained | with a step | with one beyond any round trip | stated ±, ms | error, ms |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for profile in &kinds {
        let delays = delays(profile);
        let least: i64 = delays.iter().map(|way| way.iter().min().copied().unwrap_or(0)).sum();
        let sessions = |steps: bool| -> Vec<Session> {
            (0..CASES).map(|seed| session(&delays, seed, steps)).collect()
        };
        let contained = |sessions: &[&Session]| {
            let inside = sessions.iter().filter(|one| one.contains).count();
            inside as f64 / sessions.len() as f64
        };
        let (quiet, set) = (sessions(false), sessions(true));
        let (steady, stepped) = (
            contained(&quiet.iter().collect::<Vec<_>>()),
            contained(&set.iter().collect::<Vec<_>>()),
        );
        let large = contained(&set.iter().filter(|one| one.is_large).collect::<Vec<_>>());
        let stated = median(quiet.iter().map(|one| one.stated_ns).collect());
        let error = median(quiet.iter().map(|one| one.error_ns).collect());
        println!(
            "| {} | {:.3} | {:.1} % | {:.1} % | {:.1} % | {:.3} | {:+.3} |",
            profile.name,
            least as f64 / 1e6,
            100.0 * steady,
            100.0 * stepped,
            100.0 * large,
            stated / 1e6,
            error / 1e6
        );
        assert!(steady >= 0.99, "{}: {steady} without steps", profile.name);
        let both = f64::midpoint(steady, stepped);
        assert!(both >= 0.95, "{}: {both} of all sessions", profile.name);
        // A smaller step can leave a line that fits: see docs/probe.md.
        assert!(large >= 0.95, "{}: {large} with a step beyond any round trip", profile.name);
    }
}
