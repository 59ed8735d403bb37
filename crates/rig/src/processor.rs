//! The processor of a link's two boards, for what it draws: that of the profile, another, or none that
//! counts. How quick a board is stays as it was measured.

use std::sync::LazyLock;

use airlag_sim::meter::Part;

use crate::error::Error;
use crate::parameter::{Domain, Known, Value};
use crate::parts::{self, Fed};
use crate::profile::Profile;

/// What the parameter is called.
pub const NAME: &str = "processor";
/// That of the profile.
const OWN: &str = "own";
/// Nothing that counts: what the radio draws alone.
const NONE: &str = "none";

/// Every processor there is, behind those two.
static CHOICES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let listed = parts::all().into_iter().flatten();
    let processors = listed.filter(|one| one.part == Part::Processor);
    [OWN, NONE].into_iter().chain(processors.map(|one| one.key.as_str())).collect()
});

/// Says what is wrong with a name that is none of them.
///
/// # Errors
///
/// [`Error::NoSuchChoice`], with all of them.
pub fn find(name: &str) -> Result<(), Error> {
    if CHOICES.contains(&name) {
        return Ok(());
    }
    let (link, value) = ("every link".to_owned(), format!("{name:?}"));
    Err(Error::NoSuchChoice { link, name: NAME, value, choices: declared().choices() })
}

/// The parameter of every link with two boards.
pub(crate) fn declared() -> Known {
    let about = "of both boards, for what they draw; none: what the radio draws alone";
    let default = Some((OWN, "that of the boards that were measured"));
    Known { name: NAME, unit: "", domain: Domain::Choice(&CHOICES), about, default }
}

/// Whether both boards have one that can be another: no radio is on its chip, and its kind has no parameter of
/// its own that is called so.
#[must_use]
pub fn can_be_another(profile: &Profile) -> bool {
    if !profile.known(NAME).is_ok_and(|known| *known == declared()) {
        return false;
    }
    let mut ends = profile.supply.sender.iter().chain(&profile.supply.receiver).peekable();
    ends.peek().is_some()
        && ends.all(|fed| {
            let own = fed.processor.as_deref().map(parts::find);
            own.is_some_and(|part| part.is_ok_and(|part| part.alone))
        })
}

/// Refuses another processor where it cannot be; a link of one board may have a parameter of its own
/// that is called so.
pub(crate) fn check(profile: &Profile, known: &Known, value: &Value) -> Result<(), Error> {
    let asked = *known == declared() && *value != Value::Choice(OWN.to_owned());
    if !asked || can_be_another(profile) {
        return Ok(());
    }
    let cause = "its processor is on the radio's chip, or nobody lists what it draws; leave it out";
    Err(Error::NotAllowed { link: profile.name.clone(), name: NAME, cause: cause.to_owned() })
}

/// The key of what a board has; none where nothing counts.
#[must_use]
pub fn of<'a>(profile: &'a Profile, fed: &'a Fed) -> Option<&'a str> {
    match profile.chosen(NAME) {
        Ok(NONE) => None,
        Ok(OWN) | Err(_) => fed.processor.as_deref(),
        Ok(other) => Some(other),
    }
}
