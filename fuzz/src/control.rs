//! What a board hears from a host that controls it, and a host from a board.

use airlag_app::Control;
use airlag_app::control::Setting;
use airlag_link::control::{
    LONGEST, REQUEST, Reply, Request, State, VERSION, counters, identity, item, refused,
};

use crate::edges::checksum;

/// A message of either side: as it is, and with its checksum made right. Then the bytes as a line to a board.
///
/// # Panics
/// If a request or a reply is not the one that would be sent, if a reply has a text that a terminal would
/// interpret, or if a setting leaves its bounds.
pub fn control(bytes: &[u8]) {
    let _ = (Request::read(bytes), Reply::read(bytes));
    if let [kind, body @ ..] = bytes {
        let message = [&[*kind], &checksum(bytes).to_be_bytes()[..], body].concat();
        request(&message);
        reply(&message);
    }
    board(bytes);
}

fn request(message: &[u8]) {
    let Some(read) = Request::read(message) else { return };
    let mut sent = [0; REQUEST];
    let len = read.write(&mut sent);
    // Of an identify of another version, only the number is read.
    let is_foreign = matches!(read, Request::Identify { version } if version != VERSION);
    assert!(sent[..len] == *message || is_foreign);
    assert_eq!(Request::read(&sent[..len]), Some(read));
}

fn reply(message: &[u8]) {
    let plain = |text: &str| assert!(text.bytes().all(|byte| byte.is_ascii_graphic()), "{text:?}");
    let mut sent = [0; LONGEST];
    let len = match Reply::read(message) {
        None | Some(Reply::Foreign(_)) => return,
        Some(Reply::Identity(found)) => {
            [found.board, found.image].into_iter().for_each(plain);
            identity(&found, &mut sent)
        }
        Some(Reply::Item(found)) => {
            [found.name, found.unit].into_iter().for_each(plain);
            assert!((found.lowest..=found.highest).contains(&found.value));
            item(&found, &mut sent)
        }
        Some(Reply::Counters(found)) => {
            let values: Vec<u32> = found.iter().collect();
            counters(found.state, &values, &mut sent)
        }
        Some(Reply::Refused(kind, reason)) => refused(kind, reason, &mut sent),
    };
    assert_eq!(len.map(|len| &sent[..len]), Some(message));
}

fn board(line: &[u8]) {
    let size = Setting { name: "size", unit: "B", value: 12, bounds: [7, 2048] };
    let mut board = Control::new("pico", "nrf24-sender", [size], ["sent"]);
    for &byte in line {
        // A change of state follows at once.
        if board.receive(byte) {
            let wanted = board.is_wanted();
            board.enter(if wanted { State::Running } else { State::Stopped });
        }
        let [size] = board.values();
        assert!((7..=2048).contains(&size));
        let due = board.is_due();
        assert_eq!(board.poll().is_some(), due);
    }
}
