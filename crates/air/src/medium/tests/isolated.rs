//! Nodes that reach only those to which a path was created.

use proptest::prelude::*;

use super::*;

/// Records what each node hears, for frames (sender, begin, length, whether in the other band).
fn outcome(
    isolated: bool,
    count: usize,
    paths: &[(usize, usize)],
    frames: &[(usize, u64, u64, bool)],
) -> Vec<Vec<(u64, u8, Verdict)>> {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let mut nodes = Vec::new();
    for nth in 0..count {
        let name = nth.to_string();
        let node = if isolated { air.join_isolated(name) } else { air.join(name) };
        nodes.push((node, listen(&air, node)));
    }
    for from in 0..count {
        for to in (0..count).filter(|to| *to != from) {
            if paths.contains(&(from, to)) {
                air.set_heard(nodes[from].0, nodes[to].0, true);
            } else if !isolated {
                air.separate(nodes[from].0, nodes[to].0);
            }
        }
    }
    let b = Bench { bench, air, nodes };
    for (first, &(from, at, length, other)) in (0..).zip(frames) {
        b.send(from, if other { OTHER } else { BAND }, at, length, first);
    }
    b.bench.run().expect("no livelock");
    b.nodes.iter().map(|(_, ear)| ear.0.borrow().clone()).collect()
}

fn listen(air: &Medium, node: NodeId) -> Rc<Ear> {
    let ear = Rc::new(Ear::default());
    let weak: Weak<Ear> = Rc::downgrade(&ear);
    air.attach(node, weak);
    ear
}

proptest! {
    #[test]
    fn isolated_nodes_with_paths_hear_what_nodes_separated_to_the_same_paths_hear(
        paths in prop::collection::vec((0_usize..6, 0_usize..6), 0..20),
        frames in prop::collection::vec(
            (0_usize..6, 0_u64..1_000, 1_u64..200, any::<bool>()), 0..40,
        ),
    ) {
        let [one, other] = [true, false].map(|isolated| outcome(isolated, 6, &paths, &frames));
        prop_assert_eq!(one, other);
    }
}

#[test]
fn an_isolated_node_hears_nobody_and_is_heard_by_nobody() {
    let frames = [(0, 0, 100, false), (1, 500, 100, false)];
    assert_eq!(outcome(true, 2, &[], &frames), [[], []]);
    let b = bench(&["a", "b"]);
    let lone = b.air.join_isolated("lone");
    let ear = listen(&b.air, lone);
    b.send(0, BAND, 0, 100, 1);
    assert_eq!(b.heard(1).len(), 1);
    assert!(ear.0.borrow().is_empty());
    b.air.set_heard(b.nodes[0].0, lone, true);
    b.send(0, BAND, 1_000, 100, 2);
    b.bench.run().expect("no livelock");
    assert_eq!(*ear.0.borrow(), [(1_100, 2, Verdict::Whole)]);
}

#[test]
fn frames_of_nodes_in_range_of_all_meet_those_of_isolated_nodes() {
    let b = bench(&["a", "receiver"]);
    let lone = b.air.join_isolated("lone");
    b.air.set_heard(lone, b.nodes[1].0, true);
    let send = |at: u64, first: u8| {
        let air = b.air.clone();
        b.bench.at(Instant::from_ns(at), move || {
            let end = Instant::from_ns(at + 100);
            air.send(lone, BAND, MODULATION, end, Rc::from([first].as_slice()));
        });
    };
    // Each begins during a frame of the other once.
    b.send(0, BAND, 0, 100, 1);
    send(50, 2);
    send(1_000, 3);
    b.send(0, BAND, 1_050, 100, 4);
    send(2_000, 5);
    let verdicts: Vec<_> = b.heard(1).iter().map(|&(_, first, verdict)| (first, verdict)).collect();
    let lost = |first| (first, Verdict::Collided);
    assert_eq!(verdicts, [lost(1), lost(2), lost(3), lost(4), (5, Verdict::Whole)]);
}

#[test]
fn a_frame_is_compared_only_with_frames_that_its_receivers_hear() {
    // Cells of ten senders around a receiver, all of them sending at the same time.
    let met = |cells: usize| {
        let (bench, mut senders) = (Simulation::new(1), Vec::new());
        let air = Medium::new(&bench);
        for cell in 0..cells {
            let receiver = air.join_isolated(format!("receiver {cell}"));
            for sender in 0..10 {
                let node = air.join_isolated(format!("sender {cell} {sender}"));
                air.set_heard(node, receiver, true);
                senders.push(node);
            }
        }
        let mut most = 0;
        for &node in &senders {
            air.send(node, BAND, MODULATION, Instant::from_ns(100), Rc::from([1].as_slice()));
            most = most.max(air.0.met.borrow().len());
        }
        bench.run().expect("no livelock");
        assert!(air.0.nodes.borrow().iter().all(|node| node.audible.is_empty()));
        most
    };
    assert_eq!(met(1), 9);
    assert_eq!(met(1_000), 9);
}

#[test]
fn a_receiver_reads_as_many_frames_as_it_has_demodulators() {
    let heard = |demodulators: Option<usize>| {
        let b = bench(&["one", "two", "three", "receiver"]);
        let receiver = Receiver {
            family: MODULATION.family,
            demodulator: Rc::new(ThreeDecibels),
            noise_figure: Db(10.0),
            harm: Db(0.0),
            sense: Sense { own: Dbm(-200.0), energy: Dbm(-200.0) },
            demodulators,
        };
        b.air.set_receiver(b.nodes[3].0, receiver);
        for from in 0..3 {
            let budget = Budget {
                power: Dbm(0.0),
                antenna_gain: Db(0.0),
                path: PathLoss::FreeSpace,
                range: Metres(1.0),
                shadowing: Db(0.0),
                fading: crate::Fading::Steady,
                noise_figure: Db(10.0),
            };
            b.air.set_budget(b.nodes[from].0, b.nodes[3].0, budget);
        }
        // Three channels; the last frame begins when the first has ended.
        let channel = |nth: u32| Band::around(2_402_000 + nth * 5_000, 1_000);
        b.send(0, channel(0), 0, 100, 1);
        b.send(1, channel(1), 10, 200, 2);
        b.send(2, channel(2), 20, 300, 3);
        b.send(0, channel(0), 110, 50, 4);
        let mut verdicts: Vec<_> =
            b.heard(3).iter().map(|&(_, first, verdict)| (first, verdict)).collect();
        verdicts.sort_by_key(|&(first, _)| first);
        verdicts
    };
    let whole = |first| (first, Verdict::Whole);
    assert_eq!(heard(None), [whole(1), whole(2), whole(3), whole(4)]);
    assert_eq!(heard(Some(3)), [whole(1), whole(2), whole(3), whole(4)]);
    assert_eq!(heard(Some(2)), [whole(1), whole(2), (3, Verdict::Lost), whole(4)]);
    assert_eq!(heard(Some(1)), [whole(1), (2, Verdict::Lost), (3, Verdict::Lost), whole(4)]);
}
