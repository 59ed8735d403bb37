//! IP tunnels at offered loads: a bulk flow with an increasing load, and a sparse flow.
//!
//! The bulk flow consists of UDP datagrams of the full packet size, one per period, as iperf3 sends them. The
//! sparse flow consists of one packet of 64 bytes every 100 ms. Both flows are offered for the same fixed
//! time. The bench then runs until no more packets arrive. Three latencies are reported separately: the
//! latency of each bulk packet, the latency of each sparse packet, and the time from the end of the offered
//! flows to the arrival of the last bulk packet.

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

/// Default loads as shares of the saturated goodput, dense where the queue begins to grow.
pub const LADDER: [f64; 11] = [0.1, 0.2, 0.4, 0.7, 0.9, 1.1, 1.5, 2.0, 3.0, 5.0, 10.0];

/// Size of a sparse packet in bytes, and its period.
const SPARSE: (usize, Duration) = (64, Duration::from_ms(100));
/// Ports of the two flows.
const PORTS: [u16; 2] = [5_001, 5_002];
/// Capacity between interface and board, packets. The board takes these packets one by one.
const ROOM: usize = 16;
/// Number of datagrams for the saturated goodput.
const SATURATED: u64 = 200;
/// Time without arrivals after which a run ends. It is longer than any of these tunnels needs for a
/// packet.
const SILENCE: Duration = Duration::from_secs(10);
/// Longest time after the window.
const LONGEST: Duration = Duration::from_secs(1_800);

/// Load test of tunnels.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Offered user data of the bulk flow.
    pub offered: Vec<Rate>,
    /// Duration of each load.
    pub window: Duration,
    /// Random seed.
    pub seed: u64,
}

/// Result of one load.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Offered user data of the bulk flow, kbit/s.
    pub offered_kbps: f64,
    /// Delivered user data of the bulk flow within the window, kbit/s.
    pub goodput_kbps: f64,
    /// Bulk flow.
    pub bulk: Flow,
    /// Sparse flow.
    pub sparse: Flow,
    /// Time from the end of the window to the last bulk arrival. Zero if all arrived before. `None` if none
    /// arrived.
    pub completion_excess: Option<Duration>,
}

/// Result of one flow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Offered packets.
    pub offered: usize,
    /// Latencies of delivered packets, ns, in the order in which they were offered.
    pub latencies_ns: Vec<i64>,
}

impl Flow {
    /// Lost packets: rejected by a full queue, dropped from a queue, or lost on the link.
    #[must_use]
    pub const fn lost(&self) -> usize {
        self.offered - self.latencies_ns.len()
    }
}

/// A tunnel at offered loads.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// Radio rate of the profile, kbit/s.
    pub rate_kbps: Option<f64>,
    /// Frame loss ratio of the profile.
    pub frame_loss: Option<f64>,
    /// Size of a bulk packet, bytes: the MTU.
    pub packet: usize,
    /// Saturated goodput with datagrams of full packet size.
    pub limit: Goodput,
    /// One point per load, ascending.
    pub points: Vec<Point>,
}

/// Offers all loads to each tunnel. Results keep the order of the profiles. `done` is called after each load.
///
/// # Errors
///
/// [`Error::NoPackets`] for a link that is not a tunnel. The errors of a run are returned too.
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

/// Saturated goodput of a tunnel.
fn limit(profile: &Profile, seed: u64) -> Result<Loaded, Error> {
    let constant = |name| match &profile.parameters.get(name)?.value {
        // Rates are choices that are written as numbers.
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

/// Packets of one flow, with their arrival times.
struct Sent {
    port: u16,
    payload: usize,
    /// Offer times, ascending.
    at: Vec<Duration>,
    came: Vec<Option<Duration>>,
}

impl Sent {
    /// Packets of `packet` bytes, one per period from `first` to the end of the window.
    fn new(port: u16, packet: usize, first: Duration, period_ns: f64, window: Duration) -> Self {
        let at: Vec<Duration> = (0_u64..)
            .map(|nth| first + Duration::from_ns((nth as f64 * period_ns).round() as u64))
            .take_while(|&at| at < window)
            .collect();
        Self { port, payload: packet - UDP_IPV4, came: vec![None; at.len()], at }
    }

    /// Packet number `nth`. Its first eight bytes contain the number.
    fn packet(&self, nth: usize) -> Vec<u8> {
        let mut payload = vec![0; self.payload];
        payload[..8].copy_from_slice(&(nth as u64).to_le_bytes());
        datagram(self.port, &payload)
    }

    /// Records the arrival of a packet, if it is complete, belongs to the flow, and is not a duplicate.
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

    /// User data that arrived within the window, bytes.
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

/// Measures one load.
fn point(profile: &Profile, packet: usize, kbps: f64, task: &Task) -> Result<Point, Error> {
    let options =
        Options { size: packet, room: ROOM, framing: FRAMING, seed: task.seed, sniff: false };
    let session = Bridge::open(profile, options)?;
    let period_ns = ((packet - UDP_IPV4) * 8) as f64 * 1e6 / kbps;
    let (size, apart) = SPARSE;
    let phase = Duration::from_ns(Stream::new(task.seed, "under-load/sparse").below(apart.as_ns()));
    let mut flows = [
        // Starting at half a period rounds the number of packets to the nearest integer.
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
        // A packet without room in the queue is lost.
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

/// Assigns arrivals to the flows. Returns the time of the last one.
fn collect(session: &Bridge, flows: &mut [Sent; 2]) -> Option<Duration> {
    let arrived = session.arrived(Direction::Forward);
    for (packet, at) in &arrived {
        for flow in flows.iter_mut() {
            flow.take(&packet.bytes, *at);
        }
    }
    arrived.last().map(|&(_, at)| at)
}
