//! The loop's interface to the air: transmission and reception.

use std::rc::Rc;

use airlag_air::{Band, Modulation, Radio as Listener, Reception, Verdict};
use airlag_link::airtime::sik::{PREAMBLE_BITS, PREAMBLE_THRESHOLD_BITS, TRAILER, rate_kbps};
use airlag_sim::{Duration, Instant};

use super::super::frame::{self, Trailer};
use super::super::settings::{Room, TICK};
use super::super::slices;
use super::{FAMILY, Inner, Outgoing, STATISTICS, SYSCLK, State, Timing, timer};

impl Inner {
    fn modulation(&self) -> Modulation {
        let coded = if self.settings.ecc { 1_000 } else { 0 };
        let rate = rate_kbps(self.settings.air_rate);
        Modulation { family: FAMILY, setting: rate as u32 + coded }
    }

    /// Band by Carson's rule: the firmware's deviation in kHz equals the rate in kbit/s.
    fn band(&self, centre_khz: u32) -> Band {
        let rate = rate_kbps(self.settings.air_rate) as u32;
        Band::around(centre_khz, 3 * rate)
    }

    /// Returns true if a packet is being received, which inhibits transmission.
    fn is_receiving(&self, state: &State) -> bool {
        let Some(since) = state.listening else { return false };
        let band = self.band(state.hopping.receive_khz());
        self.medium.hearing(self.node, band, self.modulation()).is_some_and(|frame| {
            let seen =
                if state.heard_lately { PREAMBLE_BITS + 16 } else { PREAMBLE_THRESHOLD_BITS };
            let first_bit = self.first_bit(frame.begin);
            let seen_at = first_bit + Duration::from_ns(self.frame.bits_ns(seen));
            self.hears_from(since, first_bit) && self.now() >= seen_at
        })
    }

    /// Time of the first bit of a packet whose carrier started at `begin`.
    fn first_bit(&self, begin: Instant) -> Instant {
        begin + Duration::from_ns(self.timing.carrier_lead * 1_000_000_000 / SYSCLK)
    }

    /// Returns true if a receiver that listens since `since` is early enough for a packet with its
    /// first bit at `begin`. Bit synchronisation needs only part of the preamble.
    fn hears_from(&self, since: Instant, begin: Instant) -> bool {
        let spare = self.frame.bits_ns(PREAMBLE_BITS - PREAMBLE_THRESHOLD_BITS);
        since <= begin + Duration::from_ns(spare)
    }

    /// Sends a packet if it is due. Returns true if this occupies the loop.
    pub(super) fn send(&self, state: &mut State, tick: u64, cycle: u64) -> bool {
        if self.settings.listen_before_talk && !self.has_listened(state, tick) {
            return false;
        }
        if !state.schedule.may_send() || state.schedule.wait() > 0 {
            return false;
        }
        if self.is_receiving(state) {
            state.schedule.hold_back();
            return false;
        }
        if state.duty_wait {
            return false;
        }
        let Room::Bytes(room) = self.round.room(state.schedule.remaining()) else { return false };
        self.collect(state, cycle);
        let waiting_since = state.port.waiting_since;
        let packet = state.framer.next(&mut state.port.waiting, room, tick);
        let (mut data, resend) = (packet.data, packet.resend);
        let bonus = state.schedule.is_bonus();
        let is_statistics = !bonus && data.is_empty() && state.statistics_due && room >= STATISTICS;
        let user = data.len() as u64;
        let mut framing = self.timing.frame_byte * user;
        let trailer = if is_statistics {
            state.statistics_due = false;
            state.counts.statistics += 1;
            data = vec![0; STATISTICS];
            framing = self.timing.copy * STATISTICS as u64;
            Trailer { window: 0, bonus, resend: false }
        } else {
            let left = state.schedule.remaining() - self.round.flight(data.len());
            Trailer { window: left as u16, bonus, resend }
        };
        state.counts.yields += u64::from(data.is_empty());
        if user > 0 && !resend {
            state.counts.sent_bytes += user;
            if let Some(since) = waiting_since {
                self.cpu.span(&slices::SLOT_WAIT, since, cycle);
            }
            state.port.waiting_since = (!state.port.waiting.is_empty()).then_some(cycle);
        }
        let besides = match (is_statistics, data.is_empty()) {
            (true, _) => Some(&slices::STATISTICS),
            (_, true) => Some(&slices::YIELD),
            _ => None,
        };
        state.schedule.sent(data.is_empty());
        state.duty_ticks += self.round.flight(data.len());
        let Timing { transmit_setup, carrier_lead, .. } = self.timing;
        let first_bit = cycle + framing + transmit_setup.max(carrier_lead);
        let on_air = first_bit - carrier_lead;
        self.cpu.span(&slices::TRANSMIT_SETUP, cycle, on_air);
        let length = data.len() + TRAILER;
        let lasts = Duration::from_ns(self.frame.duration_ns(length));
        state.outgoing = Some(Outgoing {
            bytes: frame::encode(self.settings.network, &data, trailer),
            band: self.band(state.hopping.transmit_khz()),
            end: self.cpu.instant_of(first_bit) + lasts,
            besides,
        });
        state.listening = None;
        state.generation += 1;
        self.set_timer(state, timer::ON_AIR, on_air);
        true
    }

