//! Regulatory limits: the transmissions of each radio of a run, checked against the rules of a region.
//!
//! For information only. Not legal advice. `docs/law.md` lists what is not checked.

use airlag_law::{Check, Compliance, Record, Region, Remedy, Ruling, Transmission, Verdict, judge};
use airlag_sim::Duration;

use crate::error::Error;
use crate::pace;
use airlag_rig::emissions::{Emission, Sender, emitted};
use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, Run};
use airlag_rig::stimulus::Stimulus;

/// Number of messages of a run that only checks regulatory limits.
const TRIGGERS: usize = 200;

/// Verdict on one radio.
#[derive(Clone, Debug, PartialEq)]
pub struct Radio {
    /// Name of the radio on the air.
    pub name: String,
    /// Time on air, as a share of all time.
    pub airtime: f64,
    /// One verdict for each band in use, worst first. Never empty.
    pub verdicts: Vec<Verdict>,
}

/// Verdict of a region on the transmissions of one run of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Region whose rules were checked.
    pub region: Region,
    /// Radios that transmitted, worst first. Among equal verdicts, the largest time on air comes
    /// first.
    pub radios: Vec<Radio>,
}

/// Converts the transmissions of a radio to the form of the rules.
#[must_use]
pub fn record(sender: &Sender) -> Record {
    let transmission = |&Emission { begin_ns, end_ns, low_khz, high_khz }: &Emission| {
        Transmission { begin_ns, end_ns, low_khz, high_khz }
    };
    Record::new(sender.emissions.iter().map(transmission).collect(), sender.observed_ns)
}

impl Radio {
    fn standing(&self) -> Compliance {
        airlag_law::standing(&self.verdicts)
    }
}

impl Judged {
    /// Checks transmissions against the rules of `region`. Returns `None` if no radio transmitted.
    ///
    /// # Errors
    ///
    /// [`Error`] if a parameter of the profile cannot be read.
    pub fn of(
        profile: &Profile,
        senders: &[Sender],
        region: Region,
    ) -> Result<Option<Self>, Error> {
        let (bound, mut radios) = (profile.bind()?, Vec::new());
        for sender in senders {
            let Some(transmitter) = bound.link().transmitter(&sender.name) else {
                continue;
            };
            let record = record(sender);
            let verdicts = judge(region, &transmitter, &record);
            if !verdicts.is_empty() {
                let airtime = record.share_within(u64::MAX);
                radios.push(Radio { name: sender.name.clone(), airtime, verdicts });
            }
        }
        radios.sort_by(|one, other| {
            let standing = other.standing().cmp(&one.standing());
            standing.then(other.airtime.total_cmp(&one.airtime))
        });
        Ok((!radios.is_empty()).then_some(Self { region, radios }))
    }

    /// Returns the verdict, with remedies that refer to the offered message rate. The offered rate is `times`
    /// the rate at which the run sent messages. On an overloaded link, the run sends fewer messages than
    /// offered, so any required reduction of the rate is larger by the factor `times`.
    #[must_use]
    pub fn at_rate(&self, times: f64) -> Self {
        let mut offered = self.clone();
        let verdicts = offered.radios.iter_mut().flat_map(|radio| &mut radio.verdicts);
        let rulings = verdicts
            .flat_map(|verdict| std::iter::once(&mut verdict.ruling).chain(&mut verdict.others));
        for check in rulings.flat_map(|ruling| &mut ruling.checks) {
            if let Some(Remedy::LowerRate(divisor)) = &mut check.remedy {
                *divisor *= times.max(1.0);
            }
        }
        offered
    }

    /// Returns the outcome for the worst radio.
    #[must_use]
    pub fn standing(&self) -> Compliance {
        self.radios.first().map_or(Compliance::Within, Radio::standing)
    }

