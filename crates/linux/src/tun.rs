//! A network interface whose packets a program sends and receives: TUN.
//!
//! Source: Linux, Documentation/networking/tuntap.rst. Packets go without the four bytes of packet
//! information before them (`IFF_NO_PI`). The interface goes when this is dropped, or the process ends.

use std::io;
use std::net::IpAddr;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use tun_rs::{DeviceBuilder, SyncDevice};

/// The device that makes interfaces.
pub const DEVICE: &str = "/dev/net/tun";

/// Longest name of an interface, bytes: `IFNAMSIZ` less its end.
pub const LONGEST_NAME: usize = 15;

/// A network interface.
pub struct Tun {
    device: SyncDevice,
    name: String,
}

impl Tun {
    /// An interface for packets of up to `mtu` bytes, without an address and down until somebody sets it
    /// up: the kernel sends nothing before. `%d` in a name stands for the first number that is free.
    ///
    /// # Errors
    ///
    /// One line that says what is missing, or what the name or the MTU must be.
    pub fn open(name: &str, mtu: u16) -> io::Result<Self> {
        Self::with_address(name, mtu, None)
    }

    /// The same with an address, and how many bits of it the network has; up from the beginning.
    ///
    /// # Errors
    ///
    /// Those of [`Tun::open`], and an address that no interface can have.
    pub fn with_address(name: &str, mtu: u16, address: Option<(IpAddr, u8)>) -> io::Result<Self> {
        check_name(name)?;
        let builder = DeviceBuilder::new().name(name).mtu(mtu).enable(address.is_some());
        let builder = match address {
            Some((IpAddr::V4(address), prefix)) => builder.ipv4(address, prefix, None),
            Some((IpAddr::V6(address), prefix)) => builder.ipv6(address, prefix),
            None => builder,
        };
        let device = builder.build_sync().map_err(|cause| told(name, &cause))?;
        fcntl_setfl(&device, fcntl_getfl(&device)? | OFlags::NONBLOCK)?;
        let name = device.name()?;
        Ok(Self { device, name })
    }

    /// What the interface is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next packet that the computer sends through the interface, and its length in bytes; none if
    /// there is none now. What does not fit is cut off.
    ///
    /// # Errors
    ///
    /// Those after which nothing more comes.
    pub fn read(&self, into: &mut [u8]) -> io::Result<Option<usize>> {
        match self.device.recv(into) {
            Ok(len) => Ok(Some(len)),
            Err(error) if is_passing(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The computer receives a packet through the interface; none if it did not take it: the interface
    /// was set down, or this is no IP packet.
    ///
    /// # Errors
    ///
    /// Those after which nothing more is taken.
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

/// True if a later packet may fare better: an interface that is down answers with EIO.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, WouldBlock};
    matches!(error.kind(), WouldBlock | Interrupted)
        || [Errno::IO, Errno::NOBUFS, Errno::NOMEM].into_iter().any(|one| is(error, one))
}

/// The kernel cuts a name that is too long off, and says "invalid" to the others.
fn check_name(name: &str) -> io::Result<()> {
    let odd = |char: char| char.is_whitespace() || char.is_control() || "/:".contains(char);
    let good = (1..=LONGEST_NAME).contains(&name.len())
        && !name.contains(odd)
        && ![".", ".."].contains(&name);
    let told = || {
        let told = format!(
            "{name:?} is no name of an interface; write 1 to {LONGEST_NAME} letters, digits or -"
        );
        io::Error::new(io::ErrorKind::InvalidInput, told)
    };
    if good { Ok(()) } else { Err(told()) }
}

/// What is missing, for whoever can mend it.
fn told(name: &str, cause: &io::Error) -> io::Error {
    let told = if !Path::new(DEVICE).exists() || is(cause, Errno::NODEV) || is(cause, Errno::NXIO) {
        format!("{DEVICE} is missing; load the kernel's module with modprobe tun")
    } else if cause.kind() == io::ErrorKind::PermissionDenied {
        format!(
            "{name}: making an interface needs the capability CAP_NET_ADMIN and access to {DEVICE}; run \
             this as root"
        )
    } else if is(cause, Errno::BUSY) {
        format!("{name}: another program uses this interface; choose another name")
    } else if is(cause, Errno::INVAL) {
        format!("{name}: no TUN interface can have this name, MTU or address ({cause})")
    } else {
        format!("{name}: {cause}")
    };
    io::Error::new(cause.kind(), told)
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
        let cause = |errno: Errno| told("tun7", &errno.into()).to_string();
        assert!(cause(Errno::PERM).contains("CAP_NET_ADMIN"));
        assert!(cause(Errno::BUSY).contains("another program"));
        assert!(cause(Errno::NODEV).contains("modprobe tun"));
        assert_eq!(told("tun7", &Errno::PERM.into()).kind(), io::ErrorKind::PermissionDenied);
    }
}
