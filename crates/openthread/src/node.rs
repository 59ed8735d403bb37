//! A node: an OpenThread process, its transceiver on the air, and its board in between.

use std::cell::{Cell, RefCell};
use std::net::Ipv6Addr;
use std::path::Path;
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId};
use airlag_models::stack::thread;
use airlag_sim::{Duration, Instant, Sim, Timed, Timers};

use crate::costs::{Board, Costs};
use crate::error::Error;
use crate::header;
use crate::paths::{GOOD, Signals};
use crate::process::{Born, Device, Process, Supervision};
use crate::radio::{Counts, Host, Radio};
use crate::wire::{Event, Record, Role, Sent};

/// Configuration of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Build of OpenThread.
    pub device: Device,
    /// `OPENTHREAD_CONFIG_NUM_MESSAGE_BUFFERS`, each of 256 octets: 32 words of 8 octets.
    pub buffers: u16,
    /// Costs of its board.
    pub costs: Costs,
    /// Whether its radio waits for the interframe space after a frame (IEEE Std 802.15.4-2006, 7.5.1.3).
    pub interframe_space: bool,
}

impl Default for Config {
    /// A full device with the defaults of OpenThread, on a board without costs.
    fn default() -> Self {
        Self { device: Device::Full, buffers: 44, costs: Costs::default(), interframe_space: true }
    }
}

impl Config {
    /// A full device on the board of an everyday profile. The board's message buffers have 32 words each. This
    /// node has buffers of 256 octets, as many as fit into the same memory.
    #[must_use]
    pub fn of(board: &thread::Config, interframe_space: bool) -> Self {
        let pool = board.limits.pool;
        let buffers = (pool.count * pool.word / WORD).clamp(2, usize::from(u16::MAX));
        let costs = Costs::of(board);
        Self { device: Device::Full, buffers: buffers as u16, costs, interframe_space }
    }
}

/// Length of a pointer in a process, octets.
const WORD: usize = 8;

/// A datagram that the program of a node received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datagram {
    /// Arrival time.
    pub at: Instant,
    /// Source address.
    pub from: Ipv6Addr,
    /// UDP payload.
    pub payload: Vec<u8>,
}

/// OpenThread's `OT_ERROR_NO_BUFS`.
pub const NO_BUFFERS: u8 = 3;

/// Environment of a node.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) medium: &'a Medium,
    pub(crate) sim: &'a Sim,
    pub(crate) signals: &'a Signals,
    pub(crate) broken: &'a Rc<RefCell<Option<Error>>>,
    pub(crate) supervision: Supervision,
}

/// A node of a network.
pub struct Node {
    this: Weak<Self>,
    timers: Timers,
    number: usize,
    sim: Sim,
    /// Process. `None` after the node was killed.
    process: RefCell<Option<Process>>,
    radio: Rc<Radio>,
    signals: Signals,
    board: RefCell<Board>,
    /// Frame that OpenThread sent last. A further attempt has no software cost.
    handed: RefCell<Rc<[u8]>>,
    /// Identifier of the valid alarm: the last one set.
    alarm: Cell<u64>,
    /// Unread output of the command-line interface, with its times.
    output: RefCell<Vec<(Instant, String)>>,
    taken: Cell<Option<u8>>,
    datagrams: RefCell<Vec<Datagram>>,
    log: RefCell<Vec<(Instant, String)>>,
    role: Cell<(Role, Instant)>,
    refused: Cell<u64>,
    broken: Rc<RefCell<Option<Error>>>,
}

impl Node {
    /// Starts node `number`, from 1. The first failure is stored in `broken`, and stops the simulation.
    pub(crate) fn start(
        number: usize,
        folder: &Path,
        config: Config,
        around: &Around<'_>,
    ) -> Result<Rc<Self>, Error> {
        let Around { medium, sim, signals, broken, supervision } = *around;
        let name = format!("node {number}");
        let seed = sim.stream(&format!("{name}/entropy")).bits();
        // From the block for documentation (RFC 7042, 2.2.3).
        let eui64 = 0x0200_5E10_0000_0000 | number as u64;
        let born = Born { eui64, seed, buffers: config.buffers };
        let program = config.device.find(folder)?;
        let (process, records) = Process::start(number, &program, born, supervision)?;
        let node = Rc::new_cyclic(|this: &Weak<Self>| {
            let host: Weak<dyn Host> = Weak::clone(this) as Weak<_>;
            Self {
                this: Weak::clone(this),
                timers: sim.timers(this),
                number,
                sim: sim.clone(),
                process: RefCell::new(Some(process)),
                signals: signals.clone(),
                radio: Radio::new(medium, &name, sim, config.interframe_space, host),
                board: RefCell::new(Board::new(config.costs)),
                handed: RefCell::new(Rc::from([])),
                alarm: Cell::new(0),
                output: RefCell::default(),
                taken: Cell::new(None),
                datagrams: RefCell::default(),
                log: RefCell::default(),
                role: Cell::new((Role::Disabled, sim.now())),
                refused: Cell::new(0),
                broken: Rc::clone(broken),
            }
        });
        node.act(records);
        Ok(node)
    }

