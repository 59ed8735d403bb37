//! Division of the byte stream into packets (`packet.c`).
//!
//! With MAVLink framing, the radio does not split a MAVLink frame, unless the frame is too long for
//! one radio packet. A byte that may be the start of a MAVLink frame ends the current radio packet.
//! The radio then holds the MAVLink frame until all bytes of the frame are in the buffer, or until
//! the time in which these bytes should arrive has passed. A radio that holds a frame has nothing
//! to send, and therefore yields its transmit window to the other radio.

use std::collections::VecDeque;

use super::settings::Framing;

/// If at least this many bytes are waiting, the last packet is not retransmitted.
const RESEND_BELOW: usize = 32;

/// Length of a MAVLink frame without its payload, as counted by the firmware, bytes.
const FRAME_OVERHEAD: usize = 8;

/// The next packet, and whether it is a retransmission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Packet {
    pub(super) data: Vec<u8>,
    pub(super) resend: bool,
}

/// An incomplete frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    /// Length of the frame. It is one until the length byte has arrived.
    length: usize,
    since: u64,
    /// Expected duration of the frame's bytes on the serial line, ticks.
    patience: u64,
}

/// Divides the stream into packets.
#[derive(Clone, Debug)]
pub(super) struct Framer {
    framing: Framing,
    resends: bool,
    max_framed: usize,
    /// The firmware's estimate for one byte on the serial line, ticks.
    per_byte: u64,
    held: Option<Held>,
    last: Vec<u8>,
    last_is_resend: bool,
}

impl Framer {
    pub(super) const fn new(
        framing: Framing,
        resends: bool,
        max_framed: usize,
        serial_per_byte: u64,
    ) -> Self {
        Self {
            framing,
            resends,
            max_framed,
            per_byte: serial_per_byte,
            held: None,
            last: Vec::new(),
            last_is_resend: false,
        }
    }

    const fn begins_frame(&self, byte: u8) -> bool {
        match self.framing {
            Framing::Off => false,
            Framing::V10 => byte == 0xFE,
            Framing::V09V10 => matches!(byte, 0xFE | 0x55),
            Framing::V10V20 => matches!(byte, 0xFE | 0xFD),
        }
    }

    /// Takes the bytes of the next packet out of `buffer`, at most `room`. If the buffer has no
    /// data or no complete frame, the packet has no data.
    pub(super) fn next(&mut self, buffer: &mut VecDeque<u8>, room: usize, tick: u64) -> Packet {
        let may_resend = self.resends && !self.last_is_resend && !self.last.is_empty();
        if may_resend && buffer.len() < RESEND_BELOW {
            if room < self.last.len() {
                return Packet { data: Vec::new(), resend: false };
            }
            self.last_is_resend = true;
            return Packet { data: self.last.clone(), resend: true };
        }
        let data = self.cut(buffer, buffer.len().min(room), room, tick);
        (self.last, self.last_is_resend) = (data.clone(), false);
        Packet { data, resend: false }
    }

    fn cut(&mut self, buffer: &mut VecDeque<u8>, here: usize, room: usize, tick: u64) -> Vec<u8> {
        if here == 0 {
            return Vec::new();
        }
        if self.framing == Framing::Off {
            return buffer.drain(..here).collect();
        }
        if let Some(held) = self.held {
            let late = tick - held.since > held.patience;
            if held.length > 1 && here >= held.length {
                return self.whole_frames(buffer, held.length, room);
            }
            if held.length > 1 || here == 1 {
                if !late {
                    return Vec::new();
                }
                self.held = None;
                return buffer.drain(..here).collect();
            }
            self.held = None;
        }
        let mut data = Vec::new();
        while data.len() < here {
            let left = here - data.len();
            if !self.begins_frame(buffer[0]) {
                data.extend(buffer.pop_front());
                continue;
            }
            if left == 1 {
                if data.is_empty() {
                    self.hold(1, tick);
                }
                break;
            }
            let length = usize::from(buffer[1]) + FRAME_OVERHEAD;
            if buffer[1] >= 255 - 8 || length > self.max_framed {
                // Too long to be sent unsplit.
                data.extend(buffer.pop_front());
                continue;
            }
            if data.is_empty() && length <= left {
                return self.whole_frames(buffer, length, room);
            }
            self.hold(length, tick);
            break;
        }
        data
    }

    fn hold(&mut self, length: usize, tick: u64) {
        let patience = length as u64 * self.per_byte;
        self.held = Some(Held { length, since: tick, patience });
    }

    /// The frame at the front, followed by all further complete frames that fit.
    fn whole_frames(&mut self, buffer: &mut VecDeque<u8>, first: usize, room: usize) -> Vec<u8> {
        self.held = None;
        let mut data: Vec<u8> = buffer.drain(..first).collect();
        while buffer.len() >= FRAME_OVERHEAD && self.begins_frame(buffer[0]) {
            let length = usize::from(buffer[1]) + FRAME_OVERHEAD;
            let fits = buffer[1] < 255 - 8 && data.len() + length <= room;
            if !fits || length > buffer.len() {
                break;
            }
            data.extend(buffer.drain(..length));
        }
        data
    }
}

/// Detects duplicates (`packet_is_duplicate`).
#[derive(Clone, Debug, Default)]
pub(super) struct Duplicates {
    last: Vec<u8>,
    last_is_resend: bool,
}

impl Duplicates {
    /// Returns true if `data` was received before and must not be delivered again.
    pub(super) fn is_one(&mut self, data: &[u8], resend: bool) -> bool {
        if !resend {
            self.last.clear();
            self.last.extend(data);
            self.last_is_resend = false;
            return false;
        }
        if !self.last_is_resend && self.last == data {
            return true;
        }
        self.last_is_resend = true;
        false
    }
}

#[cfg(test)]
#[path = "framer/tests.rs"]
mod tests;
