//! IP packets of an external stack, over the port of a host and with its costs.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::rc::{Rc, Weak};

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::channel::Notice;
use airlag_sim::{Instant, Stream};

use super::port::{Port, PortUser};
use super::slices;
use super::stack::{Host, Stack};
use crate::mcu::Board;

/// One end.
pub struct Bare {
    board: Board,
    port: Rc<dyn Port>,
    host: Host,
    rising: Rc<Rising>,
    jitter: Stream,
}

/// Packets on their way up through the host.
struct Rising {
    board: Board,
    host: Host,
    /// Packets, with the instants at which the host has processed them.
    packets: RefCell<VecDeque<(Instant, Vec<u8>)>>,
    through: Cell<Instant>,
    came: Notice,
}

impl PortUser for Rising {
    fn arrived(&self, packet: &[u8]) {
        let begin = self.through.get().max(self.board.sim().now());
        let through = self.board.clock().after(begin, self.host.receive);
        self.through.set(through);
        self.board.span(&slices::HOST, begin, through);
        self.packets.borrow_mut().push_back((through, packet.to_vec()));
        self.came.raise();
    }

    /// A packet for which there is no room is dropped, so nothing has to be resumed.
    fn has_room(&self) {}
}

impl Bare {
    /// Takes the port of a stack, which then no longer uses it. `None` if the port does not
    /// carry plain IP.
    pub(super) fn of(stack: &Stack) -> Option<Self> {
        let (board, host, port) = (stack.board().clone(), stack.host(), Rc::clone(stack.port()));
        if port.medium() != smoltcp::phy::Medium::Ip {
            return None;
        }
        let rising = Rc::new(Rising {
            board: board.clone(),
            host,
            packets: RefCell::default(),
            through: Cell::new(Instant::START),
            came: Notice::new(board.sim()),
        });
        let user: Weak<dyn PortUser> = Rc::<Rising>::downgrade(&rising);
        port.attach(user);
        let jitter = board.stream("read jitter of packets");
        Some(Self { board, port, host, rising, jitter })
    }
}

impl Link for Bare {
    type Error = Infallible;

    fn capability(&self) -> Capability {
        Capability::datagram(self.port.mtu()).duplex(true)
    }

    fn carry_ip(&mut self) -> bool {
        true
    }

    async fn send(&mut self, packet: &[u8]) -> Result<Delivery, Infallible> {
        if !self.host.send.is_zero() {
            self.board.spend(&slices::WRITE, self.host.send).await;
        }
        if self.port.room() == 0 {
            return Ok(Delivery::Lost);
        }
        self.port.send(packet.to_vec());
        Ok(Delivery::Sent)
    }

    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let through = loop {
            let first = self.rising.packets.borrow().front().map(|&(through, _)| through);
            match first {
                Some(through) => break through,
                None => self.rising.came.wait().await,
            }
        };
        let now = self.board.sim().now();
        if through > now {
            // The packet arrives while the program is blocked.
            self.board.sim().sleep_until(through).await;
            let takes = self.host.reading(&mut self.jitter);
            if !takes.is_zero() {
                self.board.spend(&slices::READ_OUT, takes).await;
            }
        }
        let packet = self.rising.packets.borrow_mut().pop_front();
        let packet = packet.map(|(_, packet)| packet).unwrap_or_default();
        let len = packet.len().min(buffer.len());
        buffer[..len].copy_from_slice(&packet[..len]);
        Ok(len)
    }
}
