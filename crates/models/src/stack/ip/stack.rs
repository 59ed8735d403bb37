//! smoltcp in virtual time.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_sim::channel::Notice;
use airlag_sim::{Duration, Instant, Slice, Stream, Timed, Timers};
use smoltcp::iface::{Config, Interface, PollResult, SocketHandle, SocketSet};
use smoltcp::socket::{AnySocket, tcp};
use smoltcp::time::Instant as Stamp;
use smoltcp::wire::{HardwareAddress, IpAddress, IpCidr, Ipv4Address};

use super::acks::Acks;
use super::device::Device;
use super::port::{Port, PortUser};
use super::slices;
use crate::mcu::Board;

/// Costs of a host, on its board's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Host {
    /// Time from the program's call to its bytes in the socket and a packet at the port.
    pub send: Duration,
    /// Time from the arrival of a packet at the port until the stack has processed it. Packets are
    /// processed one after the other.
    pub receive: Duration,
    /// Time from the arrival of bytes in a socket until the program that blocks on the socket
    /// continues. A program that finds bytes in the socket has no such delay.
    pub read: Duration,
    /// Mean of an additional delay of `read`, which is exponentially distributed.
    pub read_jitter: Duration,
    /// Occasional delays by the operating system.
    pub stalls: [Stall; 2],
}

/// An occasional delay of a program, exponentially distributed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stall {
    /// Share of wake-ups that the delay affects.
    pub share: f64,
    /// Mean duration.
    pub mean: Duration,
}

impl Host {
    /// Delay from data in the socket to the program. Stalls with a share of 0 draw no random
    /// numbers.
    pub(super) fn reading(&self, stream: &mut Stream) -> Duration {
        let mut takes = self.read + stream.exponential(self.read_jitter);
        for stall in self.stalls {
            if stall.share > 0.0 && stream.chance(stall.share) {
                takes += stream.exponential(stall.mean);
            }
        }
        takes
    }
}

/// A host with one interface and one socket.
pub struct Stack {
    timers: Timers,
    board: Board,
    port: Rc<dyn Port>,
    host: Host,
    address: Ipv4Address,
    peer: Ipv4Address,
    state: RefCell<State>,
    /// Time since which bytes in the socket have been held back completely.
    held: Cell<Option<Instant>>,
    /// Raised whenever its socket may have data to read.
    pub(super) readable: Notice,
    /// Raised whenever its socket may have room.
    pub(super) writable: Notice,
}

struct State {
    interface: Interface,
    sockets: SocketSet<'static>,
    device: Device,
    /// Packets on their way up, with the instants at which the stack has processed them.
    rising: VecDeque<(Instant, Vec<u8>)>,
    through: Instant,
    /// Time of the next requested poll of the stack, us of the board's clock. `generation` is the
    /// number of that request.
    wish: Option<i64>,
    generation: u64,
    acks: Option<(SocketHandle, Acks)>,
}

mod timer {
    pub(super) const RISEN: u64 = 0;
}

/// Length of the network prefix, bits.
const PREFIX: u8 = 24;

impl Stack {
    /// Creates the host with number `number` of its network on `board`, whose packets go to number
    /// `peer` through `port`.
    #[must_use]
    pub fn new(board: &Board, port: Rc<dyn Port>, host: Host, [number, peer]: [u8; 2]) -> Rc<Self> {
        let [address, peer] = [number, peer].map(|last| Ipv4Address::new(192, 168, 4, last));
        let mut device = Device::new(port.medium(), port.mtu(), 0);
        let mut config = Config::new(HardwareAddress::Ip);
        // Ports and initial sequence numbers: the same seed gives the same bytes.
        config.random_seed = board.stream("initial sequence numbers").bits();
        let mut interface = Interface::new(config, &mut device, Stamp::ZERO);
        interface.update_ip_addrs(|all| {
            let own = IpCidr::new(IpAddress::Ipv4(address), PREFIX);
            // It is the first address, so there is room for it.
            let _ = all.push(own);
        });
        let state = State {
            interface,
            sockets: SocketSet::new(Vec::new()),
            device,
            rising: VecDeque::new(),
            through: Instant::START,
            wish: None,
            generation: 0,
            acks: None,
        };
        let stack = Rc::new_cyclic(|this| Self {
            timers: board.sim().timers(this),
            board: board.clone(),
            port,
            host,
            address,
            peer,
            state: RefCell::new(state),
            held: Cell::new(None),
            readable: Notice::new(board.sim()),
            writable: Notice::new(board.sim()),
        });
        let user: Weak<Self> = Rc::downgrade(&stack);
        stack.port.attach(user);
        stack
    }

    /// Board.
    #[must_use]
    pub(super) const fn board(&self) -> &Board {
        &self.board
    }

