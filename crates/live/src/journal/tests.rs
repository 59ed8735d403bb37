use proptest::prelude::*;

use super::*;

const SECOND: u64 = 1_000_000_000;

fn at(ns: u64) -> Duration {
    Duration::from_ns(ns)
}

fn tally(elapsed_ns: u64, drained_ns: u64, waiting: u64) -> Tally {
    let incidents = BTreeMap::from([("retry".to_owned(), 3)]);
    Tally { elapsed_ns, drained_ns, waiting, bytes: [9, 7], incidents, ..Tally::default() }
}

/// Ten packets offered one second apart. 0, 3 and 5 arrive; 6 arrives after the end.
fn written() -> (Vec<u8>, OneWay) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("there.journal");
    let mut journal = Journal::create(&path, "{}", false).expect("created");
    for nth in 0..10 {
        journal.offered(at(nth * SECOND)).expect("written");
        if [0, 3, 5].contains(&nth) {
            journal.arrived(nth, at(nth * SECOND + 5)).expect("written");
        }
    }
    journal.arrived(6, at(11 * SECOND)).expect("written");
    let one_way = journal.finish(&tally(10 * SECOND, 15 * SECOND, 1)).expect("read");
    (std::fs::read(&path).expect("there"), one_way)
}

#[test]
fn recorded_events_are_read_back() {
    let (_, one_way) = written();
    assert_eq!(one_way.offered_ns.len(), 10);
    assert_eq!(one_way.arrived_ns[3], 3_000_000_005);
    assert_eq!(one_way.tally, tally(10 * SECOND, 15 * SECOND, 1));
}

#[test]
fn a_packet_is_lost_if_it_has_not_arrived_20_s_after_it_left() {
    use Outcome::{Arrived, InFlight, Lost};
    let (_, one_way) = written();
    let outcomes: Vec<Outcome> = one_way.outcomes().collect();
    // Packet 6 arrived after the end, packets 7 and 8 were sent 18 and 17 s before it, and packet 9
    // is still waiting.
    let open = [InFlight; 4];
    assert_eq!(outcomes[..6], [Arrived, Lost, Lost, Arrived, Lost, Arrived]);
    assert_eq!(outcomes[6..], open);
    let one_way = OneWay { tally: tally(10 * SECOND, 20 * SECOND, 1), ..one_way };
    let outcomes: Vec<Outcome> = one_way.outcomes().collect();
    assert_eq!(outcomes[6..], [InFlight, Lost, Lost, InFlight]);
}

#[test]
fn an_existing_journal_is_replaced_only_with_force() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("there.journal");
    Journal::create(&path, "first", false).expect("created");
    let refused = Journal::create(&path, "second", false).expect_err("refused");
    assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
    let scratch = Journal::create(&path, "third", true).expect("replaced");
    let one_way = scratch.finish(&Tally::default()).expect("read");
    assert_eq!(one_way.about, "third");
}

#[test]
fn other_files_are_refused() {
    for bytes in [&b""[..], b"airlagJ", b"PAR1PAR1PAR1", MAGIC] {
        let refused = read(bytes).expect_err("refused");
        assert_eq!(refused.kind(), io::ErrorKind::InvalidData);
    }
}

/// Whether `part` equals the beginning of `whole`.
fn is_beginning(part: &OneWay, whole: &OneWay) -> bool {
    let count = part.offered_ns.len();
    let same = |(one, other): (&i64, &i64)| one == other || *one == NONE;
    whole.offered_ns.starts_with(&part.offered_ns)
        && part.arrived_ns.iter().zip(&whole.arrived_ns[..count]).all(same)
}

proptest! {
    #[test]
    fn a_truncated_journal_is_read_up_to_the_cut(share in 0.0..1.0_f64) {
        let (bytes, whole) = written();
        let cut = (bytes.len() as f64 * share) as usize;
        if let Ok(part) = read(&bytes[..cut]) {
            prop_assert!(is_beginning(&part, &whole));
        }
    }

    #[test]
    fn a_damaged_byte_never_yields_wrong_events(nth: usize, by in 1..=255_u8) {
        let (mut bytes, whole) = written();
        let nth = nth % bytes.len();
        bytes[nth] ^= by;
        if let Ok(part) = read(&bytes[..]) {
            prop_assert!(is_beginning(&part, &whole));
        }
    }
}