    /// Identifier on the medium.
    #[must_use]
    pub fn id(&self) -> NodeId {
        self.radio.id()
    }

    /// Number, from 1.
    #[must_use]
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Time between datagrams of its program.
    pub(crate) fn pace(&self) -> Duration {
        self.board.borrow().pace()
    }

    /// Role in its network, and the time of its last change.
    #[must_use]
    pub const fn role(&self) -> (Role, Instant) {
        self.role.get()
    }

    /// Counters of its transceiver.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.radio.counts()
    }

    /// Number of frames dropped because its co-processor had no buffer.
    #[must_use]
    pub fn co_processor_full(&self) -> u64 {
        self.refused.get()
    }

    /// Runs a command of its command-line interface that completes immediately. Returns the lines before
    /// `Done`.
    pub fn command(&self, command: &str) -> Result<Vec<String>, Error> {
        self.begin_command(command)?;
        self.response(command).unwrap_or_else(|| Err(self.refused(command)))
    }

    /// Passes a line to its command-line interface.
    pub(crate) fn begin_command(&self, command: &str) -> Result<(), Error> {
        self.output.borrow_mut().clear();
        self.try_deliver(&Event::Command(command))
    }

    /// Response to the current command, if complete: the lines before `Done`, or the error.
    pub(crate) fn response(&self, command: &str) -> Option<Result<Vec<String>, Error>> {
        let mut lines: Vec<String> =
            self.output_lines().into_iter().map(|(_, line)| line).collect();
        let last = lines.last()?;
        if last == "Done" {
            lines.pop();
            self.output.borrow_mut().clear();
            Some(Ok(lines))
        } else if last.starts_with("Error ") {
            Some(Err(self.refused(command)))
        } else {
            None
        }
    }

    /// Error of a command that was rejected or did not complete.
    pub(crate) fn refused(&self, command: &str) -> Error {
        let answer = self.output.take().into_iter().map(|(_, text)| text).collect();
        Error::Refused { node: self.number, command: command.to_owned(), answer }
    }

    /// Unread output lines of its command-line interface, with the time of completion of each.
    pub(crate) fn output_lines(&self) -> Vec<(Instant, String)> {
        let mut lines = Vec::new();
        let mut line = String::new();
        for (at, text) in &*self.output.borrow() {
            for piece in text.split_inclusive('\n') {
                line.push_str(piece);
                if piece.ends_with('\n') {
                    let whole = std::mem::take(&mut line);
                    lines.push((*at, whole.trim_start_matches("> ").trim().to_owned()));
                }
            }
        }
        lines.retain(|(_, line)| !line.is_empty() && line != ">");
        lines
    }

    /// Kills its process, as in a power loss.
    pub fn kill(&self) {
        drop(self.process.borrow_mut().take());
        self.set_alarm(None);
        self.role.set((Role::Disabled, self.sim.now()));
    }

    /// Whether it is running.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.process.borrow().is_some()
    }

    /// Process identifier. `None` after it was killed.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        self.process.borrow().as_ref().map(Process::id)
    }

    /// Sends a datagram from its program, now. Returns 0 if OpenThread accepts it, else an error number:
    /// [`NO_BUFFERS`] without a free buffer.
    pub fn send(&self, to: Ipv6Addr, port: u16, payload: &[u8]) -> Result<u8, Error> {
        self.taken.set(None);
        self.try_deliver(&Event::Datagram { to, port, payload })?;
        self.taken.take().ok_or(Error::Broken {
            node: self.number,
            at: self.sim.now(),
            what: "it did not report the outcome of a datagram".to_owned(),
        })
    }

    /// Takes the datagrams that its program received so far.
    #[must_use]
    pub fn take_datagrams(&self) -> Vec<Datagram> {
        std::mem::take(&mut *self.datagrams.borrow_mut())
    }

    /// Takes its log so far. `log level 4` enables it.
    #[must_use]
    pub fn take_log(&self) -> Vec<(Instant, String)> {
        std::mem::take(&mut *self.log.borrow_mut())
    }

    fn try_deliver(&self, event: &Event<'_>) -> Result<(), Error> {
        let records = match &mut *self.process.borrow_mut() {
            Some(process) => process.deliver(self.sim.now(), event)?,
            None => return Err(Error::Killed { node: self.number }),
        };
        self.act(records);
        Ok(())
    }

    /// Sends an event from inside the simulation, where an error cannot be returned.
    fn deliver(&self, event: &Event<'_>) {
        if self.broken.borrow().is_some() || !self.is_alive() {
            return;
        }
        if let Err(error) = self.try_deliver(event) {
            *self.broken.borrow_mut() = Some(error);
            self.sim.stop();
        }
    }

    fn act(&self, records: Vec<Record>) {
        let now = self.sim.now();
        for record in records {
            match record {
                Record::Asleep(wake) => self.set_alarm(wake),
                Record::Transmit { csma, channel, psdu } => self.transmit(channel, csma, &psdu),
                Record::Radio(listening) => self.radio.listen(listening),
                Record::Identity(identity) => self.radio.identify(identity),
                Record::Waiting(waiting) => self.radio.set_waiting(waiting),
                Record::Output(text) => self.output.borrow_mut().push((now, text)),
                Record::Taken(error) => self.taken.set(Some(error)),
                Record::Arrived { from, payload } => {
                    self.datagrams.borrow_mut().push(Datagram { at: now, from, payload });
                }
                Record::Role(role) => self.role.set((role, now)),
                Record::Log(line) => self.log.borrow_mut().push((now, line)),
            }
        }
    }

    /// Returns the signal strength of the last received frame, dBm.
    fn rssi(&self) -> i8 {
        self.radio.heard_from().map_or(GOOD, |from| self.signals.of(from, self.id()))
    }

    fn set_alarm(&self, wake: Option<u64>) {
        self.alarm.set(self.alarm.get() + 1);
        let Some(us) = wake else { return };
        // An alarm beyond the range of an instant never fires.
        let Some(ns) = us.checked_mul(1_000) else { return };
        self.timers.set(Instant::from_ns(ns).max(self.sim.now()), self.alarm.get());
    }

    fn transmit(&self, channel: u8, csma: bool, frame: &[u8]) {
        let (now, psdu) = (self.sim.now(), Rc::<[u8]>::from(header::checked(frame)));
        let again = *self.handed.borrow() == psdu;
        let ready = if again { now } else { self.board.borrow_mut().sends(now, &psdu) };
        *self.handed.borrow_mut() = Rc::clone(&psdu);
        self.later(ready, move |node| node.radio.transmit(channel, csma, psdu));
    }

    /// Calls `call` at `at`, or immediately if that is now.
    fn later(&self, at: Instant, call: impl FnOnce(&Self) + 'static) {
        if at == self.sim.now() {
            call(self);
            return;
        }
        let this = Weak::clone(&self.this);
        self.sim.at(at, move || {
            if let Some(node) = this.upgrade() {
                call(&node);
            }
        });
    }
}

impl Timed for Node {
    fn due(self: Rc<Self>, token: u64) {
        if token == self.alarm.get() {
            self.deliver(&Event::Alarm);
        }
    }
}

impl Host for Node {
    fn heard(&self, psdu: &[u8], pending: bool) {
        let there = self.board.borrow_mut().hears(self.sim.now(), psdu);
        let Some(there) = there else {
            self.refused.set(self.refused.get() + 1);
            return;
        };
        let (psdu, rssi) = (psdu.to_vec(), self.rssi());
        self.later(there, move |node| {
            node.deliver(&Event::Heard { pending, rssi, psdu: &psdu });
        });
    }

    fn sent(&self, outcome: Sent, ack: &[u8]) {
        let now = self.sim.now();
        let there = if outcome == Sent::Ok { self.board.borrow_mut().reported(now) } else { now };
        let (ack, rssi) = (ack.to_vec(), self.rssi());
        self.later(there, move |node| {
            node.deliver(&Event::Sent { outcome, rssi, ack: &ack });
        });
    }
}
