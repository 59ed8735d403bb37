//! Two hosts on a pipe of 1 ms that takes its time for nothing else.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use airlag_link::Link;
use airlag_sim::{Clock, Duration, Instant, Sim, Simulation};

use super::*;
use crate::mcu::Board;

const ONE_WAY: Duration = Duration::from_ms(1);

/// One end of the pipe. The packet with the number `drops`, from 0, is lost.
struct Pipe {
    sim: Sim,
    peer: RefCell<Weak<Self>>,
    user: RefCell<Option<Weak<dyn PortUser>>>,
    sent: Cell<usize>,
    drops: Cell<Option<usize>>,
    log: Rc<RefCell<Vec<(u64, usize)>>>,
}

impl Port for Pipe {
    fn mtu(&self) -> usize {
        1_500
    }

    fn room(&self) -> usize {
        8
    }

    fn send(&self, packet: Vec<u8>) {
        let number = self.sent.replace(self.sent.get() + 1);
        self.log.borrow_mut().push((self.sim.now().as_ns() / 1_000, packet.len()));
        if self.drops.get() == Some(number) {
            return;
        }
        let peer = Weak::clone(&self.peer.borrow());
        self.sim.at(self.sim.now() + ONE_WAY, move || {
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

fn pipe(sim: &Sim) -> [Rc<Pipe>; 2] {
    let log = Rc::default();
    let end = || {
        Rc::new(Pipe {
            sim: sim.clone(),
            peer: RefCell::default(),
            user: RefCell::new(None),
            sent: Cell::new(0),
            drops: Cell::new(None),
            log: Rc::clone(&log),
        })
    };
    let (near, far) = (end(), end());
    *near.peer.borrow_mut() = Rc::downgrade(&far);
    *far.peer.borrow_mut() = Rc::downgrade(&near);
    [near, far]
}

fn config(nagle: bool, acks: Acks) -> TcpConfig {
    TcpConfig { nagle, acks, send_buffer: 4_096, receive_buffer: 4_096 }
}

/// When each of `bodies`, sent at 1 s one after the other, is there, us after that; none for what
/// never comes. `drops` is the packet of the sender that is lost.
fn arrivals(transport: [Transport; 2], drops: Option<usize>, bodies: &[usize]) -> Vec<u64> {
    let time = Simulation::new(1);
    let [near, far] = pipe(&time);
    near.drops.set(drops);
    let begin = Instant::START + Duration::from_secs(1);
    let stack = |name: &str, port: &Rc<Pipe>, numbers| {
        let board = Board::new(&time, name, Clock::exact());
        let port: Rc<dyn Port> = Rc::<Pipe>::clone(port);
        Stack::new(&board, port, Host::default(), numbers)
    };
    let (one, other) = (stack("one", &near, [1, 2]), stack("other", &far, [2, 1]));
    let ([sends, receives], sizes) = (transport, bodies.to_vec());
    let sim = time.sim();
    time.spawn("sender", async move {
        let mut link = Connection::open(one, sends).await.expect("a connection");
        sim.sleep_until(begin).await;
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
        loop {
            let Ok(got) = link.receive(&mut buffer).await;
            assert!(buffer[..got].iter().all(|&byte| byte == 7));
            total += got;
            let mut told = tell.borrow_mut();
            while total >= wanted.iter().take(told.len() + 1).sum() && told.len() < wanted.len() {
                told.push(sim.now().since(begin).as_ns() / 1_000);
            }
        }
    });
    time.run_until(Instant::START + Duration::from_secs(10)).expect("no livelock");
    there.take()
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
    // There, back, and there again.
    assert_eq!(arrivals(tcp(true, at_once), None, &[10, 20]), [1_000, 3_000]);
    // RFC 1122, 4.2.3.2: 200 ms behind the first.
    let delayed = Acks::Delayed(Duration::from_ms(200));
    assert_eq!(arrivals(tcp(true, delayed), None, &[10, 20]), [1_000, 203_000]);
}

#[test]
fn a_timer_that_always_runs_decides_when_the_second_comes() {
    // Ticks at 1 s and every 250 ms from there, later by the phase; the first is there at 1 ms.
    for (phase, tick_ms) in [(0, 250), (40, 40), (200, 200), (1, 251)] {
        let there = arrivals(tcp(true, ticks(phase)), None, &[10, 20]);
        assert_eq!(there, [1_000, (tick_ms + 2) * 1_000], "{phase}");
    }
    assert_eq!(arrivals(tcp(false, ticks(40)), None, &[10, 20]), [1_000, 1_000]);
}

#[test]
fn a_lost_segment_is_sent_again_after_a_second() {
    // Packet 0 is the SYN, 1 its acknowledgement. RFC 6298, 2.4: no sooner than a second.
    let there = arrivals(tcp(false, Acks::AtOnce), Some(2), &[10]);
    assert!((1_000_000..1_100_000).contains(&there[0]), "{there:?}");
}

#[test]
fn a_window_of_one_message_carries_one_at_a_time() {
    let narrow = TcpConfig { receive_buffer: 16, ..config(false, Acks::AtOnce) };
    let ends = [Transport::Tcp(Role::Server, narrow), Transport::Tcp(Role::Client, narrow)];
    // A segment there, the window back, the next there.
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
