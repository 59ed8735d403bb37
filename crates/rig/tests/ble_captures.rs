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

struct Fit {
    ks: f64,
    tick_phase: f64,
    sender_ppb: i64,
    anchor_phase: f64,
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
    let central_ppb = -((ppm - own) * 1e3).round() as i64;
    let notifies = link.contains("notify");
    let ticks = base.constants().any(|one| one.name == "trigger_notice" && one.value.to_string() == "\"tick\"");
    let period = nominal * (1.0 + ppm / 1e6);
    let where_seen = fold(&seen, period).1;

    let run = |anchor: f64, tick: f64, sender_ppb: i64| {
        let (sender, receiver) =
            if notifies { (sender_ppb, central_ppb) } else { (central_ppb, sender_ppb) };
        let mut profile = base.clone();
        for (name, value) in [
            ("anchor_phase", anchor.rem_euclid(1.0).to_string()),
            ("tick_phase", tick.rem_euclid(1.0).to_string()),
            ("sender_ppb", sender.to_string()),
            ("receiver_ppb", receiver.to_string()),
        ] {
            profile.set(name, &value).expect("a right value");
        }
        bench::transfers(&bench::bench(&profile, size, &Stimulus::At(times.clone()), 1))
    };
    let try_one = |anchor: f64, tick: f64, sender_ppb: i64| {
        let mut ours = run(anchor, tick, sender_ppb).latencies_ns();
        ours.sort_unstable();
        let ks = ks_distance(&latencies, &ours);
        Fit { ks, tick_phase: tick, sender_ppb, anchor_phase: anchor.rem_euclid(1.0), ours }
    };
    let begun = run(0.0, 0.0, 0);
    let ours = completions(&begun, 0);
    let anchor = where_seen - fold(&ours, period).1;
    let mut best = try_one(anchor, 0.0, 0);
    let consider = |best: &mut Fit, other: Fit| {
        if other.ks < best.ks {
            *best = other;
        }
    };
    if ticks {
        for nth in 0..25 {
            consider(&mut best, try_one(anchor, f64::from(nth) / 25.0, 0));
        }
    }
    for _ in 0..3 {
        let (a, t, p) = (best.anchor_phase, best.tick_phase, best.sender_ppb);
        for step in [-0.04, -0.02, -0.01, -0.003, 0.003, 0.01, 0.02, 0.04] {
            consider(&mut best, try_one(a + step, t, p));
            if ticks {
                consider(&mut best, try_one(a, t + step, p));
            }
        }
        if ticks && notifies {
            for step in [-10_000, -3_000, 3_000, 10_000] {
                consider(&mut best, try_one(a, t, p + step));
            }
        }
    }
    Some((latencies, best))
}

#[test]
fn table() {
    let list = std::fs::read_to_string("/tmp/ble_rows").expect("list");
    for row in list.lines() {
        let w: Vec<&str> = row.split_whitespace().collect();
        let Some((real, fit)) = fit(w[0], w[1].parse().expect("n"), w[2], w[3], &w[4..].iter().map(|c| c.split_once('=').expect("=")).collect::<Vec<_>>()) else { continue };
        let q = |v: &[i64]| [0.0, 0.01, 0.25, 0.5, 0.75, 0.99].map(|p| (quantile(v, p) / 1e4).round() / 100.0);
        println!("{} {} {} {:?}\n   ks {:.3} tick {:.3} anchor {:.3} sender {} n {}/{}\n   {:?}\n   {:?}", w[0], w[1], w[3], &w[4..], fit.ks, fit.tick_phase, fit.anchor_phase, fit.sender_ppb, fit.ours.len(), real.len(), q(&real), q(&fit.ours));
    }
}
