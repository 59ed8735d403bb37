//! Processes of nodes that end, hang or are stopped. None outlives its simulator.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration as Real, Instant as Clock};

use airlag_openthread::{Config, Error, FrameLoss, Network, Setup, Shape, Supervision, Topology};
use airlag_sim::Duration;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

fn setup(folder: PathBuf) -> Setup {
    Setup {
        folder,
        topology: Topology::new(Shape::Chain, 3).expect("it can be built"),
        leader: Config::default(),
        node: Config::default(),
        poll_period: None,
        loss: FrameLoss::default(),
        seed: 1,
    }
}

fn quick() -> Supervision {
    Supervision { patience: Real::from_millis(300), ..Supervision::default() }
}

/// A program that is started instead of a node, in its own folder.
struct Impostor(PathBuf);

impl Impostor {
    fn new(name: &str, script: &str) -> Self {
        let name = format!("airlag-openthread-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a place for a file");
        // Another process writes the program. A process that another test starts at the same moment
        // would inherit our open file, and a file open for writing cannot be executed (ETXTBSY).
        let mut writer = Command::new("install")
            .args(["-m", "755", "/dev/stdin"])
            .arg(folder.join("ot-node-ftd"))
            .stdin(Stdio::piped())
            .spawn()
            .expect("coreutils");
        let mut input = writer.stdin.take().expect("a pipe");
        writeln!(input, "#!/bin/sh\n{script}").expect("it is read");
        drop(input);
        assert!(writer.wait().expect("our child").success());
        Self(folder)
    }
}

impl Drop for Impostor {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_process_that_ends_hangs_stops_or_talks_nonsense_is_named() {
    for (name, script, cause) in [
        ("exits", "exit 3", "exited with code 3"),
        ("killed", "kill -KILL $$", "killed by signal 9"),
        ("stopped", "kill -STOP $$", "stopped by signal 19"),
        ("hangs", "exec sleep 60", "no answer within 0.3 s"),
        ("nonsense", "printf '\\004\\000\\000\\000abcd' >&0; exec sleep 60", "invalid record"),
        ("too-much", "printf '\\377\\377\\377\\377' >&0; exec sleep 60", "oversized batch"),
    ] {
        let impostor = Impostor::new(name, script);
        let Err(error) = Network::new(setup(impostor.0.clone()), quick()) else {
            panic!("{name} is no node")
        };
        assert!(matches!(error, Error::Broken { node: 1, .. }), "{name}: {error}");
        let line = error.to_string();
        assert!(line.contains(cause) && !line.contains('\n'), "{name}: {line}");
    }
}

#[test]
fn a_run_that_is_interrupted_does_not_wait_for_a_node_that_hangs() {
    let impostor = Impostor::new("interrupted", "exec sleep 60");
    let supervision = Supervision { interrupted: || true, ..Supervision::default() };
    let ended = Network::new(setup(impostor.0.clone()), supervision);
    assert!(matches!(ended, Err(Error::Interrupted)));
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn a_node_that_is_stopped_or_killed_from_outside_ends_the_run_with_its_number() {
    let Some(folder) = airlag_peers::openthread() else { return };
    for (signal, cause) in [(Signal::STOP, "stopped"), (Signal::KILL, "killed by signal 9")] {
        let mut network = Network::new(setup(folder.clone()), quick()).expect("it starts");
        network.form().expect("it forms");
        let id = network.nodes()[1].process_id().expect("it runs");
        let ids: Vec<u32> = network.nodes().iter().filter_map(|node| node.process_id()).collect();
        kill_process(pid(id), signal).expect("it is ours");
        let error = network.run_for(Duration::from_secs(100)).expect_err("a node is missing");
        assert!(matches!(error, Error::Broken { node: 2, .. }), "{error}");
        assert!(error.to_string().contains(cause), "{error}");
        drop(network);
        assert!(ids.iter().all(|&id| is_gone(id)), "no process is left");
    }
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn a_network_that_is_done_leaves_no_process() {
    let Some(folder) = airlag_peers::openthread() else { return };
    let mut network = Network::new(setup(folder), Supervision::default()).expect("it starts");
    network.form().expect("it forms");
    let ids: Vec<u32> = network.nodes().iter().filter_map(|node| node.process_id()).collect();
    network.kill(3).expect("it runs");
    assert!(is_gone(ids[2]) && !is_gone(ids[0]) && !is_gone(ids[1]));
    drop(network);
    assert!(ids.iter().all(|&id| is_gone(id)));
}

const CHILD: &str = "AIRLAG_TEST_HOLDS_A_NETWORK";

/// Executed by the next test in a separate process: forms a network, prints the process identifiers
/// of its nodes, and keeps it until it is killed.
#[test]
#[ignore = "needs nodes of OpenThread"]
fn holds_a_network() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let Some(folder) = airlag_peers::openthread() else { return };
    let network = Network::new(setup(folder), Supervision::default()).expect("it starts");
    let ids: Vec<String> = (network.nodes().iter().filter_map(|node| node.process_id()))
        .map(|id| id.to_string())
        .collect();
    println!("nodes {}", ids.join(" "));
    std::thread::sleep(Real::from_secs(60));
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn nodes_end_with_a_simulator_that_is_killed_even_those_that_are_stopped() {
    let Some(_) = airlag_peers::openthread() else { return };
    let mut holder = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "processes::holds_a_network", "--ignored", "--nocapture"])
        .env(CHILD, "1")
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let out = std::io::BufReader::new(holder.stdout.take().expect("piped"));
    let line = std::io::BufRead::lines(out)
        .map_while(Result::ok)
        .find_map(|line| line.split_once("nodes ").map(|(_, ids)| ids.to_owned()));
    let ids: Vec<u32> =
        (line.expect("nodes").split(' ').map(|id| id.parse().expect("a number"))).collect();
    assert_eq!(ids.len(), 3);
    kill_process(pid(ids[1]), Signal::STOP).expect("it is ours");
    assert!(ids.iter().all(|&id| test_kill_process(pid(id)).is_ok()), "they run");
    holder.kill().expect("it is ours");
    holder.wait().expect("it ends");
    let deadline = Clock::now() + Real::from_secs(20);
    while !ids.iter().all(|&id| is_gone(id)) {
        assert!(Clock::now() < deadline, "nodes outlive their simulator");
        std::thread::sleep(Real::from_millis(20));
    }
}

fn pid(id: u32) -> Pid {
    Pid::from_raw(id.cast_signed()).expect("not zero")
}

/// Whether this process does not run any more: it has ended, or is a zombie that has not been
/// reaped.
fn is_gone(id: u32) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(id.to_string()).join("stat"));
    // In this file the state comes after the name, which may contain any characters.
    stat.map_or(true, |stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z')))
}
