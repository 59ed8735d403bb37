//! Acknowledged IEEE 802.15.4 data frames to one coordinator, as `peers/lr_wpan.cc` sends them.

use std::rc::Rc;
use std::time::Instant as Wall;

use airlag_air::Medium;
use airlag_link::Link;
use airlag_link::airtime::ieee802154::Phy;
use airlag_models::mcu::Board;
use airlag_models::stack::ieee802154::{
    Address, Channel, Config, Destination, Host, Ieee802154, Node,
};
use airlag_sim::{Clock, Duration, Instant, Simulation};

/// Payload of every frame, and the most a node takes, bytes.
const PAYLOAD: [u8; 12] = [7; 12];
const LARGEST: usize = 116;

/// Everybody sends one frame in this time, each a share of it after the one before.
const ROUND: Duration = Duration::from_secs(1);

/// What was measured.
pub struct Star {
    /// Wall time.
    pub seconds: f64,
    /// Frames the program asked for.
    pub asked: u64,
    /// Of these, acknowledged.
    pub confirmed: u64,
    /// Events of the simulation.
    pub events: u64,
}

/// `frames` from `nodes` senders to one coordinator, with CSMA-CA and acknowledgements. One sender
/// asks for the next frame as soon as the last is confirmed; several send one a [`ROUND`] each.
pub fn star(nodes: u16, frames: u64) -> Result<Star, Box<dyn std::error::Error>> {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let board = Board::new(&bench, "board", Clock::exact());
    let node = |address: u16| {
        let to = Destination::Unicast(Address::Short(0));
        let config = Config::standard(Channel::first(Phy::Oqpsk2450), Address::Short(address), to);
        Node::new(&air, &format!("node {address}"), &bench, Clock::exact(), config)
    };
    let link = |node: &Rc<Node>| Ieee802154::new(node, &board, Host::default(), LARGEST);
    let mut sink = link(&node(0));
    bench.spawn("coordinator", async move {
        let mut buffer = [0; LARGEST];
        while sink.receive(&mut buffer).await.is_ok() {}
    });
    let senders: Vec<Rc<Node>> = (1..=nodes).map(node).collect();
    let mut asked = 0;
    for (nth, sender) in (0_u64..).zip(&senders) {
        let (mut link, sim) = (link(sender), bench.sim());
        let share = frames / u64::from(nodes) + u64::from(nth < frames % u64::from(nodes));
        let offset = Duration::from_ns(ROUND.as_ns() * nth / u64::from(nodes));
        asked += share;
        bench.spawn("sender", async move {
            for round in 0..share {
                if nodes > 1 {
                    sim.sleep_until(Instant::START + offset + ROUND * round).await;
                }
                link.transmit(&PAYLOAD).await.expect("it fits");
            }
        });
    }
    let began = Wall::now();
    bench.run()?;
    let seconds = began.elapsed().as_secs_f64();
    let confirmed = senders.iter().map(|sender| sender.counts().acknowledged).sum();
    Ok(Star { seconds, asked, confirmed, events: bench.events_fired() })
}
