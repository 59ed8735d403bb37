//! Exchanges timed by hand, duty cycles, lost frames, and frames of others.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::{Frame, Loss, Medium};
use airlag_sim::{Clock, Duration, Instant, Simulation, Stream};

use super::frame::MacFrame;
use super::plan::{Direction, OVERHEAD};
use super::*;
use crate::chip::sx127x::packet;

const MS: u64 = 1_000_000;

fn config(plan: Plan) -> Config {
    let (data_rate, second_window_data_rate, duty) = match plan {
        Plan::Eu868 => (5, 3, 0.01),
        Plan::Us915 => (3, 8, 1.0),
    };
    Config {
        plan,
        class: Class::A,
        session: Session::of_pair(0),
        sub_band: if plan == Plan::Us915 { 2 } else { 0 },
        data_rate,
        second_window_data_rate,
        confirmed: false,
        transmissions: 1,
        duty,
        receive_delay: Duration::from_secs(1),
        window_error: Duration::from_ms(10),
        lock_symbols: 6,
        ack_timeout: Duration::from_secs(1),
        ack_timeout_spread: Duration::from_secs(2),
        start: Duration::ZERO,
        report_period: Duration::ZERO,
    }
}

const NETWORK: NetworkConfig = NetworkConfig {
    poll: Duration::ZERO,
    backhaul: Duration::from_ms(20),
    backhaul_jitter: Duration::ZERO,
    deduplication: Duration::from_ms(200),
    processing: Duration::from_ms(50),
    response_wait: Duration::from_ms(100),
    lead: Duration::from_ms(30),
};

/// Begin and end of a frame, ns, its centre in kHz, whether it comes from the device, and its
/// bytes.
#[derive(Clone, Debug)]
struct Heard {
    begin: u64,
    end: u64,
    khz: u32,
    up: bool,
    bytes: Vec<u8>,
}

struct Pair {
    bench: Simulation,
    air: Medium,
    device: Rc<Device>,
    network: Rc<Network>,
    heard: Rc<RefCell<Vec<Heard>>>,
    incidents: Rc<RefCell<Vec<&'static str>>>,
}

fn pair(config: Config, network: NetworkConfig, clock: Clock) -> Pair {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let device = Device::new(&air, "device", &bench, clock, config);
    let network = Network::new(&air, "gateway", &bench, config, network);
    let (heard, incidents) = (Rc::default(), Rc::default());
    let (log, id): (Rc<RefCell<Vec<Heard>>>, _) = (Rc::clone(&heard), device.id());
    air.tap(move |frame: &Frame, _| {
        log.borrow_mut().push(Heard {
            begin: frame.begin.as_ns(),
            end: frame.end.as_ns(),
            khz: frame.band.centre_khz(),
            up: frame.from == id,
            bytes: packet::unpack(&frame.bytes).expect("a packet").payload.to_vec(),
        });
    });
    let log: Rc<RefCell<Vec<&'static str>>> = Rc::clone(&incidents);
    device.observe(move |incident| log.borrow_mut().push(incident.name()));
    let log: Rc<RefCell<Vec<&'static str>>> = Rc::clone(&incidents);
    network.observe(move |incident| log.borrow_mut().push(incident.name()));
    Pair { bench, air, device, network, heard, incidents }
}

type Arrived = Rc<RefCell<Vec<(u64, Vec<u8>)>>>;

impl Pair {
    fn run_s(&self, s: u64) {
        self.bench.run_until(Instant::from_ns(s * 1_000 * MS)).expect("no livelock");
    }

    /// Queues uplinks, each when the previous one is concluded.
    fn uplinks(&self, data: Vec<Vec<u8>>) {
        let device = Rc::clone(&self.device);
        self.bench.spawn("device", async move {
            for one in data {
                device.queue(&one).await;
            }
        });
    }

    fn downlinks(&self, data: Vec<Vec<u8>>) {
        let network = Rc::clone(&self.network);
        self.bench.spawn("server", async move {
            for one in data {
                network.queue(&one).await;
            }
        });
    }

    /// Takes what arrives at the application into a list, with the times of arrival.
    fn at_application(&self) -> Arrived {
        let (network, sim, arrived) = (Rc::clone(&self.network), self.bench.sim(), Rc::default());
        let log: Arrived = Rc::clone(&arrived);
        self.bench.spawn("application", async move {
            let mut buffer = [0; 255];
            loop {
                let len = network.next_data(&mut buffer).await;
                log.borrow_mut().push((sim.now().as_ns(), buffer[..len].to_vec()));
            }
        });
        arrived
    }

