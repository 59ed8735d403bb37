//! Radios of a tunnel, with their pins.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use airlag_drivers::nrf24::Power;
use airlag_link::airtime::nrf24::Rate;

use crate::pins::Line;

/// A chosen radio.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A chip on an SPI bus.
    Spi(Wiring),
    /// An emulated radio over UDP.
    Udp {
        /// Local address.
        own: SocketAddr,
        /// Address of the other end.
        peer: SocketAddr,
        /// Air data rate whose timing is emulated. `None` means as fast as possible.
        rate: Option<Rate>,
    },
}

/// An nRF24L01+ with its pins and radio settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// Device of its bus and chip select.
    pub device: PathBuf,
    /// Chip enable line.
    pub ce: Line,
    /// Interrupt line.
    pub irq: Line,
    /// Air data rate.
    pub rate: Rate,
    /// Channel: 2400 MHz plus this many MHz.
    pub channel: u8,
    /// Output power.
    pub power: Power,
}

/// Options of a radio as text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words<'a> {
    /// `spi:DEVICE` or `udp:HOST:PORT`.
    pub radio: &'a str,
    /// Chip enable line, `CHIP:NUMBER`.
    pub ce: Option<&'a str>,
    /// Interrupt line, `CHIP:NUMBER`.
    pub irq: Option<&'a str>,
    /// Air data rate, `250k`, `1M` or `2M`.
    pub rate: Option<&'a str>,
    /// Channel, 0 to 125.
    pub channel: Option<u8>,
    /// Output power, `-18dBm`, `-12dBm`, `-6dBm` or `0dBm`.
    pub power: Option<&'a str>,
    /// Local address, `HOST:PORT` or `PORT`.
    pub listen: Option<&'a str>,
}

/// Default channel: above those of Wi-Fi, and in the band that ends at 2483.5 MHz.
const CHANNEL: u8 = 76;
/// Smallest distance of the channels of two radios, MHz. At 2 Mbit/s a channel is wider than 1 MHz, and
/// channels 2 MHz apart do not overlap (nRF24L01+ v1.0, section 6.3).
const APART: u8 = 2;
/// Highest channel (nRF24L01+ v1.0, section 6.3).
pub(crate) const LAST_CHANNEL: u8 = 125;

