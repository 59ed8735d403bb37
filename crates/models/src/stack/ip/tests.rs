//! Two hosts on an ideal pipe with a delay of 1 ms.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use airlag_link::Link;
use airlag_sim::{Clock, Duration, Instant, Sim, Simulation};
use smoltcp::wire::{IpProtocol, Ipv4Packet, TcpPacket, UDP_HEADER_LEN};

use super::*;
use crate::mcu::Board;

mod linux;

const ONE_WAY: Duration = Duration::from_ms(1);

/// A packet sent into the pipe.
struct Sent {
    at: Instant,
    end: usize,
    packet: Vec<u8>,
}

/// One end of the pipe. Of the packets with data from [`BEGIN`] on, those with the numbers `drops`,
/// from 0, are lost.
struct Pipe {
    sim: Sim,
    end: usize,
    one_way: Duration,
    peer: RefCell<Weak<Self>>,
    user: RefCell<Option<Weak<dyn PortUser>>>,
    carried: Cell<usize>,
    drops: Vec<usize>,
    log: Rc<RefCell<Vec<Sent>>>,
}

/// Length of a packet's data after its headers, bytes.
fn carries(packet: &[u8]) -> usize {
    let ip = Ipv4Packet::new_checked(packet).expect("smoltcp makes packets");
    if ip.next_header() == IpProtocol::Udp {
        return ip.payload().len() - UDP_HEADER_LEN;
    }
    let tcp = TcpPacket::new_checked(ip.payload()).expect("it makes segments");
    tcp.payload().len()
}

impl Port for Pipe {
    fn mtu(&self) -> usize {
        1_500
    }

    fn room(&self) -> usize {
        8
    }

    fn send(&self, packet: Vec<u8>) {
        let (at, end) = (self.sim.now(), self.end);
        self.log.borrow_mut().push(Sent { at, end, packet: packet.clone() });
        if at >= BEGIN && carries(&packet) > 0 {
            let number = self.carried.replace(self.carried.get() + 1);
            if self.drops.contains(&number) {
                return;
            }
        }
        let peer = Weak::clone(&self.peer.borrow());
        self.sim.at(at + self.one_way, move || {
            let Some(peer) = peer.upgrade() else { return };
            let user = peer.user.borrow().as_ref().and_then(Weak::upgrade);
            if let Some(user) = user {
                user.arrived(&packet);
            }
        });
    }

    fn attach(&self, user: Weak<dyn PortUser>) {
        *self.user.borrow_mut() = Some(user);
    }
}

/// A pipe that loses packets of its first end.
fn pipe(sim: &Sim, one_way: Duration, drops: &[usize]) -> [Rc<Pipe>; 2] {
    let log = Rc::default();
    let ends = [0, 1].map(|end| {
        Rc::new(Pipe {
            sim: sim.clone(),
            end,
            one_way,
            peer: RefCell::default(),
            user: RefCell::new(None),
            carried: Cell::new(0),
            drops: if end == 0 { drops.to_vec() } else { Vec::new() },
            log: Rc::clone(&log),
        })
    });
    for (one, other) in [(0, 1), (1, 0)] {
        *ends[one].peer.borrow_mut() = Rc::downgrade(&ends[other]);
    }
    ends
}

fn config(nagle: bool, acks: Acks) -> TcpConfig {
    TcpConfig { nagle, acks, send_buffer: 4_096, receive_buffer: 4_096 }
}

/// Time at which the first body is sent.
const BEGIN: Instant = Instant::from_ns(1_000_000_000);

/// Outcome of bodies that were sent one after the other.
struct Exchange {
    /// Arrival of each, us after [`BEGIN`]; missing for those that never arrived.
    arrivals: Vec<u64>,
    /// All packets of both ends.
    log: Vec<Sent>,
}

/// Sends `bodies` over a pipe at [`BEGIN`], and `warm_up` bytes well before.
fn exchange(
    time: &Simulation,
    [near, far]: [Rc<Pipe>; 2],
    transport: [Transport; 2],
    warm_up: usize,
    bodies: &[usize],
) -> Exchange {
    let stack = |name: &str, port: &Rc<Pipe>, numbers| {
        let board = Board::new(time, name, Clock::exact());
        let port: Rc<dyn Port> = Rc::<Pipe>::clone(port);
        Stack::new(&board, port, Host::default(), numbers)
    };
    let (one, other) = (stack("one", &near, [1, 2]), stack("other", &far, [2, 1]));
    let ([sends, receives], sizes) = (transport, bodies.to_vec());
    let sim = time.sim();
    time.spawn("sender", async move {
        let mut link = Connection::open(one, sends).await.expect("a connection");
        if warm_up > 0 {
            let _ = link.send(&vec![7; warm_up]).await;
        }
        sim.sleep_until(BEGIN).await;
        for size in sizes {
            let _ = link.send(&vec![7; size]).await;
        }
        std::future::pending::<()>().await;
    });
    let (sim, wanted) = (time.sim(), bodies.to_vec());
    let there = Rc::new(RefCell::new(Vec::new()));
    let tell = Rc::clone(&there);
    time.spawn("receiver", async move {
        let mut link = Connection::open(other, receives).await.expect("a connection");
        let (mut buffer, mut total) = ([0; tcp::MAX_CALL], 0);
        let wanted_up_to = |count: usize| warm_up + wanted.iter().take(count).sum::<usize>();
        loop {
            let Ok(got) = link.receive(&mut buffer).await;
            assert!(buffer[..got].iter().all(|&byte| byte == 7));
            total += got;
            let mut arrivals = tell.borrow_mut();
            while arrivals.len() < wanted.len() && total >= wanted_up_to(arrivals.len() + 1) {
                arrivals.push(sim.now().since(BEGIN).as_ns() / 1_000);
            }
        }
    });
    time.run_until(Instant::START + Duration::from_secs(10)).expect("no livelock");
    Exchange { arrivals: there.take(), log: near.log.take() }
}

