//! Under load: what becomes of a flow of IP packets that offers a tunnel more and more, and of a sparse one
//! beside it.
//!
//! The bulk is UDP datagrams that fill a packet, one each period, as iperf3 sends them; the sparse flow is one
//! packet of 64 bytes each 100 ms. Both are offered for a time, the window; then the bench goes on until
//! nothing comes any more. Three things that are called latency are told apart: of each packet of the bulk, of
//! each of the sparse flow, and how much longer than the window it took until all of the bulk was there.

use airlag_kinds::ip_tunnel::FRAMING;
use airlag_rig::carry::Extent;
use airlag_rig::interrupt;
use airlag_rig::parameter::Value;
use airlag_rig::profile::Profile;
use airlag_rig::relay::{Bridge, Direction, Options};
use airlag_sim::{Duration, Stream};
use airlag_tunnel::flow::{UDP_IPV4, datagram};

use crate::error::Error;
use crate::goodput::{Goodput, goodput};
use crate::load::Rate;
use crate::side_by_side::side_by_side;

/// Where a user says nothing, as parts of what the tunnel carries: close together where the queue grows.
pub const LADDER: [f64; 11] = [0.1, 0.2, 0.4, 0.7, 0.9, 1.1, 1.5, 2.0, 3.0, 5.0, 10.0];

/// Bytes of a packet of the sparse flow, and how far apart they are.
const SPARSE: (usize, Duration) = (64, Duration::from_ms(100));
/// Ports of the two flows.
const PORTS: [u16; 2] = [5_001, 5_002];
/// Packets between an interface and the board: it takes them one by one.
const ROOM: usize = 16;
/// Datagrams that tell what a tunnel carries when it never waits.
const SATURATED: u64 = 200;
/// Nothing came for so long: nothing will. Longer than any tunnel here needs for a packet.
const SILENCE: Duration = Duration::from_secs(10);
/// The longest the bench goes on after the window.
const LONGEST: Duration = Duration::from_secs(1_800);

/// What to offer.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// User data of the bulk.
    pub offered: Vec<Rate>,
    /// For how long.
    pub window: Duration,
    /// Root seed of every random stream.
    pub seed: u64,
}

/// What became of one load.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// User data of the bulk that was offered, kilobits a second.
    pub offered_kbps: f64,
    /// User data of it that came within the window, kilobits a second.
    pub goodput_kbps: f64,
    /// The bulk.
    pub bulk: Flow,
    /// The sparse flow.
    pub sparse: Flow,
    /// From the end of the window to the last packet of the bulk that came; nothing where all of them came
    /// before. None where none came.
    pub completion_excess: Option<Duration>,
}

/// What became of one flow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Packets offered.
    pub offered: usize,
    /// From being offered to the other end, ns, of those that came, in the order in which they were offered.
    pub latencies_ns: Vec<i64>,
}

impl Flow {
    /// Packets that never came: those that found a queue full, those that a queue dropped, and those that were
    /// lost on the way.
    #[must_use]
    pub const fn lost(&self) -> usize {
        self.offered - self.latencies_ns.len()
    }
}

/// A tunnel under load.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// What its profile has as the rate of the radio, kilobits a second.
    pub rate_kbps: Option<f64>,
    /// What it has as the share of frames that are lost.
    pub frame_loss: Option<f64>,
    /// Bytes of a packet of the bulk: the longest one.
    pub packet: usize,
    /// What it carries when it never waits, in datagrams that fill a packet.
    pub limit: Goodput,
    /// One a load, ascending.
    pub points: Vec<Point>,
}

/// Offers each tunnel all loads; answers in the order of the profiles. `done` is called after each load.
///
/// # Errors
///
/// Those of a run; [`Error::NoPackets`] for a link that is no tunnel.
pub fn under_load(
    profiles: &[Profile],
    task: &Task,
    done: impl Fn() + Sync,
) -> Result<Vec<Loaded>, Error> {
    let mut found = side_by_side(profiles, |profile| limit(profile, task.seed))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let of = |(nth, loaded): (usize, &Loaded)| {
        let most = loaded.limit.kbps();
        let mut rates: Vec<f64> = task.offered.iter().map(|rate| rate.kbps(most)).collect();
        rates.retain(|&kbps| kbps > 0.0);
        rates.sort_by(f64::total_cmp);
        rates.dedup();
        rates.into_iter().map(move |kbps| (nth, kbps))
    };
    let loads: Vec<(usize, f64)> = found.iter().enumerate().flat_map(of).collect();
    let points = side_by_side(&loads, |&(nth, kbps)| {
        let point = point(&profiles[nth], found[nth].packet, kbps, task);
        done();
        (nth, point)
    });
    for (nth, point) in points {
        found[nth].points.push(point?);
    }
    Ok(found)
}

/// What a tunnel carries when it never waits.
fn limit(profile: &Profile, seed: u64) -> Result<Loaded, Error> {
    let constant = |name| match &profile.parameters.get(name)?.value {
        // Rates are choices, each written as a number.
        Value::Choice(choice) => choice.parse().ok(),
        value => value.number(),
    };
    let no_packets = || Error::NoPackets { link: profile.name.clone() };
    let packet = constant("mtu").ok_or_else(no_packets)? as usize;
    Ok(Loaded {
        rate_kbps: constant("rate"),
        frame_loss: constant("frame_loss"),
        packet,
        limit: goodput(profile, packet - UDP_IPV4, seed, Extent::of(SATURATED))?,
        points: Vec::new(),
    })
}

