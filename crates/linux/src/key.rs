//! The common key of both ends of a tunnel, in a file.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::process::geteuid;
use rustix::rand::{GetRandomFlags, getrandom};
use zeroize::Zeroizing;

/// Length of a key, bytes.
pub const LENGTH: usize = 32;

/// Longest file, bytes: a key in hexadecimal digits, and line ends.
const LONGEST: u64 = 2 * LENGTH as u64 + 16;
/// Largest number of random bytes that are returned without interruption (getrandom(2)).
const AT_ONCE: usize = 256;
/// Mode bits that give access to users other than the owner.
const OTHERS: u32 = 0o077;

/// Unpredictable bytes.
fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    // This number of bytes is within the limit of an uninterrupted call.
    getrandom(&mut bytes, GetRandomFlags::empty())?;
    Ok(bytes)
}

/// Random bytes of the operating system, for session keys.
///
/// # Errors
///
/// An error of the operating system. If the first call succeeds, all later ones do.
pub fn entropy() -> io::Result<impl FnMut(&mut [u8]) + 'static> {
    random::<1>()?;
    Ok(|bytes: &mut [u8]| {
        for part in bytes.chunks_mut(AT_ONCE) {
            // The generator is initialised, and short requests are not interrupted.
            let got = getrandom(&mut *part, GetRandomFlags::empty());
            assert_eq!(got, Ok(part.len()), "the kernel's random number generator failed");
        }
    })
}

/// Creates a key in hexadecimal digits.
///
/// # Errors
///
/// An error of the operating system.
pub fn make() -> io::Result<String> {
    let key: [u8; LENGTH] = random()?;
    Ok(key.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Reads the key in a file: 32 raw bytes, or 64 hexadecimal digits.
///
/// # Errors
///
/// One line for a missing or invalid file, for a file that others can read or modify, and for a key of zeros.
pub fn read(path: &Path) -> Result<Zeroizing<[u8; LENGTH]>, String> {
    let name = path.display();
    let refused =
        |cause: io::Error| format!("{name}: {cause}; airlag tunnel key {name} creates a key");
    if !fs::metadata(path).map_err(refused)?.is_file() {
        return Err(format!("{name}: not a regular file; specify a key file"));
    }
    let file = File::open(path).map_err(refused)?;
    // Metadata of the opened file, which may have been renamed.
    let about = file.metadata().map_err(refused)?;
    let (owner, own) = (about.uid(), geteuid().as_raw());
    if !trusted(own, env::var("SUDO_UID").ok().as_deref()).contains(&owner) {
        return Err(format!(
            "{name}: owned by user {owner}, who could change it; use chown {own} {name}"
        ));
    }
    if about.permissions().mode() & OTHERS != 0 {
        return Err(format!(
            "{name}: others than its owner can read or change it; use chmod 600 {name}"
        ));
    }
    // A growing vector would leave copies behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(LONGEST as usize + 1));
    file.take(LONGEST).read_to_end(&mut bytes).map_err(refused)?;
    let key = parse(&bytes).ok_or_else(|| {
        format!("{name}: not a key; a key has 32 bytes, or 64 hexadecimal digits")
    })?;
    if *key == [0; LENGTH] {
        return Err(format!("{name}: the key is all zeros; airlag tunnel key {name} creates one"));
    }
    Ok(key)
}

/// Trusted owners of a key file: this user, root, and the user who became root by `sudo`.
fn trusted(own: u32, sudo: Option<&str>) -> [u32; 3] {
    let sudo = sudo.and_then(|user| user.parse().ok()).filter(|_| own == 0);
    [own, 0, sudo.unwrap_or(own)]
}

fn parse(bytes: &[u8]) -> Option<Zeroizing<[u8; LENGTH]>> {
    if let Ok(key) = bytes.try_into() {
        return Some(Zeroizing::new(key));
    }
    let digits = bytes.trim_ascii();
    let digit = |byte: &u8| char::from(*byte).to_digit(16).map(|value| value as u8);
    let mut key = Zeroizing::new([0; LENGTH]);
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
        assert_eq!(parse(&[7; 32]).as_deref(), Some(&[7; 32]));
        let made = make().expect("the system has random numbers");
        assert_ne!(made, make().expect("the system has random numbers"));
        let key = parse(format!("{made}\n").as_bytes()).expect("a key");
        assert_eq!(key, parse(made.to_uppercase().as_bytes()).expect("a key"));
        assert_eq!(format!("{:02x}", key[31]), made[62..]);
        for wrong in [&made.as_bytes()[1..], b"", &[b'g'; 64], &[7; 31], &[7; 33]] {
            assert_eq!(parse(wrong), None);
        }
    }

    #[test]
    fn a_key_file_is_taken_from_its_user_root_and_who_called_sudo() {
        assert!(trusted(1_000, None).contains(&0) && trusted(1_000, None).contains(&1_000));
        assert!(trusted(0, Some("1000")).contains(&1_000));
        // Only root can result from sudo.
        for (own, sudo) in [(0, None), (0, Some("x")), (1_001, Some("1000"))] {
            assert!(!trusted(own, sudo).contains(&1_000), "{own} {sudo:?}");
        }
    }
}
