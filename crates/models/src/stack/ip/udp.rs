//! A UDP socket as a datagram link.

use std::convert::Infallible;
use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::Stream;
use smoltcp::iface::SocketHandle;
use smoltcp::phy::ChecksumCapabilities;
use smoltcp::socket::udp;
use smoltcp::wire::{
    IPV4_HEADER_LEN, IpAddress, IpProtocol, Ipv4Address, Ipv4Packet, Ipv4Repr, UDP_HEADER_LEN,
    UdpPacket, UdpRepr,
};

use super::slices;
use super::stack::Stack;

/// Port of either end: the first dynamic port (RFC 6335, 6).
const PORT: u16 = 49_152;

/// Overhead of a datagram in a packet, bytes.
pub const OVERHEAD: usize = IPV4_HEADER_LEN + UDP_HEADER_LEN;

/// One end.
pub struct Udp {
    stack: Rc<Stack>,
    handle: SocketHandle,
    mtu: usize,
    /// Datagram read from the socket and not yet delivered to the program.
    held: Option<Vec<u8>>,
    /// Whether the program was blocked until this datagram arrived.
    waited: bool,
    jitter: Stream,
}

impl Udp {
    /// Creates a socket of `stack` for datagrams of up to `largest` bytes, of which it queues up to
    /// `queue` in each direction.
    #[must_use]
    pub fn new(stack: &Rc<Stack>, largest: usize, queue: usize) -> Self {
        let mtu = largest.min(stack.mtu().saturating_sub(OVERHEAD)).max(1);
        let buffer = || {
            let slots = vec![udp::PacketMetadata::EMPTY; queue.max(1)];
            udp::PacketBuffer::new(slots, vec![0; queue.max(1) * mtu])
        };
        let mut socket = udp::Socket::new(buffer(), buffer());
        // The port is not 0 and the socket is not open, so this cannot fail.
        let _ = socket.bind(PORT);
        let handle = stack.add(socket);
        let jitter = stack.board().stream("read jitter");
        Self { stack: Rc::clone(stack), handle, mtu, held: None, waited: false, jitter }
    }

    /// Host.
    pub(super) const fn stack(&self) -> &Rc<Stack> {
        &self.stack
    }

    fn send_now(&self, chunk: &[u8]) -> bool {
        let (_, peer) = self.stack.addresses();
        let to = (IpAddress::Ipv4(peer), PORT);
        self.stack.with(self.handle, |socket: &mut udp::Socket<'_>, _| {
            socket.send_slice(chunk, to).is_ok()
        })
    }

    fn read_now(&self) -> Option<Vec<u8>> {
        self.stack.with(self.handle, |socket: &mut udp::Socket<'_>, _| {
            socket.recv().ok().map(|(bytes, _)| bytes.to_vec())
        })
    }
}

impl Link for Udp {
    type Error = Infallible;

    fn capability(&self) -> Capability {
        Capability::datagram(self.mtu).duplex(true)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        self.stack.spend(&slices::WRITE, self.stack.host().send).await;
        let since = self.stack.board().sim().now();
        while !self.send_now(chunk) {
            self.stack.writable.wait().await;
        }
        let board = self.stack.board();
        board.span(&slices::SEND_BUFFER_FULL, since, board.sim().now());
        self.stack.poll();
        Ok(Delivery::Sent)
    }

    /// The outcome of a datagram is unknown to its program, so there is nothing to wait for.
    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        while self.held.is_none() {
            self.held = self.read_now();
            if self.held.is_none() {
                self.waited = true;
                self.stack.readable.wait().await;
            }
        }
        if self.waited {
            let takes = self.stack.host().reading(&mut self.jitter);
            self.stack.spend(&slices::READ_OUT, takes).await;
            self.waited = false;
        }
        let bytes = self.held.take().unwrap_or_default();
        let len = bytes.len().min(buffer.len());
        buffer[..len].copy_from_slice(&bytes[..len]);
        Ok(len)
    }
}

/// Returns a packet of `size` bytes, headers included, from host `from` of the network to the
/// discard port of host `to` (RFC 863).
#[must_use]
pub fn discarded([from, to]: [u8; 2], size: usize) -> Vec<u8> {
    const DISCARD: u16 = 9;
    let [src_addr, dst_addr] = [from, to].map(|last| Ipv4Address::new(192, 168, 4, last));
    let size = size.max(OVERHEAD);
    let (udp, checksums) =
        (UdpRepr { src_port: PORT, dst_port: DISCARD }, ChecksumCapabilities::default());
    let ip = Ipv4Repr {
        src_addr,
        dst_addr,
        next_header: IpProtocol::Udp,
        payload_len: size - IPV4_HEADER_LEN,
        hop_limit: 64,
    };
    let mut bytes = vec![0; size];
    let mut packet = Ipv4Packet::new_unchecked(bytes.as_mut_slice());
    ip.emit(&mut packet, &checksums);
    udp.emit(
        &mut UdpPacket::new_unchecked(packet.payload_mut()),
        &src_addr.into(),
        &dst_addr.into(),
        size - OVERHEAD,
        |_| {},
        &checksums,
    );
    bytes
}
