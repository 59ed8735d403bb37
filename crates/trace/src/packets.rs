//! Packets recorded by a sniffer: pcapng, and pcap with microseconds or nanoseconds in either byte order.
//!
//! Layouts: draft-ietf-opsawg-pcapng, sections 3 and 4, and draft-ietf-opsawg-pcap, parsed by the crate
//! `pcap-parser`:
//!
//! ```text
//! pcapng  sections of blocks: interfaces (link type, unit and offset of time stamps), packets of them, others
//! pcap    header (link type, unit of time stamps), then packets
//! ```
//!
//! [`frames`](crate::frames) decodes the packets. Packets are not edges, so they are not passed to a
//! [`Sink`](crate::Sink).

use std::cell::Cell;
use std::io::{self, Read};

use pcap_parser::pcapng::Block;
use pcap_parser::traits::{PcapNGPacketBlock, PcapReaderIterator};
use pcap_parser::{
    EPB_MAGIC, IDB_MAGIC, LegacyPcapReader, OptionCode, PcapBlockOwned, PcapError, PcapHeader,
    PcapNGOption, PcapNGReader,
};

use crate::error::{At, Place, Problem};
use crate::format::Format;

/// Initial size of the buffer, bytes.
const BUFFER_BYTES: usize = 1 << 16;
/// Longest block accepted, bytes. A radio frame has at most 64 KiB, but its options may be longer.
const BLOCK_LIMIT: usize = 1 << 24;
/// Most interfaces of a section.
const INTERFACE_LIMIT: usize = 1 << 16;

const NS_PER_SECOND: i128 = 1_000_000_000;

/// Block type of a section header, which reads the same in either byte order, and its byte-order magic.
const SECTION: [u8; 4] = [0x0A, 0x0D, 0x0D, 0x0A];
const BYTE_ORDER: u32 = 0x1A2B_3C4D;
/// Magic numbers of pcap with time stamps in microseconds and in nanoseconds.
const PCAP: [u32; 2] = [0xA1B2_C3D4, 0xA1B2_3C4D];

/// Option of an enhanced packet block: flags, with link-layer errors in the upper bits (section 4.3.1).
const FLAGS: u16 = 2;
/// CRC error, wrong length, and errors of start delimiter, preamble and symbols.
const ERRORS: u32 = 0xFF00_0000;

/// One packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Time stamp, ns since 1970 or since an origin of the sniffer.
    pub at_ns: i64,
    /// Registered number of its encapsulation, one of the `LINKTYPE_` values of tcpdump.org.
    pub link_type: u16,
    /// Recorded bytes.
    pub bytes: &'a [u8],
    /// Whether the sniffer recorded only the first bytes.
    pub is_cut: bool,
    /// Whether the file marks a link-layer error.
    pub is_damaged: bool,
}

/// Whether the first bytes of a file are those of a pcapng file.
#[must_use]
pub fn looks_like_pcapng(head: &[u8]) -> bool {
    let magic = head.get(8..).and_then(<[u8]>::first_chunk).copied().map(u32::from_le_bytes);
    head.starts_with(&SECTION) && magic.is_some_and(|m| [m, m.swap_bytes()].contains(&BYTE_ORDER))
}

/// Whether the first bytes of a file are those of a pcap file.
#[must_use]
pub fn looks_like_pcap(head: &[u8]) -> bool {
    let magic = head.first_chunk().copied().map(u32::from_le_bytes);
    magic.is_some_and(|m| PCAP.iter().any(|known| [m, m.swap_bytes()].contains(known)))
}

/// Passes each packet of a file to `sink`, in the order of the file.
///
/// # Errors
/// Returns an error that contains the offset in the file if the file ends inside a block, if a block is
/// damaged or longer than 16 MiB, if a packet has no time stamp, if a time stamp is outside 64-bit
/// nanoseconds, or if `sink` returns an error.
pub fn read<R: Read>(
    input: R,
    format: Format,
    sink: impl FnMut(&Packet<'_>) -> Result<(), Problem>,
) -> Result<(), At> {
    let failure = Cell::new(None);
    let input = Filling { input, failure: &failure };
    let opened = match format {
        Format::Pcap => LegacyPcapReader::new(BUFFER_BYTES, input)
            .map(|reader| each(reader, Interfaces::default(), sink)),
        _ => PcapNGReader::new(BUFFER_BYTES, input)
            .map(|reader| each(reader, Interfaces::default(), sink)),
    };
    let read = opened.unwrap_or_else(|error| Err(problem(&error).at(Place::Byte(0))));
    match failure.take() {
        Some(error) => Err(Problem::from_read(error).into()),
        None => read,
    }
}

/// An input that fills each buffer, because the parser expects its first block after one read. It
/// stores an input error, because the parser reports only that an error occurred.
struct Filling<'a, R> {
    input: R,
    failure: &'a Cell<Option<io::Error>>,
}

