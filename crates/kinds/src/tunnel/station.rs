//! One board with an nRF24L01+ for both directions or one for each, and its ends of the tunnel.

use std::rc::Rc;

use airlag_air::NodeId;
use airlag_drivers::nrf24::Nrf24 as Driver;
use airlag_models::chip::nrf24::Nrf24 as Chip;
use airlag_models::mcu::{Board, Delay, Input, Output, Spi};
use airlag_sim::Sim;
use airlag_tunnel::endpoint::Arq;
use airlag_tunnel::{Config, Endpoint, Lifetime, nrf24, radio};

use super::parameters::Setup;
use super::socket::{Shared, TunnelSocket};
use crate::boards::bare::BarePins;
use airlag_rig::ends::{Bench, End, Opening};

/// One board with its chips.
pub struct Station {
    sim: Sim,
    board: Board,
    /// Chips on the first channel, and on the second if there are two.
    chips: Vec<Rc<Chip>>,
    setup: Setup,
    /// Whether this board's packets use the first channel.
    is_first: bool,
}

impl Station {
    pub(super) fn new(setup: &Setup, board: Board, bench: &Bench, is_first: bool) -> Self {
        let names = ["", "'s other"].iter().take(setup.radios.count());
        let chips = names.map(|which| {
            let name = format!("{}{which} nRF24", board.name());
            let chip = Chip::new(bench.air(), &name, bench.sim(), *board.clock(), setup.timing);
            chip.on_incident(bench.incidents());
            chip
        });
        let chips = chips.collect();
        Self { sim: bench.sim().clone(), board, chips, setup: setup.clone(), is_first }
    }

    /// Nodes of the chips on the air, channel by channel.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.chips.iter().map(|chip| chip.node())
    }

    /// Configures the chips and starts an end of the tunnel on each.
    pub async fn open(self) -> Result<TunnelSocket, String> {
        let mut ends = Vec::new();
        for nth in 0..self.chips.len() {
            ends.push(self.begin(nth).await?);
        }
        // The packets of each end have a channel of their own, or both ends share one.
        let (first, last) = (ends.remove(0), ends.pop());
        let other = last.unwrap_or_else(|| Rc::clone(&first));
        Ok(if self.is_first {
            TunnelSocket::new(first, other)
        } else {
            TunnelSocket::new(other, first)
        })
    }

    /// Configures a chip and starts an end of the tunnel on it.
    async fn begin(&self, nth: usize) -> Result<Rc<Shared>, String> {
        let Self { sim, board, setup, .. } = self;
        let chip = &self.chips[nth];
        let name = format!("{} tunnel{}", board.name(), ["", " back"][nth]);
        let config = Config {
            protection: setup.protection.clone(),
            mtu: setup.mtu,
            queue: setup.queue,
            frame: nrf24::FRAME,
            arq: Arq::Laid,
            shared: true,
            pace: setup.pace,
            lifetime: Lifetime::default(),
        };
        let mut stream = sim.stream(&name);
        let spi = Spi::new(board, Rc::clone(chip), setup.boards.bus());
        let ce = Output::new(chip.ce());
        let irq =
            Input::new(board, ["irq", "other irq"][nth], chip.irq(), setup.boards.interrupt());
        let driver = airlag_drivers::nrf24::Config { channel: setup.channels[nth], ..setup.driver };
        let driver = Driver::new(spi, ce, irq, &mut Delay::new(board), driver).await;
        let mut radio = driver.map_err(|error| error.to_string())?;
        let mut endpoint = Endpoint::new(config, move |bytes| stream.fill(bytes));
        // The end whose packets use this channel greets the other end as soon as the channel is up.
        if self.is_first == (nth == 0) {
            endpoint.greet();
        }
        let shared = Rc::new(Shared::new(sim, endpoint, setup.when_full));
        let mine = Rc::clone(&shared);
        sim.spawn(name, async move {
            let cause = radio::run(&mine.endpoint, &mut radio, &*mine, &*mine).await;
            mine.break_off(cause.to_string());
        });
        Ok(shared)
    }

    /// The end of the link, with the pins of a program.
    pub(super) fn end(self) -> End<BarePins, impl Opening> {
        End { pins: self.setup.boards.pins(&self.board), link: self.open() }
    }
}
