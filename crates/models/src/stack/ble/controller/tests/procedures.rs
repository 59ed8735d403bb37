//! Procedures during a connection: encryption, change of interval.

use super::*;

#[test]
fn an_encrypted_connection_carries_data_that_nobody_else_reads() {
    let mut pair = pair(Settings { encrypted: true, ..settings(7_500) });
    let text = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&text);
    pair.air.tap(move |frame: &Frame, _| log.borrow_mut().push(frame.bytes.to_vec()));
    pair.central.submit(packet(0xA5, 100));
    pair.peripheral.submit(packet(0x5A, 251));
    pair.run_ms(100);
    assert_eq!(received(&mut pair.told.1), [0xA5; 100]);
    assert_eq!(received(&mut pair.told.0), [0x5A; 251]);
    assert!(
        text.borrow()
            .iter()
            .all(|bytes| !bytes.windows(8).any(|run| { run == [0xA5; 8] || run == [0x5A; 8] }))
    );
    // Requests and answers unencrypted, two encrypted answers, then data with four bytes more.
    let lengths: Vec<usize> =
        pair.heard().iter().map(|one| one.payload).filter(|&payload| payload > 0).collect();
    assert_eq!(lengths[..5], [23, 13, 1, 5, 5]);
    let mut data = lengths[5..].to_vec();
    data.sort_unstable();
    assert_eq!(data, [104, 255]);
}

#[test]
fn encryption_survives_losses() {
    let mut pair = pair(Settings { encrypted: true, ..settings(7_500) });
    let (central, peripheral) = (pair.central.node(), pair.peripheral.node());
    for (from, to) in [(central, peripheral), (peripheral, central)] {
        pair.air.set_loss(from, to, Independent { probability: 0.3 });
    }
    for number in 0..50 {
        pair.central.submit(packet(number, 30));
    }
    pair.run_ms(3_000);
    let expected: Vec<u8> = (0..50).flat_map(|number| [number; 30]).collect();
    assert!(received(&mut pair.told.1) == expected);
}

#[test]
fn a_connection_goes_on_with_another_interval_from_its_instant() {
    let initial = Interval::from_us(50_000).expect("legal");
    for (first, second) in [(50_000, 7_500), (50_000, 400_000)] {
        let anchor_phase = Duration::from_us(1_300);
        let settings =
            Settings { initial_interval: Some(initial), anchor_phase, ..settings(second) };
        let mut pair = pair(settings);
        pair.peripheral.submit(packet(7, 10));
        pair.run_ms(8_000);
        assert_eq!(received(&mut pair.told.0), [7; 10]);
        let heard = pair.heard();
        let anchors: Vec<u64> =
            heard.iter().filter(|one| one.from_central).map(|one| one.begin_ns).collect();
        // The central sends more than one packet in the first event; use anchors from the second
        // on.
        let mut gaps: Vec<u64> = anchors.windows(2).map(|two| two[1] - two[0]).collect();
        gaps.retain(|&gap| gap > 2 * MS);
        assert_eq!(gaps[..6], [first * US; 6]);
        assert!(gaps[6..].iter().all(|&gap| gap == second * US) && gaps.len() > 10, "{gaps:?}");
        assert_eq!(anchors[anchors.len() - 1] % (second * US), 1_300 * US);
        assert!(pair.peripheral.is_connected());
    }
}
