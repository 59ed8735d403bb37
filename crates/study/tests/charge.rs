//! Charges compared with values calculated by hand from state times and datasheets, and with
//! published currents.

use airlag_kinds::registry;
use airlag_link::airtime::nrf24::Rate;
use airlag_link::airtime::{ble, nrf24};
use airlag_rig::emissions::emitted;
use airlag_rig::places::run_at;
use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, Run, idle, run};
use airlag_rig::stimulus::{Periodic, Stimulus};
use airlag_sim::Duration;
use airlag_sim::meter::{Part, State};
use airlag_stats::pair::{PairOptions, pair};
use airlag_study::charge::{ENDS, EndCharge, charge, slices};

fn profile(link: &str, settings: &[(&str, &str)]) -> Profile {
    let mut profile = registry::find(link).expect("a link");
    for (name, value) in settings {
        profile.set(name, value).expect("a setting");
    }
    profile
}

fn every(period: Duration, count: usize) -> Stimulus {
    let (phase, jitter) = (Duration::ZERO, Duration::ZERO);
    Stimulus::Periodic(Periodic { period, count, phase, jitter, drift_ppb: 0 })
}

fn ran(profile: &Profile, size: usize, period: Duration, count: usize) -> Run {
    run(profile, size, &every(period, count), Options::default()).expect("a run")
}

/// Time that the radio of an end spent in a state, ns.
fn spent(run: &Run, end: &str, state: State) -> u64 {
    let radios = run.draws.of(end).filter(|one| one.part == Part::Radio);
    radios.map(|radio| radio.spent_ns[state.index()]).sum()
}

fn ends(profile: &Profile, size: usize, run: &Run, count: u64) -> Vec<EndCharge> {
    charge(profile, size, count, &run.draws, Options::default()).expect("known").ends
}

/// Charge of the radio of an end in a state, aC.
fn of_radio(end: &EndCharge, state: State) -> u128 {
    let radios = end.parts.iter().filter(|part| part.currents.part == Part::Radio);
    let states = radios.flat_map(|part| &part.states).filter(|one| one.state == state);
    states.map(|one| one.charge_ac()).sum()
}

#[test]
fn a_message_of_nrf24_draws_what_its_datasheet_says_for_as_long_as_its_frames_last() {
    let profile = profile("nrf24-2m", &[]);
    let run = ran(&profile, 12, Duration::from_ms(200), 1);
    let ends = ends(&profile, 12, &run, 1);
    let frame = nrf24::Frame::enhanced(Rate::Mbps2, 3);
    let (there, back) = (frame.duration_ns(32), frame.duration_ns(0));
    // 5.1: 11.3 mA at 0 dBm, 8.0 mA while settling to transmit, 8.9 mA while settling to receive,
    // 13.5 mA while receiving.
    assert_eq!(of_radio(&ends[0], State::Transmit), u128::from(there) * 11_300_000);
    assert_eq!(of_radio(&ends[0], State::SettleTransmit), 130_000 * 8_000_000);
    assert_eq!(of_radio(&ends[0], State::SettleReceive), 130_000 * 8_900_000);
    assert_eq!(of_radio(&ends[1], State::Transmit), u128::from(back) * 11_300_000);
    let receiving = spent(&run, "receiver", State::Receive);
    assert_eq!(of_radio(&ends[1], State::Receive), u128::from(receiving) * 13_500_000);
    // The receiver listens except during an answer: two turnarounds of 130 us, and the answer
    // itself.
    let all = ends[1].elapsed_ns;
    assert_eq!(receiving, all - back - 2 * 130_000);
}

#[test]
fn a_radio_that_powers_down_between_messages_draws_a_thirtieth_and_starts_its_crystal_for_each() {
    let (standby, down) =
        (profile("nrf24-2m", &[]), profile("nrf24-2m", &[("idle", "power-down")]));
    let radio = |of: &Profile| {
        let quiet = idle(of, 12, Duration::from_secs(10), Options::default()).expect("a bench");
        let end = charge(of, 12, 1, &quiet, Options::default()).expect("known").ends.remove(0);
        let radio = end.parts.iter().find(|part| part.currents.part == Part::Radio).expect("one");
        radio.charge_ac() as f64 / end.elapsed_ns as f64
    };
    // 5.1: 26 uA in standby-I, 900 nA in power down.
    assert!((radio(&standby) - 26_000.0).abs() < 1.0, "{}", radio(&standby));
    assert!((radio(&down) - 900.0).abs() < 1.0, "{}", radio(&down));
    // 6.1.7: up to 4.5 ms until it can send, of which this crystal needs 1.5.
    let latency = |of: &Profile| {
        let run = ran(of, 128, Duration::from_ms(200), 3);
        let paired = pair(&run.trace, PairOptions::default());
        let starts = run.draws.of("sender").find(|one| one.part == Part::Radio);
        (paired.latencies_ns()[0], starts.expect("one").spent_ns[State::Start.index()])
    };
    let ((soon, _), (later, starts)) = (latency(&standby), latency(&down));
    assert!((4_500_000..4_600_000).contains(&(later - soon)), "{soon} and {later} ns");
    assert_eq!(starts, 3 * 1_500_000, "once for the four frames of a message");
}