    /// Whether no limit is exceeded.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.standing() < Compliance::NotAllowed
    }

    /// Returns the verdict on which the outcome depends.
    #[must_use]
    pub fn decisive(&self) -> Option<&Verdict> {
        self.radios.first().and_then(|radio| radio.verdicts.first())
    }

    /// Largest time on air of a radio, as a share of all time.
    #[must_use]
    pub fn airtime(&self) -> f64 {
        self.radios.iter().map(|radio| radio.airtime).fold(0.0, f64::max)
    }

    /// Returns the decisive check with its clause, and a remedy if the transmissions are not
    /// allowed.
    #[must_use]
    pub fn reason(&self) -> String {
        let Some(verdict) = self.decisive() else { return String::new() };
        let rule = verdict.ruling.rule;
        if verdict.standing() != Compliance::NotAllowed {
            let check = verdict.ruling.decisive();
            return format!("{rule}: {}", check.map_or_else(String::new, Check::to_string));
        }
        let broken = broken(&verdict.ruling);
        match self.mended() {
            Some(how) => format!("{rule}: {broken}; allowed {how}"),
            None => format!("{rule}: {broken}"),
        }
    }

    /// Returns the reduction of power and rate with which all transmissions comply with the most permissive
    /// rules, or `None` if no reduction suffices.
    #[must_use]
    pub fn mended(&self) -> Option<String> {
        let (mut divisor, mut reduction_db) = (1.0, 0.0);
        for check in self.rulings().flat_map(Ruling::broken) {
            match check.remedy? {
                Remedy::LowerRate(by) => divisor = by.max(divisor),
                Remedy::LowerPower(db) => reduction_db = db.max(reduction_db),
            }
        }
        let rate = (divisor > 1.0).then_some(Remedy::LowerRate(divisor));
        let power = (reduction_db > 0.0).then_some(Remedy::LowerPower(reduction_db));
        let remedies: Vec<String> = [rate, power].iter().flatten().map(Remedy::to_string).collect();
        (!remedies.is_empty()).then(|| remedies.join(" and "))
    }

    /// The most permissive rule for each band and radio.
    fn rulings(&self) -> impl Iterator<Item = &Ruling> {
        self.radios.iter().flat_map(|radio| &radio.verdicts).map(|verdict| &verdict.ruling)
    }

    /// Returns the reasons why the other rules of the deciding band do not allow the transmissions
    /// either, one reason for each rule.
    #[must_use]
    pub fn otherwise(&self) -> Vec<String> {
        let others = self.decisive().map_or(&[][..], |verdict| &verdict.others);
        let forbidden = others.iter().filter(|one| one.standing() == Compliance::NotAllowed);
        forbidden.map(|one| format!("{}: {}", one.rule, broken(one))).collect()
    }

    /// Whether these transmissions meet every limit that `base` meets. A link without a radio meets
    /// all limits.
    #[must_use]
    pub fn breaks_no_more_than(&self, base: Option<&Self>) -> bool {
        let before = base.map_or_else(Vec::new, Self::broken);
        self.broken().iter().all(|one| before.contains(one))
    }

    /// Exceeded limits of the most permissive rules, by quantity and clause.
    fn broken(&self) -> Vec<(&str, &'static str)> {
        let checks = self.rulings().flat_map(Ruling::broken);
        checks.map(|check| (check.quantity.as_str(), check.clause.number)).collect()
    }
}

/// Limits of a rule that are exceeded, as text.
fn broken(ruling: &Ruling) -> String {
    ruling.broken().map(Check::to_string).collect::<Vec<_>>().join("; ")
}

/// Runs a link and checks its transmissions against the rules of `region`. The verdict is `None` for a link
/// without a radio.
///
/// # Errors
///
/// Returns the errors of a run.
pub fn judged(
    profile: &Profile,
    size: usize,
    stimulus: &Stimulus,
    options: Options,
    region: Region,
) -> Result<(Run, Option<Judged>), Error> {
    let (run, senders) = emitted(profile, size, stimulus, options)?;
    Ok((run, Judged::of(profile, &senders, region)?))
}

/// A region whose rules a link has to comply with, and the message rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The region.
    pub region: Region,
    /// Time between messages. `None` means the default period of the link (`pace::period`).
    pub period: Option<Duration>,
    /// Random seed.
    pub seed: u64,
}

impl Condition {
    /// Checks a few messages of `size` bytes on the link of `profile` against the rules of the
    /// region.
    ///
    /// # Errors
    ///
    /// Returns the errors of a run.
    pub fn judge(&self, profile: &Profile, size: usize) -> Result<Option<Judged>, Error> {
        let period = match self.period {
            Some(period) => period,
            None => pace::period(profile, size, pace::service(profile, size, self.seed)?)?,
        };
        let options = Options { seed: self.seed, ..Options::default() };
        let stimulus = pace::uniform(period, TRIGGERS);
        Ok(judged(profile, size, &stimulus, options, self.region)?.1)
    }

    /// Whether `changed` meets every limit that the unchanged profile meets.
    #[must_use]
    pub fn breaks_no_more(&self, base: Option<&Judged>, changed: &Profile, size: usize) -> bool {
        let judged = self.judge(changed, size);
        judged.is_ok_and(|judged| judged.is_none_or(|judged| judged.breaks_no_more_than(base)))
    }
}
