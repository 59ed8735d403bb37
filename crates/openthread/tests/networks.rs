//! Networks of OpenThread's own nodes: formation, traffic, reproducibility, and captures that other
//! programs read.

use std::path::PathBuf;

use airlag_air::Sniffer;
use airlag_models::stack::thread::WhenFull;
use airlag_models::stack::thread::security::NETWORK_KEY;
use airlag_openthread::{
    Config, Costs, Direction, Error, FrameLoss, Load, Network, Scope, Setup, Shape, Supervision,
    Topology,
};
use airlag_sim::{Duration, Instant};

const LOAD: Load = Load {
    direction: Direction::Up,
    scope: Scope::MeshLocal,
    size: 79,
    count: 20,
    period: Duration::from_ms(500),
    when_full: WhenFull::Refuse,
};

fn setup(folder: PathBuf, shape: Shape, nodes: usize) -> Setup {
    let topology = Topology::new(shape, nodes).expect("it can be built");
    Setup {
        folder,
        topology,
        leader: Config::default(),
        node: Config::default(),
        poll_period: None,
        loss: FrameLoss::default(),
        seed: 1,
    }
}

fn formed(setup: Setup) -> Network {
    let mut network = Network::new(setup, Supervision::default()).expect("it starts");
    network.form().expect("it forms");
    network
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn every_shape_forms_and_carries_everything() {
    let Some(folder) = airlag_peers::openthread() else { return };
    for (shape, nodes, flows) in [
        (Shape::OneHop, 20, 19),
        (Shape::Chain, 6, 1),
        (Shape::Star, 20, 19),
        (Shape::Tree { hops: 3 }, 20, 13),
    ] {
        let network = formed(setup(folder.clone(), shape, nodes));
        let carried = network.carry(Load { period: Duration::from_secs(5), ..LOAD });
        let carried = carried.expect("it runs");
        assert_eq!(carried.flows.len(), flows, "{shape:?}");
        assert_eq!(carried.latencies().len(), flows * LOAD.count, "{shape:?}");
    }
}

/// Over more than one hop, a frame has a mesh header and addresses that are valid in the whole
/// network. A payload of 79 octets, which fits into one frame between neighbours, then needs two.
#[test]
#[ignore = "needs nodes of OpenThread"]
fn a_chain_takes_a_frame_a_hop_and_two_for_what_its_headers_leave_no_room() {
    let Some(folder) = airlag_peers::openthread() else { return };
    for (hops, size, each) in [(1, 79, 1), (3, 40, 1), (5, 40, 1), (3, 79, 2), (5, 79, 2)] {
        let network = formed(setup(folder.clone(), Shape::Chain, hops + 1));
        // The interval of router advertisements increases from 1 s to 32 s.
        network.run_for(Duration::from_secs(120)).expect("it runs");
        let carried = network.carry(Load { size, ..LOAD }).expect("it runs");
        assert_eq!((carried.flows[0].hops, carried.latencies().len()), (hops, LOAD.count));
        let frames = carried.counts.frames - carried.counts.retries;
        let (least, own) = ((LOAD.count * hops * each) as u64, 4 * (hops as u64 + 1));
        assert!((least..=least + own).contains(&frames), "{hops} hops: {frames} frames");
        let latency = carried.latencies().into_iter().min().expect("some came");
        // The shortest frame: CCA, turnaround, synchronisation header, length, and at least 42
        // octets of headers.
        let frame = 128 + 192 + (6 + 42 + 40) * 32;
        assert!(latency >= Duration::from_us(frame * hops as u64), "{hops} hops: {latency:?}");
    }
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let Some(folder) = airlag_peers::openthread() else { return };
    let run = |seed| {
        let mut setup = setup(folder.clone(), Shape::Tree { hops: 2 }, 7);
        setup.loss = FrameLoss { share: 0.2, burst: 3.0 };
        let mut network =
            Network::new(Setup { seed, ..setup }, Supervision::default()).expect("it starts");
        let sniffer = Sniffer::attach(&network.air, Instant::START);
        network.form().expect("it forms");
        let carried = network.carry(LOAD).expect("it runs");
        (carried, sniffer.take().pcapng)
    };
    let (one, again, other) = (run(1), run(1), run(2));
    assert!(one == again);
    assert!(one.1 != other.1);
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn a_sleepy_child_is_told_when_it_asks() {
    let Some(folder) = airlag_peers::openthread() else { return };
    let period = Duration::from_ms(400);
    let setup = Setup { poll_period: Some(period), ..setup(folder, Shape::Chain, 3) };
    let network = formed(setup);
    let load = Load { direction: Direction::Down, period: Duration::from_ms(2_170), ..LOAD };
    let carried = network.carry(Load { count: 100, ..load }).expect("it runs");
    let mut latencies = carried.latencies();
    latencies.sort_unstable();
    assert_eq!(latencies.len(), 100);
    // The latency is a random part of the poll period plus the frames of two hops.
    let (low, high) = (latencies[10].as_ns(), latencies[89].as_ns());
    assert!(low < period.as_ns() / 4 && high > period.as_ns() * 3 / 4, "{low} {high} ns");
    assert!(latencies[98] < period + Duration::from_ms(60), "{:?}", latencies[98]);
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn what_a_board_costs_is_added_to_each_frame() {
    let Some(folder) = airlag_peers::openthread() else { return };
    let median = |costs| {
        let mut setup = setup(folder.clone(), Shape::OneHop, 2);
        (setup.leader.costs, setup.node.costs) = (costs, costs);
        let load = Load { scope: Scope::LinkLocal, count: 101, ..LOAD };
        let mut latencies = formed(setup).carry(load).expect("it runs").latencies();
        latencies.sort_unstable();
        latencies[50].as_ns()
    };
    let costs = Costs {
        send: Duration::from_ms(8),
        receive: Duration::from_ms(4),
        aes_block: Duration::from_us(50),
        pace: Duration::ZERO,
        serial: None,
    };
    // Encryption takes 16 AES blocks each way for 79 octets. The median of the backoffs may differ
    // by two units.
    let expected = 12_000_000 + 32 * 50_000;
    let difference = median(costs) - median(Costs::default());
    assert!(difference.abs_diff(expected) <= 640_000, "{difference} ns");
}

#[test]
#[ignore = "needs nodes of OpenThread and tshark"]
fn a_sniffer_reads_every_frame_down_to_the_payload() {
    let Some(folder) = airlag_peers::openthread() else { return };
    let mut network =
        Network::new(setup(folder, Shape::Chain, 3), Supervision::default()).expect("it starts");
    let sniffer = Sniffer::attach(&network.air, Instant::START);
    network.form().expect("it forms");
    let carried = network.carry(Load { size: 300, ..LOAD }).expect("it runs");
    let capture = sniffer.take().pcapng;
    let key: String = NETWORK_KEY.iter().map(|byte| format!("{byte:02x}")).collect();
    let key = format!("uat:ieee802154_keys:\"{key}\",\"0\",\"Thread hash\"");
    let context = "6lowpan.context0:fd00:db8::/64";
    let fields =
        ["wpan.fcs_ok", "_ws.malformed", "udp.dstport", "udp.length", "udp.checksum.status"];
    let found = airlag_peers::dissect_with("openthread", &capture, &[&key, context], &fields);
    let Some(packets) = found else { return };
    assert!(packets.iter().all(|packet| packet[1].is_empty()), "a malformed frame");
    assert!(packets.iter().all(|packet| packet[0] != "0" && packet[0] != "False"));
    let whole = packets.iter().filter(|packet| packet[2] == "49152" && packet[3] == "308");
    // Each message takes two hops, and tshark checks the sum of the frames whose addresses it
    // knows.
    assert_eq!(whole.clone().count(), 2 * carried.latencies().len());
    assert!(whole.clone().all(|packet| packet[4] != "0"), "a wrong checksum");
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn what_cannot_be_is_said_in_a_line() {
    let missing = setup(PathBuf::from("/nonexistent"), Shape::OneHop, 2);
    let Err(error) = Network::new(missing, Supervision::default()) else {
        panic!("there is nothing there")
    };
    assert!(matches!(error, Error::Missing { .. }));
    assert!(error.to_string().contains("make openthread"), "{error}");
    let Some(folder) = airlag_peers::openthread() else { return };
    let network = formed(setup(folder, Shape::OneHop, 2));
    for size in [0, 1_233] {
        assert!(matches!(network.carry(Load { size, ..LOAD }), Err(Error::Size { .. })));
    }
    assert!(matches!(network.nodes()[0].command("nonsense"), Err(Error::Refused { .. })));
}
