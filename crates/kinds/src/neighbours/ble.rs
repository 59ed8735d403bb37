//! Bluetooth LE connections: `ble:3`.
//!
//! Each neighbouring Bluetooth LE connection uses LE 1M and hops over all data channels; no channel
//! is ever removed from its channel map. A connection event takes place every 30 ms. In each
//! connection event, the peripheral sends a full packet of 251 bytes to the central. In accordance
//! with the standard, the connections have no carrier sense.

use airlag_air::Band;
use airlag_air::error_rate::{BitErrors, NoncoherentFsk};
use airlag_air::quantity::{Dbm, Hertz};
use airlag_link::airtime::ble::{MAX_DATA_LENGTH, Phy};
use airlag_models::stack::ble::controller::{Controller, Event, Packet, Settings, connect};
use airlag_models::stack::ble::interval::Interval;
use airlag_rig::Error;
use airlag_rig::kind::ISM;
use airlag_rig::neighbours::{Beside, Neighbour, Spec};
use airlag_sim::Clock;

use crate::ble::HEARING;

/// Bluetooth LE connections.
pub(super) struct Ble;

/// Transmit power of common radios.
const POWER: Dbm = Dbm(0.0);
/// Sensitivity required by the Core Specification (5.4, 6.A.4.1), at 0.1 % of bits wrong.
const SENSITIVITY: Dbm = Dbm(-70.0);

impl Neighbour for Ble {
    fn name(&self) -> &'static str {
        "ble"
    }

    fn example(&self) -> &'static str {
        "ble:3"
    }

    fn check(&self, spec: &Spec) -> Result<(), String> {
        if spec.channel.is_some() {
            return Err("it hops over all channels; leave the channel out".to_owned());
        }
        spec.count().map(|_| ())
    }

    fn band(&self, _: &Spec, _: Band) -> Band {
        ISM
    }

    fn start(&self, spec: &Spec, beside: &Beside<'_>) -> Result<(), Error> {
        for nth in 1..=spec.count().map_err(|cause| beside.refused(cause))? {
            connection(nth, spec, beside)?;
        }
        Ok(())
    }
}

/// Connection interval, us.
const INTERVAL_US: u64 = 30_000;

fn connection(nth: u8, spec: &Spec, beside: &Beside<'_>) -> Result<(), Error> {
    let bench = beside.bench.beside(&format!("connection {nth}"), spec.distance);
    let (air, sim) = (bench.air(), bench.sim());
    let interval = Interval::from_us(INTERVAL_US)
        .map_err(|_| beside.refused("an interval is a multiple of 1.25 ms".to_owned()))?;
    let anchor_phase = sim.stream("anchor phase").within(interval.duration());
    let settings = Settings { anchor_phase, ..Settings::new(interval, Phy::Le1M) };
    let new = |name| Controller::new(air, sim, name, Clock::exact());
    let ((central, mut received), (peripheral, mut acknowledged)) =
        (new("central"), new("peripheral"));
    let demodulator = NoncoherentFsk { rate: Hertz(1e6) };
    let noise_figure = demodulator.noise_figure(SENSITIVITY, 1e-3);
    for node in [central.node(), peripheral.node()] {
        let power = spec.power.unwrap_or(POWER);
        let receiver = HEARING.with(demodulator, noise_figure);
        bench.placed_radios().neighbour(air, node, bench.place(), power, receiver);
    }
    connect(&central, &peripheral, settings);
    // A packet is handed over on connection, and another after each acknowledgement.
    let sending = peripheral;
    sim.spawn("peripheral", async move {
        while let Some(event) = acknowledged.receive().await {
            if matches!(event, Event::Connected(_) | Event::Completed) {
                sending.submit(Packet { start: true, bytes: vec![0; MAX_DATA_LENGTH] });
            }
        }
    });
    sim.spawn("central", async move {
        let _kept = central;
        // Received packets are read and discarded.
        while received.receive().await.is_some() {}
    });
    beside.bench.keep(std::rc::Rc::new(bench));
    Ok(())
}
