//! Networks that change while they run.

use std::path::PathBuf;

use airlag_openthread::wire::Role;
use airlag_openthread::{
    Config, Direction, Error, FrameLoss, Load, Network, PathModel, Ping, Position, Scope, Setup,
    Shape, Supervision, Topology, WhenFull,
};
use airlag_sim::Duration;

fn at(x: f64, y: f64) -> Position {
    Position { x, y }
}

fn formed(folder: PathBuf, topology: Topology) -> Network {
    let setup = Setup {
        folder,
        topology,
        leader: Config::default(),
        node: Config::default(),
        poll_period: None,
        loss: FrameLoss::default(),
        seed: 1,
    };
    let mut network = Network::new(setup, Supervision::default()).expect("it starts");
    network.form().expect("it forms");
    network
}

fn answered(network: &Network, from: usize, to: usize) -> bool {
    network.ping(from, to, Ping::default()).expect("it runs")[0].is_some()
}

/// ```text
///  1 ── 2 ── 4      and 3 beside 2, 60 m off the line
///   └── 3 ──┘
/// ```
fn diamond(folder: PathBuf) -> Network {
    let positions = vec![at(0.0, 0.0), at(80.0, 0.0), at(80.0, 50.0), at(160.0, 0.0)];
    let topology = Topology::placed(positions, PathModel::default()).expect("it can be built");
    let network = formed(folder, topology);
    network.run_for(Duration::from_secs(60)).expect("it runs");
    network
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn a_ping_takes_as_long_as_its_frames_and_backoffs() {
    let Some(folder) = airlag_peers::openthread() else { return };
    let network = formed(folder, Topology::new(Shape::OneHop, 2).expect("two nodes"));
    let ping = Ping { count: 50, ..Ping::default() };
    let answers = network.ping(1, 2, ping).expect("it runs");
    assert_eq!(answers.len(), 50);
    let times: Vec<u64> = answers.iter().flatten().map(|rtt| rtt.as_ns()).collect();
    assert_eq!(times.len(), 50);
    // Each way takes CCA, turnaround and a frame of 6 + 50 to 80 octets, with 0 to 7 backoff units
    // of 320 us before it.
    let (least, most) = (2 * (320 + 56 * 32), 2 * (320 + 7 * 320 + 86 * 32 + 640));
    // Some frames wait for an advertisement or collide with one.
    let (least, most) = (least * 1_000, most * 1_000);
    assert!(times.iter().all(|&ns| ns >= least), "{times:?}");
    assert!(times.iter().filter(|&&ns| ns < most).count() >= 45, "{times:?}");
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn traffic_takes_another_way_when_a_router_dies() {
    let Some(folder) = airlag_peers::openthread() else { return };
    let mut network = diamond(folder);
    assert!(answered(&network, 4, 1));
    network.kill(2).expect("it runs");
    assert!(matches!(network.kill(2), Err(Error::Killed { node: 2 })));
    assert!(matches!(network.run_command(2, "state"), Err(Error::Killed { node: 2 })));
    // A child finds another parent, and a router another route, within the timeouts of MLE.
    network.run_for(Duration::from_secs(300)).expect("it runs");
    assert!(answered(&network, 4, 1), "over node 3");
    network.kill(3).expect("it runs");
    network.run_for(Duration::from_secs(10)).expect("it runs");
    assert!(!answered(&network, 4, 1), "nobody is left between them");
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn a_node_that_moves_away_is_lost_and_comes_back() {
    let Some(folder) = airlag_peers::openthread() else { return };
    let mut network = formed(folder, Topology::new(Shape::Chain, 3).expect("a chain"));
    assert!(answered(&network, 3, 1));
    network.move_to(3, at(1_000.0, 0.0)).expect("it runs");
    network.run_for(Duration::from_secs(10)).expect("it runs");
    assert!(!answered(&network, 1, 3));
    // The node is moved next to node 1, which was out of range before.
    network.move_to(3, at(0.0, 50.0)).expect("it runs");
    assert_eq!(network.position(3).expect("it is there"), at(0.0, 50.0));
    network.run_for(Duration::from_secs(300)).expect("it runs");
    assert!(answered(&network, 1, 3));
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn a_node_that_is_added_joins_and_is_reached() {
    let Some(folder) = airlag_peers::openthread() else { return };
    let mut network = formed(folder, Topology::new(Shape::OneHop, 2).expect("two nodes"));
    let added = network.add(at(20.0, 20.0)).expect("it starts");
    assert_eq!(added, 3);
    network.run_for(Duration::from_secs(30)).expect("it runs");
    let state = network.run_command(added, "state").expect("it runs");
    assert!(["child", "router"].contains(&state[0].as_str()), "{state:?}");
    assert!(answered(&network, added, 1));
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn a_partition_has_a_leader_of_its_own_until_it_is_healed() {
    let Some(folder) = airlag_peers::openthread() else { return };
    let mut network = diamond(folder);
    network.partition(&[vec![1, 2], vec![3, 4]]).expect("groups");
    // NETWORK_ID_TIMEOUT is 120 s (`Mle::kNetworkIdTimeout`).
    network.run_for(Duration::from_secs(300)).expect("it runs");
    let leaders = |network: &Network| {
        network.nodes().iter().filter(|node| node.role().0 == Role::Leader).count()
    };
    assert_eq!(leaders(&network), 2);
    assert!(answered(&network, 2, 1) && !answered(&network, 3, 1));
    network.heal();
    network.run_for(Duration::from_secs(300)).expect("it runs");
    assert_eq!(leaders(&network), 1);
    assert!(answered(&network, 3, 1));
    let twice = network.partition(&[vec![1, 2], vec![2]]).expect_err("2 is in both");
    assert!(matches!(twice, Error::Topology(_)), "{twice}");
    let nobody = network.partition(&[vec![9]]).expect_err("there are four");
    assert!(matches!(nobody, Error::NoNode { node: 9, count: 4 }), "{nobody}");
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn a_load_goes_on_while_its_network_changes() {
    let Some(folder) = airlag_peers::openthread() else { return };
    let mut network = formed(folder, Topology::new(Shape::Chain, 3).expect("a chain"));
    let load = Load {
        direction: Direction::Up,
        scope: Scope::MeshLocal,
        size: 40,
        count: 100,
        period: Duration::from_ms(100),
        when_full: WhenFull::Refuse,
    };
    let underway = network.begin(load).expect("it begins");
    network.run_until(underway.begin() + Duration::from_secs(5)).expect("it runs");
    network.kill(2).expect("it runs");
    let carried = network.finish(underway).expect("it ends");
    let delivered = carried.flows[0].delivered();
    assert!((48..=51).contains(&delivered), "{delivered} of the first 5 s");
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn a_command_that_takes_its_time_is_waited_for() {
    let Some(folder) = airlag_peers::openthread() else { return };
    let network = formed(folder, Topology::new(Shape::OneHop, 2).expect("two nodes"));
    let before = network.bench.now();
    let lines = network.run_command(1, "scan").expect("it completes");
    assert!(network.bench.now() > before, "a scan listens on each channel");
    assert!(lines[0].starts_with("| PAN"), "{lines:?}");
    assert!(matches!(network.run_command(1, "nonsense"), Err(Error::Refused { node: 1, .. })));
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn distance_and_path_loss_decide_who_is_whose_neighbour() {
    use airlag_air::quantity::{Db, Dbm, Metres};
    use airlag_air::{Budget, Fading, PathLoss};
    let Some(folder) = airlag_peers::openthread() else { return };
    let paths = PathModel::Loss(Budget {
        power: Dbm(0.0),
        antenna_gain: Db(0.0),
        path: PathLoss::LogDistance { exponent: 3.0 },
        range: Metres(0.0),
        shadowing: Db(0.0),
        fading: Fading::Steady,
        noise_figure: Db(10.5),
    });
    // The loss is 40.1 dB over the first metre and 30 dB per decade: -91 dBm at 50 m, and -100 dBm
    // at 99 m.
    let positions = vec![at(0.0, 0.0), at(50.0, 0.0), at(100.0, 0.0)];
    let topology = Topology::placed(positions, paths).expect("it can be built");
    assert_eq!(topology.hops(), 2);
    let network = formed(folder, topology);
    assert!(answered(&network, 3, 1));
    let table = network.run_command(2, "neighbor table").expect("it runs").join("\n");
    assert!(table.contains("-91"), "{table}");
}
