//! What the bench sees of a candidate: at one place, or over a distance at many.

use airlag_sim::Duration;
use airlag_stats::deadline::{self, Judgement, Requirement, transfers_for};
use airlag_stats::pair::{PairOptions, pair};
use airlag_stats::places::{Asked, Places};

use super::{Largest, MOST_TRIGGERS, TRIGGERS, Task, largest::largest};
use crate::charge::{Charge, charge};
use crate::error::Error;
use crate::pace;
use airlag_rig::places::{apart, at_mean, run_at};
use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, run};

/// Places at which a link is judged whose places differ: of as many, 95 % confidence in nine of ten is
/// reached with one that fails (Clopper and Pearson: 59 of 60 are more than 91 %).
pub const PLACES: usize = 60;

/// What the bench saw of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Messages sent.
    pub triggers: usize,
    /// What they say, of all places together.
    pub judgement: Judgement,
    /// The largest slice of a slow one, at a place like the mean; none if none arrived.
    pub largest: Option<Largest>,
    /// The longest latency of a few messages sent one at a time; none if none of them arrived.
    pub service: Option<Duration>,
    /// How places differ; none where they are all alike.
    pub places: Option<AtPlaces>,
    /// What the mean signal has above the one with which 1 % of the frames are lost, dB; none where
    /// radios are not apart.
    pub fade_margin_db: Option<f64>,
    /// What messages cost, at a place like the mean.
    pub charge: Charge,
}

/// What places say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtPlaces {
    /// Of keeping the deadline and losing few enough.
    pub places: Places,
    /// Whether so many places do as are asked for.
    pub verdict: deadline::Verdict,
}

/// Runs a profile: a first time with slices; and where that leaves open what is asked for something
/// rare, as often as that takes. None if the fate of no message is known.
pub(super) fn seen(profile: &Profile, task: &Task) -> Result<Option<Seen>, Error> {
    let size = task.bytes(profile);
    let mean = at_mean(profile)?;
    let differ = apart(profile).is_some_and(|found| found.deviation().0 > 0.0);
    let service = pace::service(profile, size, task.seed)?;
    let period = task.period.unwrap_or_else(|| pace::unhurried(service));
    let (seed, needed) = (task.seed, transfers_for(task.asked).clamp(TRIGGERS, MOST_TRIGGERS));
    let options = Options { seed, spans: true, ..Options::default() };
    let ran = run(&mean, size, &pace::uniform(period, TRIGGERS), options)?;
    let transfers = pair(&ran.trace, PairOptions::default());
    let fade_margin_db = ran.fade_margin.map(|margin| margin.0);
    let Some(mut judgement) = Judgement::of(&transfers, task.asked) else { return Ok(None) };
    let largest = largest(&ran, &transfers, task.asked.share)?;
    let charge = charge(&mean, size, TRIGGERS as u64, &ran.draws, options)?;
    drop(ran);
    let (mut triggers, mut places) = (TRIGGERS, None);
    let options = Options { seed, ..Options::default() };
    if differ {
        triggers = (PLACES * each(task.asked)).min(MOST_TRIGGERS);
        let ran = run_at(profile, size, &pace::uniform(period, triggers), options, PLACES)?;
        let mut transfers = pair(&ran.trace, PairOptions::default());
        transfers.places_ns = ran.places_ns;
        let Some(found) = Judgement::of(&transfers, task.asked) else { return Ok(None) };
        let Requirement { deadline_ns, share, max_loss } = task.asked;
        let asked = Asked { deadline_ns: Some(deadline_ns), share, max_loss };
        let Some(told) = Places::of(&transfers, asked) else { return Ok(None) };
        let verdict = verdict(&told, task.places_share);
        judgement = Judgement { latency: verdict, loss: verdict, ..found };
        places = Some(AtPlaces { verdict, places: told });
    } else if needed > TRIGGERS && judgement.verdict() != deadline::Verdict::Fails {
        let ran = run(profile, size, &pace::uniform(period, needed), options)?;
        let transfers = pair(&ran.trace, PairOptions::default());
        if let Some(found) = Judgement::of(&transfers, task.asked) {
            (triggers, judgement) = (needed, found);
        }
    }
    Ok(Some(Seen { triggers, judgement, largest, service, places, fade_margin_db, charge }))
}

/// Messages at each place: as many as it takes for one that misses to be no more than may.
fn each(asked: Requirement) -> usize {
    (transfers_for(asked) / 10).max(20)
}

fn verdict(places: &Places, share: f64) -> deadline::Verdict {
    let (low, high) = places.keep_interval;
    if low >= share {
        deadline::Verdict::Passes
    } else if high < share {
        deadline::Verdict::Fails
    } else {
        deadline::Verdict::Close
    }
}
