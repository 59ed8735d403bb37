//! Parameters of a pair, and the resulting settings.

use airlag_models::stack::elrs::{Config, Content, Domain, Handset, Rate, Schedule};
use airlag_sim::{Clock, Duration, Sim};

use crate::boards::rtos::{Rtos, phase_of};
use airlag_rig::error::Refusal;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::{Phase, choices, parameters};
use airlag_rig::propagation::Propagation;

choices!(for Rate {
    F1000 = "2g4-f1000",
    D500 = "2g4-d500",
    D250 = "2g4-d250",
    L500 = "2g4-500",
    L333Full = "2g4-333-full",
    L250 = "2g4-250",
    L150 = "2g4-150",
    L100Full = "2g4-100-full",
    L50 = "2g4-50",
    S200 = "900-200",
    S100Full = "900-100-full",
    S100 = "900-100",
    S50 = "900-50",
    S25 = "900-25",
});
choices!(for Domain {
    Ism2400 = "ism2400",
    Fcc915 = "fcc915",
    Au915 = "au915",
    Eu868 = "eu868",
});
choices!(for Content { Channels = "channels", Airport = "airport" });
choices!(for Handset { Synchronised = "synchronised", Free = "free" });

choices! {
    /// Share of the slots in which the receiver sends telemetry.
    pub enum TelemetryRatio {
        /// None.
        Off = "off",
        /// Every 128th slot.
        R128 = "1:128",
        /// Every 64th slot.
        R64 = "1:64",
        /// Every 32nd slot.
        R32 = "1:32",
        /// Every 16th slot.
        R16 = "1:16",
        /// Every eighth slot.
        R8 = "1:8",
        /// Every fourth slot.
        R4 = "1:4",
        /// Every second slot.
        R2 = "1:2",
    }
}

impl TelemetryRatio {
    /// Slots from one of telemetry to the next. 1 without telemetry.
    pub(super) const fn slots(self) -> u64 {
        match self {
            Self::Off => 1,
            Self::R128 => 128,
            Self::R64 => 64,
            Self::R32 => 32,
            Self::R16 => 16,
            Self::R8 => 8,
            Self::R4 => 4,
            Self::R2 => 2,
        }
    }
}

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// packet rate, with its modulation: the band, f or d for FLRC, the rate in Hz; with d,
        /// each frame is sent in 2 or 4 slots; with full, frames have 13 B instead of 8
        packet_rate: Rate,
        /// regulatory domain: the channels over which the link hops
        domain: Domain,
        /// share of slots in which the receiver sends telemetry
        telemetry_ratio: TelemetryRatio,
        /// shortest time between two synchronisation frames on the sync channel; 0: none
        sync_period: Duration = whole(0, 60_000, "ms"),
        /// channels: each slot carries the newest data; airport: a serial stream that is sent once
        content: Content,
        /// whether the handset computes its channels in time for each slot, or with its own period
        handset: Handset,
        /// period of a free handset
        handset_period: Duration = whole(500, 100_000, "us"),
        /// duration of the computation of the channels in the handset
        mixer: Duration,
        /// serial line from the handset to the module
        handset_baud: u64 = whole(100_000, 10_000_000, "baud"),
        /// from the end of a synchronised handset's frame to its slot
        sync_margin: Duration = whole(0, 10_000, "us"),
        /// from the tick of a slot to the first symbol on the air
        transmit_setup: Duration,
        /// clear channel assessment before each frame; 0: none
        listen: Duration = whole(0, 1_000, "us"),
        /// frames that wait in the module
        queue: usize = whole(1, 1_000, "frames"),
        /// from the last symbol of a frame to the first bit on the line of the receiver
        processing: Duration,
        /// serial line of the receiver
        receiver_baud: u64 = whole(100_000, 10_000_000, "baud"),
        /// from the last bit on the line of the receiver to its data in the program
        host_receive: Duration,
        /// start of the first slot, as a share of the interval between slots
        slot_phase: Phase,
        /// start of a free handset's first period, as a share of the period
        handset_phase: Phase,
        /// duration of the strobe pulse
        strobe: Duration,
        /// losses on the air
        losses: Bursts,
        /// the two boards
        boards: Rtos,
        /// distance and path between the radios
        propagation: Propagation,
    }
}

/// Identity of the pair of group 0; those of other groups differ. It does not affect the results.
const PAIR: u16 = 0x1C3A;

impl Parameters {
    /// Settings of the pair of a group.
    pub(super) fn config(&self, group: u16) -> Result<Config, Refusal> {
        if self.packet_rate.is_at_2400() != self.domain.is_at_2400() {
            let cause = if self.packet_rate.is_at_2400() {
                "a rate at 2.4 GHz needs domain=ism2400"
            } else {
                "a rate below 1 GHz needs domain=fcc915, au915 or eu868"
            };
            return Err(Refusal::setting(Self::domain, cause.to_owned()));
        }
        let config = Config {
            rate: self.packet_rate,
            domain: self.domain,
            telemetry_ratio: self.telemetry_ratio.slots(),
            sync_period: self.sync_period,
            content: self.content,
            pair: PAIR ^ group,
            handset: self.handset,
            handset_period: self.handset_period,
            mixer: self.mixer,
            handset_frame: Config::line(self.handset_baud),
            sync_margin: self.sync_margin,
            setup: self.transmit_setup,
            listen: self.listen,
            queue: self.queue,
            processing: self.processing,
            receiver_frame: Config::line(self.receiver_baud),
        };
        let (interval, airtime) = (config.rate.interval(), config.rate.airtime());
        let lines = [
            (Self::handset_baud, config.handset_frame),
            (Self::receiver_baud, config.receiver_frame),
        ];
        for (setting, frame) in lines {
            if frame > interval {
                let (us, slot) = (frame.as_ns() / 1_000, interval.as_ns() / 1_000);
                let cause =
                    format!("a frame takes {us} us on this line, longer than a slot of {slot} us");
                return Err(Refusal::setting(setting, cause));
            }
        }
        if config.setup + airtime > interval {
            let (ns, most) = (config.setup.as_ns(), interval.saturating_sub(airtime).as_ns());
            let cause = format!("a slot has {most} ns beside its frame, less than {ns} ns");
            return Err(Refusal::setting(Self::transmit_setup, cause));
        }
        if config.listen > config.setup {
            let cause = "the assessment must fit into transmit_setup".to_owned();
            return Err(Refusal::setting(Self::listen, cause));
        }
        Ok(config)
    }

    /// Schedule of a pair on the clock of its module.
    pub(super) fn schedule(&self, config: &Config, clock: Clock, sim: &Sim) -> Schedule {
        let phase = phase_of(sim, "elrs/slot phase", self.slot_phase, config.rate.interval());
        Schedule::new(config, clock, phase, &mut sim.stream("elrs/channels"))
    }

    /// Start of a free handset's first period.
    pub(super) fn handset_offset(&self, sim: &Sim) -> Duration {
        phase_of(sim, "elrs/handset phase", self.handset_phase, self.handset_period)
    }
}
