//! Bluetooth LE connections that share one air, every one of them notifying.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant as Wall;

use airlag_air::Medium;
use airlag_link::Link;
use airlag_link::airtime::ble::Phy;
use airlag_models::mcu::Board;
use airlag_models::stack::ble::att::Opcode;
use airlag_models::stack::ble::controller::{Controller, Settings, connect};
use airlag_models::stack::ble::host::{Host, HostCosts, WhenFull};
use airlag_models::stack::ble::interval::Interval;
use airlag_sim::{Clock, Duration, Instant, Simulation};

/// Payload of every notification: one packet.
const PAYLOAD: [u8; 100] = [7; 100];

/// Between the connection events of a link, and from those of one link to those of the next: a
/// hundred links fill the interval, and none of their events overlap.
const INTERVAL_US: u64 = 75_000;
const APART: Duration = Duration::from_us(750);
pub const MOST: u64 = 100;

/// From one notification of a link to its next: longer than an interval, so that none has to queue.
const PERIOD: Duration = Duration::from_ms(100);

const COSTS: HostCosts = HostCosts {
    send: Duration::from_us(300),
    gate: Duration::ZERO,
    receive: Duration::from_us(300),
    queue: 10,
    when_full: WhenFull::Wait,
    acl_length: 251,
    chunk: 197,
    operation: Opcode::Notification,
};

/// What was measured.
pub struct Piconets {
    /// Wall time.
    pub seconds: f64,
    /// Notifications that reached the program at the other end.
    pub arrived: u64,
    /// Events of the simulation.
    pub events: u64,
}

/// `links` connections, at most [`MOST`], that notify `each` times.
pub fn piconets(links: u64, each: u64) -> Result<Piconets, Box<dyn std::error::Error>> {
    if links > MOST {
        return Err(format!("{links} links do not fit beside each other; at most {MOST} do").into());
    }
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let arrived = Rc::new(Cell::new(0));
    let interval = Interval::from_us(INTERVAL_US)?;
    for nth in 0..links {
        let settings = Settings { anchor_phase: APART * nth, ..Settings::new(interval, Phy::Le2M) };
        let end = |role: &str| {
            let board = Board::new(&bench, &format!("{role} {nth}"), Clock::exact());
            let name = format!("controller of {role} {nth}");
            let (controller, told) = Controller::new(&air, &bench, &name, Clock::exact());
            (board, controller, told)
        };
        let (phone, central, told_central) = end("central");
        let (sensor, peripheral, told_peripheral) = end("peripheral");
        connect(&central, &peripheral, settings);
        let mut sender = Host::new(&sensor, &peripheral, told_peripheral, COSTS, |_| {});
        let mut receiver = Host::new(&phone, &central, told_central, COSTS, |_| {});
        let sim = bench.sim();
        bench.spawn("sender", async move {
            for round in 1..=each {
                sim.sleep_until(Instant::START + PERIOD * round).await;
                let Ok(_) = sender.send(&PAYLOAD).await;
            }
        });
        let told = Rc::clone(&arrived);
        bench.spawn("receiver", async move {
            let mut buffer = [0; 256];
            loop {
                let Ok(got) = receiver.receive(&mut buffer).await;
                told.set(told.get() + u64::from(got == PAYLOAD.len()));
            }
        });
    }
    let began = Wall::now();
    // Connections go on for ever: the last notification gets ten intervals to arrive.
    bench.run_until(Instant::START + PERIOD * each + Duration::from_us(INTERVAL_US) * 10)?;
    let seconds = began.elapsed().as_secs_f64();
    Ok(Piconets { seconds, arrived: arrived.get(), events: bench.events_fired() })
}