    fn has_listened(&self, state: &mut State, tick: u64) -> bool {
        if self.medium.busy(self.node, self.band(state.hopping.receive_khz())) {
            self.heard_talk(state, tick);
        }
        tick >= state.noisy_at + self.round.listen + state.extra_listening
    }

    fn heard_talk(&self, state: &mut State, tick: u64) {
        state.noisy_at = tick;
        if state.extra_listening == 0 {
            state.extra_listening = self.listen_stream.borrow_mut().below(self.round.listen);
        }
    }

    pub(super) fn go_on_air(&self) {
        let state = &mut *self.state.borrow_mut();
        let Some(outgoing) = state.outgoing.take() else { return };
        let Outgoing { bytes, band, end, besides } = outgoing;
        if let Some(slice) = besides {
            let board = self.cpu.board();
            board.span(slice, board.sim().now(), end);
        }
        self.medium.send(self.node, band, self.modulation(), end, bytes);
        let back = self.cpu.next_cycle(end) + self.timing.transmit_end;
        (state.noisy_at, state.extra_listening) = (back / TICK, 0);
        state.listening = Some(self.cpu.instant_of(back));
        state.looks.restart(back);
        self.look_at(state, back);
    }
}

impl Listener for Inner {
    fn frame_ended(&self, reception: &Reception<'_>) {
        let frame = reception.frame;
        let state = &mut *self.state.borrow_mut();
        let band = self.band(state.hopping.receive_khz());
        if self.settings.listen_before_talk && frame.band.overlaps(&band) {
            self.heard_talk(state, self.cpu.cycle_at(reception.end) / TICK);
        }
        if frame.modulation != self.modulation() {
            return;
        }
        let Some((data, trailer)) = frame::decode(self.settings.network, &frame.bytes) else {
            return;
        };
        let user = if trailer.window == 0 { 0 } else { data.len() as u64 };
        let tuned = frame.band == band
            && state.packet.is_none()
            && state
                .listening
                .is_some_and(|since| self.hears_from(since, self.first_bit(reception.begin)));
        if !tuned {
            state.counts.missed_bytes += user;
            if user > 0 {
                self.incident("packet missed");
            }
            return;
        }
        if reception.verdict != Verdict::Whole {
            state.counts.damaged_bytes += user;
            if user > 0 {
                self.incident("packet lost");
            }
            return;
        }
        let ended = self.cpu.next_cycle(reception.end);
        let ready = ended + self.timing.receive_latency;
        let look = state.looks.look_from(ready);
        let in_memory = self.cpu.instant_of(ready);
        self.cpu.board().span(&slices::RECEIVER_LATENCY, reception.end, in_memory);
        self.cpu.span(&slices::FLAG_POLL, ready, look);
        state.packet = Some(Rc::clone(&frame.bytes));
        state.listening = None;
        state.generation += 1;
        self.set_timer(state, timer::LOOK, look);
    }
}
