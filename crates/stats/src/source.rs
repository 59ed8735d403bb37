//! Pairing of a capture file.

use airlag_trace::error::Place;
use airlag_trace::{
    Channel, Error, Input, MemoryLimit, Problem, ReadOptions, Selection, Trace, replay,
};

use crate::pair::{PairOptions, Pairer, Taken, Transfers};

/// A capture with its two channels and a memory limit.
#[derive(Debug)]
pub struct Source<'a> {
    /// The capture.
    pub input: &'a mut Input,
    /// Trigger first, completion second.
    pub selection: Selection,
    /// Memory limit. It applies to the transfers and, separately, to the edges.
    pub memory: MemoryLimit,
}

/// Transfers of a capture, with the names of its two channels.
#[derive(Clone, Debug, PartialEq)]
pub struct Paired {
    /// All transfers.
    pub transfers: Transfers,
    /// Names of trigger and completion.
    pub names: [String; 2],
    /// Time and sample rate.
    pub taken: Taken,
}

impl Source<'_> {
    /// Streams the capture through a [`Pairer`].
    ///
    /// # Errors
    /// Returns the errors of the reader, and [`Problem::NoEdges`] if one of the two channels has no
    /// edges. A channel without edges means that the wiring or the choice of channels is wrong, not
    /// the link.
    pub fn pair(self, options: PairOptions) -> Result<Paired, Error> {
        let mut pairer = Pairer::new(options).within(self.memory);
        let read = ReadOptions { selection: self.selection, memory: self.memory };
        self.input.read_into(&read, &mut pairer)?;
        finished(pairer, self.input)
    }

    /// Like [`Source::pair`], but also stores the edges of every channel. Reads the capture only once.
    ///
    /// # Errors
    /// Returns the errors of [`Source::pair`].
    pub fn pair_and_keep(self, options: PairOptions) -> Result<(Paired, Trace), Error> {
        let read = ReadOptions { selection: Selection::All, memory: self.memory };
        let trace = self.input.read(&read)?;
        let mut pairer = Pairer::new(options).within(self.memory);
        let names: Vec<&str> = trace.channels.iter().map(|c| c.name.as_str()).collect();
        let of = |problem: Problem| problem.at(Place::File).of(self.input.path());
        let resolved = self.selection.resolve(&names).map_err(of)?;
        let chosen = resolved.positions.iter().enumerate().map(|(bit, &position)| {
            let mut channel: Channel = trace.channels[position].clone();
            for segment in &mut channel.segments {
                segment.initial ^= resolved.invert & (1 << bit) != 0;
            }
            channel
        });
        replay(&Trace { channels: chosen.collect(), ..Trace::default() }, &mut pairer);
        if let Some(refusal) = airlag_trace::Sink::refusal(&pairer) {
            return Err(of(refusal));
        }
        let Paired { transfers, names, .. } = finished(pairer, self.input)?;
        let transfers = transfers.with_charge(trace.current.as_ref());
        let Trace { epoch_unix_ns, sample_rate_hz, .. } = trace;
        let taken = Taken { epoch_unix_ns, sample_rate_hz };
        Ok((Paired { transfers, names, taken }, trace))
    }
}

fn finished(pairer: Pairer, input: &Input) -> Result<Paired, Error> {
    match pairer.silent_channel() {
        Some(channel) => Err(Problem::NoEdges { channel }.at(Place::File).of(input.path())),
        None => {
            let names = [0, 1].map(|nth| pairer.name(nth).to_owned());
            let taken = pairer.taken();
            Ok(Paired { transfers: pairer.into_transfers(), names, taken })
        }
    }
}
