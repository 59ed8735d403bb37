//! A pipe: a wire with a delay that loses some chunks.
use std::convert::Infallible;
use std::future::ready;

use airlag_kinds::boards::bare::BarePins;
use airlag_link::{Capability, Delivery, Link};
use airlag_models::mcu::{Board, Notice};
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::Floor;
use airlag_rig::kind::{Configured, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::parameters;
use airlag_sim::channel::{Receiver, Sender, channel};
use airlag_sim::{Clock, Duration, Sim, Stream};

pub static KIND: Definition = Definition::of::<Parameters>();

parameters! {
    /// Parameters that a profile of a pipe sets.
    pub struct Parameters {
        /// from one end to the other
        delay: Duration,
        /// share of chunks that fall out
        leak: f64,
    }
}

pub struct Mouth(Sim, Stream, Parameters, Sender<Vec<u8>>, Receiver<Vec<u8>>);

impl Link for Mouth {
    type Error = Infallible;
    fn capability(&self) -> Capability {
        Capability::datagram(64)
    }
    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        self.0.sleep(self.2.delay).await;
        if !self.1.chance(self.2.leak) {
            self.3.send(chunk.to_vec());
        }
        Ok(Delivery::Sent)
    }
    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        Ok(Delivery::Sent)
    }
    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let Some(chunk) = self.4.receive().await else { return std::future::pending().await };
        buffer[..chunk.len()].copy_from_slice(&chunk);
        Ok(chunk.len())
    }
}

impl Facts for Parameters {
    const NAME: &'static str = "pipe";
    const MEDIUM: Medium = Medium::Wire;
    const WAYS: Ways = Ways::Both;
    const KNOBS: &'static [Knob] = &[Knob::of(Parameters::delay, &["1ms"])];
}

impl Configured for Parameters {
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        Ok(Floor::new().with("pipe", size.div_ceil(64) as u64, self.delay.as_ns(), "its length"))
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let ((there, near), (back, far)) = (channel(bench.sim()), channel(bench.sim()));
        let trigger = Notice::Interrupt { entry: Duration::from_us(1), jitter: Duration::ZERO };
        let end = |name, to, from| {
            let board = Board::new(bench.sim(), name, Clock::exact());
            let mouth = Mouth(bench.sim().clone(), board.stream("leak"), *self, to, from);
            let pins = BarePins { board, trigger, strobe: Duration::from_us(1) };
            End { pins, link: ready(Ok::<_, String>(mouth)) }
        };
        Ok(Ends::two(end("sender", there, far), end("receiver", back, near)))
    }
}
