//! Wall time of 1,000 triggers of every wired profile: `cargo run --release --example wired_rate`
#![allow(clippy::print_stdout, missing_docs)]

use airlag_rig::family::profiles;
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Stimulus, run};
use airlag_sim::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in ["gpio", "uart"] {
        let text = std::fs::read_to_string(format!("links/{file}.toml"))?;
        for profile in profiles(file, &text)? {
            for size in [12, 128, 1024] {
                let period = Duration::from_us(5_003 + size * 1_100);
                let stimulus = Stimulus::Periodic(Periodic::new(period, 1_000));
                let began = std::time::Instant::now();
                let seen = run(&profile, size as usize, &stimulus, Options::default())?;
                let took = began.elapsed();
                println!(
                    "{:<20} {size:>5} B {:>8} events {took:>10.1?}",
                    profile.name, seen.events
                );
            }
        }
    }
    Ok(())
}
