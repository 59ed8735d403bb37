use std::vec::Vec;

use proptest::prelude::*;

use super::*;

const REQUESTS: [(Request, &[u8]); 6] = [
    (Request::Identify { version: 1 }, &[0xE5, 1]),
    (Request::Read { number: 3 }, &[0xE6, 3]),
    (Request::Set { number: 2, value: 0x0102 }, &[0xE7, 2, 0, 0, 0, 0, 0, 0, 1, 2]),
    (Request::Run(true), &[0xE8, 1]),
    (Request::Run(false), &[0xE8, 0]),
    (Request::Count, &[0xE9]),
];

const PICO: Identity<'_> = Identity {
    state: State::Running,
    settings: 6,
    counters: 5,
    airlag: [0, 2, 1],
    board: "pico",
    image: "nrf24-sender",
};

const SIZE: Item<'_> =
    Item { number: 1, value: 12, lowest: 7, highest: 2048, name: "size", unit: "B" };

/// Kind and body of a message, without its checksum.
fn bare(message: &[u8]) -> Vec<u8> {
    [&message[..1], &message[HEADER..]].concat()
}

/// A message of a kind and a body, with its checksum.
fn sealed(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut message = [&[0; HEADER][..], body].concat();
    seal(kind, &mut message);
    message
}

/// The frame that a board would send for a reply.
fn rewritten(reply: &Reply<'_>) -> Option<Vec<u8>> {
    let mut into = [0; LONGEST];
    let len = match *reply {
        Reply::Identity(found) => identity(&found, &mut into),
        Reply::Item(found) => item(&found, &mut into),
        Reply::Counters(found) => {
            counters(found.state, &found.iter().collect::<Vec<u32>>(), &mut into)
        }
        Reply::Refused(request, reason) => refused(request, reason, &mut into),
        Reply::Foreign(_) => None,
    };
    len.map(|len| into[..len].to_vec())
}

#[test]
fn requests_byte_for_byte() {
    for (request, bytes) in REQUESTS {
        let mut into = [0; REQUEST];
        let len = request.write(&mut into);
        assert_eq!(bare(&into[..len]), bytes);
        assert_eq!(Request::read(&into[..len]), Some(request));
        assert_eq!(request.kind(), bytes[0]);
    }
}

#[test]
fn replies_byte_for_byte() {
    let mut into = [0; LONGEST];
    let len = identity(&PICO, &mut into).expect("valid names");
    assert_eq!(bare(&into[..len]), b"\xEA\x01\x01\x06\x05\x00\x02\x01\x04piconrf24-sender");
    assert_eq!(Reply::read(&into[..len]), Some(Reply::Identity(PICO)));

    let len = item(&SIZE, &mut into).expect("valid texts");
    let expected = b"\xEB\x01\0\0\0\0\0\0\0\x0C\0\0\0\0\0\0\0\x07\0\0\0\0\0\0\x08\0\x04sizeB";
    assert_eq!(bare(&into[..len]), expected);
    assert_eq!(Reply::read(&into[..len]), Some(Reply::Item(SIZE)));

    let len = counters(State::Failed, &[1, 0x0102_0304], &mut into).expect("room");
    assert_eq!(bare(&into[..len]), [0xEC, 2, 0, 0, 0, 1, 1, 2, 3, 4]);
    let Some(Reply::Counters(found)) = Reply::read(&into[..len]) else { panic!("no counters") };
    assert_eq!((found.state, found.iter().collect()), (State::Failed, Vec::from([1, 0x0102_0304])));

    let len = refused(SET, Refusal::OutOfBounds, &mut into).expect("room");
    assert_eq!(bare(&into[..len]), [0xED, 0xE7, 2]);
    assert_eq!(Reply::read(&into[..len]), Some(Reply::Refused(SET, Refusal::OutOfBounds)));
}

#[test]
fn the_longest_frames_have_room() {
    let (name, unit) = ("n".repeat(NAME), "u".repeat(UNIT));
    let mut into = [0; LONGEST];
    assert!(identity(&Identity { board: &name, image: &name, ..PICO }, &mut into).is_some());
    assert!(item(&Item { name: &name, unit: &unit, ..SIZE }, &mut into).is_some());
    assert!(counters(State::Running, &[u32::MAX; ITEMS as usize], &mut into).is_some());
    assert_eq!(counters(State::Running, &[0; ITEMS as usize + 1], &mut into), None);
}

#[test]
fn texts_that_a_terminal_would_interpret_are_refused() {
    let mut into = [0; LONGEST];
    for name in ["", "two words", "\u{1b}[2J", "späte", &"n".repeat(NAME + 1)] {
        assert_eq!(item(&Item { name, ..SIZE }, &mut into), None, "{name:?}");
        assert_eq!(identity(&Identity { image: name, ..PICO }, &mut into), None, "{name:?}");
    }
    let mut body = [&[1][..], &[0; 24], &[2], b"ok", b"\x07"].concat();
    assert_eq!(Reply::read(&sealed(ITEM, &body)), None);
    body.pop();
    assert!(matches!(Reply::read(&sealed(ITEM, &body)), Some(Reply::Item(_))));
}

#[test]
fn other_versions_are_recognised_by_their_first_byte() {
    for body in [&[0][..], &[2, 9, 9, 9]] {
        let identify = Request::read(&sealed(IDENTIFY, body));
        assert_eq!(identify, Some(Request::Identify { version: body[0] }));
        assert_eq!(Reply::read(&sealed(IDENTITY, body)), Some(Reply::Foreign(body[0])));
    }
}

#[test]
fn values_outside_their_bounds_are_refused() {
    let mut into = [0; LONGEST];
    for value in [6, 2049] {
        let len = item(&Item { value, ..SIZE }, &mut into).expect("valid texts");
        assert_eq!(Reply::read(&into[..len]), None);
    }
    let many = Identity { settings: ITEMS, counters: 1, ..PICO };
    let len = identity(&many, &mut into).expect("valid names");
    assert_eq!(Reply::read(&into[..len]), None);
}

proptest! {
    #[test]
    fn what_is_read_is_what_would_be_written(
        kind in IDENTIFY..=REFUSED, body in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let message = sealed(kind, &body);
        if let Some(request) = Request::read(&message).filter(|one| !matches!(one, Request::Identify { version } if *version != VERSION)) {
            let mut into = [0; REQUEST];
            let len = request.write(&mut into);
            prop_assert_eq!(&into[..len], &message);
        }
        if let Some(again) = Reply::read(&message).and_then(|reply| rewritten(&reply)) {
            prop_assert_eq!(again, message);
        }
    }

    #[test]
    fn one_changed_bit_is_always_detected(at in 0_usize..(HEADER + 33) * 8) {
        let mut into = [0; LONGEST];
        let len = item(&SIZE, &mut into).expect("valid texts");
        prop_assume!(at < len * 8);
        into[at / 8] ^= 1 << (at % 8);
        prop_assert_eq!(Reply::read(&into[..len]), None);
    }
}
