//! See [`airlag_fuzz::rpc::assembler::assembler`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::rpc::assembler::assembler(bytes));
