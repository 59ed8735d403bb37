//! An open host: `trouble-host`, unmodified, on both ends.
//!
//! The code of `trouble-host` itself runs in virtual time, on top of [`Hci`] and the controller of
//! this crate. The host connects, exchanges the MTU, discovers services, subscribes and sends. The
//! model of the host consists only of its processor times, which are parameters.

use std::convert::Infallible;
use std::future::Future;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::channel::{Receiver, Sender, channel};
use bt_hci::controller::ExternalController;
use embassy_futures::join::join;
use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use trouble_host::prelude::*;

use super::att::{MAX_MTU, MAX_VALUE, Opcode};
use super::controller::Settings;
use super::hci::{Hci, peer_address};
use super::host::next_value;
use crate::mcu::Board;
use crate::stack::virtual_time::InVirtualTime;

/// Buffer size for an L2CAP frame, bytes: its header, and the largest MTU.
const FRAME: usize = 4 + MAX_MTU;
/// Longest attribute value.
const VALUE: usize = MAX_VALUE;
/// Number of frame buffers of a host.
const FRAMES: usize = 32;
/// Largest number of concurrent commands.
const SLOTS: usize = 4;
/// Number of attributes of the peripheral, and of services that a client reads.
const ATTRIBUTES: usize = 12;
const SERVICES: usize = 4;

/// The Nordic UART service: the peripheral notifies on one characteristic and receives writes on
/// the other. Least significant byte first.
const SERVICE: Uuid = nordic(1);
const RECEIVE: Uuid = nordic(2);
const TRANSMIT: Uuid = nordic(3);

const fn nordic(number: u8) -> Uuid {
    let uuid = [
        0x9E, 0xCA, 0xDC, 0x24, 0x0E, 0xE5, 0xA9, 0xE0, 0x93, 0xF3, 0xA3, 0xB5, number, 0x00, 0x40,
        0x6E,
    ];
    Uuid::new_long(uuid)
}

/// Buffers from the heap. The default pool is shared by the whole process and would couple benches
/// in several threads.
struct Buffers;

struct Buffer(Box<[u8; FRAME]>);

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &*self.0
    }
}

impl AsMut<[u8]> for Buffer {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut *self.0
    }
}

impl Packet for Buffer {}

impl PacketPool for Buffers {
    type Packet = Buffer;
    const MTU: usize = FRAME;

    fn allocate() -> Option<Buffer> {
        Some(Buffer(Box::new([0; FRAME])))
    }

    fn capacity() -> usize {
        FRAMES
    }
}

type Port = ExternalController<Hci, SLOTS>;

/// The part of a task that serves the program's [`Link`].
struct Program {
    outbox: Receiver<Vec<u8>>,
    done: Sender<Delivery>,
    inbox: Sender<Vec<u8>>,
    ready: Sender<Result<(), String>>,
    operation: Opcode,
}

impl Program {
    /// Reports why the host cannot continue. A lost connection is not an error: the host is then
    /// not ready, and tasks keep waiting for it.
    fn stopped(&self, what: &str, cause: impl core::fmt::Debug) {
        // The host wraps its errors differently in each call, but the debug output of each contains
        // its cause.
        let cause = format!("{cause:?}");
        if !cause.contains("Disconnected") {
            self.ready.send(Err(format!("{what}: {cause}")));
        }
    }

    /// Sends the program's chunks with `send` in a loop.
    async fn send_all<E>(&mut self, mut send: impl AsyncFnMut(&[u8]) -> Result<(), E>) {
        while let Some(chunk) = self.outbox.receive().await {
            let outcome = send(&chunk).await;
            let sent = match self.operation.answer() {
                Some(_) => Delivery::Confirmed,
                None => Delivery::Sent,
            };
            self.done.send(if outcome.is_ok() { sent } else { Delivery::Lost });
        }
    }
}

/// One end of a connection as a [`Link`].
pub struct OpenHost {
    capability: Capability,
    outbox: Sender<Vec<u8>>,
    done: Receiver<Delivery>,
    inbox: Receiver<Vec<u8>>,
    ready: Receiver<Result<(), String>>,
}

