//! Random bytes for crates that draw some although no answer depends on them: masks of WebSocket frames, hash seeds of
//! archives. They are the same in each session, and nothing here is secret.

/// Fills `len` bytes at `to`, as the crate getrandom requires of a custom backend.
#[cfg(target_family = "wasm")]
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "the interface of getrandom")]
unsafe extern "Rust" fn __getrandom_v03_custom(
    to: *mut u8,
    len: usize,
) -> Result<(), getrandom::Error> {
    // SAFETY: getrandom passes a writable buffer of this length.
    let bytes = unsafe {
        core::ptr::write_bytes(to, 0, len);
        core::slice::from_raw_parts_mut(to, len)
    };
    for (nth, byte) in bytes.iter_mut().enumerate() {
        *byte = mixed(nth as u64);
    }
    Ok(())
}

/// A byte of the sequence SplitMix64 (Steele, Lea and Flood, 2014).
#[cfg_attr(not(target_family = "wasm"), allow(dead_code, reason = "of a browser only"))]
fn mixed(nth: u64) -> u8 {
    let mut z = nth.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) as u8
}
