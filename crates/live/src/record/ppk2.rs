//! Power Profiler Kit II (PPK2) of Nordic Semiconductor: a current meter with eight digital inputs.
//!
//! This module implements the USB protocol of the PPK2 firmware, according to the vendor's program
//! (`pc-nrfconnect-ppk`, `src/constants.ts` and `src/device/serialDevice.ts`). The PPK2 sends 100,000 words
//! per second over USB. A word contains the ADC reading, the measuring range, a counter and the levels of the
//! digital inputs D0 to D7.

mod calibration;
mod samples;

use std::path::Path;

use airlag_trace::{Header, Meter, Recorder, Row, Sink, Trace};

use self::calibration::{Calibration, SpikeFilter};
use self::samples::{Sample, Samples};
use super::{Error, Instrument, Plan, Recorded, Refusal};

/// Sample interval, ns.
const SAMPLE_NS: i64 = 10_000;
/// Number of digital inputs.
pub const CHANNELS: usize = 8;
/// Name in error messages.
const NAME: &str = "a Nordic PPK2";
/// Maximum length of the metadata, bytes. A PPK2 sends about 600.
const LONGEST_METADATA: usize = 1 << 16;
/// Last line of the metadata.
const END: &[u8] = b"END";

/// Command codes, one byte each, followed by arguments.
mod command {
    /// Start sending samples.
    pub const AVERAGE_START: u8 = 0x06;
    /// Stop sending samples.
    pub const AVERAGE_STOP: u8 = 0x07;
    /// Connect (1) or disconnect (0) the device under test.
    pub const DEVICE_RUNNING_SET: u8 = 0x0C;
    /// Set the supply voltage, mV: two bytes, big-endian.
    pub const REGULATOR_SET: u8 = 0x0D;
    /// Select [`AMPERE_METER`], in series with another supply, or [`SOURCE_METER`].
    pub const SET_POWER_MODE: u8 = 0x11;
    /// Send the metadata.
    pub const GET_METADATA: u8 = 0x19;
    /// Arguments of [`SET_POWER_MODE`].
    pub const AMPERE_METER: u8 = 1;
    pub const SOURCE_METER: u8 = 2;
}

/// Connection of the instrument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Supply voltage, mV. Without it, the instrument measures in series with another supply.
    pub supply_mv: Option<u16>,
    /// Measured end of the link.
    pub end: String,
    /// Digital inputs to record.
    pub channels: Vec<u8>,
}

/// Range of the supply voltage, mV.
pub const SUPPLIES_MV: std::ops::RangeInclusive<u16> = 800..=5_000;

/// Records the PPK2 at `path` for the duration of the plan.
///
/// # Errors
///
/// If the device cannot be opened, or no PPK2 responds.
pub fn record(
    path: &Path,
    plan: &Plan,
    setup: Setup,
    on_progress: impl FnMut(u64),
) -> Result<Recorded, Error> {
    // The baud rate has no effect on a USB port.
    super::record(path, 115_200, plan, Ppk2::new(plan, setup), on_progress)
}

/// A PPK2 and the state of its recording.
struct Ppk2 {
    setup: Setup,
    /// Text received so far, until the metadata are complete.
    metadata: Vec<u8>,
    calibration: Option<Calibration>,
    filter: SpikeFilter,
    samples: Samples,
    recorder: Recorder,
    meter: Meter,
    /// Maximum number of samples.
    most: u64,
    /// Index of the next sample, counting lost ones.
    next: u64,
    lost: u64,
    levels: Option<u64>,
}

impl Ppk2 {
    fn new(plan: &Plan, setup: Setup) -> Self {
        let lasting_ns = plan.lasting.map_or(u64::MAX, |lasting| lasting.as_ns());
        Self {
            metadata: Vec::new(),
            calibration: None,
            filter: SpikeFilter::default(),
            samples: Samples::default(),
            recorder: Recorder::within(plan.memory),
            meter: Meter::within(plan.memory, &setup.end),
            most: lasting_ns.div_ceil(SAMPLE_NS as u64),
            next: 0,
            lost: 0,
            levels: None,
            setup,
        }
    }

