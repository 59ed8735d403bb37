//! A bench that carries packets from outside and advances on demand.
//!
//! The bench has no wall clock. The caller advances it to an instant, offers the packets that were
//! received by then, and collects the packets that have arrived.

pub use airlag_air::Capture;
use airlag_air::Sniffer;
pub use airlag_link::OpenedBy;
use airlag_sim::Duration;

use crate::error::Error;
use crate::payload::check_size;
use crate::profile::Profile;
use crate::programs::relayed::{Framing, Packet, Relay, Relayed};
use crate::report::Report;
use crate::session::{Session, Wiring};

/// Options of a relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Packet size, bytes, where a link is configured for a size.
    pub size: usize,
    /// Queue capacity of each board, packets.
    pub room: usize,
    /// Format of the traffic from outside.
    pub framing: Framing,
    /// Random seed.
    pub seed: u64,
    /// Whether to record every frame on the air.
    pub sniff: bool,
}

/// Direction of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the first board to the second.
    Forward,
    /// From the second to the first.
    Return,
}

/// Both directions.
pub const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Return];

/// A bench after set-up. Its time starts when both boards are ready.
pub struct Bridge {
    session: Session,
    relayed: Relayed,
    sniffer: Option<Sniffer>,
}

impl Bridge {
    /// Sets up a bench.
    ///
    /// # Errors
    ///
    /// Errors of a run; [`Error::NoBytes`] for a board without a link, and [`Error::NoAir`] for a
    /// link without a radio to sniff.
    pub fn open(profile: &Profile, options: Options) -> Result<Self, Error> {
        check_size(profile, options.size)?;
        let wiring = Wiring::new(options.seed);
        let ways = profile.bind()?.ways();
        let relayed = Relayed::new(wiring.sim(), options.room, options.framing, ways);
        let session = wiring.open(profile, options.size, &relayed, None)?;
        let sniffer = options.sniff.then(|| session.sniffer(profile)).transpose()?;
        Ok(Self { session, relayed, sniffer })
    }

    /// Advances to `after` since the bench was ready.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] if a board stopped.
    pub fn run_until(&self, after: Duration) -> Result<(), Error> {
        self.session.step_until(self.session.ready() + after)
    }

    /// Time of the next event since the bench was ready. `None` without further events.
    #[must_use]
    pub fn next_at(&self) -> Option<Duration> {
        self.session.time().next_at().map(|at| at.since(self.session.ready()))
    }

    /// Offers a packet now. Returns its number, or `None` if the queue is full or the packet is too
    /// long.
    #[must_use]
    pub fn offer(&self, direction: Direction, bytes: &[u8], tag: u32) -> Option<usize> {
        self.relay(direction).offer(bytes, tag)
    }

    /// Whether the queue has room for another packet.
    #[must_use]
    pub fn has_room(&self, direction: Direction) -> bool {
        self.relay(direction).has_room()
    }

    /// Longest packet that the link accepts, bytes; for IP packets this is the MTU of the
    /// interface.
    #[must_use]
    pub fn mtu(&self) -> usize {
        self.relayed.there.mtu().min(self.relayed.back.mtu())
    }

    /// Returns the end that opened the connection for the bytes, as seen from the first board.
    /// `None` without a connection.
    #[must_use]
    pub fn connection(&self) -> Option<OpenedBy> {
        self.relayed.there.connection()
    }

    /// Packets that have arrived since the last call, with their arrival times since the bench was
    /// ready.
    #[must_use]
    pub fn arrived(&self, direction: Direction) -> Vec<(Packet, Duration)> {
        let (arrived, ready) = (self.relay(direction).way().arrived(), self.session.ready());
        arrived.into_iter().map(|(packet, at)| (packet, at.since(ready))).collect()
    }

    /// Packets queued for the link.
    #[must_use]
    pub fn waiting(&self, direction: Direction) -> usize {
        self.relay(direction).way().waiting()
    }

    /// Packets dropped because the queue was full.
    #[must_use]
    pub fn refused(&self, direction: Direction) -> u64 {
        self.relay(direction).way().refused()
    }

    /// Report of the boards.
    #[must_use]
    pub fn report(&self) -> Report {
        self.session.report()
    }

    /// Returns all frames on the air, if recorded.
    #[must_use]
    pub fn sniffed(&self) -> Option<Capture> {
        self.sniffer.as_ref().map(Sniffer::take)
    }

    const fn relay(&self, direction: Direction) -> &Relay {
        match direction {
            Direction::Forward => &self.relayed.there,
            Direction::Return => &self.relayed.back,
        }
    }
}