    /// Port.
    pub(super) const fn port(&self) -> &Rc<dyn Port> {
        &self.port
    }

    /// Costs.
    #[must_use]
    pub(super) const fn host(&self) -> Host {
        self.host
    }

    /// Own address, and the peer's.
    pub(super) const fn addresses(&self) -> (Ipv4Address, Ipv4Address) {
        (self.address, self.peer)
    }

    /// Largest packet, bytes.
    pub(super) fn mtu(&self) -> usize {
        self.port.mtu()
    }

    /// Adds a socket.
    pub(super) fn add<S: AnySocket<'static>>(&self, socket: S) -> SocketHandle {
        self.state.borrow_mut().sockets.add(socket)
    }

    /// Sets the acknowledgement policy of the TCP socket `handle`.
    pub(super) fn acknowledge(&self, handle: SocketHandle, acks: Acks) {
        self.state.borrow_mut().acks = Some((handle, acks));
    }

    /// Accesses a socket, without polling the stack.
    pub(super) fn with<S: AnySocket<'static>, R>(
        &self,
        handle: SocketHandle,
        act: impl FnOnce(&mut S, &mut smoltcp::iface::Context) -> R,
    ) -> R {
        let State { interface, sockets, .. } = &mut *self.state.borrow_mut();
        act(sockets.get_mut(handle), interface.context())
    }

    /// Spends processor time of the program.
    pub(super) async fn spend(&self, what: &'static Slice, wait: Duration) {
        if !wait.is_zero() {
            self.board.spend(what, wait).await;
        }
    }

    /// Polls smoltcp, and passes its packets to the port.
    pub(super) fn poll(&self) {
        let now = self.board.sim().now();
        let packets = {
            let mut state = self.state.borrow_mut();
            while state.rising.front().is_some_and(|&(through, _)| through <= now) {
                let risen = state.rising.pop_front();
                state.device.up.extend(risen.map(|(_, packet)| packet));
            }
            let State { interface, sockets, device, acks, .. } = &mut *state;
            device.room = self.port.room();
            let clock = self.board.clock();
            if let Some((handle, acks)) = *acks {
                let delay = acks.delay(clock, now).map(|delay| {
                    // Rounded up to the microsecond in which it ends.
                    smoltcp::time::Duration::from_micros(delay.as_ns().div_ceil(1_000))
                });
                sockets.get_mut::<tcp::Socket<'_>>(handle).set_ack_delay(delay);
            }
            let stamp = Stamp::from_micros(clock.local_ns(now).div_euclid(1_000));
            while interface.poll(stamp, device, sockets) == PollResult::SocketStateChanged {}
            self.wish(&mut state, stamp);
            std::mem::take(&mut state.device.down)
        };
        let carries = packets.iter().any(|packet| packet.len() > super::tcp::OVERHEAD);
        if let Some(since) = self.held.get().filter(|_| carries) {
            self.held.set(None);
            self.board.span(&slices::SEGMENT_HELD, since, now);
        }
        for packet in packets {
            self.port.send(packet);
        }
        self.readable.raise();
        self.writable.raise();
    }

    /// Polls smoltcp after the program has supplied data, part of which may be held back.
    pub(super) fn poll_given(&self) {
        if self.held.get().is_none() {
            self.held.set(Some(self.board.sim().now()));
        }
        self.poll();
    }

    /// Sets the timer for smoltcp's next poll.
    fn wish(&self, state: &mut State, now: Stamp) {
        let State { interface, sockets, device, wish, generation, .. } = state;
        let next = interface.poll_at(now, sockets).map(|at| at.total_micros());
        let next = next.filter(|&at| {
            // Queued packets are sent when the port signals room.
            at > now.total_micros() || device.has_room()
        });
        let next = next.map(|at| at.max(now.total_micros() + 1));
        if next == *wish {
            return;
        }
        *wish = next;
        *generation += 1;
        if let Some(at) = next {
            let at = self.board.clock().instant_of(at * 1_000);
            self.timers.set(at, timer::RISEN + *generation);
        }
    }
}

impl Timed for Stack {
    fn due(self: Rc<Self>, token: u64) {
        let mut state = self.state.borrow_mut();
        if token != timer::RISEN {
            if token != state.generation {
                return;
            }
            state.wish = None;
        }
        drop(state);
        self.poll();
    }
}

impl PortUser for Stack {
    fn arrived(&self, packet: &[u8]) {
        let now = self.board.sim().now();
        let mut state = self.state.borrow_mut();
        let begin = state.through.max(now);
        let through = self.board.clock().after(begin, self.host.receive);
        state.through = through;
        state.rising.push_back((through, packet.to_vec()));
        self.board.span(&slices::HOST, begin, through);
        self.timers.set(through, timer::RISEN);
    }

    fn has_room(&self) {
        self.poll();
    }
}