    fn at_device(&self) -> Arrived {
        let (device, sim, arrived) = (Rc::clone(&self.device), self.bench.sim(), Rc::default());
        let log: Arrived = Rc::clone(&arrived);
        self.bench.spawn("program", async move {
            let mut buffer = [0; 255];
            loop {
                let len = device.next_data(&mut buffer).await;
                log.borrow_mut().push((sim.now().as_ns(), buffer[..len].to_vec()));
            }
        });
        arrived
    }
}

/// Loses the frames with the listed numbers.
struct Nth(Vec<usize>, usize);

impl Loss for Nth {
    fn loses(&mut self, _: &Frame, _: &mut Stream) -> bool {
        self.1 += 1;
        self.0.contains(&(self.1 - 1))
    }

    fn skip(&mut self, _: &mut Stream) {
        self.1 += 1;
    }
}

#[test]
fn a_frame_of_another_implementation_is_decoded_and_encoded() {
    // Example of the lora-packet library, with its keys.
    let session = Session {
        dev_addr: 0x49BE_7DF1,
        network_key: 0x4402_4241_ED4C_E9A6_8C6A_8BC0_5523_3FD3_u128.to_be_bytes(),
        application_key: 0xEC92_5802_AE43_0CA7_7FD3_DD73_CB2C_C588_u128.to_be_bytes(),
    };
    let bytes = 0x40F1_7DBE_4900_0200_0195_4378_762B_11FF_u128.to_be_bytes();
    let bytes: Vec<u8> = bytes.into_iter().chain([0x0D]).collect();
    let frame = MacFrame::decode(&bytes, &session, Direction::Up, None).expect("whole");
    let expected = MacFrame {
        direction: Direction::Up,
        confirmed: false,
        ack: false,
        count: 2,
        data: Some((1, b"test".to_vec())),
    };
    assert_eq!(frame, expected);
    assert_eq!(frame.encode(&session), bytes);
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x01;
        assert_eq!(MacFrame::decode(&damaged, &session, Direction::Up, None), None, "byte {at}");
        assert_eq!(MacFrame::decode(&bytes[..at], &session, Direction::Up, None), None);
    }
    assert_eq!(MacFrame::decode(&bytes, &session, Direction::Down, None), None);
}

#[test]
fn a_counter_continues_beyond_sixteen_bits() {
    let session = Session::of_pair(7);
    for (count, last) in [(0, None), (0x1_0000, Some(0xFFFF)), (0x1_0003, Some(0x1_0003))] {
        let frame =
            MacFrame { direction: Direction::Down, confirmed: true, ack: true, count, data: None };
        let bytes = frame.encode(&session);
        assert_eq!(bytes.len(), OVERHEAD - 1, "no port without data");
        assert_eq!(MacFrame::decode(&bytes, &session, Direction::Down, last), Some(frame));
    }
}

#[test]
fn airtimes_are_those_of_semtechs_formula() {
    // Data bytes and microseconds; 13 B are around the data.
    let cases = [
        (Plan::Eu868, Direction::Up, 5, 12, 61_696),
        (Plan::Eu868, Direction::Up, 5, 242, 399_616),
        (Plan::Eu868, Direction::Up, 0, 12, 1_482_752),
        (Plan::Eu868, Direction::Up, 0, 51, 2_793_472),
        (Plan::Eu868, Direction::Down, 3, 12, 205_824),
        (Plan::Us915, Direction::Up, 0, 11, 370_688),
        (Plan::Us915, Direction::Down, 8, 12, 329_728),
    ];
    for (plan, direction, nth, data, us) in cases {
        let rate = plan.data_rate(direction, nth).expect("listed");
        assert_eq!(rate.duration_ns(direction, data), us * 1_000, "{plan:?} {direction:?} {nth}");
    }
}

#[test]
fn uplinks_of_us915_keep_the_dwell_time_and_have_windows() {
    for nth in 0..=4 {
        let rate = Plan::Us915.data_rate(Direction::Up, nth).expect("listed");
        let longest = rate.duration_ns(Direction::Up, rate.most);
        assert!(longest <= Plan::Us915.longest_ns(), "{nth}: {longest}");
        let answer = Plan::Us915.first_window(nth);
        assert!(Plan::Us915.data_rate(Direction::Down, answer).is_some());
    }
    // The channels of sub-band 2 (channels 8 to 15 and 65), and the windows after them.
    assert_eq!(Plan::Us915.channels(3, 2), (8, 8));
    assert_eq!([8, 15].map(|nth| Plan::Us915.channel_khz(nth)), [903_900, 905_300]);
    assert_eq!(Plan::Us915.channels(4, 2), (65, 1));
    assert_eq!(Plan::Us915.channel_khz(65), 904_600);
    assert_eq!([8, 15].map(|nth| Plan::Us915.first_window_khz(nth)), [923_300, 927_500]);
}

