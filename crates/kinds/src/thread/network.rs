//! Places a network on the air, and creates the links of the two boards.

use std::rc::Rc;

use airlag_air::NodeId;
use airlag_air::error_rate::OqpskDsss;
use airlag_models::mcu::Board;
use airlag_models::stack::ieee802154::Node;
use airlag_models::stack::thread::{Station, Thread as Link};
use airlag_rig::parameter::Phase;
use airlag_sim::Clock;

use crate::boards::rtos::phase_of;
use crate::ieee802154::{Assessment, hearing};
use airlag_link::airtime::ieee802154::Phy;

use super::mesh::{self, ROOT};
use super::parameters::{self, BoardSettings, Direction, Parameters};
use airlag_rig::ends::Bench;

/// Links of the sending and the receiving board.
pub(super) fn put_up(p: &Parameters, bench: &Bench, [near, far]: [&Board; 2]) -> [Link; 2] {
    let (sim, air, mesh) = (bench.sim(), bench.air(), &p.mesh);
    let (members, device) = (mesh.members(), mesh.device());
    // The two ends, in the order of sending.
    let (sending, receiving) = match p.direction {
        Direction::Up => (device, ROOT),
        Direction::Down => (ROOT, device),
    };
    let mut nodes: Vec<Option<NodeId>> = vec![None; members.len()];
    let mut put = |board: &Board, at: usize, settings: &BoardSettings| {
        let name = format!("{} radio", board.name());
        let node = Node::new(air, &name, sim, *board.clock(), settings.mac);
        let (happened, also) = (bench.incidents(), bench.incidents());
        node.observe(move |incident| happened(incident.name()));
        nodes[at] = Some(node.id());
        let routes = mesh::routes(&members, at, mesh.scope(), mesh.off());
        Station::start(board, &node, settings.station, routes, move |incident| {
            also(incident.name())
        })
    };
    let stations = [(near, sending), (far, receiving)].map(|(board, at)| {
        let settings = match at {
            ROOT => parameters::router(p, &members),
            _ => parameters::device(p, &members),
        };
        put(board, at, &settings)
    });
    if p.is_sleepy() {
        let (child, parent) = match p.direction {
            Direction::Up => (&stations[0], &stations[1]),
            Direction::Down => (&stations[1], &stations[0]),
        };
        let sampling = p.csl.sampling(sim, p.drift_ppb());
        parent.serve_sleepy_child(sampling.as_ref());
        match &sampling {
            Some(sampling) => child.sample(sampling),
            None => {
                let phase = phase_of(sim, "device/poll phase", Phase(None), p.poll_period);
                child.sleep_between_polls(p.poll_period, phase);
            }
        }
    }
    let ends = stations.map(|station| Link::new(&station));
    for at in (1..members.len()).filter(|&at| at != device) {
        let relay = at < device;
        if mesh.off() == Some(at) {
            continue;
        }
        let name = if relay { format!("relay {at}") } else { format!("other {}", at - device) };
        let board = Board::new(sim, &name, Clock::exact());
        let station = put(&board, at, &parameters::other(p, &members, at));
        if !relay {
            station.send_background(mesh.background());
        }
        // Its tasks keep it alive; the medium has only a weak reference to its radio.
        bench.keep(Rc::clone(&station));
    }
    for (one, other) in mesh::links(&members) {
        if let (Some(from), Some(to)) = (nodes[one], nodes[other]) {
            let ends = if one == receiving { [to, from] } else { [from, to] };
            p.losses.apply(air, ends);
            p.propagation.apply(
                bench,
                ends,
                OqpskDsss,
                hearing(Phy::Oqpsk2450, Assessment::Energy),
            );
        }
    }
    for (one, from) in nodes.iter().enumerate() {
        for (other, to) in nodes.iter().enumerate() {
            if let (Some(from), Some(to)) = (*from, *to)
                && !mesh.hears(&members[one], &members[other])
            {
                air.separate(from, to);
            }
        }
    }
    ends
}
