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
fn written() -> (Vec<u8>, Went) {
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
    let went = journal.finish(&tally(10 * SECOND, 15 * SECOND, 1)).expect("read");
    (std::fs::read(&path).expect("there"), went)
}

#[test]
fn what_was_noted_is_read() {
    let (_, went) = written();
    assert_eq!(went.offered_ns.len(), 10);
    assert_eq!(went.arrived_ns[3], 3_000_000_005);
    assert_eq!(went.tally, tally(10 * SECOND, 15 * SECOND, 1));
}

#[test]
fn a_packet_is_lost_if_it_has_not_come_long_after_it_left() {
    use Fate::{Arrived, Lost, UnderWay};
    let (_, went) = written();
    let fates: Vec<Fate> = went.fates().collect();
    // 6 arrived after the end, 7 and 8 had 18 and 17 s, 9 still waits.
    let open = [UnderWay; 4];
    assert_eq!(fates[..6], [Arrived, Lost, Lost, Arrived, Lost, Arrived]);
    assert_eq!(fates[6..], open);
    let went = Went { tally: tally(10 * SECOND, 20 * SECOND, 1), ..went };
    let fates: Vec<Fate> = went.fates().collect();
    assert_eq!(fates[6..], [UnderWay, Lost, Lost, UnderWay]);
}

#[test]
fn a_journal_that_is_there_is_not_replaced_by_mistake() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("there.journal");
    Journal::create(&path, "first", false).expect("created");
    let refused = Journal::create(&path, "second", false).expect_err("refused");
    assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
    let scratch = Journal::create(&path, "third", true).expect("replaced");
    let went = scratch.finish(&Tally::default()).expect("read");
    assert_eq!(went.about, "third");
}

#[test]
fn what_is_no_journal_is_refused() {
    for bytes in [&b""[..], b"airlagJ", b"PAR1PAR1PAR1", MAGIC] {
        let refused = read(bytes).expect_err("refused");
        assert_eq!(refused.kind(), io::ErrorKind::InvalidData);
    }
}

/// Whether `part` equals the beginning of `whole`.
fn is_beginning(part: &Went, whole: &Went) -> bool {
    let count = part.offered_ns.len();
    let same = |(one, other): (&i64, &i64)| one == other || *one == NONE;
    whole.offered_ns.starts_with(&part.offered_ns)
        && part.arrived_ns.iter().zip(&whole.arrived_ns[..count]).all(same)
}

proptest! {
    #[test]
    fn cut_anywhere_what_stands_before_is_read(share in 0.0..1.0_f64) {
        let (bytes, whole) = written();
        let cut = (bytes.len() as f64 * share) as usize;
        if let Ok(part) = read(&bytes[..cut]) {
            prop_assert!(is_beginning(&part, &whole));
        }
    }

    #[test]
    fn with_any_byte_damaged_nothing_false_is_read(nth: usize, by in 1..=255_u8) {
        let (mut bytes, whole) = written();
        let nth = nth % bytes.len();
        bytes[nth] ^= by;
        if let Ok(part) = read(&bytes[..]) {
            prop_assert!(is_beginning(&part, &whole));
        }
    }
}
