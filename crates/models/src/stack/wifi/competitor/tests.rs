use airlag_sim::{Duration, Instant, Simulation};

use super::*;

const POINT: Address = [2, 0, 0, 0, 0, 1];

/// 802.11b: W = 32, m = 5, and so many retries that they are never exhausted.
fn config(address: Address) -> access::Config {
    access::Config {
        address,
        channel: 6,
        slot: Duration::from_us(20),
        space_slots: 2,
        cca: Duration::from_us(15),
        cw_min: 31,
        cw_max: 1_023,
        max_retries: u8::MAX,
        unreadable: None,
    }
}

/// Collision probability of a frame of one of `stations` saturated stations: Bianchi, "Performance
/// analysis of the IEEE 802.11 distributed coordination function", IEEE JSAC 18, 2000, equations 7
/// and 9.
fn bianchi(stations: i32) -> f64 {
    let (w, m) = (32.0, 5);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let p = f64::midpoint(low, high);
        let tau = 2.0 * (1.0 - 2.0 * p)
            / ((1.0 - 2.0 * p) * (w + 1.0) + p * w * (1.0 - (2.0 * p).powi(m)));
        let collides = 1.0 - (1.0 - tau).powi(stations - 1);
        *(if collides > p { &mut low } else { &mut high }) = p;
    }
    low
}

/// Collision share of saturated stations' frames, and the share of time with payload on the air.
fn saturated(stations: u8) -> f64 {
    let time = Simulation::new(1);
    let air = Medium::new(&time);
    let _point = Access::new(&air, "point", &time, Clock::exact(), config(POINT));
    let traffic = (POINT, Rate::Dsss2, 1_000);
    let all: Vec<_> = (0..stations)
        .map(|nth| {
            let address = [2, 0, 0, 0, 1, nth];
            Competitor::new(&air, &format!("station {nth}"), &time, config(address), traffic)
        })
        .collect();
    time.run_until(Instant::START + Duration::from_secs(60)).expect("no storm");
    let sum = |of: fn(&access::Counts) -> u64| {
        all.iter().map(|one| of(&one.access.counts())).sum::<u64>() as f64
    };
    sum(|counts| counts.retries) / sum(|counts| counts.frames)
}

#[test]
fn saturated_stations_collide_as_often_as_bianchi_says() {
    for stations in [2, 5, 10, 20] {
        let (found, expected) = (saturated(stations), bianchi(i32::from(stations)));
        assert!((found / expected - 1.0).abs() < 0.12, "{stations}: {found}, not {expected}");
    }
}
