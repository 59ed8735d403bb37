//! A sniffer on the medium, and the `.pcapng` file of what it heard.
//!
//! ```text
//!  Medium ──tap──► Sniffer ──by family──► Encapsulation ──► pcapng: one interface a family
//! ```
//!
//! It stands beside every sender: it hears each frame whole, whatever the paths do to it. A frame
//! that another one was in the way of is kept as it was sent and marked, with a comment and the CRC
//! error flag; one that its sender broke off, with a comment and the flag of a frame too short.
//!
//! The stamp of a frame is its first bit, preamble included, counted from the instant at which the
//! sniffer was attached. Frames that were in the air by then are not heard. They lie in the file in
//! the order in which they began.
//!
//! What a frame looks like in the file is its family's [`Encapsulation`]. Those of the standards
//! are in [`standard`] and [`bluetooth_le`]; a chip whose frames are laid out by its model brings its own. A family
//! without one is counted and left out.

pub mod bluetooth_le;
mod encapsulation;
pub mod pcapng;
pub mod standard;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use airlag_sim::Instant;

use crate::frame::Frame;
use crate::medium::{Medium, Verdict};

pub use encapsulation::Encapsulation;
use pcapng::{Remark, Writer, error_flag};

/// What other programs call the one that wrote the file.
const APPLICATION: &str = concat!("airlag ", env!("CARGO_PKG_VERSION"));

/// A sniffer that listens. Clones share what it heard.
#[derive(Clone)]
pub struct Sniffer(Rc<RefCell<Heard>>);

struct Heard {
    since: Instant,
    encapsulations: BTreeMap<&'static str, Box<dyn Encapsulation>>,
    packets: Vec<Packet>,
    bytes: usize,
    limit: usize,
    left_out: BTreeMap<&'static str, u64>,
    over_limit: u64,
}

struct Packet {
    begin: Instant,
    family: &'static str,
    data: Vec<u8>,
    comment: String,
    errors: u32,
}

/// What a sniffer heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The file.
    pub pcapng: Vec<u8>,
    /// Frames in it.
    pub frames: u64,
    /// Frames that are not, by family: there is no encapsulation for them.
    pub left_out: BTreeMap<&'static str, u64>,
    /// Frames that came after [`Sniffer::LIMIT`] bytes.
    pub over_limit: u64,
}

impl Sniffer {
    /// Bytes of frames a sniffer keeps; what comes later is counted only.
    pub const LIMIT: usize = 1 << 30;

    /// Listens to `air` from `now` on, for the families of the standards.
    #[must_use]
    pub fn attach(air: &Medium, now: Instant) -> Self {
        let heard = Rc::new(RefCell::new(Heard {
            since: now,
            encapsulations: standard::all().into_iter().collect(),
            packets: Vec::new(),
            bytes: 0,
            limit: Self::LIMIT,
            left_out: BTreeMap::new(),
            over_limit: 0,
        }));
        let ear = Rc::clone(&heard);
        air.tap(move |frame, verdict| ear.borrow_mut().hear(frame, verdict));
        Self(heard)
    }

    /// Keeps the frames of `family` as `encapsulation` says, from the next one on.
    #[must_use]
    pub fn with(self, family: &'static str, encapsulation: impl Encapsulation + 'static) -> Self {
        self.0.borrow_mut().encapsulations.insert(family, Box::new(encapsulation));
        self
    }

    /// What was heard so far. The sniffer starts again with nothing.
    #[must_use]
    pub fn take(&self) -> Capture {
        self.0.borrow_mut().take()
    }
}

impl Heard {
    fn hear(&mut self, frame: &Frame, verdict: Verdict) {
        if frame.begin < self.since {
            return;
        }
        let family = frame.modulation.family;
        let Some(encapsulation) = self.encapsulations.get(family) else {
            *self.left_out.entry(family).or_default() += 1;
            return;
        };
        let mut data = Vec::new();
        let mut comment = String::new();
        let intact = matches!(verdict, Verdict::Whole);
        encapsulation.wrap(frame, intact, &mut data, &mut comment);
        if self.bytes.saturating_add(data.len()) > self.limit {
            self.over_limit += 1;
            return;
        }
        self.bytes += data.len();
        let (fate, errors) = match verdict {
            Verdict::Whole | Verdict::Lost => ("", 0),
            Verdict::Collided => {
                ("collided: another frame was in the way; bytes as sent", error_flag::CRC)
            }
            Verdict::Cut => {
                ("broken off by its sender; bytes as they were to be sent", error_flag::TOO_SHORT)
            }
        };
        if !fate.is_empty() {
            if !comment.is_empty() {
                comment.insert_str(0, "; ");
            }
            comment.insert_str(0, fate);
        }
        self.packets.push(Packet { begin: frame.begin, family, data, comment, errors });
    }

    fn take(&mut self) -> Capture {
        let mut packets = std::mem::take(&mut self.packets);
        self.bytes = 0;
        // Stable: those that begin together stay in the order in which they ended.
        packets.sort_by_key(|packet| packet.begin);
        let mut file = Writer::new(APPLICATION);
        let mut interfaces = BTreeMap::new();
        for packet in &packets {
            let on = *interfaces.entry(packet.family).or_insert_with(|| {
                let encapsulation = &self.encapsulations[packet.family];
                let (link_type, about) = (encapsulation.link_type(), encapsulation.description());
                file.interface(link_type, packet.family, about)
            });
            let at_ns = packet.begin.since(self.since).as_ns();
            let remark = Remark { comment: &packet.comment, errors: packet.errors };
            file.packet(on, at_ns, &packet.data, remark);
        }
        Capture {
            pcapng: file.into_bytes(),
            frames: packets.len() as u64,
            left_out: std::mem::take(&mut self.left_out),
            over_limit: std::mem::take(&mut self.over_limit),
        }
    }
}

#[cfg(test)]
mod tests;
