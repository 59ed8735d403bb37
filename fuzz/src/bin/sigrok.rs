//! See [`airlag_fuzz::readers::sigrok`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::readers::sigrok(bytes));
