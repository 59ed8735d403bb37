//! The key that both ends of a tunnel have, in a file.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rustix::rand::{GetRandomFlags, getrandom};

/// Bytes of a key.
pub const LENGTH: usize = 32;

/// Longest file that is read: a key in hexadecimal digits, and ends of lines.
const LONGEST: u64 = 2 * LENGTH as u64 + 16;
/// Bits of a mode by which others than the owner may do something.
const OTHERS: u32 = 0o077;

/// Bytes that nobody can guess.
fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    // Fewer than 256 bytes come at once (getrandom(2)).
    getrandom(&mut bytes, GetRandomFlags::empty())?;
    Ok(bytes)
}

/// A number for the sessions of one run.
///
/// # Errors
///
/// Those of the operating system.
pub fn number() -> io::Result<u64> {
    random().map(u64::from_ne_bytes)
}

/// A new key, as hexadecimal digits.
///
/// # Errors
///
/// Those of the operating system.
pub fn make() -> io::Result<String> {
    let key: [u8; LENGTH] = random()?;
    Ok(key.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The key in a file: 32 bytes as they are, or 64 hexadecimal digits.
///
/// # Errors
///
/// One line that says why there is none, or who could read it.
pub fn read(path: &Path) -> Result<[u8; LENGTH], String> {
    let name = path.display();
    let refused =
        |cause: io::Error| format!("{name}: {cause}; airlag tunnel key {name} makes a key");
    let about = fs::metadata(path).map_err(refused)?;
    if !about.is_file() {
        return Err(format!("{name}: no regular file; name one with a key"));
    }
    if about.permissions().mode() & OTHERS != 0 {
        return Err(format!(
            "{name}: others than its owner may read or change it; chmod 600 {name}"
        ));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(refused)?;
    file.take(LONGEST).read_to_end(&mut bytes).map_err(refused)?;
    parse(&bytes)
        .ok_or_else(|| format!("{name}: no key; it has 32 bytes, or 64 hexadecimal digits"))
}

fn parse(bytes: &[u8]) -> Option<[u8; LENGTH]> {
    if let Ok(key) = bytes.try_into() {
        return Some(key);
    }
    let digits = bytes.trim_ascii();
    let digit = |byte: &u8| char::from(*byte).to_digit(16).map(|value| value as u8);
    let mut key = [0; LENGTH];
    if digits.len() != 2 * LENGTH {
        return None;
    }
    for (byte, pair) in key.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = digit(&pair[0])? << 4 | digit(&pair[1])?;
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_bytes_and_as_digits_and_nothing_else_is() {
        assert_eq!(parse(&[7; 32]), Some([7; 32]));
        let made = make().expect("the system has random numbers");
        assert_ne!(made, make().expect("the system has random numbers"));
        let key = parse(format!("{made}\n").as_bytes()).expect("a key");
        assert_eq!(key, parse(made.to_uppercase().as_bytes()).expect("a key"));
        assert_eq!(format!("{:02x}", key[31]), made[62..]);
        for wrong in [&made.as_bytes()[1..], b"", &[b'g'; 64], &[7; 31], &[7; 33]] {
            assert_eq!(parse(wrong), None);
        }
    }
}
