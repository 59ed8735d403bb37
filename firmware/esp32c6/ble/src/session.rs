//! One connection: the host `trouble`, as on the virtual bench, on either end of the Nordic UART service.

use core::cell::Cell;

use bt_hci::controller::ExternalController;
use embassy_futures::join::join;
use embassy_futures::select::select;
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use embassy_time::Duration;
use trouble_host::prelude::*;

use airlag_link::Delivery;

use crate::hci::Hci;
use crate::plan::{LONGEST, Operation, Plan};

/// Largest payload of a data channel PDU, bytes, and the time of it at 1 Mbit/s, us (Core 5.4, Vol 6, Part B, 4.5.10).
const DATA_LENGTH: u16 = 251;
const DATA_TIME: u16 = 2_120;
/// Silence that ends the connection, as in the profile.
const SUPERVISION: Duration = Duration::from_secs(4);
/// Received chunks that wait for the program: more than a message of 2048 B in chunks of 197 B has.
const QUEUE: usize = 16;
/// Largest number of concurrent commands.
const SLOTS: usize = 4;
/// Number of attributes of the peripheral, and of services that a client reads.
const ATTRIBUTES: usize = 12;
const SERVICES: usize = 4;

/// The Nordic UART service: the peripheral notifies on one characteristic and receives writes on the other. Least
/// significant byte first.
const SERVICE: Uuid = nordic(1);
const RECEIVE: Uuid = nordic(2);
const TRANSMIT: Uuid = nordic(3);

const fn nordic(number: u8) -> Uuid {
    Uuid::new_long([
        0x9E, 0xCA, 0xDC, 0x24, 0x0E, 0xE5, 0xA9, 0xE0, 0x93, 0xF3, 0xA3, 0xB5, number, 0x00, 0x40,
        0x6E,
    ])
}

type Port = ExternalController<Hci, SLOTS>;
type Pool = DefaultPacketPool;
type Value = Characteristic<[u8; LONGEST]>;

/// A chunk in a queue.
#[derive(Clone, Copy)]
pub struct Chunk {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Chunk {
    /// Copies a chunk. `None` if it is too long.
    #[must_use]
    pub fn of(chunk: &[u8]) -> Option<Self> {
        let (mut bytes, len) = ([0; LONGEST], chunk.len());
        bytes.get_mut(..len)?.copy_from_slice(chunk);
        Some(Self { bytes, len })
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Queues between the program and the host.
pub struct Queues {
    /// Whether both ends are connected, discovered and subscribed.
    pub is_ready: Cell<bool>,
    /// The chunk to send.
    pub outbox: Channel<NoopRawMutex, Chunk, 1>,
    /// Its outcome.
    pub sent: Signal<NoopRawMutex, Delivery>,
    /// Received chunks.
    pub inbox: Channel<NoopRawMutex, Chunk, QUEUE>,
}

impl Queues {
    /// Creates empty queues.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            is_ready: Cell::new(false),
            outbox: Channel::new(),
            sent: Signal::new(),
            inbox: Channel::new(),
        }
    }

    /// Ends a connection: a chunk that is being sent is lost.
    pub fn end(&self) {
        self.is_ready.set(false);
        self.outbox.clear();
        self.sent.signal(Delivery::Lost);
    }

    /// Passes a chunk to the program. Without room, or if it is too long, it is dropped.
    fn receive(&self, value: &[u8]) {
        if let Some(chunk) = Chunk::of(value) {
            let _ = self.inbox.try_send(chunk);
        }
    }