impl<R: Read> Read for Filling<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < into.len() {
            match self.input.read(&mut into[filled..]) {
                Ok(0) => break,
                Ok(more) => filled += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure.set(Some(error));
                    return Err(io::ErrorKind::Other.into());
                }
            }
        }
        Ok(filled)
    }
}

/// What the parser needs next.
enum Step {
    Consume(usize),
    Refill,
    Grow,
    End,
}

fn each(
    mut reader: impl PcapReaderIterator,
    mut interfaces: Interfaces,
    mut sink: impl FnMut(&Packet<'_>) -> Result<(), Problem>,
) -> Result<(), At> {
    let mut capacity = BUFFER_BYTES;
    loop {
        let place = Place::Byte(reader.consumed() as u64);
        let step = match reader.next() {
            Ok((length, block)) => match interfaces.packet(&block) {
                Ok(packet) => packet.map_or(Ok(()), |packet| sink(&packet)).map(|()| length),
                Err(problem) => Err(problem),
            }
            .map(Step::Consume),
            Err(PcapError::Eof) => Ok(Step::End),
            Err(PcapError::Incomplete(_)) => Ok(Step::Refill),
            Err(PcapError::BufferTooSmall) => Ok(Step::Grow),
            Err(error) => Err(problem(&error)),
        };
        match step.map_err(|problem| problem.at(place.clone()))? {
            Step::Consume(length) => reader.consume(length),
            Step::End => return Ok(()),
            Step::Refill => refill(&mut reader).map_err(|problem| problem.at(place))?,
            Step::Grow => {
                capacity *= 2;
                if capacity > BLOCK_LIMIT || !reader.grow(capacity) {
                    return Err(Problem::BlockTooLong { limit: BLOCK_LIMIT }.at(place));
                }
                refill(&mut reader).map_err(|problem| problem.at(place))?;
            }
        }
    }
}

/// Reads more bytes. If there are none but the input has not ended, an error is returned, because
/// the parser would otherwise request more bytes forever.
fn refill(reader: &mut impl PcapReaderIterator) -> Result<(), Problem> {
    let before = reader.data().len();
    reader.refill().map_err(|error| problem(&error))?;
    if reader.data().len() == before && !reader.reader_exhausted() {
        return Err(Problem::DamagedBlock);
    }
    Ok(())
}

fn problem<I>(error: &PcapError<I>) -> Problem {
    match error {
        PcapError::UnexpectedEof | PcapError::Incomplete(_) | PcapError::Eof => {
            Problem::Truncated { what: "a packet" }
        }
        _ => Problem::DamagedBlock,
    }
}

/// Interfaces of the current section.
#[derive(Debug, Default)]
struct Interfaces(Vec<Interface>);

#[derive(Clone, Copy, Debug)]
struct Interface {
    link_type: u16,
    /// Time stamps per second.
    per_second: i128,
    /// Added to each time stamp, s.
    offset_s: i64,
}

impl Interface {
    fn at_ns(self, stamp: u64) -> Result<i64, Problem> {
        let ns = i128::from(stamp) * NS_PER_SECOND / self.per_second;
        let at = ns + i128::from(self.offset_s) * NS_PER_SECOND;
        i64::try_from(at).map_err(|_| Problem::TimeRange { found: format!("{at} ns") })
    }
}

impl Interfaces {
    /// Returns the packet in a block, if the block contains one. Stores the interface that a block
    /// declares.
    fn packet<'a>(&mut self, block: &'a PcapBlockOwned<'a>) -> Result<Option<Packet<'a>>, Problem> {
        match block {
            PcapBlockOwned::LegacyHeader(header) => self.add(pcap_interface(header)).map(|()| None),
            PcapBlockOwned::Legacy(packet) => {
                let stamp = |interface: Interface| {
                    let per_second = interface.per_second as u64;
                    u64::from(packet.ts_sec) * per_second + u64::from(packet.ts_usec)
                };
                let interface = self.of(0)?;
                Ok(Some(Packet {
                    at_ns: interface.at_ns(stamp(interface))?,
                    link_type: interface.link_type,
                    bytes: packet.data,
                    is_cut: packet.caplen < packet.origlen,
                    is_damaged: false,
                }))
            }
            PcapBlockOwned::NG(Block::SectionHeader(_)) => {
                self.0.clear();
                Ok(None)
            }
            PcapBlockOwned::NG(Block::InterfaceDescription(found)) => {
                let is_big = found.block_type != IDB_MAGIC;
                let offset = value(&found.options, OptionCode::IfTsoffset)
                    .map_or(0, |bytes: [u8; 8]| i64::from_le_bytes(ordered(bytes, is_big)));
                self.add(Interface {
                    // Registered numbers have 16 bits.
                    link_type: found.linktype.0 as u16,
                    per_second: per_second(found.if_tsresol)?,
                    offset_s: offset,
                })
                .map(|()| None)
            }
            PcapBlockOwned::NG(Block::EnhancedPacket(found)) => {
                let is_big = found.block_type != EPB_MAGIC;
                let interface = self.of(found.if_id)?;
                let stamp = u64::from(found.ts_high) << 32 | u64::from(found.ts_low);
                let flags = value(&found.options, OptionCode(FLAGS))
                    .map_or(0, |bytes: [u8; 4]| u32::from_le_bytes(ordered(bytes, is_big)));
                Ok(Some(Packet {
                    at_ns: interface.at_ns(stamp)?,
                    link_type: interface.link_type,
                    bytes: found.packet_data(),
                    is_cut: found.caplen < found.origlen,
                    is_damaged: flags & ERRORS != 0,
                }))
            }
            PcapBlockOwned::NG(Block::SimplePacket(_)) => Err(Problem::WrongKind {
                found: "packets without time stamps",
                expected: "enhanced packet blocks",
            }),
            PcapBlockOwned::NG(_) => Ok(None),
        }
    }

    fn of(&self, number: u32) -> Result<Interface, Problem> {
        let found = usize::try_from(number).ok().and_then(|nth| self.0.get(nth));
        found.copied().ok_or(Problem::DamagedBlock)
    }

    fn add(&mut self, interface: Interface) -> Result<(), Problem> {
        if self.0.len() >= INTERFACE_LIMIT {
            return Err(Problem::DamagedBlock);
        }
        self.0.push(interface);
        Ok(())
    }
}

fn pcap_interface(header: &PcapHeader) -> Interface {
    let per_second = if header.is_nanosecond_precision() { NS_PER_SECOND } else { 1_000_000 };
    // The upper bits describe the frame check sequence (draft-ietf-opsawg-pcap, section 4).
    Interface { link_type: header.network.0 as u16, per_second, offset_s: 0 }
}

/// Time stamps per second of `if_tsresol`: a power of two if the upper bit is set, else of ten (section 4.2).
fn per_second(resolution: u8) -> Result<i128, Problem> {
    let exponent = resolution & 0x7F;
    match resolution & 0x80 {
        0 if exponent <= 19 => Ok(10_i128.pow(exponent.into())),
        0x80 if exponent < 64 => Ok(1 << exponent),
        _ => Err(Problem::BadField {
            what: "if_tsresol",
            found: resolution.to_string(),
            expected: "at most 10^19 or 2^63 units per second".to_owned(),
        }),
    }
}

/// First value of an option, if it has the expected length.
fn value<const N: usize>(options: &[PcapNGOption<'_>], code: OptionCode) -> Option<[u8; N]> {
    let found = options.iter().find(|option| option.code == code)?;
    <[u8; N]>::try_from(found.as_bytes().ok()?).ok()
}

/// Bytes in little-endian order.
fn ordered<const N: usize>(mut bytes: [u8; N], is_big: bool) -> [u8; N] {
    if is_big {
        bytes.reverse();
    }
    bytes
}

#[cfg(test)]
mod tests;
