//! A bench that follows the wall clock, between two ports.
//!
//! Whenever a packet arrives at a port or an event of the simulation is due, virtual time advances to the
//! time of the wall clock. A packet that is received at one port is passed to the virtual bench. When the
//! packet has crossed the bench, it is sent at the other port. Between events, the thread sleeps. Every
//! packet is recorded immediately ([`crate::journal`]).

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::time::{Duration as Wall, Instant as WallInstant};
use std::{io, mem};

use airlag_rig::programs::relayed::Framing;
use airlag_rig::relay::{Bridge, Capture, DIRECTIONS, Direction, Options};
use airlag_rig::{Profile, interrupt};
use airlag_sim::Duration;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::journal::{Journal, LOST_AFTER_NS, OneWay, Tally};
use crate::late::Lateness;
use crate::port::{LONGEST, Port};

/// Interval of progress reports and of checks for interruption.
const TURN: Wall = Wall::from_millis(30);
/// Maximum number of packets read from a port before the bench advances.
const AT_ONCE: usize = 64;
/// Virtual time for which the bench runs on after the last packet, so that packets in transit do not count as
/// lost.
const DRAIN: Duration = Duration::from_ns(LOST_AFTER_NS);
/// Limit of the real time of the drain.
const DRAIN_AT_MOST: Wall = Wall::from_secs(2);
/// Step of virtual time during the drain.
const STEP: Duration = Duration::from_ms(100);

/// Errors of an emulation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The bench could not be built or run.
    #[error(transparent)]
    Rig(#[from] airlag_rig::Error),
    /// A port failed.
    #[error("the port of the {board}: {cause}")]
    Port {
        /// Side of the port.
        board: &'static str,
        /// Cause.
        cause: io::Error,
    },
    /// The journal could not be written.
    #[error("the journal of the emulation: {0}")]
    Journal(io::Error),
}

/// Plan of an emulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The bench.
    pub bench: Options,
    /// Speed of virtual time relative to the wall clock.
    pub speed: f64,
    /// Duration in virtual time. `None` means until interrupted.
    pub lasting: Option<Duration>,
}

/// Result of an emulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Emulated {
    /// Forward direction, then return direction.
    pub ways: [OneWay; 2],
    /// Scheduling delay.
    pub late: Lateness,
    /// Elapsed virtual time.
    pub elapsed: Duration,
    /// Every frame sent, if frames were recorded.
    pub sniffed: Option<Capture>,
}

/// Progress report, about thirty times per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Elapsed virtual time.
    pub elapsed: Duration,
    /// Packets or chunks offered, arrived and waiting: forward, then return.
    pub ways: [[u64; 3]; 2],
}

/// Relays between two ports until the end of the plan or an interruption.
///
/// # Errors
///
/// Errors of the bench, of a port, and of the journals.
pub fn emulate(
    profile: &Profile,
    plan: &Plan,
    ports: &mut [Box<dyn Port + Send>; 2],
    journals: [Journal; 2],
    mut on_progress: impl FnMut(Progress),
) -> Result<Emulated, Error> {
    let session = Bridge::open(profile, plan.bench)?;
    // By default, Linux may wake a thread up to 50 us late to save power. If this program may not shorten
    // that time, the additional delay is part of the measured scheduling delay.
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    let mut live = Live {
        session,
        began: WallInstant::now(),
        speed: plan.speed,
        in_bytes: plan.bench.framing == Framing::Bytes,
        ports,
        journals,
        tallies: Default::default(),
        counts: [[0; 2]; 2],
        newest: [None; 2],
        late: Lateness::default(),
    };
    let last = plan.lasting.unwrap_or(Duration::from_ns(u64::MAX));
    let mut turn = live.began;
    loop {
        let now = live.now().min(last);
        live.turn(now)?;
        if now >= last || interrupt::is_requested() {
            return live.end(now);
        }
        if live.journals[0].is_due() {
            live.write_tallies(now)?;
        }
        if turn.elapsed() >= TURN {
            turn = WallInstant::now();
            on_progress(live.progress(now));
        }
        live.wait(last)?;
    }
}

struct Live<'a> {
    session: Bridge,
    began: WallInstant,
    speed: f64,
    /// Whether the ports carry byte streams. These have no edges, so there are no transfers.
    in_bytes: bool,
    ports: &'a mut [Box<dyn Port + Send>; 2],
    journals: [Journal; 2],
    tallies: [Tally; 2],
    /// Packets offered and arrived, per direction.
    counts: [[u64; 2]; 2],
    /// Highest number of the packets that arrived, per direction.
    newest: [Option<u64>; 2],
    late: Lateness,
}

