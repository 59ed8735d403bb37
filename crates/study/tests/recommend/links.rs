//! Requirements whose answers an engineer knows.

use airlag_law::Region;
use airlag_sim::Duration;
use airlag_study::recommend::criterion::Name;
use airlag_study::recommend::{Candidate, Task, Verdict};

use super::{
    MS, among, at, contenders, criterion, of, passing, recommended, setting, supplied, task,
};

#[test]
fn a_coin_cell_feeds_one_message_a_second_over_bluetooth_le_for_years() {
    let period = Some(Duration::from_secs(1));
    let limits = supplied("CR2032", 1.0, 1.0);
    let found = recommended(&Task { period, limits, ..task(12, 100 * MS) });
    let ble = of(&found, "ble-nus-notify");
    assert_eq!(ble.verdict, Verdict::Passes, "{}", ble.reason);
    // Its radio rests between messages.
    let rests = setting(ble, "latency").or(setting(ble, "connection_interval"));
    assert!(rests.is_some(), "{:?}", ble.settings);
    // Among the configurations within 100 ms, the one with the longest battery life: 3.2 uA of
    // sleep current; per message two events of 3.4 uC and 1.2 uC, because the acknowledgement comes
    // with the second event.
    let years = criterion(ble, Name::BatteryLife).value.expect("a life");
    assert!((2.0..3.0).contains(&years), "{years} {:?}", ble.settings);
    let quantile = criterion(ble, Name::Deadline).value.expect("a latency");
    assert!((15.0..100.0).contains(&quantile), "{quantile}");
    // A coin cell cannot supply any board with Wi-Fi.
    let wifi = of(&found, "wifi-udp-default");
    assert_eq!(wifi.verdict, Verdict::Fails);
    assert_eq!(criterion(wifi, Name::PeakCurrent).verdict, Verdict::Fails);
}

#[test]
fn one_message_an_hour_is_fed_for_five_years_by_a_ble_peripheral_that_skips_events() {
    let period = Some(Duration::from_secs(3_600));
    let limits = supplied("CR2032", 5.0, 1.0 / 3_600.0);
    let asked = Task { period, limits, ..task(12, 2_000 * MS) };
    let found = recommended(&among(&["ble-nus-notify", "ble-sci-write"], asked));
    let ble = of(&found, "ble-nus-notify");
    assert_eq!(ble.verdict, Verdict::Passes, "{}", ble.reason);
    // An event of 3.4 uC each second would add as much to the 3.2 uA of sleep current. With skipped
    // events, the standard requires a longer supervision timeout.
    for name in ["connection_interval", "latency", "supervision_timeout"] {
        assert!(setting(ble, name).is_some(), "{name}: {:?}", ble.settings);
    }
    for one in &found.candidates {
        let quantile = criterion(one, Name::Deadline).value.expect("a latency");
        let largest = one.trial.as_ref().and_then(|trial| trial.largest).expect("an activity");
        assert!(largest.ns as f64 <= quantile * MS as f64, "{}: {largest:?}", one.link);
    }
}

#[test]
fn a_battery_lasts_at_the_rate_of_the_messages() {
    // 10 uA between messages give 2.6 years with 235 mAh. A message needs 1.2 uC, and two
    // additional events if the peripheral skips events.
    for (latency, interval) in [("15", "30ms"), ("0", "500ms")] {
        let life = |per_second: f64| {
            let settings = [("latency", latency), ("connection_interval", interval)];
            let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
            let limits = supplied("CR2032", 1.0, per_second);
            let period = Some(Duration::from_ns((1e9 / per_second) as u64));
            let asked = Task { period, limits, settings, ..task(12, 1_000 * MS) };
            let found = recommended(&among(&["ble-nus-notify"], asked));
            criterion(of(&found, "ble-nus-notify"), Name::BatteryLife).value.expect("a life")
        };
        let (rare, often) = (life(1.0 / 60.0), life(1.0));
        assert!((2.4..2.9).contains(&rare), "{interval}: {rare}");
        let expected = if latency == "0" { 2.1..2.6 } else { 1.5..2.1 };
        assert!(expected.contains(&often), "{interval}: {often}");
    }
}

