//! For any settings and losses, the programs return to the next trigger.

use crate::bench;
use airlag_rig::run::Traffic;
use airlag_rig::{Options, run};
use proptest::prelude::*;

prop_compose! {
    fn settings()(
        rate in prop::sample::select(vec!["250", "1000", "2000"]),
        payload in prop::sample::select(vec!["padded", "exact", "dynamic"]),
        broken_ack in prop::sample::select(vec!["lost", "resent"]),
        acknowledge: bool, flush: bool,
        window in 1..=3_u8, width in 3..=5_u8, count in 0..=15_u8, delay in 2..=16_u16,
        loss in prop::sample::select(vec!["0", "0.05", "0.3"]),
        burst in prop::sample::select(vec!["0", "4"]),
    ) -> Vec<(&'static str, String)> {
        let text = |value: &str| value.to_owned();
        vec![
            ("rate", text(rate)), ("payload", text(payload)),
            ("broken_ack", text(broken_ack)), ("acknowledge", acknowledge.to_string()),
            ("flush_after_read", flush.to_string()), ("window", window.to_string()),
            ("address_width", width.to_string()), ("retransmit_count", count.to_string()),
            ("retransmit_delay", (delay * 250).to_string()), ("frame_loss", text(loss)),
            ("loss_burst", text(burst)),
        ]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_trigger_is_served(settings in settings(), seed: u64, size in 7_usize..200) {
        let changes: Vec<_> = settings.iter().map(|(k, v)| (*k, v.as_str())).collect();
        let profile = bench::profile("nrf24-2m", &changes);
        // Seven chunks with sixteen attempts each, of 4 ms and a frame, take at most 600 ms.
        let run = bench::bench(&profile, size, &bench::every(1_000, 20), seed);
        prop_assert_eq!(run.sent.messages, 20);
        let of = |name| changes.iter().find(|(k, _)| *k == name).map(|(_, v)| *v);
        let careful = of("flush_after_read") == Some("false");
        if of("frame_loss") == Some("0") && careful {
            prop_assert_eq!((run.received.messages, run.sent.lost), (20, 0));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Boards that reply also return to the trigger, whatever part of a reply is left over. With
    /// role reversal, a board may miss a reply, which is lost if there are no retransmissions.
    #[test]
    fn every_trigger_that_wants_an_answer_is_served(
        settings in settings(),
        reply in prop::sample::select(vec!["turn", "ack-payload"]),
        seed: u64,
        size in 7_usize..200,
    ) {
        let mut changes: Vec<_> = settings.iter().map(|(k, v)| (*k, v.as_str())).collect();
        // Required for an acknowledgement with a payload.
        changes.extend([("reply", reply), ("retransmit_delay", "1500us")]);
        if reply == "ack-payload" {
            changes.push(("acknowledge", "true"));
        }
        let profile = bench::profile("nrf24-2m", &changes);
        let options = Options { seed, spans: false, traffic: Traffic::Echo };
        let ran = run(&profile, size, &bench::every(1_000, 20), options).expect("it runs");
        prop_assert_eq!(ran.sent.messages, 20);
        let of = |name| changes.iter().find(|(k, _)| *k == name).map(|(_, v)| *v);
        let careful = of("flush_after_read") == Some("false") && reply == "ack-payload";
        if of("frame_loss") == Some("0") && careful {
            prop_assert_eq!(bench::transfers(&ran).latencies_ns().len(), 20);
        }
    }
}
