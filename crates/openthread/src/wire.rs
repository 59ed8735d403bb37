//! Protocol between the process of a node and the simulator, the counterpart of `node/wire.h`.
//!
//! ```text
//!  event   length, 4 │ kind, 1 │ now in us, 8 │ body
//!  batch   length, 4 │ records: kind, 1 │ length, 2 │ body
//! ```
//!
//! Lengths exclude themselves. Numbers are little-endian. A process is not trusted: invalid data is rejected.

use std::net::Ipv6Addr;

/// Length of the length field before an event or a batch, octets.
pub const LENGTH: usize = 4;

/// Outcome of a frame, as a transceiver reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// Sent, and acknowledged if requested.
    Ok,
    /// No acknowledgement was received.
    NoAck,
    /// The channel assessment found the channel busy.
    ChannelBusy,
}

/// Event for a node.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Its alarm fired.
    Alarm,
    /// Its radio received a frame.
    Heard {
        /// Frame pending bit of the acknowledgement.
        pending: bool,
        /// Signal strength, dBm.
        rssi: i8,
        /// Frame with FCS.
        psdu: &'a [u8],
    },
    /// Its radio completed a frame.
    Sent {
        /// Outcome.
        outcome: Sent,
        /// Signal strength of the acknowledgement, dBm.
        rssi: i8,
        /// The acknowledgement. Empty if none was received.
        ack: &'a [u8],
    },
    /// A line for its command-line interface.
    Command(&'a str),
    /// Its program sends a datagram.
    Datagram {
        /// Destination address.
        to: Ipv6Addr,
        /// Destination port.
        port: u16,
        /// UDP payload.
        payload: &'a [u8],
    },
}

impl Event<'_> {
    /// Encodes the event at `now` microseconds.
    #[must_use]
    pub fn octets(&self, now: u64) -> Vec<u8> {
        let mut bytes = vec![0; LENGTH];
        let kind = match self {
            Event::Alarm => 0,
            Event::Heard { .. } => 1,
            Event::Sent { .. } => 2,
            Event::Command(_) => 3,
            Event::Datagram { .. } => 4,
        };
        bytes.push(kind);
        bytes.extend(now.to_le_bytes());
        match *self {
            Event::Alarm => {}
            Event::Heard { pending, rssi, psdu } => {
                bytes.push(u8::from(pending));
                bytes.extend(rssi.to_le_bytes());
                bytes.extend_from_slice(psdu);
            }
            Event::Sent { outcome, rssi, ack } => {
                bytes.push(match outcome {
                    Sent::Ok => 0,
                    Sent::NoAck => 1,
                    Sent::ChannelBusy => 2,
                });
                bytes.extend(rssi.to_le_bytes());
                bytes.extend_from_slice(ack);
            }
            Event::Command(line) => bytes.extend_from_slice(line.as_bytes()),
            Event::Datagram { to, port, payload } => {
                bytes.extend(to.octets());
                bytes.extend(port.to_le_bytes());
                bytes.extend_from_slice(payload);
            }
        }
        let length = (bytes.len() - LENGTH) as u32;
        bytes[..LENGTH].copy_from_slice(&length.to_le_bytes());
        bytes
    }
}

/// State of a transceiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listening {
    /// Switched off.
    Off,
    /// Asleep. It receives nothing.
    Asleep,
    /// Receives on this channel, 11 to 26.
    On(u8),
}

/// Addresses of a transceiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// PAN identifier.
    pub pan: u16,
    /// Short address.
    pub short: u16,
    /// Extended address.
    pub extended: u64,
    /// Whether it accepts all frames.
    pub promiscuous: bool,
}

/// Source addresses with pending frames, for the frame pending bit of acknowledgements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// Whether the table is off, which means pending frames for every data request.
    pub always: bool,
    /// Short addresses.
    pub short: Vec<u16>,
    /// Extended addresses.
    pub extended: Vec<u64>,
}

/// Action of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// It sleeps until this time in microseconds, or until the next event.
    Asleep(Option<u64>),
    /// It sends a frame.
    Transmit {
        /// Whether to assess the channel first.
        csma: bool,
        /// Channel.
        channel: u8,
        /// Frame without FCS.
        psdu: Vec<u8>,
    },
    /// It changes the state of its radio.
    Radio(Listening),
    /// It changes the addresses of its radio.
    Identity(Identity),
    /// It changes the table of addresses with pending frames.
    Waiting(Waiting),
    /// Output of its command-line interface.
    Output(String),
    /// Result of sending a datagram: 0, or an error number of OpenThread.
    Taken(u8),
    /// Its program received a datagram.
    Arrived {
        /// Source address.
        from: Ipv6Addr,
        /// UDP payload.
        payload: Vec<u8>,
    },
    /// A line of its log.
    Log(String),
    /// It changed its role.
    Role(Role),
}