/// Arrival times of `bodies` over a pipe that loses the packets `drops`.
fn arrivals(transport: [Transport; 2], drops: Option<usize>, bodies: &[usize]) -> Vec<u64> {
    let time = Simulation::new(1);
    let pipe = pipe(&time, ONE_WAY, drops.as_slice());
    exchange(&time, pipe, transport, 0, bodies).arrivals
}

fn tcp(nagle: bool, acks: Acks) -> [Transport; 2] {
    let config = config(nagle, acks);
    [Transport::Tcp(Role::Client, config), Transport::Tcp(Role::Server, config)]
}

fn ticks(phase_ms: u64) -> Acks {
    Acks::Tick { period: Duration::from_ms(250), phase: Duration::from_ms(phase_ms) }
}

#[test]
fn datagrams_take_the_pipe_and_nothing_else() {
    let udp = [Transport::Udp { queue: 4 }; 2];
    assert_eq!(arrivals(udp, None, &[10, 1_400]), [1_000, 1_000]);
    assert_eq!(arrivals(udp, Some(0), &[10, 20]).len(), 1, "nobody repeats a datagram");
}

#[test]
fn a_second_small_segment_waits_with_nagle_for_the_acknowledgement_of_the_first() {
    let at_once = Acks::AtOnce;
    assert_eq!(arrivals(tcp(false, at_once), None, &[10, 20]), [1_000, 1_000]);
    // Forth, back, and forth again.
    assert_eq!(arrivals(tcp(true, at_once), None, &[10, 20]), [1_000, 3_000]);
    // RFC 1122, 4.2.3.2: 200 ms after the first.
    let delayed = Acks::Delayed(Duration::from_ms(200));
    assert_eq!(arrivals(tcp(true, delayed), None, &[10, 20]), [1_000, 203_000]);
}

#[test]
fn a_timer_that_always_runs_decides_when_the_second_comes() {
    // Ticks at 1 s and every 250 ms from there, delayed by the phase; the first segment arrives at
    // 1 ms.
    for (phase, tick_ms) in [(0, 250), (40, 40), (200, 200), (1, 251)] {
        let there = arrivals(tcp(true, ticks(phase)), None, &[10, 20]);
        assert_eq!(there, [1_000, (tick_ms + 2) * 1_000], "{phase}");
    }
    assert_eq!(arrivals(tcp(false, ticks(40)), None, &[10, 20]), [1_000, 1_000]);
}

#[test]
fn a_lost_segment_is_sent_again_after_a_second() {
    // RFC 6298, 2.4: at least a second.
    let there = arrivals(tcp(false, Acks::AtOnce), Some(0), &[10]);
    assert!((1_000_000..1_100_000).contains(&there[0]), "{there:?}");
}

#[test]
fn a_window_of_one_message_carries_one_at_a_time() {
    let narrow = TcpConfig { receive_buffer: 16, ..config(false, Acks::AtOnce) };
    let ends = [Transport::Tcp(Role::Server, narrow), Transport::Tcp(Role::Client, narrow)];
    // A segment to the peer, the window back, the next segment to the peer.
    assert_eq!(arrivals(ends, None, &[16, 16, 16]), [1_000, 3_000, 5_000]);
}

#[test]
fn websocket_in_two_calls_waits_with_nagle_and_in_one_does_not() {
    let ends = |nagle, writes| {
        let config = config(nagle, ticks(40));
        [
            Transport::WebSocket(Role::Client, config, writes),
            Transport::WebSocket(Role::Server, config, writes),
        ]
    };
    assert_eq!(arrivals(ends(true, Writes::Together), None, &[100]), [1_000]);
    assert_eq!(arrivals(ends(true, Writes::Apart), None, &[100]), [42_000]);
    assert_eq!(arrivals(ends(false, Writes::Apart), None, &[100]), [1_000]);
    assert_eq!(arrivals(ends(false, Writes::Apart), None, &[10, 2_000]).len(), 2);
}
