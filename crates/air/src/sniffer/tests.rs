use std::rc::Rc;

use airlag_sim::Simulation;
use pcap_parser::pcapng::{Block, EnhancedPacketBlock};
use pcap_parser::{PcapBlockOwned, PcapNGReader, traits::PcapReaderIterator};
use proptest::prelude::*;

use super::*;
use crate::frame::{Band, Modulation};

/// Keeps the bytes unchanged.
struct Bare(u16);

impl Encapsulation for Bare {
    fn link_type(&self) -> u16 {
        self.0
    }
    fn description(&self) -> &'static str {
        "bare"
    }
    fn wrap(&self, frame: &Frame, _: bool, data: &mut Vec<u8>, _: &mut String) {
        data.extend_from_slice(&frame.bytes);
    }
}

/// A frame to send: family, start, length, bytes and band.
struct Sent<'a>(&'static str, u64, u64, &'a [u8], Band);

fn apart(nth: usize) -> Band {
    Band::around(2_402_000 + 2_000 * nth as u32, 1_000)
}

fn sniff(frames: &[Sent<'_>], after: u64) -> Capture {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let node = air.join("a");
    for &Sent(family, at, length, bytes, band) in frames {
        let (air, bytes): (_, Rc<[u8]>) = (air.clone(), Rc::from(bytes));
        bench.at(Instant::from_ns(at), move || {
            let modulation = Modulation { family, setting: 0 };
            air.send(node, band, modulation, Instant::from_ns(at + length), bytes);
        });
    }
    bench.run_until(Instant::from_ns(after)).expect("no livelock");
    let sniffer = Sniffer::attach(&air, bench.now()).with("one", Bare(147)).with("two", Bare(148));
    bench.run().expect("no livelock");
    sniffer.take()
}

/// Parses a file with an independent reader: interface, time stamp and bytes for each packet, and
/// the number of interfaces.
fn read(file: &[u8]) -> (Vec<(u32, u64, Vec<u8>)>, usize) {
    let (mut packets, mut interfaces) = (Vec::new(), 0);
    let mut reader = PcapNGReader::new(1 << 20, file).expect("a section header");
    let mut consumed = 0;
    loop {
        match reader.next() {
            Ok((size, PcapBlockOwned::NG(block))) => {
                match block {
                    Block::InterfaceDescription(interface) => {
                        assert_eq!(interface.ts_resolution(), Some(1_000_000_000));
                        interfaces += 1;
                    }
                    Block::EnhancedPacket(packet) => packets.push(fields(&packet)),
                    _ => {}
                }
                consumed += size;
                reader.consume(size);
            }
            Ok(_) => panic!("not a pcapng file"),
            Err(pcap_parser::PcapError::Eof) => break,
            Err(pcap_parser::PcapError::Incomplete(_)) => reader.refill().expect("a slice"),
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(consumed, file.len());
    (packets, interfaces)
}

fn fields(packet: &EnhancedPacketBlock<'_>) -> (u32, u64, Vec<u8>) {
    let at_ns = u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low);
    assert_eq!(packet.caplen, packet.origlen);
    (packet.if_id, at_ns, packet.data[..packet.caplen as usize].to_vec())
}

#[test]
fn frames_are_stamped_at_their_first_bit_from_when_the_sniffer_was_attached() {
    let frames = [
        Sent("one", 100, 10, &[0], apart(0)),
        // This frame is already on the air when the sniffer is attached, so it is not recorded.
        Sent("one", 900, 200, &[1], apart(1)),
        Sent("one", 1_005, 500, &[2], apart(2)),
        Sent("one", 1_007, 100, &[3], apart(3)),
    ];
    let capture = sniff(&frames, 1_000);
    let (packets, _) = read(&capture.pcapng);
    assert_eq!(packets, [(0, 5, vec![2]), (0, 7, vec![3])]);
    assert_eq!((capture.frames, capture.over_limit), (2, 0));
}

#[test]
fn each_family_has_an_interface_and_one_without_encapsulation_is_counted() {
    let frames = [
        Sent("two", 10, 1, &[0], apart(0)),
        Sent("secret", 20, 1, &[1], apart(0)),
        Sent("one", 30, 1, &[2], apart(0)),
        Sent("two", 40, 1, &[3], apart(0)),
    ];
    let capture = sniff(&frames, 0);
    let (packets, interfaces) = read(&capture.pcapng);
    assert_eq!(interfaces, 2);
    assert_eq!(packets.iter().map(|packet| packet.0).collect::<Vec<_>>(), [0, 1, 0]);
    assert_eq!(capture.left_out, BTreeMap::from([("secret", 1)]));
}

#[test]
fn a_collision_is_kept_as_sent_with_a_comment() {
    let frames = [
        Sent("one", 10, 100, &[0xAA], apart(0)),
        Sent("two", 50, 100, &[0xBB], apart(0)),
        Sent("one", 500, 100, &[0xCC], apart(0)),
    ];
    let capture = sniff(&frames, 0);
    assert_eq!(read(&capture.pcapng).0.len(), 3);
    let text = String::from_utf8_lossy(&capture.pcapng).into_owned();
    assert_eq!(text.matches("collided").count(), 2);
}

#[test]
fn what_comes_after_the_limit_is_counted_and_not_kept() {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let node = air.join("a");
    let sniffer = Sniffer::attach(&air, bench.now()).with("one", Bare(147));
    sniffer.0.borrow_mut().limit = 5;
    for nth in 0..4_u64 {
        let air = air.clone();
        bench.at(Instant::from_ns(nth * 10), move || {
            let modulation = Modulation { family: "one", setting: 0 };
            let end = Instant::from_ns(nth * 10 + 1);
            air.send(node, apart(0), modulation, end, Rc::from([1, 2].as_slice()));
        });
    }
    bench.run().expect("no livelock");
    let capture = sniffer.take();
    assert_eq!((capture.frames, capture.over_limit), (2, 2));
    assert_eq!(sniffer.take().frames, 0);
}

#[test]
fn a_second_sniffer_hears_the_same() {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let node = air.join("a");
    let sniffers = [1, 2].map(|_| Sniffer::attach(&air, bench.now()).with("one", Bare(147)));
    let modulation = Modulation { family: "one", setting: 0 };
    air.send(node, apart(0), modulation, Instant::from_ns(9), Rc::from([7].as_slice()));
    bench.run().expect("no livelock");
    let [one, two] = sniffers.map(|sniffer| sniffer.take());
    assert_eq!(one, two);
    assert_eq!(one.frames, 1);
}

proptest! {
    #[test]
    fn any_frames_give_a_file_that_another_reader_finds_them_in(
        frames in prop::collection::vec(
            (0_usize..5, 0_u64..1 << 40, 1_u64..1 << 20, prop::collection::vec(any::<u8>(), 0..300)),
            0..40,
        ),
    ) {
        let families = ["one", "two", "ieee802154", "wifi", "ble"];
        let sent: Vec<_> = frames
            .iter()
            .enumerate()
            .map(|(nth, (family, at, length, bytes))| {
                Sent(families[*family], *at, *length, bytes, apart(nth))
            })
            .collect();
        let capture = sniff(&sent, 0);
        let (packets, interfaces) = read(&capture.pcapng);
        prop_assert_eq!(packets.len() as u64, capture.frames);
        prop_assert_eq!(packets.len(), frames.len());
        prop_assert!(interfaces <= families.len());
        prop_assert!(packets.is_sorted_by_key(|packet| packet.1));
        let mut expected: Vec<_> = frames.iter().collect();
        expected.sort_by_key(|(_, at, length, _)| (*at, at + length));
        for ((_, at, data), (_, begin, _, bytes)) in packets.iter().zip(expected) {
            prop_assert_eq!(at, begin);
            prop_assert!(data.ends_with(bytes));
        }
    }
}
