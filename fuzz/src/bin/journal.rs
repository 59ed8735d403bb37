//! See [`airlag_fuzz::journal::journal`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::journal::journal(bytes));
