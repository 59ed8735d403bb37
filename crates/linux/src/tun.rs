//! A network interface of a program: TUN.
//!
//! Source: Linux, Documentation/networking/tuntap.rst. Packets have no packet information header
//! (`IFF_NO_PI`). The interface exists until this object is dropped or the process ends.

use std::io;
use std::net::IpAddr;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use tun_rs::{DeviceBuilder, SyncDevice};

/// Device that creates interfaces.
pub const DEVICE: &str = "/dev/net/tun";

/// Longest name of an interface, bytes: `IFNAMSIZ` minus the final zero.
pub const LONGEST_NAME: usize = 15;

/// A network interface.
pub struct Tun {
    device: SyncDevice,
    name: String,
}

impl Tun {
    /// Creates an interface for packets of up to `mtu` bytes. It has no address and is down until it is
    /// configured, so the kernel sends nothing before. `%d` in a name is replaced by the first free number.
    ///
    /// # Errors
    ///
    /// One line with the missing requirement, or with the constraints on name and MTU.
    pub fn open(name: &str, mtu: u16) -> io::Result<Self> {
        Self::with_address(name, mtu, None)
    }

    /// Like [`Tun::open`], with an address and its prefix length, and up.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Tun::open`], and an error for an invalid address.
    pub fn with_address(name: &str, mtu: u16, address: Option<(IpAddr, u8)>) -> io::Result<Self> {
        check_name(name)?;
        let builder = DeviceBuilder::new().name(name).mtu(mtu).enable(address.is_some());
        let builder = match address {
            Some((IpAddr::V4(address), prefix)) => builder.ipv4(address, prefix, None),
            Some((IpAddr::V6(address), prefix)) => builder.ipv6(address, prefix),
            None => builder,
        };
        let device = builder.build_sync().map_err(|cause| described(name, &cause))?;
        fcntl_setfl(&device, fcntl_getfl(&device)? | OFlags::NONBLOCK)?;
        let name = device.name()?;
        Ok(Self { device, name })
    }

    /// Name of the interface.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads the next packet that the computer sends through the interface. Returns its length, or `None` if
    /// there is none. A packet that does not fit is truncated.
    ///
    /// # Errors
    ///
    /// Permanent errors.
    pub fn read(&self, into: &mut [u8]) -> io::Result<Option<usize>> {
        match self.device.recv(into) {
            Ok(len) => Ok(Some(len)),
            Err(error) if is_passing(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Passes a packet to the computer. Returns `None` if it was not accepted, because the interface is down
    /// or it is not an IP packet.
    ///
    /// # Errors
    ///
    /// Permanent errors.
    pub fn write(&self, packet: &[u8]) -> io::Result<Option<()>> {
        match self.device.send(packet) {
            Ok(_) => Ok(Some(())),
            Err(error) if is_passing(&error) || is(&error, Errno::INVAL) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl AsFd for Tun {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.device.as_fd()
    }
}

fn is(error: &io::Error, errno: Errno) -> bool {
    error.raw_os_error() == Some(errno.raw_os_error())
}

/// Whether an error is temporary. An interface that is down returns EIO.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, WouldBlock};
    matches!(error.kind(), WouldBlock | Interrupted)
        || [Errno::IO, Errno::NOBUFS, Errno::NOMEM].into_iter().any(|one| is(error, one))
}

/// Checks a name, because the kernel truncates a long one, and reports only "invalid" for others.
fn check_name(name: &str) -> io::Result<()> {
    let odd = |char: char| char.is_whitespace() || char.is_control() || "/:".contains(char);
    let good = (1..=LONGEST_NAME).contains(&name.len())
        && !name.contains(odd)
        && ![".", ".."].contains(&name);
    let invalid = || {
        let text = format!(
            "{name:?} is not a valid interface name; write 1 to {LONGEST_NAME} letters, digits or -"
        );
        io::Error::new(io::ErrorKind::InvalidInput, text)
    };
    if good { Ok(()) } else { Err(invalid()) }
}

/// Describes the missing requirement with a remedy.
fn described(name: &str, cause: &io::Error) -> io::Error {
    let text = if !Path::new(DEVICE).exists() || is(cause, Errno::NODEV) || is(cause, Errno::NXIO) {
        format!("{DEVICE} is missing; load the kernel module with modprobe tun")
    } else if cause.kind() == io::ErrorKind::PermissionDenied {
        format!(
            "{name}: creating an interface needs the capability CAP_NET_ADMIN and access to {DEVICE}; run \
             as root"
        )
    } else if is(cause, Errno::BUSY) {
        format!("{name}: another program uses this interface; choose another name")
    } else if is(cause, Errno::INVAL) {
        format!("{name}: invalid name, MTU or address for a TUN interface ({cause})")
    } else {
        format!("{name}: {cause}")
    };
    io::Error::new(cause.kind(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_the_kernel_would_cut_off_or_refuse_is_told_of_before_it_is_asked() {
        for name in ["", "0123456789abcdef", "a b", "a/b", "..", "a:b", "a\nb"] {
            let error = check_name(name).expect_err(name);
            assert!(error.to_string().contains("write 1 to 15 letters"), "{error}");
        }
        for name in ["airlag%d", "tun0", "0123456789abcde"] {
            check_name(name).expect(name);
        }
    }

    #[test]
    fn each_thing_that_is_missing_is_told_by_its_name() {
        let cause = |errno: Errno| described("tun7", &errno.into()).to_string();
        assert!(cause(Errno::PERM).contains("CAP_NET_ADMIN"));
        assert!(cause(Errno::BUSY).contains("another program"));
        assert!(cause(Errno::NODEV).contains("modprobe tun"));
        assert_eq!(described("tun7", &Errno::PERM.into()).kind(), io::ErrorKind::PermissionDenied);
    }
}
