//! Parameters of a pair of radios with Enhanced ShockBurst, and the resulting settings.

use airlag_models::stack::esb::frame::MAX_PAYLOAD;
use airlag_models::stack::esb::{Config, Format, RampUp, Rate, Role};
use airlag_sim::Duration;

use crate::boards::rtos::Rtos;
use airlag_rig::error::Refusal;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::{choices, parameters};
use airlag_rig::propagation::Propagation;

choices!(for Rate { Mbps1 = "1000", Mbps2 = "2000", Mbps4 = "4000" });

choices! {
    /// Series of the chip.
    pub enum Series {
        /// nRF52 and nRF53: up to 2 Mbit/s.
        Nrf52 = "nrf52",
        /// nRF54: up to 4 Mbit/s.
        Nrf54 = "nrf54",
    }
}

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// air data rate
        rate: Rate = unit("kbit/s"),
        /// series of the chips: 4 Mbit/s needs an nRF54
        series: Series,
        /// channel
        channel: u8 = whole(0, 100, "MHz above 2400"),
        /// bytes of the address
        address_width: u8 = whole(3, 5, "B"),
        /// longest payload of a packet; up to 32 B, packets have the format of an nRF24L01+
        longest_payload: usize = whole(1, MAX_PAYLOAD as i64, "B"),
        /// request an acknowledgement of each packet
        acknowledge: bool,
        /// ramp-up of 40 us instead of 129; both ends need it, and an nRF24L01+ does not have it
        fast_ramp_up: bool,
        /// from the end of a packet to the first bit of its retransmission; the library refuses
        /// less than 435 us
        retransmit_delay: Duration = whole(435, 1_000_000, "us"),
        /// retransmissions of an unacknowledged packet
        retransmit_count: u16 = whole(0, 1_000, ""),
        /// payloads in the queue of the transmitter
        transmit_queue: usize = whole(1, 1_000, "packets"),
        /// payloads in the queue of the receiver
        receive_queue: usize = whole(1, 1_000, "packets"),
        /// from the end of an exchange to the start of the radio for the next packet
        next_packet: Duration,
        /// from the end of an exchange until the receiver starts its radio again
        rearm: Duration,
        /// from the program's call to the start of the radio
        host_send: Duration,
        /// from a packet's end to its payload in the program
        host_receive: Duration,
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

/// Address of the pair: the library's default for pipe 0. The address does not affect the results.
const ADDRESS: [u8; 5] = [0xE7; 5];

/// Settings of the transmitter. Pairs of other groups have addresses of their own.
pub(super) fn config(p: &Parameters, group: u16) -> Result<Config, Refusal> {
    if p.rate == Rate::Mbps4 && p.series == Series::Nrf52 {
        let cause = "4 Mbit/s needs an nRF54 (series=nrf54); an nRF52 has 1 and 2 Mbit/s";
        return Err(Refusal::setting(Parameters::rate, cause.to_owned()));
    }
    let mut address = ADDRESS;
    for (octet, pair) in address.iter_mut().zip(group.to_be_bytes()) {
        *octet ^= pair;
    }
    let format =
        Format { rate: p.rate, address: p.address_width, crc: 2, longest: p.longest_payload };
    let config = Config {
        role: Role::Transmitter,
        format,
        address,
        channel: p.channel,
        ramp_up: if p.fast_ramp_up { RampUp::Fast } else { RampUp::Normal },
        acknowledge: p.acknowledge,
        retransmit_delay: p.retransmit_delay,
        retransmit_count: p.retransmit_count,
        transmit_queue: p.transmit_queue,
        receive_queue: p.receive_queue,
        next_packet: p.next_packet,
        rearm: p.rearm,
    };
    let least = config.shortest_retransmit_delay();
    if p.acknowledge && p.retransmit_delay < least {
        let (us, least) = (p.retransmit_delay.as_ns() / 1_000, least.as_ns().div_ceil(1_000));
        let cause = format!("an acknowledgement needs {least} us at this rate, not {us} us");
        return Err(Refusal::setting(Parameters::retransmit_delay, cause));
    }
    Ok(config)
}
