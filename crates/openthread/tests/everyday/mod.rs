//! The same messages through OpenThread and through the model of the everyday profiles.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use airlag_air::{Independent, Medium};
use airlag_link::airtime::ieee802154::Phy;
use airlag_link::{Delivery, Link};
use airlag_models::mcu::Board;
use airlag_models::stack::ieee802154::{self, Address, Channel, Destination, Node};
use airlag_models::stack::thread::address::{Place, Scope};
use airlag_models::stack::thread::faults::Faults;
use airlag_models::stack::thread::queue::{Limits, Pool};
use airlag_models::stack::thread::routes::Routes;
use airlag_models::stack::thread::{Config, Costs, Radio, Station, Thread};
use airlag_openthread::{FrameLoss, Load, Network, Setup, Shape, Supervision, Topology};
use airlag_sim::{Clock, Duration, Instant, Sim, Simulation};

pub mod chain;

/// Number of message buffers of the processes and of the model, each of 256 octets, because
/// pointers of the processes have eight octets.
pub const BUFFERS: u16 = 44;

/// A network of two, formed.
pub fn pair(folder: PathBuf, loss: f64, interframe_space: bool, seed: u64) -> Network {
    pair_with(folder, BUFFERS, loss, interframe_space, seed)
}

/// Like `pair`, with this number of message buffers.
pub fn pair_with(
    folder: PathBuf,
    buffers: u16,
    loss: f64,
    interframe_space: bool,
    seed: u64,
) -> Network {
    let node = airlag_openthread::Config { buffers, interframe_space, ..Default::default() };
    let setup = Setup {
        folder,
        topology: Topology::new(Shape::OneHop, 2).expect("two nodes"),
        leader: node,
        node,
        poll_period: None,
        loss: FrameLoss { share: loss, burst: 0.0 },
        seed,
    };
    let mut network = Network::new(setup, Supervision::default()).expect("it starts");
    network.form().expect("it forms");
    network
}

/// Result of the model for a load: time of the first attempt, outcome and arrival of each message.
pub struct Modelled {
    pub handed: Vec<(Instant, Delivery)>,
    /// Number of the message, and its time.
    pub came: Vec<(usize, Instant)>,
}

impl Modelled {
    pub fn latencies(&self) -> Vec<u64> {
        self.came.iter().map(|&(nth, at)| at.since(self.handed[nth].0).as_ns()).collect()
    }

    /// Like `LoadResult::goodput_kbps`.
    pub fn goodput_kbps(&self, size: usize) -> f64 {
        let ns = self.came[self.came.len() - 1].1.since(self.came[0].1).as_ns();
        (8 * size * (self.came.len() - 1)) as f64 * 1e6 / ns as f64
    }
}

/// A program that sends `load`, on a board without software delays.
pub fn modelled(load: Load, loss: f64, interframe_space: bool, seed: u64) -> Modelled {
    modelled_with(load, BUFFERS, loss, interframe_space, seed)
}

/// Like `pair`, with this number of message buffers.
pub fn modelled_with(
    load: Load,
    buffers: u16,
    loss: f64,
    interframe_space: bool,
    seed: u64,
) -> Modelled {
    let bench = Simulation::new(seed);
    let medium = Medium::new(&bench);
    let station = |name: &str, own: u64, peer: u64| {
        let peer = Place { eui: peer, rloc: 0 };
        let own = Place { eui: own, rloc: 0 };
        let board = Board::new(&bench, name, Clock::exact());
        let node = radio(&bench, &medium, name, own, interframe_space);
        let config = config(load, buffers, peer, Scope::Link, Duration::ZERO);
        let routes = Routes::of(own).beside(peer);
        (node.id(), Thread::new(&Station::start(&board, &node, config, routes, |_| {})))
    };
    let ((one, near), (other, far)) = (station("sender", 1, 2), station("receiver", 2, 1));
    for (from, to) in [(one, other), (other, one)] {
        medium.set_loss(from, to, Independent { probability: loss });
    }
    drive(&bench, load, near, far)
}

/// A radio whose MAC has the settings of OpenThread.
fn radio(bench: &Sim, medium: &Medium, name: &str, own: Place, interframe_space: bool) -> Rc<Node> {
    let channel = Channel::first(Phy::Oqpsk2450);
    let mac = ieee802154::Config {
        short: Some(own.rloc),
        max_retries: 15,
        retry_be: Some(5),
        retry_busy: true,
        interframe_space,
        backoff_at_once: true,
        ..ieee802154::Config::standard(channel, Address::Extended(own.eui), Destination::Broadcast)
    };
    Node::new(medium, &format!("{name} radio"), bench, Clock::exact(), mac)
}

/// A station on a board without software delays.
fn config(load: Load, buffers: u16, peer: Place, scope: Scope, silence: Duration) -> Config {
    Config {
        peer,
        scope,
        radio: Radio::Own,
        // OpenThread's tasklets run between any two calls of its program.
        costs: Costs { pace: Duration::from_ns(1), ..Costs::default() },
        limits: Limits {
            pool: Pool { count: usize::from(buffers), word: 8 },
            frames: 100,
            wait: None,
            forwarded: Some(Duration::from_ms(500)).filter(|_| !silence.is_zero()),
        },
        when_full: load.when_full,
        datagram: 1_232,
        reassembly: Duration::from_secs(2),
        collision_avoidance: silence,
        faults: Faults::default(),
    }
}

/// Sends a load from one station to the other.
fn drive(bench: &Simulation, load: Load, mut near: Thread, mut far: Thread) -> Modelled {
    let (told, came) = (Rc::new(RefCell::new(Vec::new())), Rc::new(RefCell::new(Vec::new())));
    let (tell, keep, sim) = (Rc::clone(&told), Rc::clone(&came), bench.sim());
    let clock = bench.sim();
    bench.spawn("sender", async move {
        for sequence in 0..load.count {
            let due = Instant::START + load.period * sequence as u64;
            if due > clock.now() {
                clock.sleep_until(due).await;
            }
            let mut payload = vec![0; load.size];
            for (byte, number) in payload.iter_mut().zip((sequence as u32).to_le_bytes()) {
                *byte = number;
            }
            let handed = clock.now();
            let Ok(delivery) = near.send(&payload).await;
            tell.borrow_mut().push((handed, delivery));
        }
    });
    bench.spawn("receiver", async move {
        let mut buffer = vec![0; 1_232];
        loop {
            let Ok(len) = far.receive(&mut buffer).await;
            let number = buffer[..len.min(4)]
                .iter()
                .rev()
                .fold(0, |sum, &byte| sum << 8 | usize::from(byte));
            keep.borrow_mut().push((number, sim.now()));
        }
    });
    let end = Instant::START + Duration::from_secs(600) + load.period * load.count as u64;
    bench.run_until(end).expect("no storm");
    Modelled { handed: told.take(), came: came.take() }
}
