//! Procedures during a connection: encryption, change of interval.

use super::*;
use crate::stack::ble::controller::control::Control;
use crate::stack::ble::interval::Values;

#[test]
fn an_encrypted_connection_carries_data_that_nobody_else_reads() {
    let mut pair = pair(Settings { encrypted: true, ..settings(7_500) });
    let text = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&text);
    pair.air.tap(move |frame: &Frame, _| log.borrow_mut().push(frame.bytes.to_vec()));
    pair.central.submit(packet(0xA5, 100));
    pair.peripheral.submit(packet(0x5A, 251));
    pair.run_ms(100);
    assert_eq!(received(&mut pair.events.1), [0xA5; 100]);
    assert_eq!(received(&mut pair.events.0), [0x5A; 251]);
    assert!(
        text.borrow()
            .iter()
            .all(|bytes| !bytes.windows(8).any(|run| { run == [0xA5; 8] || run == [0x5A; 8] }))
    );
    // Requests and responses unencrypted, two encrypted responses, then data with four bytes more.
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
    assert!(received(&mut pair.events.1) == expected);
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
        assert_eq!(received(&mut pair.events.0), [7; 10]);
        let heard = pair.heard();
        let anchors: Vec<u64> =
            heard.iter().filter(|one| one.from_central).map(|one| one.begin_ns).collect();
        // The central sends more than one packet in the first event, so anchor points are compared
        // from the second event on.
        let mut gaps: Vec<u64> = anchors.windows(2).map(|two| two[1] - two[0]).collect();
        gaps.retain(|&gap| gap > 2 * MS);
        assert_eq!(gaps[..6], [first * US; 6]);
        assert!(gaps[6..].iter().all(|&gap| gap == second * US) && gaps.len() > 10, "{gaps:?}");
        assert_eq!(anchors[anchors.len() - 1] % (second * US), 1_300 * US);
        assert!(pair.peripheral.is_connected());
    }
}

/// A connection of 10 ms that changes to `interval_us` with a frame space of 63 us.
fn shorter(interval_us: u64) -> Settings {
    let interval = Interval::among(Values::Extended, interval_us).expect("legal");
    Settings {
        initial_interval: Some(Interval::from_us(10_000).expect("legal")),
        frame_space: Duration::from_us(63),
        data_length: 60,
        ..Settings::new(interval, Phy::Le2M)
    }
}

#[test]
fn an_interval_below_7500_us_begins_with_its_frame_space_at_the_instant() {
    let mut pair = pair(shorter(750));
    pair.run_ms(100);
    pair.peripheral.submit(packet(7, 10));
    pair.run_ms(110);
    assert_eq!(received(&mut pair.events.0), [7; 10]);
    let heard = pair.heard();
    // LL_FRAME_SPACE_REQ, its response, LL_CONNECTION_RATE_IND: opcode and 7, 5 and 14 bytes.
    let control: Vec<usize> =
        heard.iter().map(|one| one.payload).filter(|&payload| payload > 0).take(3).collect();
    assert_eq!(control, [8, 6, 15]);
    let spaces = |from_ns: u64, until_ns: u64| -> Vec<u64> {
        let within = heard.windows(2).filter(|two| (from_ns..until_ns).contains(&two[0].begin_ns));
        let answered = within.filter(|two| two[0].from_central && !two[1].from_central);
        answered.map(|two| two[1].begin_ns - two[0].end_ns).collect()
    };
    let anchors: Vec<u64> =
        heard.iter().filter(|one| one.from_central).map(|one| one.begin_ns).collect();
    let instant = anchors.iter().position(|&at| at >= anchors[0] + 60 * MS).expect("later events");
    assert_eq!(anchors[instant], anchors[0] + 60 * MS);
    assert!(spaces(0, anchors[instant]).iter().all(|&space| space == 150 * US));
    let new = spaces(anchors[instant], 109 * MS);
    assert!(new.len() > 50 && new.iter().all(|&space| space == 63 * US), "{new:?}");
    let gaps = anchors[instant..].windows(2).map(|two| two[1] - two[0]);
    assert!(gaps.into_iter().all(|gap| gap == 750 * US));
}

#[test]
fn every_extended_interval_carries_data_through_losses() {
    for us in [375, 500, 1_000, 1_125, 7_625] {
        let settings = Settings { data_length: 27, ..shorter(us) };
        let mut pair = pair(settings);
        pair.run_ms(100);
        let (central, peripheral) = (pair.central.node(), pair.peripheral.node());
        for (from, to) in [(central, peripheral), (peripheral, central)] {
            pair.air.set_loss(from, to, Independent { probability: 0.2 });
        }
        for number in 0..20 {
            pair.peripheral.submit(packet(number, 20));
        }
        pair.run_ms(2_000);
        let expected: Vec<u8> = (0..20).flat_map(|number| [number; 20]).collect();
        assert!(received(&mut pair.events.0) == expected, "{us} us");
    }
}

#[test]
fn the_low_latency_mode_changes_both_ends_without_a_documented_packet() {
    let interval = Interval::among(Values::LowLatency, 1_000).expect("legal");
    let settings = Settings {
        initial_interval: Some(Interval::from_us(7_500).expect("legal")),
        low_latency_mode: true,
        data_length: 60,
        ..Settings::new(interval, Phy::Le2M)
    };
    let mut pair = pair(settings);
    pair.run_ms(100);
    pair.central.submit(packet(3, 20));
    pair.run_ms(110);
    assert_eq!(received(&mut pair.events.1), [3; 20]);
    let heard = pair.heard();
    let data: Vec<usize> = heard.iter().map(|one| one.payload).filter(|&len| len > 0).collect();
    assert_eq!(data, [20], "no control packet");
    let anchors: Vec<u64> =
        heard.iter().filter(|one| one.from_central).map(|one| one.begin_ns).collect();
    let gaps: Vec<u64> = anchors.windows(2).map(|two| two[1] - two[0]).collect();
    assert_eq!(gaps[..6], [7_500 * US; 6]);
    assert!(gaps[6..].iter().all(|&gap| gap == MS) && gaps.len() > 40);
}

#[test]
fn a_connection_that_an_old_packet_cannot_create_needs_an_initial_interval() {
    let settings = Settings { initial_interval: None, ..shorter(750) };
    let refused = settings.check().expect_err("refused");
    assert_eq!(refused.parameter(), "initial_interval");
    assert!(refused.to_string().ends_with("can change to 750 us afterwards"), "{refused}");
}

#[test]
fn control_packets_of_shorter_intervals_have_the_published_layout() {
    let interval = Interval::among(Values::Extended, 750).expect("legal");
    let rate = Control::ConnectionRate { interval, latency: 1, timeout: 400, instant: 0x0506 };
    let bytes = rate.encode();
    assert_eq!(bytes, [0x3F, 0, 0, 6, 0, 6, 5, 1, 0, 1, 0, 0, 0, 0x90, 1]);
    assert_eq!(Control::decode(&bytes), Some(rate));
    let request = Control::FrameSpaceRequest { us: 63, phys: 2 };
    assert_eq!(request.encode(), [0x3B, 63, 0, 63, 0, 2, 3, 0]);
    let response = Control::FrameSpaceResponse { us: 63, phys: 2 };
    assert_eq!(response.encode(), [0x3C, 63, 0, 2, 3, 0]);
    for control in [request, response] {
        assert_eq!(Control::decode(&control.encode()), Some(control));
    }
}
