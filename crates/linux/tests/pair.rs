//! Two ends of a tunnel in two threads, in real time, with datagrams between them instead of a radio.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant as Wall};

use airlag_linux::key;
use airlag_linux::reactor::Reactor;
use airlag_linux::udp::{PACE, Udp};
use airlag_tunnel::codel::Limits;
use airlag_tunnel::endpoint::Arq;
use airlag_tunnel::flow::datagram;
use airlag_tunnel::nrf24::FRAME;
use airlag_tunnel::radio::{self, Host};
use airlag_tunnel::{Clock, Config, Endpoint, Instant, Lifetime, Protection, fair};

const MTU: usize = 1_400;
const PACKETS: usize = 300;

/// An end that has queued all its packets at the start.
struct End {
    endpoint: RefCell<Endpoint>,
    reactor: Rc<Reactor>,
    began: Wall,
    received: RefCell<Vec<Vec<u8>>>,
    confirmed: Cell<usize>,
}

impl Clock for End {
    fn now(&self) -> Instant {
        Instant::from_ns(self.began.elapsed().as_nanos() as u64)
    }

    async fn until(&self, at: Instant) {
        self.reactor.until(self.began + Duration::from_nanos(at.as_ns())).await;
    }
}

impl Host for End {
    async fn news(&self) {
        std::future::pending().await
    }

    fn look(&self, endpoint: &mut Endpoint) {
        self.received.borrow_mut().extend(std::iter::from_fn(|| endpoint.packet()));
        let outcomes = std::iter::from_fn(|| endpoint.outcome()).count();
        self.confirmed.set(self.confirmed.get() + outcomes);
    }
}

/// Packets of one flow, each with different contents and another length.
fn packets(seed: u8) -> Vec<Vec<u8>> {
    let payload = |nth: usize| vec![seed.wrapping_add(nth as u8); 1 + nth * 37 % 1_300];
    (0..PACKETS).map(|nth| datagram(5_000, &payload(nth))).collect()
}

/// Runs one end until it has received everything and all that it sent is acknowledged. Returns the
/// received packets.
fn end(own: SocketAddr, peer: SocketAddr, protection: Protection, seed: u8) -> Vec<Vec<u8>> {
    let reactor = Rc::new(Reactor::default());
    let mut udp = Udp::open(own, peer, &reactor).expect("the port was free");
    // The delay target is so long that no packet is dropped because of its queueing time.
    let forever = Duration::from_secs(3_600);
    let limits = Limits { target: forever, interval: forever, mtu: MTU };
    let queue = fair::Config { limits, queues: 1_024, room: 10_000_000 };
    let config = Config {
        protection,
        mtu: MTU,
        queue,
        frame: FRAME,
        arq: Arq::Laid,
        shared: true,
        pace: PACE,
        lifetime: Lifetime::default(),
    };
    let mut endpoint = Endpoint::new(config, key::entropy().expect("random numbers"));
    for packet in packets(seed) {
        endpoint.offer(&packet, Instant::from_ns(0)).expect("it fits");
    }
    let end = End {
        endpoint: RefCell::new(endpoint),
        reactor: Rc::clone(&reactor),
        began: Wall::now(),
        received: RefCell::default(),
        confirmed: Cell::default(),
    };
    // The other end may still wait for the response to its last burst.
    let mut done: Option<Wall> = None;
    let carried = radio::run(&end.endpoint, &mut udp, &end, &end);
    let broke = reactor.run(carried, || {
        let all = end.received.borrow().len() == PACKETS && end.confirmed.get() == PACKETS;
        let done = all.then(|| *done.get_or_insert_with(Wall::now));
        let over = done.is_some_and(|at| at.elapsed() > Duration::from_secs(1));
        let late = end.began.elapsed() > Duration::from_secs(60);
        if over || late { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(broke.expect("polling works").is_none(), "the radio broke");
    end.received.into_inner()
}

/// Two unused addresses.
fn addresses() -> [SocketAddr; 2] {
    let bound = [(); 2].map(|()| std::net::UdpSocket::bind("127.0.0.1:0").expect("a port"));
    bound.map(|socket| socket.local_addr().expect("an address"))
}

fn pair(keys: [Protection; 2]) -> [Vec<Vec<u8>>; 2] {
    let [here, there] = addresses();
    let [near, far] = keys;
    let other = thread::spawn(move || end(there, here, far, 100));
    let received = end(here, there, near, 0);
    [received, other.join().expect("the other end")]
}

#[test]
fn all_packets_of_both_ends_arrive_once_and_whole_while_both_send() {
    let key = Protection::Sealed([7; 32]);
    let [here, there] = pair([key.clone(), key]);
    assert!(here == packets(100) && there == packets(0), "{} and {}", here.len(), there.len());
}
