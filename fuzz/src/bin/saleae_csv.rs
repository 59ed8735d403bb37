//! See [`airlag_fuzz::readers::saleae_csv`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::readers::saleae_csv(bytes));
