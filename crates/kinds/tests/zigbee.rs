//! Frames of Zigbee on the bench, read by Wireshark's tshark.
//!
//! Without tshark, the tests print a message and pass, unless the environment requires all tools.

use airlag_kinds::registry;
use airlag_link::message;
use airlag_peers::dissect_with;
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Stimulus, sniff};
use airlag_sim::Duration;

/// Option with the network key of the bench: the octets of `ZigBeeAlliance09`.
const KEY: [&str; 1] =
    [r#"uat:zigbee_pc_keys:"5A6967426565416C6C69616E63653039","Normal","airlag""#];

const FIELDS: [&str; 15] = [
    "wpan.src16",
    "zbee_nwk.src",
    "zbee_nwk.dst",
    "zbee_nwk.radius",
    "zbee_nwk.src64",
    "zbee.sec.src64",
    "zbee.sec.counter",
    "zbee_aps.type",
    "zbee_aps.counter",
    "zbee_zcl.cmd.tsn",
    "data.data",
    "zbee.sec.decryption_key",
    "wpan.fcs_ok",
    "_ws.malformed",
    "_ws.expert.severity",
];

/// Frames that are not acknowledgements of the MAC, as rows of [`FIELDS`], of two messages of 20 B
/// over two hops. `None` without tshark.
fn rows(link: &str, settings: &[(&str, &str)], options: &[&str]) -> Option<Vec<Vec<String>>> {
    let mut profile = registry::find(link).expect("built in");
    for (name, value) in settings {
        profile.set(name, value).expect("in range");
    }
    profile.set("hops", "2").expect("in range");
    let every = Stimulus::Periodic(Periodic::new(Duration::from_secs(1), 2));
    let (_, capture) = sniff(&profile, 20, &every, Options::default()).expect("it runs");
    let all = dissect_with(
        &format!("frames-{link}-{}", options.len()),
        &capture.pcapng,
        options,
        &FIELDS,
    )?;
    // Each message and each APS acknowledgement over two hops, each with its acknowledgement.
    assert_eq!(all.len(), 2 * 2 * 2 * 2, "{all:?}");
    for row in &all {
        assert!(row[12] == "1" || row[12] == "True", "{row:?}");
        assert!(row[13].is_empty() && row[14].is_empty(), "{row:?}");
    }
    Some(all.into_iter().filter(|row| !row[0].is_empty()).collect())
}

fn message_hex(sequence: u16) -> String {
    let mut message = vec![0; 20];
    message::write_test(&mut message, sequence).expect("a size of a message");
    message.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
#[ignore = "needs tshark"]
fn secured_frames_are_decrypted_down_to_the_bytes_of_the_message() {
    for (link, has_ieee) in [("zigbee-quick", false), ("zigbee", true)] {
        // A ZCL header tells tshark where the data begin.
        let Some(rows) = rows(link, &[("zcl", "true")], &KEY) else { return };
        assert_eq!(rows.len(), 8);
        for (nth, row) in rows.iter().enumerate() {
            let (number, hop, is_answer) = (nth / 4, nth % 2, nth % 4 >= 2);
            let sender = if is_answer { 2 - hop } else { hop };
            assert_eq!(row[0], format!("0x{sender:04x}"), "{row:?}");
            let ends = if is_answer { ["0x0002", "0x0000"] } else { ["0x0000", "0x0002"] };
            assert_eq!(row[1..3], ends, "{row:?}");
            assert_eq!(row[3], (30 - hop).to_string(), "radius: {row:?}");
            assert_eq!(!row[4].is_empty(), has_ieee, "{row:?}");
            // Each hop encrypts with the address of its sender.
            assert_eq!(row[5], format!("02:00:5e:20:00:00:00:{:02x}", sender + 1), "{row:?}");
            assert_eq!(row[11], "airlag", "name of the key: {row:?}");
            assert_eq!(row[7], if is_answer { "0x02" } else { "0x00" }, "{row:?}");
            assert_eq!(row[8], number.to_string(), "{row:?}");
            if !is_answer {
                assert_eq!(row[9], number.to_string(), "{row:?}");
                assert_eq!(row[10], message_hex(number as u16), "{row:?}");
            }
        }
    }
}

#[test]
#[ignore = "needs tshark"]
fn frames_without_security_are_dissected_without_a_key() {
    let Some(rows) = rows("zigbee", &[("security", "false")], &[]) else { return };
    for (nth, row) in rows.iter().enumerate() {
        assert_eq!(row[7], if nth % 4 >= 2 { "0x02" } else { "0x00" }, "{row:?}");
        if nth % 4 < 2 {
            // tshark also shows the data that would follow a ZCL header.
            let message = message_hex((nth / 4) as u16);
            assert!(row[10].split(',').any(|data| data == message), "{row:?}");
        }
    }
}
