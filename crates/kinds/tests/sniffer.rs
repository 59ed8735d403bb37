//! A run with a sniffer, read by Wireshark's tshark.
//!
//! Without tshark, the tests print a message and pass, unless the environment requires all tools.

use std::collections::BTreeSet;

use airlag_kinds::registry;
use airlag_link::message;
use airlag_peers::{dissect, dissect_with};
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Stimulus, run, sniff};
use airlag_sim::Duration;
use airlag_stats::pair::{Outcome, PairOptions, pair};

/// Severity under which tshark lists a packet's comment; warnings and errors are higher.
const COMMENT: &str = "1048576";

fn every(seconds: u64, count: usize) -> Stimulus {
    Stimulus::Periodic(Periodic::new(Duration::from_secs(seconds), count))
}

/// Nanoseconds since the epoch of the file, exact.
fn stamp(text: &str) -> i64 {
    let (seconds, rest) = text.split_once('.').expect("a fraction");
    assert_eq!(rest.len(), 9, "{text}");
    seconds.parse::<i64>().expect("seconds") * 1_000_000_000 + rest.parse::<i64>().expect("ns")
}

#[test]
#[ignore = "needs tshark"]
fn lora_frames_carry_frequency_bandwidth_and_spreading_factor() {
    for (link, bandwidth, sf, remark) in [
        ("lora-sf7-250k", "2", "7", "coding rate 4/5"),
        ("lora-sf11-62k5", "0", "11", "bandwidth 62500 Hz, coding rate 4/5"),
    ] {
        let mut profile = registry::find(link).expect("built in");
        profile.set("frequency", "868.1MHz").expect("in range");
        let options = Options { spans: true, ..Options::default() };
        let (seen, capture) = sniff(&profile, 12, &every(5, 3), options).expect("runs");
        assert_eq!((capture.frames, capture.left_out.len()), (3, 0), "{link}");
        let fields = [
            "frame.time_epoch",
            "frame.len",
            "loratap.channel.frequency",
            "loratap.channel.bandwidth",
            "loratap.channel.sf",
            "loratap.syncword",
            "frame.comment",
            "_ws.malformed",
            "_ws.expert.severity",
        ];
        let Some(found) = dissect(link, &capture.pcapng, &fields) else { return };
        let air: Vec<i64> = seen
            .spans
            .iter()
            .filter(|span| span.slice.name() == "air" && seen.tracks[span.track] == "air")
            .map(|span| span.begin_ns)
            .collect();
        assert_eq!(found.iter().map(|line| stamp(&line[0])).collect::<Vec<_>>(), air, "{link}");
        for line in &found {
            // 15 bytes of header, and a message of 12.
            assert_eq!(line[1..6], ["27", "868100000", bandwidth, sf, "0x12"], "{link}");
            assert!(line[6].starts_with(remark), "{line:?}");
            assert_eq!(line[7..], ["", COMMENT], "{link}");
        }
    }
}

#[test]
#[ignore = "needs tshark"]
fn expresslrs_below_1_ghz_is_lora_on_the_channels_of_its_domain() {
    let profile = registry::find("elrs-868-50hz").expect("built in");
    let (_, capture) = sniff(&profile, 7, &every(100, 5), Options::default()).expect("runs");
    assert!(capture.left_out.is_empty());
    let fields = [
        "frame.len",
        "loratap.channel.frequency",
        "loratap.channel.bandwidth",
        "loratap.channel.sf",
        "loratap.syncword",
        "frame.comment",
        "_ws.malformed",
    ];
    let Some(found) = dissect("elrs", &capture.pcapng, &fields) else { return };
    // A frame every 20 ms.
    assert!(found.len() >= 20, "{}", found.len());
    for line in &found {
        // 15 bytes of header, and 8.
        assert_eq!(line[0], "23");
        let khz: u32 = line[1].parse::<u32>().expect("Hz") / 1_000;
        assert!(khz >= 863_275 && (khz - 863_275).is_multiple_of(525), "{khz}");
        assert_eq!(line[2..5], ["4", "8", "0x12"]);
        assert!(line[5].contains("coding rate 4/7, without header, without CRC"), "{line:?}");
        assert_eq!(line[6], "");
    }
}

