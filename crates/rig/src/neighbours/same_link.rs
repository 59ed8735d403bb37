//! Further pairs of the link itself: `same-link:5`.
//!
//! They are complete stacks with their own addresses and the same traffic as the link's own ends,
//! at random times. The ends of each pair are as far apart as the link's own.

use std::rc::Rc;

use airlag_air::Band;

use super::{Beside, Neighbour, Spec};
use crate::error::Error;

/// Further pairs of the link itself.
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
            return Err("its channel and power are those of the link; leave them out".to_owned());
        }
        spec.count().map(|_| ())
    }

    fn band(&self, _: &Spec, link: Band) -> Band {
        link
    }

    fn start(&self, spec: &Spec, beside: &Beside<'_>) -> Result<(), Error> {
        let refused = |cause| beside.refused(cause);
        let twin = beside.twin.ok_or_else(|| {
            refused(
                "this link carries traffic from outside, which same-link does not have".to_owned(),
            )
        })?;
        let bound = beside.profile.bind()?;
        for nth in 1..=spec.count().map_err(refused)? {
            let bench = beside.bench.beside(&format!("pair {nth}"), spec.distance);
            let program = twin(&bench)?;
            bound.start(beside.size, &*program, &bench)?;
            // Its wires and nodes live as long as those of the link.
            beside.bench.keep(Rc::new(bench));
        }
        Ok(())
    }
}
