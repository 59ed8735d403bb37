//! The benchmark service with a readable memory.

use crate::benchmark::{
    Benchmark, CounterStreamRequest, CounterStreamResponse, CounterUploadRequest,
    CounterUploadResponse, DataWriteRequest, DataWriteResponse, EchoRequest, EchoResponse,
    FlashReadRequest, FlashReadResponse,
};
use crate::service::Fault;
use crate::source::Source;

/// Largest number of bytes per read: a page of common serial flash.
pub const PAGE: usize = 256;

/// A memory-mapped memory, such as the flash of a microcontroller. Copies refer to the same memory, so a
/// response can be read while the service continues.
pub trait Memory: Clone {
    /// Size, bytes.
    fn capacity(&self) -> usize;
    /// Fills `into` with the bytes at `address`. At most [`PAGE`] bytes, within the capacity.
    fn read(&mut self, address: usize, into: &mut [u8]);
}

impl Memory for &[u8] {
    fn capacity(&self) -> usize {
        self.len()
    }

    fn read(&mut self, address: usize, into: &mut [u8]) {
        Source::read(self, address, into);
    }
}

/// A piece of a memory, read page by page.
pub struct Piece<M> {
    memory: M,
    address: usize,
    len: usize,
}

impl<M: Memory> Source for Piece<M> {
    fn len(&self) -> usize {
        self.len
    }

    fn read(&mut self, offset: usize, into: &mut [u8]) {
        for (page, bytes) in into.chunks_mut(PAGE).enumerate() {
            self.memory.read(self.address + offset + page * PAGE, bytes);
        }
    }
}

/// The benchmark service.
pub struct Flash<M> {
    memory: M,
    /// Number of items of the current upload.
    received: u32,
    /// Number of bytes written so far.
    written: u64,
}

impl<M: Memory> Flash<M> {
    /// A service that reads from `memory`.
    pub const fn new(memory: M) -> Self {
        Self { memory, received: 0, written: 0 }
    }

    /// Number of bytes written so far.
    #[must_use]
    pub const fn written(&self) -> u64 {
        self.written
    }
}

impl<M: Memory> Benchmark for Flash<M> {
    type FlashReadData = Piece<M>;
    type CounterStreamItems = Counter;

    fn echo(&mut self, request: EchoRequest) -> Result<EchoResponse, Fault> {
        Ok(EchoResponse { message: request.message })
    }

    fn flash_read(
        &mut self,
        request: FlashReadRequest,
    ) -> Result<(FlashReadResponse, Self::FlashReadData), Fault> {
        let window = [request.address, request.length].map(usize::try_from);
        let [Ok(address), Ok(len)] = window else { return Err(Fault::OutOfRange) };
        let end = address.checked_add(len).ok_or(Fault::OutOfRange)?;
        if end > self.memory.capacity() {
            return Err(Fault::OutOfRange);
        }
        let response = FlashReadResponse { address: request.address };
        Ok((response, Piece { memory: self.memory.clone(), address, len }))
    }

    fn data_write(
        &mut self,
        _request: DataWriteRequest,
        data: &[u8],
    ) -> Result<DataWriteResponse, Fault> {
        let length = u32::try_from(data.len()).map_err(|_| Fault::TooLarge)?;
        self.written = self.written.saturating_add(u64::from(length));
        Ok(DataWriteResponse { length })
    }

    fn counter_stream(&mut self, request: CounterStreamRequest) -> Result<Counter, Fault> {
        Ok(Counter { next: 0, count: request.count })
    }

    fn counter_upload(&mut self, _item: CounterUploadRequest) -> Result<(), Fault> {
        self.received = self.received.saturating_add(1);
        Ok(())
    }

    fn counter_upload_end(&mut self) -> Result<CounterUploadResponse, Fault> {
        Ok(CounterUploadResponse { received_count: core::mem::take(&mut self.received) })
    }

    fn counter_upload_abandon(&mut self) {
        self.received = 0;
    }
}

/// Items of a counter stream.
pub struct Counter {
    next: u32,
    count: u32,
}

impl Iterator for Counter {
    type Item = CounterStreamResponse;

    fn next(&mut self) -> Option<Self::Item> {
        let seq = self.next;
        if seq == self.count {
            return None;
        }
        self.next += 1;
        // The value has 32 bits, so numbers wrap after multiplication by ten.
        Some(CounterStreamResponse { seq, value: seq.cast_signed().wrapping_mul(10) })
    }
}
