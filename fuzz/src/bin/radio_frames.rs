//! See [`airlag_fuzz::radio_frames::radio_frames`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::radio_frames::radio_frames(bytes));