#[test]
#[ignore = "needs tshark"]
fn nrf24_frames_have_a_private_link_type_that_the_interface_explains() {
    let profile = registry::find("nrf24-250k").expect("built in");
    let (_, capture) = sniff(&profile, 12, &every(1, 2), Options::default()).expect("runs");
    let fields =
        ["frame.encap_type", "frame.interface_description", "frame.len", "frame.protocols", "data"];
    let Some(found) = dissect("nrf24", &capture.pcapng, &fields) else { return };
    // A payload and its acknowledgement each time.
    assert_eq!(found.len(), 4);
    let lengths: Vec<_> = found.iter().map(|line| line[2].as_str()).collect();
    // Lengths: four bytes of header, address 3, control 2, and a payload of 32 bytes or none.
    assert_eq!(lengths, ["41", "9", "41", "9"]);
    for line in &found {
        // WTAP_ENCAP_USER0 of Wireshark.
        assert_eq!(line[0], "45");
        assert!(line[1].starts_with("nRF24"), "{line:?}");
    }
}

/// Fields of the dissector of ShockBurst, and the severity of an expert message.
const SHOCKBURST: [&str; 7] = [
    "shockburst.rate",
    "shockburst.address",
    "shockburst.length",
    "shockburst.identity",
    "shockburst.no_ack",
    "shockburst.payload",
    "_ws.expert.severity",
];

/// Fields [`SHOCKBURST`] of every packet of a file, as tshark prints them with `docs/wireshark`.
fn shockburst(name: &str, file: &[u8], preference: &str) -> Option<Vec<Vec<String>>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/wireshark/shockburst.lua");
    let path = std::env::temp_dir().join(format!("airlag-{name}-{}.pcapng", std::process::id()));
    std::fs::write(&path, file).expect("a place for a file");
    let (load, path) = (format!("lua_script:{script}"), path.to_str().expect("a name of text"));
    let mut arguments = vec!["-X", &load, "-o", preference, "-r", path, "-T", "fields"];
    arguments.extend(["-E", "separator=|"]);
    arguments.extend(SHOCKBURST.iter().flat_map(|field| ["-e", field]));
    let text = airlag_peers::tshark(&arguments);
    std::fs::remove_file(path).expect("it was just there");
    let row = |line: &str| line.split('|').map(str::to_owned).collect();
    Some(text?.lines().map(row).collect())
}

#[test]
#[ignore = "needs tshark"]
fn shockburst_frames_are_dissected_down_to_the_bytes_of_the_message() {
    // The length field has 6 or 8 bits, and the address 3 or 5 bytes.
    for (link, size, length, kbps, octets) in
        [("nrf24-250k", 12, 32, "250", 3), ("esb-nrf54l15", 200, 200, "4000", 5)]
    {
        let profile = registry::find(link).expect("built in");
        let (_, capture) = sniff(&profile, size, &every(1, 2), Options::default()).expect("runs");
        let automatic = "shockburst.address_width:0";
        let Some(rows) = shockburst(link, &capture.pcapng, automatic) else { return };
        // Each payload is followed by its acknowledgement, which has the same address and packet
        // identity.
        assert_eq!(rows.len(), 4, "{link}: {rows:?}");
        for (nth, pair) in rows.chunks(2).enumerate() {
            let (data, answer) = (&pair[0], &pair[1]);
            assert_eq!((data[0].as_str(), answer[0].as_str()), (kbps, kbps), "{link}");
            assert_eq!(data[1].len(), 3 * octets - 1, "{link}: {}", data[1]);
            assert_eq!((&data[1], &data[3]), (&answer[1], &answer[3]), "{link}");
            assert_eq!((data[2].clone(), answer[2].as_str()), (length.to_string(), "0"), "{link}");
            assert!(["0", "False"].contains(&data[4].as_str()), "{data:?}");
            let mut message = vec![0; size];
            message::write_test(&mut message, nth as u16).expect("a size of a message");
            let hex: String = message.iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(data[5].starts_with(&hex), "{link}: {}", data[5]);
            assert_eq!((data[6].as_str(), answer[6].as_str()), ("", ""), "{link}");
        }
        assert_ne!(rows[0][3], rows[2][3], "successive packets have different identities");
        // With a wrong address width, no length field is valid: tshark reports an error and no
        // packet.
        let wrong = "shockburst.address_width:4";
        let Some(rows) = shockburst(link, &capture.pcapng, wrong) else { return };
        assert!(rows.iter().all(|row| row[1].is_empty() && !row[6].is_empty()), "{rows:?}");
    }
}

