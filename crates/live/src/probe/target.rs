//! Targets that can be probed, as URLs.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Port of STAMP (RFC 8762, section 4.1).
pub const STAMP_PORT: u16 = 862;
/// Port of HTTP, which WebSockets share (RFC 6455, section 3).
const HTTP_PORT: u16 = 80;
/// Default baud rate of a serial line.
const BAUD: u32 = 115_200;

/// A target that can be probed, or the address of a reflector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `udp://host:port`: STAMP.
    Udp(String),
    /// `tcp://host:port`: framed messages on a connection.
    Tcp(String),
    /// `ws://host:port/path`: binary messages of a WebSocket.
    WebSocket {
        /// Host and port.
        host: String,
        /// Path without its leading slash.
        path: String,
    },
    /// `serial:/dev/ttyUSB0?baud=57600`: framed messages on a serial line.
    Serial {
        /// Path of the device.
        path: PathBuf,
        /// Baud rate.
        baud: u32,
    },
    /// `ble:name`: messages that a [`Carrier`](super::Carrier) moves to a characteristic of this peripheral.
    Ble(String),
    /// `rpc:tcp://host:port`, `rpc:serial:/dev/ttyUSB0` or `rpc:ble:name`: calls of the RPC's echo.
    Rpc(Box<Self>),
}

/// Error of an invalid target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not a target: {cause}; write udp://HOST:PORT, tcp://HOST:PORT, \
     ws://HOST:PORT/PATH, serial:DEVICE?baud=57600, ble:NAME, rpc:tcp://HOST:PORT, \
     rpc:serial:DEVICE or rpc:ble:NAME"
)]
pub struct Mistaken {
    text: String,
    cause: &'static str,
}

impl FromStr for Target {
    type Err = Mistaken;

    fn from_str(text: &str) -> Result<Self, Mistaken> {
        let mistaken = |cause| Mistaken { text: text.chars().take(80).collect::<String>(), cause };
        let (scheme, rest) =
            text.split_once(':').ok_or_else(|| mistaken("the scheme is missing"))?;
        let name = || {
            let name =
                rest.strip_prefix("//").ok_or_else(|| mistaken("// must follow the scheme"))?;
            Ok(name.trim_end_matches('/'))
        };
        let host = |name: &str, usual: Option<u16>| {
            // An IPv6 address, which contains colons, is in brackets.
            let port = name.rsplit_once(':').filter(|(_, port)| !port.contains(']'));
            match (port, usual) {
                (Some((host, port)), _) if !host.is_empty() && port.parse::<u16>().is_ok() => {
                    Ok(name.to_owned())
                }
                (None, Some(usual)) if !name.is_empty() => Ok(format!("{name}:{usual}")),
                (Some(_), _) => Err(mistaken("the port is not a number up to 65535")),
                (None, _) => Err(mistaken("the port is missing")),
            }
        };
        match scheme {
            "udp" => Ok(Self::Udp(host(name()?, Some(STAMP_PORT))?)),
            "tcp" => Ok(Self::Tcp(host(name()?, None)?)),
            "ws" => {
                let (name, path) = name()?.split_once('/').unwrap_or((name()?, ""));
                Ok(Self::WebSocket { host: host(name, Some(HTTP_PORT))?, path: path.to_owned() })
            }
            "serial" => {
                let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
                let baud = match query.split_once('=') {
                    None if query.is_empty() => BAUD,
                    Some(("baud", baud)) => {
                        baud.parse().map_err(|_| mistaken("the baud rate is not a number"))?
                    }
                    _ => return Err(mistaken("baud is the only option")),
                };
                if path.is_empty() {
                    return Err(mistaken("the device is missing"));
                }
                Ok(Self::Serial { path: path.into(), baud })
            }
            "ble" if rest.is_empty() => Err(mistaken("no name of a peripheral")),
            "ble" => Ok(Self::Ble(rest.to_owned())),
            "rpc" => match rest.parse()? {
                over @ (Self::Tcp(_) | Self::Serial { .. } | Self::Ble(_)) => {
                    Ok(Self::Rpc(Box::new(over)))
                }
                _ => Err(mistaken("rpc: needs tcp://, serial: or ble:")),
            },
            _ => Err(mistaken("unknown scheme")),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Udp(host) => write!(f, "udp://{host}"),
            Self::Tcp(host) => write!(f, "tcp://{host}"),
            Self::WebSocket { host, path } => write!(f, "ws://{host}/{path}"),
            Self::Serial { path, baud } => write!(f, "serial:{}?baud={baud}", path.display()),
            Self::Ble(name) => write!(f, "ble:{name}"),
            Self::Rpc(over) => write!(f, "rpc:{over}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_survive_a_round_trip_through_text() {
        for (text, shown) in [
            ("udp://localhost", "udp://localhost:862"),
            ("udp://[::1]:5000", "udp://[::1]:5000"),
            ("udp://[::1]", "udp://[::1]:862"),
            ("tcp://10.0.0.1:7/", "tcp://10.0.0.1:7"),
            ("ws://esp32.local/echo", "ws://esp32.local:80/echo"),
            ("ws://[::1]:81", "ws://[::1]:81/"),
            ("serial:/dev/ttyUSB0?baud=57600", "serial:/dev/ttyUSB0?baud=57600"),
            ("serial:/dev/pts/3", "serial:/dev/pts/3?baud=115200"),
            ("ble:My board", "ble:My board"),
            ("rpc:tcp://[::1]:7", "rpc:tcp://[::1]:7"),
            ("rpc:ble:C0:00:00:00:00:01", "rpc:ble:C0:00:00:00:00:01"),
            ("rpc:serial:/dev/pts/3", "rpc:serial:/dev/pts/3?baud=115200"),
        ] {
            let target: Target = text.parse().expect(text);
            assert_eq!(target.to_string(), shown);
            assert_eq!(shown.parse(), Ok(target));
        }
    }

    #[test]
    fn invalid_targets_are_refused() {
        for text in [
            "",
            "udp",
            "udp:/x:1",
            "udp://",
            "udp://:1",
            "tcp://host",
            "tcp://host:x",
            "ws:host",
            "ws://:80/echo",
            "udp://h:70000",
            "serial:",
            "serial:/dev/x?baud=fast",
            "serial:/dev/x?parity=odd",
            "http://x:1",
            "ble:",
            "rpc:udp://x:1",
            "rpc:rpc:tcp://x:1",
        ] {
            assert!(text.parse::<Target>().is_err(), "{text}");
        }
    }
}
