//! smoltcp over an interface of the manufacturer's driver: one socket, and the connection that it needs.

use alloc::vec;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::convert::Infallible;
use core::future::{Future, pending, poll_fn};
use core::pin::pin;
use core::task::{Context, Poll, Waker};

use airlag_drivers::websocket::{Role, WebSocket};
use airlag_ends::settings::LARGEST;
use embassy_net_driver::{Driver, HardwareAddress, LinkState, RxToken, TxToken};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::mutex::Mutex;
use embassy_sync::signal::Signal;
use embassy_sync::waitqueue::WakerRegistration;
use embassy_time::{Duration, Timer, with_timeout};
use esp_hal::rng::Rng;
use esp_radio::wifi::Interface as Port;
use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::phy::{self, DeviceCapabilities, Medium};
use smoltcp::socket::{AnySocket, tcp, udp};
use smoltcp::time::{Duration as Span, Instant};
use smoltcp::wire::{EthernetAddress, IpAddress, IpCidr, Ipv4Address};

use crate::plan::{Plan, Transport};
use crate::stream::Stream;

/// Port on which a UDP socket receives and a TCP socket listens, and port from which a TCP socket connects: those of
/// the bench (RFC 6335, 6: the first dynamic ports).
pub const SERVER_PORT: u16 = 49_152;
const CLIENT_PORT: u16 = 49_153;
/// Header of an Ethernet frame, bytes.
const ETHERNET: usize = 14;
/// Largest packet, bytes, as in the profiles.
const UDP_MTU: usize = 1_500;
const TCP_MTU: usize = 1_480;
/// Headers of a datagram, bytes.
const UDP_OVERHEAD: usize = 28;
/// Largest datagram, bytes.
pub const LARGEST_DATAGRAM: usize = UDP_MTU - UDP_OVERHEAD;
/// Datagrams that a socket queues in each direction, as in the profiles.
const DATAGRAMS: usize = 6;
/// Length of the network prefix, bits.
const PREFIX: u8 = 24;

/// Silence after which a TCP connection is probed, and after which it is closed, so that a board detects that the
/// other one was reset. No message of a shorter period is affected.
const KEEP_ALIVE: Span = Span::from_secs(5);
const TIMEOUT: Span = Span::from_secs(15);
/// Time after which a WebSocket handshake is given up.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// Time between two attempts to connect.
const PAUSE: Duration = Duration::from_secs(1);

/// Longest header of a WebSocket frame, bytes (RFC 6455, 5.2).
const HEADER: usize = 14;
/// A WebSocket connection over the socket.
pub type Socket = WebSocket<Stream, fn() -> u32, { LARGEST + HEADER }>;

/// The network of a board.
pub struct Network {
    stack: RefCell<Option<Stack>>,
    /// The task that serves the stack.
    runner: RefCell<WakerRegistration>,
    /// The state of the TCP socket has changed.
    changed: Signal<NoopRawMutex, ()>,
    /// Whether the program can use the connection.
    open: Cell<bool>,
    opened: Signal<NoopRawMutex, ()>,
}

struct Stack {
    interface: Interface,
    sockets: SocketSet<'static>,
    socket: SocketHandle,
    device: Device,
    peer: Ipv4Address,
    transport: Transport,
    /// Last state of the TCP socket.
    state: tcp::State,
}

impl Stack {
    fn new(plan: &Plan, port: Port<'static>, waker: Waker) -> Self {
        let mtu = if plan.transport == Transport::Udp { UDP_MTU } else { TCP_MTU };
        let HardwareAddress::Ethernet(address) = port.hardware_address() else { unreachable!() };
        let mut device = Device { port, waker, mtu };
        let mut config = Config::new(EthernetAddress(address).into());
        let rng = Rng::new();
        config.random_seed = u64::from(rng.random()) << 32 | u64::from(rng.random());
        let mut interface = Interface::new(config, &mut device, now());
        let [own, peer] = [plan.own, plan.peer].map(|last| Ipv4Address::new(192, 168, 4, last));
        interface.update_ip_addrs(|all| {
            // It is the first address, so there is room for it.
            let _ = all.push(IpCidr::new(IpAddress::Ipv4(own), PREFIX));
        });
        let mut sockets = SocketSet::new(Vec::new());
        let socket = match plan.transport {
            Transport::Udp => sockets.add(datagrams()),
            Transport::Tcp | Transport::WebSocket => sockets.add(stream(plan)),
        };
        let (transport, state) = (plan.transport, tcp::State::Closed);
        Self { interface, sockets, socket, device, peer, transport, state }
    }

