//! A tunnel on this computer: a network interface at one side, one radio or two at the other, until it is
//! ended.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::ops::{Add as _, ControlFlow};
use std::rc::Rc;
use std::time::{Duration, Instant};

use airlag_tunnel::codel::Limits;
use airlag_tunnel::endpoint::Arq;
use airlag_tunnel::endpoint::Counts;
use airlag_tunnel::nrf24::FRAME;
use airlag_tunnel::send::{LENGTH, LONGEST};
use airlag_tunnel::wire;
use airlag_tunnel::{Config, Endpoint, Lifetime, Pace, Protection, fair, radio};
use embassy_futures::select::{Either, select};

use crate::host::{Computer, Went};
use crate::radio::Choice;
use crate::reactor::Reactor;
use crate::tun::Tun;
use crate::udp::Udp;
use crate::{key, nrf24, udp};

/// Shortest MTU: the kernel has no interface for IPv4 below it (RFC 791, page 25).
pub const LEAST_MTU: u16 = 68;
/// Longest MTU.
pub const LONGEST_MTU: u16 = LONGEST as u16;

/// Queues that flows are told apart by: RFC 8290, section 5.2, flows.
const QUEUES: u64 = 1_024;
/// What may wait in all of them, bytes: six seconds of the fastest radio.
const ROOM: usize = 1_000_000;
/// How long packets may wait where the longest one takes less: RFC 8289, section 4.4.
const TARGET: Duration = Duration::from_millis(5);
/// How long they may wait longer than that: RFC 8289, section 4.3.
const INTERVAL: Duration = Duration::from_millis(100);
/// Over what time a rate is told.
const SECOND: Duration = Duration::from_secs(1);

/// What is to be brought up.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The radio.
    pub radio: Choice,
    /// A second one, with a channel of its own, over which packets of the other end come: the first radio
    /// then carries the packets of this end only.
    pub receiver: Option<Choice>,
    /// What the interface is called; `%d` stands for the first number that is free.
    pub name: String,
    /// Its address, and how many bits of it the network has.
    pub address: Option<(IpAddr, u8)>,
    /// Longest packet, bytes.
    pub mtu: u16,
    /// Whether packets are encrypted.
    pub protection: Protection,
}

/// Why there is no tunnel, or not any more.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The radio is missing, or broke.
    #[error("{0}")]
    Radio(String),
    /// The interface cannot be made.
    #[error("{0}")]
    Interface(io::Error),
    /// It went away.
    #[error("{name}: the interface is gone ({cause})")]
    Gone {
        /// Which one.
        name: String,
        /// Why.
        cause: io::Error,
    },
    /// An MTU that no tunnel has.
    #[error("an MTU of {0} bytes does not fit; write {LEAST_MTU} to {LONGEST_MTU}")]
    Mtu(u16),
    /// The operating system.
    #[error("{0}")]
    System(#[from] io::Error),
}

/// How it is going, or how it went.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// What the interface is called.
    pub name: String,
    /// How long it has been up.
    pub elapsed: Duration,
    /// There is a session with the other end, on each radio.
    pub is_up: bool,
    /// Packets that the other end confirmed.
    pub sent: Went,
    /// Packets that came from there.
    pub received: Went,
    /// Of both in the last second, bit/s; at the end, in all the time.
    pub rates: [f64; 2],
    /// Share of bursts without an answer in the last second, at the end in all the time: frames or answers
    /// that were lost, in either direction. None without bursts.
    pub burst_loss: Option<f64>,
    /// Bytes that wait.
    pub waiting: usize,
    /// Longest packet of this end, bytes.
    pub mtu: u16,
    /// The same of the other end, if it was heard.
    pub peer_mtu: Option<u16>,
    /// What the endpoint counted.
    pub counts: Counts,
}

