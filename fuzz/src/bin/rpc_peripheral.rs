//! See [`airlag_fuzz::rpc::ends::peripheral`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::rpc::ends::peripheral(bytes));