    /// Exchanges packets with the interface. Returns whether the state of the TCP socket has changed.
    fn poll(&mut self) -> bool {
        self.interface.poll(now(), &mut self.device, &mut self.sockets);
        if self.transport == Transport::Udp {
            return false;
        }
        let state = self.sockets.get::<tcp::Socket<'_>>(self.socket).state();
        core::mem::replace(&mut self.state, state) != state
    }
}

fn datagrams() -> udp::Socket<'static> {
    let buffer = || {
        let slots = vec![udp::PacketMetadata::EMPTY; DATAGRAMS];
        udp::PacketBuffer::new(slots, vec![0; DATAGRAMS * LARGEST_DATAGRAM])
    };
    let mut socket = udp::Socket::new(buffer(), buffer());
    // The port is not 0 and the socket is not open, so this cannot fail.
    let _ = socket.bind(SERVER_PORT);
    socket
}

fn stream(plan: &Plan) -> tcp::Socket<'static> {
    let buffer = |bytes: usize| tcp::SocketBuffer::new(vec![0; bytes]);
    let mut socket = tcp::Socket::new(buffer(plan.receive_buffer), buffer(plan.send_buffer));
    socket.set_nagle_enabled(plan.nagle);
    socket.set_ack_delay(plan.ack_delay);
    socket.set_congestion_control(tcp::CongestionControl::Reno);
    socket.set_keep_alive(Some(KEEP_ALIVE));
    socket.set_timeout(Some(TIMEOUT));
    socket
}

fn now() -> Instant {
    Instant::from_micros(embassy_time::Instant::now().as_micros() as i64)
}

