//! TCP/IP of two hosts, over any two ports that carry packets between them.
//!
//! A kind of link that carries IP has an [`Ip`] among its parameters, and connects the ports it has
//! put on a bench with [`Ip::connect`].

use std::rc::Rc;

use airlag_models::mcu::Board;
use airlag_models::stack::ip::{
    Acks, Connection, Host, Port, Role, Stack, Stall, TcpConfig, Transport as Carrier, Writes, tcp,
    udp,
};
use airlag_sim::Duration;

use crate::boards::rtos::phase_of;
use airlag_rig::ends::Opening;
use airlag_rig::error::Refusal;
use airlag_rig::kind::Timer;
use airlag_rig::parameter::{Phase, choices, parameters};

const WOKEN: &str = "a task that is woken runs";

choices! {
    /// What carries the bytes of the program.
    pub enum Transport {
        /// Datagrams.
        Udp = "udp",
        /// A stream.
        Tcp = "tcp",
        /// Messages over a stream.
        WebSocket = "websocket",
    }
}

choices! {
    /// One of the two ends.
    pub enum Which {
        /// The one that sends.
        Sender = "sender",
        /// The one that receives.
        Receiver = "receiver",
    }
}

choices! {
    /// When a segment is acknowledged by itself.
    pub enum AckPolicy {
        /// When it comes.
        AtOnce = "at-once",
        /// A time after it came.
        Delayed = "delayed",
        /// With the next tick of a timer that always runs.
        Tick = "tick",
    }
}

choices! {
    /// How a WebSocket frame is written.
    pub enum FrameWrites {
        /// In one call.
        Together = "together",
        /// Its header in a call of its own.
        Apart = "apart",
    }
}

parameters! {
    /// TCP/IP of two hosts and what it costs them.
    pub struct Ip {
        /// UDP, TCP, or WebSocket over TCP
        transport: Transport,
        /// which of the two opens the connection; a WebSocket client masks what it sends
        client: Which,
        /// Nagle's algorithm: small segments wait while any is unacknowledged
        nagle: bool,
        /// when a segment is acknowledged that nothing goes back for: when it comes, so long after,
        /// or at the next tick of a timer that always runs
        ack_policy: AckPolicy,
        /// how long, or from tick to tick
        ack_delay: Duration,
        /// where the receiving host's timer of acknowledgements stands
        ack_phase: Phase,
        /// a WebSocket frame is written in one call, or its header in a call of its own
        frame_writes: FrameWrites,
        /// largest IP packet
        mtu: usize = whole(0, 2_296, "B"),
        /// a TCP socket holds to be sent or repeated
        send_buffer: usize = whole(0, 65_535, "B"),
        /// a TCP socket holds for its program: the largest window
        receive_buffer: usize = whole(0, 65_535, "B"),
        /// datagrams a UDP socket holds each way
        datagrams: usize = whole(1, 1_000, ""),
        /// from the program's call to a packet in the queue of the network interface
        send: Duration,
        /// from a packet out of the network interface to it being in its socket
        receive: Duration,
        /// from bytes in a socket to the program that sleeps until they come having them
        read: Duration,
        /// what is added to that on average, exponentially distributed
        read_jitter: Duration,
        /// share of reads that the operating system keeps from running
        stall_share: f64 = real(0.0, 1.0, "").or("0", WOKEN),
        /// for how long on average, exponentially distributed
        stall: Duration = unit("ns").or("0", WOKEN),
        /// share of reads that wait longer: a garbage collection, a page from disk
        pause_share: f64 = real(0.0, 1.0, "").or("0", WOKEN),
        /// for how long on average, exponentially distributed
        pause: Duration = unit("ns").or("0", WOKEN),
    }
}

/// A packet that carries bytes of messages, or only an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packets {
    /// Messages they carry together.
    pub messages: u64,
    /// How many full packets carry bytes, and how large those are.
    pub full: (u64, usize),
    /// The same of one more each that is smaller.
    pub rest: (u64, usize),
    /// Packets that go back with an acknowledgement alone.
    pub acks: u64,
}

/// Bytes of a packet with an acknowledgement alone.
pub const ACK: usize = tcp::OVERHEAD;

impl Ip {
    /// The timer of acknowledgements, where segments are acknowledged by one.
    #[must_use]
    pub fn timer(&self) -> Option<Timer> {
        let delayed = self.transport != Transport::Udp && self.ack_policy != AckPolicy::AtOnce;
        delayed.then_some(Timer::DelayedAck)
    }

    /// Whether a stack can run on these.
    ///
    /// # Errors
    ///
    /// The setting with which it cannot.
    pub fn check(&self) -> Result<(), Refusal> {
        let least = self.overhead() + 1;
        if self.mtu < least {
            let cause = format!(
                "{} B cannot hold the headers of {} and a byte: {least} B or more",
                self.mtu,
                self.headers()
            );
            return Err(Refusal::setting(Self::mtu, cause));
        }
        for (name, bytes, what) in [
            (Self::receive_buffer, self.receive_buffer, "offers a window of zero"),
            (Self::send_buffer, self.send_buffer, "takes nothing to be sent"),
        ] {
            if self.transport != Transport::Udp && bytes == 0 {
                let cause = format!("a socket of 0 B {what}, for ever: 1 B or more");
                return Err(Refusal::setting(name, cause));
            }
        }
        Ok(())
    }

