//! A bench slaved to the wall clock, between two ports.
//!
//! Whenever something comes, or is due on the bench, virtual time moves on to the wall clock's; what
//! has come is offered there, and what has arrived is handed over. Between, we sleep.

use std::io;
use std::num::NonZeroU64;
use std::time::{Duration as Wall, Instant as WallInstant};

use airlag_rig::programs::relayed::Framing;
use airlag_rig::relay::{Bridge, Capture, Options, Toward, WAYS};
use airlag_rig::report::Incidents;
use airlag_rig::{Profile, interrupt};
use airlag_sim::Duration;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::late::Lateness;
use crate::port::{LONGEST, Port};

/// How often somebody who watches is told, and whoever wants us to end is listened to.
const TURN: Wall = Wall::from_millis(30);
/// Packets taken from a port at one instant before the bench goes on.
const AT_ONCE: usize = 64;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The bench could not be built or run.
    #[error(transparent)]
    Rig(#[from] airlag_rig::Error),
    /// A port ended.
    #[error("the port of the {board}: {cause}")]
    Port {
        /// On which side.
        board: &'static str,
        /// Why.
        cause: io::Error,
    },
}

/// What is emulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The bench.
    pub bench: Options,
    /// How many times as fast as the wall clock virtual time goes.
    pub speed: f64,
    /// For how much virtual time; none: until somebody ends it.
    pub lasting: Option<Duration>,
}

/// A packet that was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// When, on the bench since it was ready.
    pub offered: Duration,
    /// When it arrived there; none if it has not.
    pub arrived: Option<Duration>,
}

/// What went one way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Went {
    /// Every packet that was offered, in order; empty for bytes.
    pub transfers: Vec<Transfer>,
    /// Packets that found the queue full, or were too long.
    pub refused: u64,
    /// Bytes that were offered, and that arrived.
    pub bytes: [u64; 2],
}

impl Went {
    /// From which transfer on none has arrived: those may still be under way, those before it that
    /// have not arrived are lost.
    #[must_use]
    pub fn open_from(&self) -> usize {
        self.transfers.iter().rposition(|one| one.arrived.is_some()).map_or(0, |last| last + 1)
    }
}

/// What became of everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Emulated {
    /// From the first port to the second, and back.
    pub ways: [Went; 2],
    /// How late we were.
    pub late: Lateness,
    /// Virtual time that went by.
    pub elapsed: Duration,
    /// What happened that has a name of its own.
    pub incidents: Incidents,
    /// Every frame that was sent, where they were kept.
    pub sniffed: Option<Capture>,
}

/// What somebody who watches is told, some thirty times a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Virtual time that went by.
    pub elapsed: Duration,
    /// Packets, or pieces, that were offered; that arrived; that wait: there, and back.
    pub ways: [[u64; 3]; 2],
}

/// Relays between two ports until the plan says, or the work is interrupted.
///
/// # Errors
///
/// Those of a bench, and of a port that ended.
pub fn emulate(
    profile: &Profile,
    plan: &Plan,
    ports: &mut [Box<dyn Port + Send>; 2],
    mut told: impl FnMut(Progress),
) -> Result<Emulated, Error> {
    let session = Bridge::open(profile, plan.bench)?;
    // A thread wakes up to 50 us late to save power, unless it says that it minds. Where it may not
    // say so it is late, which is measured.
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    let mut live = Live {
        session,
        began: WallInstant::now(),
        speed: plan.speed,
        in_bytes: plan.bench.framing == Framing::Bytes,
        ports,
        ways: Default::default(),
        counts: [[0; 2]; 2],
        late: Lateness::default(),
    };
    let last = plan.lasting.unwrap_or(Duration::from_ns(u64::MAX));
    let mut turn = live.began;
    loop {
        let now = live.now().min(last);
        live.turn(now)?;
        if now >= last || interrupt::is_requested() {
            return Ok(live.end(now));
        }
        if turn.elapsed() >= TURN {
            turn = WallInstant::now();
            told(live.progress(now));
        }
        live.wait(last)?;
    }
}

