//! The captures that are measured: two wires of a link under test, in several formats.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use airlag_files::{Replace, write};
use airlag_trace::{Channel, Segment, Trace, WriteFormat};

use crate::made::{self, Wire};

/// Of the analyser; a period of 100 ns.
pub const RATE_HZ: u64 = 10_000_000;

/// A capture in all formats that are compared.
pub struct Captures {
    pub folder: PathBuf,
}

impl Captures {
    /// The file in a format; binary export is one of the folder's.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Makes captures with so many transitions in all, unless they are there.
    pub fn make(parent: &Path, transitions: usize) -> io::Result<Self> {
        let folder = parent.join(format!("{transitions}"));
        let captures = Self { folder };
        let done = captures.path("done");
        if done.exists() {
            return Ok(captures);
        }
        fs::create_dir_all(captures.path("binary"))?;
        let wires = wires(transitions);
        let end = wires.iter().flat_map(|edges| edges.last()).max().map_or(1, |last| last + 100);
        for (number, edges) in wires.iter().enumerate() {
            let seconds: Vec<f64> =
                edges.iter().map(|&sample| sample as f64 / RATE_HZ as f64).collect();
            let bytes = made::binary_0(false, 0.0, end as f64 / RATE_HZ as f64, &seconds);
            fs::write(captures.path("binary").join(format!("digital_{number}.bin")), bytes)?;
        }
        let native: Vec<(u32, Wire)> = (0..)
            .zip(&wires)
            .map(|(number, edges)| {
                let mut wire = Wire::new(RATE_HZ, end, false, edges);
                // As Logic 2 cuts them: 33.4 ms.
                wire.chunk = 334_233;
                (number, wire)
            })
            .collect();
        fs::write(captures.path("capture.sal"), made::sal(&native, &[]))?;
        let trace = trace(&wires, end);
        write(&captures.path("capture.sr"), &trace, WriteFormat::Sigrok, Replace::Anything)
            .map_err(io::Error::other)?;
        fs::write(captures.path("capture.vcd"), dump(&wires, end))?;
        fs::write(done, "")?;
        Ok(captures)
    }
}

/// Edges in samples. A transfer every 50 us: the trigger pulse is 2 us long, the completion follows
/// after a latency between 5 and 30 us that looks random.
fn wires(transitions: usize) -> [Vec<u64>; 2] {
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let (mut trigger, mut completion) = (Vec::new(), Vec::new());
    for transfer in 0..transitions as u64 / 4 {
        // xorshift64 (G. Marsaglia, "Xorshift RNGs", 2003).
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let at = 100 + transfer * 500;
        let latency = 50 + random % 250;
        trigger.extend([at, at + 20]);
        completion.extend([at + latency, at + latency + 30]);
    }
    [trigger, completion]
}

/// A value change dump with one time step a sample: sigrok makes a sample of every step, so that
/// one of a nanosecond would have it work for minutes.
fn dump(wires: &[Vec<u64>; 2], end: u64) -> String {
    let mut text = String::from(
        "$timescale 100 ns $end\n$scope module capture $end\n$var wire 1 ! D0 $end\n\
         $var wire 1 \" D1 $end\n$upscope $end\n$enddefinitions $end\n#0\n0!\n0\"\n",
    );
    let mut next = wires.each_ref().map(|edges| edges.iter().enumerate().peekable());
    loop {
        let at = next.iter_mut().filter_map(|edges| edges.peek().map(|&(_, &at)| at)).min();
        let Some(at) = at else { break };
        text += &format!("#{at}\n");
        for (edges, code) in next.iter_mut().zip(['!', '"']) {
            if let Some((index, _)) = edges.next_if(|&(_, &edge)| edge == at) {
                text += &format!("{}{code}\n", 1 - index % 2);
            }
        }
    }
    text + &format!("#{end}\n")
}

fn trace(wires: &[Vec<u64>], end: u64) -> Trace {
    let ns = |sample: u64| (sample * (1_000_000_000 / RATE_HZ)).cast_signed();
    let channels = wires.iter().enumerate().map(|(number, edges)| {
        let edges_ns = edges.iter().map(|&sample| ns(sample)).collect();
        let segment = Segment { begin_ns: 0, end_ns: ns(end), initial: false, edges_ns };
        Channel { name: format!("D{number}"), segments: vec![segment] }
    });
    Trace { channels: channels.collect(), ..Trace::default() }
}
