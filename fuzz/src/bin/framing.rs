//! See [`airlag_fuzz::framing::framing`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::framing::framing(bytes));
