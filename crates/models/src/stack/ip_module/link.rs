//! The host's end: its program writes commands and reads events.

use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::{Duration, Instant};

use super::module::{BUFFER_OVERFLOW, Shared};
use super::slices;

/// Reason why a datagram cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{len} B do not fit a datagram of at most {most} B")]
pub struct Refused {
    /// Size of the datagram, bytes.
    pub len: usize,
    /// Largest datagram, bytes.
    pub most: usize,
}

/// The host of a module.
pub struct Attached {
    shared: Rc<Shared>,
}

impl Attached {
    pub(super) const fn new(shared: Rc<Shared>) -> Self {
        Self { shared }
    }

    /// Waits for the response to a command. The interrupt that ends it wakes the program.
    async fn reply(&self) {
        let shared = &self.shared;
        let end = loop {
            match shared.replied.take() {
                Some(end) => break end,
                None => shared.reply_came.wait().await,
            }
        };
        let known = shared.host.clock().after(end, shared.to_host.pause());
        shared.host.sim().sleep_until(known).await;
    }

    /// Returns the time of the program's first poll at or after `ready`, if it has polled at
    /// `since`.
    fn look(&self, since: Instant, ready: Instant) -> Instant {
        let poll = self.shared.config.poll.as_ns();
        if poll == 0 || ready <= since {
            return ready.max(since);
        }
        let looks = ready.since(since).as_ns().div_ceil(poll);
        self.shared.host.clock().after(since, Duration::from_ns(looks * poll)).max(ready)
    }
}

impl Link for Attached {
    type Error = Refused;

    fn capability(&self) -> Capability {
        Capability::datagram(self.shared.config.datagram).duplex(true)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Refused> {
        let shared = &self.shared;
        let (host, sim, config) = (&shared.host, shared.host.sim(), &shared.config);
        let (len, most) = (chunk.len(), config.datagram);
        if len > most {
            return Err(Refused { len, most });
        }
        if !config.write.is_zero() {
            host.spend(&slices::WRITE, config.write).await;
        }
        let bytes = len + config.command;
        if config.flow_control && !shared.has_room_for(bytes) {
            let since = sim.now();
            while !shared.has_room_for(bytes) {
                shared.has_room.wait().await;
            }
            host.span(&slices::FLOW_CONTROL, since, sim.now());
        }
        let fits = shared.has_room_for(bytes);
        if fits {
            shared.hold(bytes);
        }
        let (begin, end) = shared.to_module.carry(sim.now(), bytes);
        shared.module.span(&slices::UART, begin, end);
        sim.sleep_until(end).await;
        if !fits {
            // The module cannot distinguish a broken command from noise, so no response follows.
            (shared.incident)(BUFFER_OVERFLOW);
            return Ok(Delivery::Sent);
        }
        shared.deliver(chunk.to_vec());
        if config.reply > 0 {
            self.reply().await;
        }
        Ok(Delivery::Sent)
    }

    /// The outcome of a datagram is unknown to the host, so there is nothing to wait for.
    async fn flush(&mut self) -> Result<Delivery, Refused> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Refused> {
        let shared = &self.shared;
        let (host, sim) = (&shared.host, shared.host.sim());
        let since = sim.now();
        let end = loop {
            let first = shared.events.borrow().front().map(|&(end, _)| end);
            match first {
                Some(end) => break end,
                None => shared.event_came.wait().await,
            }
        };
        let ready = host.clock().after(end, shared.to_host.pause());
        let looked = self.look(since, ready);
        sim.sleep_until(looked).await;
        if ready > since {
            host.span(&slices::IDLE_LINE, end.max(since), ready);
            host.span(&slices::POLL_WAIT, ready, looked);
        }
        // The event is removed last, so that it is not lost if this future is dropped.
        if !shared.config.read.is_zero() {
            host.spend(&slices::READ_OUT, shared.config.read).await;
        }
        let event = shared.events.borrow_mut().pop_front();
        let datagram = event.map(|(_, datagram)| datagram).unwrap_or_default();
        let len = datagram.len().min(buffer.len());
        buffer[..len].copy_from_slice(&datagram[..len]);
        Ok(len)
    }
}