#[test]
fn a_chip_that_waits_for_a_reply_cannot_power_down() {
    let told = profile("nrf24-2m", &[("idle", "power-down"), ("reply", "turn")]);
    let error = run(&told, 12, &every(Duration::from_ms(200), 1), Options::default());
    let line = error.map(|_| ()).expect_err("it listens").to_string();
    assert!(line.contains("cannot power down"), "{line}");
}

#[test]
fn an_event_of_ble_draws_what_its_datasheet_says_for_as_long_as_its_packets_last() {
    let profile = profile("ble-nus-notify", &[]);
    let run = ran(&profile, 12, Duration::from_ms(500), 1);
    let ends = ends(&profile, 12, &run, 1);
    // In all events but one or two, one empty packet in each direction. 2M has 4 us per byte and 11
    // bytes of overhead.
    let empty = ble::Phy::Le2M.duration_ns(0);
    // The processor also wakes for other reasons, so only the radio is compared.
    let radio = ends[0].parts.iter().find(|part| part.currents.part == Part::Radio);
    let events = radio.expect("one").wakes;
    for end in &ends {
        let drawn = of_radio(end, State::Transmit);
        let least = u128::from(events * empty) * 6_400_000;
        assert!(drawn >= least, "{}: {drawn} of {least}", end.end);
        let radio = end.parts.iter().find(|part| part.currents.part == Part::Radio).expect("one");
        let states: u128 = radio.states.iter().map(|one| one.charge_ac()).sum();
        let waking = u128::from(radio.wakes) * 600 * 1_000_000_000;
        assert_eq!(radio.charge_ac(), states + waking);
    }
}

#[test]
fn every_radio_transmits_when_the_air_has_its_frames_and_is_charged_for_it() {
    for profile in registry::all().expect("profiles") {
        if profile.name.ends_with("-woken") || !profile.has_message() {
            continue;
        }
        let stimulus = every(Duration::from_ms(1_500), 3);
        let options = Options { spans: true, ..Options::default() };
        let (run, senders) = emitted(profile, 12, &stimulus, options).expect("a run");
        // Frames are recorded from the first trigger on, and only when they have ended.
        let (begin_ns, end_ns) =
            (run.trace.channels[0].segments[0].edges_ns[0], run.trace.end_ns());
        for radio in run.draws.parts.iter().filter(|one| one.part == Part::Radio) {
            let mut sending: Vec<(i64, i64)> = Vec::new();
            for one in radio.stretches.iter().filter(|one| one.state == State::Transmit) {
                match sending.last_mut() {
                    Some(last) if last.1 == one.begin_ns => last.1 = one.end_ns,
                    _ => sending.push((one.begin_ns, one.end_ns)),
                }
            }
            // A frame that was on the air when the bench was ready is not included.
            sending.retain(|one| one.0 > begin_ns && one.1 < end_ns);
            let frames = senders.iter().filter(|sender| sender.name == radio.name);
            let mut heard: Vec<(i64, i64)> = Vec::new();
            for frame in frames.flat_map(|sender| &sender.emissions) {
                let ns = (frame.begin_ns as i64 + begin_ns, frame.end_ns as i64 + begin_ns);
                match heard.last_mut() {
                    Some(last) if last.1 == ns.0 => last.1 = ns.1,
                    _ => heard.push(ns),
                }
            }
            heard.retain(|one| one.1 < end_ns);
            let until = heard.last().map_or(begin_ns, |one| one.1);
            sending.retain(|one| one.1 <= until);
            assert_eq!(sending, heard, "{} {}", profile.name, radio.name);
        }
        for end in ends(profile, 12, &run, 3) {
            for part in end.parts.iter().filter(|part| part.currents.part == Part::Radio) {
                let current = part.currents.current_na(State::Transmit, profile).expect("listed");
                let spent = run
                    .draws
                    .of(end.end)
                    .find(|one| one.name == part.name && one.part == Part::Radio);
                let spent_ns = spent.expect("drawn").spent_ns[State::Transmit.index()];
                let drawn = part.states.iter().find(|one| one.state == State::Transmit);
                let drawn = drawn.map_or(0, |one| one.charge_ac());
                assert_eq!(drawn, u128::from(spent_ns) * u128::from(current), "{}", profile.name);
            }
        }
    }
}

