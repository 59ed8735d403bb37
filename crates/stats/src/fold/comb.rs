//! Spectrum of a comb of instants, and refinement of one of its lines.
//!
//! R(P) = |mean exp(2 pi i t / P)| is 1 if all instants lie on a lattice with period P, and about 1/sqrt(n)
//! otherwise (Rayleigh; Mardia and Jupp, *Directional Statistics*, section 6.3).

use realfft::RealFftPlanner;

/// Largest number of samples of the transform: 2^20 single-precision reals take some 10 ms.
const MAX_LEN: usize = 1 << 20;

/// Mean phasor of instants folded on a period: length R, and angle in turns.
#[must_use]
pub fn fold(instants: &[f64], period: f64) -> (f64, f64) {
    let (mut re, mut im) = (0.0, 0.0);
    for t in instants {
        let (s, c) = libm::sincos(std::f64::consts::TAU * (t / period).fract());
        re += c;
        im += s;
    }
    let n = instants.len().max(1) as f64;
    (libm::hypot(re, im) / n, libm::atan2(im, re) / std::f64::consts::TAU)
}

/// R at one period.
#[must_use]
pub fn concentration(instants: &[f64], period: f64) -> f64 {
    fold(instants, period).0
}

/// Earliest instant, and distance to the latest. Completions may be reordered.
fn extent(instants: &[f64]) -> (f64, f64) {
    let low = instants.iter().copied().fold(f64::INFINITY, f64::min);
    let high = instants.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low <= high { (low, high - low) } else { (0.0, 0.0) }
}

/// Coarse lines of a comb.
pub struct Lines {
    /// Period and R of each local maximum, strongest first. R is low by up to 40 %, because a line between
    /// two bins of the transform is split between them.
    pub lines: Vec<(f64, f64)>,
    /// Number of independent frequencies that were searched.
    pub trials: f64,
}

/// Finds lines whose mean resultant length R is at least `threshold`, at periods from `shortest` to
/// an eighth of the span: fewer than eight cycles cannot be distinguished from a trend.
#[must_use]
pub fn scan(instants: &[f64], shortest: f64, threshold: f64) -> Lines {
    let mut lines = Lines { lines: Vec::new(), trials: 1.0 };
    let (first, span) = extent(instants);
    if span <= 8.0 * shortest {
        return lines;
    }
    let len = ((3.0 * span / shortest) as usize).next_power_of_two().min(MAX_LEN);
    let step = span / (len - 1) as f64;
    let mut plan = RealFftPlanner::<f32>::new();
    let transform = plan.plan_fft_forward(len);
    let (mut comb, mut spectrum) = (transform.make_input_vec(), transform.make_output_vec());
    for t in instants {
        comb[((t - first) / step) as usize] += 1.0;
    }
    if transform.process(&mut comb, &mut spectrum).is_err() {
        return lines;
    }
    // Above 0.8 of Nyquist the bins attenuate the line.
    let highest = ((len as f64 * step / shortest) as usize).min(spectrum.len() * 4 / 5);
    let lowest = 8;
    if highest <= lowest {
        return lines;
    }
    lines.trials = (highest - lowest) as f64;
    let scale = 1.0 / (instants.len() as f32);
    let r: Vec<f32> = spectrum[..highest + 2].iter().map(|z| z.norm() * scale).collect();
    for k in lowest..=highest {
        if f64::from(r[k]) >= threshold && r[k] >= r[k - 1] && r[k] > r[k + 1] {
            lines.lines.push((len as f64 * step / k as f64, f64::from(r[k])));
        }
    }
    lines.lines.sort_by(|a, b| b.1.total_cmp(&a.1));
    lines
}

/// A sum of phasors that turns by a constant angle per frequency step.
struct Phasor {
    re: f64,
    im: f64,
    /// Sine and cosine of the angle.
    turn: (f64, f64),
}

impl Phasor {
    fn turned(self, angle: f64) -> Self {
        let (re, im) = turned((self.re, self.im), libm::sincos(angle));
        Self { re, im, ..self }
    }

