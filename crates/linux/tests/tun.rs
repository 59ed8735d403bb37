//! A network interface of the kernel: packets that programs send through it arrive here, and vice
//! versa.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::time::{Duration, Instant};

use airlag_linux::Tun;
use airlag_peers::absent;

const OWN: Ipv4Addr = Ipv4Addr::new(10, 213, 77, 1);
const OTHER: Ipv4Addr = Ipv4Addr::new(10, 213, 77, 2);
const MTU: u16 = 500;
/// Length of the headers of a UDP packet over IPv4, bytes.
const HEADERS: usize = 28;

/// An interface, if this process is allowed to create one.
fn tun() -> Option<Tun> {
    match Tun::with_address("airlagtest%d", MTU, Some((IpAddr::V4(OWN), 24))) {
        Ok(tun) => Some(tun),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            absent(&error.to_string());
            None
        }
        Err(error) if error.to_string().contains("modprobe") => {
            absent(&error.to_string());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// The next packet with UDP over IPv4. The kernel also sends its own packets on a new interface.
fn datagram(tun: &Tun) -> Vec<u8> {
    let mut packet = [0; 2_048];
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(20) {
        match tun.read(&mut packet).expect("the interface is there") {
            Some(len) if packet[0] >> 4 == 4 && packet[9] == 17 => return packet[..len].to_vec(),
            Some(_) => {}
            None => std::thread::yield_now(),
        }
    }
    panic!("nothing was sent through {}", tun.name());
}

/// The same datagram, returned to its sender. Neither checksum changes.
fn turned(mut packet: Vec<u8>) -> Vec<u8> {
    let (source, destination): (Vec<u8>, Vec<u8>) = (packet[12..16].into(), packet[16..20].into());
    packet[12..16].copy_from_slice(&destination);
    packet[16..20].copy_from_slice(&source);
    let (source, destination): (Vec<u8>, Vec<u8>) = (packet[20..22].into(), packet[22..24].into());
    packet[20..22].copy_from_slice(&destination);
    packet[22..24].copy_from_slice(&source);
    packet
}

#[test]
#[ignore = "needs a TUN interface"]
fn packets_of_the_computer_come_out_and_what_is_written_reaches_it() {
    let Some(tun) = tun() else { return };
    assert!(tun.name().starts_with("airlagtest") && !tun.name().contains('%'), "{}", tun.name());
    let socket = UdpSocket::bind((OWN, 0)).expect("an address of this computer");
    socket.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    socket.send_to(b"over the air", (OTHER, 9)).expect("there is a route");
    let packet = datagram(&tun);
    assert_eq!(&packet[HEADERS..], b"over the air");
    assert_eq!(tun.write(&turned(packet)).expect("the interface is up"), Some(()));
    let mut got = [0; 64];
    let (len, from) = socket.recv_from(&mut got).expect("an answer");
    assert_eq!((&got[..len], from), (&b"over the air"[..], (OTHER, 9).into()));
    assert_eq!(tun.write(&[0; 20]).expect("which is no error"), None);
    // The datagram is longer than the MTU, so the kernel fragments it.
    socket.send_to(&[7; 700], (OTHER, 9)).expect("there is a route");
    assert_eq!(datagram(&tun).len(), 20 + (usize::from(MTU) - 20) / 8 * 8);
    let again = Tun::open(tun.name(), MTU).err().expect("it is in use").to_string();
    assert!(again.contains("another program uses this interface"), "{again}");
}