/// The session of a device on the bench, with its address as in its frames, and no application EUI.
const LORAWAN: [&str; 1] = [
    r#"uat:encryption_keys_lorawan:"00000201","6169726c6167206e6574776f726b206b","6169726c6167206170706c696361742e","0000000000000000""#,
];

#[test]
#[ignore = "needs tshark"]
fn lorawan_frames_are_verified_and_decrypted_with_the_keys_of_the_session() {
    let profile = registry::find("lorawan-eu868-confirmed").expect("built in");
    let (_, capture) = sniff(&profile, 12, &every(20, 2), Options::default()).expect("runs");
    let fields = [
        "loratap.syncword",
        "lorawan.mhdr.mtype",
        "lorawan.fhdr.devaddr",
        "lorawan.fhdr.fctrl.ack",
        "lorawan.fhdr.fcnt",
        "lorawan.frmpayload_decrypted",
        "lorawan.mic.status",
        "_ws.malformed",
    ];
    let Some(rows) = dissect_with("lorawan", &capture.pcapng, &LORAWAN, &fields) else { return };
    // Two uplinks with their acknowledgements.
    assert_eq!(rows.len(), 4, "{rows:?}");
    for (nth, row) in rows.iter().enumerate() {
        let (count, is_up) = (nth / 2, nth % 2 == 0);
        assert_eq!([&row[0], &row[2], &row[4]], ["0x34", "0x01020000", &count.to_string()]);
        assert_eq!(row[1], if is_up { "4" } else { "3" }, "{row:?}");
        assert_eq!(row[3] == "1" || row[3] == "True", !is_up, "{row:?}");
        // Wireshark 4.0 expects a port in every frame. An acknowledgement without data has none, so
        // Wireshark takes its integrity code for one.
        if is_up {
            let mut message = vec![0; 12];
            message::write_test(&mut message, count as u16).expect("a size of a message");
            let data: String = message.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(row[5..], [data.as_str(), "1", ""], "{row:?}");
        }
    }
}

#[test]
#[ignore = "needs tshark"]
fn shorter_connection_intervals_are_dissected_as_bluetooth_packets() {
    let mut profile = registry::find("ble-sci-notify").expect("built in");
    profile.set("encrypted", "false").expect("a flag");
    let (_, capture) = sniff(&profile, 12, &every(1, 2), Options::default()).expect("runs");
    let fields = [
        "frame.protocols",
        "btle.control_opcode",
        "btle.data_header.length",
        "btatt.opcode",
        "btle.crc.incorrect",
        "_ws.malformed",
    ];
    let Some(found) = dissect("ble-sci", &capture.pcapng, &fields) else { return };
    assert!(found.iter().all(|line| line[0].contains("btle")), "{:?}", found[0]);
    assert!(found.iter().all(|line| line[4].is_empty() && line[5].is_empty()));
    // The file begins at the first trigger, after the connection has changed.
    assert!(found.iter().all(|line| line[1].is_empty()), "no control packets");
    // Two notifications.
    assert_eq!(found.iter().filter(|line| line[3] == "0x1b").count(), 2);
}

fn column(rows: &[Vec<String>], nth: usize) -> Vec<&str> {
    rows.iter().map(|row| row[nth].as_str()).collect()
}

