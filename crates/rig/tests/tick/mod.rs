//! Holds a capture of a link whose sender polls its trigger once per tick against the virtual
//! bench: where the tick stood and how fast its crystal ran is fitted, the rest is the profile's.

#![allow(dead_code, reason = "each test uses its part")]

use airlag_rig::{Profile, Stimulus};
use airlag_stats::pair::{PairOptions, Transfers, pair};
use airlag_trace::{ReadOptions, read};

use crate::bench;

/// The tick of every ESP32 firmware here, ns.
const TICK_NS: f64 = 10e6;

/// A capture and the virtual one under its trigger times.
pub struct Match {
    /// Latencies captured, in the order of their triggers, ns.
    pub captured: Vec<i64>,
    /// Virtual latencies, in the order of their triggers, ns.
    pub ours: Vec<i64>,
    /// Where the sending board's tick stood, as a share of its period.
    pub tick_phase: f64,
    /// How fast the sending board's clock ran.
    pub sender_ppb: i64,
}

impl Match {
    /// Largest distance of the two distribution functions.
    pub fn ks_distance(&self) -> f64 {
        bench::ks_distance(&sorted(&self.captured), &sorted(&self.ours))
    }

    /// A quantile of both, ns: captured, ours.
    pub fn quantile(&self, p: f64) -> (f64, f64) {
        (bench::quantile(&sorted(&self.captured), p), bench::quantile(&sorted(&self.ours), p))
    }
}

pub fn sorted(latencies: &[i64]) -> Vec<i64> {
    let mut latencies = latencies.to_vec();
    latencies.sort_unstable();
    latencies
}

/// Transfers of a capture, or `None` where it is missing.
pub fn captured(folder: &str, name: &str) -> Option<Transfers> {
    let path = bench::captures()?.join(folder).join(format!("{name}.csv"));
    let trace = path.is_file().then(|| read(&path, &ReadOptions::default()).expect("a capture"))?;
    Some(pair(&trace, PairOptions::default()))
}

/// The trigger times of a capture.
pub fn stimulus(captured: &Transfers) -> Stimulus {
    let first = captured.trigger_ns[0] - 10_000_000;
    Stimulus::At(captured.trigger_ns.iter().map(|at| (at - first) as u64).collect())
}

/// Runs `profile` under the trigger times of `captured`, with the tick where the capture has it.
pub fn fit(captured: &Transfers, profile: &Profile, size: usize) -> Match {
    let stimulus = stimulus(captured);
    let theirs = captured.latencies_ns();
    let sender_ppb = sender_ppb(captured);
    let mut profile = profile.clone();
    profile.set("sender_ppb", &sender_ppb.to_string()).expect("within a crystal's range");
    let mut tick_phase = 0.0;
    // The first round lands within the width of the distribution, the second on its median.
    for round in 0..3 {
        profile.set("tick_phase", &format!("{tick_phase:.9}")).expect("a share");
        let run = bench::bench(&profile, size, &stimulus, 1);
        let ours = bench::transfers(&run).latencies_ns();
        assert_eq!(ours.len(), theirs.len(), "as many arrive");
        if round == 2 {
            return Match { captured: theirs, ours, tick_phase, sender_ppb };
        }
        let off = middle(theirs.iter().zip(&ours).map(|(real, ours)| (real - ours) as f64));
        tick_phase = (tick_phase + off / TICK_NS).rem_euclid(1.0);
    }
    unreachable!("the last round returns")
}

/// Middle of what repeats every tick: the median around the mean direction.
fn middle(offsets: impl Iterator<Item = f64>) -> f64 {
    let offsets: Vec<f64> = offsets.collect();
    let turn = std::f64::consts::TAU / TICK_NS;
    let (sin, cos) = offsets.iter().fold((0.0, 0.0), |(sin, cos), offset| {
        let angle = offset * turn;
        (sin + angle.sin(), cos + angle.cos())
    });
    let mean = f64::atan2(sin, cos) / turn;
    let mut around: Vec<f64> = offsets
        .iter()
        .map(|offset| (offset - mean + TICK_NS / 2.0).rem_euclid(TICK_NS) - TICK_NS / 2.0)
        .collect();
    around.sort_unstable_by(f64::total_cmp);
    mean + around[around.len() / 2]
}

/// How fast the sending board's clock ran: latency moves along a line by what the trigger's period
/// and as many ticks as it holds are apart.
fn sender_ppb(captured: &Transfers) -> i64 {
    let count = captured.trigger_ns.len();
    let span = (captured.trigger_ns[count - 1] - captured.trigger_ns[0]) as f64;
    let period = span / (count - 1) as f64;
    let ticks = (period / TICK_NS).round();
    let tick = period * (1.0 + slope(captured)) / ticks;
    ((TICK_NS / tick - 1.0) * 1e9).round() as i64
}

/// Median of the slopes between transfers far apart (Theil, 1950; Sen, 1968): retries and beacons
/// do not move it.
fn slope(captured: &Transfers) -> f64 {
    let points: Vec<(f64, f64)> = captured
        .trigger_ns
        .iter()
        .zip(&captured.completion_ns)
        .filter(|&(_, &completion)| completion != airlag_stats::NONE)
        .map(|(&trigger, &completion)| (trigger as f64, (completion - trigger) as f64))
        .collect();
    let half = points.len() / 2;
    let mut slopes: Vec<f64> = (0..half)
        .flat_map(|i| (i + half / 2..points.len()).step_by(7).map(move |j| (i, j)))
        .map(|(i, j)| (points[j].1 - points[i].1) / (points[j].0 - points[i].0))
        .collect();
    slopes.sort_unstable_by(f64::total_cmp);
    slopes[slopes.len() / 2]
}
