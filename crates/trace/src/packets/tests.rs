use proptest::prelude::*;

use super::*;

/// Byte order of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn u16(self, value: u16) -> [u8; 2] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    fn u32(self, value: u32) -> [u8; 4] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    fn block(self, kind: u32, body: &[u8]) -> Vec<u8> {
        let length = self.u32(body.len() as u32 + 12);
        [&self.u32(kind)[..], &length, body, &length].concat()
    }

    fn section(self) -> Vec<u8> {
        let version = [self.u16(1), self.u16(0)].concat();
        self.block(0x0A0D_0D0A, &[&self.u32(BYTE_ORDER)[..], &version, &[0xFF; 8]].concat())
    }

    /// An interface with a resolution and an offset in seconds.
    fn interface(self, link_type: u16, resolution: u8, offset_s: i64) -> Vec<u8> {
        let mut offset = offset_s.to_le_bytes();
        if self == Self::Big {
            offset.reverse();
        }
        let options = [
            &self.u16(9)[..],
            &self.u16(1),
            &[resolution, 0, 0, 0],
            &self.u16(14),
            &self.u16(8),
            &offset,
            &[0; 4],
        ]
        .concat();
        let body = [&self.u16(link_type)[..], &[0; 6], &options].concat();
        self.block(1, &body)
    }

    /// A packet of interface 0, with flags unless they are 0.
    fn packet(self, stamp: u64, data: &[u8], original: u32, flags: u32) -> Vec<u8> {
        let mut body = [
            self.u32(0),
            self.u32((stamp >> 32) as u32),
            self.u32(stamp as u32),
            self.u32(data.len() as u32),
            self.u32(original),
        ]
        .concat();
        body.extend(data);
        body.resize(body.len().next_multiple_of(4), 0);
        if flags != 0 {
            let option = [&self.u16(FLAGS)[..], &self.u16(4), &self.u32(flags), &[0; 4]].concat();
            body.extend(option);
        }
        self.block(6, &body)
    }

    fn pcap(self, magic: u32, link_type: u32, packets: &[(u32, u32, &[u8])]) -> Vec<u8> {
        let mut file = [&self.u32(magic)[..], &self.u16(2), &self.u16(4), &[0; 8]].concat();
        file.extend([self.u32(65_535), self.u32(link_type)].concat());
        for (seconds, part, data) in packets {
            let length = self.u32(data.len() as u32);
            file.extend([self.u32(*seconds), self.u32(*part), length, length].concat());
            file.extend(*data);
        }
        file
    }
}

/// Time, link type, bytes, whether it is cut and whether it is damaged.
type Seen = (i64, u16, Vec<u8>, bool, bool);

fn packets(file: &[u8]) -> Result<Vec<Seen>, At> {
    let format = Format::detect(file).expect("a known format");
    let mut seen = Vec::new();
    read(file, format, |packet| {
        let Packet { at_ns, link_type, bytes, is_cut, is_damaged } = *packet;
        seen.push((at_ns, link_type, bytes.to_vec(), is_cut, is_damaged));
        Ok(())
    })?;
    Ok(seen)
}

fn failure(file: &[u8]) -> String {
    let at = packets(file).expect_err("refused");
    format!("{}{}", at.place, at.problem)
}

#[test]
fn pcapng_of_either_byte_order_has_times_link_types_and_errors() {
    for order in [Order::Little, Order::Big] {
        let file = [
            order.section(),
            order.interface(256, 6, 100),
            // A name resolution block is not a packet.
            order.block(4, &[0; 4]),
            order.packet(1_500_000, &[1, 2, 3], 3, 0),
            order.packet(1_500_001, &[4, 5, 6, 7], 9, 1 << 24),
            // Another section, with other interfaces.
            order.section(),
            order.interface(195, 0x80 | 10, 0),
            order.packet(1 << 33 | 512, &[], 0, 1),
        ]
        .concat();
        let expected: [Seen; 3] = [
            (101_500_000_000, 256, vec![1, 2, 3], false, false),
            (101_500_001_000, 256, vec![4, 5, 6, 7], true, true),
            ((1 << 23) * 1_000_000_000 + 500_000_000, 195, vec![], false, false),
        ];
        assert_eq!(packets(&file).expect("valid"), expected, "{order:?}");
    }
}