struct Live<'a> {
    session: Bridge,
    began: WallInstant,
    speed: f64,
    /// What comes has no edges: there are no transfers.
    in_bytes: bool,
    ports: &'a mut [Box<dyn Port + Send>; 2],
    ways: [Went; 2],
    /// Offered and arrived, each way.
    counts: [[u64; 2]; 2],
    late: Lateness,
}

impl Live<'_> {
    /// The bench's time by the wall clock.
    fn now(&self) -> Duration {
        Duration::from_ns((self.began.elapsed().as_nanos() as f64 * self.speed) as u64)
    }

    /// Goes on to `now`, takes what has come, and hands over what has arrived.
    fn turn(&mut self, now: Duration) -> Result<(), Error> {
        self.session.run_until(now)?;
        for (side, toward) in WAYS.into_iter().enumerate() {
            self.take(side, toward, now)?;
        }
        // What is offered begins at once.
        self.session.run_until(now)?;
        for (side, toward) in WAYS.into_iter().enumerate() {
            self.hand_over(side, toward)?;
        }
        Ok(())
    }

    fn take(&mut self, side: usize, toward: Toward, now: Duration) -> Result<(), Error> {
        let mut bytes = [0; LONGEST];
        for _ in 0..AT_ONCE {
            if self.ports[side].waits() && !self.session.has_room(toward) {
                break;
            }
            let got = self.ports[side].read(&mut bytes).map_err(|cause| port(side, cause))?;
            let Some((len, tag)) = got else { break };
            let way = &mut self.ways[side];
            way.bytes[0] += len as u64;
            self.counts[side][0] += 1;
            if self.session.offer(toward, &bytes[..len], tag).is_some() && !self.in_bytes {
                self.ways[side].transfers.push(Transfer { offered: now, arrived: None });
            }
        }
        Ok(())
    }

    fn hand_over(&mut self, side: usize, toward: Toward) -> Result<(), Error> {
        for (packet, at) in self.session.arrived(toward) {
            let other = 1 - side;
            let handed = self.ports[other].write(&packet.bytes, packet.tag);
            handed.map_err(|cause| port(other, cause))?;
            let late = self.now().as_ns().saturating_sub(at.as_ns()) as f64 / self.speed;
            self.late.add(late as u64);
            let way = &mut self.ways[side];
            way.bytes[1] += packet.bytes.len() as u64;
            self.counts[side][1] += 1;
            if let Some(transfer) = way.transfers.get_mut(packet.nth) {
                transfer.arrived = Some(at);
            }
        }
        Ok(())
    }

    /// Sleeps until something comes, or is due on the bench.
    fn wait(&mut self, last: Duration) -> Result<(), Error> {
        let asked = self.ports.iter_mut().filter_map(|port| port.due()).min();
        let due = self.session.next_at().map_or(last, |at| at.min(last));
        let due = Wall::from_nanos((due.as_ns() as f64 / self.speed) as u64);
        let wait = due.saturating_sub(self.began.elapsed()).min(asked.unwrap_or(TURN)).min(TURN);
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
            [offered, arrived, self.session.waiting(WAYS[side]) as u64]
        };
        Progress { elapsed: now, ways: [way(0), way(1)] }
    }

    fn end(mut self, now: Duration) -> Emulated {
        for (way, toward) in self.ways.iter_mut().zip(WAYS) {
            way.refused = self.session.refused(toward);
        }
        Emulated {
            ways: self.ways,
            late: self.late,
            elapsed: now,
            incidents: self.session.report().incidents,
            sniffed: self.session.sniffed(),
        }
    }
}

fn port(side: usize, cause: io::Error) -> Error {
    Error::Port { board: ["sender", "receiver"][side], cause }
}
