//! A UDP relay: datagrams to one address are forwarded to another, and replies return to the client.
//!
//! ```text
//!  client ──► [near] ──► link ──► [far] ──► server
//!         ◄──        ◄──      ◄──       ◄──
//! ```
//!
//! Each client has its own socket toward the server, so that replies reach the right client, as behind a
//! router (RFC 3022, traditional NAT).

use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::port::{LONGEST, Port, nonblocking};

/// Maximum number of clients. One more replaces the oldest.
const CLIENTS: usize = 256;

/// Client addresses, by the tag of their packets.
#[derive(Debug, Default)]
struct Clients {
    by_address: HashMap<SocketAddr, u32>,
    by_tag: HashMap<u32, SocketAddr>,
    next: u32,
}

impl Clients {
    fn tag(&mut self, address: SocketAddr) -> u32 {
        if let Some(&tag) = self.by_address.get(&address) {
            return tag;
        }
        let tag = self.next;
        self.next = self.next.wrapping_add(1);
        if let Some(first) = tag.checked_sub(CLIENTS as u32)
            && let Some(gone) = self.by_tag.remove(&first)
        {
            self.by_address.remove(&gone);
        }
        self.by_address.insert(address, tag);
        self.by_tag.insert(tag, address);
        tag
    }
}

/// Client table shared by both sides, which run independently.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Clients>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Clients> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Converts the result of a non-blocking operation. Also returns `None` if no program listens at
/// the moment, which the system reports on the call after an undeliverable datagram.
fn received<T>(outcome: io::Result<T>) -> io::Result<Option<T>> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Ok(None),
        outcome => nonblocking(outcome),
    }
}

/// Side of the clients.
pub struct Near {
    socket: UdpSocket,
    clients: Shared,
}

/// Side of the server.
pub struct Far {
    server: SocketAddr,
    sockets: HashMap<u32, UdpSocket>,
    clients: Shared,
}

/// Creates the two sides of a relay that listens at `listen` and forwards to `server`.
///
/// # Errors
///
/// If the address cannot be bound.
pub fn relay(listen: SocketAddr, server: SocketAddr) -> io::Result<(Near, Far)> {
    let socket = UdpSocket::bind(listen)?;
    socket.set_nonblocking(true)?;
    let clients = Shared::default();
    let far = Far { server, sockets: HashMap::new(), clients: clients.clone() };
    Ok((Near { socket, clients }, far))
}

impl Near {
    /// Address of the listener.
    ///
    /// # Errors
    ///
    /// Errors of the operating system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }
}

impl Port for Near {
    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        vec![self.socket.as_fd()]
    }

    fn read(&mut self, into: &mut [u8; LONGEST]) -> io::Result<Option<(usize, u32)>> {
        let got = received(self.socket.recv_from(into))?;
        Ok(got.map(|(len, from)| (len, self.clients.lock().tag(from))))
    }

    fn write(&mut self, packet: &[u8], tag: u32) -> io::Result<()> {
        let client = self.clients.lock().by_tag.get(&tag).copied();
        if let Some(client) = client {
            received(self.socket.send_to(packet, client))?;
        }
        Ok(())
    }
}

impl Far {
    /// Returns the socket of a client.
    fn socket_of(&mut self, tag: u32) -> io::Result<&UdpSocket> {
        // Sockets of removed clients are closed.
        let clients = self.clients.lock();
        self.sockets.retain(|known, _| clients.by_tag.contains_key(known));
        drop(clients);
        match self.sockets.entry(tag) {
            std::collections::hash_map::Entry::Occupied(open) => Ok(open.into_mut()),
            std::collections::hash_map::Entry::Vacant(vacant) => {
                let any: SocketAddr = match self.server {
                    SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
                    SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
                };
                let socket = UdpSocket::bind(any)?;
                socket.connect(self.server)?;
                socket.set_nonblocking(true)?;
                Ok(vacant.insert(socket))
            }
        }
    }
}

impl Port for Far {
    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        self.sockets.values().map(AsFd::as_fd).collect()
    }

    fn read(&mut self, into: &mut [u8; LONGEST]) -> io::Result<Option<(usize, u32)>> {
        for (&tag, socket) in &self.sockets {
            if let Some(len) = received(socket.recv(into))? {
                return Ok(Some((len, tag)));
            }
        }
        Ok(None)
    }

    fn write(&mut self, packet: &[u8], tag: u32) -> io::Result<()> {
        received(self.socket_of(tag)?.send(packet)).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_keeps_its_tag_until_the_table_is_full() {
        let mut clients = Clients::default();
        let address = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        assert_eq!((clients.tag(address(1)), clients.tag(address(2))), (0, 1));
        assert_eq!(clients.tag(address(1)), 0);
        for port in 3..=(CLIENTS as u16 + 1) {
            clients.tag(address(port));
        }
        assert_eq!((clients.by_tag.len(), clients.by_address.len()), (CLIENTS, CLIENTS));
        assert!(!clients.by_tag.contains_key(&0) && clients.by_tag.contains_key(&1));
    }
}
