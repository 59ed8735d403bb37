//! Finding of triggers without a completion.

use super::delivered::{FALSE_ALARM, listed};
use super::{Finding, Name, Value};
use crate::dist::{Delivery, quantiles};
use crate::duration::nice;
use crate::interval::ln_choose;
use crate::pair::{Outcome, Transfers};

/// Smallest number of losses at the end that suggest a stopped receiver.
const TRAILING_FROM: usize = 3;

/// Returns the finding for any loss. There is no threshold. If the trigger period is below
/// `service_ns` (the latency of a single message, ns), the receiver is not the cause.
#[must_use]
pub fn lost_transfers(transfers: &Transfers, service_ns: Option<i64>) -> Option<Finding> {
    let losses = Losses::of(transfers)?;
    let pattern = &losses.pattern;
    let mut message = format!(
        "{} of {} triggers have no completion in their window: {} lost, {}.",
        losses.lost,
        losses.decided,
        percent(losses.ratio),
        losses.interval()
    );
    // If nothing completes after the losses, there is no next completion to pair them with.
    if pattern.runs > 0
        && let Some(text) = mispaired(transfers)
    {
        message.push_str(&text);
    }
    let hurried_ns = hurried(transfers, service_ns);
    message.push_str(&pattern.text(hurried_ns.is_some()));
    let mut evidence = losses.evidence(transfers);
    if let Some(index) = pattern.dead_from {
        evidence.push(("dead_from", Value::Int(index as i64)));
    }
    if let Some(service_ns) = hurried_ns {
        let advice = format!(
            "Trigger more than {} apart, the latency of a single message, before you look at losses, because the \
             link is overloaded.",
            nice(service_ns as f64)
        );
        return Some(Finding { name: Name::LostTransfers, evidence, message, advice });
    }
    let advice = if pattern.dead_from == Some(0) {
        "Find out why nothing arrives: wiring, channel, address, range, or a receiver that was never \
         started."
    } else if pattern.dead_from.is_some() {
        "Find out why the receiver stopped (re-arming after a frame, a full buffer, a reset). \
         The transfers before that are a valid run."
    } else if pattern.p < FALSE_ALARM {
        "Losses in clusters indicate interference, fading or a receiver that is busy for longer \
         than one transfer. Compare their times with other activity on the air."
    } else {
        "Report the delivery ratio together with the latency. The losses are scattered, which indicates \
         single lost frames: a low signal margin, or a receiver that re-arms late. With retries, these \
         messages would have a longer latency instead of being lost."
    };
    Some(Finding { name: Name::LostTransfers, evidence, message, advice: advice.to_owned() })
}

/// Latency of a single message, ns, if the median trigger period does not exceed it.
fn hurried(transfers: &Transfers, service_ns: Option<i64>) -> Option<i64> {
    let period_ns = transfers.trigger_period_ns()?;
    service_ns.filter(|&service_ns| period_ns <= service_ns)
}

/// Latencies that the losses would have with a naive pairing, in words.
fn mispaired(transfers: &Transfers) -> Option<String> {
    let period_ns = transfers.trigger_period_ns()?;
    let latencies = transfers.latencies_ns();
    let typical_ns = *quantiles(&latencies, &[0.5]).first()?;
    Some(format!(
        " Paired with the next completion, each would appear as a latency of about {}: one trigger \
         period of {} plus the usual {}.",
        nice(period_ns as f64 + typical_ns),
        nice(period_ns),
        nice(typical_ns)
    ))
}

/// Losses of a run with at least one.
pub(super) struct Losses {
    /// Number of losses.
    pub(super) lost: usize,
    /// Number of transfers with a known outcome.
    pub(super) decided: usize,
    /// Loss ratio, with its 95 % confidence interval.
    pub(super) ratio: f64,
    low: f64,
    high: f64,
    pattern: Pattern,
}

