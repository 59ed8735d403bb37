//! See [`airlag_fuzz::readers::saleae_binary`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::readers::saleae_binary(bytes));
