//! Bytes as a sigrok session: the archive itself, or metadata and samples of one that is sound.
#![no_main]

use std::io::Cursor;

use airlag_fuzz::made::archive;
use airlag_fuzz::{kept, options, sound};
use airlag_trace::sigrok::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    let file = if kind == 0 {
        bytes.to_vec()
    } else {
        let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
        let (metadata, samples) = bytes.split_at(end);
        let version: &[u8] = if kind == 1 { b"1" } else { b"2" };
        archive(&[("version", version), ("metadata", metadata), ("logic-1", samples)])
    };
    let trace = kept(|sink| read(Cursor::new(&file), &options(), sink));
    trace.iter().for_each(sound);
});
