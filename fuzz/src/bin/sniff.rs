//! See [`airlag_fuzz::sniff::sniff`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::sniff::sniff(bytes));