#[test]
fn an_uplink_arrives_after_the_air_the_backhaul_and_the_deduplication() {
    let pair = pair(config(Plan::Eu868), NETWORK, Clock::exact());
    let arrived = pair.at_application();
    pair.uplinks(vec![vec![1; 12]]);
    pair.run_s(10);
    assert_eq!(*arrived.borrow(), [(61_696_000 + (20 + 200 + 50) * MS, vec![1; 12])]);
    let heard = pair.heard.borrow();
    assert_eq!(heard.len(), 1, "no downlink without a reason");
    assert!([868_100, 868_300, 868_500].contains(&heard[0].khz));
    assert_eq!(heard[0].bytes.len(), 25);
}

#[test]
fn the_next_uplink_waits_for_the_off_time_or_for_the_second_window() {
    let airtime = 61_696_000;
    let eu = pair(config(Plan::Eu868), NETWORK, Clock::exact());
    eu.uplinks(vec![vec![1; 12], vec![2; 12]]);
    eu.run_s(20);
    let begins: Vec<u64> = eu.heard.borrow().iter().map(|one| one.begin).collect();
    // 99 airtimes after the end of the first one.
    assert_eq!(begins, [0, 100 * airtime]);
    assert_eq!(*eu.incidents.borrow(), ["duty cycle off time"]);

    let us = pair(config(Plan::Us915), NETWORK, Clock::exact());
    us.uplinks(vec![vec![1; 12], vec![2; 12]]);
    us.run_s(20);
    let begins: Vec<u64> = us.heard.borrow().iter().map(|one| one.begin).collect();
    // SF12 at 500 kHz: symbols of 8.192 ms; the window has ceil(4 + 20 / 8.192) of them and opens 4
    // symbols less half of it after the nominal time.
    let (symbol, symbols) = (8_192_000, 7);
    let window = 4 * symbol - symbols * symbol / 2 + symbols * symbol;
    assert_eq!(begins, [0, airtime + 2_000 * MS + window]);
}

#[test]
fn a_confirmed_uplink_is_acknowledged_in_the_first_window() {
    let config = Config { confirmed: true, transmissions: 8, ..config(Plan::Eu868) };
    let pair = pair(config, NETWORK, Clock::exact());
    pair.uplinks(vec![vec![1; 12]]);
    pair.run_s(10);
    let heard = pair.heard.borrow();
    assert_eq!(heard.len(), 2);
    assert_eq!((heard[1].up, heard[1].begin), (false, heard[0].end + 1_000 * MS));
    assert_eq!((heard[1].khz, heard[1].bytes.len()), (heard[0].khz, 12));
    assert_eq!(pair.device.take_results().done, 1);
    assert!(pair.incidents.borrow().is_empty());
}

#[test]
fn an_acknowledgement_that_is_late_or_lost_comes_in_the_second_window_or_with_a_repetition() {
    let confirmed = Config { confirmed: true, transmissions: 8, ..config(Plan::Eu868) };
    let slow = NetworkConfig { backhaul: Duration::from_ms(400), ..NETWORK };
    let late = pair(confirmed, slow, Clock::exact());
    late.uplinks(vec![vec![1; 12]]);
    late.run_s(10);
    let heard = late.heard.borrow();
    assert_eq!((heard.len(), heard[1].khz), (2, 869_525));
    assert_eq!(heard[1].begin, heard[0].end + 2_000 * MS);
    assert_eq!(*late.incidents.borrow(), ["second window"]);
    assert_eq!(late.device.take_results().done, 1);

    let lossy = pair(confirmed, NETWORK, Clock::exact());
    let (device, gateway) = (lossy.device.id(), lossy.network.id());
    lossy.air.set_loss(gateway, device, Nth(vec![0], 0));
    let arrived = lossy.at_application();
    lossy.uplinks(vec![vec![1; 12]]);
    lossy.run_s(20);
    let heard = lossy.heard.borrow();
    let ups: Vec<&Heard> = heard.iter().filter(|one| one.up).collect();
    assert_eq!(ups.len(), 2);
    assert_eq!(ups[0].bytes, ups[1].bytes, "the same counter");
    assert!(ups[1].begin >= 100 * 61_696_000, "the duty cycle holds for repetitions");
    assert_eq!(arrived.borrow().len(), 1, "the application gets it once");
    assert_eq!(*lossy.incidents.borrow(), ["repeated uplink", "duty cycle off time", "duplicate"]);
    assert_eq!(lossy.device.take_results().done, 1);
}