#[test]
#[ignore = "needs tshark"]
fn acknowledged_802_15_4_frames_are_whole_and_numbered() {
    let profile = registry::find("ieee802154-ack-woken").expect("built in");
    let (_, capture) = sniff(&profile, 600, &every(1, 1), Options::default()).expect("runs");
    let fields = [
        "wpan.frame_type",
        "wpan.seq_no",
        "wpan.fcs_ok",
        "frame.len",
        "wpan-tap.ch_num",
        "_ws.malformed",
    ];
    let Some(rows) = dissect("ieee802154", &capture.pcapng, &fields) else { return };
    assert_eq!(column(&rows, 0), ["0x0001", "0x0002"].repeat(6));
    let numbers: Vec<String> = (0..6).flat_map(|nth| [nth.to_string(), nth.to_string()]).collect();
    assert_eq!(column(&rows, 1), numbers);
    assert!(column(&rows, 2).iter().all(|right| *right == "1" || *right == "True"), "{rows:?}");
    // 20 bytes of header before each payload: frames of 116 and 20 bytes with 11 bytes around them,
    // and 5 bytes for an acknowledgement.
    let lengths = column(&rows, 3);
    assert_eq!((lengths[0], lengths[1], lengths[10]), ("147", "25", "51"));
    assert!(rows.iter().all(|row| row[4] == "11" && row[5].is_empty()), "{rows:?}");
}

#[test]
#[ignore = "needs tshark"]
fn esp_now_frames_their_acknowledgements_and_beacons_are_whole() {
    let profile = registry::find("espnow-woken").expect("built in");
    let (_, capture) = sniff(&profile, 600, &every(1, 1), Options::default()).expect("runs");
    let fields = [
        "wlan.fc.type_subtype",
        "wlan.fcs.status",
        "wlan.ssid",
        "wlan.fixed.category_code",
        "radiotap.channel.freq",
        "_ws.malformed",
    ];
    let Some(rows) = dissect("espnow", &capture.pcapng, &fields) else { return };
    assert_eq!((capture.frames, capture.left_out.len()), (rows.len() as u64, 0));
    assert!(column(&rows, 1).iter().all(|status| *status == "1" || *status == "Good"), "{rows:?}");
    let kinds = column(&rows, 0);
    let (beacon, action, ack) = ("0x0008", "0x000d", "0x001d");
    let of = |kind| kinds.iter().filter(|found| **found == kind).count();
    assert_eq!((of(action), of(ack)), (3, 3), "{kinds:?}");
    assert!(of(beacon) >= 2, "{kinds:?}");
    assert_eq!(rows.iter().filter(|row| !row[2].is_empty()).count(), of(beacon));
    assert_eq!(rows.iter().filter(|row| row[3] == "127").count(), of(action));
    assert!(rows.iter().all(|row| row[4] == "2412" && row[5].is_empty()), "{rows:?}");
}

/// tshark options for a Thread network: its key, and the keys derived from it.
const THREAD: [&str; 2] = [
    r#"uat:ieee802154_keys:"00112233445566778899aabbccddeeff","1","Thread hash""#,
    "udp.check_checksum:TRUE",
];

/// Additional options for a mesh of three hops: the short address of each radio, and the address
/// prefix that frames omit.
const MESH: [&str; 5] = [
    "uat:802154_addresses:\"0x0000\",\"0x0007\",02005e1000000002",
    "uat:802154_addresses:\"0x0400\",\"0x0007\",02005e1000000003",
    "uat:802154_addresses:\"0x0800\",\"0x0007\",02005e1000000004",
    "uat:802154_addresses:\"0x0c00\",\"0x0007\",02005e1000000001",
    "6lowpan.context0:fdde:ad00:beef::/64",
];

/// Number of acknowledged frames in rows whose columns 7 to 9 are the severity, the sender and the
/// sequence number.
///
/// Relays that draw the same slot collide, and a comment marks such a frame. Fails unless the
/// sender retransmits the frame after every such collision, also of its acknowledgement, and unless
/// its last transmission is acknowledged.
fn acknowledged(rows: &[Vec<String>]) -> usize {
    let (collided, sender, number) = (7, 8, 9);
    let is_data = |row: &[String]| !row[sender].is_empty();
    let mut frames = BTreeSet::new();
    for (nth, row) in rows.iter().enumerate() {
        let same = |other: &&Vec<String>| is_data(other) && other[number] == row[number];
        if is_data(row) {
            let again = rows[nth + 1..].iter().any(|other| other[sender..] == row[sender..]);
            let answer = rows.get(nth + 1).filter(|next| !is_data(next));
            let answered =
                answer.is_some_and(|next| next[number] == row[number] && next[collided].is_empty());
            assert!(row[collided].is_empty() || again, "sent again: {row:?}");
            assert!(again || answered, "answered: {row:?}");
            frames.insert(&row[sender..]);
        } else if !row[collided].is_empty() {
            assert!(rows[nth + 1..].iter().any(|other| same(&other)), "asked again: {row:?}");
        }
    }
    frames.len()
}

