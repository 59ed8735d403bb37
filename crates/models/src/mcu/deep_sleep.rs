//! A board that is in deep sleep between messages and restarts for each message.
//!
//! ```text
//!  trigger │ boot │ association │ address │ session │ message │ linger │ asleep …
//!    radio   off  │ on ──────────────────────────────────────────────── │ off
//! ```
//!
//! In deep sleep, only a clock and the wake-up pin are powered. The state of the program, of the
//! radio's driver and of every connection is lost. The time in which this state is restored after
//! wake-up is modelled as processor time with the radio on. During this time, the model does not
//! send the frames that a Wi-Fi station exchanges for its association.

use std::cell::Cell;
use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::channel::Notice;
use airlag_sim::{Duration, Instant, Sim};

use super::board::Board;
use crate::slices;

/// A radio that can be switched off and on.
pub trait Switch {
    /// Switches the radio off unless it is busy. Returns true if it is off.
    fn off(&self) -> bool;

    /// Switches the radio on.
    fn on(&self);
}

/// Phases of a board from wake-up to sleep, apart from its message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// Time from the wake-up edge to the first line of the program.
    pub boot: Duration,
    /// Time from the first line of the program until the radio can send: start of the radio's
    /// driver, and association with an access point.
    pub association: Duration,
    /// Time to obtain an address by DHCP.
    pub address: Duration,
    /// Time for the handshakes of a session: TCP, TLS.
    pub session: Duration,
    /// Time awake after a message.
    pub linger: Duration,
}

struct Shared {
    board: Board,
    radio: Rc<dyn Switch>,
    start: Start,
    awake: Cell<bool>,
    /// Whether a message is in progress.
    sending: Cell<bool>,
    /// Last use. `None` before the first message.
    used: Cell<Option<Instant>>,
    woken: Notice,
}

/// A link of a board with deep sleep.
pub struct Sleeper<L> {
    link: L,
    /// `None` for a board that stays awake.
    shared: Option<Rc<Shared>>,
}

impl<L> Sleeper<L> {
    /// Creates the link of a board that stays awake.
    #[must_use]
    pub const fn awake(link: L) -> Self {
        Self { link, shared: None }
    }

    /// Creates the link of a board with the radio `radio`. The board is asleep at first.
    #[must_use]
    pub fn new(link: L, board: &Board, radio: Rc<dyn Switch>, start: Start) -> Self {
        let sim = board.sim();
        board.waits_awake(true);
        let shared = Rc::new(Shared {
            board: board.clone(),
            radio,
            start,
            awake: Cell::new(true),
            sending: Cell::new(false),
            used: Cell::new(None),
            woken: Notice::new(sim),
        });
        let name = format!("{}/deep sleep", board.name());
        sim.spawn(name, Rc::clone(&shared).sleep());
        Self { link, shared: Some(shared) }
    }
}

impl Shared {
    fn sim(&self) -> &Sim {
        self.board.sim()
    }

    /// Sleeps after each period without transmission.
    async fn sleep(self: Rc<Self>) {
        let pause = self.start.linger.max(Duration::from_ms(1));
        loop {
            let used = self.used.get().map(|used| self.board.clock().after(used, pause));
            let until = used.unwrap_or(Instant::START);
            if self.sending.get() || self.sim().now() < until {
                self.sim().sleep_until(until.max(self.sim().now() + pause)).await;
            } else if !self.radio.off() {
                self.sim().sleep_until(self.sim().now() + pause).await;
            } else {
                self.awake.set(false);
                self.board.waits_awake(false);
                while !self.awake.get() {
                    self.woken.wait().await;
                }
            }
        }
    }

    async fn wake(&self) {
        if self.awake.replace(true) {
            return;
        }
        self.woken.raise();
        self.board.waits_awake(true);
        let Start { boot, association, address, session, .. } = self.start;
        self.board.spend(&slices::BOOT, boot).await;
        self.radio.on();
        for (slice, takes) in [
            (&slices::ASSOCIATION, association),
            (&slices::ADDRESS, address),
            (&slices::SESSION, session),
        ] {
            if !takes.is_zero() {
                self.board.spend(slice, takes).await;
            }
        }
    }
}