#[test]
fn a_confirmed_uplink_is_given_up_after_its_last_transmission() {
    let config = Config { confirmed: true, transmissions: 3, ..config(Plan::Us915) };
    let pair = pair(config, NETWORK, Clock::exact());
    pair.air.separate(pair.device.id(), pair.network.id());
    pair.uplinks(vec![vec![1; 12]]);
    pair.run_s(60);
    let heard = pair.heard.borrow();
    assert_eq!(heard.len(), 3);
    for two in heard.windows(2) {
        // Both windows, and 1 to 3 s.
        let wait = two[1].begin - two[0].end;
        assert!((3_000 * MS..5_100 * MS).contains(&wait), "{wait}");
    }
    assert_eq!(pair.device.take_results(), super::device::Results { done: 0, lost: 1 });
}

#[test]
fn a_downlink_of_class_a_waits_for_an_uplink_and_one_of_class_c_does_not() {
    let reports = Config { report_period: Duration::from_secs(60), ..config(Plan::Eu868) };
    let a = pair(reports, NETWORK, Clock::exact());
    let arrived = a.at_device();
    a.downlinks(vec![vec![7; 12]]);
    a.run_s(61);
    let heard = a.heard.borrow();
    let up = heard.iter().find(|one| one.up).expect("a report");
    assert_eq!(up.bytes.len(), 12, "without data");
    // SF7 without a CRC: 25 B.
    assert_eq!(*arrived.borrow(), [(up.end + 1_000 * MS + 61_696_000, vec![7; 12])]);

    let c = pair(Config { class: Class::C, ..config(Plan::Eu868) }, NETWORK, Clock::exact());
    let arrived = c.at_device();
    c.downlinks(vec![vec![7; 12], vec![8; 12]]);
    c.run_s(10);
    // Application, backhaul, and SF9; then the band's 10 %.
    let (first, airtime) = ((50 + 20) * MS, 205_824_000);
    let second = first + 10 * airtime + airtime;
    let arrived = arrived.borrow();
    assert_eq!(arrived[0], (first + airtime, vec![7; 12]));
    assert_eq!(arrived[1], (second, vec![8; 12]));
}

#[test]
fn a_window_is_wide_enough_for_its_timing_error_and_no_wider() {
    let confirmed = Config { confirmed: true, ..config(Plan::Eu868) };
    for (ppm, acknowledged) in
        [(0, true), (9_000, true), (-9_000, true), (30_000, false), (-30_000, false)]
    {
        let pair = pair(confirmed, NETWORK, Clock::exact().with_ppb(ppm * 1_000));
        pair.uplinks(vec![vec![1; 12]]);
        pair.run_s(10);
        let done = pair.device.take_results().done;
        assert_eq!(done == 1, acknowledged, "{ppm} ppm");
    }
}

#[test]
fn hopping_uses_each_channel_once_in_turn() {
    let pair = pair(config(Plan::Us915), NETWORK, Clock::exact());
    pair.uplinks(vec![vec![1]; 16]);
    pair.run_s(60);
    let heard = pair.heard.borrow();
    assert_eq!(heard.len(), 16);
    for turn in heard.chunks(8) {
        let mut channels: Vec<u32> = turn.iter().map(|one| one.khz).collect();
        channels.sort_unstable();
        let expected: Vec<u32> = (0..8).map(|nth| 903_900 + 200 * nth).collect();
        assert_eq!(channels, expected);
    }
}

#[test]
fn a_gateway_that_sends_hears_nothing() {
    let pair = pair(Config { class: Class::C, ..config(Plan::Eu868) }, NETWORK, Clock::exact());
    let arrived = pair.at_application();
    pair.downlinks(vec![vec![7; 12]]);
    let device = Rc::clone(&pair.device);
    let sim = pair.bench.sim();
    pair.bench.spawn("device", async move {
        // During the downlink, which begins after 70 ms and lasts 206 ms.
        sim.sleep(Duration::from_ms(100)).await;
        device.queue(&[1; 12]).await;
    });
    pair.run_s(10);
    assert!(arrived.borrow().is_empty());
    assert_eq!(pair.heard.borrow().len(), 2);
}

#[test]
fn frames_of_other_devices_are_ignored() {
    let pair = pair(config(Plan::Eu868), NETWORK, Clock::exact());
    let other = Config { session: Session::of_pair(1), ..config(Plan::Eu868) };
    let stranger = Device::new(&pair.air, "stranger", &pair.bench, Clock::exact(), other);
    let arrived = pair.at_application();
    let sends = Rc::clone(&stranger);
    pair.bench.spawn("stranger", async move { sends.queue(&[9; 12]).await });
    pair.run_s(10);
    assert!(arrived.borrow().is_empty());
    assert_eq!(pair.heard.borrow().len(), 1);
}
