//! An external central: its containers enter and leave the bench.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::fmt::Display;
use std::rc::Rc;

use airlag_link::Link;
use airlag_sim::Sim;
use airlag_sim::channel::Notice;
use embassy_futures::select::{Either, select};

use super::packets::Packets;
use airlag_rig::ends::{Bench, BoxedEnd};
use airlag_rig::programs::{opened, stop};

const BOARD: &str = "sender";

/// Interface to an external central.
#[derive(Clone)]
pub struct Outside {
    given: Rc<RefCell<VecDeque<Vec<u8>>>>,
    got: Rc<RefCell<VecDeque<Vec<u8>>>>,
    longest: Rc<Cell<usize>>,
    news: Rc<Notice>,
}

impl Outside {
    /// Creates the interface.
    #[must_use]
    pub fn new(sim: &Sim) -> Self {
        let (given, got, longest) = Default::default();
        Self { given, got, longest, news: Rc::new(Notice::new(sim)) }
    }

    /// Longest container that the link accepts; 0 before it is up.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.longest.get()
    }

    /// Queues a container to send.
    pub fn give(&self, container: Vec<u8>) {
        self.given.borrow_mut().push_back(container);
        self.news.raise();
    }

    /// Takes the next received container.
    #[must_use]
    pub fn take(&self) -> Option<Vec<u8>> {
        self.got.borrow_mut().pop_front()
    }

    pub(super) fn start(&self, near: BoxedEnd, bench: &Bench) {
        let (report, sim, outside) = (bench.shared_report(), bench.sim().clone(), self.clone());
        bench.sim().spawn(BOARD, async move {
            let Some(link) = opened(BOARD, near.link, &report).await else { return };
            if let Err(cause) = outside.carry(link, &sim).await {
                stop(BOARD, cause, &report);
            }
        });
    }

    async fn carry<L: Link<Error: Display>>(&self, link: L, sim: &Sim) -> Result<(), String> {
        let mut packets = Packets::new(link);
        self.longest.set(packets.longest());
        loop {
            let next = self.given.borrow_mut().pop_front();
            let came = match next {
                Some(container) => {
                    packets.send(&container).await?;
                    packets.at_once().await?
                }
                None => match select(packets.receive(), self.news.wait()).await {
                    Either::First(container) => Some(container?),
                    Either::Second(()) => None,
                },
            };
            if let Some(container) = came {
                self.got.borrow_mut().push_back(container);
                // Returns control to a caller that waits for the container.
                sim.stop();
            }
        }
    }
}
