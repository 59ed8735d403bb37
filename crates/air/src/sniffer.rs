//! A sniffer on the medium, and the `.pcapng` file that it writes.
//!
//! ```text
//!  Medium ──tap──► Sniffer ──by family──► Encapsulation ──► pcapng: one interface a family
//! ```
//!
//! The sniffer is next to every sender, and receives each frame completely, even if the frame is
//! lost on the paths to its receivers. A frame that collided is kept as sent and marked with a
//! comment and the CRC error flag. A frame that its sender aborted is marked with a comment and the
//! too-short flag.
//!
//! The time stamp of a frame is the instant of its first bit, preamble included, relative to the
//! instant at which the sniffer was attached. Frames already on the air at that instant are not
//! recorded. Frames are recorded in the order in which they began.
//!
//! The [`Encapsulation`] of a protocol family determines the format of the family's frames in the
//! file. The encapsulations of standard protocols are in [`standard`] and [`bluetooth_le`]; a chip
//! with a proprietary format supplies its own encapsulation. Frames of a family without an
//! encapsulation are counted and not written.

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

/// Name of the program that wrote the file.
const APPLICATION: &str = concat!("airlag ", env!("CARGO_PKG_VERSION"));

/// A sniffer. Clones share its records.
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

/// Records of a sniffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Content of the file.
    pub pcapng: Vec<u8>,
    /// Number of frames in the file.
    pub frames: u64,
    /// Number of frames that are not in the file, by family, because the family has no
    /// encapsulation.
    pub left_out: BTreeMap<&'static str, u64>,
    /// Number of frames that are not in the file because [`Sniffer::LIMIT`] was reached.
    pub over_limit: u64,
}

impl Sniffer {
    /// Largest number of bytes of frames in a file. Later frames are only counted.
    pub const LIMIT: usize = 1 << 30;

    /// Records frames on `air` from `now` on, for the families of the standards.
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

    /// Records frames of `family` with `encapsulation`, from the next one on.
    #[must_use]
    pub fn with(self, family: &'static str, encapsulation: impl Encapsulation + 'static) -> Self {
        self.0.borrow_mut().encapsulations.insert(family, Box::new(encapsulation));
        self
    }

    /// Returns the records so far and empties the sniffer.
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
            Verdict::Collided => ("collided with another frame; bytes as sent", error_flag::CRC),
            Verdict::Cut => {
                ("aborted by its sender; bytes as they would have been sent", error_flag::TOO_SHORT)
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
        // The sort is stable: frames that begin at the same time are ordered by their ends.
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