impl<L: Link> Link for Sleeper<L> {
    type Error = L::Error;

    fn capability(&self) -> Capability {
        self.link.capability()
    }

    fn carry_ip(&mut self) -> bool {
        self.link.carry_ip()
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, L::Error> {
        let Some(shared) = &self.shared else { return self.link.send(chunk).await };
        shared.sending.set(true);
        shared.wake().await;
        let sent = self.link.send(chunk).await;
        shared.used.set(Some(shared.sim().now()));
        shared.sending.set(false);
        sent
    }

    async fn flush(&mut self) -> Result<Delivery, L::Error> {
        let Some(shared) = &self.shared else { return self.link.flush().await };
        shared.sending.set(true);
        let done = self.link.flush().await;
        shared.used.set(Some(shared.sim().now()));
        shared.sending.set(false);
        done
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, L::Error> {
        self.link.receive(buffer).await
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use airlag_sim::meter::State;
    use airlag_sim::{Clock, Simulation};

    use super::*;

    struct Nothing;

    impl Link for Nothing {
        type Error = Infallible;

        fn capability(&self) -> Capability {
            Capability::datagram(10)
        }

        async fn send(&mut self, _: &[u8]) -> Result<Delivery, Infallible> {
            Ok(Delivery::Sent)
        }

        async fn flush(&mut self) -> Result<Delivery, Infallible> {
            Ok(Delivery::Sent)
        }

        async fn receive(&mut self, _: &mut [u8]) -> Result<usize, Infallible> {
            std::future::pending().await
        }
    }

    #[derive(Default)]
    struct Radio(Cell<bool>);

    impl Switch for Radio {
        fn off(&self) -> bool {
            self.0.set(false);
            true
        }

        fn on(&self) {
            self.0.set(true);
        }
    }

    const START: Start = Start {
        boot: Duration::from_ms(300),
        association: Duration::from_ms(700),
        address: Duration::from_ms(500),
        session: Duration::ZERO,
        linger: Duration::from_ms(100),
    };

    /// Sends at 10 s and at `again`. Returns the duration of each, and the processor's time in each
    /// state.
    fn sent(again: Duration) -> ([u64; 2], impl Fn(State) -> u64) {
        let bench = Simulation::new(1);
        let board = Board::new(&bench, "sender", Clock::exact());
        let radio = Rc::new(Radio::default());
        let mut link = Sleeper::new(Nothing, &board, Rc::clone(&radio) as Rc<dyn Switch>, START);
        let took = Rc::new(Cell::new([0; 2]));
        let (result, sim) = (Rc::clone(&took), bench.sim());
        bench.spawn("program", async move {
            for (nth, at) in [Duration::from_secs(10), again].into_iter().enumerate() {
                sim.sleep_until(Instant::START + at).await;
                assert!(nth == 1 || !radio.0.get(), "off while it sleeps");
                let begun = sim.now();
                let Ok(_) = link.send(b"message").await;
                assert!(radio.0.get());
                let mut all = result.get();
                all[nth] = sim.now().since(begun).as_ns();
                result.set(all);
            }
        });
        let end = Instant::START + Duration::from_secs(30);
        bench.run_until(end).expect("no endless loop");
        let spent = bench.read_meters_until(end);
        let of = move |state: State| {
            let one = spent.iter().find(|one| one.name == "sender").expect("metered");
            one.spent[state.index()].as_ns()
        };
        (took.get(), of)
    }

    #[test]
    fn each_message_begins_with_a_boot_and_an_association() {
        let (took, spent) = sent(Duration::from_secs(20));
        assert_eq!(took, [1_500_000_000; 2]);
        assert_eq!(spent(State::Run), 3_000_000_000);
        // The board stays awake for the linger time after each message.
        assert_eq!(spent(State::Standby), 200_000_000);
        assert_eq!(spent(State::Sleep), 30_000_000_000 - 3_200_000_000);
    }

    #[test]
    fn a_board_that_is_still_awake_sends_at_once() {
        let (took, _) = sent(Duration::from_ms(11_550));
        assert_eq!(took, [1_500_000_000, 0]);
    }
}
