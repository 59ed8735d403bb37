//! The Host Controller Interface in memory, between an open host and this crate's controller.
//!
//! The controller responds to a command immediately. A data packet is delayed by the host's
//! processing times, which the profile contains. Only the commands that a connection needs have an
//! effect. When a central requests a connection and a peripheral advertises, the two devices are
//! connected with the settings in their [`Meeting`].
//!
//! Bluetooth Core Specification 5.4, volume 4, part E, sections 5.4 (packets) and 7 (commands and
//! events).

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use airlag_sim::Duration;
use airlag_sim::channel::{Receiver, Sender, channel};
use bt_hci::ReadHciError;
use bt_hci::transport::{PacketKind, PacketToController, PacketToHost, Transport};

use super::controller::{Controller, Event, Packet, Reason, Role, Settings, connect};
use super::slices;
use crate::mcu::Board;

/// Handle of a device's single connection.
const HANDLE: u16 = 0x0040;
/// Opcodes with an effect, or with more than a status in their return (section 7).
mod opcode {
    pub(super) const READ_BD_ADDR: u16 = 0x1009;
    pub(super) const LE_READ_BUFFER_SIZE: u16 = 0x2002;
    pub(super) const LE_SET_ADV_ENABLE: u16 = 0x200A;
    pub(super) const LE_CREATE_CONN: u16 = 0x200D;
    pub(super) const LE_READ_FILTER_ACCEPT_LIST_SIZE: u16 = 0x200F;
}
/// Event codes (section 7.7).
mod event {
    pub(super) const DISCONNECTION_COMPLETE: u8 = 0x05;
    pub(super) const COMMAND_COMPLETE: u8 = 0x0E;
    pub(super) const COMMAND_STATUS: u8 = 0x0F;
    pub(super) const NUMBER_OF_COMPLETED_PACKETS: u8 = 0x13;
    pub(super) const LE_META: u8 = 0x3E;
    pub(super) const LE_CONNECTION_COMPLETE: u8 = 0x01;
}
/// Packet boundary flags (section 5.4.2): first packet host to controller, further fragment, first
/// packet controller to host.
const CONTINUATION: u8 = 0x10;
const START_TO_HOST: u8 = 0x20;
/// Connection timeout (volume 1, part F, section 2.8).
const CONNECTION_TIMEOUT: u8 = 0x08;

/// Two devices that are connected once one of them advertises and the other requests the
/// connection.
pub struct Meeting {
    ends: RefCell<Option<(Rc<Controller>, Rc<Controller>)>>,
    settings: Settings,
    advertises: Cell<bool>,
    asked: Cell<bool>,
}

impl Meeting {
    /// Creates the meeting of two devices with their later settings.
    #[must_use]
    pub fn new(
        central: &Rc<Controller>,
        peripheral: &Rc<Controller>,
        settings: Settings,
    ) -> Rc<Self> {
        let ends = RefCell::new(Some((Rc::clone(central), Rc::clone(peripheral))));
        Rc::new(Self { ends, settings, advertises: Cell::new(false), asked: Cell::new(false) })
    }

    fn connect_if_both(&self) {
        if self.advertises.get()
            && self.asked.get()
            && let Some((central, peripheral)) = self.ends.take()
        {
            connect(&central, &peripheral, self.settings);
        }
    }
}

/// Costs and buffer sizes of a host and its interface to the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HciCosts {
    /// Time from the host's call to the packet in the controller's queue.
    pub send: Duration,
    /// Time from the last byte on the air to the host's notification.
    pub receive: Duration,
    /// Largest data packet, bytes.
    pub acl_length: usize,
    /// Number of data packets that the controller buffers until they are acknowledged.
    pub buffers: u8,
}

/// An HCI packet that could not be parsed: host and interface disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an HCI packet could not be read")]
pub struct HciError;

impl embedded_io::Error for HciError {
    fn kind(&self) -> embedded_io::ErrorKind {
        embedded_io::ErrorKind::InvalidData
    }
}

impl<E: embedded_io::Error> From<ReadHciError<E>> for HciError {
    fn from(_: ReadHciError<E>) -> Self {
        Self
    }
}

type Bytes = (PacketKind, Vec<u8>);

/// HCI transport of one device.
pub struct Hci {
    board: Board,
    controller: Rc<Controller>,
    meeting: Rc<Meeting>,
    costs: HciCosts,
    address: [u8; 6],
    to_host: Sender<Bytes>,
    inbox: RefCell<Receiver<Bytes>>,
}

impl Hci {
    /// Creates the interface of `controller`, whose device has the random `address`.
    #[must_use]
    pub fn new(
        board: &Board,
        controller: &Rc<Controller>,
        events: Receiver<Event>,
        meeting: &Rc<Meeting>,
        address: [u8; 6],
        costs: HciCosts,
    ) -> Self {
        let (to_host, inbox) = channel(board.sim());
        let name = format!("{} controller to host", board.name());
        let timeout = meeting.settings;
        let sending = to_host.clone();
        board
            .sim()
            .spawn(name, forward_events(board.clone(), events, sending, timeout, costs.receive));
        Self {
            board: board.clone(),
            controller: Rc::clone(controller),
            meeting: Rc::clone(meeting),
            costs,
            address,
            to_host,
            inbox: RefCell::new(inbox),
        }
    }

