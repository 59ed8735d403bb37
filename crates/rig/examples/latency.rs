//! Latency quantiles of a profile: `cargo run --release --example latency -- nrf24-2m 1024`
#![allow(clippy::print_stdout, missing_docs)]

use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Profile, Stimulus, run, timeline::timeline};
use airlag_sim::Duration;
use airlag_stats::dist::quantiles;
use airlag_stats::{PairOptions, pair::pair};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "nrf24-2m".to_owned());
    let size = arguments.next().map_or(Ok(12), |text| text.parse())?;
    let text = std::fs::read_to_string(format!("links/{name}.toml"))?;
    let mut profile = Profile::parse(&name, &text)?;
    let mut spans = false;
    for setting in arguments {
        match setting.split_once('=') {
            Some((key, value)) => profile.set(key, value)?,
            None => spans = true,
        }
    }
    let stimulus = Stimulus::Periodic(Periodic::new(Duration::from_ms(200), 1000));
    let began = std::time::Instant::now();
    let seen = run(&profile, size, &stimulus, Options { seed: 1, spans })?;
    let took = began.elapsed();
    let transfers = pair(&seen.trace, PairOptions::default());
    let latencies = transfers.latencies_ns();
    let levels = [0.0, 0.01, 0.25, 0.5, 0.75, 0.99, 1.0];
    let us: Vec<f64> = quantiles(&latencies, &levels).iter().map(|ns| ns / 1e3).collect();
    println!(
        "{name} {size} B: {} delivered of {}, us {us:.2?}",
        latencies.len(),
        transfers.trigger_ns.len()
    );
    println!("{} events, {took:.1?}, {:?} {:?}", seen.events, seen.sent, seen.received);
    if spans {
        let (from, to) = (transfers.trigger_ns[0], transfers.completion_ns[0]);
        for part in timeline(&seen, from, to) {
            println!(
                "{:>10.3} us  {:>9.3} us  {}",
                (part.begin_ns - from) as f64 / 1e3,
                (part.end_ns - part.begin_ns) as f64 / 1e3,
                part.name
            );
        }
    }
    Ok(())
}