#[test]
#[ignore = "needs tshark"]
fn relays_pass_on_every_byte_of_a_message() {
    for (link, address, size, frames) in [
        ("thread-up", "ml-eid", 63, 1),
        ("thread-down", "rloc", 79, 1),
        ("thread-up", "rloc", 600, 7),
        // Two complete interface identifiers are 16 bytes longer than locators, which makes one
        // more frame.
        ("thread-down", "ml-eid", 600, 8),
    ] {
        let mut profile = registry::find(link).expect("built in");
        profile.set("hops", "3").expect("in range");
        profile.set("address", address).expect("a choice");
        let (seen, capture) =
            sniff(&profile, size, &every(5, 1), Options::default()).expect("runs");
        let transfers = pair(&seen.trace, PairOptions::default());
        assert_eq!(transfers.outcome, [Outcome::Delivered], "{link}");
        let fields = [
            "6lowpan.mesh.orig16",
            "6lowpan.mesh.dest16",
            "udp.length",
            "udp.checksum.status",
            "data.data",
            "_ws.malformed",
            "wpan.fcs_ok",
            "_ws.expert.severity",
            "wpan.src16",
            "wpan.seq_no",
        ];
        let options: Vec<_> = THREAD.iter().chain(&MESH).copied().collect();
        let name = format!("mesh-{link}-{size}");
        let Some(rows) = dissect_with(&name, &capture.pcapng, &options, &fields) else { return };
        let data: Vec<_> = rows.iter().filter(|row| !row[8].is_empty()).collect();
        assert!(column(&rows, 5).iter().all(|malformed| malformed.is_empty()), "{rows:?}");
        assert!(column(&rows, 6).iter().all(|right| *right == "1" || *right == "True"), "{rows:?}");
        assert!(column(&rows, 7).iter().all(|one| one.is_empty() || *one == COMMENT), "{rows:?}");
        assert_eq!(acknowledged(&rows), 3 * frames, "{link}: every hop passes on every frame");
        let (from, to) =
            if link == "thread-up" { ("0x0c00", "0x0000") } else { ("0x0000", "0x0c00") };
        for row in &data {
            let hex = |text: &str| u16::from_str_radix(text.trim_start_matches("0x"), 16);
            assert_eq!([hex(&row[0]), hex(&row[1])], [hex(from), hex(to)], "{row:?}");
        }
        // Each of the three senders sends complete frames with the same bytes.
        let mut message = vec![0; size];
        message::write_test(&mut message, 0).expect("a size of a message");
        let bytes: String = message.iter().map(|byte| format!("{byte:02x}")).collect();
        let whole: Vec<_> = rows.iter().filter(|row| !row[2].is_empty()).collect();
        assert!(!whole.is_empty(), "{link}: {rows:?}");
        assert!(frames > 1 || whole.len() == 3, "{link}: {rows:?}");
        for row in whole {
            assert_eq!(
                [&row[2], &row[3], &row[4]],
                [&(size + 8).to_string(), "1", &bytes],
                "{row:?}"
            );
        }
    }
}

#[test]
#[ignore = "needs tshark"]
fn thread_frames_are_decrypted_down_to_the_bytes_of_the_message() {
    for (link, size, frames) in
        [("thread-up", 79, 1), ("thread-down", 79, 1), ("thread-up", 600, 7)]
    {
        let profile = registry::find(link).expect("built in");
        let (_, capture) = sniff(&profile, size, &every(5, 2), Options::default()).expect("runs");
        let fields = [
            "wpan.frame_length",
            "wpan.aux_sec.key_index",
            "udp.length",
            "udp.checksum.status",
            "data.len",
            "data.data",
            "_ws.malformed",
            "wpan.fcs_ok",
            "_ws.expert.severity",
        ];
        let Some(rows) = dissect_with(link, &capture.pcapng, &THREAD, &fields) else { return };
        // Each with its acknowledgement.
        assert_eq!(rows.len(), 2 * 2 * frames, "{link}: {rows:?}");
        assert!(column(&rows, 6).iter().all(|malformed| malformed.is_empty()), "{rows:?}");
        assert!(column(&rows, 7).iter().all(|right| *right == "1" || *right == "True"), "{rows:?}");
        assert!(column(&rows, 8).iter().all(|severity| severity.is_empty()), "{rows:?}");
        let whole: Vec<_> = rows.iter().filter(|row| !row[2].is_empty()).collect();
        assert_eq!(whole.len(), 2, "{link}: {rows:?}");
        for (sequence, row) in whole.iter().enumerate() {
            let lengths = [(size + 8).to_string(), "1".to_owned(), size.to_string()];
            assert!(row[1].ends_with('1'), "{row:?}");
            assert_eq!(row[2..5], lengths, "{row:?}");
            let mut message = vec![0; size];
            message::write_test(&mut message, sequence as u16).expect("a size of a message");
            let hex: String = message.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(row[5], hex, "{link}");
        }
    }
}

