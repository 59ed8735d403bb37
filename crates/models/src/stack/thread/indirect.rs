//! Frames of a parent for its sleepy child: one at each data request, or in a sample of its child.

use std::rc::Weak;

use airlag_sim::{Duration, Instant};

use super::config::Radio;
use super::csl;
use super::security::{AUXILIARY_LEN, MIC_LEN};
use super::sleepy::Parent;
use super::slices;
use super::station::{Incident, Station};
use super::transmit::{Hop, Outgoing};
use crate::stack::ieee802154::element::Csl;
use crate::stack::ieee802154::frame::{self, FCS_LEN, Version};
use crate::stack::ieee802154::{Outcome, Plan};

/// Attempts at a frame at data requests, and in samples before the parent gives them up
/// (`OPENTHREAD_CONFIG_MAC_MAX_TX_ATTEMPTS_INDIRECT_POLLS`).
const ATTEMPTS: u32 = 4;
/// Octets for whose time on the bus to a radio a parent begins earlier
/// (`CslTxScheduler::UpdateFrameRequestAhead`).
const ON_BUS: usize = 150;

/// Reason to send now.
#[derive(Clone, Copy)]
enum Turn {
    /// The child has requested the frame.
    Polled,
    /// The child listens. The first symbol of the frame is at this time.
    Sample(Instant),
}

impl Station {
    /// Sends a frame to a sleepy child without retries (`kMaxFrameRetriesCsl`,
    /// `OPENTHREAD_CONFIG_MAC_DEFAULT_MAX_FRAME_RETRIES_INDIRECT`), again at the next request or in
    /// the next sample if it fails.
    pub(super) async fn send_to_child(
        &self,
        parent: &Parent,
        hop: Hop,
        mut frame: Outgoing,
    ) -> Result<(), Incident> {
        let (mut requests, mut samples) = (0, 0);
        frame.header.frame_pending |= self.queue.borrow().backlog() > 0;
        loop {
            let turn = self.turn(parent).await;
            frame.header.version = match &parent.forecast {
                Some(forecast) if forecast.next(self.local_ns()).is_some() => {
                    Version::V2015 { elements: false }
                }
                _ => Version::Until2006,
            };
            self.prepare(&frame).await;
            let at = match turn {
                Turn::Polled => None,
                Turn::Sample(at) => Some(at),
            };
            let outcome = self.put(hop, &frame, Plan { at, retries: Some(0) }).await;
            match (turn, outcome) {
                (_, Some(Outcome::Acknowledged)) => {
                    self.acknowledged_by_child(parent);
                    return Ok(());
                }
                (Turn::Polled, _) => requests += 1,
                (Turn::Sample(_), Some(Outcome::NoAck)) => samples += 1,
                (Turn::Sample(_), _) => {}
            }
            if samples == ATTEMPTS {
                samples = 0;
                parent.forecast.iter().for_each(csl::Forecast::lose);
            }
            if requests == ATTEMPTS {
                return Err(Incident::DatagramLost);
            }
        }
    }

    /// Waits for a data request or a sample of the child.
    async fn turn(&self, parent: &Parent) -> Turn {
        let (sim, clock) = (self.board.sim(), self.board.clock());
        let since = sim.now();
        let ahead = self.request_ahead();
        loop {
            if parent.polled.take() {
                self.board.span(&slices::HELD_FOR_POLL, since, sim.now());
                return Turn::Polled;
            }
            let earliest = clock.local_ns(sim.now() + ahead + csl::BEFORE_HEADER);
            let sample = parent.forecast.as_ref().and_then(|forecast| forecast.next(earliest));
            let Some(header_ns) = sample else {
                parent.news.wait().await;
                continue;
            };
            let before = csl::BEFORE_HEADER.as_ns().cast_signed();
            let first_symbol = clock.instant_of(header_ns - before);
            let start = clock.instant_of(header_ns - before - ahead.as_ns().cast_signed());
            self.wait_until(parent, start).await;
            if !parent.polled.get() {
                self.board.span(&slices::HELD_FOR_SAMPLE, since, first_symbol);
                return Turn::Sample(first_symbol);
            }
        }
    }

    /// Waits for a data request, at most until `start`.
    async fn wait_until(&self, parent: &Parent, start: Instant) {
        let (sim, this) = (self.board.sim(), Weak::clone(&self.this));
        if sim.now() < start {
            sim.at(start, move || {
                this.upgrade().into_iter().for_each(|station| station.wake_parent());
            });
        }
        while sim.now() < start && !parent.polled.get() {
            parent.news.wait().await;
        }
    }

    /// Time before a frame at which its preparation begins.
    fn request_ahead(&self) -> Duration {
        csl::REQUEST_AHEAD
            + match self.config.radio {
                Radio::Own => Duration::ZERO,
                Radio::CoProcessor(serial) => serial.line.duration(ON_BUS) + serial.latency,
            }
    }

    /// Takes the time of the child's next sample from its acknowledgement.
    fn acknowledged_by_child(&self, parent: &Parent) {
        let (Some(forecast), Some((begin, ack))) = (&parent.forecast, self.node.take_ack()) else {
            return;
        };
        let Some(body) = frame::enhanced_body(&ack) else { return };
        let header = &ack[..ack.len() - body.len() - FCS_LEN];
        let Some(clear) = body.len().checked_sub(AUXILIARY_LEN + MIC_LEN) else { return };
        let child = self.config.peer.eui;
        if self.keys.open_after(header, child, clear, body).is_ok()
            && let Some(element) = Csl::find(&body[AUXILIARY_LEN..AUXILIARY_LEN + clear])
        {
            let header = begin + csl::BEFORE_HEADER;
            forecast.hear(element, self.board.clock().local_ns(header));
        }
    }
}
