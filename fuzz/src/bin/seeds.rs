//! Writes a few valid inputs for each target into `corpus/<target>/`; runs in `fuzz`.

use std::error::Error;
use std::io::Cursor;
use std::path::Path;

use airlag_fuzz::made::{self, Wire};
use airlag_fuzz::readers::{about, saved};
use airlag_fuzz::sniff;
use airlag_link::Header;
use airlag_trace::{Channel, Segment, Trace, saleae_csv_writer, saved_run, sigrok, vcd};

fn segment(begin_ns: i64, end_ns: i64, initial: bool, edges_ns: &[i64]) -> Segment {
    Segment { begin_ns, end_ns, initial, edges_ns: edges_ns.to_vec() }
}

fn traces() -> Vec<Trace> {
    let whole = vec![
        Channel { name: "Channel 0".into(), segments: vec![segment(0, 900, false, &[100, 300])] },
        Channel { name: "b, c".into(), segments: vec![segment(0, 900, true, &[300, 310, 890])] },
    ];
    let mut gapped = whole.clone();
    gapped[1].segments = vec![segment(50, 80, true, &[]), segment(500, 900, false, &[700])];
    let dated = Some(1_704_164_645_999_999_990);
    vec![
        Trace { epoch_unix_ns: dated, sample_rate_hz: Some(1e8), channels: whole, current: None },
        Trace { channels: gapped, ..Trace::default() },
    ]
}

/// Pieces, each with its length before it.
fn pieces(pieces: &[&[u8]]) -> Vec<u8> {
    pieces.iter().flat_map(|piece| [&[piece.len() as u8], *piece].concat()).collect()
}

/// Recordings of a sniffer: exchanges of each radio, with retransmissions, and files of either format.
fn sniffs() -> Vec<Vec<u8>> {
    let script = |packets: &[(u16, &[u8])]| {
        let packet = |(us, bytes): &(u16, &[u8])| {
            [&us.to_le_bytes()[..], &[bytes.len() as u8], *bytes].concat()
        };
        packets.iter().flat_map(packet).collect::<Vec<u8>>()
    };
    // Data of the central, and empty answers; it is sent again once.
    let (address, crc) = ([0x35, 0x55, 0x65, 0x50], [1, 2, 3]);
    let pdu = |header, payload: &[u8]| {
        [&address[..], &[header, payload.len() as u8], payload, &crc].concat()
    };
    let flagged = |channel, sender: u16, packet: &[u8]| {
        let flags = (1 | sender << 7 | 3 << 10).to_le_bytes();
        [&[channel, 0, 0, 0][..], &address, &flags, packet].concat()
    };
    let (data, again) = (pdu(0b0010, &[7; 6]), pdu(0b1101, &[]));
    let answers = [pdu(0b0001, &[]), pdu(0b0101, &[])];
    let connection = script(&[
        (0, &flagged(3, 2, &data)),
        (278, &flagged(3, 3, &answers[0])),
        (7_222, &flagged(9, 2, &data)),
        (278, &flagged(9, 3, &answers[1])),
        (7_222, &flagged(20, 2, &again)),
        (230, &flagged(20, 3, &answers[1])),
        (7_270, &flagged(30, 2, &again)),
    ]);
    let plain = script(&[(0, &data), (278, &answers[0]), (7_222, &data), (278, &answers[1])]);
    let nordic = |flags: u8, packet: &[u8]| {
        [&[1, 17, 0, 3, 5, 0, 6, 10, flags, 12, 50, 7, 0, 0, 0, 0, 0][..], packet].concat()
    };
    let sniffed = script(&[(0, &nordic(3, &data)), (278, &nordic(1, &answers[1]))]);
    let frame = [0x61, 0x88, 203, 7, 0, 0x34, 0x12, 0x99, 0x88, 5];
    let acknowledged = script(&[(0, &frame), (4_000, &frame), (768, &[2, 0, 203])]);
    let tap =
        [&[0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 0, 0, 3, 0, 3, 0, 26, 0, 0, 0][..], &frame].concat();
    let (a, b) = ([2, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 2]);
    let wifi = |flags| [&[0x88, flags, 44, 0][..], &b, &a, &b, &[0x10, 0], &[0, 0, 1]].concat();
    let block =
        [&[0x94, 0, 0, 0][..], &a, &b, &[4, 0, 0x10, 0], &[1, 0, 0, 0, 0, 0, 0, 0]].concat();
    let ack = [&[0xD4, 0, 0, 0][..], &a].concat();
    let stations = script(&[(0, &wifi(1)), (900, &wifi(9)), (210, &ack), (300, &block)]);
    let tapped = [&[0, 0, 14, 0, 10, 0, 0, 0, 0, 0, 0x6C, 9, 0x80, 0][..], &wifi(1)].concat();
    let mut seeds = vec![[&[0][..], &sniff::wrapped(256, &connection)].concat()];
    let scripts: [(u8, &[u8]); 8] = [
        (1, &plain),
        (2, &connection),
        (3, &sniffed),
        (5, &acknowledged),
        (6, &script(&[(0, &tap)])),
        (7, &stations),
        (8, &script(&[(0, &tapped)])),
        (9, &plain),
    ];
    seeds.extend(scripts.iter().map(|(kind, script)| [&[*kind][..], script].concat()));
    // A section, an interface in microseconds, and a packet with flags.
    let mut file = vec![0x0A, 0x0D, 0x0D, 0x0A, 28, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0];
    file.extend([0xFF; 8]);
    file.extend([28, 0, 0, 0, 1, 0, 0, 0, 20, 0, 0, 0, 251, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0]);
    file.extend([
        6, 0, 0, 0, 56, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0,
    ]);
    file.extend(&pdu(1, &[])[..9]);
    file.extend([0; 3]);
    file.extend([2, 0, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 56, 0, 0, 0]);
    seeds.push([&[0][..], &file].concat());
    seeds
}

