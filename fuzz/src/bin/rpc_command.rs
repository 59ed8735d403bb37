//! See [`airlag_fuzz::rpc::command::command`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::rpc::command::command(bytes));