impl Losses {
    /// Counts the losses of a run. Returns `None` if nothing was lost.
    pub(super) fn of(transfers: &Transfers) -> Option<Self> {
        let lost = transfers.count(Outcome::Lost);
        let delivery = Delivery::of(transfers).filter(|_| lost > 0)?;
        Some(Self {
            lost,
            decided: delivery.delivered + delivery.lost,
            ratio: 1.0 - delivery.ratio,
            low: 1.0 - delivery.high,
            high: 1.0 - delivery.low,
            pattern: Pattern::of(transfers),
        })
    }

    /// Confidence interval in words.
    pub(super) fn interval(&self) -> String {
        format!("95 % interval {} to {}", percent(self.low), percent(self.high))
    }

    /// All values as evidence.
    pub(super) fn evidence(&self, transfers: &Transfers) -> Vec<(&'static str, Value)> {
        vec![
            ("count", Value::Int(self.lost as i64)),
            ("indices", listed(transfers.indices(Outcome::Lost))),
            ("ratio", Value::Float(self.ratio)),
            ("ratio_low", Value::Float(self.low)),
            ("ratio_high", Value::Float(self.high)),
            ("runs", Value::Int(self.pattern.runs as i64)),
            ("runs_p", Value::Float(self.pattern.p)),
        ]
    }
}

/// Distribution of the losses over the transfers.
struct Pattern {
    /// Index of the first trigger after the last completion, if the losses at the end are significant.
    dead_from: Option<usize>,
    /// Number of clusters of consecutive losses, without those at the end.
    runs: usize,
    /// Probability of so few clusters if losses are independent.
    p: f64,
}

impl Pattern {
    fn of(transfers: &Transfers) -> Self {
        let fates: Vec<(usize, bool)> = transfers
            .outcome
            .iter()
            .enumerate()
            .filter(|&(_, &outcome)| outcome != Outcome::Censored)
            .map(|(index, &outcome)| (index, outcome == Outcome::Lost))
            .collect();
        let alive = fates.iter().rposition(|&(_, lost)| !lost).map_or(0, |last| last + 1);
        let trailing = fates.len() - alive;
        let lost_before = fates[..alive].iter().filter(|&&(_, lost)| lost).count();
        // Loss ratio before the last completion by Laplace's rule of succession, which never gives 0.
        let ratio = (lost_before + 1) as f64 / (alive + 2) as f64;
        let accident = libm::pow(ratio, trailing as f64);
        let dead = trailing >= TRAILING_FROM && (alive == 0 || accident < FALSE_ALARM);
        let considered = if dead { &fates[..alive] } else { &fates[..] };
        let count = considered.iter().filter(|&&(_, lost)| lost).count();
        let mut runs = 0;
        let mut before = false;
        for &(_, lost) in considered {
            runs += usize::from(lost && !before);
            before = lost;
        }
        Self {
            dead_from: dead.then(|| fates[alive].0),
            runs,
            p: so_few_runs(runs, count, considered.len()),
        }
    }

    fn text(&self, hurried: bool) -> String {
        if let Some(index) = self.dead_from {
            let why = match index {
                _ if hurried => "",
                0 => ": the receiver was never started, or receives nothing",
                _ => ": the receiver stopped",
            };
            return format!(" Nothing completed from trigger {index} on{why}.");
        }
        if self.p < FALSE_ALARM {
            return format!(
                " They form {} clusters (p = {:.1e} for independent losses).",
                self.runs, self.p
            );
        }
        String::new()
    }
}

/// Probability that `lost` losses at random positions among `n` transfers form at most `runs` clusters.
///
/// The result is exact (W. L. Stevens, "Distribution of groups in a sequence of alternatives", Annals of
/// Eugenics 9 (1939) 10): C(lost-1, r-1) C(n-lost+1, r) of all C(n, lost) arrangements have `r` clusters.
fn so_few_runs(runs: usize, lost: usize, n: usize) -> f64 {
    if lost == 0 {
        return 1.0;
    }
    let (lost, n) = (lost as f64, n as f64);
    let ways = |r: f64| {
        if r > n - lost + 1.0 {
            return 0.0;
        }
        libm::exp(
            ln_choose(lost - 1.0, r - 1.0) + ln_choose(n - lost + 1.0, r) - ln_choose(n, lost),
        )
    };
    (1..=runs).map(|r| ways(r as f64)).sum::<f64>().min(1.0)
}