/// Packets of one flow, and when each came.
struct Sent {
    port: u16,
    payload: usize,
    /// When each is offered, ascending.
    at: Vec<Duration>,
    came: Vec<Option<Duration>>,
}

impl Sent {
    /// One packet of so many bytes each period, from `first` to the end of the window.
    fn new(port: u16, packet: usize, first: Duration, period_ns: f64, window: Duration) -> Self {
        let at: Vec<Duration> = (0_u64..)
            .map(|nth| first + Duration::from_ns((nth as f64 * period_ns).round() as u64))
            .take_while(|&at| at < window)
            .collect();
        Self { port, payload: packet - UDP_IPV4, came: vec![None; at.len()], at }
    }

    /// Its packet with this number, which it carries as its first eight bytes.
    fn packet(&self, nth: usize) -> Vec<u8> {
        let mut payload = vec![0; self.payload];
        payload[..8].copy_from_slice(&(nth as u64).to_le_bytes());
        datagram(self.port, &payload)
    }

    /// Takes a packet that came: one of its own, whole, and not yet there.
    fn take(&mut self, packet: &[u8], at: Duration) {
        let Some(&number) = packet.get(UDP_IPV4..).and_then(|payload| payload.first_chunk()) else {
            return;
        };
        let nth = u64::from_le_bytes(number) as usize;
        if self.came.get(nth).is_some_and(Option::is_none) && packet == self.packet(nth) {
            self.came[nth] = Some(at);
        }
    }

    fn is_complete(&self) -> bool {
        self.came.iter().all(Option::is_some)
    }

    /// Bytes of user data that came within the window.
    fn within(&self, window: Duration) -> usize {
        self.payload * self.came.iter().flatten().filter(|&&at| at <= window).count()
    }

    fn flow(&self) -> Flow {
        let took = |(&at, came): (&Duration, &Option<Duration>)| {
            came.map(|came| came.saturating_sub(at).as_ns() as i64)
        };
        let latencies_ns = self.at.iter().zip(&self.came).filter_map(took).collect();
        Flow { offered: self.at.len(), latencies_ns }
    }
}

/// One load.
fn point(profile: &Profile, packet: usize, kbps: f64, task: &Task) -> Result<Point, Error> {
    let options =
        Options { size: packet, room: ROOM, framing: FRAMING, seed: task.seed, sniff: false };
    let session = Bridge::open(profile, options)?;
    let period_ns = ((packet - UDP_IPV4) * 8) as f64 * 1e6 / kbps;
    let (size, apart) = SPARSE;
    let phase = Duration::from_ns(Stream::new(task.seed, "under-load/sparse").below(apart.as_ns()));
    let mut flows = [
        // Half a period in, as many packets come as the load has, to the nearest one.
        Sent::new(PORTS[0], packet, half(period_ns), period_ns, task.window),
        Sent::new(PORTS[1], size, phase, apart.as_ns() as f64, task.window),
    ];
    let due = |(which, flow): (usize, &Sent)| {
        flow.at.iter().enumerate().map(move |(nth, &at)| (at, which, nth)).collect::<Vec<_>>()
    };
    let mut schedule: Vec<_> = flows.iter().enumerate().flat_map(due).collect();
    schedule.sort_unstable();
    for (at, which, nth) in schedule {
        session.run_until(at)?;
        interrupt::check().map_err(Error::Rig)?;
        // One that finds no room never comes, and so is lost.
        let _ = session.offer(Direction::Forward, &flows[which].packet(nth), 0);
        collect(&session, &mut flows);
    }
    let (mut now, mut heard) = (task.window, task.window);
    while !flows.iter().all(Sent::is_complete)
        && now.saturating_sub(heard) < SILENCE
        && now < task.window + LONGEST
    {
        session.run_until(now)?;
        interrupt::check().map_err(Error::Rig)?;
        heard = collect(&session, &mut flows).map_or(heard, |at| at.max(heard));
        now += Duration::from_ms(100);
    }
    let [bulk, sparse] = &flows;
    let last = bulk.came.iter().flatten().max();
    Ok(Point {
        offered_kbps: kbps,
        goodput_kbps: bulk.within(task.window) as f64 * 8e6 / task.window.as_ns() as f64,
        bulk: bulk.flow(),
        sparse: sparse.flow(),
        completion_excess: last.map(|last| last.saturating_sub(task.window)),
    })
}

fn half(period_ns: f64) -> Duration {
    Duration::from_ns((period_ns / 2.0).round() as u64)
}

/// Sorts what arrived into the flows; when the last of it did.
fn collect(session: &Bridge, flows: &mut [Sent; 2]) -> Option<Duration> {
    let arrived = session.arrived(Direction::Forward);
    for (packet, at) in &arrived {
        for flow in flows.iter_mut() {
            flow.take(&packet.bytes, *at);
        }
    }
    arrived.last().map(|&(_, at)| at)
}
