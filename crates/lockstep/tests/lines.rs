//! A transfer between two chips, as requests of an emulator.

use std::io::Cursor;

use airlag_kinds::registry;
use airlag_lockstep::{Error, Radios, serve};

/// Radios of `nrf24-2m` without variation between frames.
fn radios() -> Radios {
    let mut profile = registry::find("nrf24-2m").expect("a built-in profile");
    for name in ["late_frames", "frame_jitter"] {
        profile.set(name, "0").expect("a parameter of the profile");
    }
    Radios::new(&profile, 0).expect("radios")
}

/// Replies to these lines.
fn replies(radios: &Radios, lines: &str) -> Result<Vec<String>, Error> {
    let mut output = Vec::new();
    serve(radios, Cursor::new(lines), &mut output)?;
    let text = String::from_utf8(output).expect("ASCII");
    Ok(text.lines().map(str::to_owned).collect())
}

/// Lines of one transaction of a board.
fn transaction(at: u64, board: usize, bytes: &[u8]) -> String {
    let bytes: String = bytes.iter().map(|byte| format!("{at} byte {board} {byte:x}\n")).collect();
    format!("{at} select {board}\n{bytes}{at} deselect {board}\n")
}

/// Powers both chips up at instant 0: pipe 0 with payloads of 32 B at 2 Mbit/s, board 1 as receiver.
fn power_up(radios: &Radios) {
    let mut lines = String::new();
    for (board, config) in [(0, 0x0E), (1, 0x0F)] {
        for register in [[0x26, 0x0E], [0x31, 32], [0x20, config]] {
            lines += &transaction(0, board, &register);
        }
    }
    let replies = replies(radios, &lines).expect("valid requests");
    // The time from power down to standby with the crystal of the chip (nRF24L01+ v1.0, table 16).
    assert_eq!(replies.last().map(String::as_str), Some("1500000 1 1"));
}

#[test]
fn a_payload_raises_the_interrupts_when_the_data_sheet_says_so() {
    let radios = radios();
    power_up(&radios);
    let payload: Vec<u8> = [0xA0].into_iter().chain(0..32).collect();
    let lines = ["1500000\n", "2000000 ce 1 1\n", "2130000\n"].concat()
        + &transaction(3_000_000, 0, &payload)
        + "3000000 ce 0 1\n";
    let sent = replies(&radios, &lines).expect("valid requests");
    // Settling, 130 us.
    assert_eq!(sent.last().map(String::as_str), Some("3130000 1 1"));
    // Runs all events until none is left, and records the time of each interrupt.
    let (mut next, mut levels, mut falls) = (Some(3_130_000), ["1", "1"], Vec::new());
    while let Some(at) = next {
        let reply = replies(&radios, &format!("{at}\n")).expect("a valid request").remove(0);
        let words: Vec<&str> = reply.split(' ').collect();
        for (board, level) in levels.iter_mut().enumerate() {
            if words[1 + board] != *level {
                *level = if *level == "1" { "0" } else { "1" };
                falls.push((board, at));
            }
        }
        next = words[0].parse().ok();
    }
    // Preamble, address of 5 B, 9 bits of packet control, payload and CRC of 2 B (7.3), at 500 ns
    // per bit.
    let bits = 8 + 40 + 9 + 16;
    let arrived = 3_130_000 + (bits + 256) * 500 + 6_000;
    let acknowledged = arrived + 130_000 + bits * 500 + 6_000;
    assert_eq!(falls, [(1, arrived), (0, acknowledged)]);
    // The receiver reads the payload that was sent, after STATUS with RX_DR and pipe 0.
    let read: String = std::iter::repeat_n(format!("{} byte 1 0\n", 4_000_000), 32).collect();
    let lines = format!("4000000 select 1\n4000000 byte 1 61\n{read}4000000 deselect 1\n");
    let replies = replies(&radios, &lines).expect("valid requests");
    let bytes: Vec<u8> = replies[1..34]
        .iter()
        .map(|reply| u8::from_str_radix(&reply[reply.len() - 2..], 16).expect("a byte"))
        .collect();
    assert_eq!(bytes, [0x40].into_iter().chain(0..32).collect::<Vec<_>>());
}

#[test]
fn a_request_out_of_order_is_refused() {
    let radios = radios();
    power_up(&radios);
    let skipped = replies(&radios, "1600000\n");
    assert!(matches!(skipped, Err(Error::Skipped { .. })), "{skipped:?}");
    replies(&radios, "1500000\n").expect("the event itself");
    let past = replies(&radios, "1499999\n");
    assert!(matches!(past, Err(Error::Past { .. })), "{past:?}");
}

#[test]
fn what_is_not_a_request_is_refused() {
    let radios = radios();
    for line in [
        "",
        "x",
        "-1",
        "0 ce",
        "0 ce 0",
        "0 ce 2 1",
        "0 ce 0 2",
        "0 byte 0 100",
        "0 byte 0",
        "0 select 0 0",
        "0 fly 0",
        "0 0",
    ] {
        let refused = replies(&radios, &format!("{line}\n"));
        assert!(matches!(refused, Err(Error::Syntax(_))), "{line}: {refused:?}");
    }
}

#[test]
fn a_link_without_such_a_chip_is_refused() {
    let profile = registry::find("thread-up").expect("a built-in profile");
    assert!(matches!(Radios::new(&profile, 0), Err(Error::Kind { kind: "thread", .. })));
    let mut profile = registry::find("nrf24-2m").expect("a built-in profile");
    profile.set("neighbours", "ble:3").expect("neighbours");
    let refused = Radios::new(&profile, 0);
    assert!(matches!(refused, Err(Error::Settings { .. })));
}

/// Radios of `lora-sf7-250k`.
fn lora() -> Radios {
    Radios::new(&registry::find("lora-sf7-250k").expect("a built-in profile"), 0).expect("radios")
}

#[test]
fn a_lora_modem_answers_after_its_reset_and_both_its_pins_are_in_each_reply() {
    let radios = lora();
    let lines = "0 reset 1 0\n100000 reset 1 1\n".to_owned()
        + &transaction(5_100_000, 1, &[0x42, 0])
        // Sleep and LoRa, then standby (SX1276 rev. 7, table 16): DIO5 is ModeReady.
        + &transaction(5_200_000, 1, &[0x81, 0x80])
        + &transaction(5_200_000, 1, &[0x81, 0x81]);
    let told = replies(&radios, &lines).expect("valid requests");
    // RegVersion (section 6.4).
    assert!(told[4].ends_with(" 12"), "{told:?}");
    let (last, pins) = (told.last().expect("a reply"), |text: &str| {
        text.split(' ').skip(1).take(2).map(str::to_owned).collect::<Vec<_>>()
    });
    let ready: u64 = last.split(' ').next().and_then(|next| next.parse().ok()).expect("a time");
    // The crystal starts.
    assert!(ready > 5_200_000, "{last}");
    assert_eq!(pins(last)[1], "00");
    let told = replies(&radios, &format!("{ready}\n")).expect("a valid request");
    assert_eq!(pins(&told[0])[1], "01");
}

#[test]
fn a_pin_of_another_radio_is_refused() {
    let cases = [(radios(), "reset", "ce"), (lora(), "ce", "reset")];
    for (radios, asked, has) in cases {
        let error = replies(&radios, &format!("0 {asked} 0 1\n")).expect_err("another pin");
        assert!(error.to_string().ends_with(&format!("no pin {asked}, but {has}")), "{error}");
    }
}