impl OpenHost {
    /// The host of a central.
    #[must_use]
    pub fn central(
        board: &Board,
        port: Hci,
        settings: Settings,
        operation: Opcode,
        chunk: usize,
        incident: impl Fn(&'static str) + 'static,
    ) -> Self {
        Self::start(board, operation, chunk, incident, |program| central(port, settings, program))
    }

    /// The host of a peripheral.
    #[must_use]
    pub fn peripheral(
        board: &Board,
        port: Hci,
        operation: Opcode,
        chunk: usize,
        incident: impl Fn(&'static str) + 'static,
    ) -> Self {
        Self::start(board, operation, chunk, incident, |program| peripheral(port, program))
    }

    fn start<F: Future<Output = Program> + 'static>(
        board: &Board,
        operation: Opcode,
        chunk: usize,
        incident: impl Fn(&'static str) + 'static,
        host: impl FnOnce(Program) -> F,
    ) -> Self {
        let sim = board.sim();
        let ((outbox, from_program), (to_program, inbox)) = (channel(sim), channel(sim));
        let ((done, sent), (ready, set_up)) = (channel(sim), channel(sim));
        let program = Program { outbox: from_program, done, inbox: to_program, ready, operation };
        let running = host(program);
        let task = async move {
            let mut program = running.await;
            // The connection broke. This is a result and not an error: all further messages of the
            // program are lost.
            incident("supervision timeout");
            program.send_all(async |_: &[u8]| Err(())).await;
        };
        sim.spawn(format!("{} host", board.name()), InVirtualTime::new(sim, task));
        let capability = Capability::datagram(chunk.min(VALUE))
            .acknowledged(operation.answer().is_some())
            .duplex(true);
        Self { capability, outbox, done: sent, inbox, ready: set_up }
    }

    /// Waits until the two ends are connected, discovered and subscribed.
    pub async fn set_up(mut self) -> Result<Self, String> {
        match self.ready.receive().await {
            Some(Ok(())) => Ok(self),
            Some(Err(cause)) => Err(cause),
            None => Err("the host stopped".to_owned()),
        }
    }
}

/// Runs a peripheral: advertises, accepts, serves, and sends if the program does. Returns the
/// program's part when the connection is lost.
async fn peripheral(port: Hci, mut program: Program) -> Program {
    let mut resources: HostResources<Buffers, 1, 3> = HostResources::new();
    let address = Address::random(peer_address(false));
    let stack =
        trouble_host::new(Port::new(port), &mut resources).set_random_address(address).build();
    let (mut runner, mut advertiser) = (stack.runner(), stack.peripheral());
    let mut stored = [[0; VALUE]; 2];
    let [transmitted, written] = &mut stored;
    let mut table: AttributeTable<'_, NoopRawMutex, ATTRIBUTES> = AttributeTable::new();
    let mut service = table.add_service(Service::new(SERVICE));
    let notifies = [CharacteristicProp::Notify, CharacteristicProp::Indicate];
    let transmit: Characteristic<[u8; VALUE]> =
        service.add_characteristic(TRANSMIT, notifies, [0; VALUE], transmitted).build();
    let writes = [CharacteristicProp::Write, CharacteristicProp::WriteWithoutResponse];
    let _: Characteristic<[u8; VALUE]> =
        service.add_characteristic(RECEIVE, writes, [0; VALUE], written).build();
    service.build();
    let server = AttributeServer::<NoopRawMutex, Buffers, ATTRIBUTES, 1>::new(table);

    let session = async {
        let mut data = [0; 31];
        let flags = [AdStructure::Flags(LE_GENERAL_DISCOVERABLE | BR_EDR_NOT_SUPPORTED)];
        let length = match AdStructure::encode_slice(&flags, &mut data) {
            Ok(length) => length,
            Err(cause) => return program.stopped("advertisement", cause),
        };
        let advertisement = Advertisement::ConnectableScannableUndirected {
            adv_data: &data[..length],
            scan_data: &[],
        };
        let advertising = match advertiser.advertise(&Default::default(), advertisement).await {
            Ok(advertising) => advertising,
            Err(cause) => return program.stopped("advertising", cause),
        };
        let connection = match advertising.accept().await.map(|c| c.with_attribute_server(&server))
        {
            Ok(Ok(connection)) => connection,
            Ok(Err(cause)) | Err(cause) => return program.stopped("connection", cause),
        };
        program.ready.send(Ok(()));
        let inbox = program.inbox.clone();
        let serve = async {
            loop {
                match connection.next().await {
                    GattConnectionEvent::Disconnected { .. } => return,
                    GattConnectionEvent::Gatt { event } => {
                        if let GattEvent::Write(write) = &event {
                            // Subscriptions are also writes, but of two bytes to another handle.
                            if write.handle() != transmit.cccd_handle.unwrap_or(0) {
                                write.with_data(|_, data| inbox.send(data.to_vec()));
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
        let indicates = program.operation == Opcode::Indication;
        let send = program.send_all(async |chunk: &[u8]| {
            if indicates {
                transmit.indicate_raw(&connection, chunk, false).await
            } else {
                transmit.notify_raw(&connection, chunk, false).await
            }
        });
        select(serve, send).await;
    };
    select(runner.run(), session).await;
    program
}

/// Runs a central: connects, discovers, subscribes, and sends if the program does.
async fn central(port: Hci, settings: Settings, mut program: Program) -> Program {
    let mut resources: HostResources<Buffers, 1, 3> = HostResources::new();
    let address = Address::random(peer_address(true));
    let stack =
        trouble_host::new(Port::new(port), &mut resources).set_random_address(address).build();
    let (mut runner, mut initiator) = (stack.runner(), stack.central());
    let peer = [Address::random(peer_address(false))];
    let time = |length: airlag_sim::Duration| embassy_time::Duration::from_nanos(length.as_ns());
    let interval = time(settings.first_interval().duration());
    let config = ConnectConfig {
        connect_params: RequestedConnParams {
            min_connection_interval: interval,
            max_connection_interval: interval,
            max_latency: settings.latency,
            supervision_timeout: time(settings.supervision_timeout),
            ..Default::default()
        },
        scan_config: ScanConfig { filter_accept_list: &peer, ..Default::default() },
    };

    let session = async {
        let connection = match initiator.connect(&config).await {
            Ok(connection) => connection,
            Err(cause) => return program.stopped("connection", cause),
        };
        let client = match GattClient::<Port, Buffers, SERVICES>::new(&stack, &connection).await {
            Ok(client) => client,
            Err(cause) => return program.stopped("MTU exchange", cause),
        };
        let use_it = async {
            let found = discover(&client).await;
            let (transmit, receive) = match found {
                Ok(found) => found,
                Err(cause) => return program.stopped("discovery", cause),
            };
            let indicates = program.operation == Opcode::Indication;
            let mut listener = match client.subscribe(&transmit, indicates).await {
                Ok(listener) => listener,
                Err(cause) => return program.stopped("subscription", cause),
            };
            program.ready.send(Ok(()));
            let inbox = program.inbox.clone();
            let listen = async {
                loop {
                    let notification = listener.next().await;
                    inbox.send(notification.as_ref().to_vec());
                    if notification.is_indication() && client.confirm_indication().await.is_err() {
                        return;
                    }
                }
            };
            let answered = program.operation == Opcode::WriteRequest;
            let send = program.send_all(async |chunk: &[u8]| {
                if answered {
                    client.write_handle(receive.handle, chunk).await
                } else {
                    client.write_handle_without_response(receive.handle, chunk).await
                }
            });
            join(listen, send).await;
        };
        select(client.task(), use_it).await;
    };
    match select(runner.run(), session).await {
        Either::First(_) | Either::Second(()) => program,
    }
}

type Value = Characteristic<[u8; VALUE]>;

async fn discover<'a>(
    client: &GattClient<'a, Port, Buffers, SERVICES>,
) -> Result<(Value, Value), String> {
    let say = |cause: &dyn core::fmt::Debug| format!("{cause:?}");
    let services = client.services_by_uuid(&SERVICE).await.map_err(|cause| say(&cause))?;
    let service = services.first().ok_or("no such service")?;
    let transmit = client.characteristic_by_uuid(service, &TRANSMIT).await;
    let receive = client.characteristic_by_uuid(service, &RECEIVE).await;
    Ok((transmit.map_err(|cause| say(&cause))?, receive.map_err(|cause| say(&cause))?))
}

impl Link for OpenHost {
    type Error = Infallible;

    fn capability(&self) -> Capability {
        self.capability
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        self.outbox.send(chunk.to_vec());
        Ok(self.done.receive().await.unwrap_or(Delivery::Lost))
    }

    /// Returns at once, because the arrival of notifications and commands is not reported.
    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        Ok(next_value(&mut self.inbox, buffer).await)
    }
}
