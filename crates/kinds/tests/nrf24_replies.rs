//! Bidirectional messages over nRF24L01+: in acknowledgement payloads, and by role reversal. The
//! effect of lost frames on both.

use crate::bench;
use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_drivers::nrf24::Role;
use airlag_kinds::nrf24::{Parameters, stations};
use airlag_link::{Delivery, Link};
use airlag_rig::ends::Bench;
use airlag_rig::run::Traffic;
use airlag_rig::{Error, Options, Profile, Run, run};
use airlag_sim::{Duration, Instant, Simulation};
use airlag_stats::Outcome;
use proptest::prelude::*;

/// A receiver that complies with the specification.
const CAREFUL: (&str, &str) = ("flush_after_read", "false");

fn replying(name: &str, reply: &str, changes: &[(&str, &str)]) -> Profile {
    // Long enough for any acknowledgement at any rate (7.4.2 and Table 18).
    let all = [&[("reply", reply), CAREFUL, ("retransmit_delay", "1500us")], changes].concat();
    bench::profile(name, &all)
}

fn echo(profile: &Profile, size: usize, count: usize, seed: u64) -> Result<Run, Error> {
    let options = Options { seed, spans: false, traffic: Traffic::Echo };
    run(profile, size, &bench::every(60, count), options)
}

