//! Segmented messages by the rules of Mesh Protocol 1.1.

use super::*;

/// The rules of version 1.1 with their default intervals of 60 ms.
fn protocol11(config: Config) -> Config {
    Config { segmentation: Segmentation::Protocol11, ..config }
}

/// 41 B of data with 3 B of opcode and 4 B of TransMIC: four full segments.
fn four_segments() -> Vec<u8> {
    (0..41).collect()
}

impl Chain {
    /// Begin, ns, and number of each segment, by its first transmission on the first channel.
    fn segments(&self) -> Vec<(u64, u8)> {
        let heard = self.heard.borrow();
        let first = heard.iter().filter(|one| one.mhz == 2402);
        first
            .filter_map(|one| match one.pdu.transport {
                Transport::Segment { nth, .. } => Some((one.begin, nth)),
                _ => None,
            })
            .collect()
    }

    /// The same for each block acknowledgement.
    fn blocks(&self) -> Vec<(u64, u32)> {
        let heard = self.heard.borrow();
        let first = heard.iter().filter(|one| one.mhz == 2402);
        first
            .filter_map(|one| match one.pdu.transport {
                Transport::Acknowledgement { block, .. } => Some((one.begin, block)),
                _ => None,
            })
            .collect()
    }

    fn order(&self) -> Vec<u8> {
        self.segments().into_iter().map(|(_, nth)| nth).collect()
    }
}

#[test]
fn timers_are_those_of_the_two_versions() {
    let old = config(0, 1);
    let new = protocol11(old);
    let ms = Duration::from_ms;
    // 200 ms and 50 ms for each of 7, or for each after the first.
    assert_eq!((old.retransmission_wait(), new.retransmission_wait()), (ms(550), ms(500)));
    assert_eq!(Config { ttl: 0, ..new }.retransmission_wait(), ms(200));
    // 150 ms and 50 ms for each of 7. Half an interval less than there are segments, at most 2.5.
    assert_eq!([1, 2, 31].map(|last| old.acknowledgement_delay(last)), [ms(500); 3]);
    assert_eq!([1, 2, 31].map(|last| new.acknowledgement_delay(last)), [ms(90), ms(150), ms(150)]);
}

#[test]
fn segments_follow_after_the_interval_where_the_advertiser_is_free_earlier() {
    let chain = chain(1, protocol11);
    chain.send(vec![four_segments()]);
    chain.run_ms(1_000);
    let begins: Vec<u64> = chain.segments().into_iter().map(|(begin, _)| begin).collect();
    // The first event is 5 ms after the first command.
    assert_eq!(begins, [5, 65, 125, 185].map(|ms| ms * MS));
    let chain = super::chain(1, |config| config);
    chain.send(vec![four_segments()]);
    chain.run_ms(1_000);
    let event = 3 * airtime_ns(29) + 800 * US;
    let begins: Vec<u64> = chain.segments().into_iter().map(|(begin, _)| begin).collect();
    assert_eq!(begins[1] - begins[0], 5 * MS + event);
}

#[test]
fn a_receiver_acknowledges_when_no_new_segment_has_arrived_for_a_while() {
    let chain = chain(1, protocol11);
    // The last segment on all channels.
    chain.air.set_loss(chain.nodes[0].id(), chain.nodes[1].id(), Nth(0, &[9, 10, 11]));
    chain.send(vec![four_segments()]);
    chain.run_ms(3_000);
    assert_eq!(chain.order(), [0, 1, 2, 3, 3]);
    let blocks = chain.blocks();
    assert_eq!(blocks.iter().map(|&(_, block)| block).collect::<Vec<_>>(), [0b0111, 0b1111]);
    // 2.5 intervals of 60 ms after the third segment, and the start of the advertiser.
    let air = airtime_ns(29);
    let arrived = chain.segments()[2].0 + chain.channel(1) * (air + 400 * US) + air;
    assert_eq!(blocks[0].0, arrived + 150 * MS + 5 * MS);
    assert_eq!(chain.arrived.borrow()[0].1, four_segments());
    assert_eq!(chain.nodes[0].take_results().done, 1);
}

#[test]
fn an_acknowledgement_of_all_segments_ends_their_repetition() {
    let chain = chain(1, protocol11);
    chain.air.set_loss(chain.nodes[1].id(), chain.nodes[0].id(), Nth(0, &[0, 1, 2]));
    chain.send(vec![four_segments()]);
    chain.run_ms(3_000);
    assert_eq!(chain.order(), [0, 1, 2, 3, 0]);
    let segments = chain.segments();
    // The retransmission timer of 500 ms starts after the last event.
    let event = 3 * airtime_ns(29) + 800 * US;
    assert_eq!(segments[4].0 - segments[3].0, event + 500 * MS + 5 * MS);
    assert_eq!(chain.arrived.borrow().len(), 1);
    assert_eq!(chain.nodes[0].take_results().done, 1);
    assert_eq!(*chain.incidents.borrow(), ["repeated segments"]);
}

