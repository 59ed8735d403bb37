//! Calibration of a ranking: its tolerance and its odds, evaluated on sources that they were not
//! fitted to.
//!
//! ```text
//! cargo run --release --example ranking -- FOLDER --size --scores scores.tsv
//! cargo run --release --example ranking -- FOLDER --size --without-family --scores scores.tsv
//! cargo run --release --example calibration -- scores.tsv
//! ```
//!
//! A source is a folder of captures: one radio with one firmware. Each source in turn is left out.
//! The captures of all other sources determine two things: a tolerance, and the odds that an answer
//! is right. The tolerance is the largest score of a candidate that counts as an answer. The value
//! with the most right decisions, answer or refusal, is chosen. The odds follow from a logistic
//! regression (D. R. Cox, "The regression analysis of binary sequences", 1958) on two quantities.
//! The first quantity is the score of the answer. The second quantity is the difference between
//! this score and the score of the best candidate of another kind. The tolerance and the odds are
//! then evaluated on the source that was left out. The program prints Markdown tables; the last
//! table is for all sources together.

#![allow(clippy::print_stdout, reason = "tables are what it makes")]

use std::collections::BTreeSet;

use airlag_stats::interval::wilson;
use airlag_study::matching::TOLERANCE;

/// Smallest odds for which an answer has this name.
const WORDS: [(&str, f64); 3] = [("clear", 0.95), ("likely", 0.8), ("ambiguous", 0.0)];

/// Tolerances to try, thousandths.
const TOLERANCES: std::ops::RangeInclusive<usize> = 50..=600;

/// Penalty on large weights: with so few captures, certainty is not justified.
const RIDGE: f64 = 0.02;

/// A ranking.
#[derive(Clone, Debug)]
struct Ranked {
    source: String,
    /// Whether a profile of the capture's family was among those ranked.
    able: bool,
    /// Whether the first candidate is of the capture's family.
    own: bool,
    /// Whether the first candidate has the same kind as the link of the capture. Two Wi-Fi links of
    /// the same boards have the same kind, even if their protocols or settings differ. `next` is
    /// the score of a candidate of another kind, so the odds refer to the kind and not to the
    /// profile.
    kind: bool,
    near: bool,
    score: f64,
    next: f64,
}

impl Ranked {
    fn read(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        let source = fields.next()?.to_owned();
        let mut rest = fields.skip(1);
        let mut is = || Some(rest.next()? == "true");
        let (able, own, near) = (is()?, is()?, is()?);
        let mut number = || rest.next()?.parse().ok();
        let (score, next) = (number()?, number()?);
        let kind = rest.next()? == "true";
        Some(Self { source, able, own, kind, near, score, next })
    }

    fn answers(&self, tolerance: f64) -> bool {
        self.near && self.score <= tolerance
    }

    /// Whether the answer is right: the kind of the capture if it was ranked, otherwise none.
    fn is_right(&self, tolerance: f64) -> bool {
        if self.able { self.kind && self.answers(tolerance) } else { !self.answers(tolerance) }
    }

    /// The constant 1, the score, and the distance to the next kind.
    fn features(&self) -> [f64; 3] {
        [1.0, self.score, self.next - self.score]
    }
}

/// Midpoint of the tolerances with the most right decisions on `all`.
fn tolerance(all: &[&Ranked]) -> f64 {
    let right = |thousandths: usize| {
        all.iter().filter(|one| one.is_right(thousandths as f64 / 1e3)).count()
    };
    let most = TOLERANCES.map(right).max().unwrap_or(0);
    let best: Vec<usize> = TOLERANCES.filter(|&one| right(one) == most).collect();
    best.get(best.len() / 2).map_or(0.0, |&middle| middle as f64 / 1e3)
}

/// The odds that an answer is right.
fn odds(weights: [f64; 3], features: [f64; 3]) -> f64 {
    let sum: f64 = weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// Weights of maximum likelihood for the answers of `all`, by gradient descent.
fn weights(all: &[&Ranked]) -> [f64; 3] {
    let answers: Vec<&Ranked> = all.iter().copied().filter(|one| one.near).collect();
    let mut weights = [0.0; 3];
    for _ in 0..40_000 {
        let mut slope = [0.0; 3];
        for one in &answers {
            let features = one.features();
            let off = odds(weights, features) - f64::from(u8::from(one.able && one.kind));
            slope.iter_mut().zip(features).for_each(|(slope, feature)| *slope += off * feature);
        }
        for (nth, weight) in weights.iter_mut().enumerate() {
            let cost = if nth == 0 { 0.0 } else { RIDGE * *weight };
            *weight -= 2.0 * (slope[nth] + cost) / answers.len().max(1) as f64;
        }
    }
    weights
}

fn word(odds: f64) -> &'static str {
    WORDS.iter().find(|(_, least)| odds >= *least).map_or("", |(word, _)| word)
}

