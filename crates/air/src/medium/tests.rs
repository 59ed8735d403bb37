mod isolated;

use airlag_sim::Simulation;

use super::*;
use crate::interference::Sense;
use crate::loss::Independent;
use crate::propagation::PathLoss;
use crate::quantity::{Db, DbHz, Dbm, Hertz, Metres};
use crate::signal::Budget;

const BAND: Band = Band::around(2_402_000, 1_000);
const OTHER: Band = Band::around(2_450_000, 1_000);
const MODULATION: Modulation = Modulation { family: "test", setting: 1 };

pub(crate) fn any_frame() -> Frame {
    Frame {
        id: FrameId(0),
        from: NodeId(0),
        band: BAND,
        modulation: MODULATION,
        begin: Instant::START,
        end: Instant::from_ns(1),
        bytes: Rc::from([0_u8].as_slice()),
    }
}

#[derive(Default)]
struct Ear(RefCell<Vec<(u64, u8, Verdict)>>);

impl Radio for Ear {
    fn frame_ended(&self, reception: &Reception<'_>) {
        let first = reception.frame.bytes[0];
        self.0.borrow_mut().push((reception.end.as_ns(), first, reception.verdict));
    }
}

struct Bench {
    bench: Simulation,
    air: Medium,
    nodes: Vec<(NodeId, Rc<Ear>)>,
}

fn bench(names: &[&str]) -> Bench {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let mut nodes = Vec::new();
    for name in names {
        let (node, ear) = (air.join(*name), Rc::new(Ear::default()));
        let weak: Weak<Ear> = Rc::downgrade(&ear);
        air.attach(node, weak);
        nodes.push((node, ear));
    }
    Bench { bench, air, nodes }
}

impl Bench {
    fn send(&self, from: usize, band: Band, at: u64, length: u64, first: u8) {
        let (air, from) = (self.air.clone(), self.nodes[from].0);
        self.bench.at(Instant::from_ns(at), move || {
            air.send(
                from,
                band,
                MODULATION,
                Instant::from_ns(at + length),
                Rc::from([first].as_slice()),
            );
        });
    }
    fn heard(&self, node: usize) -> Vec<(u64, u8, Verdict)> {
        self.bench.run().expect("no livelock");
        self.nodes[node].1.0.borrow().clone()
    }
}

#[test]
fn a_frame_arrives_at_its_last_bit_at_everyone_but_its_sender() {
    let b = bench(&["a", "b", "c"]);
    b.send(0, BAND, 10, 100, 7);
    assert_eq!(b.heard(1), [(110, 7, Verdict::Whole)]);
    assert_eq!(b.heard(2), [(110, 7, Verdict::Whole)]);
    assert_eq!(b.heard(0), []);
}

#[test]
fn overlap_in_time_and_frequency_destroys_both() {
    let b = bench(&["a", "b", "c"]);
    b.send(0, BAND, 0, 100, 1);
    b.send(1, BAND, 50, 100, 2);
    assert_eq!(b.heard(2), [(100, 1, Verdict::Collided), (150, 2, Verdict::Collided)]);
}

#[test]
fn frames_that_only_touch_in_time_or_lie_apart_in_frequency_do_not_collide() {
    let b = bench(&["a", "b", "c"]);
    b.send(0, BAND, 0, 100, 1);
    b.send(1, BAND, 100, 100, 2);
    b.send(0, OTHER, 120, 50, 3);
    let heard = b.heard(2);
    assert!(heard.iter().all(|(_, _, verdict)| *verdict == Verdict::Whole), "{heard:?}");
    assert_eq!(heard.len(), 3);
}

#[test]
fn a_node_out_of_hearing_neither_receives_nor_disturbs() {
    let b = bench(&["a", "b", "c"]);
    b.air.separate(b.nodes[1].0, b.nodes[2].0);
    b.send(0, BAND, 0, 100, 1);
    b.send(1, BAND, 50, 100, 2);
    assert_eq!(b.heard(2), [(100, 1, Verdict::Whole)]);
}

#[test]
fn a_delay_moves_both_ends_of_a_frame() {
    let b = bench(&["a", "b"]);
    b.air.set_delay(b.nodes[0].0, b.nodes[1].0, Duration::from_ns(33));
    b.send(0, BAND, 0, 100, 1);
    assert_eq!(b.heard(1), [(133, 1, Verdict::Whole)]);
}

#[test]
fn a_cut_frame_is_cut_for_everybody() {
    let b = bench(&["a", "b"]);
    let (air, from) = (b.air.clone(), b.nodes[0].0);
    b.bench.at(Instant::START, move || {
        let end = Instant::from_ns(100);
        let id = air.send(from, BAND, MODULATION, end, Rc::from([1].as_slice()));
        air.cut(id);
    });
    assert_eq!(b.heard(1), [(100, 1, Verdict::Cut)]);
}

#[test]
fn a_third_node_shifts_no_draws_of_a_path() {
    let fate = |names: &[&str]| {
        let b = bench(names);
        b.air.set_loss(b.nodes[0].0, b.nodes[1].0, Independent { probability: 0.5 });
        for frame in 0..64 {
            b.send(0, BAND, u64::from(frame) * 200, 100, frame);
        }
        b.heard(1)
    };
    let two = fate(&["a", "b"]);
    assert_eq!(two, fate(&["a", "b", "c"]));
    assert!(two.iter().any(|(_, _, v)| *v == Verdict::Lost));
    assert!(two.iter().any(|(_, _, v)| *v == Verdict::Whole));
}

