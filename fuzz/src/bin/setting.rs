//! See [`airlag_fuzz::links::setting`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::links::setting(bytes));
