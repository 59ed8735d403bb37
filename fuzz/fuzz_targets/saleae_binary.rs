//! Bytes as a Logic 2 binary export, kept and merged.
#![no_main]

use airlag_fuzz::{options, same, sound};
use airlag_trace::saleae_binary::{read, read_trace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let whole = read_trace(bytes, "a", &options());
    let trace = same(whole, |sink| read(bytes, "a", &options(), sink));
    trace.iter().for_each(sound);
});
