//! See [`airlag_fuzz::edges::edges`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::edges::edges(bytes));
