//! A bench that waits for packets from outside, and moves on when it is told how far.
//!
//! It knows no wall clock: whoever has one says until when to go on, offers what has come by then,
//! and takes what has arrived.

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

/// What is relayed, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Bytes of a packet, where a link is set up for a size.
    pub size: usize,
    /// Packets that wait at each board at most.
    pub room: usize,
    /// What comes from outside.
    pub framing: Framing,
    /// Root seed of every random stream.
    pub seed: u64,
    /// Keep every frame that is sent.
    pub sniff: bool,
}

/// Which way a packet goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// From the first board to the second.
    There,
    /// From the second to the first.
    Back,
}

/// Both ways.
pub const WAYS: [Toward; 2] = [Toward::There, Toward::Back];

/// A bench that has been set up, at the instant at which both boards were ready.
pub struct Bridge {
    session: Session,
    relayed: Relayed,
    sniffer: Option<Sniffer>,
}

impl Bridge {
    /// Sets a bench up.
    ///
    /// # Errors
    ///
    /// Those of a run; [`Error::NoBytes`] for a board without a link, and [`Error::NoAir`] where there is nothing to sniff.
    pub fn open(profile: &Profile, options: Options) -> Result<Self, Error> {
        check_size(profile, options.size)?;
        let wiring = Wiring::new(options.seed);
        let ways = profile.bind()?.ways();
        let relayed = Relayed::new(wiring.sim(), options.room, options.framing, ways);
        let session = wiring.open(profile, options.size, &relayed, None)?;
        let sniffer = options.sniff.then(|| session.sniffer(profile)).transpose()?;
        Ok(Self { session, relayed, sniffer })
    }

    /// Goes on until so long after the bench was ready.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] where a board stopped.
    pub fn run_until(&self, after: Duration) -> Result<(), Error> {
        self.session.step_until(self.session.ready() + after)
    }

    /// When something happens next, since the bench was ready; none if nothing does.
    #[must_use]
    pub fn next_at(&self) -> Option<Duration> {
        self.session.time().next_at().map(|at| at.since(self.session.ready()))
    }

    /// Offers a packet, now. Its number; none where the queue is full or it is longer than a
    /// message can be.
    #[must_use]
    pub fn offer(&self, toward: Toward, bytes: &[u8], tag: u32) -> Option<usize> {
        self.relay(toward).offer(bytes, tag)
    }

    /// Whether another packet would find room.
    #[must_use]
    pub fn has_room(&self, toward: Toward) -> bool {
        self.relay(toward).has_room()
    }

    /// Longest packet the link takes, bytes; for IP packets this is the MTU of the interface.
    #[must_use]
    pub fn mtu(&self) -> usize {
        self.relayed.there.mtu().min(self.relayed.back.mtu())
    }

    /// Which end opened the connection that carries the bytes, of the first board; none where none does.
    #[must_use]
    pub fn connection(&self) -> Option<OpenedBy> {
        self.relayed.there.connection()
    }

    /// What arrived since it was last asked, with when, since the bench was ready.
    #[must_use]
    pub fn arrived(&self, toward: Toward) -> Vec<(Packet, Duration)> {
        let (arrived, ready) = (self.relay(toward).way().arrived(), self.session.ready());
        arrived.into_iter().map(|(packet, at)| (packet, at.since(ready))).collect()
    }

    /// Packets that wait for the link.
    #[must_use]
    pub fn waiting(&self, toward: Toward) -> usize {
        self.relay(toward).way().waiting()
    }

    /// Packets that found the queue full.
    #[must_use]
    pub fn refused(&self, toward: Toward) -> u64 {
        self.relay(toward).way().refused()
    }

    /// What the boards told.
    #[must_use]
    pub fn report(&self) -> Report {
        self.session.report()
    }

    /// Every frame that was sent, where they are kept.
    #[must_use]
    pub fn sniffed(&self) -> Option<Capture> {
        self.sniffer.as_ref().map(Sniffer::take)
    }

    const fn relay(&self, toward: Toward) -> &Relay {
        match toward {
            Toward::There => &self.relayed.there,
            Toward::Back => &self.relayed.back,
        }
    }
}