#[test]
fn every_answer_comes_back_at_every_size() {
    for name in ["nrf24-2m", "nrf24-250k"] {
        for reply in ["ack-payload", "turn"] {
            for payload in ["padded", "dynamic", "exact"] {
                // Message lengths that need, with header and CRC: one byte less and one more than a
                // frame, three frames and a fourth, and two messages that fill a FIFO.
                for size in [7, 31, 32, 33, 97, 192] {
                    let profile = replying(name, reply, &[("payload", payload)]);
                    let run = echo(&profile, size, 20, 3).expect("it runs");
                    let what = format!("{name} {reply} {payload} {size} B");
                    let came = bench::transfers(&run).count(Outcome::Delivered);
                    assert_eq!((came, run.sent.lost), (20, 0), "{what}");
                    let received = run.received;
                    assert_eq!((received.damaged, received.orphans), (0, 0), "{what}");
                }
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_answers() {
    let profile = replying("nrf24-2m", "ack-payload", &[("frame_loss", "0.2")]);
    let one = echo(&profile, 128, 50, 9).expect("it runs");
    assert_eq!(one, echo(&profile, 128, 50, 9).expect("it runs"));
    assert_ne!(one.trace, echo(&profile, 128, 50, 10).expect("it runs").trace);
}

#[test]
fn a_delay_too_short_for_a_payload_is_refused_with_its_clause() {
    for (name, reply, payload, delay, least) in [
        ("nrf24-2m", "ack-payload", "padded", "250us", Some(500)),
        ("nrf24-2m", "ack-payload", "exact", "250us", None),
        ("nrf24-2m", "turn", "padded", "250us", None),
        ("nrf24-250k", "ack-payload", "exact", "750us", Some(1000)),
        ("nrf24-250k", "ack-payload", "exact", "1000us", None),
        ("nrf24-250k", "ack-payload", "padded", "1250us", Some(1500)),
        ("nrf24-250k", "turn", "padded", "500us", None),
    ] {
        let changes = [("payload", payload), ("retransmit_delay", delay)];
        let outcome = echo(&replying(name, reply, &changes), 12, 1, 1);
        match least {
            None => assert!(outcome.is_ok(), "{name} {reply} {payload} {delay}: {outcome:?}"),
            Some(least) => {
                let said = outcome.expect_err("refused").to_string();
                assert!(said.contains(&format!("requires {least} us or more")), "{said}");
                assert!(said.contains("9.1, SETUP_RETR"), "{said}");
            }
        }
    }
    let without = replying("nrf24-2m", "ack-payload", &[("acknowledge", "false")]);
    let said = echo(&without, 12, 1, 1).expect_err("nothing acknowledges").to_string();
    assert!(said.contains("need acknowledgements"), "{said}");
}

#[test]
fn who_turns_the_knob_gets_the_delay_with_it() {
    let mut profile = bench::profile("nrf24-250k", &[CAREFUL]);
    let along = profile.turn(Parameters::reply, "ack-payload", 128).expect("it can be turned");
    let along: Vec<_> = along.iter().map(|one| (one.name.as_str(), one.value)).collect();
    assert_eq!(along, [("retransmit_delay", "1500us")]);
    assert_eq!(echo(&profile, 128, 3, 1).expect("it runs").received.messages, 3);
}

#[test]
fn a_longer_pause_makes_a_slow_answer_later_and_no_other() {
    // Fastest exchange, with no poll in flight before it.
    let least = |pause: &str, per_byte: &str| {
        let changes = [("poll_pause", pause), ("receive_per_byte", per_byte)];
        let run = echo(&replying("nrf24-2m", "ack-payload", &changes), 12, 40, 5).expect("it runs");
        bench::transfers(&run).latencies_ns().into_iter().min().expect("answers came")
    };
    // A fast board returns its reply in the acknowledgement of the first poll.
    assert!(least("5ms", "185ns").abs_diff(least("1ms", "185ns")) < 1_000);
    // A board that needs 1.3 ms for 32 B returns it in the acknowledgement of the second poll.
    let later = least("5ms", "40us").abs_diff(least("1ms", "40us"));
    assert!(later.abs_diff(4_000_000) < 1_000, "{later}");
}

/// Received chunks.
type Talk = Rc<RefCell<Vec<Vec<u8>>>>;

/// The `nth` chunk of a board: its number, then bytes derived from it.
fn chunk(nth: usize, len: usize) -> Vec<u8> {
    let mut bytes = (nth as u16).to_le_bytes().to_vec();
    bytes.extend((2..len).map(|at| (nth * 31 + at) as u8));
    bytes
}

/// All chunks of the given lengths, in order.
fn chunks<'a>(lengths: impl IntoIterator<Item = &'a usize>) -> Vec<Vec<u8>> {
    lengths.into_iter().enumerate().map(|(nth, &len)| chunk(nth, len)).collect()
}

fn is_lost(delivery: Result<Delivery, impl std::fmt::Debug>) -> bool {
    delivery.expect("the bus answers") == Delivery::Lost
}

/// A turn: lengths of the chunks from the first board, and of the second board's replies.
type Turn = (Vec<usize>, Vec<usize>);

/// Runs both boards in turns. Returns the chunks that the second one received, and those that the
/// first received.
fn talked(profile: &Profile, turns: &[Turn], seed: u64) -> (Talk, Talk) {
    let parameters: Parameters = profile.read().expect("a right profile");
    let time = Simulation::new(seed);
    let air = Medium::new(&time);
    let (near, far) = stations(&parameters, 128, &Bench::on(&time, &air)).expect("a right setup");
    let (requests, replies) = (Talk::default(), Talk::default());

    let (asked, heard) = (turns.to_vec(), Rc::clone(&replies));
    time.spawn("sender", async move {
        let mut link = near.link(Role::Transmitter).await.expect("it is set up");
        let (mut buffer, mut nth) = ([0; 32], 0);
        for (requests, replies) in asked {
            for len in requests {
                if is_lost(link.send(&chunk(nth, len)).await) {
                    while is_lost(link.flush().await) {}
                }
                nth += 1;
            }
            for _ in replies {
                let got = link.receive(&mut buffer).await.expect("the bus answers");
                heard.borrow_mut().push(buffer[..got].to_vec());
            }
        }
        // Nothing more is to come.
        let got = link.receive(&mut buffer).await.expect("the bus answers");
        heard.borrow_mut().push(buffer[..got].to_vec());
    });

    let (asked, heard) = (turns.to_vec(), Rc::clone(&requests));
    time.spawn("receiver", async move {
        let mut link = far.link(Role::Receiver).await.expect("it is set up");
        let (mut buffer, mut nth) = ([0; 32], 0);
        for (requests, replies) in asked {
            for _ in requests {
                let got = link.receive(&mut buffer).await.expect("the bus answers");
                heard.borrow_mut().push(buffer[..got].to_vec());
            }
            for len in replies {
                assert!(!is_lost(link.send(&chunk(nth, len)).await), "there is room");
                nth += 1;
            }
        }
        let got = link.receive(&mut buffer).await.expect("the bus answers");
        heard.borrow_mut().push(buffer[..got].to_vec());
    });
    time.run_until(Instant::START + Duration::from_secs(20)).expect("no livelock");
    (requests, replies)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// For any losses and any number of retries.
    #[test]
    fn no_chunk_is_lost_and_none_comes_twice(
        turns in prop::collection::vec(
            (prop::collection::vec(2..=32_usize, 1..4), prop::collection::vec(2..=32_usize, 0..7)),
            1..6,
        ),
        loss in 0.0..0.5_f64,
        retries in 0..4_u8,
        seed: u64,
    ) {
        let (loss, retries) = (loss.to_string(), retries.to_string());
        let changes = [
            ("payload", "dynamic"),
            ("frame_loss", loss.as_str()),
            ("retransmit_count", retries.as_str()),
        ];
        let profile = replying("nrf24-2m", "ack-payload", &changes);
        let (requests, replies) = talked(&profile, &turns, seed);
        prop_assert_eq!(&*requests.borrow(), &chunks(turns.iter().flat_map(|turn| &turn.0)));
        prop_assert_eq!(&*replies.borrow(), &chunks(turns.iter().flat_map(|turn| &turn.1)));
    }
}

#[test]
fn what_acknowledgements_of_chunks_bring_is_kept_and_stops_who_does_not_take_it() {
    let profile = replying("nrf24-2m", "ack-payload", &[("payload", "dynamic")]);
    let parameters: Parameters = profile.read().expect("a right profile");
    let time = Simulation::new(1);
    let air = Medium::new(&time);
    let (near, far) = stations(&parameters, 128, &Bench::on(&time, &air)).expect("a right setup");
    time.spawn("receiver", async move {
        let mut link = far.link(Role::Receiver).await.expect("it is set up");
        for len in [5, 6, 7, 8] {
            assert!(!is_lost(link.send(&chunk(len, len)).await), "there is room");
        }
        let mut buffer = [0; 32];
        loop {
            link.receive(&mut buffer).await.expect("the bus answers");
        }
    });
    let came: Talk = Rc::default();
    let kept = Rc::clone(&came);
    time.spawn("sender", async move {
        let mut link = near.link(Role::Transmitter).await.expect("it is set up");
        let mut buffer = [0; 32];
        let deliveries = [
            link.send(&[1; 9]).await,
            link.send(&[2; 9]).await,
            link.send(&[3; 9]).await,
            // The receive FIFO holds three payloads (8.4).
            link.send(&[4; 9]).await,
        ];
        assert_eq!(deliveries.map(is_lost), [false, false, false, true]);
        for _ in 0..4 {
            let got = link.receive(&mut buffer).await.expect("the bus answers");
            kept.borrow_mut().push(buffer[..got].to_vec());
        }
        assert!(!is_lost(link.send(&[5; 9]).await), "there is room again");
        kept.borrow_mut().push(vec![]);
    });
    time.run_until(Instant::START + Duration::from_secs(5)).expect("no livelock");
    let all: Vec<_> = [5, 6, 7, 8].map(|len| chunk(len, len)).to_vec();
    assert_eq!(came.borrow()[..4], all);
    assert_eq!(came.borrow().len(), 5);
}