#[test]
fn kilometres_in_open_country_in_the_eu_are_for_lora_at_868_mhz() {
    for range in ["1km", "2km"] {
        let period = Some(Duration::from_secs(60));
        let region = Some(Region::Eu);
        let found =
            recommended(&at(range, "outdoor", Task { period, region, ..task(12, 3_000 * MS) }));
        let passing = passing(&found);
        assert!(passing.first().is_some_and(|one| one.link.starts_with("lora")), "{range}");
        for one in passing {
            assert_eq!(criterion(one, Name::Law).verdict, Verdict::Passes);
            if one.link.starts_with("lorawan") {
                let plan = setting(one, "plan").is_none_or(|plan| plan == "eu868");
                assert!(plan && (one.link.contains("eu868") || setting(one, "plan").is_some()));
                continue;
            }
            // Its region has the frequency.
            if one.link.starts_with("meshtastic") {
                let is_european = !one.link.ends_with("us915");
                assert!(setting(one, "region").map_or(is_european, |region| region == "eu868"));
                continue;
            }
            // No link at 2.4 GHz reaches a kilometre; SiK at its slower rates does, in the same
            // band.
            let frequency = setting(one, "frequency").or(setting(one, "min_frequency"));
            let frequency = frequency.unwrap_or_else(|| panic!("{range}: {}", one.link));
            assert!(frequency.starts_with("868") || frequency.starts_with("869"), "{frequency}");
        }
    }
}

#[test]
fn a_profile_for_another_region_gives_way_to_the_one_for_this_region() {
    let names = |region| -> Vec<String> {
        let task = Task { region, ..task(12, 3_000 * MS) };
        let found = contenders(&task).expect("a right task");
        found.into_iter().map(|one| one.profile.name).collect()
    };
    let made_for = |names: &[String], plan: &str| {
        names.iter().filter(|name| name.starts_with("lorawan") && name.contains(plan)).count()
    };
    let counts = |names: &[String]| (made_for(names, "eu868"), made_for(names, "us915"));
    assert_eq!(counts(&names(None)), (3, 3));
    let [eu, us] = [Region::Eu, Region::Us].map(|region| names(Some(region)));
    assert_eq!((counts(&eu), counts(&us)), ((3, 0), (0, 3)));
    // No profile of plain LoRa is made for the EU, so that this one is moved.
    assert!(eu.iter().any(|name| name == "lora-sf7-250k"));
    let named = Task { region: Some(Region::Eu), ..task(12, 3_000 * MS) };
    let named = contenders(&among(&["lorawan-us915-class-c", "lorawan-eu868-class-c"], named));
    assert_eq!(named.expect("a right task").len(), 2);
}

#[test]
fn half_a_second_over_a_kilometre_in_the_us_is_for_lora_500_khz_wide() {
    let period = Some(Duration::from_ms(500));
    let region = Some(Region::Us);
    let found = recommended(&at("1km", "outdoor", Task { period, region, ..task(24, 500 * MS) }));
    let lora: Vec<&Candidate> =
        passing(&found).into_iter().filter(|one| one.link.starts_with("lora")).collect();
    assert!(!lora.is_empty());
    for one in &lora {
        assert_eq!(setting(one, "bandwidth"), Some("500kHz"), "{:?}", one.settings);
    }
    // SF8 at 20 dBm: 28.3 ms on the air.
    let quickest = criterion(lora[0], Name::Deadline).value.expect("it arrives");
    assert!((25.0..35.0).contains(&quickest), "{quickest}");
    assert_eq!(setting(lora[0], "tx_power"), Some("20"), "{:?}", lora[0].settings);
}

#[test]
fn twenty_milliseconds_over_100_metres_in_the_eu_are_for_esp_now_and_ieee_802_15_4() {
    let region = Some(Region::Eu);
    let found = recommended(&at("100m", "outdoor", Task { region, ..task(12, 20 * MS) }));
    let passing = passing(&found);
    let links: Vec<&str> = passing.iter().map(|one| one.link.as_str()).collect();
    assert!(links.iter().any(|link| link.starts_with("espnow")), "{links:?}");
    let quiet = of(&found, "ieee802154-ack");
    assert_eq!(quiet.verdict, Verdict::Passes, "{}", quiet.reason);
    // 10 dBm in a megahertz.
    let power: f64 = setting(quiet, "tx_power").expect("less power").parse().expect("a number");
    assert!((9.0..=11.0).contains(&power), "{power}");
}

