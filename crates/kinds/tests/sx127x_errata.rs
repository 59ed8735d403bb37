//! The SX127x driver follows the errata note, checked in the chip's registers after set-up.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_drivers::sx127x::{Config, Sx127x};
use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};
use airlag_models::chip::sx127x::{Erratum, Sx1276 as Chip, Timing};
use airlag_models::mcu::{Board, Delay, Input, Notice, Output, Spi, SpiTiming};
use airlag_sim::{Clock, Duration, Simulation};

/// Items of the errata note that the driver did not follow at a bandwidth and a carrier.
fn unheeded(bandwidth: Bandwidth, hz: u32) -> Vec<Erratum> {
    let bench = Simulation::new(1);
    let (sim, air) = (bench.sim(), Medium::new(&bench));
    let left = Rc::new(RefCell::new(None));
    let result = Rc::clone(&left);
    bench.spawn("board", async move {
        let board = Board::new(&sim, "board", Clock::exact());
        let chip = Chip::new(&air, "SX1276", &sim, Clock::exact(), Timing::default());
        let timing = SpiTiming { byte: Duration::from_us(1), transaction: Duration::ZERO };
        let notice = Notice::Interrupt { entry: Duration::from_us(1), jitter: Duration::ZERO };
        let input = |name: &str, pin: usize| Input::new(&board, name, &chip.dio()[pin], notice);
        let frame = Frame::new(SpreadingFactor::Sf7, bandwidth, CodingRate::Cr4_5);
        let (mut reset, mut delay) = (Output::new(chip.reset()), Delay::new(&board));
        let spi = Spi::new(&board, Rc::clone(&chip), timing);
        let pins = (input("dio0", 0), input("dio5", 5));
        let config = Config::new(hz, frame);
        let made = Sx127x::new(spi, pins.0, pins.1, &mut reset, &mut delay, config).await;
        made.map_err(|error| error.to_string()).expect("it is set up");
        *result.borrow_mut() = Some(chip.unheeded_errata());
    });
    bench.run().expect("it ends");
    let found = left.borrow_mut().take();
    found.expect("it was set up")
}

#[test]
fn from_62_5_khz_on_all_of_the_note_is_done_in_every_band() {
    use Bandwidth::{Khz62_5, Khz125, Khz250, Khz500};
    for bandwidth in [Khz62_5, Khz125, Khz250, Khz500] {
        for hz in [433_920_000, 868_100_000, 915_000_000] {
            assert_eq!(unheeded(bandwidth, hz), [], "{bandwidth:?} {hz}");
        }
    }
    assert_eq!(unheeded(Khz125, 169_400_000), []);
}

#[test]
fn below_it_another_carrier_would_be_needed_to_receive() {
    for bandwidth in [Bandwidth::Khz7_8, Bandwidth::Khz20_8, Bandwidth::Khz41_7] {
        assert_eq!(unheeded(bandwidth, 433_920_000), [Erratum::SpuriousReception]);
    }
}
