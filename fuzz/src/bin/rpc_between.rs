//! See [`airlag_fuzz::rpc::between::between`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::rpc::between::between(bytes));
