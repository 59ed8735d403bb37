//! See [`airlag_fuzz::control::control`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::control::control(bytes));
