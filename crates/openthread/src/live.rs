//! Changes of a running network: nodes added, moved and killed, partitions, commands and pings.

use std::net::Ipv6Addr;

use airlag_sim::{Duration, Instant};

use crate::error::Error;
use crate::network::{Network, Site, dataset};
use crate::node::Node;
use crate::paths::Position;
use crate::topology::MAX_NODES;
use crate::traffic::Scope;

/// Timeout for a command that does not complete immediately, such as a scan, in virtual time.
const COMMAND: Duration = Duration::from_secs(60);
/// Interval between checks of the output of a node.
const LOOK: Duration = Duration::from_ms(1);
/// Largest echo payload, octets: an IPv6 datagram of 1280 octets, as `ping` counts.
pub const MAX_ECHO: usize = 1_232;

/// Echo requests from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ping {
    /// Payload, octets, 0 to [`MAX_ECHO`].
    pub size: usize,
    /// Number of echo requests.
    pub count: usize,
    /// Time between requests.
    pub interval: Duration,
    /// Timeout for the last response, at most 65 s, the limit of the command.
    pub timeout: Duration,
}

impl Default for Ping {
    /// One request of 8 octets with a timeout of 3 s, the defaults of the command.
    fn default() -> Self {
        let (interval, timeout) = (Duration::from_secs(1), Duration::from_secs(3));
        Self { size: 8, count: 1, interval, timeout }
    }
}

impl Network {
    /// Returns a node by its number, from 1.
    pub fn node(&self, number: usize) -> Result<&Node, Error> {
        let count = self.nodes().len();
        let node = number.checked_sub(1).and_then(|index| self.nodes().get(index));
        node.map(|node| &**node).ok_or(Error::NoNode { node: number, count })
    }

    /// A node that is running.
    fn alive(&self, number: usize) -> Result<&Node, Error> {
        let node = self.node(number)?;
        if node.is_alive() { Ok(node) } else { Err(Error::Killed { node: number }) }
    }

    /// Adds a node at a position, switches it on and returns its number. It joins the network, or forms its
    /// own partition if it receives no other node.
    pub fn add(&mut self, position: Position) -> Result<usize, Error> {
        if self.nodes().len() >= MAX_NODES {
            return Err(Error::Topology(format!("a network has at most {MAX_NODES} nodes")));
        }
        let config = self.setup().node;
        let index = self.put(config, Site { position, in_shape: None, group: 0 })?;
        self.switch_on(index, &dataset())?;
        Ok(index + 1)
    }

    /// Moves a node. The obstacles of a named shape no longer apply to it.
    pub fn move_to(&mut self, number: usize, position: Position) -> Result<(), Error> {
        self.alive(number)?;
        let group = self.sites[number - 1].group;
        self.sites[number - 1] = Site { position, in_shape: None, group };
        self.reconnect(number - 1);
        Ok(())
    }

    /// Position of a node.
    pub fn position(&self, number: usize) -> Result<Position, Error> {
        self.node(number)?;
        Ok(self.sites[number - 1].position)
    }

    /// Stops a node, as in a power loss. Its frames on the air are lost.
    pub fn kill(&mut self, number: usize) -> Result<(), Error> {
        self.alive(number)?.kill();
        self.reconnect(number - 1);
        Ok(())
    }

    /// Splits the network: nodes of different groups neither receive nor disturb each other. Unlisted nodes
    /// form one more group.
    pub fn partition(&mut self, groups: &[Vec<usize>]) -> Result<(), Error> {
        let mut group = vec![0; self.nodes().len()];
        for (nth, members) in groups.iter().enumerate() {
            for &number in members {
                self.node(number)?;
                if group[number - 1] != 0 {
                    return Err(Error::Topology(format!("node {number} is in two groups")));
                }
                group[number - 1] = nth + 1;
            }
        }
        for (site, group) in self.sites.iter_mut().zip(group) {
            site.group = group;
        }
        self.reconnect_all();
        Ok(())
    }

    /// Ends all partitions.
    pub fn heal(&mut self) {
        for site in &mut self.sites {
            site.group = 0;
        }
        self.reconnect_all();
    }

    fn reconnect(&self, index: usize) {
        for other in (0..self.sites.len()).filter(|&other| other != index) {
            self.connect(index, other);
        }
    }

    fn reconnect_all(&self) {
        (0..self.sites.len()).for_each(|index| self.reconnect(index));
    }

    /// Runs a command of a node's command-line interface. Returns the lines before `Done`. Virtual time
    /// advances until it is complete.
    pub fn run_command(&self, number: usize, command: &str) -> Result<Vec<String>, Error> {
        let node = self.alive(number)?;
        node.begin_command(command)?;
        let deadline = self.bench.now() + COMMAND;
        loop {
            if let Some(response) = node.response(command) {
                return response;
            }
            if self.bench.now() >= deadline {
                return Err(node.refused(command));
            }
            self.run_for(LOOK)?;
        }
    }

    /// Sends echo requests from one node to the mesh-local address of another. Returns the round-trip time of
    /// each, `None` without a response in time. Virtual time advances until the last response or timeout.
    pub fn ping(&self, from: usize, to: usize, ping: Ping) -> Result<Vec<Option<Duration>>, Error> {
        if ping.size > MAX_ECHO {
            return Err(Error::Size { size: ping.size });
        }
        self.alive(to)?;
        let address = self.address(to - 1, Scope::MeshLocal)?;
        let begin = self.bench.now();
        let mut answers = Vec::with_capacity(ping.count);
        for nth in 0..ping.count {
            self.run_until((begin + ping.interval * nth as u64).max(self.bench.now()))?;
            let last = nth + 1 == ping.count;
            let wait = if last { ping.timeout } else { ping.timeout.min(ping.interval) };
            answers.push(self.echo(from, address, ping.size, wait)?);
        }
        Ok(answers)
    }

    fn echo(
        &self,
        from: usize,
        to: Ipv6Addr,
        size: usize,
        wait: Duration,
    ) -> Result<Option<Duration>, Error> {
        let node = self.alive(from)?;
        let (sent, seconds) = (self.bench.now(), wait.as_ns() as f64 / 1e9);
        node.command(&format!("ping async {to} {size} 1 1 64 {seconds:.3}"))?;
        // The node prints its statistics after its deadline, which has a resolution of 1 ms.
        let deadline = sent + wait + Duration::from_ms(2);
        let mut answered: Option<Instant> = None;
        while self.bench.now() < deadline {
            self.run_for(LOOK)?;
            for (at, line) in node.output_lines() {
                if line.contains("bytes from") && line.contains("icmp_seq=") {
                    answered = answered.or(Some(at));
                }
                if line.contains("packets transmitted") {
                    return Ok(answered.map(|at| at.since(sent)));
                }
            }
        }
        Ok(answered.map(|at| at.since(sent)))
    }
}
