//! A third-party driver, `lora-phy` 3.0.1, runs unmodified on the chip model.
//!
//! The driver always links `defmt`, for which a host has no logger. At the default level all of its
//! messages are compiled out, so no logger is needed.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use airlag_air::Medium;
use airlag_link::airtime::lora::{
    Bandwidth as Width, CodingRate as Rate, Frame, SpreadingFactor as Factor,
};
use airlag_models::chip::sx127x::{Sx1276 as Chip, Timing};
use airlag_models::mcu::{Board, Delay, Input, Notice, Output, Spi, SpiTiming};
use airlag_sim::{Clock, Duration, Instant, Sim, Simulation};
use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use lora_phy::mod_params::{Bandwidth, CodingRate, ModulationParams, RadioError, SpreadingFactor};
use lora_phy::mod_traits::InterfaceVariant;
use lora_phy::sx127x::{Config, Sx127x, Sx1276};
use lora_phy::{LoRa, RxMode};

/// Wiring of the radio to its board: a reset output and DIO0.
struct Wiring {
    reset: Output,
    dio0: Input,
}

impl InterfaceVariant for Wiring {
    async fn reset(&mut self, delay: &mut impl DelayNs) -> Result<(), RadioError> {
        let Ok(()) = self.reset.set_low();
        delay.delay_us(100).await;
        let Ok(()) = self.reset.set_high();
        delay.delay_ms(5).await;
        Ok(())
    }
    async fn wait_on_busy(&mut self) -> Result<(), RadioError> {
        Ok(())
    }
    async fn await_irq(&mut self) -> Result<(), RadioError> {
        let Ok(()) = self.dio0.wait_for_high().await;
        Ok(())
    }
    async fn enable_rf_switch_rx(&mut self) -> Result<(), RadioError> {
        Ok(())
    }
    async fn enable_rf_switch_tx(&mut self) -> Result<(), RadioError> {
        Ok(())
    }
    async fn disable_rf_switch(&mut self) -> Result<(), RadioError> {
        Ok(())
    }
}

type Radio = LoRa<Sx127x<Spi<Chip>, Wiring, Sx1276>, Delay>;

async fn radio(sim: &Sim, air: &Medium, name: &str) -> Radio {
    let board = Board::new(sim, name, Clock::exact());
    let chip = Chip::new(air, &format!("{name} SX1276"), sim, Clock::exact(), Timing::default());
    let spi_timing = SpiTiming { byte: Duration::from_us(1), transaction: Duration::ZERO };
    let entry = Duration::from_us(1);
    let notice = Notice::Interrupt { entry, jitter: Duration::ZERO };
    let wiring = Wiring {
        reset: Output::new(chip.reset()),
        dio0: Input::new(&board, "dio0", &chip.dio()[0], notice),
    };
    let spi = Spi::new(&board, chip, spi_timing);
    let config = Config { chip: Sx1276, tcxo_used: false, tx_boost: true, rx_boost: false };
    let kind = Sx127x::new(spi, wiring, config);
    LoRa::new(kind, false, Delay::new(&board)).await.map_err(|_| ()).expect("sets up")
}

fn modulation(radio: &mut Radio, factor: SpreadingFactor, width: Bandwidth) -> ModulationParams {
    radio
        .create_modulation_params(factor, width, CodingRate::_4_5, 868_000_000)
        .map_err(|_| ())
        .expect("a setting")
}

/// Received packets, with the times at which `rx` returned.
type Log = Rc<RefCell<Vec<(Vec<u8>, Instant)>>>;

