//! Program on the second board: the benchmark service behind the responding end.

use std::fmt::Display;

use airlag_link::Link;
use airlag_rpc::Entropy;
use airlag_rpc::benchmark::BenchmarkServer;
use airlag_rpc::flash::Flash;
use airlag_rpc::peripheral::{Config, Peripheral, Taken};
use airlag_sim::{Duration, Sim, Slice, Track};

use super::central::{entropy, instant};
use super::packets::Packets;
use super::request::Call;
use super::settings::Settings;
use super::{Calls, slices};
use airlag_rig::ends::{Bench, BoxedOpening};
use airlag_rig::programs::{opened, stop};
use airlag_rig::report::SharedReport;

const BOARD: &str = "receiver";
/// Memory that can be read.
static MEMORY: [u8; 8_192] = memory();
/// Longest request: a write of 8 KiB and its overhead.
const REQUEST: usize = 8_192 + 64;
/// Largest number of pending responses.
const CALLS: usize = 16;
/// Secret key of its identity. The choice has no measurable effect.
const SEED: [u8; 32] = [0x52; 32];

type Service = BenchmarkServer<Flash<&'static [u8]>>;

const fn memory() -> [u8; 8_192] {
    let mut bytes = [0; 8_192];
    let mut at = 0;
    while at < bytes.len() {
        bytes[at] = at as u8;
        at += 1;
    }
    bytes
}

pub(super) fn start(calls: &Calls, link: BoxedOpening, bench: &Bench) {
    let (report, sim, settings) = (bench.shared_report(), bench.sim().clone(), calls.settings);
    bench.sim().spawn(BOARD, async move {
        let Some(link) = opened(BOARD, link, &report).await else { return };
        let mut program = Program::new(settings, link, &sim, report.clone());
        if let Err(cause) = program.run().await {
            stop(BOARD, cause, &report);
        }
    });
}

struct Program<E, L> {
    peripheral: Peripheral<Service, E, REQUEST, CALLS>,
    packets: Packets<L>,
    settings: Settings,
    sim: Sim,
    track: Track,
    report: SharedReport,
}

impl<L: Link<Error: Display>> Program<(), L> {
    fn new(
        settings: Settings,
        link: L,
        sim: &Sim,
        report: SharedReport,
    ) -> Program<impl Entropy + use<L>, L> {
        let packets = Packets::new(link);
        let mut config = Config::new(packets.longest(), CALLS as u8);
        config.encryption = settings.encryption(config.packet);
        // Both programs have the same version.
        config.flags = settings.flags();
        let service = BenchmarkServer(Flash::new(&MEMORY[..]));
        let peripheral = Peripheral::new(service, SEED, entropy(sim, BOARD), config);
        let (track, sim) = (sim.track(BOARD), sim.clone());
        Program { peripheral, packets, settings, sim, track, report }
    }
}

impl<E: Entropy, L: Link<Error: Display>> Program<E, L> {
    async fn run(&mut self) -> Result<(), String> {
        let mut packet = vec![0; self.packets.longest()];
        loop {
            while let Some(length) = self.peripheral.outgoing(&mut packet) {
                self.spend(&slices::ENCRYPTION, self.settings.sealing(length)).await;
                self.packets.send(&packet[..length]).await?;
                while let Some(container) = self.packets.at_once().await? {
                    self.take(&container).await;
                }
            }
            let container = self.packets.receive().await?;
            self.take(&container).await;
        }
    }

    /// The protocol itself reports refusals to the central if it can.
    async fn take(&mut self, container: &[u8]) {
        match self.peripheral.received(container, instant(self.sim.now())) {
            Ok(taken) => {
                self.report.borrow_mut().received.messages += 1;
                if let Taken::Call { method, request } = taken {
                    self.spend(&slices::ENCRYPTION, self.settings.sealing(request)).await;
                    self.spend(&slices::HANDLER, self.settings.call_handler).await;
                    if method == Call::FlashRead.method() {
                        self.spend(&slices::FLASH, self.settings.call_flash_read).await;
                    }
                }
            }
            Err(_) => self.report.borrow_mut().received.damaged += 1,
        }
    }

    async fn spend(&self, slice: &'static Slice, time: Duration) {
        let begin = self.sim.now();
        self.sim.sleep(time).await;
        self.sim.span(self.track, slice, begin, self.sim.now());
    }
}
