//! The virtual bench against real captures of Bluetooth LE, each under the capture's own trigger
//! times.
//!
//! Free in each capture are what nobody wrote down: where the anchor points and the tick stand, and
//! how far the crystals are off. The anchor points are read off the completions; tick and crystal of
//! the sending board are scanned.

#![allow(clippy::print_stdout, reason = "the table is what a reader wants")]

mod bench;

use std::f64::consts::TAU;

use airlag_rig::{Profile, Stimulus};
use airlag_stats::Transfers;
use airlag_stats::pair::{Outcome, PairOptions, pair};
use airlag_trace::{ReadOptions, read};
use bench::{ks_distance, profile, quantile};

/// From the bench being ready to the first trigger.
const LEAD_NS: i64 = 10_000_000;

fn captured(folder: &str, file: &str) -> Option<Transfers> {
    let path = bench::captures()?.join(folder).join(format!("{file}.csv"));
    if !path.is_file() {
        return None;
    }
    let trace = read(&path, &ReadOptions::default()).expect("a capture");
    Some(pair(&trace, PairOptions::default()))
}

/// Completions after the first trigger less `LEAD_NS`, ns.
fn completions(transfers: &Transfers, first: i64) -> Vec<f64> {
    let pairs = transfers.completion_ns.iter().zip(&transfers.outcome);
    let delivered = pairs.filter(|(_, outcome)| **outcome == Outcome::Delivered);
    delivered.map(|(at, _)| (at - first) as f64).collect()
}

/// How sharply `times` fold on `period`, and where.
fn fold(times: &[f64], period: f64) -> (f64, f64) {
    let (mut x, mut y) = (0.0, 0.0);
    for time in times {
        let angle = TAU * (time / period).fract();
        (x, y) = (x + angle.cos(), y + angle.sin());
    }
    let n = times.len() as f64;
    ((x * x + y * y).sqrt() / n, y.atan2(x).rem_euclid(TAU) / TAU)
}

/// Parts per million by which the grid of `times` is longer than `nominal_ns`.
fn excess_ppm(times: &[f64], nominal_ns: f64) -> f64 {
    let best = |from: f64, to: f64, step: f64| {
        let steps = ((to - from) / step) as i32;
        let at = |nth: i32| from + f64::from(nth) * step;
        let sharp = |ppm: f64| fold(times, nominal_ns * (1.0 + ppm / 1e6)).0;
        (0..=steps).map(at).max_by(|a, b| sharp(*a).total_cmp(&sharp(*b))).expect("some")
    };
    let coarse = best(-150.0, 150.0, 0.5);
    best(coarse - 0.5, coarse + 0.5, 0.02)
}

/// What a capture leaves free.
#[derive(Clone, Copy, Debug)]
struct Free {
    anchor_phase: f64,
    tick_phase: f64,
    /// The crystal behind the tick, and the one behind the anchor points.
    tick_ppb: i64,
    central_ppb: i64,
}

struct Fit {
    ks: f64,
    free: Free,
    ours: Vec<i64>,
}

fn number(profile: &Profile, name: &str) -> f64 {
    let constant = profile.constants().find(|one| one.name == name).expect("a parameter");
    constant.value.to_string().parse().expect("a number")
}