    const fn headers(&self) -> &'static str {
        match self.transport {
            Transport::Udp => "IPv4 and UDP",
            Transport::Tcp | Transport::WebSocket => "IPv4 and TCP",
        }
    }

    const fn overhead(&self) -> usize {
        match self.transport {
            Transport::Udp => udp::OVERHEAD,
            Transport::Tcp | Transport::WebSocket => tcp::OVERHEAD,
        }
    }

    /// Bytes of messages in a packet at most.
    const fn payload(&self) -> usize {
        let most = self.mtu.saturating_sub(self.overhead());
        match self.transport {
            Transport::Udp => most,
            // No more is under way than the other end has room for.
            _ if self.receive_buffer < most => self.receive_buffer,
            _ => most,
        }
    }

    /// Bytes of a WebSocket header before a body of `size` bytes (RFC 6455, 5.2).
    const fn frame_header(&self, size: usize) -> usize {
        let mask = match self.client {
            Which::Sender => 4,
            Which::Receiver => 0,
        };
        mask + if size < 126 { 2 } else { 4 }
    }

    /// What a message of `size` bytes is on the network by itself, up to its last byte being there.
    #[must_use]
    pub fn message(&self, size: usize) -> Packets {
        let payload = self.payload().max(1);
        let (mut bytes, mut head) = (size, 0);
        if self.transport == Transport::WebSocket {
            match self.frame_writes {
                FrameWrites::Together => bytes += self.frame_header(size),
                FrameWrites::Apart => head = self.frame_header(size),
            }
        }
        let (full, rest) = ((bytes / payload) as u64, bytes % payload);
        let packets = full + u64::from(rest > 0);
        // Where a window holds one segment, or Nagle's algorithm the last one, it takes an answer.
        let stops = self.transport != Transport::Udp && self.receive_buffer <= payload;
        let mut acks = if stops { packets.saturating_sub(1) } else { 0 };
        if self.nagle && self.transport != Transport::Udp && !stops {
            acks = u64::from(rest > 0 && (full > 0 || head > 0));
        }
        let over = self.overhead();
        Packets {
            messages: 1,
            full: (full, payload + over),
            // The header by itself is its size and four bytes at most: taken as the rest is.
            rest: (u64::from(rest > 0) + u64::from(head > 0), rest.max(head) + over),
            acks,
        }
    }

    /// What messages of `size` bytes without end are on the network: a stream does not keep their
    /// edges, and acknowledges every second segment (RFC 1122, 4.2.3.2).
    #[must_use]
    pub fn stream(&self, size: usize) -> Packets {
        if self.transport == Transport::Udp {
            return self.message(size);
        }
        let payload = self.payload().max(1);
        let each = match self.transport {
            Transport::WebSocket => size + self.frame_header(size),
            _ => size,
        };
        let (segments, per_ack) = (2 * each as u64, self.segments_per_ack());
        Packets {
            messages: 2 * payload as u64,
            full: (segments, payload + self.overhead()),
            rest: (0, 0),
            acks: segments / per_ack,
        }
    }

    /// Two, but one where there is no room for two or each is acknowledged.
    const fn segments_per_ack(&self) -> u64 {
        let one = matches!(self.ack_policy, AckPolicy::AtOnce)
            || self.receive_buffer < 2 * self.payload();
        if one { 1 } else { 2 }
    }

    /// The connection between two hosts whose ports these are, as each of them sees it.
    #[must_use]
    pub fn connect(
        &self,
        [near, far]: [(&Board, Rc<dyn Port>); 2],
    ) -> (impl Opening<Link = Connection> + use<>, impl Opening<Link = Connection> + use<>) {
        let host = Host {
            send: self.send,
            receive: self.receive,
            read: self.read,
            read_jitter: self.read_jitter,
            stalls: [
                Stall { share: self.stall_share, mean: self.stall },
                Stall { share: self.pause_share, mean: self.pause },
            ],
        };
        let one = Stack::new(near.0, near.1, host, [1, 2]);
        let other = Stack::new(far.0, far.1, host, [2, 1]);
        let (calls, called) = match self.client {
            Which::Sender => (Role::Client, Role::Server),
            Which::Receiver => (Role::Server, Role::Client),
        };
        (
            Connection::open(one, self.carrier(near.0, calls)),
            Connection::open(other, self.carrier(far.0, called)),
        )
    }

    fn carrier(&self, board: &Board, role: Role) -> Carrier {
        let acks = match self.ack_policy {
            AckPolicy::AtOnce => Acks::AtOnce,
            AckPolicy::Delayed => Acks::Delayed(self.ack_delay),
            AckPolicy::Tick => {
                let name = format!("{}/acknowledgement timer", board.name());
                let phase = phase_of(board.sim(), &name, self.ack_phase, self.ack_delay);
                Acks::Tick { period: self.ack_delay, phase }
            }
        };
        let config = TcpConfig {
            nagle: self.nagle,
            acks,
            send_buffer: self.send_buffer,
            receive_buffer: self.receive_buffer,
        };
        let writes = match self.frame_writes {
            FrameWrites::Together => Writes::Together,
            FrameWrites::Apart => Writes::Apart,
        };
        match self.transport {
            Transport::Udp => Carrier::Udp { queue: self.datagrams },
            Transport::Tcp => Carrier::Tcp(role, config),
            Transport::WebSocket => Carrier::WebSocket(role, config, writes),
        }
    }
}
