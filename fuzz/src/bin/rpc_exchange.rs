//! See [`airlag_fuzz::rpc::exchange::exchange`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::rpc::exchange::exchange(bytes));
