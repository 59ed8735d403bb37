//! Program on the first board: begins the calls of its drive, and notifies it when they end.

use std::collections::VecDeque;
use std::fmt::Display;

use airlag_link::Link;
use airlag_rpc::central::{Central, Config, Event, Ticket};
use airlag_rpc::{Entropy, Instant as At};
use airlag_sim::{Instant, Sim, Stream, Track};
use embassy_futures::select::{Either3, select3};

use super::drive::{Drive, Pace};
use super::packets::Packets;
use super::request::Ask;
use super::{Calls, slices};
use airlag_rig::ends::{Bench, BoxedEnd};
use airlag_rig::programs::{opened, stop};
use airlag_rig::report::SharedReport;

const BOARD: &str = "sender";

pub(super) fn start(calls: &Calls, drive: &Drive, near: BoxedEnd, bench: &Bench) {
    let in_flight = usize::from(calls.settings.calls_in_flight);
    let Some(pace) = drive.on(&near.pins, bench, in_flight) else { return };
    let (report, sim, calls) = (bench.shared_report(), bench.sim().clone(), calls.clone());
    let record = bench.incidents();
    bench.sim().spawn(BOARD, async move {
        let Some(link) = opened(BOARD, near.link, &report).await else { return };
        // The board is counted as ready only after the peripheral is known.
        report.borrow_mut().ready -= 1;
        let mut program = Program::new(&calls, link, pace, &sim, report.clone());
        if let Err(cause) = program.run(&record).await {
            stop(BOARD, cause, &report);
        }
    });
}

/// Random bytes for a board.
pub(super) fn entropy(sim: &Sim, board: &str) -> impl Entropy + use<> {
    let mut stream: Stream = sim.stream(&format!("{board}/entropy"));
    move |bytes: &mut [u8]| bytes.fill_with(|| stream.bits() as u8)
}

/// Converts an instant of the bench to the protocol's type.
pub(super) const fn instant(at: Instant) -> At {
    At(at.as_ns())
}

struct Program<E, L> {
    calls: Calls,
    central: Central<E>,
    packets: Packets<L>,
    pace: Box<dyn Pace>,
    sim: Sim,
    track: Track,
    report: SharedReport,
    /// Unfinished calls, oldest first.
    unfinished: VecDeque<(Ticket, usize)>,
    begun: usize,
}

impl<L: Link<Error: Display>> Program<(), L> {
    fn new(
        calls: &Calls,
        link: L,
        pace: Box<dyn Pace>,
        sim: &Sim,
        report: SharedReport,
    ) -> Program<impl Entropy + use<L>, L> {
        let packets = Packets::new(link);
        let settings = calls.settings;
        let mut config = Config::new(packets.longest(), settings.calls_in_flight);
        (config.flags, config.encryption) = (settings.flags(), settings.encryption(config.packet));
        config.timeout_ns = Some(calls.patience.as_ns());
        let central = Central::new(config, entropy(sim, BOARD), instant(sim.now()));
        let (track, sim, unfinished) = (sim.track(BOARD), sim.clone(), VecDeque::new());
        let calls = calls.clone();
        Program { calls, central, packets, pace, sim, track, report, unfinished, begun: 0 }
    }
}

impl<E: Entropy, L: Link<Error: Display>> Program<E, L> {
    async fn run(&mut self, record: &impl Fn(&'static str)) -> Result<(), String> {
        let news = self.pace.news();
        let mut packet = vec![0; self.packets.longest()];
        loop {
            self.hear(record)?;
            self.ask();
            let now = instant(self.sim.now());
            if let Some(length) = self.central.outgoing(&mut packet, now) {
                self.packets.send(&packet[..length]).await?;
                self.report.borrow_mut().sent.messages += 1;
                let gap = self.calls.settings.call_write_callback;
                let begin = self.sim.now();
                self.sim.sleep(gap).await;
                self.sim.span(self.track, &slices::WRITE_CALLBACK, begin, self.sim.now());
                while let Some(container) = self.packets.at_once().await? {
                    self.received(&container);
                }
                continue;
            }
            let due = self.central.tick(now).map(|At(ns)| Instant::from_ns(ns));
            if self.central.has_events() {
                continue;
            }
            let timer = async {
                match due {
                    Some(due) => self.sim.sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
            match select3(self.packets.receive(), news.wait(), timer).await {
                Either3::First(container) => self.received(&container?),
                Either3::Second(()) | Either3::Third(()) => {}
            }
        }
    }

    fn received(&mut self, container: &[u8]) {
        self.report.borrow_mut().received.messages += 1;
        self.central.received(container, instant(self.sim.now()));
    }

    /// Begins calls as long as the drive requests them.
    fn ask(&mut self) {
        while self.central.peer().is_some()
            && let Some(ask) = self.pace.begin(self.sim.now(), self.unfinished.len())
        {
            let Ask { call, .. } = ask;
            let ticket = self.central.ask(call.kind(), call.method(), ask.requests());
            self.unfinished.push_back((ticket, self.begun));
            self.begun += 1;
        }
    }

    /// Processes the central's events.
    fn hear(&mut self, record: &impl Fn(&'static str)) -> Result<(), String> {
        while let Some(event) = self.central.event() {
            match event {
                Event::Ready => self.report.borrow_mut().ready += 1,
                Event::Broken(cause) => return Err(cause.to_string()),
                Event::Reply { ticket, .. } | Event::End { ticket } => self.over(ticket, true),
                Event::Failed { ticket, .. } => {
                    record("call failed");
                    self.report.borrow_mut().sent.lost += 1;
                    self.over(ticket, false);
                }
                Event::Item { .. } | Event::Dropped => {}
            }
        }
        Ok(())
    }

    fn over(&mut self, ticket: Ticket, answered: bool) {
        let found = self.unfinished.iter().position(|&(known, _)| known == ticket);
        if let Some((_, nth)) = found.and_then(|found| self.unfinished.remove(found)) {
            self.pace.over(nth, self.sim.now(), answered);
        }
    }
}
