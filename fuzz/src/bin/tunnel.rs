//! See [`airlag_fuzz::tunnel::tunnel`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::tunnel::tunnel(bytes));