#[test]
fn pcap_of_either_byte_order_and_resolution_is_read() {
    for order in [Order::Little, Order::Big] {
        for (magic, part_ns) in [(0xA1B2_C3D4, 1_000), (0xA1B2_3C4D, 1)] {
            let file = order.pcap(magic, 0xF000_0100, &[(7, 999_999, &[1]), (8, 0, &[])]);
            let first: Seen = (7_000_000_000 + 999_999 * part_ns, 256, vec![1], false, false);
            let second = (8_000_000_000, 256, vec![], false, false);
            assert_eq!(packets(&file).expect("valid"), [first, second], "{order:?} {magic:x}");
        }
    }
}

#[test]
fn every_truncation_is_refused_with_its_place() {
    let order = Order::Big;
    let whole = [order.section(), order.interface(256, 9, 0), order.packet(1, &[1; 40], 40, 0)];
    let ends: Vec<usize> = whole
        .iter()
        .scan(0, |at, block| {
            *at += block.len();
            Some(*at)
        })
        .collect();
    let file = whole.concat();
    for length in 12..file.len() {
        if ends.contains(&length) {
            packets(&file[..length]).expect("ends with a block");
        } else {
            let text = failure(&file[..length]);
            let begin = ends.iter().rev().find(|end| **end < length).unwrap_or(&0);
            let expected = format!("byte {begin}: the file ends inside a packet");
            assert!(text.starts_with(&expected), "{length}: {text}");
        }
    }
}

#[test]
fn a_long_block_is_read_and_one_without_end_is_refused() {
    let order = Order::Little;
    let start = [order.section(), order.interface(256, 9, 0)].concat();
    let long = [start.clone(), order.packet(1, &vec![7; 1_000_000], 1_000_000, 0)].concat();
    assert_eq!(packets(&long).expect("valid")[0].2.len(), 1_000_000);
    let claims = [start, order.u32(6).to_vec(), order.u32(0xFFFF_FFF0).to_vec(), vec![0; 64]];
    assert!(failure(&claims.concat()).contains("the file ends inside a packet"));
    let endless = [claims.concat(), vec![0; 1 << 25]].concat();
    assert!(failure(&endless).contains("block longer than 16 MiB"), "{}", failure(&endless));
}

#[test]
fn a_packet_without_time_interface_or_range_is_refused() {
    let order = Order::Little;
    let start = [order.section(), order.interface(256, 0, 0)].concat();
    let cases = [
        (order.block(3, &[0; 4]), "packets without time stamps"),
        (order.packet(u64::MAX, &[], 0, 0), "outside the 292 years"),
        (order.interface(256, 20, 0), "if_tsresol is 20"),
    ];
    for (block, text) in cases {
        let found = failure(&[start.clone(), block].concat());
        assert!(found.starts_with("byte 72: ") && found.contains(text), "{found}");
    }
    let none = failure(&[order.section(), order.packet(0, &[], 0, 0)].concat());
    assert!(none.contains("the block is damaged"), "{none}");
}

#[test]
fn the_error_of_a_file_and_of_a_sink_is_kept() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("no disk"))
        }
    }
    let order = Order::Little;
    let start = [order.section(), order.interface(256, 9, 0)].concat();
    let failed = read((&start[..]).chain(Broken), Format::Pcapng, |_| Ok(()));
    assert_eq!(failed.expect_err("refused").problem.to_string(), "no disk");
    let file = [start, order.packet(1, &[1], 1, 0)].concat();
    let refused = read(&file[..], Format::Pcapng, |_| Err(Problem::Empty));
    assert!(matches!(refused, Err(At { place: Place::Byte(72), problem: Problem::Empty })));
}

proptest! {
    #[test]
    fn arbitrary_blocks_never_panic(
        is_big in any::<bool>(),
        blocks in prop::collection::vec((0_u32..12, prop::collection::vec(any::<u8>(), 0..64)), 0..8),
    ) {
        let order = if is_big { Order::Big } else { Order::Little };
        let mut file = [order.section(), order.interface(256, 9, 0)].concat();
        for (kind, body) in blocks {
            file.extend(order.block(kind, &body));
        }
        let _ = packets(&file);
    }
}