fn main() {
    let mut all = Vec::new();
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a file of scores");
        all.extend(text.lines().filter_map(Ranked::read));
    }
    if all.is_empty() {
        println!("calibration SCORES...");
        return;
    }
    let sources: BTreeSet<&str> = all.iter().map(|one| one.source.as_str()).collect();
    println!(
        "| source left out | tolerance | its kind named | its family named | refused rightly |"
    );
    println!("|---|---:|---:|---:|---:|");
    // An answer, its odds, and whether it is right.
    let mut judged: Vec<(f64, bool)> = Vec::new();
    let mut sums = [0; 5];
    for source in &sources {
        let (one, others): (Vec<&Ranked>, Vec<&Ranked>) =
            all.iter().partition(|each| each.source == *source);
        let (tolerance, weights) = (tolerance(&others), weights(&others));
        let count = |able: bool| {
            let kind = one.iter().filter(|each| each.able == able);
            let right = kind.clone().filter(|each| each.is_right(tolerance)).count();
            [right, kind.count()]
        };
        let ([named, of], [refused, without]) = (count(true), count(false));
        let families = one.iter().filter(|each| each.able && each.own && each.answers(tolerance));
        let families = families.count();
        println!(
            "| {source} | {tolerance:.3} | {named} of {of} | {families} of {of} | {refused} of {without} |"
        );
        let counts = [named, of, families, refused, without];
        counts.iter().zip(&mut sums).for_each(|(add, sum)| *sum += add);
        let answers = one.iter().filter(|each| each.answers(tolerance));
        judged.extend(answers.map(|each| (odds(weights, each.features()), each.able && each.kind)));
    }
    let [named, of, families, refused, without] = sums;
    println!("| all | | {named} of {of} | {families} of {of} | {refused} of {without} |");
    let count = |able: bool| {
        all.iter().filter(|each| each.able == able && each.is_right(TOLERANCE)).count()
    };
    let first = all.iter().filter(|each| each.able && each.kind).count();
    println!(
        "\nWith the program's tolerance of {TOLERANCE}, the right kind is named in {} of {of} rankings, and {} of {without} \
         are correctly rejected. The first candidate is of the right kind in {first} of {of} rankings, whatever its `score`.",
        count(true),
        count(false)
    );
    println!(
        "\n| `certainty` | answers | right | 95 % interval | mean odds |\n|---|---:|---:|---:|---:|"
    );
    for (name, _) in WORDS {
        row(name, judged.iter().filter(|(odds, _)| word(*odds) == name));
    }
    println!("\n| odds | answers | right | 95 % interval | mean odds |\n|---|---:|---:|---:|---:|");
    for (low, high) in [(0.0, 0.5), (0.5, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 0.99), (0.99, 1.1)]
    {
        let name = format!("{low:.2} to {:.2}", f64::min(high, 1.0));
        row(&name, judged.iter().filter(|(odds, _)| (low..high).contains(odds)));
    }
    let all: Vec<&Ranked> = all.iter().collect();
    let [constant, score, behind] = weights(&all);
    println!(
        "\nFor all sources together, the tolerance is {:.3} and the log odds are {constant:.2} {score:+.2} `score` {behind:+.2} `behind`.",
        tolerance(&all)
    );
}

/// Number of answers, share of right ones with its Wilson interval, and mean of the stated odds.
fn row<'a>(name: &str, answers: impl Iterator<Item = &'a (f64, bool)>) {
    let answers: Vec<&(f64, bool)> = answers.collect();
    let (many, right) = (answers.len(), answers.iter().filter(|(_, right)| *right).count());
    let Some((low, high)) = wilson(right, many) else {
        println!("| {name} | 0 | | | |");
        return;
    };
    let mean = answers.iter().map(|(odds, _)| odds).sum::<f64>() / many as f64;
    let share = 100.0 * right as f64 / many as f64;
    let (low, high) = (100.0 * low, 100.0 * high);
    println!("| {name} | {many} | {right} ({share:.0} %) | {low:.0} to {high:.0} % | {mean:.2} |");
}
