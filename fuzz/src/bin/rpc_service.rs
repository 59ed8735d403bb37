//! See [`airlag_fuzz::rpc::service::rpc_service`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::rpc::service::rpc_service(bytes));
