//! More pairs of the link itself: `same-link:5`.
//!
//! Real stacks with addresses of their own, which do what the link's own ends do, at a moment of their
//! own. How far the two ends of such a pair stand apart is the link's own range.

use std::rc::Rc;

use super::{Beside, Neighbour, Spec};
use crate::error::Error;

/// Pairs of the link itself.
pub struct SameLink;

impl Neighbour for SameLink {
    fn name(&self) -> &'static str {
        "same-link"
    }

    fn example(&self) -> &'static str {
        "same-link:5"
    }

    fn check(&self, spec: &Spec) -> Result<(), String> {
        if spec.channel.is_some() || spec.power.is_some() {
            return Err("it has the channel and the power of the link; leave them out".to_owned());
        }
        spec.count().map(|_| ())
    }

    fn start(&self, spec: &Spec, beside: &Beside<'_>) -> Result<(), Error> {
        let refused = |cause| beside.refused(cause);
        let twin = beside.twin.ok_or_else(|| {
            refused("what this link carries comes from outside; same-link has none".to_owned())
        })?;
        let bound = beside.profile.bind()?;
        for nth in 1..=spec.count().map_err(refused)? {
            let bench = beside.bench.beside(&format!("pair {nth}"), spec.distance);
            let program = twin(&bench)?;
            bound.start(beside.size, &*program, &bench)?;
            // Its wires and its nodes live as long as those of the link.
            beside.bench.keep(Rc::new(bench));
        }
        Ok(())
    }
}
