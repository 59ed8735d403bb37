//! One host of smoltcp: an address, sockets, and packets that come and go.

use std::time::{Duration as Wall, Instant as WallInstant};

use airlag_models::stack::ip::Device;
use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::phy::Medium;
use smoltcp::socket::tcp::{CongestionControl, Socket, SocketBuffer};
use smoltcp::time::Instant;
use smoltcp::wire::{HardwareAddress, IpCidr, Ipv4Address};

/// Network of the two hosts, of which nobody else ever hears: one for benchmarks (RFC 2544, C.2.2).
pub(super) const NEAR: Ipv4Address = Ipv4Address::new(198, 18, 0, 1);
pub(super) const FAR: Ipv4Address = Ipv4Address::new(198, 18, 0, 2);
/// Where the far one listens.
pub(super) const PORT: u16 = 5_000;

/// Bytes of a socket's buffer, each way: the largest window without scaling (RFC 9293, 3.1).
const BUFFER: usize = 65_535;
/// Packets that wait for the link at most; TCP waits with them.
const PACKETS: usize = 64;

/// One host.
pub(super) struct Host {
    device: Device,
    interface: Interface,
    sockets: SocketSet<'static>,
    began: WallInstant,
    /// How many of its seconds are in one of the wall clock's.
    speed: f64,
    next_port: u16,
}

impl Host {
    pub(super) fn new(address: Ipv4Address, mtu: usize, speed: f64) -> Self {
        let mut device = Device::new(Medium::Ip, mtu, PACKETS);
        let config = Config::new(HardwareAddress::Ip);
        let mut interface = Interface::new(config, &mut device, Instant::ZERO);
        interface.update_ip_addrs(|addresses| {
            // There is room for the first.
            let _ = addresses.push(IpCidr::new(address.into(), 24));
        });
        let sockets = SocketSet::new(Vec::new());
        Self { device, interface, sockets, began: WallInstant::now(), speed, next_port: 49_152 }
    }

    fn now(&self) -> Instant {
        Instant::from_micros((self.began.elapsed().as_micros() as f64 * self.speed) as i64)
    }

    fn add(&mut self) -> SocketHandle {
        let buffer = || SocketBuffer::new(vec![0; BUFFER]);
        let mut socket = Socket::new(buffer(), buffer());
        // What a program writes at once goes at once: whether to wait is for its own TCP to say.
        socket.set_nagle_enabled(false);
        socket.set_congestion_control(CongestionControl::Reno);
        self.sockets.add(socket)
    }

    /// A socket that is being connected to the far host.
    pub(super) fn connect(&mut self) -> SocketHandle {
        let (handle, port) = (self.add(), self.next_port);
        // The range for this (RFC 6335, 6), over and over.
        self.next_port = port.checked_add(1).unwrap_or(49_152);
        let socket = self.sockets.get_mut::<Socket<'_>>(handle);
        // Refused only where an address or a port is missing.
        let _ = socket.connect(self.interface.context(), (FAR, PORT), port);
        handle
    }

    /// A socket that waits for whoever comes.
    pub(super) fn listen(&mut self) -> SocketHandle {
        let handle = self.add();
        // Refused only where a port is missing.
        let _ = self.socket(handle).listen(PORT);
        handle
    }

    pub(super) fn socket(&mut self, handle: SocketHandle) -> &mut Socket<'static> {
        self.sockets.get_mut(handle)
    }

    pub(super) fn seen(&self, handle: SocketHandle) -> &Socket<'static> {
        self.sockets.get(handle)
    }

    pub(super) fn remove(&mut self, handle: SocketHandle) {
        self.sockets.remove(handle);
    }

    /// A packet came.
    pub(super) fn came(&mut self, packet: &[u8]) {
        self.device.up.push_back(packet.to_vec());
    }

    /// The next packet to send.
    pub(super) fn next(&mut self) -> Option<Vec<u8>> {
        self.device.down.pop_front()
    }

    /// Does what is due.
    pub(super) fn poll(&mut self) {
        let now = self.now();
        self.interface.poll(now, &mut self.device, &mut self.sockets);
    }

    /// After which time something is due by itself; none if nothing is, or it has to wait for the link.
    pub(super) fn due(&mut self) -> Option<Wall> {
        if !self.device.has_room() {
            return None;
        }
        let delay = self.interface.poll_delay(self.now(), &self.sockets)?;
        Some(Wall::from_secs_f64(delay.total_micros() as f64 / 1e6 / self.speed))
    }
}