#[test]
fn the_slices_of_messages_cost_what_the_messages_do() {
    for link in
        ["nrf24-2m", "lora-sf7-250k", "ble-nus-notify", "espnow", "sik-64k", "wifi-tcp-default"]
    {
        let profile = profile(link, &[]);
        let options = Options { spans: true, ..Options::default() };
        let run = run(&profile, 128, &every(Duration::from_ms(700), 20), options).expect("a run");
        let transfers = pair(&run.trace, PairOptions::default());
        let found = slices(&profile, &run, &transfers).expect("known");
        assert_eq!(found.len(), 2, "{link}");
        for one in found {
            assert_eq!(one.items.iter().map(|item| item.1).sum::<u128>(), one.total_ac, "{link}");
            // Calculated by adding up every nanosecond between trigger and completion.
            let mut by_hand = 0_u128;
            for part in run.draws.of(one.end) {
                let Some(currents) = listed(&profile, one.end, part.part, &part.name) else {
                    continue;
                };
                for (nth, stretch) in part.stretches.iter().enumerate() {
                    let current =
                        u128::from(currents.current_na(stretch.state, &profile).expect("listed"));
                    let rests = |state| matches!(state, State::PowerDown | State::Sleep);
                    let wakes =
                        nth > 0 && rests(part.stretches[nth - 1].state) && !rests(stretch.state);
                    for (&trigger, &completion) in
                        transfers.trigger_ns.iter().zip(&transfers.completion_ns)
                    {
                        if completion < trigger {
                            continue;
                        }
                        let (from, to) =
                            (stretch.begin_ns.max(trigger), stretch.end_ns.min(completion));
                        by_hand += (to - from).max(0) as u128 * current;
                        if wakes && (trigger < stretch.begin_ns && stretch.begin_ns <= completion) {
                            by_hand += u128::from(currents.wake_nc()) * 1_000_000_000;
                        }
                    }
                }
            }
            assert_eq!(one.total_ac, by_hand, "{link} {}", one.end);
        }
    }
}

fn listed(
    profile: &Profile,
    end: &str,
    part: Part,
    name: &str,
) -> Option<&'static airlag_rig::parts::Currents> {
    let fed = if end == ENDS[0] { &profile.supply.sender } else { &profile.supply.receiver };
    let fed = fed.as_ref()?;
    let key = match part {
        Part::Radio => fed.radio.as_ref(),
        Part::Processor if name == end => fed.processor.as_ref(),
        Part::Processor => fed.modem.as_ref(),
    };
    key.map(|key| airlag_rig::parts::find(key).expect("listed"))
}

/// nRF24L01+ v1.0, 5.1, `IVDD_AVG` with its note: 0.12 mA on average at -6 dBm, ShockBurst, 10
/// kbit/s in packets of the largest payload. The bit rate on the air is not stated; the figure
/// matches 2 Mbit/s.
#[test]
fn nrf24_draws_on_average_what_its_maker_publishes() {
    let settings = [("acknowledge", "false"), ("tx_power", "-6")];
    let profile = profile("nrf24-2m", &settings);
    let (period, count) = (Duration::from_us(25_600), 400);
    let run = ran(&profile, 32, period, count);
    let ends = ends(&profile, 32, &run, count as u64);
    let radio = ends[0].parts.iter().find(|part| part.currents.part == Part::Radio).expect("one");
    let milliamperes = radio.charge_ac() as f64 / ends[0].elapsed_ns as f64 / 1e6;
    assert!((milliamperes / 0.12 - 1.0).abs() < 0.15, "{milliamperes} mA");
}

/// Transmit and receive time of a peripheral's radio in one connection event without data, ns.
fn event_ns(phy: &str) -> (f64, f64) {
    let profile = profile("ble-nus-notify", &[("phy", phy), ("connection_interval", "1s")]);
    let events = 60;
    let duration = Duration::from_secs(events);
    let draws = idle(&profile, 12, duration, Options::default()).expect("a run");
    let radio = draws.of(ENDS[0]).find(|one| one.part == Part::Radio).expect("one");
    let a_while = |state: State| radio.spent_ns[state.index()] as f64 / events as f64;
    (a_while(State::Transmit), a_while(State::Receive))
}

/// Texas Instruments, SWRA793A, table 6-1: a CC2340R5 with a connection interval of 1 s at 0 dBm
/// draws 7 uA at 1M, 6.6 at 2M, 11.5 at S=2 and 13.1 at S=8. The current of its processor is not
/// reported separately, but it is the same in all cases. The differences therefore come from the
/// radio, which draws 5.3 mA while receiving and 5.1 mA while sending.
#[test]
fn an_event_of_bluetooth_low_energy_differs_by_phy_as_a_maker_publishes() {
    let charge_nc = |phy: &str| {
        let (sent, heard) = event_ns(phy);
        (sent * 5.1 + heard * 5.3) / 1e3
    };
    let usual = charge_nc("1M");
    for (phy, published_nc) in [("2M", -400.0), ("coded-s2", 4_500.0), ("coded-s8", 6_100.0)] {
        let ours = charge_nc(phy) - usual;
        assert!((ours / published_nc - 1.0).abs() < 0.15, "{phy}: {ours} nC");
    }
}