#[test]
fn a_complete_message_is_not_acknowledged_again_within_150_ms() {
    let chain = chain(1, protocol11);
    chain.air.set_loss(chain.nodes[1].id(), chain.nodes[0].id(), Nth(0, &[0, 1, 2, 3, 4, 5]));
    chain.send(vec![four_segments()]);
    chain.run_ms(3_000);
    // Repeated segments arrive every 60 ms; the fourth one is more than 150 ms after the first.
    assert_eq!(chain.order(), [0, 1, 2, 3, 0, 1, 2, 3]);
    let blocks = chain.blocks();
    assert_eq!(blocks.len(), 3);
    assert_eq!(blocks[2].0 - blocks[1].0, 180 * MS);
    assert_eq!(chain.nodes[0].take_results().done, 1);
}

#[test]
fn a_message_that_is_never_acknowledged_is_given_up_after_its_transmissions() {
    let chain = chain(1, |config| Config { segment_attempts: 3, ..protocol11(config) });
    chain.air.separate(chain.nodes[1].id(), chain.nodes[0].id());
    chain.send(vec![four_segments()]);
    chain.run_ms(5_000);
    assert_eq!(chain.order(), [0, 1, 2, 3].repeat(3));
    assert_eq!(chain.nodes[0].take_results().lost, 1);
    assert_eq!(chain.arrived.borrow().len(), 1, "its data arrived nevertheless");
}

#[test]
fn each_new_segment_starts_the_timer_of_an_incomplete_message_again() {
    // Twelve segments of a second each take longer than the 10 s of the timer.
    let slow = |config| Config { segment_interval: Duration::from_secs(1), ..protocol11(config) };
    let chain = chain(1, slow);
    chain.send(vec![vec![7; 137]]);
    chain.run_ms(15_000);
    assert_eq!(chain.order(), (0..12).collect::<Vec<_>>());
    assert_eq!(chain.arrived.borrow().len(), 1);
    assert!(!chain.incidents.borrow().contains(&"incomplete message discarded"));
    // Without the last one, it is discarded 10 s after the one before.
    let chain = super::chain(1, |config| Config { segment_attempts: 1, ..slow(config) });
    chain.air.set_loss(chain.nodes[0].id(), chain.nodes[1].id(), Nth(0, &[33, 34, 35]));
    chain.send(vec![vec![7; 137]]);
    for (ms, discarded) in [(19_900, false), (20_100, true)] {
        chain.run_ms(ms);
        let found = chain.incidents.borrow().contains(&"incomplete message discarded");
        assert_eq!(found, discarded, "{ms} ms");
    }
}

#[test]
fn messages_in_both_directions_at_once_are_all_acknowledged() {
    for segmentation in [Segmentation::Profile10, Segmentation::Protocol11] {
        for occupancy in [Occupancy::Counted, Occupancy::Timed] {
            for acknowledged in [false, true] {
                // Three transmissions at random times, as both ends begin at once.
                let often = Transmit { transmissions: 3, interval: Duration::from_ms(20) };
                let chain = chain(2, |config| Config {
                    network_transmit: often,
                    start_spread: Duration::from_ms(20),
                    segmentation,
                    occupancy,
                    acknowledged,
                    // Longer than a response waits behind segments.
                    response_timeout: Duration::from_secs(5),
                    segment_attempts: 8,
                    segment_interval: Duration::from_ms(160),
                    segment_reception_interval: Duration::from_ms(160),
                    ..config
                });
                let what = format!("{segmentation:?}, {occupancy:?}, {acknowledged}");
                let (first, last) = (Rc::clone(&chain.nodes[0]), Rc::clone(&chain.nodes[2]));
                let returned: Rc<RefCell<Vec<Vec<u8>>>> = Rc::default();
                let log = Rc::clone(&returned);
                chain.send((0..4).map(|nth| vec![nth; 60]).collect());
                chain.bench.spawn("other sender", async move {
                    for nth in 4..8 {
                        last.queue(&[nth; 60]).await;
                    }
                });
                chain.bench.spawn("other receiver", async move {
                    let mut buffer = [0; 400];
                    loop {
                        let len = first.next_data(&mut buffer).await;
                        log.borrow_mut().push(buffer[..len].to_vec());
                    }
                });
                chain.run_ms(60_000);
                let there: Vec<u8> = chain.arrived.borrow().iter().map(|one| one.1[0]).collect();
                let back: Vec<u8> = returned.borrow().iter().map(|one| one[0]).collect();
                assert_eq!((there, back), (vec![0, 1, 2, 3], vec![4, 5, 6, 7]), "{what}");
                for node in [0, 2] {
                    let results = chain.nodes[node].take_results();
                    assert_eq!((results.done, results.lost), (4, 0), "{what}, node {node}");
                }
            }
        }
    }
}
