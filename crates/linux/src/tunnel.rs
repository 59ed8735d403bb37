//! A tunnel on this computer, between a network interface and one or two radios.

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

/// Smallest MTU: the minimum of IPv4 (RFC 791, page 25).
pub const LEAST_MTU: u16 = 68;
/// Largest MTU.
pub const LONGEST_MTU: u16 = LONGEST as u16;

/// Number of queues for flows: RFC 8290, section 5.2, flows.
const QUEUES: u64 = 1_024;
/// Capacity of all queues, bytes: six seconds at the fastest rate.
const ROOM: usize = 1_000_000;
/// CoDel target, unless the longest packet takes longer: RFC 8289, section 4.4.
const TARGET: Duration = Duration::from_millis(5);
/// CoDel interval: RFC 8289, section 4.3.
const INTERVAL: Duration = Duration::from_millis(100);
/// Averaging time of a reported rate.
const SECOND: Duration = Duration::from_secs(1);

/// Configuration of a tunnel.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The radio.
    pub radio: Choice,
    /// Second radio, with another channel, that receives the packets of the other end. The first radio then
    /// carries only the packets of this end.
    pub receiver: Option<Choice>,
    /// Name of the interface. `%d` is replaced by the first free number.
    pub name: String,
    /// Address and prefix length of the interface.
    pub address: Option<(IpAddr, u8)>,
    /// Longest packet, bytes.
    pub mtu: u16,
    /// Whether packets are encrypted.
    pub protection: Protection,
}

/// Reason why a tunnel cannot start, or stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The radio is missing or failed.
    #[error("{0}")]
    Radio(String),
    /// The interface cannot be created.
    #[error("{0}")]
    Interface(io::Error),
    /// The interface was removed.
    #[error("{name}: the interface is gone ({cause})")]
    Gone {
        /// Name of the interface.
        name: String,
        /// Cause.
        cause: io::Error,
    },
    /// An MTU out of range.
    #[error("an MTU of {0} bytes is out of range; write {LEAST_MTU} to {LONGEST_MTU}")]
    Mtu(u16),
    /// An error of the operating system.
    #[error("{0}")]
    System(#[from] io::Error),
}

/// Statistics of a running or finished tunnel.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Name of the interface.
    pub name: String,
    /// Time since the start.
    pub elapsed: Duration,
    /// Whether there is a session with the other end on each radio.
    pub is_up: bool,
    /// Traffic that the other end acknowledged.
    pub sent: Went,
    /// Traffic from the other end.
    pub received: Went,
    /// Rates of sent and received traffic over the last second, bit/s. At the end, over the whole time.
    pub rates: [f64; 2],
    /// Share of unanswered bursts over the last second, at the end over the whole time. Covers losses in both
    /// directions. `None` without bursts.
    pub burst_loss: Option<f64>,
    /// Queued bytes.
    pub waiting: usize,
    /// MTU of this end, bytes.
    pub mtu: u16,
    /// MTU of the other end, bytes, once known.
    pub peer_mtu: Option<u16>,
    /// Counters of the endpoint.
    pub counts: Counts,
}

/// Carries packets until `ended` returns true, which is called every [`TURN`](crate::reactor::TURN).
/// `on_progress` receives the statistics. Returns the final statistics.
///
/// # Errors
///
/// One line for a missing device or a failure.
pub fn up(
    plan: &Plan,
    ended: impl Fn() -> bool,
    mut on_progress: impl FnMut(&Progress),
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
        on_progress(&watch.look(&ends));
        gone = ends.iter().find_map(Computer::take_broken);
        if gone.is_some() { ControlFlow::Break(()) } else { turn(&ended) }
    })?;
    match (broke, gone) {
        (Some(cause), _) => Err(Error::Radio(cause)),
        (None, Some(cause)) => Err(Error::Gone { name: watch.name, cause }),
        (None, None) => Ok(watch.whole(&ends)),
    }
}

/// Parses an address with its prefix length, such as `10.43.0.1/24`.
///
/// # Errors
///
/// One line with a valid example.
pub fn network(text: &str) -> Result<(IpAddr, u8), String> {
    let parsed = text.split_once('/').and_then(|(address, prefix)| {
        let address: IpAddr = address.parse().ok()?;
        let prefix: u8 = prefix.parse().ok()?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        (prefix <= most).then_some((address, prefix))
    });
    parsed.ok_or_else(|| {
        format!("{text:?} is not an address with a prefix length; write one such as 10.43.0.1/24")
    })
}

fn turn(ended: &dyn Fn() -> bool) -> ControlFlow<()> {
    if ended() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// An opened radio with its timing.
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

    /// Carries packets until the radio fails. Returns the error in one line.
    async fn carry(self, computer: &Computer) -> String {
        match self.radio {
            Open::Udp(mut udp, own) => {
                let cause = radio::run(&computer.endpoint, &mut *udp, computer, computer).await;
                format!("{own}: {cause}")
            }
            Open::Chip(mut chip) => nrf24::describe(
                radio::run(&computer.endpoint, &mut *chip, computer, computer).await,
            ),
        }
    }
}

/// Common label of a radio at both ends: its channel, or the ports of both ends.
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
    // Time for which a lost burst or response stalls the radio.
    let stall = match choice {
        Choice::Udp { .. } => udp::PATIENCE,
        Choice::Spi(_) => pace.answer + pace.turn,
    };
    // RFC 8289, section 4.4: the target is at least the duration of the longest packet. It is also at least
    // the stall after a loss, because such a stall does not indicate a queue.
    let longest = pace.frame * frames as u32 + (pace.answer + pace.turn) * bursts;
    let target = longest.max(TARGET).max(stall);
    // Section 4.3: the longest usual round trip, here with a loss in each direction.
    let interval = INTERVAL.max(target * 2 + stall * 2);
    let limits = Limits { target, interval, mtu };
    let queue = fair::Config { limits, queues: QUEUES, room: ROOM };
    let (frame, arq) = (FRAME, Arq::Laid);
    let lifetime = Lifetime::default();
    Config { protection, mtu, queue, frame, arq, shared: true, pace, lifetime }
}

/// Periodic observer of a tunnel.
struct Watch {
    name: String,
    mtu: u16,
    began: Instant,
    /// Times with the counters of bytes in both directions, bursts, and unanswered bursts, over the last
    /// second.
    looks: VecDeque<(Instant, [u64; 4])>,
}

impl Watch {
    fn new(name: &str, mtu: u16) -> Self {
        Self { name: name.to_owned(), mtu, began: Instant::now(), looks: VecDeque::new() }
    }

    /// Statistics from the start.
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
            assert!(network(wrong).is_err_and(|text| text.contains("10.43.0.1/24")), "{wrong}");
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
        // One lost datagram delays this radio by its timeout.
        assert_eq!(target(1_400, udp::PACE), udp::PATIENCE);
        // 1400 B plus 6 B need 47 frames of 30 B at 2 ms each, in two bursts of up to 24 frames
        // with an overhead of 2 ms each.
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
        // The other end swaps the radios.
        assert_eq!(protection(radio(3, 3), Some(radio(2, 1))), (receives, Some(sends)));
        // With one radio, the key from the file is used.
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
