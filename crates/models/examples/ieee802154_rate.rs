//! How many acknowledged 802.15.4 frames the model carries in a second of real time.
//!
//! `cargo run --release -p airlag-models --example ieee802154_rate [NODES [FRAMES]]`: as many nodes
//! send to one coordinator, with CSMA-CA. One node sends as fast as it can; several begin at random
//! times and leave the channel idle for nine tenths of the time.

#![allow(clippy::print_stdout, reason = "an example's result")]

use std::rc::Rc;
use std::time::Instant;

use airlag_air::Medium;
use airlag_link::Link;
use airlag_link::airtime::ieee802154::Phy;
use airlag_models::mcu::Board;
use airlag_models::stack::ieee802154::{Channel, Config, Destination, Host, Ieee802154, Node};
use airlag_sim::{Clock, Duration, Simulation};

const PAYLOAD: [u8; 50] = [7; 50];

fn main() {
    let mut arguments = std::env::args().skip(1).map_while(|text| text.parse().ok());
    let nodes: u16 = arguments.next().unwrap_or(1) as u16;
    let frames: u64 = arguments.next().unwrap_or(1_000_000);
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let node = |address: u16| {
        let config =
            Config::standard(Channel::first(Phy::Oqpsk2450), address, Destination::Unicast(0));
        Node::new(&air, &format!("node {address}"), &bench, Clock::exact(), config)
    };
    let board = Board::new(&bench, "board", Clock::exact());
    let coordinator = node(0);
    let mut sink = Ieee802154::new(&coordinator, &board, Host::default(), 116);
    bench.spawn("coordinator", async move {
        let mut buffer = [0; 116];
        while sink.receive(&mut buffer).await.is_ok() {}
    });
    let each = frames / u64::from(nodes);
    // A frame and all that belongs to it takes 4 ms.
    let pause = if nodes > 1 { Duration::from_ms(40) * u64::from(nodes) } else { Duration::ZERO };
    let senders: Vec<Rc<Node>> = (1..=nodes).map(node).collect();
    for sender in &senders {
        let mut link = Ieee802154::new(sender, &board, Host::default(), 116);
        let mut stream = bench.stream(&format!("pause {}", sender.config().address));
        let sim = bench.sim();
        bench.spawn("sender", async move {
            for _ in 0..each {
                if !pause.is_zero() {
                    sim.sleep(stream.within(pause + pause)).await;
                }
                if link.transmit(&PAYLOAD).await.is_err() {
                    return;
                }
            }
        });
    }
    let begun = Instant::now();
    if let Err(error) = bench.run() {
        println!("{error}");
        return;
    }
    let taken = begun.elapsed().as_secs_f64();
    let sent: u64 = senders.iter().map(|sender| sender.counts().frames).sum();
    let acknowledged: u64 = senders.iter().map(|sender| sender.counts().acknowledged).sum();
    println!(
        "{nodes} nodes: {sent} frames, {acknowledged} acknowledged in {taken:.3} s: {:.0} a second, \
         {:.1} events each, {:.1} s of virtual time",
        sent as f64 / taken,
        bench.events_fired() as f64 / sent as f64,
        bench.now().as_ns() as f64 / 1e9,
    );
}