    /// Takes text until the metadata are complete. Returns the bytes after them.
    fn hello<'a>(&mut self, bytes: &'a [u8], reply: &mut Vec<u8>) -> Result<&'a [u8], Refusal> {
        let before = self.metadata.len();
        self.metadata.extend_from_slice(bytes);
        let end = self.metadata.windows(END.len()).position(|window| window == END);
        let wrong = |found: &str| Refusal::Version(found.to_owned(), NAME.to_owned());
        let Some(end) = end else {
            let is_text = self.metadata.len() <= LONGEST_METADATA;
            return if is_text { Ok(&[]) } else { Err(wrong("it sends no metadata")) };
        };
        let text = String::from_utf8_lossy(&self.metadata[..end]);
        let calibration = Calibration::read(&text, self.setup.supply_mv);
        self.calibration =
            Some(calibration.ok_or_else(|| wrong("its response contains no calibration"))?);
        self.recorder.header(Header {
            names: self.setup.channels.iter().map(|nth| format!("D{nth}")).collect(),
            epoch_unix_ns: None,
            sample_rate_hz: Some(1e9 / SAMPLE_NS as f64),
        });
        reply.extend(self.connect());
        Ok(&bytes[(end + END.len()).saturating_sub(before)..])
    }

    /// Commands that connect the device under test and start the measurement.
    fn connect(&self) -> Vec<u8> {
        let mut commands = match self.setup.supply_mv {
            None => vec![command::SET_POWER_MODE, command::AMPERE_METER],
            Some(supply_mv) => {
                let [high, low] = supply_mv.to_be_bytes();
                let mode = [command::SET_POWER_MODE, command::SOURCE_METER];
                [&mode[..], &[command::REGULATOR_SET, high, low]].concat()
            }
        };
        commands.extend([command::DEVICE_RUNNING_SET, 1, command::AVERAGE_START]);
        commands
    }

    fn take_sample(&mut self, sample: Sample) {
        let Some(calibration) = &self.calibration else { return };
        if sample.lost > 0 {
            // Gap from the last received sample to this one.
            let at_ns = self.next.saturating_sub(1) as i64 * SAMPLE_NS;
            self.recorder.row(Row { at_ns, levels: 0, known: 0 });
            (self.levels, self.filter) = (None, SpikeFilter::default());
            self.next += sample.lost;
            self.lost += sample.lost;
        }
        if self.is_over() {
            return;
        }
        let at_ns = self.next as i64 * SAMPLE_NS;
        let wires = self.setup.channels.iter().enumerate();
        let levels =
            wires.fold(0, |levels, (bit, nth)| levels | u64::from(sample.levels >> nth & 1) << bit);
        if self.levels != Some(levels) {
            self.meter.knot();
            let known = (1 << self.setup.channels.len()) - 1;
            self.recorder.row(Row { at_ns, levels, known });
            self.levels = Some(levels);
        }
        let na = calibration.na(sample.range, sample.reading);
        let na = self.filter.through(sample.range, na);
        self.meter.sample(at_ns, at_ns + SAMPLE_NS, na);
        self.next += 1;
    }

    const fn is_over(&self) -> bool {
        self.next >= self.most
    }
}

impl Instrument for Ppk2 {
    const EXPECTED: &'static str = NAME;

    fn start(&self) -> Vec<u8> {
        vec![command::GET_METADATA]
    }

    fn stop(&self) -> Vec<u8> {
        vec![command::AVERAGE_STOP]
    }

    fn take(&mut self, bytes: &[u8], reply: &mut Vec<u8>) -> Result<(), Refusal> {
        let bytes = if self.calibration.is_some() { bytes } else { self.hello(bytes, reply)? };
        self.samples.extend(bytes);
        while let Some(sample) = self.samples.next() {
            self.take_sample(sample);
        }
        let refusal = self.recorder.refusal().or_else(|| self.meter.refusal());
        refusal.map_or(Ok(()), |_| Err(Refusal::Memory))
    }

    fn has_answered(&self) -> bool {
        self.calibration.is_some()
    }

    fn recorded_ns(&self) -> u64 {
        self.next * SAMPLE_NS as u64
    }

    fn lost_samples(&self) -> u64 {
        self.lost
    }

    fn latest_ns(&self) -> Option<u64> {
        (self.next > 0).then_some(self.next * SAMPLE_NS as u64)
    }

    fn finish(mut self) -> Trace {
        let last = self.next.min(self.most) as i64;
        self.recorder.end(last * SAMPLE_NS);
        Trace { current: Some(self.meter.finish()), ..self.recorder.into_trace() }
    }
}

#[cfg(test)]
mod tests;
