//! Whether one may send like this: what each radio of a run sent, held against the rules of a region.
//!
//! Information for an engineer, not legal advice: see `docs/law.md` for what is left out.

use airlag_law::{Check, Record, Region, Remedy, Ruling, Standing, Transmission, Verdict, judge};
use airlag_sim::Duration;

use crate::error::Error;
use crate::pace;
use airlag_rig::emissions::{Emission, Sender, emitted};
use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, Run};
use airlag_rig::stimulus::Stimulus;

/// Messages sent where nothing but the law is asked for.
const TRIGGERS: usize = 200;

/// What a region says of one radio.
#[derive(Clone, Debug, PartialEq)]
pub struct Radio {
    /// What it is called on the air.
    pub name: String,
    /// Time it spends sending, as a share of all.
    pub airtime: f64,
    /// For each band it sends in, the worst first; there is at least one.
    pub verdicts: Vec<Verdict>,
}

/// What a region says of a link, as it was run.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Which region.
    pub region: Region,
    /// Each radio that sent, the worst first; of equals the one that sends most.
    pub radios: Vec<Radio>,
}

/// What a radio of a bench sent, as the rules see it.
#[must_use]
pub fn record(sender: &Sender) -> Record {
    let transmission = |&Emission { begin_ns, end_ns, low_khz, high_khz }: &Emission| {
        Transmission { begin_ns, end_ns, low_khz, high_khz }
    };
    Record::new(sender.emissions.iter().map(transmission).collect(), sender.observed_ns)
}

impl Radio {
    fn standing(&self) -> Standing {
        airlag_law::standing(&self.verdicts)
    }
}

impl Judged {
    /// What `region` says of what was sent; none where nothing with a radio was.
    ///
    /// # Errors
    ///
    /// Those of reading a profile.
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

    /// The same for a rate `times` as high as what was sent: where a link sends fewer messages than it is
    /// offered, the offered rate has to be reduced by as much more.
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

    /// That of the worst radio.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.radios.first().map_or(Standing::Within, Radio::standing)
    }

    /// True unless a limit is broken.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.standing() < Standing::NotAllowed
    }

    /// The verdict that decides.
    #[must_use]
    pub fn decisive(&self) -> Option<&Verdict> {
        self.radios.first().and_then(|radio| radio.verdicts.first())
    }

    /// The share of the radio that sends most.
    #[must_use]
    pub fn airtime(&self) -> f64 {
        self.radios.iter().map(|radio| radio.airtime).fold(0.0, f64::max)
    }

    /// What decides, with the clause, and what would mend it where it is not allowed.
    #[must_use]
    pub fn reason(&self) -> String {
        let Some(verdict) = self.decisive() else { return String::new() };
        let rule = verdict.ruling.rule;
        if verdict.standing() != Standing::NotAllowed {
            let check = verdict.ruling.decisive();
            return format!("{rule}: {}", check.map_or_else(String::new, Check::to_string));
        }
        let broken = broken(&verdict.ruling);
        match self.mended() {
            Some(how) => format!("{rule}: {broken}; allowed {how}"),
            None => format!("{rule}: {broken}"),
        }
    }

    /// What would make the kindest rules allow all of it, where less power and a lower rate suffice.
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
        let told: Vec<String> = [rate, power].iter().flatten().map(Remedy::to_string).collect();
        (!told.is_empty()).then(|| told.join(" and "))
    }

    /// The kindest rule of each band and radio.
    fn rulings(&self) -> impl Iterator<Item = &Ruling> {
        self.radios.iter().flat_map(|radio| &radio.verdicts).map(|verdict| &verdict.ruling)
    }

    /// Why the other rules of the band that decides do not allow it either, one each.
    #[must_use]
    pub fn otherwise(&self) -> Vec<String> {
        let others = self.decisive().map_or(&[][..], |verdict| &verdict.others);
        let forbidden = others.iter().filter(|one| one.standing() == Standing::NotAllowed);
        forbidden.map(|one| format!("{}: {}", one.rule, broken(one))).collect()
    }

    /// True if it breaks nothing that `base` keeps; a link without a radio keeps everything.
    #[must_use]
    pub fn breaks_no_more_than(&self, base: Option<&Self>) -> bool {
        let before = base.map_or_else(Vec::new, Self::broken);
        self.broken().iter().all(|one| before.contains(one))
    }

    /// What it breaks: quantities and places, of the kindest rules.
    fn broken(&self) -> Vec<(&str, &'static str)> {
        let checks = self.rulings().flat_map(Ruling::broken);
        checks.map(|check| (check.quantity.as_str(), check.clause.number)).collect()
    }
}

/// The limits that a rule does not see kept.
fn broken(ruling: &Ruling) -> String {
    ruling.broken().map(Check::to_string).collect::<Vec<_>>().join("; ")
}

/// A run, and what `region` says of it; none of a link without a radio.
///
/// # Errors
///
/// Those of a run.
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

/// A region whose rules a link has to keep, and how often it sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Which region.
    pub region: Region,
    /// From message to message; none: as long as the link needs.
    pub period: Option<Duration>,
    /// Root of every random number.
    pub seed: u64,
}

impl Condition {
    /// What the region says of a few messages of `size` bytes on the link of `profile`.
    ///
    /// # Errors
    ///
    /// Those of a run.
    pub fn judge(&self, profile: &Profile, size: usize) -> Result<Option<Judged>, Error> {
        let period = match self.period {
            Some(period) => period,
            None => pace::unhurried(pace::service(profile, size, self.seed)?),
        };
        let options = Options { seed: self.seed, ..Options::default() };
        let stimulus = pace::uniform(period, TRIGGERS);
        Ok(judged(profile, size, &stimulus, options, self.region)?.1)
    }

    /// True if `changed` breaks nothing that `profile` keeps as it is.
    #[must_use]
    pub fn breaks_no_more(&self, base: Option<&Judged>, changed: &Profile, size: usize) -> bool {
        let told = self.judge(changed, size);
        told.is_ok_and(|told| told.is_none_or(|told| told.breaks_no_more_than(base)))
    }
}