fn bench(
    factor: SpreadingFactor,
    width: Bandwidth,
    mode: RxMode,
    messages: &'static [&'static [u8]],
    sent: Rc<Cell<Instant>>,
) -> Vec<(Vec<u8>, Instant)> {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let log = Log::default();
    let (sim, medium, heard) = (bench.sim(), air.clone(), log.clone());
    bench.spawn("receiver", async move {
        let mut radio = radio(&sim, &medium, "receiver").await;
        let modulation = modulation(&mut radio, factor, width);
        let packet = radio
            .create_rx_packet_params(8, false, 255, true, false, &modulation)
            .map_err(|_| ())
            .expect("a format");
        loop {
            radio.prepare_for_rx(mode, &modulation, &packet).await.map_err(|_| ()).expect("bus");
            let mut buffer = [0; 255];
            // A single reception that times out is repeated.
            if let Ok((length, status)) = radio.rx(&packet, &mut buffer).await {
                assert_eq!((status.snr, status.rssi), (9, -61));
                let bytes = buffer[..usize::from(length)].to_vec();
                heard.borrow_mut().push((bytes, sim.now()));
            }
        }
    });
    let sim = bench.sim();
    bench.spawn("sender", async move {
        let mut radio = radio(&sim, &air, "sender").await;
        let modulation = modulation(&mut radio, factor, width);
        let mut packet = radio
            .create_tx_packet_params(8, false, true, false, &modulation)
            .map_err(|_| ())
            .expect("a format");
        sim.sleep(Duration::from_ms(50)).await;
        for message in messages {
            radio
                .prepare_for_tx(&modulation, &mut packet, 14, message)
                .await
                .map_err(|_| ())
                .expect("bus");
            sent.set(sim.now());
            radio.tx().await.map_err(|_| ()).expect("bus");
            sim.sleep(Duration::from_ms(20)).await;
        }
    });
    bench.run_until(Instant::START + Duration::from_secs(60)).expect("no livelock");
    log.take()
}

#[test]
fn its_packets_arrive_and_take_the_time_of_their_settings() {
    let settings = [
        (SpreadingFactor::_7, Bandwidth::_250KHz, Factor::Sf7, Width::Khz250),
        (SpreadingFactor::_11, Bandwidth::_62KHz, Factor::Sf11, Width::Khz62_5),
    ];
    for (factor, width, our_factor, our_width) in settings {
        let sent = Rc::new(Cell::new(Instant::START));
        let messages: &[&[u8]] = &[&[1; 12], b"the last of three", &[0xA5; 255]];
        let heard = bench(factor, width, RxMode::Continuous, messages, sent.clone());
        let bytes: Vec<&[u8]> = heard.iter().map(|(bytes, _)| bytes.as_slice()).collect();
        assert_eq!(bytes, messages);
        // The time from the request for transmission to the last byte read: two bytes to start it,
        // lock and ramp, the frame, an interrupt, and 2 + 2 + 2 + 2 + 2 + 256 + 2 + 2 + 2 + 3 * 2
        // bytes of reading.
        let frame = Frame::new(our_factor, our_width, Rate::Cr4_5);
        let took = heard[2].1.since(sent.get()).as_ns();
        assert_eq!(took, 2_000 + 115_000 + frame.duration_ns(255) + 1_000 + 278_000);
    }
}

#[test]
fn its_single_reception_hears_what_comes_within_the_timeout() {
    let sent = Rc::new(Cell::new(Instant::START));
    let messages: &[&[u8]] = &[&[7; 20], &[8; 20]];
    let mode = RxMode::Single(1_000);
    let heard = bench(SpreadingFactor::_8, Bandwidth::_125KHz, mode, messages, sent);
    let bytes: Vec<&[u8]> = heard.iter().map(|(bytes, _)| bytes.as_slice()).collect();
    assert_eq!(bytes, messages);
}

#[test]
fn its_activity_detection_tells_a_busy_channel_from_a_free_one() {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let found = Rc::new(RefCell::new(Vec::new()));
    let (sim, medium) = (bench.sim(), air.clone());
    bench.spawn("sender", async move {
        let mut radio = radio(&sim, &medium, "sender").await;
        let modulation = modulation(&mut radio, SpreadingFactor::_9, Bandwidth::_125KHz);
        let mut packet = radio
            .create_tx_packet_params(8, false, true, false, &modulation)
            .map_err(|_| ())
            .expect("a format");
        sim.sleep(Duration::from_ms(200)).await;
        let prepared = radio.prepare_for_tx(&modulation, &mut packet, 14, &[0; 200]).await;
        prepared.map_err(|_| ()).expect("bus");
        radio.tx().await.map_err(|_| ()).expect("bus");
    });
    let (sim, seen) = (bench.sim(), found.clone());
    bench.spawn("listener", async move {
        let mut radio = radio(&sim, &air, "listener").await;
        let modulation = modulation(&mut radio, SpreadingFactor::_9, Bandwidth::_125KHz);
        for at_ms in [100, 300] {
            sim.sleep_until(Instant::START + Duration::from_ms(at_ms)).await;
            radio.prepare_for_cad(&modulation).await.map_err(|_| ()).expect("bus");
            let busy = radio.cad(&modulation).await.map_err(|_| ()).expect("bus");
            seen.borrow_mut().push(busy);
        }
    });
    bench.run_until(Instant::START + Duration::from_secs(5)).expect("no livelock");
    assert_eq!(*found.borrow(), [false, true]);
}
