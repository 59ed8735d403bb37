//! Settings of a run: the network, and the transport. Their names and their values, in order, are those of the
//! parameters of the kind `wifi` on the virtual bench.

use airlag_app::control::Setting;
use airlag_drivers::websocket::{Role as End, Writes};
use airlag_ends::settings::{COMMON, Role, Settings, all, setting};
use airlag_link::OpenedBy;
use smoltcp::time::Duration;

/// Number of settings of the network and the transport.
pub const RADIO_SETTINGS: usize = 12;
/// Number of settings of the image.
pub const SETTINGS: usize = COMMON + RADIO_SETTINGS;

/// Largest buffer of a TCP socket in one direction, bytes. Assumed: eleven full segments, and both buffers leave room in
/// the memory for the stack.
pub const LARGEST_BUFFER: usize = 16 * 1024;
/// Default buffer of a TCP socket in one direction, bytes, as in the profiles.
const BUFFER: u64 = 5_760;

/// Location of the access point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessPoint {
    /// A device other than the two boards.
    Separate,
    /// This board.
    Here,
    /// The other board.
    Peer,
}

/// Transport of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Datagrams.
    Udp,
    /// A stream.
    Tcp,
    /// Frames on a stream.
    WebSocket,
}

/// Settings of a run that concern the network and the transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Location of the access point.
    pub access_point: AccessPoint,
    /// Channel, if a board is the access point.
    pub channel: u8,
    /// Whether a station uses the minimum modem sleep.
    pub power_save: bool,
    /// Largest transmit power, dBm.
    pub power: i8,
    /// Transport.
    pub transport: Transport,
    /// Role of this end in the connection set-up.
    pub end: End,
    /// Whether small segments wait while any segment is unacknowledged (RFC 896).
    pub nagle: bool,
    /// Calls that write a WebSocket frame.
    pub writes: Writes,
    /// Delay of acknowledgements without data. `None`: immediately.
    pub ack_delay: Option<Duration>,
    /// Bytes that the TCP socket buffers for sending or retransmission.
    pub send_buffer: usize,
    /// Bytes that the TCP socket buffers for the program.
    pub receive_buffer: usize,
    /// Number of the pair of boards.
    pub pair: u16,
    /// Last byte of the address of this board.
    pub own: u8,
    /// Last byte of the address of the other board.
    pub peer: u8,
}

/// All settings of the image.
#[must_use]
pub fn settings(role: Role) -> [Setting; SETTINGS] {
    let largest = LARGEST_BUFFER as u64;
    let radio: [Setting; RADIO_SETTINGS] = [
        // 0: a separate device; 1: the board that sends first; 2: the other board.
        setting("access_point", "", 1, [0, 2]),
        // As in the profiles.
        setting("channel", "", 6, [1, 13]),
        setting("power_save", "", 0, [0, 1]),
        // The range of the driver.
        setting("power", "dBm", 20, [2, 20]),
        // 0: UDP; 1: TCP; 2: WebSocket.
        setting("transport", "", 0, [0, 2]),
        // 0: the board that sends first; 1: the other board.
        setting("client", "", 0, [0, 1]),
        setting("nagle", "", 0, [0, 1]),
        // 0: together; 1: apart.
        setting("frame_writes", "", 0, [0, 1]),
        // As in tcp-stream-softap; at most 500 ms by RFC 9293, 3.8.6.3.
        setting("ack_delay", "ms", 200, [0, 500]),
        setting("send_buffer", "B", BUFFER, [16, largest]),
        setting("receive_buffer", "B", BUFFER, [16, largest]),
        // Addresses 2 to 253 of the network.
        setting("pair", "", 1, [1, 126]),
    ];
    all(role, radio)
}

impl Plan {
    /// Settings of a run.
    #[must_use]
    pub fn of(settings: &Settings<SETTINGS>) -> Self {
        let [
            access_point,
            channel,
            power_save,
            power,
            transport,
            client,
            nagle,
            frame_writes,
            ack_delay,
            send_buffer,
            receive_buffer,
            pair,
        ] = settings.radio();
        let [own, peer] = settings.role.addresses(pair);
        // The board that sends first has the lower address.
        let sends_first = own < peer;
        Self {
            access_point: match (access_point, sends_first) {
                (0, _) => AccessPoint::Separate,
                (1, true) | (2, false) => AccessPoint::Here,
                _ => AccessPoint::Peer,
            },
            channel: channel as u8,
            power_save: power_save != 0,
            power: power as i8,
            transport: match transport {
                0 => Transport::Udp,
                1 => Transport::Tcp,
                _ => Transport::WebSocket,
            },
            end: if (client == 0) == sends_first { End::Client } else { End::Server },
            nagle: nagle != 0,
            writes: if frame_writes == 0 { Writes::Together } else { Writes::Apart },
            ack_delay: Some(Duration::from_millis(ack_delay)).filter(|_| ack_delay > 0),
            send_buffer: send_buffer as usize,
            receive_buffer: receive_buffer as usize,
            pair: pair as u16,
            own: own as u8,
            peer: peer as u8,
        }
    }

    /// The end that opens the connection.
    #[must_use]
    pub const fn opened_by(&self) -> OpenedBy {
        match self.end {
            End::Client => OpenedBy::Here,
            End::Server => OpenedBy::Peer,
        }
    }
}
