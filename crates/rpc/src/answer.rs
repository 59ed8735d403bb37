//! Responses of a peripheral: a single message, or a stream of messages.

use micropb::MessageEncode;

use crate::service::Reply;
use crate::source::{Encoded, Source};

/// A source with a read position.
struct Reading<S> {
    source: S,
    at: usize,
}

impl<S: Source> Reading<S> {
    fn read(&mut self, into: &mut [u8]) -> usize {
        let len = self.source.len().saturating_sub(self.at).min(into.len());
        self.source.read(self.at, &mut into[..len]);
        self.at += len;
        len
    }
}

/// A single response.
pub struct Single<S> {
    reading: Reading<S>,
    turn: Turn,
}

/// Position: before the response, at it, or after it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Before,
    Now,
    Past,
}

impl<S: Source> Single<S> {
    /// A response with the bytes of `source`.
    pub const fn new(source: S) -> Self {
        Self { reading: Reading { source, at: 0 }, turn: Turn::Before }
    }
}

impl<S: Source> Reply for Single<S> {
    fn len(&self) -> usize {
        if self.turn == Turn::Now { self.reading.source.len() } else { 0 }
    }

    fn read(&mut self, into: &mut [u8]) -> usize {
        if self.turn == Turn::Now { self.reading.read(into) } else { 0 }
    }

    fn next(&mut self) -> bool {
        self.turn = if self.turn == Turn::Before { Turn::Now } else { Turn::Past };
        self.turn == Turn::Now
    }
}

/// A stream of messages. Each is created when it is due.
pub struct Items<I: Iterator> {
    items: I,
    present: Option<Reading<Encoded<I::Item>>>,
}

impl<I: Iterator<Item: MessageEncode>> Items<I> {
    /// A stream of `items`.
    pub const fn new(items: I) -> Self {
        Self { items, present: None }
    }
}

impl<I: Iterator<Item: MessageEncode>> Reply for Items<I> {
    fn len(&self) -> usize {
        self.present.as_ref().map_or(0, |reading| reading.source.len())
    }

    fn read(&mut self, into: &mut [u8]) -> usize {
        self.present.as_mut().map_or(0, |reading| reading.read(into))
    }

    fn next(&mut self) -> bool {
        self.present = self.items.next().map(|item| Reading { source: Encoded::new(item), at: 0 });
        self.present.is_some()
    }
}