#[test]
fn two_milliseconds_separate_a_woken_task_from_one_that_polls_a_tick() {
    let fixed = [("trigger_notice", "tick"), ("tick_period", "10ms")];
    let settings = fixed.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let asked = among(&["espnow", "nrf24-2m", "lora-sf7-250k"], task(12, 2 * MS));
    let found = recommended(&Task { settings, ..asked.clone() });
    assert_eq!(of(&found, "nrf24-2m").verdict, Verdict::Passes);
    let polls = of(&found, "espnow");
    assert_eq!(polls.verdict, Verdict::Fails, "{}", polls.reason);
    let largest = polls.trial.as_ref().and_then(|trial| trial.largest).expect("it arrives");
    assert_eq!(largest.label.name, "tick wait");
    // At 5 kbit/s, the airtime of LoRa alone is longer than this.
    let lora = of(&found, "lora-sf7-250k");
    assert_eq!(lora.verdict, Verdict::Fails);
    assert!(criterion(lora, Name::Deadline).reason.starts_with("lower bound "), "{}", lora.reason);
    // If the notice of the trigger is not set, the search lets the trigger wake the task.
    let found = recommended(&asked);
    let woken = of(&found, "espnow");
    assert_eq!(setting(woken, "trigger_notice"), Some("woken"), "{}", woken.reason);
}

#[test]
fn a_range_is_judged_where_there_is_a_model_and_undecided_where_there_is_none() {
    let links = ["nrf24-2m", "uart-921600-irq"];
    let asked = among(&links, task(128, 16_600_000));
    let (near, far) = (
        recommended(&at("1m", "outdoor", asked.clone())),
        recommended(&at("50km", "outdoor", asked)),
    );
    assert_eq!(of(&near, "nrf24-2m").verdict, Verdict::Passes);
    let lost = of(&far, "nrf24-2m");
    assert_eq!(lost.verdict, Verdict::Fails);
    assert_eq!(criterion(lost, Name::Delivery).value, Some(0.0));
    let wire = of(&far, "uart-921600-irq");
    assert_eq!(wire.verdict, Verdict::Undecided);
    assert!(wire.reason.contains("no propagation model"), "{}", wire.reason);
}

#[test]
fn a_region_moves_sik_to_its_band_and_the_duty_cycle_of_that() {
    let in_region = |region| {
        let period = Some(Duration::from_secs(5));
        let asked = Task { period, region: Some(region), ..task(12, 500 * MS) };
        recommended(&among(&["sik-64k"], asked))
    };
    let (eu, us) = (in_region(Region::Eu), in_region(Region::Us));
    let eu = of(&eu, "sik-64k");
    assert_eq!(criterion(eu, Name::Law).verdict, Verdict::Passes, "{}", eu.reason);
    let low: f64 =
        setting(eu, "min_frequency").expect("moved").replace("kHz", "").parse().expect("kHz");
    assert!((868_000.0..870_000.0).contains(&low), "{low}");
    assert!(setting(eu, "duty_cycle").is_some(), "{:?}", eu.settings);
    // With its default settings it is a radio for the 915 MHz band.
    let us = of(&us, "sik-64k");
    assert_eq!(
        (us.verdict, setting(us, "min_frequency")),
        (Verdict::Passes, None),
        "{}",
        us.reason
    );
}

#[test]
fn a_second_copy_bridges_300_metres_among_houses() {
    let region = Some(Region::Us);
    let asked = at("300m", "suburban", Task { region, ..task(64, 500 * MS) });
    let found = recommended(&among(&["lora-sf7-250k", "lora-sf11-62k5"], asked));
    let passing = passing(&found);
    assert!(!passing.is_empty(), "{}", found.candidates[0].reason);
    for one in passing {
        assert_eq!(setting(one, "bandwidth"), Some("500kHz"), "{:?}", one.settings);
        assert!(setting(one, "transmissions").is_some(), "{:?}", one.settings);
        // Two packets of SF9 or SF10 fit into 500 ms.
        let quantile = criterion(one, Name::Deadline).value.expect("it arrives");
        assert!((90.0..500.0).contains(&quantile), "{quantile}");
    }
}

