//! Costs of a board that drives its radio over SPI and an interrupt pin: bus, program and clock.

use airlag_models::mcu::{Board, Costs, Notice, SpiTiming};
use airlag_sim::{Clock, Duration, Sim};

use super::bare::BarePins;
use airlag_rig::parameter::{Ppb, parameters};

parameters! {
    /// Parameters of both boards of a pair, which run the same program.
    pub struct SpiBoards {
        /// one byte on the bus, including its gap
        spi_byte: Duration,
        /// overhead of a bus transaction
        spi_transaction: Duration,
        /// from the trigger edge to the handover of the first chunk
        trigger_entry: Duration,
        /// largest delay from the position in the main loop
        trigger_jitter: Duration,
        /// from an edge of the radio's interrupt to the driver's next line
        interrupt_entry: Duration,
        /// largest random addition to interrupt_entry
        interrupt_jitter: Duration,
        /// program time before each chunk
        send_overhead: Duration,
        /// program time for each byte received
        receive_per_byte: Duration,
        /// program time from a chunk's last byte to the request for the next one
        rearm: Duration,
        /// duration of the strobe pulse
        strobe: Duration,
        /// frequency error of the sending board's clock
        sender_ppb: Ppb,
        /// frequency error of the receiving board's clock
        receiver_ppb: Ppb,
    }
}

impl SpiBoards {
    /// Returns the sending board.
    #[must_use]
    pub fn sender(&self, sim: &Sim) -> Board {
        Board::new(sim, "sender", Clock::exact().with_ppb(self.sender_ppb.0))
    }

    /// Returns the receiving board.
    #[must_use]
    pub fn receiver(&self, sim: &Sim) -> Board {
        Board::new(sim, "receiver", Clock::exact().with_ppb(self.receiver_ppb.0))
    }

    /// Bus timing of either board.
    #[must_use]
    pub const fn bus(&self) -> SpiTiming {
        SpiTiming { byte: self.spi_byte, transaction: self.spi_transaction }
    }

    /// Detection of the radio's interrupt by the driver.
    #[must_use]
    pub const fn interrupt(&self) -> Notice {
        Notice::Interrupt { entry: self.interrupt_entry, jitter: self.interrupt_jitter }
    }

    /// Costs of the program around the driver.
    #[must_use]
    pub fn program(&self) -> Costs {
        Costs {
            before_send: self.send_overhead,
            per_byte: self.receive_per_byte,
            before_receive: self.rearm,
            ..Costs::default()
        }
    }

    /// Pins of either board.
    #[must_use]
    pub fn pins(&self, board: &Board) -> BarePins {
        let (entry, jitter) = (self.trigger_entry, self.trigger_jitter);
        let trigger = Notice::Interrupt { entry, jitter };
        BarePins { board: board.clone(), trigger, strobe: self.strobe }
    }
}
