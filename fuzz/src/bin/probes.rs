//! See [`airlag_fuzz::probes::probes`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::probes::probes(bytes));
