//! What a node's process and its simulator say to each other: the other side of `node/wire.h`.
//!
//! ```text
//!  event   length, 4 │ kind, 1 │ now in us, 8 │ body
//!  batch   length, 4 │ records: kind, 1 │ length, 2 │ body
//! ```
//!
//! Lengths do not count themselves; numbers are little-endian. A process is trusted no further than a
//! file: whatever it says is read or refused, never believed.

use std::net::Ipv6Addr;

/// Octets of a length in front of an event or a batch.
pub const LENGTH: usize = 4;

/// What became of a frame, as a transceiver tells OpenThread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// It left, and was acknowledged if that was asked for.
    Ok,
    /// No acknowledgement came.
    NoAck,
    /// The one look at the channel found it busy.
    ChannelBusy,
}

/// What happens to a node.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// It is the instant it asked for.
    Alarm,
    /// Its radio heard a frame.
    Heard {
        /// The acknowledgement told the sender to expect more.
        pending: bool,
        /// Signal, dBm.
        rssi: i8,
        /// With FCS.
        psdu: &'a [u8],
    },
    /// Its radio is done with a frame.
    Sent {
        /// What became of it.
        outcome: Sent,
        /// Signal of the acknowledgement, dBm.
        rssi: i8,
        /// The acknowledgement; empty if none came.
        ack: &'a [u8],
    },
    /// A line for its command-line interface.
    Command(&'a str),
    /// Its program sends a datagram.
    Datagram {
        /// To this address
        to: Ipv6Addr,
        /// and this port.
        port: u16,
        /// Octets of UDP's payload.
        payload: &'a [u8],
    },
}

impl Event<'_> {
    /// Its octets on the socket, at `now` microseconds.
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

/// What a transceiver is asked to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listening {
    /// Switched off.
    Off,
    /// It hears nothing.
    Asleep,
    /// It hears what is on this channel, 11 to 26.
    On(u8),
}

/// Whom a transceiver takes frames for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Its PAN.
    pub pan: u16,
    /// Its address there.
    pub short: u16,
    /// Its other address.
    pub extended: u64,
    /// It takes everything.
    pub promiscuous: bool,
}

/// For which senders frames wait: their acknowledgements say so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// The table is switched off: for everybody who asks.
    pub always: bool,
    /// By short address.
    pub short: Vec<u16>,
    /// By extended address.
    pub extended: Vec<u64>,
}

/// What a node does about an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// It has nothing more to do, until the instant in microseconds, if any.
    Asleep(Option<u64>),
    /// It has its radio send a frame.
    Transmit {
        /// After a look at the channel.
        csma: bool,
        /// On this channel.
        channel: u8,
        /// Without FCS.
        psdu: Vec<u8>,
    },
    /// It changes what its radio does.
    Radio(Listening),
    /// It changes whom its radio takes frames for.
    Identity(Identity),
    /// It changes the table of those for whom frames wait.
    Waiting(Waiting),
    /// Its command-line interface says this.
    Output(String),
    /// What became of the call that sends a datagram: 0, or the number of OpenThread's error.
    Taken(u8),
    /// Its program gets a datagram.
    Arrived {
        /// Sender.
        from: Ipv6Addr,
        /// Octets of UDP's payload.
        payload: Vec<u8>,
    },
    /// A line of its log.
    Log(String),
    /// It has another role.
    Role(Role),
}

/// What a node is in its network (`otDeviceRole`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its Thread interface is off.
    Disabled,
    /// It looks for a parent.
    Detached,
    /// It has a parent.
    Child,
    /// It forwards for others.
    Router,
    /// It is the router that hands out what there is once.
    Leader,
}

impl Role {
    /// As OpenThread's command-line interface calls it.
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

/// The records of a batch, without its length; none if it is not one.
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
