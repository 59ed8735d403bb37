//! Little-endian fields at the front of a slice.

/// Removes `N` bytes from the front.
pub(super) fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (field, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*field)
}

pub(super) fn take_u8(bytes: &mut &[u8]) -> Option<u8> {
    take::<1>(bytes).map(|[byte]| byte)
}

pub(super) fn take_u16(bytes: &mut &[u8]) -> Option<u16> {
    take(bytes).map(u16::from_le_bytes)
}

pub(super) fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    take(bytes).map(u32::from_le_bytes)
}

/// Removes `count` bytes from the front.
pub(super) fn skip(bytes: &mut &[u8], count: usize) -> Option<()> {
    *bytes = bytes.get(count..)?;
    Some(())
}
