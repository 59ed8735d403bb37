//! See [`airlag_fuzz::readers::latency_table`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::readers::latency_table(bytes));