pub(super) fn percent(ratio: f64) -> String {
    let digits = if ratio >= 0.1 { 1 } else { 2 };
    format!("{:.digits$} %", ratio * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{Noise, run_with_losses};

    const MS: i64 = 1_000_000;

    fn run_losing(n: usize, mut lose: impl FnMut(usize) -> bool) -> Transfers {
        let fates: Vec<Option<i64>> =
            (0..n).map(|index| (!lose(index)).then_some(20 * MS)).collect();
        run_with_losses(250 * MS, &fates)
    }

    fn int(finding: &Finding, key: &str) -> Option<i64> {
        finding.evidence.iter().find(|(name, _)| *name == key).map(|(_, value)| match value {
            Value::Int(int) => *int,
            other => panic!("{key} is {other:?}"),
        })
    }

    #[test]
    fn a_run_without_losses_has_none() {
        assert_eq!(lost_transfers(&run_losing(50, |_| false), None), None);
        assert_eq!(lost_transfers(&Transfers::default(), None), None);
    }

    #[test]
    fn one_loss_is_counted_and_its_disguise_is_named() {
        let found = lost_transfers(&run_losing(1_000, |index| index == 17), None).unwrap();
        assert_eq!(int(&found, "count"), Some(1));
        assert_eq!(found.evidence[1].1, Value::List(vec![17]));
        assert_eq!(int(&found, "dead_from"), None);
        assert!(found.message.contains("270 ms"), "{}", found.message);
    }

    #[test]
    fn a_receiver_that_stops_is_said_to_stop() {
        let run = run_losing(1_000, |index| [5, 90, 200].contains(&index) || index >= 296);
        let found = lost_transfers(&run, None).unwrap();
        assert_eq!(int(&found, "dead_from"), Some(296));
        assert_eq!(int(&found, "runs"), Some(3));
        assert!(found.message.contains("the receiver stopped"), "{}", found.message);
        let never = lost_transfers(&run_losing(10, |_| true), None).unwrap();
        assert_eq!(int(&never, "dead_from"), Some(0));
        assert!(never.message.contains("never started"), "{}", never.message);
    }

    #[test]
    fn a_link_that_is_given_more_than_it_carries_is_no_receiver_that_stopped() {
        let run = run_losing(1_000, |index| index >= 296);
        let of_end = lost_transfers(&run, None).unwrap().message;
        assert!(!of_end.contains("next completion"), "{of_end}");
        let blamed = |service_ns| {
            let found = lost_transfers(&run, Some(service_ns)).unwrap();
            let text = format!("{} {}", found.message, found.advice);
            (text.contains("receiver"), text.contains("Trigger more than"))
        };
        assert_eq!(blamed(250 * MS), (false, true));
        assert_eq!(blamed(249 * MS), (true, false));
    }

    #[test]
    fn clumps_are_told_from_scattered_losses() {
        let clumped = run_losing(1_000, |index| index % 100 < 5);
        assert!(lost_transfers(&clumped, None).unwrap().message.contains("clusters"));
        let mut alarms = 0;
        for seed in 0..500 {
            let mut noise = Noise::seed(seed);
            let ratio = [0.01, 0.05, 0.3, 0.7][seed as usize % 4];
            let scattered = run_losing(400, |_| noise.uniform() < ratio);
            if let Some(found) = lost_transfers(&scattered, None) {
                let stopped = int(&found, "dead_from").is_some();
                alarms += usize::from(stopped || found.message.contains("clusters"));
            }
        }
        assert_eq!(alarms, 0);
    }

    #[test]
    fn the_number_of_stretches_has_the_exact_distribution() {
        // Two losses in four places are adjacent in 3 of 6 combinations.
        assert!((so_few_runs(1, 2, 4) - 0.5).abs() < 1e-12);
        assert!((so_few_runs(2, 2, 4) - 1.0).abs() < 1e-12);
    }
}
