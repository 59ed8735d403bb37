//! Losses that the chip's retransmission recovers, and the capacity of the link.

use crate::bench;
use std::cell::Cell;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_drivers::nrf24::Role;
use airlag_kinds::nrf24::stations;
use airlag_link::Link;
use airlag_rig::carry::Extent;
use airlag_rig::ends::Bench;
use airlag_sim::{Duration, Instant, Simulation};
use airlag_stats::Outcome;
use airlag_study::answers::traffic::Traffic;
use airlag_study::goodput;
use airlag_study::questions::run::{Question, answer};

/// A receiver that follows the specification, and the retransmission settings of a careful design.
const CAREFUL: [(&str, &str); 2] = [("flush_after_read", "false"), ("retransmit_count", "15")];

#[test]
fn at_a_tenth_of_all_frames_lost_every_message_arrives() {
    for burst in ["0", "3"] {
        let mut changes = CAREFUL.to_vec();
        changes.extend([("frame_loss", "0.1"), ("loss_burst", burst)]);
        let profile = bench::profile("nrf24-2m", &changes);
        let run = bench::bench(&profile, 128, &bench::every(100, 500), 7);
        let transfers = bench::transfers(&run);
        assert_eq!(transfers.count(Outcome::Delivered), 500, "bursts of {burst}");
        assert_eq!((run.sent.lost, run.received.damaged, run.received.orphans), (0, 0, 0));
        assert!(transfers.spurious_ns.is_empty(), "no message arrives twice");
    }
}

#[test]
fn without_acknowledgement_the_same_loss_is_not_made_good() {
    let mut changes = CAREFUL.to_vec();
    changes.extend([("frame_loss", "0.1"), ("acknowledge", "false")]);
    let run = bench::bench(&bench::profile("nrf24-2m", &changes), 12, &bench::every(100, 500), 7);
    let lost = 500 - bench::transfers(&run).count(Outcome::Delivered);
    // Five standard deviations of a binomial with n = 500, p = 0.1.
    assert!((17..=83).contains(&lost), "{lost}");
}

#[test]
fn losses_on_top_of_broken_acknowledgements_end_too() {
    for broken_ack in ["lost", "resent"] {
        let changes = [("frame_loss", "0.2"), ("broken_ack", broken_ack)];
        let run =
            bench::bench(&bench::profile("nrf24-2m", &changes), 128, &bench::every(100, 500), 7);
        assert_eq!(run.sent.messages, 500, "{broken_ack}");
    }
}

#[test]
fn a_link_that_always_loses_gives_up_and_says_so() {
    let profile = bench::profile("nrf24-2m", &[("frame_loss", "1.0")]);
    let run = bench::bench(&profile, 128, &bench::every(100, 10), 1);
    assert_eq!((run.sent.messages, run.sent.lost, run.received.messages), (10, 10, 0));
}

/// An answer that is ready before the requesting chip has switched to receive is retransmitted
/// after the retransmit delay. An answer from a slower bus is received at once, and arrives
/// earlier.
#[test]
fn an_answer_that_comes_too_soon_is_sent_again() {
    let echoed = |byte_ns: &str| {
        let settings = [("reply", "turn"), ("spi_byte", byte_ns)];
        let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let asked = Question {
            count: 50,
            traffic: Traffic::Echo,
            settings,
            ..Question::of("nrf24-2m-ordinary", Some(12))
        };
        let ran = answer(&asked).expect("it runs").answer.swap_remove(0);
        let latency = ran.run.transfers.latency_ns.expect("they arrive");
        (ran.facts.causes.retries, latency.quantiles.p50.0)
    };
    let ((quick, late_ns), (slow, soon_ns)) = (echoed("996ns"), echoed("4000ns"));
    assert!(quick >= 45 && slow == 0, "{quick} {slow}");
    // 500 us of delay, minus the additional bus time.
    assert!((300e3..600e3).contains(&(late_ns - soon_ns)), "{late_ns} {soon_ns}");
}

/// Ceilings calculated independently of this bench, kbit/s, for five address bytes: a cycle of
/// settling, packet, settling, acknowledgement and interrupt; and bursts of at most 4 ms separated
/// by 140 us.
#[test]
fn a_full_fifo_reaches_the_computed_ceiling_at_every_rate() {
    for (rate, acknowledged, streamed) in
        [("2000", 548.0, 1503.0), ("1000", 382.0, 752.0), ("250", 136.0, 188.0)]
    {
        for (acknowledge, ceiling) in [("true", acknowledged), ("false", streamed)] {
            let profile = bench::profile(
                "nrf24-2m",
                &[
                    ("rate", rate),
                    ("address_width", "5"),
                    ("window", "3"),
                    ("flush_after_read", "false"),
                    ("acknowledge", acknowledge),
                ],
            );
            let seen = goodput(&profile, 32, 1, Extent::lasting(Duration::from_secs(2)))
                .expect("the bench runs");
            let off = (seen.kbps() - ceiling) / ceiling;
            assert!(off.abs() <= 0.03, "{rate} {acknowledge}: {} of {ceiling}", seen.kbps());
        }
    }
}

/// Section 6.1.5: at most 4 ms in transmit mode at a time.
#[test]
fn a_stream_leaves_transmit_mode_before_four_milliseconds_are_over() {
    for rate in ["250", "1000", "2000"] {
        let profile = bench::profile(
            "nrf24-2m",
            &[("rate", rate), ("acknowledge", "false"), ("window", "3"), ("address_width", "5")],
        );
        let parameters = profile.read().expect("a right profile");
        let bench = Simulation::new(1);
        let air = Medium::new(&bench);
        // Start and end of the current period in transmit mode, ns, and the longest so far.
        let stay = Rc::new(Cell::new((0_u64, 0_u64, 0_u64)));
        let kept = Rc::clone(&stay);
        air.tap(move |frame, _| {
            let (begin, end, longest) = kept.get();
            let back_to_back = frame.begin.as_ns() == end;
            let begin = if back_to_back { begin } else { frame.begin.as_ns() };
            let end = frame.end.as_ns();
            kept.set((begin, end, longest.max(end - begin)));
        });
        let (sending, _receiving) =
            stations(&parameters, 32, &Bench::on(&bench, &air)).expect("a right setup");
        bench.spawn("sender", async move {
            let mut link = sending.link(Role::Transmitter).await.expect("it is set up");
            loop {
                link.send(&[1; 32]).await.expect("it sends");
            }
        });
        bench.run_until(Instant::START + Duration::from_secs(1)).expect("no livelock");
        let (.., longest) = stay.get();
        assert!((3_000_000..=4_000_000).contains(&longest), "{rate}: {longest} ns");
    }
}

#[test]
fn triggers_faster_than_the_link_are_served_as_they_can_be() {
    let run = bench::bench(&bench::profile("nrf24-250k", &[]), 1024, &bench::every(5, 200), 1);
    let delivered = bench::transfers(&run).count(Outcome::Delivered);
    assert!(delivered > 0 && delivered < 200, "{delivered}");
}
