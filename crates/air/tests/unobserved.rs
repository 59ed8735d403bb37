//! Frames that a model leaves out of the simulation.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use airlag_air::error_rate::NoncoherentFsk;
use airlag_air::quantity::{Db, Dbm, Hertz, Metres};
use airlag_air::{
    Band, Budget, BySignal, Fading, Frame, Medium, Modulation, NodeId, PathLoss, Radio, Reception,
    Verdict,
};
use airlag_sim::meter::State;
use airlag_sim::{Duration, Instant, Simulation};

const BAND: Band = Band::around(2_402_000, 1_000);
const MODULATION: Modulation = Modulation { family: "test", setting: 1 };

/// Records which frames arrived.
#[derive(Default)]
struct Ear(RefCell<Vec<(u64, bool)>>);

impl Radio for Ear {
    fn frame_ended(&self, reception: &Reception<'_>) {
        let is_whole = reception.verdict == Verdict::Whole;
        self.0.borrow_mut().push((reception.begin.as_ns(), is_whole));
    }
}

/// A sender and a receiver at the edge of its range.
fn pair(bench: &Simulation) -> (Medium, NodeId, Rc<Ear>) {
    let air = Medium::new(bench);
    let (sender, receiver) = (air.join("sender"), air.join("receiver"));
    let ear = Rc::new(Ear::default());
    let radio: Weak<Ear> = Rc::downgrade(&ear);
    air.attach(receiver, radio);
    let budget = Budget {
        power: Dbm(0.0),
        antenna_gain: Db(0.0),
        path: PathLoss::FreeSpace,
        range: Metres(300.0),
        shadowing: Db(0.0),
        fading: Fading::Rayleigh,
        noise_figure: Db(15.0),
    };
    air.add_loss(
        sender,
        receiver,
        BySignal { budget, demodulator: NoncoherentFsk { rate: Hertz(250e3) } },
    );
    (air, sender, ear)
}

/// Arrivals of 300 frames of 1 ms, of which those with `is_left_out` are not simulated, and the
/// time in transmission.
fn arrivals(is_left_out: fn(u64) -> bool) -> (Vec<(u64, bool)>, u64) {
    let bench = Simulation::new(1);
    let (air, sender, ear) = pair(&bench);
    for nth in 0..300 {
        let air = air.clone();
        let begin = Instant::from_ns(nth * 2_000_000);
        bench.at(begin, move || {
            let end = begin + Duration::from_ms(1);
            if is_left_out(nth) {
                air.plan_transmission(sender, begin, end);
                air.skip(sender);
            } else {
                air.send(sender, BAND, MODULATION, end, [0; 8].as_slice().into());
            }
        });
    }
    bench.run().expect("it runs");
    let spent = bench.read_meters_until(Instant::from_ns(600_000_000)).remove(0).spent;
    (ear.0.take(), spent[State::Transmit.index()].as_ns())
}

#[test]
fn frames_left_out_change_neither_the_fate_of_others_nor_the_charge() {
    let is_left_out = |nth: u64| nth % 5 > 1;
    let ((all, whole_ns), (some, partial_ns)) = (arrivals(|_| false), arrivals(is_left_out));
    let lost = all.iter().filter(|(_, is_whole)| !is_whole).count();
    assert!((20..280).contains(&lost), "{lost} of 300");
    let kept: Vec<_> = all.into_iter().filter(|(at, _)| !is_left_out(at / 2_000_000)).collect();
    assert_eq!((some, partial_ns), (kept, whole_ns));
}

#[test]
fn an_observer_of_single_frames_is_noticed() {
    let attach: [fn(&Simulation, &Medium); 3] = [
        |_, air| air.tap(|_: &Frame, _| {}),
        |_, air| air.detect(|_, _| {}),
        |bench, _| bench.record_spans(true),
    ];
    for attach in attach {
        let bench = Simulation::new(1);
        let (air, _, _) = pair(&bench);
        let notices = Rc::new(Cell::new(0));
        let counted = Rc::clone(&notices);
        bench.on_observer(move || counted.set(counted.get() + 1));
        air.tap_one_of_each(|_: &Frame, _| {});
        assert!(air.is_unobserved() && notices.get() == 0);
        attach(&bench, &air);
        assert!(!air.is_unobserved() && notices.get() == 1);
    }
    let bench = Simulation::new(1);
    let (air, _, _) = pair(&bench);
    air.join("third");
    assert!(!air.is_unobserved());
}
