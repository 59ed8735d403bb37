//! Parameters of a LoRaWAN device and its network, and the resulting settings.

use airlag_models::stack::lorawan::plan::{ALL_SUB_BANDS, DataRate, Direction as Way};
use airlag_models::stack::lorawan::{Class, Config, Host, NetworkConfig, Plan, Session};
use airlag_sim::Duration;

use crate::boards::rtos::Rtos;
use airlag_rig::error::Refusal;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::{choices, parameters};
use airlag_rig::propagation::Propagation;

choices!(for Plan { Eu868 = "eu868", Us915 = "us915" });
choices!(for Class { A = "a", C = "c" });

choices! {
    /// Direction of the messages.
    pub enum Direction {
        /// From the device to the application server.
        Up = "up",
        /// From the application server to the device.
        Down = "down",
    }
}

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// channel plan of the region
        plan: Plan,
        /// from the device to the application server, or from it to the device
        direction: Direction,
        /// class of the device: a listens in two windows after each uplink, c always
        class: Class,
        /// whether uplinks request an acknowledgement
        confirmed: bool,
        /// data rate of uplinks: 0 to 5 in eu868, SF12 to SF7; 0 to 3 in us915, SF10 to SF7, and 4
        /// at 500 kHz
        data_rate: u8 = whole(0, 5, ""),
        /// data rate of the second receive window: 0 to 5 in eu868, 8 to 13 in us915
        second_window_data_rate: u8 = whole(0, 13, ""),
        /// sub-band of us915: eight channels of 125 kHz and one of 500 kHz; 0: all channels
        sub_band: u8 = whole(0, 8, ""),
        /// largest share of time on the air in the band of the uplinks, of the device and of the
        /// gateway
        duty_cycle: f64 = real(0.001, 100.0, "%"),
        /// transmissions of an uplink: NbTrans of an unconfirmed one, maximum number for a
        /// confirmed one
        transmissions: u8 = whole(1, 15, ""),
        /// from the end of an uplink to the first receive window; the second follows after 1 s
        receive_delay: Duration = whole(1, 15, "s"),
        /// largest timing error of the device, for which its receive windows are widened
        window_error: Duration = whole(0, 500_000, "us"),
        /// symbols of a preamble that a receiver needs
        lock: u16 = whole(4, 8, "symbols"),
        /// shortest time from the second window to the retransmission of a confirmed uplink
        ack_timeout: Duration = whole(0, 60_000, "ms"),
        /// largest random addition to ack_timeout
        ack_timeout_spread: Duration = whole(0, 60_000, "ms"),
        /// period of the device's own uplinks without data, which open its receive windows; 0: none
        report_period: Duration = whole(0, 86_400, "s"),
        /// from sleep to the first symbol on the air
        start: Duration,
        /// from the program's call to the start of the radio
        host_send: Duration,
        /// from the end of a downlink to its data in the program
        host_receive: Duration,
        /// period at which the gateway's program fetches received frames
        gateway_poll: Duration = whole(0, 1_000_000, "us"),
        /// time before a downlink by which the gateway needs it
        gateway_lead: Duration = whole(0, 1_000_000, "us"),
        /// least delay between gateway and network server, each way
        backhaul: Duration = whole(0, 60_000, "ms"),
        /// mean of a random addition to backhaul, exponentially distributed
        backhaul_jitter: Duration = whole(0, 60_000, "ms"),
        /// time for which the network server collects copies of an uplink from other gateways
        deduplication: Duration = whole(0, 10_000, "ms"),
        /// time that the network server leaves the application for a response before it schedules a
        /// downlink
        response_wait: Duration = whole(0, 10_000, "ms"),
        /// from the network server to the program of the application, each way
        application: Duration = whole(0, 60_000, "ms"),
        /// duration of the strobe pulse
        strobe: Duration,
        /// losses on the air
        losses: Bursts,
        /// the two boards; the tick and the trigger are those of the sending one
        boards: Rtos,
        /// distance and path between device and gateway
        propagation: Propagation,
    }
}

impl Parameters {
    /// Data rate of the messages.
    pub(super) fn rate(&self) -> Result<DataRate, Refusal> {
        let config = self.config(0)?;
        let rate = match (self.direction, self.class) {
            (Direction::Up, _) => config.uplink(),
            (Direction::Down, Class::C) => config.second_window(),
            // The shorter of both, into which every chunk has to fit.
            (Direction::Down, Class::A) => {
                let (first, second) = (config.first_window(), config.second_window());
                if first.map(|rate| rate.most) < second.map(|rate| rate.most) {
                    first
                } else {
                    second
                }
            }
        };
        rate.ok_or_else(|| self.no_rate())
    }

    /// Direction of the messages on the air.
    pub(super) const fn way(&self) -> Way {
        match self.direction {
            Direction::Up => Way::Up,
            Direction::Down => Way::Down,
        }
    }

    fn no_rate(&self) -> Refusal {
        let most = self.plan.fastest();
        let rate = self.data_rate;
        let cause = format!("uplinks in this channel plan use data rates 0 to {most}, not {rate}");
        Refusal::setting(Self::data_rate, cause)
    }

    /// Settings of the device of a pair. Pairs of other groups have addresses of their own.
    pub(super) fn config(&self, group: u16) -> Result<Config, Refusal> {
        if self.plan.data_rate(Way::Up, self.data_rate).is_none() {
            return Err(self.no_rate());
        }
        let second = self.second_window_data_rate;
        if self.plan.data_rate(Way::Down, second).is_none() {
            let cause = "the second window of this channel plan does not have this data rate";
            return Err(Refusal::setting(Self::second_window_data_rate, cause.to_owned()));
        }
        let down = self.direction == Direction::Down;
        if down && self.class == Class::A && self.report_period.is_zero() {
            let cause = "a device of class A receives only after uplinks of its own; set a period";
            return Err(Refusal::setting(Self::report_period, cause.to_owned()));
        }
        if down && self.confirmed {
            let cause = "confirmed downlinks are not modelled";
            return Err(Refusal::setting(Self::confirmed, cause.to_owned()));
        }
        let sub_band = match self.plan {
            Plan::Eu868 => ALL_SUB_BANDS,
            Plan::Us915 => self.sub_band,
        };
        Ok(Config {
            plan: self.plan,
            class: self.class,
            session: Session::of_pair(group),
            sub_band,
            data_rate: self.data_rate,
            second_window_data_rate: second,
            confirmed: self.confirmed,
            transmissions: self.transmissions,
            duty: self.duty_cycle / 100.0,
            receive_delay: self.receive_delay,
            window_error: self.window_error,
            lock_symbols: self.lock,
            ack_timeout: self.ack_timeout,
            ack_timeout_spread: self.ack_timeout_spread,
            start: self.start,
            report_period: if down { self.report_period } else { Duration::ZERO },
        })
    }

    /// Settings of the gateway and the servers.
    pub(super) const fn network(&self) -> NetworkConfig {
        NetworkConfig {
            poll: self.gateway_poll,
            backhaul: self.backhaul,
            backhaul_jitter: self.backhaul_jitter,
            deduplication: self.deduplication,
            processing: self.application,
            response_wait: self.response_wait,
            lead: self.gateway_lead,
        }
    }

    pub(super) const fn host(&self) -> Host {
        Host { send: self.host_send, receive: self.host_receive }
    }
}
