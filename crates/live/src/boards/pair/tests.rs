//! A sender and a receiver behind pseudo terminals, with the board's end of the images.

use std::path::Path;

use airlag_app::Control;
use airlag_app::control::Setting;

use super::super::tests::Plugged;
use super::*;

/// An image with a role and a count. Its run as a sender is over at once, with this many messages
/// missing. For `None`, the run is never over.
fn image(missing: Option<u32>) -> impl FnMut(&[u8]) -> Option<Vec<u8>> + Send {
    let role = Setting { name: "role", unit: "", value: 0, bounds: [0, 1] };
    let count = Setting { name: "count", unit: "", value: 0, bounds: [0, 1000] };
    let size = Setting { name: "size", unit: "B", value: 12, bounds: [7, 2048] };
    let mut control = Control::new("pico", "nrf24-sender", [role, count, size], ["sent"]);
    control.enter(State::Running);
    move |bytes: &[u8]| {
        let mut replies = Vec::new();
        for &byte in bytes {
            if control.receive(byte) {
                let starts = control.is_wanted();
                control.enter(if starts { State::Running } else { State::Stopped });
                let [role, count, _] = control.values();
                if let (true, 0, Some(missing)) = (starts, role, missing) {
                    control.count([count as u32 - missing]);
                    control.enter(State::Stopped);
                }
            }
            replies.extend(control.poll().unwrap_or_default());
        }
        Some(replies)
    }
}

fn pair(sender: &Plugged, receiver: &Plugged) -> Pair {
    Pair { sender: sender.path.clone(), receiver: Some(receiver.path.clone()) }
}

fn setting(name: &str, value: u64) -> (String, u64) {
    (name.to_owned(), value)
}

fn state(path: &Path) -> (State, Option<End>, Vec<u64>) {
    let board = configured(path, &Changes::default()).expect("a board");
    (board.state, board.role(), board.settings.iter().map(|setting| setting.value).collect())
}

#[test]
fn both_boards_are_set_up_and_their_counters_are_read() {
    let (sender, receiver) = (Plugged::new(image(Some(0))), Plugged::new(image(Some(0))));
    let pair = pair(&sender, &receiver);
    pair.prepare(&[setting("size", 128), setting("count", 20)]).expect("set up");
    assert_eq!(state(&sender.path), (State::Stopped, Some(End::Sender), vec![0, 20, 128]));
    // The receiver has no limit, because messages may be lost.
    assert_eq!(state(&receiver.path), (State::Running, Some(End::Receiver), vec![1, 0, 128]));
    pair.start().expect("started");
    let found = pair.finish().expect("counters");
    let right =
        [(End::Sender, vec![setting("sent", 20)]), (End::Receiver, vec![setting("sent", 0)])];
    assert_eq!(found, right);
    assert_eq!(state(&receiver.path).0, State::Stopped);
}

#[test]
fn a_sender_that_still_sends_is_stopped_and_named() {
    let (sender, receiver) = (Plugged::new(image(None)), Plugged::new(image(None)));
    let pair = pair(&sender, &receiver);
    pair.prepare(&[setting("count", 20)]).expect("set up");
    pair.start().expect("started");
    let error = pair.finish().expect_err("still sending").to_string();
    assert!(error.ends_with("choose a longer `period` or `drain`"), "{error}");
    for board in [&sender, &receiver] {
        assert_eq!(state(&board.path).0, State::Stopped);
    }
}

#[test]
fn a_sender_that_misses_messages_is_named() {
    let (sender, receiver) = (Plugged::new(image(Some(3))), Plugged::new(image(Some(3))));
    let pair = pair(&sender, &receiver);
    pair.prepare(&[setting("count", 20)]).expect("set up");
    pair.start().expect("started");
    let error = pair.finish().expect_err("miscounted").to_string();
    assert!(error.ends_with("the board counted 17 sent messages; expected 20"), "{error}");
    assert_eq!(state(&receiver.path).0, State::Stopped);
}

#[test]
fn a_line_in_use_is_not_disturbed() {
    let sender = Plugged::new(image(Some(0)));
    let _recording = Host::open(&sender.path).expect("a line");
    let error = configured(&sender.path, &Changes::default()).expect_err("in use").to_string();
    assert!(error.ends_with(": in use by another program; end that program first"), "{error}");
}
