//! A list of calls in order, with as many in flight as the link's settings allow.

use std::rc::Rc;

use airlag_sim::Duration;

use super::Calls;
use super::drive::{CallOutcome, Drive, Listed};
use super::request::Ask;
use airlag_rig::error::Error;
use airlag_rig::profile::Profile;
use airlag_rig::programs::Program;
use airlag_rig::session::{READY, Wiring};

/// Longest list, s: that of the longest stream of messages.
const LONGEST_S: u64 = 12 * 86_400;

/// Makes calls in order, and returns the outcome of each.
///
/// # Errors
///
/// Errors of a run.
pub fn ask(profile: &Profile, asks: &[Ask], seed: u64) -> Result<Vec<CallOutcome>, Error> {
    let listed = |outcomes| {
        let listed = Listed { asks: asks.into(), outcomes, begin: READY };
        Ok(Box::new(Calls::new(profile, Drive::Listed(listed))?) as Box<dyn Program>)
    };
    let outcomes = Rc::default();
    let program = listed(Rc::clone(&outcomes))?;
    let longest = asks.iter().map(|ask| ask.size).max().unwrap_or(1);
    let twin = |_: &_| listed(Rc::default());
    let session = Wiring::new(seed).open(profile, longest, &*program, Some(&twin))?;
    session.run_while(session.ready() + Duration::from_secs(LONGEST_S), |_| {
        let outcomes = outcomes.borrow();
        outcomes.len() < asks.len() || outcomes.iter().any(|outcome| outcome.over.is_none())
    })?;
    Ok(outcomes.take())
}