impl Words<'_> {
    /// Parses the radio.
    ///
    /// # Errors
    ///
    /// One line with the problem and a valid alternative.
    pub fn choice(&self) -> Result<Choice, String> {
        let given = [self.ce, self.irq].iter().any(Option::is_some);
        if let Some(device) = self.radio.strip_prefix("spi:")
            && !device.is_empty()
        {
            if self.listen.is_some() {
                return Err("--listen is for --radio udp:HOST:PORT".to_owned());
            }
            return Ok(Choice::Spi(self.wiring(device)?));
        }
        if let Some(peer) = self.radio.strip_prefix("udp:") {
            if given || self.channel.is_some() || self.power.is_some() {
                let problem = "--ce, --irq, --channel and --power are for --radio spi:DEVICE";
                return Err(problem.to_owned());
            }
            let peer = address(peer)?;
            let rate = self.rate.map(|_| self.rate()).transpose()?;
            return Ok(Choice::Udp { own: self.own(peer)?, peer, rate });
        }
        let problem = "write spi:DEVICE, such as spi:/dev/spidev0.0, or udp:HOST:PORT";
        Err(format!("{:?} is not a radio; {problem}", self.radio))
    }

    /// Parses the options of this radio, which sends, and of a second radio, which receives.
    /// `receiver` describes the second radio: an address as for `--radio`, and then options of the
    /// second radio, separated by commas. An example is
    /// `spi:/dev/spidev0.1,ce=gpiochip0:23,irq=gpiochip0:25,channel=82`. The second radio has the
    /// same rate as this radio.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`choice`](Self::choice), and an error for overlapping channels.
    pub fn pair(&self, receiver: &str) -> Result<(Choice, Choice), String> {
        let mut parts = receiver.split(',');
        let mut second =
            Words { radio: parts.next().unwrap_or(""), rate: self.rate, ..Words::default() };
        second.power = self.power.filter(|_| second.radio.starts_with("spi:"));
        for part in parts {
            match part.split_once('=') {
                Some(("ce", line)) => second.ce = Some(line),
                Some(("irq", line)) => second.irq = Some(line),
                Some(("listen", port)) => second.listen = Some(port),
                Some(("channel", number)) => {
                    let wrong =
                        |_| format!("{number:?} is not a channel; write 0 to {LAST_CHANNEL}");
                    second.channel = Some(number.parse().map_err(wrong)?);
                }
                _ => {
                    let known = "ce=CHIP:LINE, irq=CHIP:LINE, channel=N, listen=PORT";
                    return Err(format!("{part:?} is not a radio option; write {known}"));
                }
            }
        }
        let both = (self.choice()?, second.choice()?);
        if let (Choice::Spi(first), Choice::Spi(second)) = &both {
            // The other end swaps the channels, so there is no default.
            if self.channel.is_none() || !receiver.contains(",channel=") {
                return Err("two radios need a channel each: --channel N, and channel=N of \
                        --receiver; the other end swaps them"
                    .to_owned());
            }
            if first.channel.abs_diff(second.channel) < APART {
                let [one, other] = [first.channel, second.channel];
                return Err(format!(
                    "channels {one} and {other} overlap; keep two radios {APART} or more apart"
                ));
            }
        }
        Ok(both)
    }

    fn wiring(&self, device: &str) -> Result<Wiring, String> {
        let line = |given: Option<&str>, name: &str, example: &str| match given {
            Some(text) => text.parse(),
            None => Err(format!("a chip needs {name} CHIP:NUMBER, such as gpiochip0:{example}")),
        };
        let channel = self.channel.unwrap_or(CHANNEL);
        if channel > LAST_CHANNEL {
            return Err(format!("channel {channel} does not exist; write 0 to {LAST_CHANNEL}"));
        }
        Ok(Wiring {
            device: device.into(),
            ce: line(self.ce, "--ce", "22")?,
            irq: line(self.irq, "--irq", "24")?,
            rate: self.rate()?,
            channel,
            power: self.power()?,
        })
    }

    fn power(&self) -> Result<Power, String> {
        match self.power {
            None | Some("0dBm") => Ok(Power::Zero),
            Some("-6dBm") => Ok(Power::Minus6),
            Some("-12dBm") => Ok(Power::Minus12),
            Some("-18dBm") => Ok(Power::Minus18),
            Some(other) => {
                Err(format!("{other:?} is not a power; write -18dBm, -12dBm, -6dBm or 0dBm"))
            }
        }
    }

    fn rate(&self) -> Result<Rate, String> {
        match self.rate {
            None | Some("2M") => Ok(Rate::Mbps2),
            Some("1M") => Ok(Rate::Mbps1),
            Some("250k") => Ok(Rate::Kbps250),
            Some(other) => Err(format!("{other:?} is not a rate; write 250k, 1M or 2M")),
        }
    }

    /// Local address. By default the port of the other end on all addresses.
    fn own(&self, peer: SocketAddr) -> Result<SocketAddr, String> {
        let any: SocketAddr = match peer {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, peer.port()).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, peer.port()).into(),
        };
        match self.listen.map(|text| (text, text.parse())) {
            None => Ok(any),
            Some((_, Ok(port))) => Ok((any.ip(), port).into()),
            Some((text, Err(_))) => address(text),
        }
    }
}

