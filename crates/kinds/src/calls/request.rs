//! The calls of the benchmark service, and their messages.

use airlag_rpc::benchmark::{
    CounterStreamRequest, CounterUploadRequest, CounterUploadResponse, DataWriteRequest,
    DataWriteResponse, EchoRequest, FlashReadRequest, FlashReadResponse,
};
use airlag_rpc::central::CallKind;
use airlag_rpc::container::{FIRST_HEADER, HEADER};
use airlag_rpc::session::OVERHEAD;
use airlag_rpc::source::{Encoded, Pulled, Source};

use airlag_rig::error::Error;
use airlag_rig::exchange::AnyExchange;

/// A call of the benchmark service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Returns the text it is given.
    Echo,
    /// Reads a number of bytes from the peripheral's flash.
    FlashRead,
    /// Writes a number of bytes to the peripheral.
    DataWrite,
    /// Streams a number of items from the peripheral.
    CounterStream,
    /// Streams a number of items to the peripheral.
    CounterUpload,
}

/// A call with its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Call.
    pub call: Call,
    /// Size: bytes or items.
    pub size: usize,
    /// In a list of calls: begins when all before it have ended.
    pub alone: bool,
}

impl Ask {
    /// Creates a call of this size.
    #[must_use]
    pub const fn new(call: Call, size: usize) -> Self {
        Self { call, size, alone: false }
    }

    /// Makes the call begin only when all before it have ended.
    #[must_use]
    pub const fn alone(mut self) -> Self {
        self.alone = true;
        self
    }

    /// Checks the size against the limits of the call.
    ///
    /// # Errors
    ///
    /// [`Error::ExchangeSize`].
    pub fn check(self) -> Result<(), Error> {
        let Self { call, size, .. } = self;
        let (unit, most) = call.most();
        if (1..=most).contains(&size) {
            return Ok(());
        }
        Err(Error::ExchangeSize { exchange: call.name(), size, most, unit })
    }

    /// User data of the call, bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.call.bytes(self.size)
    }

    /// Length of all containers of the request and of the response, with names and seals, if one
    /// container has room for a payload. A payload over several containers has additional headers.
    #[must_use]
    pub fn lengths(self) -> (usize, usize) {
        let around = FIRST_HEADER + 2 + self.call.method().len() + 2 + OVERHEAD;
        let sent = |messages: &[Vec<u8>]| messages.iter().map(|one| around + one.len()).sum();
        let end = |kind| if self.call.kind() == kind { HEADER } else { 0 };
        let request: usize = sent(&self.requests());
        let answer: usize = sent(&self.answers());
        (request + end(CallKind::Upload), answer + end(CallKind::Stream))
    }

    /// Messages of its response.
    fn answers(self) -> Vec<Vec<u8>> {
        let count = u32::try_from(self.size).unwrap_or(u32::MAX);
        match self.call {
            Call::Echo => self.requests(),
            Call::FlashRead => {
                let (bytes, (_, most)) = (vec![0; self.size], self.call.most());
                let answer = FlashReadResponse { address: 0 };
                let answer = Pulled::new(answer, 2, bytes.as_slice(), most);
                answer.map(encoded).into_iter().collect()
            }
            Call::DataWrite => vec![encoded(Encoded::new(DataWriteResponse { length: count }))],
            Call::CounterStream => Ask::new(Call::CounterUpload, self.size).requests(),
            Call::CounterUpload => {
                let answer = CounterUploadResponse { received_count: count };
                vec![encoded(Encoded::new(answer))]
            }
        }
    }

    /// Messages of its request.
    pub(super) fn requests(self) -> Vec<Vec<u8>> {
        self.call.requests(self.size)
    }
}

/// User data of an item, bytes: its number and its value.
const ITEM: usize = 8;

impl Call {
    /// All calls.
    pub const ALL: [Self; 5] =
        [Self::Echo, Self::FlashRead, Self::DataWrite, Self::CounterStream, Self::CounterUpload];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Echo => "rpc-echo",
            Self::FlashRead => "rpc-read",
            Self::DataWrite => "rpc-write",
            Self::CounterStream => "rpc-stream",
            Self::CounterUpload => "rpc-upload",
        }
    }

    /// Returns the call as the traffic of a run or a load.
    #[must_use]
    pub const fn traffic(self) -> AnyExchange {
        AnyExchange(match self {
            Self::Echo => &Self::Echo,
            Self::FlashRead => &Self::FlashRead,
            Self::DataWrite => &Self::DataWrite,
            Self::CounterStream => &Self::CounterStream,
            Self::CounterUpload => &Self::CounterUpload,
        })
    }

    /// Unit of its size, and the largest size.
    #[must_use]
    pub const fn most(self) -> (&'static str, usize) {
        match self {
            Self::Echo => ("B", 256),
            Self::FlashRead | Self::DataWrite => ("B", 8_192),
            Self::CounterStream | Self::CounterUpload => ("items", 1_000),
        }
    }

    /// User data of a call of this size, bytes.
    #[must_use]
    pub const fn bytes(self, size: usize) -> usize {
        match self {
            Self::Echo | Self::FlashRead | Self::DataWrite => size,
            Self::CounterStream | Self::CounterUpload => size * ITEM,
        }
    }

    pub(super) const fn method(self) -> &'static str {
        match self {
            Self::Echo => "echo",
            Self::FlashRead => "flash_read",
            Self::DataWrite => "data_write",
            Self::CounterStream => "counter_stream",
            Self::CounterUpload => "counter_upload",
        }
    }

    pub(super) const fn kind(self) -> CallKind {
        match self {
            Self::Echo | Self::FlashRead | Self::DataWrite => CallKind::Single,
            Self::CounterStream => CallKind::Stream,
            Self::CounterUpload => CallKind::Upload,
        }
    }

    /// Messages of a request of this size.
    fn requests(self, size: usize) -> Vec<Vec<u8>> {
        let count = u32::try_from(size).unwrap_or(u32::MAX);
        match self {
            Self::Echo => {
                let message = std::iter::repeat_n('x', size).collect();
                vec![encoded(Encoded::new(EchoRequest { message }))]
            }
            Self::FlashRead => {
                let request = FlashReadRequest { address: 0, length: count };
                vec![encoded(Encoded::new(request))]
            }
            Self::DataWrite => {
                let bytes: Vec<u8> = (0..size).map(|nth| nth as u8).collect();
                let (_, most) = self.most();
                let request = Pulled::new(DataWriteRequest {}, 1, bytes.as_slice(), most);
                request.map(encoded).into_iter().collect()
            }
            Self::CounterStream => vec![encoded(Encoded::new(CounterStreamRequest { count }))],
            Self::CounterUpload => {
                let item = |seq: u32| CounterUploadRequest { seq, value: 10 * seq.cast_signed() };
                (0..count).map(|seq| encoded(Encoded::new(item(seq)))).collect()
            }
        }
    }
}

fn encoded(mut message: impl Source) -> Vec<u8> {
    let mut bytes = vec![0; message.len()];
    message.read(0, &mut bytes);
    bytes
}
