//! TCP/IP of two hosts, over any two ports that carry packets.
//!
//! A kind of link that carries IP has an [`Ip`] among its parameters, and connects the ports that
//! it has placed on a bench with [`Ip::connect`].

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

const WOKEN: &str = "a woken task runs at once";

choices! {
    /// Transport of the program's bytes.
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
        /// The sending end.
        Sender = "sender",
        /// The receiving end.
        Receiver = "receiver",
    }
}

choices! {
    /// Policy for acknowledgements without data.
    pub enum AckPolicy {
        /// Acknowledges immediately.
        AtOnce = "at-once",
        /// Acknowledges after a delay.
        Delayed = "delayed",
        /// Acknowledges at the next tick of a free-running timer.
        Tick = "tick",
    }
}

choices! {
    /// Number of calls that write a WebSocket frame.
    pub enum FrameWrites {
        /// One call.
        Together = "together",
        /// Header and body in separate calls.
        Apart = "apart",
    }
}

parameters! {
    /// TCP/IP of two hosts, and its costs.
    pub struct Ip {
        /// UDP, TCP, or WebSocket over TCP
        transport: Transport,
        /// end that opens the connection; a WebSocket client masks its data
        client: Which,
        /// Nagle's algorithm: small segments wait while any segment is unacknowledged
        nagle: bool,
        /// acknowledgement of segments without return data: immediately, after a delay, or at the
        /// next tick of a free-running timer
        ack_policy: AckPolicy,
        /// delay or tick period of acknowledgements
        ack_delay: Duration,
        /// initial phase of the receiving host's acknowledgement timer
        ack_phase: Phase,
        /// whether a WebSocket frame is written in one call, or its header in a separate call
        frame_writes: FrameWrites,
        /// largest IP packet
        mtu: usize = whole(0, 2_296, "B"),
        /// bytes that a TCP socket buffers for sending or retransmission
        send_buffer: usize = whole(0, 65_535, "B"),
        /// bytes that a TCP socket buffers for its program: the largest window
        receive_buffer: usize = whole(0, 65_535, "B"),
        /// datagrams that a UDP socket queues in each direction
        datagrams: usize = whole(1, 1_000, ""),
        /// from the program's call to a packet in the interface queue
        send: Duration,
        /// from a packet at the network interface to its socket
        receive: Duration,
        /// from bytes in a socket to the program that blocks on them
        read: Duration,
        /// mean of a random addition to read, exponentially distributed
        read_jitter: Duration,
        /// share of reads that the operating system delays
        stall_share: f64 = real(0.0, 1.0, "").or("0", WOKEN),
        /// mean delay of a delayed read (stall_share), exponentially distributed
        stall: Duration = unit("ns").or("0", WOKEN),
        /// share of reads with a longer pause: a garbage collection, a page from disk
        pause_share: f64 = real(0.0, 1.0, "").or("0", WOKEN),
        /// mean pause of a paused read (pause_share), exponentially distributed
        pause: Duration = unit("ns").or("0", WOKEN),
    }
}

/// Packets of a number of messages: packets with data, and pure acknowledgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packets {
    /// Number of messages.
    pub messages: u64,
    /// Number of full packets, and their size.
    pub full: (u64, usize),
    /// Number of smaller packets, and their size.
    pub rest: (u64, usize),
    /// Number of pure acknowledgements in the return direction.
    pub acks: u64,
}

/// Size of a pure acknowledgement, bytes.
pub const ACK: usize = tcp::OVERHEAD;

impl Ip {
    /// Returns the acknowledgement timer, if the policy uses one.
    #[must_use]
    pub fn timer(&self) -> Option<Timer> {
        let delayed = self.transport != Transport::Udp && self.ack_policy != AckPolicy::AtOnce;
        delayed.then_some(Timer::DelayedAck)
    }

    /// Checks the settings of the stack.
    ///
    /// # Errors
    ///
    /// The setting with which the stack cannot operate.
    pub fn check(&self) -> Result<(), Refusal> {
        let least = self.overhead() + 1;
        if self.mtu < least {
            let cause = format!(
                "{} B is too short for the headers of {} and one byte; the minimum is {least} B",
                self.mtu,
                self.headers()
            );
            return Err(Refusal::setting(Self::mtu, cause));
        }
        for (name, bytes, what) in [
            (Self::receive_buffer, self.receive_buffer, "offers a window of zero"),
            (Self::send_buffer, self.send_buffer, "accepts no data to send"),
        ] {
            if self.transport != Transport::Udp && bytes == 0 {
                let cause = format!("a socket of 0 B {what}; the minimum is 1 B");
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

    /// Largest number of message bytes in a packet.
    const fn payload(&self) -> usize {
        let most = self.mtu.saturating_sub(self.overhead());
        match self.transport {
            Transport::Udp => most,
            // The data in flight is limited by the other end's buffer.
            _ if self.receive_buffer < most => self.receive_buffer,
            _ => most,
        }
    }

    /// Length of a WebSocket header before a body of `size` bytes (RFC 6455, 5.2).
    const fn frame_header(&self, size: usize) -> usize {
        let mask = match self.client {
            Which::Sender => 4,
            Which::Receiver => 0,
        };
        mask + if size < 126 { 2 } else { 4 }
    }

    /// Returns the packets of a single message of `size` bytes, up to the arrival of its last byte.
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
        // With a window of one segment, or with Nagle's algorithm for the last one, the message
        // waits for an acknowledgement.
        let stops = self.transport != Transport::Udp && self.receive_buffer <= payload;
        let mut acks = if stops { packets.saturating_sub(1) } else { 0 };
        if self.nagle && self.transport != Transport::Udp && !stops {
            acks = u64::from(rest > 0 && (full > 0 || head > 0));
        }
        let over = self.overhead();
        Packets {
            messages: 1,
            full: (full, payload + over),
            // A header in a packet of its own has at most its size plus four bytes and is counted
            // like the rest.
            rest: (u64::from(rest > 0) + u64::from(head > 0), rest.max(head) + over),
            acks,
        }
    }

    /// Returns the packets of an endless stream of messages of `size` bytes. Message boundaries are
    /// not preserved, and every second segment is acknowledged (RFC 1122, 4.2.3.2).
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

    /// Segments per acknowledgement: two, or one if the buffer has no room for two or each segment
    /// is acknowledged.
    const fn segments_per_ack(&self) -> u64 {
        let one = matches!(self.ack_policy, AckPolicy::AtOnce)
            || self.receive_buffer < 2 * self.payload();
        if one { 1 } else { 2 }
    }

    /// Connects two hosts over their ports, and returns the connection as seen by each.
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
