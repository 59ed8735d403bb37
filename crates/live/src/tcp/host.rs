//! A smoltcp host: an address, sockets, and queues of packets.

use std::time::{Duration as Wall, Instant as WallInstant};

use airlag_models::stack::ip::Device;
use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::phy::Medium;
use smoltcp::socket::tcp::{CongestionControl, Socket, SocketBuffer};
use smoltcp::time::Instant;
use smoltcp::wire::{HardwareAddress, IpCidr, Ipv4Address};

/// Addresses of the two hosts, which never leave the relay: the benchmark network (RFC 2544, C.2.2).
pub(super) const NEAR: Ipv4Address = Ipv4Address::new(198, 18, 0, 1);
pub(super) const FAR: Ipv4Address = Ipv4Address::new(198, 18, 0, 2);
/// Port on which the far host listens.
pub(super) const PORT: u16 = 5_000;

/// Socket buffer per direction, bytes: the largest window without scaling (RFC 9293, 3.1).
const BUFFER: usize = 65_535;
/// Maximum number of packets waiting for the link. TCP waits when it is reached.
const PACKETS: usize = 64;

/// One host.
pub(super) struct Host {
    device: Device,
    interface: Interface,
    sockets: SocketSet<'static>,
    began: WallInstant,
    /// Speed of its clock relative to the wall clock.
    speed: f64,
    next_port: u16,
}

impl Host {
    pub(super) fn new(address: Ipv4Address, mtu: usize, speed: f64) -> Self {
        let mut device = Device::new(Medium::Ip, mtu, PACKETS);
        let config = Config::new(HardwareAddress::Ip);
        let mut interface = Interface::new(config, &mut device, Instant::ZERO);
        interface.update_ip_addrs(|addresses| {
            // The list has space for the first address.
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
        // Nagle's algorithm is off: whether to combine small writes is decided by the program's own TCP.
        socket.set_nagle_enabled(false);
        socket.set_congestion_control(CongestionControl::Reno);
        self.sockets.add(socket)
    }

    /// Creates a socket and connects it to the far host.
    pub(super) fn connect(&mut self) -> SocketHandle {
        let (handle, port) = (self.add(), self.next_port);
        // Cycles through the dynamic port range (RFC 6335, 6).
        self.next_port = port.checked_add(1).unwrap_or(49_152);
        let socket = self.sockets.get_mut::<Socket<'_>>(handle);
        // Fails only if the address or port is missing.
        let _ = socket.connect(self.interface.context(), (FAR, PORT), port);
        handle
    }

    /// Creates a listening socket.
    pub(super) fn listen(&mut self) -> SocketHandle {
        let handle = self.add();
        // Fails only if the port is missing.
        let _ = self.socket(handle).listen(PORT);
        handle
    }

    pub(super) fn socket(&mut self, handle: SocketHandle) -> &mut Socket<'static> {
        self.sockets.get_mut(handle)
    }

    pub(super) fn socket_ref(&self, handle: SocketHandle) -> &Socket<'static> {
        self.sockets.get(handle)
    }

    pub(super) fn remove(&mut self, handle: SocketHandle) {
        self.sockets.remove(handle);
    }

    /// Queues a packet received over the link.
    pub(super) fn receive(&mut self, packet: &[u8]) {
        self.device.up.push_back(packet.to_vec());
    }

    /// Returns the next packet to send over the link.
    pub(super) fn next(&mut self) -> Option<Vec<u8>> {
        self.device.down.pop_front()
    }

    /// Processes due timers and queued packets.
    pub(super) fn poll(&mut self) {
        let now = self.now();
        self.interface.poll(now, &mut self.device, &mut self.sockets);
    }

    /// Time until the next timer. `None` if there is none, or if the host waits for the link.
    pub(super) fn due(&mut self) -> Option<Wall> {
        if !self.device.has_room() {
            return None;
        }
        let delay = self.interface.poll_delay(self.now(), &self.sockets)?;
        Some(Wall::from_secs_f64(delay.total_micros() as f64 / 1e6 / self.speed))
    }
}
