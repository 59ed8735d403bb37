//! Finding of drift between the clocks of trigger and link, as a ramp of the latency.

use crate::findings::{Finding, Name, Value};
use crate::fold::Clocks;

/// Returns the finding `drift-ramp` if the latency changes along a straight line, by at most tens of us per
/// second. The rate is positive if the latency grows.
#[must_use]
pub fn drift_ramp(clocks: &Clocks) -> Option<Finding> {
    let ramp = clocks.ramp.as_ref()?;
    let ppm = ramp.slope * 1e6;
    let evidence = vec![
        ("ppm", Value::Float(ppm)),
        ("ppm_stderr", Value::Float(ramp.slope_stderr * 1e6)),
        ("height_ns", Value::Float(ramp.height_ns)),
        ("residual_ns", Value::Float(ramp.residual_ns)),
        ("r", Value::Float(ramp.correlation)),
        ("share", Value::Float(ramp.share)),
        ("wraps", Value::Int(ramp.wraps as i64)),
    ];
    let wraps = match ramp.wraps {
        0 => String::new(),
        1 => ", with one wrap".to_owned(),
        k => format!(", with {k} wraps"),
    };
    Some(Finding {
        name: Name::DriftRamp,
        evidence,
        message: format!(
            "Latency {} by {:.2} us per second along a straight line ({:.3} ms over the run, standard deviation \
             {:.1} us around the line{wraps}): trigger and link use different crystals, so \
             the phase between the trigger and a tick or slot of the link drifts slowly.",
            if ppm > 0.0 { "grows" } else { "falls" },
            ppm.abs(),
            ramp.height_ns / 1e6,
            ramp.residual_ns / 1e3,
        ),
        advice:
            "Do not compare this median with other runs: the phase, and with it the wait for the tick or slot, \
             differs from run to run. Trigger with a period that is not a multiple of the tick, or let the \
             edge wake the task."
                .to_owned(),
    })
}
