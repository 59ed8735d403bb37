//! Bytes as a `.sal`: the archive itself, or one of the members of an archive that is sound.
#![no_main]

use std::io::Cursor;

use airlag_fuzz::made::{Wire, archive, meta};
use airlag_fuzz::{options, same, sound};
use airlag_trace::sal::{read, read_trace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    let file = match kind {
        0 => bytes.to_vec(),
        1 => archive(&[("meta.json", meta(&[]).as_bytes()), ("digital-0.bin", bytes)]),
        _ => {
            let wire = Wire::new(50_000_000, 900, false, &[100]).bytes();
            archive(&[("meta.json", bytes), ("digital-0.bin", &wire)])
        }
    };
    let whole = read_trace(Cursor::new(&file), &options());
    let trace = same(whole, |sink| read(Cursor::new(&file), &options(), sink));
    trace.iter().for_each(sound);
});
