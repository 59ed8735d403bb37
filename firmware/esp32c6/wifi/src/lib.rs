//! # airlag-esp32c6-wifi: UDP, TCP and WebSocket over Wi-Fi on an ESP32-C6
//!
//! **Input:** chunks of the program; packets of the manufacturer's Wi-Fi driver. **Output:** packets; chunks. **Used
//! by:** the image in `src/bin`, which has everything else from `airlag-esp32c6`.
//!
//! The TCP/IP stack is smoltcp in the version of the virtual bench, and the code of WebSocket is in `airlag-drivers`.
//! Association and connection are kept in the background, also between two runs with the same settings.
//!
//! - [`plan`]: the settings of a run.
//! - [`radio`]: the board as an access point or a station.
//! - [`network`]: smoltcp over the interface, and its connection. [`stream`]: the bytes of this connection.

#![no_std]

extern crate alloc;

pub mod network;
pub mod plan;
pub mod radio;
pub mod stream;

use airlag_app::control::Setting;
use airlag_drivers::websocket::WebSocketError;
use airlag_ends::console;
use airlag_ends::program::Protocol;
use airlag_ends::settings::{LARGEST, Role, Settings};
use airlag_esp32c6::board::{self, NAME};
use airlag_link::{Capability, Delivery, Link, OpenedBy};
use embassy_executor::Spawner;
use embassy_futures::join::join;
use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::mutex::Mutex;
use embassy_sync::signal::Signal;
use embassy_time::{Duration, with_timeout};
use embedded_io_async::{Read, Write};
use esp_hal::peripherals::WIFI;
use esp_hal::rng::Rng;
use static_cell::StaticCell;

use crate::network::{LARGEST_DATAGRAM, Network, Socket};
use crate::plan::{LARGEST_BUFFER, Plan, SETTINGS, Transport};
use crate::radio::Radio;
use crate::stream::{Closed, Stream, receive_datagram, send_datagram};

/// Heap beside the reclaimed memory, bytes: what esp-radio recommends for Wi-Fi, and the largest buffers of a socket.
const HEAP_SIZE: usize = 36 * 1024 + 2 * LARGEST_BUFFER;
/// Time after which a datagram without room is given up. The driver drops a frame much earlier.
const LIMIT: Duration = Duration::from_secs(1);

/// State that the program and the host share.
pub type Shared = console::Shared<SETTINGS>;
/// Requests and probes of the host.
pub type Console = console::Console<SETTINGS>;

/// Creates the state that the program and the host share. The image calls this once.
pub fn share() -> &'static Shared {
    static SHARED: StaticCell<Shared> = StaticCell::new();
    SHARED.init(Shared::new::<Wifi>(NAME, "wifi", Role::Receiver))
}

/// State that the program shares with the task of the radio.
struct Background {
    network: &'static Network,
    socket: Mutex<NoopRawMutex, Socket>,
    /// The plan of the next run.
    wanted: Signal<NoopRawMutex, Plan>,
    /// Whether the driver accepts it.
    applied: Signal<NoopRawMutex, bool>,
}

/// UDP, TCP or WebSocket over Wi-Fi.
pub struct Wifi {
    /// The plan in use.
    plan: Option<Plan>,
    end: End,
}

impl Wifi {
    /// Starts Wi-Fi and its tasks. A board whose Wi-Fi does not start is halted. The image calls this once.
    #[must_use]
    pub fn new(radio: WIFI<'static>, spawner: Spawner) -> Self {
        static NETWORK: StaticCell<Network> = StaticCell::new();
        static BACKGROUND: StaticCell<Background> = StaticCell::new();
        add_heap();
        let network: &Network = NETWORK.init(Network::new());
        let background: &Background = BACKGROUND.init_with(|| Background {
            network,
            socket: Mutex::new(Socket::new(Stream(network), random)),
            wanted: Signal::new(),
            applied: Signal::new(),
        });
        let tasks = (serve_network(network), serve_radio(Radio::new(radio), background));
        let (Ok(packets), Ok(association)) = tasks else { board::halt() };
        spawner.spawn(packets);
        spawner.spawn(association);
        Self {
            plan: None,
            end: End { background, transport: Transport::Udp, opened: OpenedBy::Here },
        }
    }
}

fn random() -> u32 {
    Rng::new().random()
}

#[embassy_executor::task]
async fn serve_network(network: &'static Network) -> ! {
    match network.run().await {}
}

