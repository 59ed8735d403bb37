//! Bytes that are read on demand: a message is encoded while it is sent.

use heapless::Vec;
use micropb::{MessageEncode, PbEncoder, PbWrite, Tag, WIRE_TYPE_LEN};

use crate::service::Fault;

/// Bytes of known length, read in pieces.
pub trait Source {
    /// Constant length, bytes.
    fn len(&self) -> usize;
    /// Fills `into` with the bytes from `offset` on. The range must be within the length.
    fn read(&mut self, offset: usize, into: &mut [u8]);
    /// Whether there are no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Source for &[u8] {
    fn len(&self) -> usize {
        <[u8]>::len(self)
    }

    fn read(&mut self, offset: usize, into: &mut [u8]) {
        let rest = self.get(offset..).unwrap_or_default();
        into.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    }
}

/// Message sent in pieces, encoded again for each of them, so that only the current piece is in
/// memory. Messages are short, so encoding again costs less than memory for a whole encoded copy.
pub struct Encoded<M> {
    message: M,
    len: usize,
}

impl<M: MessageEncode> Encoded<M> {
    /// Creates an encoded `message`.
    pub fn new(message: M) -> Self {
        let len = message.compute_size();
        Self { message, len }
    }
}

impl<M: MessageEncode> Source for Encoded<M> {
    fn len(&self) -> usize {
        self.len
    }

    fn read(&mut self, offset: usize, into: &mut [u8]) {
        let window = Window { before: offset, into };
        let (Ok(()) | Err(Full)) = self.message.encode(&mut PbEncoder::new(window));
    }
}

/// A writer that stores only a range of what is written.
struct Window<'a> {
    /// Number of bytes to skip.
    before: usize,
    into: &'a mut [u8],
}

/// Error to stop encoding.
struct Full;

impl PbWrite for Window<'_> {
    type Error = Full;

    fn pb_write(&mut self, data: &[u8]) -> Result<(), Full> {
        let (passed, data) = data.split_at(self.before.min(data.len()));
        self.before -= passed.len();
        let len = data.len().min(self.into.len());
        let (now, later) = core::mem::take(&mut self.into).split_at_mut(len);
        now.copy_from_slice(&data[..len]);
        self.into = later;
        if self.into.is_empty() { Err(Full) } else { Ok(()) }
    }
}

/// Largest number of bytes before the data of a field: tag and length, as numbers of up to 32 bits.
const PREFIX: usize = 10;

/// A message whose last bytes field comes from another source.
pub struct Pulled<M, S> {
    head: Encoded<M>,
    prefix: Vec<u8, PREFIX>,
    bytes: S,
}

impl<M: MessageEncode, S: Source> Pulled<M, S> {
    /// `message` followed by `bytes` as its field `number`. An empty field is omitted.
    ///
    /// # Errors
    ///
    /// [`Fault::TooLarge`] for more than `most` bytes.
    pub fn new(message: M, number: u32, bytes: S, most: usize) -> Result<Self, Fault> {
        let len = u32::try_from(bytes.len()).map_err(|_| Fault::TooLarge)?;
        if bytes.len() > most {
            return Err(Fault::TooLarge);
        }
        let mut encoder = PbEncoder::new(Vec::new());
        if len > 0 {
            let tag = Tag::from_parts(number, WIRE_TYPE_LEN);
            let written = encoder.encode_tag(tag).and_then(|()| encoder.encode_varint32(len));
            written.map_err(|()| Fault::TooLarge)?;
        }
        Ok(Self { head: Encoded::new(message), prefix: encoder.into_writer(), bytes })
    }
}

impl<M: MessageEncode, S: Source> Source for Pulled<M, S> {
    fn len(&self) -> usize {
        self.head.len() + self.prefix.len() + self.bytes.len()
    }

    fn read(&mut self, offset: usize, into: &mut [u8]) {
        let (at, into) = part(&mut self.head, offset, into);
        let (at, into) = part(&mut self.prefix.as_slice(), at, into);
        part(&mut self.bytes, at, into);
    }
}

/// Reads the bytes of `source` from `offset` on. Returns the remaining offset and the remaining buffer.
fn part<'a>(source: &mut impl Source, offset: usize, into: &'a mut [u8]) -> (usize, &'a mut [u8]) {
    let here = source.len().saturating_sub(offset).min(into.len());
    let (now, later) = into.split_at_mut(here);
    if here > 0 {
        source.read(offset, now);
    }
    (offset.saturating_sub(source.len()), later)
}
