//! Goodput on the virtual air, and packets a second of wall time on one core:
//! `cargo run --release --example throughput`
#![allow(clippy::print_stdout, missing_docs)]

use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Stimulus, goodput, registry, run};
use airlag_sim::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (rate, irq) in [("2000", "6000"), ("1000", "8200"), ("250", "31000")] {
        for acknowledge in ["true", "false"] {
            let mut profile = registry::find("nrf24-2m")?;
            for (name, value) in [
                ("rate", rate),
                ("packet_to_irq", irq),
                ("address_width", "5"),
                ("window", "3"),
                ("flush_after_read", "false"),
                ("acknowledge", acknowledge),
            ] {
                profile.set(name, value)?;
            }
            let began = std::time::Instant::now();
            let seen = goodput(
                &profile,
                1,
                Duration::from_secs(if acknowledge == "true" && rate == "2000" {
                    1000
                } else {
                    100
                }),
            )?;
            let wall = began.elapsed().as_secs_f64();
            println!(
                "{rate:>4} kbit/s, acknowledged {acknowledge}: {:.1} kbit/s; {} packets, {:.0} k packets/s of wall time, {:.1} events a packet",
                seen.kbps(),
                seen.chunks,
                seen.chunks as f64 / wall / 1e3,
                seen.events as f64 / seen.chunks as f64,
            );
        }
    }
    // The whole path: trigger, program, driver, bus, chip, air, and all of it back to a strobe.
    let profile = registry::find("nrf24-2m")?;
    let count = 500_000;
    let stimulus = Stimulus::Periodic(Periodic::new(Duration::from_ms(10), count));
    let began = std::time::Instant::now();
    let seen = run(&profile, 12, &stimulus, Options::default())?;
    let wall = began.elapsed().as_secs_f64();
    println!(
        "trigger to strobe, 12 B: {} messages, {:.0} k packets/s of wall time, {:.1} events a packet",
        seen.received.messages,
        count as f64 / wall / 1e3,
        seen.events as f64 / count as f64,
    );
    Ok(())
}
