//! A link as packets with one container each.

use std::fmt::Display;
use std::future::ready;

use airlag_link::message::{self, HEADER_LEN, TRAILER_LEN};
use airlag_link::{Link, Reassembler, Seen};
use airlag_rpc::container::{FIRST_HEADER, MAX_PIECE};
use embassy_futures::select::{Either, select};

use airlag_rig::run::MAX_SIZE;

/// Longest container.
const LONGEST: usize = FIRST_HEADER + MAX_PIECE;
/// Container size on a byte-stream link: about the packet size of serial radios.
const ON_STREAM: usize = 128;

/// A link that sends and receives containers. On a byte stream, as with a serial port, each
/// container is framed as a message of `airlag-link`, and damaged messages are dropped.
pub(super) struct Packets<L> {
    link: L,
    /// Sequence number of these messages.
    sequence: u16,
    sorter: Reassembler<MAX_SIZE>,
    buffer: Vec<u8>,
    /// Received bytes that have not been processed.
    piece: (usize, usize),
}

impl<L: Link<Error: Display>> Packets<L> {
    pub(super) fn new(link: L) -> Self {
        let buffer = vec![0; link.capability().mtu.max(LONGEST)];
        Self { link, sequence: 0, sorter: Reassembler::new(), buffer, piece: (0, 0) }
    }

    fn is_stream(&self) -> bool {
        self.link.capability().stream
    }

    /// Longest container.
    pub(super) fn longest(&self) -> usize {
        if self.is_stream() { ON_STREAM } else { self.link.capability().mtu.min(LONGEST) }
    }

    pub(super) async fn send(&mut self, container: &[u8]) -> Result<(), String> {
        let text = |error: L::Error| error.to_string();
        if !self.is_stream() {
            return self.link.send(container).await.map(|_| ()).map_err(text);
        }
        let mut bytes = vec![0; HEADER_LEN + container.len() + TRAILER_LEN];
        bytes[HEADER_LEN..HEADER_LEN + container.len()].copy_from_slice(container);
        message::seal(&mut bytes, self.sequence).map_err(|error| error.to_string())?;
        self.sequence = self.sequence.wrapping_add(1);
        for chunk in airlag_link::chunks(&bytes, self.link.capability().mtu) {
            self.link.send(chunk).await.map_err(text)?;
        }
        Ok(())
    }

    /// Waits for the next container.
    pub(super) async fn receive(&mut self) -> Result<Vec<u8>, String> {
        loop {
            if let Some(container) = self.sorted() {
                return Ok(container);
            }
            let got =
                self.link.receive(&mut self.buffer).await.map_err(|error| error.to_string())?;
            if !self.is_stream() {
                return Ok(self.buffer[..got].to_vec());
            }
            self.piece = (0, got);
        }
    }

    /// The next container, if one has arrived.
    pub(super) async fn at_once(&mut self) -> Result<Option<Vec<u8>>, String> {
        match select(self.receive(), ready(())).await {
            Either::First(container) => container.map(Some),
            Either::Second(()) => Ok(None),
        }
    }

    fn sorted(&mut self) -> Option<Vec<u8>> {
        while self.piece.0 < self.piece.1 {
            let (seen, used) = self.sorter.push_stream(&self.buffer[self.piece.0..self.piece.1]);
            self.piece.0 += used;
            if let Seen::Whole(_) = seen {
                let whole = self.sorter.message();
                return Some(whole[HEADER_LEN..whole.len() - TRAILER_LEN].to_vec());
            }
        }
        None
    }
}
