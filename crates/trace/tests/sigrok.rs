//! sigrok-cli reads the files of this crate's writer, and this crate reads the files of sigrok-cli;
//! both find the same edges.
//!
//! Without sigrok-cli, the tests print a message and pass, unless the environment requires all
//! tools.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use airlag_files::{Replace, write};
use airlag_peers::program;
use airlag_trace::{Channel, ReadOptions, Segment, Trace, WriteFormat, read};

fn sigrok() -> Option<Command> {
    program("sigrok-cli")
}

fn run(arguments: &[&str]) {
    let output = sigrok().unwrap().args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
}

/// A folder for one test, which is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("airlag-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn parse(path: &str) -> Trace {
    read(Path::new(path), &ReadOptions::default()).unwrap()
}

/// Three channels on a grid of 1 us whose edges do not coincide.
fn trace() -> Trace {
    let channels = [("trigger", 7_000), ("done", 11_000), ("D 2", 13_000)].map(|(name, every)| {
        let edges_ns = (1..).map(|n| n * every).take_while(|&at| at < 2_000_000).collect();
        let segment =
            Segment { begin_ns: 0, end_ns: 2_000_000, initial: every == 11_000, edges_ns };
        Channel { name: name.to_owned(), segments: vec![segment] }
    });
    Trace { channels: channels.to_vec(), ..Trace::default() }
}

/// Segments of all channels. Names are not compared, because sigrok keeps only names of one word.
fn segments(trace: &Trace) -> Vec<Vec<Segment>> {
    trace.channels.iter().map(|channel| channel.segments.clone()).collect()
}

#[test]
#[ignore = "needs sigrok-cli"]
fn sigrok_reads_our_sessions_and_dumps() {
    if sigrok().is_none() {
        return;
    }
    let scratch = Scratch::new("theirs");
    for (ours, format) in [("a.sr", WriteFormat::Sigrok), ("a.vcd", WriteFormat::Vcd)] {
        let (ours, theirs) = (scratch.file(ours), scratch.file("theirs.vcd"));
        write(Path::new(&ours), &trace(), format, Replace::Anything).unwrap();
        run(&["-i", &ours, "-O", "vcd", "-o", &theirs]);
        // When version 0.7.2 reads a dump, it writes a line before its own dump that is not part of
        // it.
        let text = std::fs::read_to_string(&theirs).unwrap();
        std::fs::write(&theirs, &text[text.find('$').unwrap()..]).unwrap();
        let read = parse(&theirs);
        assert_eq!(segments(&read), segments(&trace()), "{ours}");
        assert_eq!(read.channels[0].name, "trigger");
    }
}

#[test]
#[ignore = "needs sigrok-cli"]
fn we_read_sessions_and_dumps_that_sigrok_writes() {
    if sigrok().is_none() {
        return;
    }
    let scratch = Scratch::new("demo");
    let (session, dump) = (scratch.file("demo.sr"), scratch.file("demo.vcd"));
    let device = "demo:logic_channels=8:analog_channels=0";
    run(&["-d", device, "-c", "samplerate=1m", "--samples", "20000", "-o", &session]);
    run(&["-i", &session, "-O", "vcd", "-o", &dump]);
    let (session, dump) = (parse(&session), parse(&dump));
    assert_eq!(session.sample_rate_hz, Some(1e6));
    assert_eq!(session.channels, dump.channels);
    assert_eq!(session.end_ns(), 20_000_000);
    assert!(session.channels.iter().any(|channel| channel.edge_count() > 1_000));
}

#[test]
#[ignore = "needs sigrok-cli"]
fn what_sigrok_makes_of_our_session_is_the_same_session() {
    if sigrok().is_none() {
        return;
    }
    let scratch = Scratch::new("again");
    let (ours, theirs) = (scratch.file("ours.sr"), scratch.file("theirs.sr"));
    write(Path::new(&ours), &trace(), WriteFormat::Sigrok, Replace::Anything).unwrap();
    run(&["-i", &ours, "-o", &theirs]);
    let read = parse(&theirs);
    assert_eq!(read.channels, trace().channels);
    assert_eq!(read.sample_rate_hz, Some(1e6));
}
