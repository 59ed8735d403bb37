//! Connections for one message, against a timeline that was worked out by hand.

use super::super::reconnection::{Reconnection, pair as pair_devices};
use super::*;
use crate::mcu::deep_sleep::Switch;

/// A frame: begin in us, whether the central sent it, channel centre in MHz, bytes of its PDU.
type Sent = (u64, bool, u32, Vec<u8>);

struct Apart {
    bench: Simulation,
    air: Medium,
    central: Rc<Controller>,
    peripheral: Rc<Controller>,
    events: (Receiver<Event>, Receiver<Event>),
    sent: Rc<RefCell<Vec<Sent>>>,
}

fn apart(settings: Settings) -> Apart {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let (central, from_central) = Controller::new(&air, &bench, "central", Clock::exact());
    let (peripheral, from_peripheral) = Controller::new(&air, &bench, "peripheral", Clock::exact());
    let sent = Rc::new(RefCell::new(Vec::new()));
    let (log, node) = (Rc::clone(&sent), central.node());
    air.tap(move |frame: &Frame, _| {
        let pdu = frame.bytes[4..frame.bytes.len() - 3].to_vec();
        let mhz = frame.band.centre().0 / 1e6;
        log.borrow_mut().push((frame.begin.as_ns() / US, frame.from == node, mhz as u32, pdu));
    });
    let window = Duration::from_ms(60);
    let plan = Reconnection {
        settings,
        advertising_interval: Duration::from_ms(20),
        scan_interval: window,
        scan_window: window,
    };
    pair_devices(&central, &peripheral, plan);
    let events = (from_central, from_peripheral);
    Apart { bench, air, central, peripheral, events, sent }
}

fn at_1m(interval_us: u64) -> Settings {
    let interval = Interval::from_us(interval_us).expect("legal");
    let supervision_timeout = Duration::from_ms(4_000);
    Settings { data_length: 27, supervision_timeout, ..Settings::new(interval, Phy::Le1M) }
}

impl Apart {
    fn run_us(&self, us: u64) {
        self.bench.run_until(Instant::from_ns(us * US)).expect("no livelock");
    }
}

#[test]
fn a_message_takes_the_packets_and_instants_of_the_specification() {
    let mut devices = apart(at_1m(7_500));
    assert!(devices.central.seek() && devices.peripheral.seek());
    devices.run_us(1_000);
    assert!(devices.central.is_connected() && devices.peripheral.is_connected());
    devices.peripheral.submit(packet(7, 19));
    devices.run_us(30_000);
    assert_eq!(received(&mut devices.events.0), [7; 19]);
    assert!(!devices.peripheral.off(), "the connection ends first");
    devices.run_us(60_000);
    assert!(!devices.central.is_connected() && devices.peripheral.off());
    // ADV_IND: 9 B of payload, 152 us. CONNECT_IND: T_IFS later, 34 B, 352 us. The first anchor point
    // is 1.25 ms after its end at 654 us: 1904 us. LL_FEATURE_REQ: 9 B, 152 us. The peripheral has
    // its message ready, 19 B, in the response at 1904 + 152 + 150 us. LL_FEATURE_RSP follows in the
    // next event, which also acknowledges the message, and LL_VERSION_IND in the two after that. LL_TERMINATE_IND is queued at 30 ms, for the event at 31904 us, and its
    // acknowledgement at 39404 us is the last packet.
    let sent = devices.sent.borrow();
    let timeline: Vec<(u64, bool, u8, usize)> = sent
        .iter()
        .map(|(at, central, _, pdu)| (*at, *central, pdu[0] & 3, pdu.len() - 2))
        .collect();
    let (start, empty, control) = (2, 1, 3);
    assert_eq!(
        timeline,
        [
            (0, false, 0, 9),
            (302, true, 1, 34),
            (1_904, true, control, 9),
            (2_206, false, start, 19),
            (9_404, true, empty, 0),
            (9_634, false, control, 9),
            (16_904, true, control, 6),
            (17_182, false, empty, 0),
            (24_404, true, empty, 0),
            (24_634, false, control, 6),
            (31_904, true, empty, 0),
            (32_134, false, control, 2),
            (39_404, true, empty, 0),
        ]
    );
    assert_eq!((sent[0].2, sent[1].2), (2402, 2402));
    assert_eq!(sent[11].3[2..], [0x02, 0x13], "terminated by the remote user");
}

#[test]
fn an_advertiser_that_nobody_hears_uses_three_channels_and_a_random_delay() {
    let devices = apart(at_1m(7_500));
    devices.peripheral.seek();
    devices.run_us(2_000_000);
    let sent = devices.sent.borrow();
    for event in sent.chunks_exact(3) {
        let channels: Vec<u32> = event.iter().map(|one| one.2).collect();
        assert_eq!(channels, [2402, 2426, 2480]);
        // 152 us on the air, and 400 us to the next channel.
        assert_eq!([event[1].0 - event[0].0, event[2].0 - event[0].0], [552, 1_104]);
    }
    let begins: Vec<u64> = sent.iter().step_by(3).map(|one| one.0).collect();
    let gaps: Vec<u64> = begins.windows(2).map(|two| two[1] - two[0]).collect();
    assert!(gaps.iter().all(|gap| (20_000..=30_000).contains(gap)), "{gaps:?}");
    let mean = gaps.iter().sum::<u64>() as f64 / gaps.len() as f64;
    // Uniform over 10 ms: 2.9 ms deviation, 80 gaps, three standard errors.
    assert!((mean - 25_000.0).abs() < 1_000.0, "{mean}");
}

#[test]
fn both_find_each_other_again_after_losses_at_any_point() {
    let settings = Settings { encrypted: true, data_length: 251, ..at_1m(15_000) };
    let mut devices = apart(settings);
    let (central, peripheral) = (devices.central.node(), devices.peripheral.node());
    for (from, to) in [(central, peripheral), (peripheral, central)] {
        devices.air.set_loss(from, to, Independent { probability: 0.3 });
    }
    let mut at = 0;
    for message in 0..20 {
        devices.peripheral.on();
        let mut sent = false;
        for _ in 0..4_000 {
            devices.central.seek();
            devices.peripheral.seek();
            at += 1_000;
            devices.run_us(at);
            if devices.peripheral.is_connected() && !sent {
                devices.peripheral.submit(packet(message, 100));
                sent = true;
            }
            if received(&mut devices.events.0) == [message; 100] {
                break;
            }
            // A connection that was not established loses the message.
            sent &= devices.peripheral.is_connected();
        }
        assert!(sent, "message {message}");
        while !devices.peripheral.off() {
            at += 1_000;
            devices.run_us(at);
        }
    }
}