/// Carries packets until `ended` says so, which is asked every [`TURN`](crate::reactor::TURN), and `told` how
/// it is going. Returns how it went.
///
/// # Errors
///
/// One line that says what is missing, or what broke.
pub fn up(
    plan: &Plan,
    ended: impl Fn() -> bool,
    mut told: impl FnMut(&Progress),
) -> Result<Progress, Error> {
    if !(LEAST_MTU..=LONGEST_MTU).contains(&plan.mtu) {
        return Err(Error::Mtu(plan.mtu));
    }
    let reactor = Rc::new(Reactor::default());
    let first = Opened::new(&plan.radio, &reactor, &ended)?;
    let second = match &plan.receiver {
        Some(choice) => Some(Opened::new(choice, &reactor, &ended)?),
        None => None,
    };
    let mut configs = vec![config(plan, &plan.radio, first.pace)];
    if let (Some(choice), Some(opened)) = (&plan.receiver, &second) {
        configs.push(config(plan, choice, opened.pace));
    }
    let tun = Tun::with_address(&plan.name, plan.mtu, plan.address).map_err(Error::Interface)?;
    let (mut watch, tun) = (Watch::new(tun.name(), plan.mtu), Rc::new(tun));
    let computer = |config, sends| -> Result<Computer, Error> {
        let mut endpoint = Endpoint::new(config, key::entropy()?);
        endpoint.greet();
        Ok(Computer::new(endpoint, &tun, sends, &reactor))
    };
    let ends = configs.into_iter().enumerate().map(|(nth, config)| computer(config, nth == 0));
    let ends = ends.collect::<Result<Vec<_>, _>>()?;
    let carried = async {
        match second {
            None => first.carry(&ends[0]).await,
            Some(second) => match select(first.carry(&ends[0]), second.carry(&ends[1])).await {
                Either::First(broke) | Either::Second(broke) => broke,
            },
        }
    };
    let mut gone = None;
    let broke = reactor.run(carried, || {
        told(&watch.look(&ends));
        gone = ends.iter().find_map(Computer::take_broken);
        if gone.is_some() { ControlFlow::Break(()) } else { turn(&ended) }
    })?;
    match (broke, gone) {
        (Some(cause), _) => Err(Error::Radio(cause)),
        (None, Some(cause)) => Err(Error::Gone { name: watch.name, cause }),
        (None, None) => Ok(watch.whole(&ends)),
    }
}

/// An address, and how many bits of it the network has, such as `10.43.0.1/24`.
///
/// # Errors
///
/// One line that says what would be right.
pub fn network(text: &str) -> Result<(IpAddr, u8), String> {
    let parsed = text.split_once('/').and_then(|(address, prefix)| {
        let address: IpAddr = address.parse().ok()?;
        let prefix: u8 = prefix.parse().ok()?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        (prefix <= most).then_some((address, prefix))
    });
    parsed.ok_or_else(|| {
        format!("{text:?} is no address; write one with its network, such as 10.43.0.1/24")
    })
}

