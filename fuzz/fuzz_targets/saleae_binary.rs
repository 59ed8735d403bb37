//! Bytes as a Logic 2 binary export, kept and merged.
#![no_main]

use airlag_fuzz::{checked, kept, options, sound};
use airlag_trace::saleae_binary::{read, read_trace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let whole = checked(read_trace(bytes, "a", &options()));
    let merged = kept(|sink| read(bytes, "a", &options(), sink));
    assert_eq!(whole, merged);
    whole.iter().for_each(sound);
});
