//! The module: commands from the line to its socket, and datagrams from its socket to the line.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use airlag_link::Link;
use airlag_sim::channel::Notice;
use airlag_sim::{Instant, Stream};

use super::Config;
use super::line::Line;
use super::link::Attached;
use super::slices;
use crate::mcu::Board;

/// Name of the incident of a command that is lost because the input buffer is full.
pub const BUFFER_OVERFLOW: &str = "buffer overflow";
/// Name of the incident of a datagram that is lost in addition to frames on the air.
pub const DATAGRAM_LOSS: &str = "datagram loss";

/// Observer of incidents.
pub type Incident = Rc<dyn Fn(&'static str)>;

/// Host, line and module.
pub(super) struct Shared {
    pub(super) config: Config,
    pub(super) host: Board,
    pub(super) module: Board,
    pub(super) to_module: Line,
    pub(super) to_host: Line,
    /// Datagrams of complete commands.
    commands: RefCell<VecDeque<Vec<u8>>>,
    command_came: Notice,
    /// Bytes in the input buffer, and on the way to it.
    held: Cell<usize>,
    pub(super) has_room: Notice,
    /// Datagrams of events, with the end of their last byte.
    pub(super) events: RefCell<VecDeque<(Instant, Vec<u8>)>>,
    pub(super) event_came: Notice,
    /// End of the response to the last command.
    pub(super) replied: Cell<Option<Instant>>,
    pub(super) reply_came: Notice,
    pub(super) incident: Incident,
}

impl Shared {
    /// Whether a command of `bytes` fits the input buffer. An empty buffer accepts every command,
    /// because the module reads while the command arrives.
    pub(super) fn has_room_for(&self, bytes: usize) -> bool {
        let held = self.held.get();
        held == 0 || held + bytes <= self.config.input_buffer
    }

    /// Reserves room for a command of `bytes`.
    pub(super) fn hold(&self, bytes: usize) {
        self.held.set(self.held.get() + bytes);
    }

    /// Passes a complete command to the module.
    pub(super) fn deliver(&self, datagram: Vec<u8>) {
        self.commands.borrow_mut().push_back(datagram);
        self.command_came.raise();
    }

    fn now(&self) -> Instant {
        self.module.sim().now()
    }

    async fn command(&self) -> Vec<u8> {
        loop {
            if let Some(datagram) = self.commands.borrow_mut().pop_front() {
                return datagram;
            }
            self.command_came.wait().await;
        }
    }

    /// Puts `bytes` on the line to the host, and returns the end of the last one.
    fn write(&self, bytes: usize) -> Instant {
        let (begin, end) = self.to_host.carry(self.now(), bytes);
        self.module.span(&slices::UART, begin, end);
        end
    }

    fn is_lost(&self, stream: &mut Stream) -> bool {
        let lost = self.config.loss > 0.0 && stream.chance(self.config.loss);
        if lost {
            (self.incident)(DATAGRAM_LOSS);
        }
        lost
    }
}

/// Starts a module on `module` between its socket and the line from `host`, and returns the host's
/// end.
#[must_use]
pub fn start<L: Link + 'static>(
    [host, module]: [&Board; 2],
    config: Config,
    socket: L,
    incident: Incident,
) -> Attached {
    let sim = module.sim();
    let notice = || Notice::new(sim);
    let shared = Rc::new(Shared {
        config,
        host: host.clone(),
        module: module.clone(),
        to_module: Line::new(config.line, *host.clock()),
        to_host: Line::new(config.line, *module.clock()),
        commands: RefCell::default(),
        command_came: notice(),
        held: Cell::new(0),
        has_room: notice(),
        events: RefCell::default(),
        event_came: notice(),
        replied: Cell::new(None),
        reply_came: notice(),
        incident,
    });
    let served = Server { shared: Rc::clone(&shared), socket, stream: module.stream("loss") };
    sim.spawn(module.name(), served.run());
    Attached::new(shared)
}

struct Server<L> {
    shared: Rc<Shared>,
    socket: L,
    stream: Stream,
}

/// Next work of the module.
enum Next {
    Command(Vec<u8>),
    Datagram(usize),
}

impl<L: Link> Server<L> {
    async fn run(mut self) {
        let mut buffer = vec![0; self.socket.capability().mtu.max(1)];
        // Commands and datagrams that are both waiting alternate.
        let mut commands_first = true;
        loop {
            let Ok(next) = self.next(&mut buffer, commands_first).await else { return };
            let handled = match next {
                Next::Command(datagram) => {
                    commands_first = false;
                    self.send(&datagram).await
                }
                Next::Datagram(len) => {
                    commands_first = true;
                    self.forward(&buffer[..len]).await;
                    Ok(())
                }
            };
            if handled.is_err() {
                return;
            }
        }
    }

    async fn next(&mut self, buffer: &mut [u8], commands_first: bool) -> Result<Next, L::Error> {
        let Self { shared, socket, .. } = self;
        let mut command = pin!(shared.command());
        let mut datagram = pin!(async {
            shared.module.sim().sleep_until(shared.to_host.started()).await;
            socket.receive(buffer).await
        });
        poll_fn(|context| {
            for commands in [commands_first, !commands_first] {
                if commands {
                    if let Poll::Ready(command) = command.as_mut().poll(context) {
                        return Poll::Ready(Ok(Next::Command(command)));
                    }
                } else if let Poll::Ready(got) = datagram.as_mut().poll(context) {
                    return Poll::Ready(got.map(Next::Datagram));
                }
            }
            Poll::Pending
        })
        .await
    }

    /// Handles a command: its datagram goes to the socket, and its response to the host.
    async fn send(&mut self, datagram: &[u8]) -> Result<(), L::Error> {
        let shared = Rc::clone(&self.shared);
        let Config { decode, command, reply, .. } = shared.config;
        shared.module.spend(&slices::MODULE, decode).await;
        if !shared.is_lost(&mut self.stream) {
            self.socket.send(datagram).await?;
        }
        shared.held.set(shared.held.get() - (datagram.len() + command));
        shared.has_room.raise();
        if reply > 0 {
            shared.replied.set(Some(shared.write(reply)));
            shared.reply_came.raise();
        }
        Ok(())
    }

    /// Handles a datagram of the socket, which goes to the host as an event.
    async fn forward(&mut self, datagram: &[u8]) {
        let shared = Rc::clone(&self.shared);
        shared.module.spend(&slices::MODULE, shared.config.encode).await;
        if shared.is_lost(&mut self.stream) {
            return;
        }
        let end = shared.write(datagram.len() + shared.config.event);
        shared.events.borrow_mut().push_back((end, datagram.to_vec()));
        shared.event_came.raise();
    }
}
