use std::string::ToString;
use std::vec::Vec;

use airlag_link::control::Reply;
use proptest::prelude::*;

use super::*;

type Board = Control<2, 1>;

fn board() -> Board {
    let size = Setting { name: "size", unit: "B", value: 12, bounds: [7, 2048] };
    let count = Setting { name: "count", unit: "", value: 0, bounds: [0, 1000] };
    Control::new("pico", "nrf24-sender", [size, count], ["sent"])
}

fn stopped() -> Board {
    let mut board = board();
    board.enter(State::Stopped);
    board
}

/// Sends a request, and returns the message of the reply.
fn answered(board: &mut Board, request: Request) -> Vec<u8> {
    let (mut message, mut line) = ([0; REQUEST], [0; framed_len(REQUEST)]);
    let len = request.write(&mut message);
    let framed = frame(&message[..len], &mut line).expect("room");
    line[..framed].iter().for_each(|&byte| {
        board.receive(byte);
    });
    let line = board.poll().expect("a reply").to_vec();
    let mut deframer = Deframer::<LONGEST>::new();
    line.iter().find_map(|&byte| deframer.feed(byte).map(|found| found.to_vec())).expect("a frame")
}

fn refusal(board: &mut Board, request: Request) -> Refusal {
    match Reply::read(&answered(board, request)) {
        Some(Reply::Refused(kind, reason)) if kind == request.kind() => reason,
        reply => panic!("{reply:?}"),
    }
}

fn value(board: &mut Board, request: Request) -> u64 {
    match Reply::read(&answered(board, request)) {
        Some(Reply::Item(item)) => item.value,
        reply => panic!("{reply:?}"),
    }
}

#[test]
fn it_states_what_it_is_to_a_host_of_any_version() {
    for version in [0, 1, 9] {
        let reply = answered(&mut board(), Request::Identify { version });
        let Some(Reply::Identity(found)) = Reply::read(&reply) else { panic!("{reply:?}") };
        assert_eq!((found.board, found.image), ("pico", "nrf24-sender"));
        assert_eq!((found.settings, found.counters, found.state), (2, 1, State::Starting));
        let [major, minor, patch] = found.airlag.map(|part| part.to_string());
        assert_eq!([major, minor, patch].join("."), env!("CARGO_PKG_VERSION"));
    }
}

#[test]
fn settings_change_while_it_is_stopped_only() {
    let mut board = board();
    let set = Request::Set { number: 0, value: 128 };
    // The board starts at once, and then runs.
    assert_eq!(refusal(&mut board, set), Refusal::Running);
    board.enter(State::Running);
    assert_eq!(refusal(&mut board, set), Refusal::Running);
    answered(&mut board, Request::Run(false));
    // The last message of the run may still be on its way.
    assert_eq!((refusal(&mut board, set), board.is_wanted()), (Refusal::Running, false));
    board.enter(State::Stopped);
    assert_eq!((value(&mut board, set), board.values()), (128, [128, 0]));
    board.enter(State::Failed);
    assert_eq!(value(&mut board, Request::Set { number: 1, value: 5 }), 5);
}

#[test]
fn what_it_cannot_do_is_refused_and_changes_nothing() {
    let mut board = stopped();
    for (request, reason) in [
        (Request::Set { number: 0, value: 6 }, Refusal::OutOfBounds),
        (Request::Set { number: 0, value: 2049 }, Refusal::OutOfBounds),
        (Request::Set { number: 2, value: 0 }, Refusal::Unknown),
        (Request::Read { number: 3 }, Refusal::Unknown),
    ] {
        assert_eq!(refusal(&mut board, request), reason);
    }
    assert_eq!(board.values(), [12, 0]);
    let mut instrument = Control::<0, 0>::new("pico", "instrument", [], []);
    assert!(!instrument.receive(0));
    let (mut message, mut line) = ([0; REQUEST], [0; framed_len(REQUEST)]);
    let len = Request::Run(false).write(&mut message);
    let framed = frame(&message[..len], &mut line).expect("room");
    assert!(!line[..framed].iter().any(|&byte| instrument.receive(byte)));
    assert!(instrument.is_wanted() && instrument.is_due());
}

#[test]
fn counters_restart_with_each_run() {
    let mut board = stopped();
    answered(&mut board, Request::Run(true));
    assert!(board.is_wanted());
    board.enter(State::Running);
    board.count([7]);
    let reply = answered(&mut board, Request::Count);
    let Some(Reply::Counters(found)) = Reply::read(&reply) else { panic!("{reply:?}") };
    assert_eq!((found.state, found.iter().collect()), (State::Running, Vec::from([7])));
    assert_eq!(value(&mut board, Request::Read { number: 2 }), 7);
    board.enter(State::Running);
    assert_eq!(value(&mut board, Request::Read { number: 2 }), 0);
    board.enter(State::Stopped);
    assert!(!board.is_wanted());
}

proptest! {
    #[test]
    fn garbage_changes_nothing(garbage in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut board = stopped();
        for byte in garbage {
            board.receive(byte);
        }
        prop_assert!(!board.is_due());
        // A zero ends the garbage.
        board.receive(0);
        prop_assert_eq!(value(&mut board, Request::Read { number: 0 }), 12);
    }
}