/// Role of a node in its network (`otDeviceRole`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its Thread interface is off.
    Disabled,
    /// It searches for a parent.
    Detached,
    /// It has a parent.
    Child,
    /// It forwards for other nodes.
    Router,
    /// It is the router that manages the network.
    Leader,
}

impl Role {
    /// Name in OpenThread's command-line interface.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Detached => "detached",
            Self::Child => "child",
            Self::Router => "router",
            Self::Leader => "leader",
        }
    }

    const ALL: [Self; 5] =
        [Self::Disabled, Self::Detached, Self::Child, Self::Router, Self::Leader];
}

/// Parses the records of a batch without its length. `None` if it is invalid.
#[must_use]
pub fn records(mut batch: &[u8]) -> Option<Vec<Record>> {
    let mut all = Vec::new();
    while !batch.is_empty() {
        let [kind] = *take(&mut batch)?;
        let length = u16::from_le_bytes(*take(&mut batch)?);
        let (body, rest) = batch.split_at_checked(usize::from(length))?;
        batch = rest;
        all.push(record(kind, body)?);
    }
    matches!(all.last(), Some(Record::Asleep(_))).then_some(all)
}

fn record(kind: u8, mut body: &[u8]) -> Option<Record> {
    const CSMA: u8 = 1;
    let text = |body: &[u8]| String::from_utf8_lossy(body).into_owned();
    Some(match kind {
        0 => {
            let at = u64::from_le_bytes(*take(&mut body)?);
            Record::Asleep(Some(at).filter(|&at| at != u64::MAX))
        }
        1 => {
            let [flags, channel] = *take(&mut body)?;
            Record::Transmit { csma: flags & CSMA != 0, channel, psdu: body.to_vec() }
        }
        2 => Record::Radio(match *take(&mut body)? {
            [0, _] => Listening::Off,
            [1, _] => Listening::Asleep,
            [2, channel] => Listening::On(channel),
            _ => return None,
        }),
        3 => {
            let pan = u16::from_le_bytes(*take(&mut body)?);
            let short = u16::from_le_bytes(*take(&mut body)?);
            let extended = u64::from_le_bytes(*take(&mut body)?);
            let [promiscuous] = *take(&mut body)?;
            Record::Identity(Identity { pan, short, extended, promiscuous: promiscuous != 0 })
        }
        4 => {
            let [always] = *take(&mut body)?;
            let count = usize::from(u16::from_le_bytes(*take(&mut body)?));
            let (short, extended) = body.split_at_checked(2 * count)?;
            let short = short.as_chunks().0.iter().map(|&two| u16::from_le_bytes(two)).collect();
            let extended =
                extended.as_chunks().0.iter().map(|&eight| u64::from_le_bytes(eight)).collect();
            Record::Waiting(Waiting { always: always != 0, short, extended })
        }
        5 => Record::Output(text(body)),
        6 => Record::Taken(*body.first()?),
        7 => {
            let from = Ipv6Addr::from(*take::<16>(&mut body)?);
            let _port: &[u8; 2] = take(&mut body)?;
            Record::Arrived { from, payload: body.to_vec() }
        }
        8 => Record::Log(text(body)),
        9 => Record::Role(*Role::ALL.get(usize::from(*body.first()?))?),
        _ => return None,
    })
}

fn take<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (first, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ASLEEP: [u8; 11] = [0, 8, 0, 0xE8, 3, 0, 0, 0, 0, 0, 0];

    #[test]
    fn an_event_is_laid_out_as_the_other_side_reads_it() {
        let heard = Event::Heard { pending: true, rssi: -60, psdu: &[7, 8] };
        let expected = [13, 0, 0, 0, 1, 0x40, 0x42, 0x0F, 0, 0, 0, 0, 0, 1, 0xC4, 7, 8];
        assert_eq!(heard.octets(1_000_000), expected);
    }

    #[test]
    fn a_batch_ends_with_when_to_be_woken() {
        assert_eq!(records(&ASLEEP), Some(vec![Record::Asleep(Some(1_000))]));
        assert_eq!(records(&[]), None);
        assert_eq!(records(&[6, 1, 0, 3]), None, "nothing says that it sleeps");
        let mut batch = vec![1, 4, 0, 1, 15, 0x41, 0x88];
        batch.extend(ASLEEP);
        let psdu = vec![0x41, 0x88];
        let transmit = Record::Transmit { csma: true, channel: 15, psdu };
        assert_eq!(records(&batch), Some(vec![transmit, Record::Asleep(Some(1_000))]));
    }

    #[test]
    fn who_waits_is_told_by_both_kinds_of_address() {
        let body = [0, 1, 0, 0x01, 0xAC, 1, 2, 3, 4, 5, 6, 7, 8];
        let waiting =
            Waiting { always: false, short: vec![0xAC01], extended: vec![0x0807_0605_0403_0201] };
        assert_eq!(record(4, &body), Some(Record::Waiting(waiting)));
        assert_eq!(record(4, &[0, 9, 0, 1]), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = records(&bytes);
        }
    }
}
