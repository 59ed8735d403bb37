//! See [`airlag_fuzz::links::profiles`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::links::profiles(bytes));