#[test]
fn orthogonal_modulations_of_one_family_pass_through_each_other() {
    let fate = |orthogonal: bool, settings: [u32; 2]| {
        let b = bench(&["a", "b", "c"]);
        if orthogonal {
            b.air.orthogonal("test");
        }
        for (from, setting) in settings.into_iter().enumerate() {
            let (air, from) = (b.air.clone(), b.nodes[from].0);
            b.bench.at(Instant::START, move || {
                let modulation = Modulation { family: "test", setting };
                let end = Instant::from_ns(100);
                air.send(from, BAND, modulation, end, Rc::from([1].as_slice()));
            });
        }
        b.heard(2).iter().map(|(_, _, verdict)| *verdict).collect::<Vec<_>>()
    };
    assert_eq!(fate(true, [7, 8]), [Verdict::Whole; 2]);
    assert_eq!(fate(true, [7, 7]), [Verdict::Collided; 2]);
    assert_eq!(fate(false, [7, 8]), [Verdict::Collided; 2]);
}

/// Reads frames that are 3 dB above noise plus interference.
#[derive(Clone, Copy)]
struct ThreeDecibels;

impl crate::error_rate::Demodulator for ThreeDecibels {
    fn fails(&self, signal: DbHz, frame: &Frame) -> f64 {
        let hertz = f64::from(frame.band.width_khz()) * 1e3;
        f64::from(u8::from(signal.in_bandwidth(Hertz(hertz)).0 < 3.0))
    }
}

/// Three nodes at 0 dBm. Frames of the first node arrive at the last with path loss `near`, those
/// of the second with `far`.
fn levels(near: f64, far: f64) -> Bench {
    let b = bench(&["near", "far", "receiver"]);
    let receiver = Receiver {
        family: MODULATION.family,
        demodulator: Rc::new(ThreeDecibels),
        noise_figure: Db(10.0),
        harm: Db(0.0),
        sense: Sense { own: Dbm(-70.0), energy: Dbm(-50.0) },
        demodulators: None,
    };
    b.air.set_receiver(b.nodes[2].0, receiver);
    for (from, weaker) in [(0, near), (1, far)] {
        let budget = Budget {
            power: Dbm(0.0),
            antenna_gain: Db(0.0),
            path: PathLoss::FreeSpace,
            range: Metres(0.0),
            shadowing: Db(weaker),
            fading: crate::Fading::Steady,
            noise_figure: Db(10.0),
        };
        b.air.set_budget(b.nodes[from].0, b.nodes[2].0, budget);
    }
    b
}

#[test]
fn the_stronger_of_two_frames_survives_if_it_comes_first() {
    let b = levels(40.0, 60.0);
    b.send(0, BAND, 0, 100, 1);
    b.send(1, BAND, 50, 100, 2);
    assert_eq!(b.heard(2), [(100, 1, Verdict::Whole), (150, 2, Verdict::Lost)]);
}

#[test]
fn a_receiver_that_reads_a_frame_misses_a_stronger_one() {
    let b = levels(60.0, 40.0);
    b.send(0, BAND, 0, 100, 1);
    b.send(1, BAND, 50, 100, 2);
    assert_eq!(b.heard(2), [(100, 1, Verdict::Collided), (150, 2, Verdict::Lost)]);
}

#[test]
fn a_receiver_that_found_nothing_readable_is_free_for_a_stronger_frame() {
    // The third begins while the first, which the second has destroyed, is still on the air.
    let b = levels(60.0, 61.0);
    b.send(0, BAND, 0, 30, 1);
    b.send(1, BAND, 10, 200, 2);
    b.send(0, BAND, 300, 100, 3);
    assert_eq!(b.heard(2)[2], (400, 3, Verdict::Whole));
    // Without known levels, any overlap destroys.
    let blind = bench(&["near", "far", "receiver"]);
    blind.send(0, BAND, 0, 100, 1);
    blind.send(1, BAND, 50, 100, 2);
    assert!(blind.heard(2).iter().all(|&(_, _, verdict)| verdict == Verdict::Collided));
}

#[test]
fn equal_frames_destroy_each_other_and_a_faint_one_is_not_noticed() {
    let b = levels(50.0, 50.0);
    b.send(0, BAND, 0, 100, 1);
    b.send(1, BAND, 0, 100, 2);
    assert_eq!(b.heard(2), [(100, 1, Verdict::Collided), (100, 2, Verdict::Lost)]);
    // A frame at -72 dBm is below the carrier sense threshold for its own kind, and the
    // overlapping frame masks it.
    let b = levels(40.0, 72.0);
    b.send(0, BAND, 0, 100, 1);
    b.send(1, BAND, 50, 100, 2);
    assert_eq!(b.heard(2), [(100, 1, Verdict::Whole)]);
}

#[test]
fn a_carrier_is_sensed_by_its_level() {
    let wide = Band { low_khz: BAND.low_khz, high_khz: BAND.high_khz + 9 * BAND.width_khz() };
    for (weaker, own, energy) in [(39.0, true, true), (60.0, true, false), (71.0, false, false)] {
        let b = levels(weaker, 100.0);
        b.send(0, BAND, 0, 100, 1);
        let (air, node) = (b.air.clone(), b.nodes[2].0);
        b.bench.at(Instant::from_ns(50), move || {
            assert_eq!(air.busy(node, BAND), own, "{weaker} dB");
        });
        b.send(0, wide, 200, 100, 1);
        // A tenth of its power lies in the band: 10 dB less, and it does not count as its own kind
        // there.
        let (air, node) = (b.air.clone(), b.nodes[2].0);
        b.bench.at(Instant::from_ns(250), move || {
            assert_eq!(air.busy_since(node, BAND).is_some(), energy, "{weaker} dB");
        });
        b.bench.run().expect("no livelock");
    }
}
