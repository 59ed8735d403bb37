//! A file with cancellation.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// Contents of a file.
#[derive(Debug)]
pub(super) enum Contents {
    /// On a file system.
    File(File),
    /// In memory.
    Bytes(Cursor<Vec<u8>>),
}

/// A file whose reads fail after a request.
#[derive(Debug)]
pub(super) struct Stoppable {
    contents: Contents,
    stop: fn() -> bool,
}

impl Stoppable {
    /// Calls `stop` before each read.
    pub(super) fn new(contents: Contents, stop: fn() -> bool) -> Self {
        Self { contents, stop }
    }
}

impl Read for Stoppable {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if (self.stop)() {
            // Not `Interrupted`, because readers retry after that.
            return Err(io::Error::other("reading was interrupted"));
        }
        match &mut self.contents {
            Contents::File(file) => file.read(into),
            Contents::Bytes(bytes) => bytes.read(into),
        }
    }
}

impl Seek for Stoppable {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.contents {
            Contents::File(file) => file.seek(to),
            Contents::Bytes(bytes) => bytes.seek(to),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::path::Path;

    use crate::{Error, Input, Problem, ReadOptions};

    thread_local! {
        static BLOCKS: Cell<u32> = const { Cell::new(0) };
    }

    /// Stops at the third block.
    fn third() -> bool {
        BLOCKS.set(BLOCKS.get() + 1);
        BLOCKS.get() > 2
    }

    #[test]
    fn reading_ends_within_a_block_of_the_request() {
        let rows: String = (1..2_000_000).map(|at| format!("#{at}\n{}!\n", at % 2)).collect();
        let text =
            format!("$timescale 1 us $end\n$var wire 1 ! a $end\n$enddefinitions $end\n{rows}");
        let path = std::env::temp_dir().join(format!("stoppable-{}.vcd", std::process::id()));
        std::fs::write(&path, text).expect("written");
        let read = |path: &Path, stop| {
            Input::open_until(path, stop)?
                .read(&ReadOptions::default())
                .map(|trace| trace.channels.len())
        };
        let (whole, stopped) = (read(&path, || false), read(&path, third));
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(whole.expect("read"), 1);
        let Err(Error { problem: Problem::Io(cause), .. }) = stopped else { panic!("{stopped:?}") };
        assert_eq!(cause.kind(), std::io::ErrorKind::Other);
        assert_eq!(BLOCKS.get(), 3, "one block more was asked for than read");
    }
}
