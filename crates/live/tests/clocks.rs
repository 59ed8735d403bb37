//! How often the stated interval of a far clock's offset contains the truth, over the delays of every
//! link of the virtual bench that goes both ways.
//!
//! `cargo test -p airlag-live --test all clocks -- --nocapture` prints the table of docs/probe.md.

use airlag_kinds::registry;
use airlag_rig::kind::Ways;
use airlag_rig::run::Traffic;
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Profile, Stimulus, run};
use airlag_sim::Duration;
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

/// Numbers from 0 to 1 (Steele, Lea and Flood, SplitMix64, 2014).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn around(&mut self, most: f64) -> f64 {
        (2.0 * self.next() - 1.0) * most
    }

    fn of(&mut self, list: &[i64]) -> f64 {
        list[(self.next() * list.len() as f64) as usize] as f64
    }
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

/// A session over these delays, and whether the interval contains the truth at every exchange; its
/// largest stated uncertainty, and its error in the middle, ns.
fn session(delays: &[Vec<i64>; 2], seed: u64, steps: bool) -> (bool, f64, f64) {
    let mut draws = Draws(seed);
    let slowest = delays.iter().flatten().copied().max().unwrap_or(0) as f64;
    let period_ns = 2.0 * slowest + 1e6;
    let (offset, skew) = (draws.around(1e9), draws.around(200e-6));
    let set_at = if steps { draws.next() * period_ns * EXCHANGES as f64 } else { f64::INFINITY };
    let step = draws.around(1e9);
    let far = |at: f64| offset + skew * at + if at >= set_at { step } else { 0.0 };
    let exchanges: Vec<Exchange> = (0..EXCHANGES)
        .map(|nth| {
            let sent = nth as f64 * period_ns + draws.next() * period_ns / 2.0;
            let received = sent + draws.of(&delays[0]);
            let answered = received + RESIDENCE_NS;
            let arrived = answered + draws.of(&delays[1]);
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
    let (error, stated) = at(&exchanges[EXCHANGES / 2]);
    (contains, stated, error)
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
        "| link | least round trip, ms | contained | with a step | stated ±, ms | error, ms |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    for profile in &kinds {
        let delays = delays(profile);
        let least: i64 = delays.iter().map(|way| way.iter().min().copied().unwrap_or(0)).sum();
        let contained = |steps| {
            let sessions: Vec<_> = (0..CASES).map(|seed| session(&delays, seed, steps)).collect();
            let inside = sessions.iter().filter(|one| one.0).count() as f64 / CASES as f64;
            let stated = median(sessions.iter().map(|one| one.1).collect());
            (inside, stated, median(sessions.iter().map(|one| one.2).collect()))
        };
        let (steady, stated, error) = contained(false);
        let (stepped, ..) = contained(true);
        println!(
            "| {} | {:.3} | {:.1} % | {:.1} % | {:.3} | {:+.3} |",
            profile.name,
            least as f64 / 1e6,
            100.0 * steady,
            100.0 * stepped,
            stated / 1e6,
            error / 1e6
        );
        assert!(steady >= 0.99, "{}: {steady} without steps", profile.name);
        // A step smaller than a round trip can leave a line that fits: see docs/probe.md.
        let both = f64::midpoint(steady, stepped);
        assert!(both >= 0.95, "{}: {both} of all sessions", profile.name);
    }
}
