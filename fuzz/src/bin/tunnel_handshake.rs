//! See [`airlag_fuzz::tunnel_handshake::tunnel_handshake`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| airlag_fuzz::tunnel_handshake::tunnel_handshake(bytes));