fn turn(ended: &dyn Fn() -> bool) -> ControlFlow<()> {
    if ended() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// A radio that is open, and what it takes.
struct Opened {
    pace: Pace,
    radio: Open,
}

enum Open {
    Udp(Box<Udp>, SocketAddr),
    Chip(Box<nrf24::Chip>),
}

impl Opened {
    fn new(
        choice: &Choice,
        reactor: &Rc<Reactor>,
        ended: &dyn Fn() -> bool,
    ) -> Result<Self, Error> {
        match choice {
            Choice::Udp { own, peer, rate } => {
                let refused = |cause| Error::Radio(format!("{own}: cannot listen there ({cause})"));
                let paced = rate.map(nrf24::paced).transpose().map_err(Error::Radio)?;
                let (pace, on_air) = paced.map_or((udp::PACE, None), |(pace, at)| (pace, Some(at)));
                let radio = Udp::open(*own, *peer, reactor).map_err(refused)?.paced(on_air);
                Ok(Self { pace, radio: Open::Udp(Box::new(radio), *own) })
            }
            Choice::Spi(wiring) => {
                let pace = nrf24::pace(wiring).map_err(Error::Radio)?;
                let opened = reactor.run(nrf24::open(wiring, reactor), || turn(ended))?;
                let opened = opened.ok_or(io::ErrorKind::Interrupted).map_err(io::Error::from)?;
                let chip = opened.map_err(Error::Radio)?;
                Ok(Self { pace, radio: Open::Chip(Box::new(chip)) })
            }
        }
    }

    /// Carries packets until the radio breaks. Returns how, in one line.
    async fn carry(self, computer: &Computer) -> String {
        match self.radio {
            Open::Udp(mut udp, own) => {
                let cause = radio::run(&computer.endpoint, &mut *udp, computer, computer).await;
                format!("{own}: {cause}")
            }
            Open::Chip(mut chip) => {
                nrf24::told(radio::run(&computer.endpoint, &mut *chip, computer, computer).await)
            }
        }
    }
}

/// What two ends call the same one of their two radios: a channel, or the ports at both ends.
fn label(choice: &Choice) -> Vec<u8> {
    match choice {
        Choice::Spi(wiring) => vec![wiring.channel],
        Choice::Udp { own, peer, .. } => {
            let mut ports = [own.port(), peer.port()];
            ports.sort_unstable();
            ports.map(u16::to_be_bytes).concat()
        }
    }
}

fn config(plan: &Plan, choice: &Choice, pace: Pace) -> Config {
    let mtu = usize::from(plan.mtu);
    let protection = match plan.receiver {
        None => plan.protection.clone(),
        Some(_) => plan.protection.labelled(&label(choice)),
    };
    let frames = (mtu + protection.overhead() + LENGTH).div_ceil(wire::body(FRAME));
    let bursts = frames.div_ceil(pace.burst) as u32;
    // How long a lost burst or answer stops the radio.
    let stall = match choice {
        Choice::Udp { .. } => udp::PATIENCE,
        Choice::Spi(_) => pace.answer + pace.turn,
    };
    // RFC 8289, section 4.4: not less than the longest packet takes; nor less than one loss, which is no queue.
    let longest = pace.frame * frames as u32 + (pace.answer + pace.turn) * bursts;
    let target = longest.max(TARGET).max(stall);
    // Section 4.3: the longest usual round trip, here with a loss each way.
    let interval = INTERVAL.max(target * 2 + stall * 2);
    let limits = Limits { target, interval, mtu };
    let queue = fair::Config { limits, queues: QUEUES, room: ROOM };
    let (frame, arq) = (FRAME, Arq::Laid);
    let lifetime = Lifetime::default();
    Config { protection, mtu, queue, frame, arq, shared: true, pace, lifetime }
}

/// Somebody who looks at it now and then.
struct Watch {
    name: String,
    mtu: u16,
    began: Instant,
    /// When how many bytes had gone each way, and how many bursts, and bursts without an answer; over a second.
    looks: VecDeque<(Instant, [u64; 4])>,
}

impl Watch {
    fn new(name: &str, mtu: u16) -> Self {
        Self { name: name.to_owned(), mtu, began: Instant::now(), looks: VecDeque::new() }
    }

    /// How it went from the beginning.
    fn whole(&mut self, ends: &[Computer]) -> Progress {
        self.looks = [(self.began, [0; 4])].into();
        self.look_since(ends, Duration::MAX)
    }

    fn look(&mut self, ends: &[Computer]) -> Progress {
        self.look_since(ends, SECOND)
    }

    fn look_since(&mut self, ends: &[Computer], span: Duration) -> Progress {
        let now = Instant::now();
        let sent = ends.iter().map(Computer::sent).fold(Went::default(), Went::and);
        let received = ends.iter().map(Computer::received).fold(Went::default(), Went::and);
        let counts = ends
            .iter()
            .map(|end| end.endpoint.borrow().counts())
            .fold(Counts::default(), Counts::add);
        let all = [sent.bytes, received.bytes, counts.bursts, counts.unanswered];
        self.looks.push_back((now, all));
        while self.looks.len() > 2 && now.duration_since(self.looks[1].0) >= span {
            self.looks.pop_front();
        }
        let (began, before) = self.looks[0];
        let seconds = now.duration_since(began).as_secs_f64();
        let since = |nth: usize| (all[nth] - before[nth]) as f64;
        let rate = |way: usize| match since(way) * 8.0 / seconds {
            rate if rate.is_finite() => rate,
            _ => 0.0,
        };
        Progress {
            name: self.name.clone(),
            elapsed: now.duration_since(self.began),
            is_up: ends.iter().all(|end| end.endpoint.borrow().is_up()),
            sent,
            received,
            rates: [rate(0), rate(1)],
            burst_loss: (since(2) > 0.0).then(|| (since(3) / since(2)).min(1.0)),
            waiting: ends.iter().map(|end| end.endpoint.borrow().waiting()).sum(),
            mtu: self.mtu,
            peer_mtu: ends.iter().find_map(|end| end.endpoint.borrow().peer_mtu()),
            counts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_network_with_it() {
        assert_eq!(network("10.43.0.1/24"), Ok(([10, 43, 0, 1].into(), 24)));
        assert_eq!(network("fd00::1/64").map(|(_, prefix)| prefix), Ok(64));
        for wrong in
            ["", "10.43.0.1", "10.43.0.1/33", "fd00::1/129", "10.43/24", "a/b", "10.0.0.1/-1"]
        {
            assert!(network(wrong).is_err_and(|told| told.contains("10.43.0.1/24")), "{wrong}");
        }
    }

    #[test]
    fn packets_may_wait_as_long_as_the_longest_takes_and_not_less_than_the_standard_says() {
        let plan = |mtu| Plan {
            radio: Choice::Udp {
                own: ([127, 0, 0, 1], 1).into(),
                peer: ([127, 0, 0, 1], 2).into(),
                rate: None,
            },
            receiver: None,
            name: String::new(),
            address: None,
            mtu,
            protection: Protection::Plain,
        };
        let target = |mtu, pace| {
            let plan = plan(mtu);
            config(&plan, &plan.radio, pace).queue.limits.target
        };
        // One lost datagram stops this radio for its patience.
        assert_eq!(target(1_400, udp::PACE), udp::PATIENCE);
        // 1400 B and 6 more are 47 frames of 30: at 2 ms each, in two bursts of 24 with 2 ms each.
        let ms = Duration::from_millis;
        let slow = Pace { frame: ms(2), answer: ms(1), turn: ms(1), burst: 24 };
        assert_eq!(target(1_400, slow), ms(94 + 4));
    }

    #[test]
    fn a_radio_has_the_same_key_at_both_ends_and_another_than_the_second_radio() {
        let radio = |own: u16, peer: u16| Choice::Udp {
            own: ([10, 0, 0, 1], own).into(),
            peer: ([10, 0, 0, 2], peer).into(),
            rate: None,
        };
        let protection = |first: Choice, second: Option<Choice>| {
            let plan = Plan {
                radio: first.clone(),
                receiver: second.clone(),
                name: String::new(),
                address: None,
                mtu: 1_400,
                protection: Protection::Sealed([7; 32]),
            };
            let of = |choice: &Choice| match config(&plan, choice, udp::PACE).protection {
                Protection::Sealed(key) => key,
                Protection::Plain => panic!("a key was given"),
            };
            (of(&first), second.as_ref().map(of))
        };
        let (sends, Some(receives)) = protection(radio(1, 2), Some(radio(3, 3))) else { panic!() };
        assert_ne!(sends, receives);
        // The other end has them the other way around.
        assert_eq!(protection(radio(3, 3), Some(radio(2, 1))), (receives, Some(sends)));
        // With one radio it is the key of the file.
        assert_eq!(protection(radio(1, 2), None).0, [7; 32]);
    }

    #[test]
    fn an_mtu_that_no_tunnel_has_is_refused_before_anything_is_opened() {
        let (own, peer) = (([127, 0, 0, 1], 0).into(), ([127, 0, 0, 1], 9).into());
        let radio = Choice::Udp { own, peer, rate: None };
        for mtu in [0, LEAST_MTU - 1, LONGEST_MTU + 1, u16::MAX] {
            let plan = Plan {
                radio: radio.clone(),
                receiver: None,
                name: "airlag%d".to_owned(),
                address: None,
                mtu,
                protection: Protection::Plain,
            };
            assert!(matches!(up(&plan, || true, |_| ()), Err(Error::Mtu(one)) if one == mtu));
        }
    }
}
