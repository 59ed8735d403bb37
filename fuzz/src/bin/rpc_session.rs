//! See [`airlag_fuzz::rpc::session::session`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::rpc::session::session(bytes));