/// Keeps the association and the connection of the last plan.
#[embassy_executor::task]
async fn serve_radio(mut radio: Radio, background: &'static Background) -> ! {
    let Background { network, socket, wanted, applied } = background;
    let mut plan = wanted.wait().await;
    loop {
        let is_applied = radio.apply(&plan).await;
        if is_applied {
            network.set_up(&plan, radio.interface(&plan)).await;
        }
        applied.signal(is_applied);
        if !is_applied {
            plan = wanted.wait().await;
            continue;
        }
        let kept = join(radio.stay(&plan), network.keep(&plan, socket));
        plan = match select(wanted.wait(), kept).await {
            Either::First(next) => next,
            Either::Second((never, _)) => match never {},
        };
    }
}

impl Protocol<SETTINGS> for Wifi {
    type Link = End;

    fn settings(role: Role) -> [Setting; SETTINGS] {
        plan::settings(role)
    }

    /// Does not wait for the other board. With the settings of the last run, association and connection are left as
    /// they are.
    async fn set_up(&mut self, settings: &Settings<SETTINGS>) -> bool {
        let plan = Plan::of(settings);
        if self.plan == Some(plan) {
            return true;
        }
        let Background { wanted, applied, .. } = self.end.background;
        applied.reset();
        wanted.signal(plan);
        let is_applied = applied.wait().await;
        self.plan = is_applied.then_some(plan);
        self.end.transport = plan.transport;
        self.end.opened = plan.opened_by();
        is_applied
    }

    fn link(&mut self) -> &mut End {
        &mut self.end
    }
}

/// One end of a link. Without a connection, it loses what it is to send.
pub struct End {
    background: &'static Background,
    transport: Transport,
    opened: OpenedBy,
}

/// Reason why a frame of WebSocket could not be sent or received.
pub type Error = WebSocketError<Closed>;

impl End {
    /// Processes the result of a use of the connection. A connection that ended is no error: the background opens
    /// it again.
    fn settle<T>(&self, result: Result<T, Error>) -> Result<Option<T>, Error> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                self.background.network.close();
                let has_ended = matches!(error, Error::Stream(Closed) | Error::Ended);
                if has_ended { Ok(None) } else { Err(error) }
            }
        }
    }

    async fn send_stream(&self, mut chunk: &[u8]) -> Result<Delivery, Error> {
        while !chunk.is_empty() {
            let written = Stream(self.background.network).write(chunk).await?;
            chunk = chunk.get(written..).unwrap_or_default();
        }
        Ok(Delivery::Sent)
    }

    async fn receive_stream(&self, buffer: &mut [u8]) -> Result<usize, Error> {
        match Stream(self.background.network).read(buffer).await? {
            0 => Err(Error::Ended),
            got => Ok(got),
        }
    }
}

impl Link for End {
    type Error = Error;

    fn capability(&self) -> Capability {
        match self.transport {
            Transport::Udp => Capability::datagram(LARGEST_DATAGRAM).duplex(true),
            Transport::Tcp => {
                Capability::datagram(LARGEST).stream(true).duplex(true).connection(self.opened)
            }
            Transport::WebSocket => Capability::datagram(LARGEST).duplex(true),
        }
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Error> {
        let Background { network, socket, .. } = self.background;
        if !network.is_open() || !network.is_up() {
            return Ok(Delivery::Lost);
        }
        let sent = match self.transport {
            Transport::Udp => {
                let sent = with_timeout(LIMIT, send_datagram(network, chunk)).await;
                return Ok(if sent == Ok(Ok(())) { Delivery::Sent } else { Delivery::Lost });
            }
            Transport::Tcp => self.send_stream(chunk).await,
            Transport::WebSocket => socket.lock().await.send(chunk).await,
        };
        Ok(self.settle(sent)?.unwrap_or(Delivery::Lost))
    }

    /// A program is not notified of the delivery of its bytes.
    async fn flush(&mut self) -> Result<Delivery, Error> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let Background { network, socket, .. } = self.background;
        loop {
            network.wait_open().await;
            let received = match self.transport {
                Transport::Udp => return Ok(receive_datagram(network, buffer).await),
                Transport::Tcp => self.receive_stream(buffer).await,
                Transport::WebSocket => socket.lock().await.receive(buffer).await,
            };
            if let Some(len) = self.settle(received)? {
                return Ok(len);
            }
        }
    }
}

fn add_heap() {
    esp_alloc::heap_allocator!(size: HEAP_SIZE);
}