impl Live<'_> {
    /// Current wall clock time, converted to virtual time.
    fn now(&self) -> Duration {
        Duration::from_ns((self.began.elapsed().as_nanos() as f64 * self.speed) as u64)
    }

    /// Advances to `now`, accepts packets from the ports, and delivers those that arrived.
    fn turn(&mut self, now: Duration) -> Result<(), Error> {
        self.session.run_until(now)?;
        for (side, direction) in DIRECTIONS.into_iter().enumerate() {
            self.accept(side, direction, now)?;
        }
        // Transmission of the packets offered begins immediately.
        self.session.run_until(now)?;
        for (side, direction) in DIRECTIONS.into_iter().enumerate() {
            self.deliver(side, direction)?;
        }
        Ok(())
    }

    fn accept(&mut self, side: usize, direction: Direction, now: Duration) -> Result<(), Error> {
        let mut bytes = [0; LONGEST];
        for _ in 0..AT_ONCE {
            if self.ports[side].has_flow_control() && !self.session.has_room(direction) {
                break;
            }
            let got = self.ports[side].read(&mut bytes).map_err(|cause| port(side, cause))?;
            let Some((len, tag)) = got else { break };
            self.tallies[side].bytes[0] += len as u64;
            self.counts[side][0] += 1;
            if self.session.offer(direction, &bytes[..len], tag).is_some() && !self.in_bytes {
                self.journals[side].offered(now).map_err(Error::Journal)?;
            }
        }
        Ok(())
    }

    fn deliver(&mut self, side: usize, direction: Direction) -> Result<(), Error> {
        for (packet, at) in self.session.arrived(direction) {
            let other = 1 - side;
            let handed = self.ports[other].write(&packet.bytes, packet.tag);
            handed.map_err(|cause| port(other, cause))?;
            let late = self.now().as_ns().saturating_sub(at.as_ns()) as f64 / self.speed;
            self.late.add(late as u64);
            self.tallies[side].bytes[1] += packet.bytes.len() as u64;
            self.counts[side][1] += 1;
            self.note_arrival(side, packet.nth, at)?;
        }
        Ok(())
    }

    /// Records that a packet arrived, unless it was never offered.
    fn note_arrival(&mut self, side: usize, nth: usize, at: Duration) -> Result<(), Error> {
        let nth = nth as u64;
        if nth >= self.journals[side].offered_so_far() {
            return Ok(());
        }
        self.newest[side] = self.newest[side].max(Some(nth));
        self.journals[side].arrived(nth, at).map_err(Error::Journal)
    }

    /// Sleeps until a packet arrives or an event is due.
    fn wait(&mut self, last: Duration) -> Result<(), Error> {
        let port_due = self.ports.iter_mut().filter_map(|port| port.due()).min();
        let due = self.session.next_at().map_or(last, |at| at.min(last));
        let due = Wall::from_nanos((due.as_ns() as f64 / self.speed) as u64);
        let wait = due.saturating_sub(self.began.elapsed()).min(port_due.unwrap_or(TURN)).min(TURN);
        let wait = Timespec { tv_sec: 0, tv_nsec: wait.as_nanos() as _ };
        let descriptors: Vec<_> = self.ports.iter().map(|port| port.descriptors()).collect();
        let mut watched: Vec<PollFd<'_>> =
            descriptors.iter().flatten().map(|fd| PollFd::new(fd, PollFlags::IN)).collect();
        match poll(&mut watched, Some(&wait)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(port(0, error.into())),
        }
    }

    fn progress(&self, now: Duration) -> Progress {
        let way = |side: usize| {
            let [offered, arrived] = self.counts[side];
            [offered, arrived, self.session.waiting(DIRECTIONS[side]) as u64]
        };
        Progress { elapsed: now, ways: [way(0), way(1)] }
    }

    /// Updates the counts of both directions.
    fn tally(&mut self, now: Duration) {
        let incidents = self.session.report().incidents;
        let incidents: BTreeMap<String, u32> =
            incidents.iter().map(|(&name, &times)| (name.to_owned(), times)).collect();
        for (tally, direction) in self.tallies.iter_mut().zip(DIRECTIONS) {
            *tally = Tally {
                elapsed_ns: now.as_ns(),
                waiting: self.session.waiting(direction) as u64,
                refused: self.session.refused(direction),
                incidents: incidents.clone(),
                ..mem::take(tally).with_late(&self.late)
            };
        }
    }

    fn write_tallies(&mut self, now: Duration) -> Result<(), Error> {
        self.tally(now);
        for (journal, tally) in self.journals.iter_mut().zip(&self.tallies) {
            journal.tally(tally).map_err(Error::Journal)?;
        }
        Ok(())
    }

    /// Whether a packet may be in transit: a packet offered after the last one that arrived has
    /// left the queue.
    fn is_open(&self) -> bool {
        (0..2).any(|side| {
            let left =
                self.journals[side].offered_so_far().saturating_sub(self.tallies[side].waiting);
            left > self.newest[side].map_or(0, |nth| nth + 1)
        })
    }

    /// Continues the bench without new packets while packets may be in transit. Returns the drain time.
    fn drain(&mut self, end: Duration) -> Result<Duration, Error> {
        let (began, mut after) = (WallInstant::now(), Duration::ZERO);
        while after < DRAIN && self.is_open() && began.elapsed() < DRAIN_AT_MOST {
            after = (after + STEP).min(DRAIN);
            self.session.run_until(end + after)?;
            for (side, direction) in DIRECTIONS.into_iter().enumerate() {
                for (packet, at) in self.session.arrived(direction) {
                    self.note_arrival(side, packet.nth, at)?;
                }
            }
        }
        Ok(after)
    }

    fn end(mut self, now: Duration) -> Result<Emulated, Error> {
        self.write_tallies(now)?;
        let drained = self.drain(now)?;
        let mut ways = <[OneWay; 2]>::default();
        for ((way, journal), tally) in ways.iter_mut().zip(self.journals).zip(self.tallies) {
            let tally = Tally { drained_ns: drained.as_ns(), ..tally };
            *way = journal.finish(&tally).map_err(Error::Journal)?;
        }
        Ok(Emulated { ways, late: self.late, elapsed: now, sniffed: self.session.sniffed() })
    }
}

fn port(side: usize, cause: io::Error) -> Error {
    Error::Port { board: ["sender", "receiver"][side], cause }
}