    /// Sends the chunks of the program with `send`, in a loop.
    async fn send_all<E>(&self, plan: &Plan, mut send: impl AsyncFnMut(&[u8]) -> Result<(), E>) {
        let done = if plan.is_confirmed() { Delivery::Confirmed } else { Delivery::Sent };
        loop {
            let chunk = self.outbox.receive().await;
            let outcome = send(chunk.bytes()).await;
            self.sent.signal(if outcome.is_ok() { done } else { Delivery::Lost });
        }
    }
}

impl Default for Queues {
    fn default() -> Self {
        Self::new()
    }
}

/// A static random address (Core 5.4, Vol 6, Part B, 1.3.2.1), least significant byte first.
const fn address(number: u16) -> [u8; 6] {
    let [low, high] = number.to_le_bytes();
    // Not zero, which is no random address.
    [low, high, 1, 0, 0, 0xC0]
}

/// Connects, and exchanges chunks until the connection ends. `None` after an error of the host or the controller.
pub async fn run(hci: Hci, plan: &Plan, queues: &Queues) -> Option<()> {
    hci.clear();
    let mut resources: HostResources<Pool, 1, 3> = HostResources::new();
    let [own, peer] = plan.addresses.map(|number| Address::random(address(number)));
    let stack = trouble_host::new(Port::new(hci), &mut resources).set_random_address(own).build();
    let mut runner = stack.runner();
    let connection = async {
        if plan.is_central {
            central(&stack, peer, plan, queues).await
        } else {
            peripheral(&stack, plan, queues).await
        }
    };
    match select(runner.run(), connection).await {
        embassy_futures::select::Either::First(_) => None,
        embassy_futures::select::Either::Second(done) => done,
    }
}

/// Advertises, accepts, serves and sends.
async fn peripheral(stack: &Stack<'_, Port, Pool>, plan: &Plan, queues: &Queues) -> Option<()> {
    let mut stored = [[0; LONGEST]; 2];
    let [transmitted, written] = &mut stored;
    let mut table: AttributeTable<'_, NoopRawMutex, ATTRIBUTES> = AttributeTable::new();
    let mut service = table.add_service(Service::new(SERVICE));
    let notifies = [CharacteristicProp::Notify, CharacteristicProp::Indicate];
    let transmit: Value =
        service.add_characteristic(TRANSMIT, notifies, [0; LONGEST], transmitted).build();
    let writes = [CharacteristicProp::Write, CharacteristicProp::WriteWithoutResponse];
    let receive: Value = service.add_characteristic(RECEIVE, writes, [0; LONGEST], written).build();
    service.build();
    let server = AttributeServer::<NoopRawMutex, Pool, ATTRIBUTES, 1>::new(table);

    let mut data = [0; 31];
    let flags = [AdStructure::Flags(LE_GENERAL_DISCOVERABLE | BR_EDR_NOT_SUPPORTED)];
    let len = AdStructure::encode_slice(&flags, &mut data).ok()?;
    let advertisement = Advertisement::ConnectableScannableUndirected {
        adv_data: data.get(..len)?,
        scan_data: &[],
    };
    let advertising =
        stack.peripheral().advertise(&Default::default(), advertisement).await.ok()?;
    let connection = advertising.accept().await.ok()?;
    connection.update_data_length(stack, DATA_LENGTH, DATA_TIME).await.ok()?;
    let connection = connection.with_attribute_server(&server).ok()?;
    let serve = async {
        loop {
            match connection.next().await {
                GattConnectionEvent::Disconnected { .. } => return,
                GattConnectionEvent::Gatt { event } => {
                    if let GattEvent::Write(write) = &event {
                        if write.handle() == receive.handle {
                            write.with_data(|_, data| queues.receive(data));
                        } else {
                            // The subscription of the central, its last step.
                            queues.is_ready.set(true);
                        }
                    }
                    if let Ok(reply) = event.accept() {
                        reply.send().await;
                    }
                }
                _ => {}
            }
        }
    };
    let indicates = plan.operation == Operation::Indicate;
    let send = queues.send_all(plan, async |chunk: &[u8]| {
        if indicates {
            transmit.indicate_raw(&connection, chunk, false).await
        } else {
            transmit.notify_raw(&connection, chunk, false).await
        }
    });
    select(serve, send).await;
    Some(())
}

/// Connects, discovers, subscribes and sends.
async fn central(
    stack: &Stack<'_, Port, Pool>,
    peer: Address,
    plan: &Plan,
    queues: &Queues,
) -> Option<()> {
    let peers = [peer];
    let config = ConnectConfig {
        connect_params: RequestedConnParams {
            min_connection_interval: plan.interval,
            max_connection_interval: plan.interval,
            max_latency: 0,
            supervision_timeout: SUPERVISION,
            ..Default::default()
        },
        scan_config: ScanConfig { filter_accept_list: &peers, ..Default::default() },
    };
    let connection = stack.central().connect(&config).await.ok()?;
    connection.update_data_length(stack, DATA_LENGTH, DATA_TIME).await.ok()?;
    connection.set_phy(stack, plan.phy).await.ok()?;
    let client = GattClient::<Port, Pool, SERVICES>::new(stack, &connection).await.ok()?;
    let exchange = async {
        let services = client.services_by_uuid(&SERVICE).await.ok()?;
        let service = services.first()?;
        let transmit: Value = client.characteristic_by_uuid(service, &TRANSMIT).await.ok()?;
        let receive: Value = client.characteristic_by_uuid(service, &RECEIVE).await.ok()?;
        let indicates = plan.operation == Operation::Indicate;
        let mut listener = client.subscribe(&transmit, indicates).await.ok()?;
        queues.is_ready.set(true);
        let listen = async {
            loop {
                let notification = listener.next().await;
                queues.receive(notification.as_ref());
                if notification.is_indication() && client.confirm_indication().await.is_err() {
                    return;
                }
            }
        };
        let is_answered = plan.operation == Operation::Write;
        let send = queues.send_all(plan, async |chunk: &[u8]| {
            if is_answered {
                client.write_handle(receive.handle, chunk).await
            } else {
                client.write_handle_without_response(receive.handle, chunk).await
            }
        });
        join(listen, send).await;
        Some(())
    };
    select(client.task(), exchange).await;
    Some(())
}