    fn command(&self, bytes: &[u8]) {
        let &[low, high, _, ref parameters @ ..] = bytes else { return };
        let code = u16::from_le_bytes([low, high]);
        let mut returned = vec![1, low, high, 0];
        match code {
            opcode::LE_CREATE_CONN => {
                self.to_host.send(event_packet(event::COMMAND_STATUS, &[0, 1, low, high]));
                self.meeting.asked.set(true);
                self.meeting.connect_if_both();
                return;
            }
            opcode::LE_SET_ADV_ENABLE => {
                self.meeting.advertises.set(parameters.first() == Some(&1));
                self.meeting.connect_if_both();
            }
            opcode::LE_READ_BUFFER_SIZE => {
                returned.extend((self.costs.acl_length as u16).to_le_bytes());
                returned.push(self.costs.buffers);
            }
            opcode::LE_READ_FILTER_ACCEPT_LIST_SIZE => returned.push(1),
            opcode::READ_BD_ADDR => returned.extend(self.address),
            _ => {}
        }
        self.to_host.send(event_packet(event::COMMAND_COMPLETE, &returned));
    }

    fn data(&self, bytes: &[u8]) {
        if let Some((&[_, flags, _, _], data)) = bytes.split_first_chunk::<4>() {
            let start = flags & 0x30 != CONTINUATION;
            self.controller.submit(Packet { start, bytes: data.to_vec() });
        }
    }
}

fn event_packet(code: u8, parameters: &[u8]) -> Bytes {
    let mut packet = vec![code, parameters.len() as u8];
    packet.extend(parameters);
    (PacketKind::Event, packet)
}

/// Converts events of the controller into packets for the host.
async fn forward_events(
    board: Board,
    mut events: Receiver<Event>,
    to_host: Sender<Bytes>,
    settings: Settings,
    receive: Duration,
) {
    let [low, high] = HANDLE.to_le_bytes();
    while let Some(event) = events.receive().await {
        to_host.send(match event {
            Event::Connected(role) => {
                let role = match role {
                    Role::Central => 0,
                    Role::Peripheral => 1,
                };
                let mut p = vec![event::LE_CONNECTION_COMPLETE, 0, low, high, role, 1];
                p.extend(peer_address(role == 1));
                p.extend(settings.first_interval().units().to_le_bytes());
                p.extend(settings.latency.to_le_bytes());
                let timeout = settings.supervision_timeout.as_ns() / 10_000_000;
                p.extend((timeout as u16).to_le_bytes());
                p.push(0);
                event_packet(event::LE_META, &p)
            }
            Event::Received(piece) => {
                board.spend(&slices::HOST, receive).await;
                let flags = if piece.start { START_TO_HOST } else { CONTINUATION };
                let mut packet = vec![low, high | flags];
                packet.extend((piece.bytes.len() as u16).to_le_bytes());
                packet.extend(piece.bytes);
                (PacketKind::AclData, packet)
            }
            Event::Completed => {
                event_packet(event::NUMBER_OF_COMPLETED_PACKETS, &[1, low, high, 1, 0])
            }
            Event::Disconnected(why) => {
                let parameters = [0, low, high, code(why)];
                event_packet(event::DISCONNECTION_COMPLETE, &parameters)
            }
        });
    }
}

/// HCI error code of a disconnection (volume 1, part F, 1.3).
const fn code(why: Reason) -> u8 {
    match why {
        Reason::SupervisionTimeout => CONNECTION_TIMEOUT,
        Reason::MicFailure => 0x3D,
        Reason::InstantPassed => 0x28,
    }
}

/// Static random address of one of the two devices, least significant byte first.
#[must_use]
pub const fn peer_address(of_central: bool) -> [u8; 6] {
    [if of_central { 1 } else { 2 }, 0, 0, 0, 0, 0xC0]
}

impl embedded_io::ErrorType for Hci {
    type Error = HciError;
}

impl Transport for Hci {
    async fn read<'a, P: PacketToHost<'a>>(&self, buffer: &'a mut [u8]) -> Result<P, HciError> {
        let next = core::future::poll_fn(|context| {
            let mut inbox = self.inbox.borrow_mut();
            let receive = core::pin::pin!(inbox.receive());
            core::future::Future::poll(receive, context)
        });
        // This object owns the sender, so the channel stays open.
        let (kind, bytes) = next.await.ok_or(HciError)?;
        P::read_hci(kind, &mut bytes.as_slice(), buffer).map_err(|_| HciError)
    }

    async fn write<P: PacketToController>(&self, packet: &P) -> Result<(), HciError> {
        let mut bytes = vec![0; packet.size()];
        packet.write_hci(bytes.as_mut_slice()).map_err(|_| HciError)?;
        match P::KIND {
            PacketKind::Cmd => self.command(&bytes),
            PacketKind::AclData => {
                self.board.spend(&slices::HOST, self.costs.send).await;
                self.data(&bytes);
            }
            _ => {}
        }
        Ok(())
    }
}
