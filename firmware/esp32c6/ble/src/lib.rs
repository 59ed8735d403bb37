//! # airlag-esp32c6-ble: Bluetooth LE on an ESP32-C6
//!
//! **Input:** chunks of the program; packets of the manufacturer's Bluetooth controller. **Output:** packets; chunks.
//! **Used by:** the image in `src/bin`, which has everything else from `airlag-esp32c6`.
//!
//! The host is trouble in the version of the virtual bench. The connection is kept in the background, also between two
//! runs with the same settings.
//!
//! - [`plan`]: the settings of a run.
//! - [`hci`]: the controller as a transport of the host.
//! - [`session`]: one connection, as peripheral or central.

#![no_std]

pub mod hci;
pub mod plan;
pub mod session;

use core::cell::RefCell;

use airlag_app::control::Setting;
use airlag_ends::console;
use airlag_ends::program::Protocol;
use airlag_ends::settings::{Role, Settings};
use airlag_esp32c6::board::{self, NAME};
use airlag_link::{Capability, Delivery, Link};
use embassy_executor::Spawner;
use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::{Duration, Timer};
use esp_hal::peripherals::BT;
use esp_radio::ble::Config;
use esp_radio::ble::controller::BleConnector;
use static_cell::StaticCell;

use crate::hci::Hci;
use crate::plan::{LONGEST, Plan, SETTINGS};
use crate::session::{Chunk, Queues};

/// Time from the end of a connection to the next attempt to connect.
const PAUSE: Duration = Duration::from_millis(100);

/// State that the program and the host of the control protocol share.
pub type Shared = console::Shared<SETTINGS>;
/// Requests and probes of the host of the control protocol.
pub type Console = console::Console<SETTINGS>;

/// Creates the state that the program and the host of the control protocol share. The image calls this once.
pub fn share() -> &'static Shared {
    static SHARED: StaticCell<Shared> = StaticCell::new();
    SHARED.init(Shared::new::<Ble>(NAME, "ble", Role::Receiver))
}

/// State that the program shares with the task of the connection.
struct Background {
    queues: Queues,
    /// The plan of the next run.
    wanted: Signal<NoopRawMutex, Plan>,
}

/// Bluetooth LE.
pub struct Ble {
    /// The plan in use.
    plan: Option<Plan>,
    end: End,
}

impl Ble {
    /// Starts the controller and the task of the connection. A board whose controller does not start is halted. The
    /// image calls this once.
    #[must_use]
    pub fn new(radio: BT<'static>, spawner: Spawner) -> Self {
        static CONNECTOR: StaticCell<RefCell<BleConnector<'static>>> = StaticCell::new();
        static BACKGROUND: StaticCell<Background> = StaticCell::new();
        let Ok(connector) = BleConnector::new(radio, Config::default()) else { board::halt() };
        let hci = Hci(CONNECTOR.init(RefCell::new(connector)));
        let background: &Background =
            BACKGROUND.init_with(|| Background { queues: Queues::new(), wanted: Signal::new() });
        let Ok(connection) = serve_connection(hci, background) else { board::halt() };
        spawner.spawn(connection);
        Self { plan: None, end: End { background, chunk: LONGEST, is_confirmed: false } }
    }
}

/// Keeps the connection of the last plan.
#[embassy_executor::task]
async fn serve_connection(hci: Hci, background: &'static Background) -> ! {
    let Background { queues, wanted } = background;
    let mut plan = wanted.wait().await;
    loop {
        let next = select(wanted.wait(), session::run(hci, &plan, queues)).await;
        queues.end();
        match next {
            Either::First(next) => plan = next,
            Either::Second(_) => Timer::after(PAUSE).await,
        }
    }
}

impl Protocol<SETTINGS> for Ble {
    type Link = End;

    fn settings(role: Role) -> [Setting; SETTINGS] {
        plan::settings(role)
    }

    /// Does not wait for the other board. With the settings of the last run, the connection is left as it is.
    async fn set_up(&mut self, settings: &Settings<SETTINGS>) -> bool {
        let plan = Plan::of(settings);
        if self.plan != Some(plan) {
            self.end.background.queues.inbox.clear();
            self.end.background.wanted.signal(plan);
            self.plan = Some(plan);
        }
        (self.end.chunk, self.end.is_confirmed) = (plan.chunk, plan.is_confirmed());
        true
    }

    fn link(&mut self) -> &mut End {
        &mut self.end
    }
}

/// A chunk is longer than the settings permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong(pub usize);

/// One end of a link. Without a connection, it loses what it is to send.
pub struct End {
    background: &'static Background,
    /// Largest chunk, bytes.
    chunk: usize,
    is_confirmed: bool,
}

impl Link for End {
    type Error = TooLong;

    fn capability(&self) -> Capability {
        Capability::datagram(self.chunk).acknowledged(self.is_confirmed).duplex(true)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, TooLong> {
        let Queues { is_ready, outbox, sent, .. } = &self.background.queues;
        let queued = Chunk::of(chunk).ok_or(TooLong(chunk.len()))?;
        sent.reset();
        if !is_ready.get() || outbox.try_send(queued).is_err() {
            return Ok(Delivery::Lost);
        }
        Ok(sent.wait().await)
    }

    /// Returns at once, because the arrival of notifications and commands is not reported.
    async fn flush(&mut self) -> Result<Delivery, TooLong> {
        Ok(if self.is_confirmed { Delivery::Confirmed } else { Delivery::Sent })
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, TooLong> {
        let chunk = self.background.queues.inbox.receive().await;
        let bytes = chunk.bytes();
        let len = bytes.len().min(buffer.len());
        buffer[..len].copy_from_slice(&bytes[..len]);
        Ok(len)
    }
}
