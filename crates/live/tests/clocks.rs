//! Coverage of the stated interval of a far clock's offset, with the delays of every bidirectional link of the
//! virtual bench.
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

/// Sessions per link and column of the table.
const CASES: u64 = 1000;
/// Exchanges per session.
const EXCHANGES: usize = 100;
/// Maximum change of the skew during a drifting session, and the duration of that session, ns: a crystal whose
/// temperature changes by 10 degrees in ten minutes.
const DRIFT: f64 = 10e-6;
const DRIFT_SPAN_NS: f64 = 600e9;
/// Payload, bytes: the shortest STAMP packet.
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

/// Delays of both directions on the bench, ns.
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

/// Behaviour of the far clock during a session, in addition to its offset and skew.
#[derive(Clone, Copy, PartialEq)]
enum Far {
    Steady,
    /// It steps once, by up to this many ns.
    Set(f64),
    /// Its skew changes linearly by up to this much during the session.
    Drifting(f64),
}

/// A simulated session.
struct Session {
    /// The stated interval contains the true offset at every exchange.
    contains: bool,
    /// Stated uncertainty at the middle exchange, ns.
    stated_ns: f64,
    /// Error at the middle exchange, ns.
    error_ns: f64,
    /// Largest stated uncertainty, ns.
    largest_ns: f64,
}

/// Simulates a session with these delays, one message per `period_ns`.
fn session(delays: &[Vec<i64>; 2], seed: u64, kind: Far, period_ns: f64) -> Session {
    let mut draws = Stream::new(seed, "session");
    let (offset, skew) = (around(&mut draws, 1e9), around(&mut draws, 200e-6));
    let span_ns = period_ns * EXCHANGES as f64;
    let (set_at, step, drift) = match kind {
        Far::Steady => (f64::INFINITY, 0.0, 0.0),
        Far::Set(most) => (share(&mut draws) * span_ns, around(&mut draws, most), 0.0),
        Far::Drifting(most) => (f64::INFINITY, 0.0, around(&mut draws, most) / span_ns),
    };
    let far = |at: f64| {
        offset + skew * at + drift * at * at / 2.0 + if at >= set_at { step } else { 0.0 }
    };
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
        (error, clock.uncertainty_ns(one).expect("it is complete"))
    };
    // An exchange during which the clock steps has no single offset. Timestamps are truncated to
    // whole nanoseconds.
    let is_torn =
        |one: &&Exchange| (one.sent_ns as f64) < set_at && set_at <= one.arrived_ns as f64;
    let contains = exchanges
        .iter()
        .filter(|one| !is_torn(one))
        .map(at)
        .all(|(error, stated)| error.abs() <= stated + 2.0);
    let (error_ns, stated_ns) = at(&exchanges[EXCHANGES / 2]);
    let largest_ns = clock.largest_uncertainty_ns(&exchanges).expect("it is complete");
    Session { contains, stated_ns, error_ns, largest_ns }
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
        "| link | least round trip, ms | steady | set by up to 1 s | set by up to the least round trip | drifting | stated ±, ms | largest ±, ms | error, ms |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let mut wrong = Vec::new();
    for profile in &kinds {
        let delays = delays(profile);
        let least: i64 = delays.iter().map(|way| way.iter().min().copied().unwrap_or(0)).sum();
        let slowest = delays.iter().flatten().copied().max().unwrap_or(0) as f64;
        let sessions = |kind: Far, period_ns: f64| -> Vec<Session> {
            (0..CASES).map(|seed| session(&delays, seed, kind, period_ns)).collect()
        };
        let contained = |sessions: &[Session]| {
            let inside = sessions.iter().filter(|one| one.contains).count();
            inside as f64 / sessions.len() as f64
        };
        let quick = 2.0 * slowest + 1e6;
        let steady = sessions(Far::Steady, quick);
        let shares = [
            contained(&steady),
            contained(&sessions(Far::Set(1e9), quick)),
            contained(&sessions(Far::Set(least as f64), quick)),
            contained(&sessions(Far::Drifting(DRIFT), DRIFT_SPAN_NS / EXCHANGES as f64)),
        ];
        let middle = |value: fn(&Session) -> f64| median(steady.iter().map(value).collect()) / 1e6;
        println!(
            "| {} | {:.3} | {} | {:.3} | {:.3} | {:+.3} |",
            profile.name,
            least as f64 / 1e6,
            shares.map(|share| format!("{:.1} %", 100.0 * share)).join(" | "),
            middle(|one| one.stated_ns),
            middle(|one| one.largest_ns),
            middle(|one| one.error_ns)
        );
        let least = shares.into_iter().fold(1.0, f64::min);
        if shares[0] < 0.99 || least < 0.95 {
            wrong.push(profile.name.clone());
        }
    }
    assert!(wrong.is_empty(), "the interval is too narrow on {wrong:?}");
}
