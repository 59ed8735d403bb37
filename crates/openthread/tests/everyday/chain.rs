//! The same messages through a chain of the model's stations.

use airlag_air::Medium;
use airlag_models::mcu::Board;
use airlag_models::stack::thread::address::{Place, Scope};
use airlag_models::stack::thread::routes::Routes;
use airlag_models::stack::thread::{Station, Thread};
use airlag_openthread::Load;
use airlag_sim::{Clock, Duration, Simulation};

use super::{BUFFERS, Modelled, config, drive, radio};

/// `OPENTHREAD_CONFIG_MAC_COLLISION_AVOIDANCE_DELAY_INTERVAL`.
const SILENCE: Duration = Duration::from_ms(8);

/// Result of the model for a load from the last node of a chain to the first. Frames are sensed
/// over `range` hops and received over one.
pub fn modelled(load: Load, hops: usize, range: usize, space: bool, seed: u64) -> Modelled {
    let bench = Simulation::new(seed);
    let medium = Medium::new(&bench);
    let places: Vec<Place> =
        (0..=hops).map(|nth| Place { eui: 1 + nth as u64, rloc: (nth as u16) << 10 }).collect();
    let mut nodes = Vec::new();
    let mut stations = Vec::new();
    for (nth, &own) in places.iter().enumerate() {
        let name = format!("node {nth}");
        let board = Board::new(&bench, &name, Clock::exact());
        let node = radio(&bench, &medium, &name, own, space);
        let mut routes = Routes::of(own);
        for (other, &place) in places.iter().enumerate().filter(|&(other, _)| other != nth) {
            let next = if other < nth { nth - 1 } else { nth + 1 };
            routes = if next == other { routes.beside(place) } else { routes };
            routes = routes.to(place, places[next].rloc);
        }
        let peer = places[if nth == 0 { hops } else { 0 }];
        let config = config(load, BUFFERS, peer, Scope::Endpoint, SILENCE);
        nodes.push(node.id());
        stations.push(Station::start(&board, &node, config, routes, |_| {}));
    }
    for one in 0..=hops {
        for other in (0..=hops).filter(|other| one.abs_diff(*other) > range) {
            medium.separate(nodes[one], nodes[other]);
        }
    }
    let ends = [hops, 0].map(|nth| Thread::new(&stations[nth]));
    let [near, far] = ends;
    drive(&bench, load, near, far)
}