/// What the two ends of a connection hear.
fn connection() -> Vec<(&'static str, Vec<u8>)> {
    let (timeout, flags) =
        (&[0, 0, 0xC4, 2, 50, 0][..], |high| [1, 0, 0xD0, 6, 0, 48, 255, 255, 1, high]);
    let first = [&[0, 0, 0xD8, 33, 1][..], &[9; 32]].concat();
    let third = [&[0, 0, 0xD8, 45, 3][..], &[7; 44]].concat();
    let (echo, end) = (b"\x02\x00\x00\x0c\x00\x0c\x00\x04echo\x04\x00\x0a\x02hi", [3, 0, 0xC8, 0]);
    let mut seeds = vec![
        (
            "rpc_assembler",
            pieces(&[
                b"\x00\x01\x00\x00\x05\x00\x02ab",
                b"\x01\x01\x01\x40\x03cde",
                &[9, 2, 0, 0xCC, 0],
            ]),
        ),
        ("rpc_command", b"\x80\x04echo\x02\x00hi".to_vec()),
        ("rpc_command", b"\x40\x02hi".to_vec()),
        (
            "rpc_session",
            pieces(&[b"\x41hello", b"\x81lost", b"\x06\x03\x01", b"\x02", b"\x01x", &[0; 30]]),
        ),
        ("rpc_exchange", pieces(&[&[], &[], &[], &[]])),
        ("rpc_exchange", pieces(&[&[1, 5, 0], &[1, 40, 1], &[0, 3], &[1, 9, 9]])),
    ];
    for mode in [0, 1, 2] {
        let heard: [&[u8]; 7] = [timeout, &flags(7), &first, &third, &echo[..], &echo[..8], &end];
        seeds.push(("rpc_peripheral", [&[mode], &pieces(&heard)[..]].concat()));
        let answer = b"\x02\x00\x00\x0a\x00\x0a\x80\x04echo\x02\x00hi";
        let second = [&[0, 0, 0xD8, 129, 2][..], &[5; 128]].concat();
        let heard: [&[u8]; 7] =
            [timeout, &flags(7), &second, answer, &[3, 0, 0xCC, 0], &[4, 0, 0xD4, 1, 2], answer];
        seeds.push(("rpc_central", [&[mode], &pieces(&heard)[..]].concat()));
        seeds.push((
            "rpc_between",
            [mode, 7, 7, 0, 7, 1, 2, 9, 1, 3, 0, 11, 1, 5, 4, 1, 2, 3, 4].to_vec(),
        ));
    }
    seeds
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut seeds: Vec<(&str, Vec<u8>)> = Vec::new();
    for trace in traces() {
        let mut bytes = Vec::new();
        saleae_csv_writer::write(&mut bytes, &trace)?;
        seeds.push(("saleae_csv", bytes));
        let mut bytes = Vec::new();
        vcd::write(&mut bytes, &trace)?;
        seeds.push(("vcd", bytes));
        let mut bytes = Cursor::new(Vec::new());
        if sigrok::write(&mut bytes, &trace).is_ok() {
            seeds.push(("sigrok", [&[0], bytes.into_inner().as_slice()].concat()));
        }
    }
    for text in [
        "$timescale 10ps $end $scope module t $end $var wire 1 !a q $end $var reg 1 % d[0] $end \
         $var real 64 r v $end $upscope $end $enddefinitions $end #0 $dumpvars b0 !a x% r1.5 r \
         $end #150 1!a #160 0!a 1% #1000",
        "$comment airlag origin_ns -50 $end $timescale 1 s $end $var wire 1 ! a $end \
         $enddefinitions $end 0! #1 1! #2 z! #9",
    ] {
        seeds.push(("vcd", text.as_bytes().to_vec()));
    }
    let metadata = "[device 1]\ncapturefile=logic-1\nsamplerate=24 MHz\nunitsize=2\nprobe1=D0\n\
        probe9=D8\n";
    // The first byte tells the target what follows: an archive, or metadata and samples apart.
    let session = made::session(metadata, &[&[0, 0, 1, 0, 1, 1], &[0, 1]]);
    seeds.push(("sigrok", [&[0], session.as_slice()].concat()));
    seeds.push(("sigrok", [&[2], metadata.as_bytes(), b"\0\0\0\x01\0\x01\x01"].concat()));
    let first = "[global]\nsigrok version = 0.1.0\n[device 1]\ndriver = fx2lafw\ncapturefile = \
        logic-1\nunitsize = 1\ntotal probes = 8\nsamplerate = 200 kHz\nprobe1 = CS#\n";
    seeds.push(("sigrok", [&[1], first.as_bytes(), b"\0\0\x01\x01\0"].concat()));

    seeds.extend(sniffs().into_iter().map(|sniff| ("sniff", sniff)));

    let mut wire = Wire::new(50_000_000, 2_500, false, &[100, 1_000, 1_001, 2_400]);
    let names = [(0, "trigger"), (3, "done")];
    let sal = made::sal(&[(0, wire.clone()), (3, wire.clone())], &names);
    seeds.push(("sal", [&[0], sal.as_slice()].concat()));
    seeds.push(("sal", [&[1], wire.bytes().as_slice()].concat()));
    (wire.first_shown, wire.last_shown) = (Some(900), Some(2_000));
    seeds.push(("sal", [&[1], wire.bytes().as_slice()].concat()));
    seeds.push(("sal", [&[2], made::meta(&names).as_bytes()].concat()));
    let (from, to) = (r#"{"type":"Digital""#, r#"{"category":"legacy","type":"Digital""#);
    let newer = made::meta(&names).replace(":15", ":22").replace(from, to);
    seeds.push(("sal", [&[2], newer.as_bytes()].concat()));

    // The first byte tells the target whether a file follows, or what a file says of its edges.
    for trace in traces() {
        let about = about(&saved_run::layout(&trace));
        seeds.push(("saved_run", [&[0], &saved(Some(&trace), &[], &about)[..]].concat()));
        seeds.push(("saved_run", [&[1], about.as_bytes()].concat()));
    }
    seeds.push(("saved_run", [&[0], &saved(None, &[5, 3, 900], &about("null"))[..]].concat()));

    seeds.push(("saleae_binary", made::binary_0(true, 0.0, 1.0, &[0.25, 0.5])));
    let chunks = [(false, 0.0, 0.001, &[0.0005][..]), (true, 0.002, 0.003, &[0.0021, 0.0022])];
    seeds.push(("saleae_binary", made::binary_1(1e6, &chunks)));
    // The first byte tells the target how many of the rest are the first file.
    let zero = [(true, 0.0, 1.0, 0.5), (false, 0.0, 2.0, 1.5)]
        .map(|(initial, begin, end, edge)| made::binary_0(initial, begin, end, &[edge]));
    let one = [&chunks[..1], &chunks[1..]].map(|chunks| made::binary_1(1e6, chunks));
    for [first, second] in [zero, one] {
        seeds.push(("saleae_folder", [&[first.len() as u8], &first[..], &second].concat()));
    }

    for text in
        ["0.00063\n0.00128\n", "seq;rtt (ms);node\n1;0,5;a\n2;1,5;b\n", "# n\nlatency_us\n5\n"]
    {
        seeds.push(("latency_table", text.as_bytes().to_vec()));
    }
    // The first two bytes say which kind of link, and which of its parameters.
    for (number, text) in
        ["7.5ms", "-20ppm", "2.5%", "random", "true", "1_000 kbit/s", "0"].iter().enumerate()
    {
        seeds.push(("setting", [&[number as u8, number as u8], text.as_bytes()].concat()));
    }

    // Packets one way and bursts both ways, with a frame of each kind between them that nobody sent.
    for sealed in [0, 1] {
        let mut script = vec![sealed, 0, 200, 1, 10];
        script.extend([2, 0, 3, 0].repeat(4));
        for kind in [0x00_u8, 0x40, 0x80, 0xC0] {
            script.extend([0, 50, 4 | 1 << 4, 8, kind | 8, 3, 1, 2, 3, 4, 5, 6]);
            script.extend([10, 32, kind, 5].iter().copied().chain([7; 30]));
            script.extend([2, 0, 6, 3, kind, 1, 0]);
        }
        seeds.push(("tunnel", script));
    }

    // Both want a session and say what is due, with a greeting changed, replayed and made up, and a restart.
    let say = [4, 255, 5, 255, 8, 10].repeat(8);
    let mut script = [&[0, 0][..], &say, &[24, 0, 1, 0], &say].concat();
    script.extend([12, 3, 13, 5, 14, 2, 16, 4, 20, 1, 21, 26, 0xC1, 0x00]);
    script.extend([7; 24]);
    script.extend([28, 0].into_iter().chain(say));
    seeds.push(("tunnel_handshake", script));
    let lossy = [4, 0x5A, 5, 0xA5, 8, 20].repeat(20);
    seeds.push(("tunnel_handshake", [&[0, 0, 1, 0][..], &lossy].concat()));

    let mut packet = [0; 52];
    airlag_link::stamp::ask(&mut packet, 7, 9, 1 << 60, airlag_link::stamp::error_estimate(None));
    seeds.push(("probes", packet.to_vec()));
    let (mut message, mut framed) = ([0; 24], [0; airlag_link::framing::framed_len(24)]);
    if airlag_link::probe::ask(&mut message, 7)
        && let Some(len) = airlag_link::framing::frame(&message, &mut framed)
    {
        seeds.push(("probes", framed[..len].repeat(3)));
        seeds.push(("probes", message.to_vec()));
    }

    // The set-up of a driver, two messages, the second repeated, and acknowledgements of both protocols.
    for setup in [0b0010_0101_u8, 0b0110_0100, 0b0100_0111] {
        let esb = [&[5, 1 << 1][..], b"hello"].concat();
        let ieee802154 = [&[0x61, 0x88, 1, 0, 1, 1, 0, 2, 0][..], b"hello"].concat();
        let acks: [&[u8]; 3] = [&[0, 1 << 1], &[], &[2, 0, 1]];
        let heard = [&esb[..], &esb, &ieee802154, &ieee802154].into_iter().chain(acks);
        seeds.push(("radio_frames", [&[setup], &pieces(&heard.collect::<Vec<_>>())[..]].concat()));
    }

    // A setting of a board, and a change of it: the target makes the checksum right.
    let values = [12_u64, 7, 2048].map(u64::to_be_bytes).concat();
    seeds.push(("control", [&[0xEB, 1], &values[..], b"\x04sizeB"].concat()));
    seeds.push(("control", [&[0xE7, 0][..], &128_u64.to_be_bytes()].concat()));

    // A request of each method: its number, the size of a piece less one, and fields of it.
    for request in [
        &[0, 6, 0x0A, 12, b'e', b'i', b'n', b'e', b' ', b'F', b'l', 0xC3, 0xA4, b'c', b'h', b'e'][..],
        &[1, 99, 0x08, 0x80, 0x02, 0x10, 0x80, 0x04],
        &[1, 199, 0x08, 0x01, 0x10, 0x80, 0x40],
        &[2, 0, 0x0A, 4, 1, 2, 3, 4, 0x12, 1, 9, 0x1D, 1, 2, 3, 4],
        &[3, 2, 0x08, 5],
        &[4, 2, 0x08, 5, 0x10, 50, 0x21, 1, 2, 3, 4, 5, 6, 7, 8],
        &[5, 0],
    ] {
        seeds.push(("rpc_service", request.to_vec()));
    }

    // Pieces and frames over links of each sort, and a message that promises more than comes.
    for sort in [0_u8, 1, 2] {
        for mtu in [4_u8, 15, 63] {
            let promise = Header { sequence: 5, length: 250 }.to_bytes();
            let mut script = vec![mtu << 2 | sort, 0, 5];
            script.extend(promise);
            script.extend([3, 40].into_iter().chain(0..40));
            script.extend([0, 3, 7, 7, 7, 5, 12].into_iter().chain(100..112));
            seeds.push(("framing", script));
        }
    }

    seeds.extend(connection());

    for (number, (target, bytes)) in seeds.iter().enumerate() {
        let folder = Path::new("corpus").join(target);
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(format!("seed-{number}")), bytes)?;
    }
    Ok(())
}
