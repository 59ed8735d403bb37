//! A network interface: packets that the computer sends through one interface come out of the other.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use airlag_linux::Tun;

use crate::port::{LONGEST, Port};

impl Port for Tun {
    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        vec![self.as_fd()]
    }

    fn read(&mut self, into: &mut [u8; LONGEST]) -> io::Result<Option<(usize, u32)>> {
        Ok(Tun::read(self, into)?.map(|len| (len, 0)))
    }

    fn write(&mut self, packet: &[u8], _: u32) -> io::Result<()> {
        Tun::write(self, packet).map(|_| ())
    }
}
