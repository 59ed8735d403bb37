//! IEEE 802.15.4 nodes: `802154:10%@ch18`.
//!
//! One radio broadcasts frames of all lengths at random times after the standard's CSMA-CA: it
//! backs off from any sensed carrier, and drops a frame if the channel was never clear.

use airlag_air::Band;
use airlag_air::error_rate::{BitErrors, OqpskDsss};
use airlag_air::quantity::Dbm;
use airlag_link::airtime::ieee802154::Phy;
use airlag_models::stack::ieee802154::frame::{FCS_LEN, HEADER_LEN, Header, Kind, Version};
use airlag_models::stack::ieee802154::{Address, Channel, Config, Destination, Node};
use airlag_rig::Error;
use airlag_rig::kind::ISM;
use airlag_rig::neighbours::{Beside, Neighbour, Spec};
use airlag_sim::{Clock, Duration};

use crate::ieee802154::{Assessment, hearing};

/// A broadcasting IEEE 802.15.4 radio.
pub(super) struct Ieee802154;

/// Channels at 2450 MHz.
const CHANNELS: (u8, u8) = (11, 26);
/// Transmit power of common radios.
const POWER: Dbm = Dbm(0.0);
/// Sensitivity required by the standard (IEEE Std 802.15.4-2006, 6.5.3.3), at a loss of 1 % of
/// frames with 208 bits.
const SENSITIVITY: Dbm = Dbm(-85.0);
/// Longest payload, bytes: the maximum with short addresses.
const LONGEST: u64 = 116;

impl Neighbour for Ieee802154 {
    fn name(&self) -> &'static str {
        "802154"
    }

    fn example(&self) -> &'static str {
        "802154:10%@ch18"
    }

    fn check(&self, spec: &Spec) -> Result<(), String> {
        spec.share()?;
        spec.channel(CHANNELS.0, CHANNELS.1).map(|_| ())
    }

    fn band(&self, spec: &Spec, _: Band) -> Band {
        spec.channel.and_then(Channel::new).map_or(ISM, Channel::band)
    }

    fn start(&self, spec: &Spec, beside: &Beside<'_>) -> Result<(), Error> {
        let refused = |cause| beside.refused(cause);
        let share = spec.share().map_err(refused)?;
        let number = spec.channel(CHANNELS.0, CHANNELS.1).map_err(refused)?;
        let channel = Channel::new(number).ok_or_else(|| refused("no such channel".to_owned()))?;
        let (bench, place) = (beside.bench, beside.bench.place());
        let (air, sim) = (bench.air(), bench.sim());
        let config = Config::standard(channel, Address::Short(1), Destination::Broadcast);
        let config = Config { pan: 0x4000 | place.group, ..config };
        let node = Node::new(air, "node", sim, Clock::exact(), config);
        let noise_figure = OqpskDsss.noise_figure(SENSITIVITY, 0.01 / 208.0);
        let receiver = hearing(Phy::Oqpsk2450, Assessment::Energy).with(OqpskDsss, noise_figure);
        let power = spec.power.unwrap_or(POWER);
        bench.placed_radios().neighbour(air, node.id(), place, power, receiver);

        let (mut stream, clock) = (sim.stream("traffic"), sim.clone());
        let around = HEADER_LEN + FCS_LEN;
        let mean = Phy::Oqpsk2450.duration_ns(around + LONGEST as usize / 2) as f64 / share;
        let gap = Duration::from_ns(mean as u64);
        sim.spawn("neighbour", async move {
            let mut due = clock.now();
            loop {
                due += stream.exponential(gap);
                clock.sleep_until(due).await;
                let payload = vec![0; stream.below(LONGEST + 1) as usize];
                let header = Header {
                    kind: Kind::Data,
                    version: Version::Until2006,
                    sequence: node.next_sequence(),
                    frame_pending: false,
                    ack_request: false,
                    secured: false,
                    pan: config.pan,
                    destination: Address::BROADCAST,
                    source: config.address,
                };
                // The outcome is not used.
                let _ = node.transmit_frame(&header, &payload).await;
            }
        });
        Ok(())
    }
}
