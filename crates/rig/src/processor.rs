//! Processor of both boards, for current and battery life. It can be the processor of the profile,
//! another processor, or none. It does not change the timing.

use std::sync::LazyLock;

use airlag_sim::meter::Part;

use crate::error::Error;
use crate::parameter::{Domain, Known, Value};
use crate::parts::{self, EndParts};
use crate::profile::Profile;

/// Name of the parameter.
pub const NAME: &str = "processor";
/// The profile's processor.
const OWN: &str = "own";
/// No processor: only the radio draws current.
const NONE: &str = "none";

/// These two choices, then all known processors.
static CHOICES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let listed = parts::all().into_iter().flatten();
    let processors = listed.filter(|one| one.part == Part::Processor);
    [OWN, NONE].into_iter().chain(processors.map(|one| one.key.as_str())).collect()
});

/// Checks a processor's name.
///
/// # Errors
///
/// [`Error::NoSuchChoice`], with all valid names.
pub fn find(name: &str) -> Result<(), Error> {
    if CHOICES.contains(&name) {
        return Ok(());
    }
    let (link, value) = ("every link".to_owned(), format!("{name:?}"));
    Err(Error::NoSuchChoice { link, name: NAME, value, choices: declared().choices() })
}

/// The `processor` parameter of every link with two boards.
pub(crate) fn declared() -> Known {
    let about = "processor of both boards, for current and battery life; own: that of the measured boards; \
                 none: radio current alone";
    let default = Some((OWN, "the processor of the measured boards"));
    Known { name: NAME, unit: "", domain: Domain::Choice(&CHOICES), about, default }
}

/// Whether another processor can replace the processor of the boards. This is possible if each
/// board has a processor without an on-chip radio, and if the kind of link has no `processor`
/// parameter of its own.
#[must_use]
pub fn can_be_another(profile: &Profile) -> bool {
    if !profile.known(NAME).is_ok_and(|known| *known == declared()) {
        return false;
    }
    let mut ends = profile.supply.sender.iter().chain(&profile.supply.receiver).peekable();
    ends.peek().is_some()
        && ends.all(|end| {
            let own = end.processor.as_deref().map(parts::find);
            own.is_some_and(|part| part.is_ok_and(|part| part.alone))
        })
}

/// Checks the `processor` parameter: any value but `own` requires that the processor can be
/// replaced. A kind with a single board may have a `processor` parameter of its own, which is not
/// checked here.
pub(crate) fn check(profile: &Profile, known: &Known, value: &Value) -> Result<(), Error> {
    let asked = *known == declared() && *value != Value::Choice(OWN.to_owned());
    if !asked || can_be_another(profile) {
        return Ok(());
    }
    let cause = "its processor is on the radio's chip, or has no current data; leave it out";
    Err(Error::NotAllowed { link: profile.name.clone(), name: NAME, cause: cause.to_owned() })
}

/// Key of the board's processor. `None` if the current of the processor is not included.
#[must_use]
pub fn of<'a>(profile: &'a Profile, end: &'a EndParts) -> Option<&'a str> {
    match profile.chosen(NAME) {
        Ok(NONE) => None,
        Ok(OWN) | Err(_) => end.processor.as_deref(),
        Ok(other) => Some(other),
    }
}