    fn step(&mut self) {
        (self.re, self.im) = turned((self.re, self.im), self.turn);
    }
}

fn turned((re, im): (f64, f64), (sin, cos): (f64, f64)) -> (f64, f64) {
    (re * cos - im * sin, re * sin + im * cos)
}

/// Finds the maximum of the line nearest to `period`. Returns the period and its R.
///
/// The search for the maximum covers about half a frequency bin on either side of `1 / period`. The run is
/// divided into a few dozen stretches, and the phasors of the instants in each stretch are summed at
/// `1 / period`. At a nearby frequency, each of these sums is rotated in proportion to the frequency offset,
/// and the mean phasor of all instants is computed from the rotated sums. A refinement of the frequency
/// therefore needs only one pass over the instants.
#[must_use]
pub fn sharpen(instants: &[f64], period: f64) -> (f64, f64) {
    const STRETCHES: usize = 64;
    let (first, span) = extent(instants);
    let span = span.max(1.0);
    let (mut frequency, mut reach) = (1.0 / period, 0.6 / span);
    for _ in 0..3 {
        let mut stretch = [(0.0f64, 0.0f64, 0.0f64, 0.0f64); STRETCHES];
        for t in instants {
            let at = (t - first) / span;
            let one = &mut stretch[((at * STRETCHES as f64) as usize).min(STRETCHES - 1)];
            let (s, c) = libm::sincos(std::f64::consts::TAU * ((t - first) * frequency).fract());
            *one = (one.0 + c, one.1 + s, one.2 + (t - first), one.3 + 1.0);
        }
        // Each stretch turns by the same angle per offset step.
        let mut phasors: Vec<Phasor> = stretch
            .iter()
            .filter(|s| s.3 > 0.0)
            .map(|&(c, s, time, count)| {
                let turn = |offset: f64| std::f64::consts::TAU * offset * time / count;
                Phasor { re: c, im: s, turn: libm::sincos(turn(reach / 30.0)) }.turned(turn(-reach))
            })
            .collect();
        let power = |phasors: &mut [Phasor]| {
            let (mut re, mut im) = (0.0, 0.0);
            for phasor in phasors {
                re += phasor.re;
                im += phasor.im;
                phasor.step();
            }
            re * re + im * im
        };
        let best = (-30..=30)
            .map(|k| (f64::from(k) / 30.0 * reach, power(&mut phasors)))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        frequency += best.map_or(0.0, |b| b.0);
        reach /= 15.0;
    }
    let sharp = 1.0 / frequency;
    (sharp, concentration(instants, sharp))
}

/// Period, its standard error, and the spread of the instants around the lattice, by regression of the
/// instants on their cycle numbers. Instants a quarter of a period off are excluded.
#[must_use]
pub fn regress(instants: &[f64], period: f64) -> (f64, f64, f64) {
    let (_, angle) = fold(instants, period);
    let (mut cycles, mut off) = (Vec::new(), Vec::new());
    for t in instants {
        let cycle = (t / period - angle).round();
        let rest = t - (cycle + angle) * period;
        if rest.abs() < period / 4.0 {
            cycles.push(cycle);
            off.push(rest);
        }
    }
    let n = cycles.len() as f64;
    if n < 3.0 {
        return (period, f64::INFINITY, period);
    }
    let (mc, mo) = (cycles.iter().sum::<f64>() / n, off.iter().sum::<f64>() / n);
    let (mut cc, mut co) = (0.0, 0.0);
    for (c, o) in cycles.iter().zip(&off) {
        cc += (c - mc) * (c - mc);
        co += (c - mc) * (o - mo);
    }
    let slope = if cc > 0.0 { co / cc } else { 0.0 };
    let squares: f64 =
        cycles.iter().zip(&off).map(|(c, o)| (o - mo - slope * (c - mc)).powi(2)).sum();
    let sd = (squares / (n - 2.0)).sqrt();
    (period + slope, sd / cc.sqrt().max(1.0), sd)
}