fn address(text: &str) -> Result<SocketAddr, String> {
    if !text.contains(':') {
        return Err(format!("{text:?} is not an address; write HOST:PORT, such as 10.0.0.2:7000"));
    }
    let found = text.to_socket_addrs().map(|mut all| all.next());
    match found {
        Ok(Some(address)) => Ok(address),
        Ok(None) => Err(format!("{text}: no such host")),
        Err(cause) => Err(format!("{text}: no such host and port ({cause})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHIP: Words<'_> = Words {
        radio: "spi:/dev/spidev0.0",
        ce: Some("gpiochip0:22"),
        irq: Some("gpiochip0:24"),
        rate: None,
        channel: None,
        power: None,
        listen: None,
    };

    fn error_of(words: Words<'_>) -> String {
        words.choice().expect_err("this is wrong")
    }

    #[test]
    fn a_chip_has_its_pins_and_what_both_ends_agree_on() {
        let Ok(Choice::Spi(wiring)) = CHIP.choice() else { panic!("{:?}", CHIP.choice()) };
        assert_eq!((wiring.rate, wiring.channel), (Rate::Mbps2, 76));
        assert_eq!(wiring.device, PathBuf::from("/dev/spidev0.0"));
        assert_eq!(wiring.power, Power::Zero);
        let slow = Words { rate: Some("250k"), channel: Some(3), power: Some("-12dBm"), ..CHIP };
        let Ok(Choice::Spi(wiring)) = slow.choice() else { panic!("{:?}", slow.choice()) };
        assert_eq!((wiring.rate, wiring.channel), (Rate::Kbps250, 3));
        assert_eq!(wiring.power, Power::Minus12);
    }

    #[test]
    fn another_process_has_an_address_and_the_same_port_here_unless_told() {
        let words = Words { radio: "udp:127.0.0.1:7000", ..Words::default() };
        let own = |listen| match (Words { listen, ..words }).choice() {
            Ok(Choice::Udp { own, peer, rate: None }) if peer == ([127, 0, 0, 1], 7_000).into() => {
                own
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(own(None), ([0, 0, 0, 0], 7_000).into());
        assert_eq!(own(Some("7001")), ([0, 0, 0, 0], 7_001).into());
        assert_eq!(own(Some("127.0.0.1:7001")), ([127, 0, 0, 1], 7_001).into());
        let paced = Words { rate: Some("250k"), ..words }.choice();
        assert!(matches!(paced, Ok(Choice::Udp { rate: Some(Rate::Kbps250), .. })), "{paced:?}");
    }

    #[test]
    fn a_second_radio_has_its_parts_behind_commas_and_a_channel_of_its_own() {
        let first = Words { rate: Some("1M"), channel: Some(76), ..CHIP };
        let pair = |receiver| first.pair(receiver);
        let text = "spi:/dev/spidev0.1,ce=gpiochip0:23,irq=gpiochip0:25,channel=82";
        let Ok((Choice::Spi(sends), Choice::Spi(receives))) = pair(text) else { panic!("no pair") };
        assert_eq!((sends.channel, receives.channel), (76, 82));
        assert_eq!((sends.rate, receives.rate), (Rate::Mbps1, Rate::Mbps1));
        assert_eq!(receives.ce, "gpiochip0:23".parse().expect("a line"));
        let udp = Words { radio: "udp:127.0.0.1:7000", listen: Some("7001"), ..Words::default() };
        let Ok((_, Choice::Udp { own, .. })) = udp.pair("udp:127.0.0.1:7002,listen=7003") else {
            panic!("no pair")
        };
        assert_eq!(own.port(), 7_003);
        for (receiver, said) in [
            ("spi:/dev/spidev0.1,ce=gpiochip0:23,irq=gpiochip0:25", "a channel each"),
            ("spi:/dev/spidev0.1,ce=gpiochip0:23,irq=gpiochip0:25,channel=77", "overlap"),
            ("spi:/dev/spidev0.1,ce=gpiochip0:23,irq=gpiochip0:25,channel=x", "write 0 to 125"),
            ("spi:/dev/spidev0.1,power=3", "is not a radio option"),
            ("spi:/dev/spidev0.1", "a chip needs --ce"),
        ] {
            let error = pair(receiver).expect_err("this is wrong");
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_told_with_what_could() {
        for (words, said) in [
            (Words { radio: "", ..CHIP }, "write spi:DEVICE"),
            (Words { radio: "spi:", ..CHIP }, "write spi:DEVICE"),
            (Words { ce: None, ..CHIP }, "a chip needs --ce"),
            (Words { irq: None, ..CHIP }, "a chip needs --irq"),
            (Words { irq: Some("24"), ..CHIP }, "such as gpiochip0:24"),
            (Words { rate: Some("3M"), ..CHIP }, "write 250k, 1M or 2M"),
            (Words { channel: Some(126), ..CHIP }, "write 0 to 125"),
            (Words { power: Some("20dBm"), ..CHIP }, "write -18dBm"),
            (Words { listen: Some("1"), ..CHIP }, "--listen is for"),
            (Words { radio: "udp:127.0.0.1:7", rate: None, ..CHIP }, "are for --radio spi:DEVICE"),
            (Words { radio: "udp:7000", ..Words::default() }, "write HOST:PORT"),
            (Words { radio: "udp:localhost:x", ..Words::default() }, "no such host and port"),
        ] {
            assert!(error_of(words).contains(said), "{}", error_of(words));
        }
    }
}
