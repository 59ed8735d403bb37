//! See [`airlag_fuzz::readers::saved_run`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::readers::saved_run(bytes));