impl Network {
    /// Creates a network without an interface.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            stack: RefCell::new(None),
            runner: RefCell::new(WakerRegistration::new()),
            changed: Signal::new(),
            open: Cell::new(false),
            opened: Signal::new(),
        }
    }

    /// Uses an interface, with a new socket.
    pub async fn set_up(&self, plan: &Plan, port: Port<'static>) {
        let waker = poll_fn(|context| Poll::Ready(context.waker().clone())).await;
        // The runner replaces the waker when it next runs.
        *self.stack.borrow_mut() = Some(Stack::new(plan, port, waker));
        self.set_open(plan.transport == Transport::Udp);
        self.runner.borrow_mut().wake();
    }

    /// Serves the stack.
    pub async fn run(&self) -> Infallible {
        poll_fn(|context| {
            self.runner.borrow_mut().register(context.waker());
            if let Some(stack) = self.stack.borrow_mut().as_mut() {
                stack.device.waker.clone_from(context.waker());
            }
            self.poll();
            if let Some(delay) = self.delay()
                && pin!(Timer::after(delay)).poll(context).is_ready()
            {
                context.waker().wake_by_ref();
            }
            Poll::Pending
        })
        .await
    }

    /// Time until the stack has something to do.
    fn delay(&self) -> Option<Duration> {
        let mut stack = self.stack.borrow_mut();
        let Stack { interface, sockets, device, .. } = stack.as_mut()?;
        // A packet that waits for the interface to come up, or for room in the driver, wakes the runner.
        let is_down = !device.is_up();
        let delay = interface.poll_delay(now(), sockets)?;
        let delay = Duration::from_micros(delay.total_micros());
        Some(if is_down { delay.max(PAUSE) } else { delay })
    }

    /// Exchanges packets with the interface.
    fn poll(&self) {
        let is_changed = self.stack.borrow_mut().as_mut().is_some_and(Stack::poll);
        if is_changed {
            self.changed.signal(());
        }
    }

    /// Sends what a program has written, or announces the room that it has made.
    pub fn push(&self) {
        self.poll();
        // Its timers may have changed.
        self.runner.borrow_mut().wake();
    }

    /// Uses the socket, which is of type `S`. `None` without an interface.
    pub fn with<S: AnySocket<'static>, R>(&self, act: impl FnOnce(&mut S) -> R) -> Option<R> {
        let mut stack = self.stack.borrow_mut();
        let stack = stack.as_mut()?;
        Some(act(stack.sockets.get_mut::<S>(stack.socket)))
    }

    /// Whether the interface is up: the station is associated, or the access point has started.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.stack.borrow_mut().as_mut().is_some_and(|stack| stack.device.is_up())
    }

    /// Address of the other board.
    #[must_use]
    pub fn peer(&self) -> Option<Ipv4Address> {
        self.stack.borrow().as_ref().map(|stack| stack.peer)
    }

    fn set_open(&self, is_open: bool) {
        self.open.set(is_open);
        if is_open {
            self.opened.signal(());
        }
    }

    /// Whether the program can use the connection.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.open.get()
    }

    /// Waits until the program can use the connection.
    pub async fn wait_open(&self) {
        while !self.is_open() {
            self.opened.wait().await;
        }
    }

    /// Gives up the connection, which [`Network::keep`] then opens again.
    pub fn close(&self) {
        self.set_open(false);
        self.with(tcp::Socket::abort);
        // Sends the reset.
        self.push();
    }

    fn state(&self) -> Option<tcp::State> {
        self.with(|socket: &mut tcp::Socket<'_>| socket.state())
    }

    /// Begins to connect or to listen. Returns whether the socket permits it.
    fn begin(&self, role: Role) -> bool {
        let begun = (|| {
            let mut stack = self.stack.borrow_mut();
            let Stack { interface, sockets, socket, peer, .. } = stack.as_mut()?;
            let (peer, socket) = (*peer, sockets.get_mut::<tcp::Socket<'_>>(*socket));
            match role {
                Role::Server => socket.listen(SERVER_PORT).ok(),
                Role::Client => {
                    let to = (IpAddress::Ipv4(peer), SERVER_PORT);
                    socket.connect(interface.context(), to, CLIENT_PORT).ok()
                }
            }
        })();
        self.push();
        begun.is_some()
    }

    /// Keeps the connection of a plan open.
    pub async fn keep(&self, plan: &Plan, socket: &Mutex<NoopRawMutex, Socket>) -> Infallible {
        if plan.transport == Transport::Udp {
            pending::<()>().await;
        }
        loop {
            self.close();
            if self.begin(plan.end)
                && self.connected().await
                && (plan.transport == Transport::Tcp || shake_hands(plan, socket).await)
            {
                self.set_open(true);
                self.ended().await;
            }
            self.set_open(false);
            if plan.end == Role::Client {
                Timer::after(PAUSE).await;
            }
        }
    }

    /// Waits until the connection is established. Returns false if it was refused.
    async fn connected(&self) -> bool {
        loop {
            match self.state() {
                Some(tcp::State::Established) => return true,
                Some(tcp::State::Listen | tcp::State::SynSent | tcp::State::SynReceived) => {}
                _ => return false,
            }
            self.changed.wait().await;
        }
    }

    /// Waits until either end closes the connection.
    async fn ended(&self) {
        while self.state() == Some(tcp::State::Established) {
            self.changed.wait().await;
        }
    }
}

impl Default for Network {
    fn default() -> Self {
        Self::new()
    }
}

async fn shake_hands(plan: &Plan, socket: &Mutex<NoopRawMutex, Socket>) -> bool {
    let server = alloc::format!("192.168.4.{}", plan.peer);
    let opening = async { socket.lock().await.open(plan.end, plan.writes, &server).await };
    matches!(with_timeout(HANDSHAKE, opening).await, Ok(Ok(())))
}

/// An interface of the driver as a device of smoltcp.
struct Device {
    port: Port<'static>,
    /// Of the task that serves the stack.
    waker: Waker,
    mtu: usize,
}

impl Device {
    /// Whether the interface is up. The runner is woken when this changes.
    fn is_up(&mut self) -> bool {
        let context = &mut Context::from_waker(&self.waker);
        self.port.link_state(context) == LinkState::Up
    }
}

struct Arrived(<Port<'static> as Driver>::RxToken<'static>);

struct Room(<Port<'static> as Driver>::TxToken<'static>);

impl phy::RxToken for Arrived {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, read: F) -> R {
        self.0.consume(|frame| read(frame))
    }
}

impl phy::TxToken for Room {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, write: F) -> R {
        self.0.consume(len, write)
    }
}

impl phy::Device for Device {
    type RxToken<'a> = Arrived;
    type TxToken<'a> = Room;

    fn receive(&mut self, _: Instant) -> Option<(Arrived, Room)> {
        let context = &mut Context::from_waker(&self.waker);
        let (arrived, room) = Driver::receive(&mut self.port, context)?;
        Some((Arrived(arrived), Room(room)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Room> {
        let context = &mut Context::from_waker(&self.waker);
        Driver::transmit(&mut self.port, context).map(Room)
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        // The driver has no buffer for a longer frame.
        let longest = self.port.capabilities().max_transmission_unit;
        capabilities.max_transmission_unit = longest.min(self.mtu + ETHERNET);
        capabilities
    }
}
