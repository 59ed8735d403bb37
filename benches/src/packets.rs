//! The virtual bench as quickly as the machine can: one line of JSON a measurement.
//!
//! ```text
//! packets exchange COUNT      nRF24L01+: sender program, driver, bus, chip, air, and back
//! packets crowd COUNT         the same exchange among listening neighbours
//! packets wpan NODES FRAMES   IEEE 802.15.4: NODES senders and one coordinator
//! packets ble COUNT           Bluetooth LE: 1, 10 and 100 connections that notify
//! packets uplinks             LoRaWAN networks of one density; 10,000 devices for an hour
//! packets profiles            1,000 triggers of every profile
//! ```
#![allow(clippy::print_stdout, missing_docs)]

mod ble;
mod uplinks;
mod wpan;

use std::cell::Cell;
use std::convert::Infallible;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant as Wall;

use airlag_air::Medium;
use airlag_app::{Receiver, Sender};
use airlag_drivers::nrf24::Role;
use airlag_kinds::nrf24::stations;
use airlag_kinds::registry;
use airlag_models::mcu::Output;
use airlag_rig::ends::Bench;
use airlag_rig::{Options, run};
use airlag_sim::{Duration, Instant, Line, Simulation};
use airlag_study::pace;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Payload of every message, bytes: one nRF24 packet.
const SIZE: usize = 12;

/// The radios are set up within the first second; then the watch starts.
const SET_UP: Duration = Duration::from_secs(1);

/// `count` messages, each as soon as the one before is acknowledged, among `neighbours` further
/// radios that hear every frame; returns the wall time in seconds.
fn exchange(count: u64, neighbours: usize) -> Result<f64, Box<dyn std::error::Error>> {
    let mut profile = registry::find("nrf24-2m")?;
    profile.set("flush_after_read", "false")?;
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let place = Bench::on(&bench, &air);
    let refused = |why| format!("{why:?}");
    let (sending, receiving) = stations(&profile.read()?, SIZE, &place).map_err(refused)?;
    // Neighbours listen on the same channel for another address: every chip hears every frame.
    let mut elsewhere = profile.clone();
    elsewhere.set("address_width", "5")?;
    let elsewhere = elsewhere.read()?;
    for _ in 0..neighbours {
        let (station, _) = stations(&elsewhere, SIZE, &place).map_err(refused)?;
        bench.spawn("neighbour", async move {
            let _listening = station.driver(Role::Receiver).await.expect("it is set up");
            std::future::pending::<()>().await;
        });
    }
    let (sim, done) = (bench.sim(), Rc::new(Cell::new(0)));
    let told = Rc::clone(&done);
    bench.spawn("sender", async move {
        let mut link = sending.link(Role::Transmitter).await.expect("it is set up");
        let mut sender = Sender::<2048>::new(SIZE).expect("a size");
        sim.sleep_until(Instant::START + SET_UP).await;
        while told.get() < count {
            sender.send::<_, Infallible>(&mut link).await.expect("it sends");
            told.set(told.get() + 1);
        }
        sim.stop();
    });
    let strobe = Line::new(&bench, false);
    let arrived = Rc::new(Cell::new(0));
    let told = Rc::clone(&arrived);
    bench.spawn("receiver", async move {
        let mut link = receiving.link(Role::Receiver).await.expect("it is set up");
        let mut receiver = Receiver::<2048>::new();
        let mut output = Output::new(&strobe);
        loop {
            receiver.step(&mut link, &mut output, |_| ()).await.expect("it receives");
            told.set(u64::from(receiver.received().messages));
        }
    });
    bench.run_until(Instant::START + SET_UP)?;
    let began = Wall::now();
    bench.run()?;
    let seconds = began.elapsed().as_secs_f64();
    assert_eq!((done.get(), arrived.get()), (count, count), "every message is acknowledged");
    Ok(seconds)
}

fn profiles() -> Outcome {
    for profile in registry::all()? {
        for size in [12, 128, 1024] {
            // As `airlag run` does when it is told nothing else.
            let began = Wall::now();
            let service = pace::service(profile, size, 1)?;
            let stimulus = pace::uniform(pace::period(profile, size, service)?, 1_000);
            let seen = run(profile, size, &stimulus, Options::default())?;
            println!(
                r#"{{"link": "{}", "size": {size}, "seconds": {:.6}, "events": {}}}"#,
                profile.name,
                began.elapsed().as_secs_f64(),
                seen.events
            );
        }
    }
    Ok(())
}

fn measure(words: &[String]) -> Outcome {
    let count = |words: &[String]| words.first().map_or(Ok(100_000), |word| word.parse());
    match words.split_first() {
        Some((what, rest)) if what == "exchange" => {
            let count = count(rest)?;
            println!(r#"{{"seconds": {}, "confirmed": {count}}}"#, exchange(count, 0)?);
        }
        Some((what, rest)) if what == "crowd" => {
            let count = count(rest)?;
            for neighbours in [0, 10, 30, 100] {
                let seconds = exchange(count, neighbours)?;
                println!(r#"{{"neighbours": {neighbours}, "seconds": {seconds}}}"#);
            }
        }
        Some((what, rest)) if what == "wpan" => {
            let [nodes, frames] = rest else { return Err("wpan wants NODES and FRAMES".into()) };
            let wpan::Star { seconds, asked, confirmed, events } =
                wpan::star(nodes.parse()?, frames.parse()?)?;
            println!(
                r#"{{"seconds": {seconds}, "asked": {asked}, "confirmed": {confirmed}, "events": {events}}}"#
            );
        }
        Some((what, rest)) if what == "ble" => {
            let count = count(rest)?;
            for links in [1, 10, ble::MOST] {
                let asked = count / links * links;
                let ble::Piconets { seconds, arrived, events } =
                    ble::piconets(links, asked / links)?;
                assert_eq!(arrived, asked, "every notification arrives");
                println!(
                    r#"{{"links": {links}, "seconds": {seconds}, "arrived": {arrived}, "events": {events}}}"#
                );
            }
        }
        Some((what, _)) if what == "uplinks" => {
            for network in uplinks::of_equal_density().into_iter().chain([uplinks::large()]) {
                let uplinks::Measured { seconds, frames, delivered, arrivals } =
                    uplinks::measure(&network)?;
                let (devices, gateways) = (network.devices, network.gateways);
                println!(
                    r#"{{"devices": {devices}, "gateways": {gateways}, "seconds": {seconds}, "frames": {frames}, "delivered": {delivered}, "arrivals": {arrivals}}}"#
                );
            }
        }
        Some((what, _)) if what == "profiles" => profiles()?,
        _ => return Err("one of exchange, crowd, wpan, ble, uplinks, profiles is wanted".into()),
    }
    Ok(())
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match measure(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("packets: {error}");
            ExitCode::from(2)
        }
    }
}