fn fit(link: &str, size: usize, folder: &str, file: &str, changes: &[(&str,&str)]) -> Option<(Vec<i64>, Fit)> {
    let real = captured(folder, file)?;
    let first = real.trigger_ns[0] - LEAD_NS;
    let times: Vec<u64> = real.trigger_ns.iter().map(|at| (at - first) as u64).collect();
    let mut latencies = real.latencies_ns();
    latencies.sort_unstable();
    let seen = completions(&real, first);

    let base = profile(link, changes);
    let nominal = number(&base, "connection_interval") * 1e3;
    let ppm = excess_ppm(&seen, nominal);
    let own = number(&base, "interval_excess") / nominal * 1e6;
    let folded_ppb = -((ppm - own) * 1e3).round() as i64;
    let notifies = link.contains("notify");
    let ticks = base.constants().any(|one| one.name == "trigger_notice" && one.value.to_string() == "\"tick\"");
    let period = nominal * (1.0 + ppm / 1e6);
    let where_seen = fold(&seen, period).1;

    let run = |free: &Free| {
        // The central's crystal is also the tick's where the central sends.
        let (sender, receiver) =
            if notifies { (free.tick_ppb, free.central_ppb) } else { (free.central_ppb, 0) };
        let mut profile = base.clone();
        for (name, value) in [
            ("anchor_phase", free.anchor_phase.rem_euclid(1.0).to_string()),
            ("tick_phase", free.tick_phase.rem_euclid(1.0).to_string()),
            ("sender_ppb", sender.to_string()),
            ("receiver_ppb", receiver.to_string()),
        ] {
            profile.set(name, &value).expect("a right value");
        }
        bench::transfers(&bench::bench(&profile, size, &Stimulus::At(times.clone()), 1))
    };
    let fitted = |free: Free| {
        let mut ours = run(&free).latencies_ns();
        ours.sort_unstable();
        Fit { ks: ks_distance(&latencies, &ours), free, ours }
    };
    let mut best: Option<Fit> = None;
    let consider = |best: &mut Option<Fit>, free: Free| {
        let other = fitted(free);
        if best.as_ref().is_none_or(|best| other.ks < best.ks) {
            *best = Some(other);
        }
    };
    for central_ppb in [folded_ppb, 0] {
        let begun = Free { anchor_phase: 0.0, tick_phase: 0.0, tick_ppb: 0, central_ppb };
        let offset = where_seen - fold(&completions(&run(&begun), 0), period).1;
        for tick in 0..if ticks { 50 } else { 1 } {
            let tick_phase = f64::from(tick) / 50.0;
            consider(&mut best, Free { anchor_phase: offset, tick_phase, ..begun });
        }
    }
    for step in [0.05, 0.02, 0.01, 0.005] {
        for (anchor, tick, tick_ppm, central_ppm) in [
            (1.0, 0.0, 0, 0),
            (-1.0, 0.0, 0, 0),
            (0.0, 1.0, 0, 0),
            (0.0, -1.0, 0, 0),
            (1.0, 1.0, 0, 0),
            (-1.0, -1.0, 0, 0),
            (0.0, 0.0, 4, 0),
            (0.0, 0.0, -4, 0),
            (0.0, 0.0, 0, 4),
            (0.0, 0.0, 0, -4),
        ] {
            let at = best.as_ref().expect("considered").free;
            if ticks || (tick == 0.0 && tick_ppm == 0 && central_ppm == 0) {
                let free = Free {
                    anchor_phase: at.anchor_phase + anchor * step,
                    tick_phase: at.tick_phase + tick * step,
                    tick_ppb: at.tick_ppb + tick_ppm * 1_000,
                    central_ppb: at.central_ppb + central_ppm * 1_000,
                };
                consider(&mut best, free);
            }
        }
    }
    Some((latencies, best?))
}

#[test]
fn table() {
    let list = std::fs::read_to_string("/tmp/ble_rows").expect("list");
    for row in list.lines() {
        let w: Vec<&str> = row.split_whitespace().collect();
        let Some((real, fit)) = fit(w[0], w[1].parse().expect("n"), w[2], w[3], &w[4..].iter().map(|c| c.split_once('=').expect("=")).collect::<Vec<_>>()) else { continue };
        let q = |v: &[i64]| [0.0, 0.01, 0.25, 0.5, 0.75, 0.99].map(|p| (quantile(v, p) / 1e4).round() / 100.0);
        println!("{} {} {} {:?}\n   ks {:.3} {:?} n {}/{}\n   {:?}\n   {:?}", w[0], w[1], w[3], &w[4..], fit.ks, fit.free, fit.ours.len(), real.len(), q(&real), q(&fit.ours));
    }
}