#[test]
fn a_sniffer_changes_nothing_in_the_run() {
    for link in ["nrf24-2m", "lora-sf7-250k", "thread-up"] {
        let profile = registry::find(link).expect("built in");
        let (stimulus, options) =
            (every(1, 5), Options { seed: 4, spans: true, ..Options::default() });
        let (seen, capture) = sniff(&profile, 128, &stimulus, options).expect("runs");
        assert_eq!(seen, run(&profile, 128, &stimulus, options).expect("runs"), "{link}");
        let again = sniff(&profile, 128, &stimulus, options).expect("runs").1;
        assert_eq!(capture, again, "{link}");
        assert!(capture.frames >= 5, "{link}");
    }
}

#[test]
fn a_wire_cannot_be_sniffed() {
    let profile = registry::find("uart-115200-irq").expect("built in");
    let error = sniff(&profile, 12, &every(1, 1), Options::default()).expect_err("a wire");
    let expected = "uart-115200-irq has no radio to sniff; choose a link with a radio";
    assert_eq!(error.to_string(), expected);
}

#[test]
#[ignore = "needs tshark"]
fn packets_of_meshtastic_are_lora_frames_with_their_sync_word() {
    let profile = registry::find("meshtastic-longfast-eu868").expect("built in");
    let (_, capture) = sniff(&profile, 12, &every(20, 2), Options::default()).expect("runs");
    assert!(capture.left_out.is_empty());
    let fields = [
        "loratap.channel.frequency",
        "loratap.channel.bandwidth",
        "loratap.channel.sf",
        "loratap.syncword",
        "data.data",
        "_ws.malformed",
    ];
    let Some(rows) = dissect("meshtastic", &capture.pcapng, &fields) else { return };
    // Two messages with their acknowledgements.
    assert_eq!(rows.len(), 4, "{rows:?}");
    for (nth, row) in rows.iter().enumerate() {
        let ends = [["02", "01"], ["01", "02"]][nth % 2].map(|last| format!("{last}006961"));
        assert_eq!(row[3], "0x2b", "{row:?}");
        assert!(row[4].starts_with(&ends.concat()), "to and from, little endian: {row:?}");
        // 16 B, and 12 + 6 + 12 B with the overhead of the public key, or 13 B.
        assert_eq!(row[4].len(), 2 * if nth % 2 == 0 { 46 } else { 29 }, "{row:?}");
        assert!(row[5].is_empty(), "{row:?}");
    }
}

#[test]
#[ignore = "needs tshark"]
fn mesh_messages_are_advertisements_with_a_network_pdu() {
    let profile = registry::find("btmesh-relayed").expect("built in");
    let (_, capture) = sniff(&profile, 12, &every(5, 3), Options::default()).expect("runs");
    assert!(capture.left_out.is_empty());
    let fields =
        ["btle.advertising_header.pdu_type", "btcommon.eir_ad.entry.type", "_ws.malformed"];
    let Some(found) = dissect("btmesh", &capture.pcapng, &fields) else { return };
    assert_eq!(found.len() as u64, capture.frames);
    // ADV_NONCONN_IND, mesh message.
    assert!(found.iter().all(|line| line[1] == "0x2a" && line[2].is_empty()), "{:?}", found[0]);
    assert!(found.iter().all(|line| line[0] == "0x02" || line[0] == "2"), "{:?}", found[0]);
}
