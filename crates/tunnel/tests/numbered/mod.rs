//! Packets that contain their own number in every four bytes, so that misplaced fragments are
//! detected.

/// A packet of `len` bytes, at least 8, from one end.
pub fn packet(from: usize, number: u32, len: usize) -> Vec<u8> {
    let word = (number << 1 | from as u32).to_be_bytes();
    let mut bytes: Vec<u8> = word.iter().copied().cycle().take(len).collect();
    bytes[4..8].copy_from_slice(&(len as u32).to_be_bytes());
    bytes
}

/// The number of a packet of one end, if all of its bytes are correct.
pub fn number_of(from: usize, bytes: &[u8]) -> Option<u32> {
    let word = u32::from_be_bytes(*bytes.first_chunk()?);
    let right = word as usize % 2 == from && packet(from, word >> 1, bytes.len()) == bytes;
    right.then_some(word >> 1)
}
