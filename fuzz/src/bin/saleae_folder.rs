//! See [`airlag_fuzz::readers::saleae_folder`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::readers::saleae_folder(bytes));