/// ESP-IDF programming guide, low power mode in Wi-Fi, modem-sleep of an ESP32 with a DTIM of 1: 31.12 mA
/// on average in a shielded box.
#[test]
fn an_esp32_that_sleeps_between_beacons_draws_what_its_maker_publishes() {
    let profile = profile("wifi-udp-default", &[]);
    let run = ran(&profile, 12, Duration::from_ms(2_000), 2);
    let ends = ends(&profile, 12, &run, 2);
    let milliamperes = ends[0].idle_na / 1e6;
    assert!((milliamperes / 31.12 - 1.0).abs() < 0.15, "{milliamperes} mA");
}

#[test]
fn what_a_message_adds_and_what_is_drawn_anyway_make_the_mean_at_any_rate() {
    for link in ["nrf24-250k", "ble-nus-write", "ieee802154-ack"] {
        let profile = profile(link, &[]);
        let told = |seconds: u64, count: usize| {
            let run = ran(&profile, 64, Duration::from_secs(seconds), count);
            ends(&profile, 64, &run, count as u64).remove(0)
        };
        let (often, seldom) = (told(1, 40), told(10, 40));
        let foreseen = often.average_at_na(0.1).expect("messages");
        assert!((foreseen / seldom.average_na() - 1.0).abs() < 0.02, "{link}");
    }
}

/// The currents of another processor come from its own table; the radio's current and every latency
/// are unchanged.
#[test]
fn another_processor_is_charged_for_the_same_states() {
    let told = |settings: &[(&str, &str)]| {
        let profile = profile("nrf24-2m", settings);
        let run = ran(&profile, 12, Duration::from_ms(200), 5);
        let latencies = pair(&run.trace, PairOptions::default()).latencies_ns();
        (ends(&profile, 12, &run, 5).remove(0), latencies)
    };
    let ((own, quick), (other, as_quick)) = (told(&[]), told(&[("processor", "nrf54l15-cpu")]));
    let (alone, _) = told(&[("processor", "none")]);
    let of = |end: &EndCharge, part: Part| -> Vec<(State, u64)> {
        let parts = end.parts.iter().filter(|one| one.currents.part == part);
        let states = parts.flat_map(|one| &one.states);
        states.map(|one| (one.state, one.spent_ns)).collect()
    };
    assert_eq!(quick, as_quick);
    assert_eq!(of(&own, Part::Processor), of(&other, Part::Processor));
    assert_eq!(of(&own, Part::Radio), of(&alone, Part::Radio));
    assert!(of(&alone, Part::Processor).is_empty());
    assert!(other.parts.iter().any(|one| one.currents.key == "nrf54l15-cpu"));
    assert!(alone.idle_na < other.idle_na && other.idle_na < own.idle_na / 100.0);
}

#[test]
fn where_radio_and_processor_are_one_chip_no_other_is_taken() {
    let mut profile = profile("ble-nus-notify", &[]);
    let refused = profile.set("processor", "stm32f429").expect_err("one chip").to_string();
    assert!(refused.contains("on the radio's chip"), "{refused}");
    profile.set("processor", "own").expect("its own");
}

#[test]
fn nothing_is_said_of_a_link_whose_parts_nobody_lists() {
    let profile = profile("websocket-pi4-wifi", &[]);
    let run = ran(&profile, 12, Duration::from_ms(500), 2);
    assert_eq!(ends(&profile, 12, &run, 2), []);
}

#[test]
fn a_link_among_others_of_its_kind_has_a_charge_too() {
    let profile = profile("nrf24-2m", &[("neighbours", "same-link:2")]);
    let run = ran(&profile, 12, Duration::from_ms(500), 3);
    assert_eq!(ends(&profile, 12, &run, 3).len(), 2);
}

/// If connections break at some locations, the idle current is measured at the same locations.
#[test]
fn what_places_draw_anyway_is_no_message_s() {
    let profile = profile("ble-nus-notify", &[("range", "40"), ("environment", "office")]);
    let stimulus = every(Duration::from_ms(500), 200);
    let options = Options::default();
    let run = run_at(&profile, 12, &stimulus, options, 20).expect("a run");
    let ends = ends(&profile, 12, &run, 200);
    let microcoulombs = ends[0].marginal_nc().expect("messages") / 1e3;
    assert!((2.0..20.0).contains(&microcoulombs), "{microcoulombs} uC");
}