#[test]
fn a_battery_sends_an_esp32_to_deep_sleep_where_the_deadline_has_time_for_its_start() {
    let asked = |deadline_ms: i64| {
        let period = Some(Duration::from_secs(600));
        let limits = supplied("2xAA", 1.0, 1.0 / 600.0);
        let asked = Task { period, limits, ..task(12, deadline_ms * MS) };
        recommended(&among(&["espnow-woken", "wifi-udp-tuned-woken"], asked))
    };
    let found = asked(3_000);
    for link in ["espnow-woken", "wifi-udp-tuned-woken"] {
        let one = of(&found, link);
        assert_eq!(one.verdict, Verdict::Passes, "{link}: {}", one.reason);
        assert_eq!(setting(one, "rest"), Some("deep"), "{link}");
    }
    // 0.3 s of boot and 0.1 s of driver start at about 60 mA are 25 mC, or 40 uA with one message
    // in ten minutes.
    let years = criterion(of(&found, "espnow-woken"), Name::BatteryLife).value.expect("a life");
    assert!((2.5..8.0).contains(&years), "{years}");
    let hurried = asked(100);
    assert_eq!(of(&hurried, "espnow-woken").verdict, Verdict::Fails);
}

#[test]
fn a_sleepy_end_device_of_thread_lasts_for_years() {
    let period = Some(Duration::from_secs(60));
    let limits = supplied("2xAA", 2.0, 1.0 / 60.0);
    let asked = Task { period, limits, ..task(12, 100 * MS) };
    let found = recommended(&among(&["thread-up-quick"], asked));
    let one = of(&found, "thread-up-quick");
    assert_eq!(one.verdict, Verdict::Passes, "{}", one.reason);
    assert!(setting(one, "poll_period").is_some(), "{:?}", one.settings);
}

#[test]
fn bluetooth_mesh_is_offered_over_its_relays() {
    let period = Some(Duration::from_secs(2));
    let found = recommended(&Task { period, ..task(8, 500 * MS) });
    for link in ["btmesh", "btmesh-relayed", "btmesh-zephyr"] {
        let one = of(&found, link);
        assert_eq!(one.verdict, Verdict::Passes, "{link}: {}", one.reason);
    }
    // Three hops of at least 17 ms each.
    let quantile = criterion(of(&found, "btmesh-relayed"), Name::Deadline).value;
    assert!((50.0..500.0).contains(&quantile.expect("a latency")), "{quantile:?}");
}

#[test]
fn zigbee_is_offered_over_its_routers_beside_thread() {
    let period = Some(Duration::from_secs(2));
    let links = ["zigbee", "zigbee-relayed", "zigbee-quick", "thread-up-quick"];
    let found = recommended(&among(&links, Task { period, ..task(8, 100 * MS) }));
    for link in links {
        let one = of(&found, link);
        assert_eq!(one.verdict, Verdict::Passes, "{link}: {}", one.reason);
    }
    // Three hops of at least 3.1 ms of software each, and two frames of at least 1 ms.
    let quantile = criterion(of(&found, "zigbee-relayed"), Name::Deadline).value;
    assert!((12.0..100.0).contains(&quantile.expect("a latency")), "{quantile:?}");
}

#[test]
fn a_button_with_a_coin_cell_is_for_bluetooth_le_that_skips_events() {
    let period = Some(Duration::from_secs(60));
    let limits = supplied("CR2032", 1.0, 1.0 / 60.0);
    let asked = at("10m", "home", Task { period, limits, ..task(7, 30 * MS) });
    let ble = recommended(&asked);
    let ble = of(&ble, "ble-nus-notify");
    assert_eq!(ble.verdict, Verdict::Passes, "{}", ble.reason);
    assert_eq!(setting(ble, "latency"), Some("30"), "{:?}", ble.settings);
    // One frame in twenty fades, so its copy in the next event has to arrive within 30 ms too.
    let interval: f64 =
        setting(ble, "connection_interval").expect("set").replace("ms", "").parse().expect("ms");
    assert!(interval <= 15.0, "{interval}");
}

#[test]
fn a_duty_cycle_that_is_too_large_for_one_band_moves_to_the_one_that_allows_more() {
    let period = Some(Duration::from_secs(60));
    let asked = Task { period, region: Some(Region::Eu), ..task(12, 3_000 * MS) };
    // Three packets of SF12 per minute are 2.9 % of the time; 868.0 to 868.6 MHz allows 1 %.
    let found = recommended(&at("2km", "outdoor", among(&["lora-sf7-250k"], asked)));
    let lora = of(&found, "lora-sf7-250k");
    assert_eq!(lora.verdict, Verdict::Passes, "{} {:?}", lora.reason, lora.settings);
    assert_eq!(setting(lora, "frequency"), Some("869.525MHz"), "{:?}", lora.settings);
}
