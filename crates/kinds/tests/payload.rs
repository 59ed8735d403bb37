//! Links with messages require sizes, and links without messages refuse them.

use airlag_kinds::registry;
use airlag_rig::Error;
use airlag_rig::kind::Medium;

#[test]
fn every_size_of_a_link_is_run_and_a_board_without_a_message_once() {
    for name in registry::names().expect("right files") {
        let profile = registry::find(name).expect("a profile");
        let expected = match profile.kind.medium() {
            Medium::None => vec![None],
            Medium::Wire | Medium::Air => vec![Some(12), Some(128)],
        };
        assert_eq!(profile.payloads(&[12, 128]), expected, "{name}");
        assert!(profile.payloads(&[7]).iter().all(|&one| profile.bytes(one).is_ok()), "{name}");
    }
}

#[test]
fn a_message_has_a_payload_and_without_one_there_is_none_to_choose() {
    let (link, board) = ("nrf24-2m".to_owned(), "gpio-stm32-ll-o3".to_owned());
    let (with, without) = (registry::find(&link).unwrap(), registry::find(&board).unwrap());
    assert_eq!((with.bytes(Some(12)), without.bytes(None)), (Ok(12), Ok(0)));
    assert_eq!(with.bytes(None), Err(Error::NoPayload { link }));
    assert_eq!(without.bytes(Some(12)), Err(Error::NoMessage { link: board }));
}
