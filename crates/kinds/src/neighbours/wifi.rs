//! An IEEE 802.11g network: `wifi:30%@ch6`.
//!
//! A station sends packets of mixed sizes to its access point at random times, at 24 Mbit/s. The
//! station contends for the air according to IEEE 802.11: it defers to other transmissions, backs
//! off, and retransmits frames that are not acknowledged. Beacons, aggregation and rate adaptation
//! are omitted.

use airlag_air::Band;
use airlag_air::quantity::{Db, Dbm};
use airlag_link::airtime::wifi::Rate;
use airlag_models::stack::wifi::access::{Access, Config, channel_band};
use airlag_models::stack::wifi::frame::Address;
use airlag_models::stack::wifi::{EveryRate, Offered};
use airlag_rig::Error;
use airlag_rig::kind::ISM;
use airlag_rig::neighbours::{Beside, Neighbour, Spec};
use airlag_sim::{Clock, Duration};

use crate::wifi::HEARING;

/// A Wi-Fi station and its access point.
pub(super) struct Wifi;

/// Transmit power of a home access point: the 100 mW that EN 300 328 V2.2.2, 4.3.2.2, allows.
const POWER: Dbm = Dbm(20.0);
/// Noise figure with which the slowest OFDM rate has the minimum sensitivity of the standard, -82
/// dBm (IEEE Std 802.11-2012, 18.3.10.2). The value is the sum of the noise figure of 10 dB and the
/// implementation loss of 5 dB that the standard assumes.
const NOISE_FIGURE: Db = Db(15.0);
/// A mandatory rate (18.2.2.2), used by most frames that are not aggregates.
const RATE: Rate = Rate::Ofdm24;

impl Neighbour for Wifi {
    fn name(&self) -> &'static str {
        "wifi"
    }

    fn example(&self) -> &'static str {
        "wifi:30%@ch6"
    }

    fn check(&self, spec: &Spec) -> Result<(), String> {
        spec.share()?;
        spec.channel(1, 13).map(|_| ())
    }

    fn band(&self, spec: &Spec, _: Band) -> Band {
        spec.channel.map_or(ISM, channel_band)
    }

    fn start(&self, spec: &Spec, beside: &Beside<'_>) -> Result<(), Error> {
        let refused = |cause| beside.refused(cause);
        let (share, channel) =
            (spec.share().map_err(refused)?, spec.channel(1, 13).map_err(refused)?);
        let (bench, place) = (beside.bench, beside.bench.place());
        let [high, low] = place.group.to_be_bytes();
        let address = |last| -> Address { [0x02, 0, 0, high, low, last] };
        let config = |address| Config {
            address,
            channel,
            slot: Duration::from_us(9),
            space_slots: 2,
            cca: Duration::from_us(4),
            cw_min: 15,
            cw_max: 1_023,
            max_retries: 6,
            unreadable: None,
        };
        let (air, sim) = (bench.air(), bench.sim());
        let point = Access::new(air, "access point", sim, Clock::exact(), config(address(1)));
        let traffic = (address(1), RATE, share);
        let station = Offered::new(air, "station", sim, config(address(2)), traffic);
        for node in [point.id(), station.id()] {
            let power = spec.power.unwrap_or(POWER);
            bench.placed_radios().neighbour(
                air,
                node,
                place,
                power,
                HEARING.with(EveryRate, NOISE_FIGURE),
            );
        }
        bench.keep(point);
        bench.keep(station);
        Ok(())
    }
}
