//! Unmodified programs over links in real time.

use std::io::{Read, Write};
use std::net::{SocketAddr, UdpSocket};
use std::thread;
use std::time::Duration as Wall;

use airlag_kinds::registry;
use airlag_live::journal::Outcome;
use airlag_live::session::Emulated;
use airlag_live::{Journal, Plan, Port, emulate, pty, udp};
use airlag_rig::programs::relayed::Framing;
use airlag_rig::relay::Options;
use airlag_rig::{Interrupt, Profile};
use airlag_sim::Duration;

fn plan(size: usize, framing: Framing) -> Plan {
    let bench = Options { size, room: 64, framing, seed: 1, sniff: false };
    Plan { bench, speed: 1.0, lasting: Some(Duration::from_secs(60)) }
}

fn journals() -> [Journal; 2] {
    ["forward", "return"].map(|about| Journal::scratch(about).expect("a temporary file"))
}

fn profile(link: &str, settings: &[(&str, &str)]) -> Profile {
    let mut profile = registry::find(link).expect("a link");
    settings.iter().for_each(|(name, value)| profile.set(name, value).expect("a setting"));
    profile
}

/// Runs a client and a server with a link between them while `talk` runs.
fn over(
    link: &str,
    settings: &[(&str, &str)],
    talk: impl FnOnce(UdpSocket, UdpSocket) + Send,
) -> Emulated {
    let server = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let any: SocketAddr = "127.0.0.1:0".parse().expect("an address");
    let (near, far) = udp::relay(any, server.local_addr().expect("bound")).expect("ports");
    let client = UdpSocket::bind("127.0.0.1:0").expect("a port");
    client.connect(near.address().expect("bound")).expect("connected");
    let mut ports: [Box<dyn Port + Send>; 2] = [Box::new(near), Box::new(far)];
    let (profile, interrupt) = (profile(link, settings), Interrupt::default());
    for socket in [&client, &server] {
        socket.set_read_timeout(Some(Wall::from_secs(20))).expect("a timeout");
    }
    thread::scope(|scope| {
        let ends = interrupt.clone();
        scope.spawn(move || {
            talk(client, server);
            ends.request();
        });
        let plan = plan(128, Framing::Packets);
        let work = || emulate(&profile, &plan, &mut ports, journals(), |_| ());
        interrupt.watch(work).expect("it runs")
    })
}

/// Sends requests of several sizes, and checks that requests and responses arrive unchanged.
fn ask_and_answer(client: UdpSocket, server: UdpSocket) {
    let mut buffer = [0; 2_048];
    for size in [1, 6, 7, 8, 64, 200] {
        let sent: Vec<u8> = (0..size).map(|at| at as u8 ^ 0x5A).collect();
        client.send(&sent).expect("sent");
        let (len, from) = server.recv_from(&mut buffer).expect("it comes");
        assert_eq!(buffer[..len], sent, "{size} B");
        buffer[..len].reverse();
        server.send_to(&buffer[..len], from).expect("answered");
        let len = client.recv(&mut buffer).expect("its answer comes");
        assert!(buffer[..len].iter().rev().eq(&sent), "{size} B back");
    }
}

#[test]
fn udp_requests_and_replies_cross_every_radio() {
    for link in ["espnow-woken", "ieee802154-ack-woken", "hc05-57600", "wifi-udp-tuned"] {
        let done = over(link, &[], ask_and_answer);
        for way in &done.ways {
            assert_eq!(way.outcomes().collect::<Vec<_>>(), [Outcome::Arrived; 6], "{link}");
        }
        assert_eq!(done.late.count(), 12, "{link}");
    }
}

#[test]
fn packets_lost_on_the_link_do_not_arrive() {
    let done = over("nrf24-2m", &[("frame_loss", "1")], |client, server| {
        for _ in 0..5 {
            client.send(&[7; 20]).expect("sent");
            thread::sleep(Wall::from_millis(30));
        }
        server.set_read_timeout(Some(Wall::from_millis(1))).expect("a timeout");
        assert!(server.recv(&mut [0; 64]).is_err(), "nothing comes");
    });
    let forward = &done.ways[0];
    assert_eq!(forward.tally.bytes, [100, 0]);
    // These packets are counted as lost although none arrived after them, because the bench
    // continues until their outcome is known.
    assert_eq!(forward.outcomes().collect::<Vec<_>>(), [Outcome::Lost; 5]);
}

#[test]
fn bytes_written_to_one_serial_port_arrive_at_the_other() {
    let (near, far) = (pty::Pty::open().expect("a pty"), pty::Pty::open().expect("a pty"));
    let open = |port: &pty::Pty| {
        std::fs::File::options().read(true).write(true).open(port.path()).expect("it opens")
    };
    let (mut one, mut other) = (open(&near), open(&far));
    let mut ports: [Box<dyn Port + Send>; 2] = [Box::new(near), Box::new(far)];
    let (profile, interrupt) = (profile("hc05-57600", &[]), Interrupt::default());
    let done = thread::scope(|scope| {
        let ends = interrupt.clone();
        scope.spawn(move || {
            let sent: Vec<u8> = (0..=255).collect();
            one.write_all(&sent).expect("written");
            let mut got = vec![0; sent.len()];
            other.read_exact(&mut got).expect("it comes");
            assert_eq!(got, sent);
            other.write_all(b"AT\r\n").expect("written");
            let mut answer = [0; 4];
            one.read_exact(&mut answer).expect("it comes");
            assert_eq!(&answer, b"AT\r\n");
            ends.request();
        });
        let plan = plan(64, Framing::Bytes);
        let work = || emulate(&profile, &plan, &mut ports, journals(), |_| ());
        interrupt.watch(work).expect("it runs")
    });
    assert_eq!((done.ways[0].tally.bytes, done.ways[1].tally.bytes), ([256, 256], [4, 4]));
}

#[test]
fn a_one_way_link_returns_no_replies() {
    let done = over("nrf24-2m", &[], |client, server| {
        let mut buffer = [0; 64];
        client.send(b"ping").expect("sent");
        let (len, from) = server.recv_from(&mut buffer).expect("it comes");
        server.send_to(&buffer[..len], from).expect("answered");
        client.set_read_timeout(Some(Wall::from_millis(50))).expect("a timeout");
        assert!(client.recv(&mut buffer).is_err(), "nothing comes back");
    });
    let back = &done.ways[1];
    assert_eq!((back.offered_ns.len(), back.tally.refused), (0, 1));
}

#[test]
fn a_board_without_a_link_is_refused() {
    let (near, far) = (pty::Pty::open().expect("a pty"), pty::Pty::open().expect("a pty"));
    let mut ports: [Box<dyn Port + Send>; 2] = [Box::new(near), Box::new(far)];
    let (board, plan) = (profile("gpio-stm32-ll-o3", &[]), plan(64, Framing::Bytes));
    let refused = emulate(&board, &plan, &mut ports, journals(), |_| ()).expect_err("refused");
    assert_eq!(
        refused.to_string(),
        "gpio-stm32-ll-o3 is a single board without a link and carries no bytes; choose a link between two boards"
    );
}
