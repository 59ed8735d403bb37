//! Bounds of constants, compared with the captures that justify them.
//!
//! A bound derived from a quantile has to bracket it: with the constant at one bound, the bench is
//! no slower than the capture; at the other, it is no faster. Captures are in the folder
//! `AIRLAG_CAPTURES`, by default beside the workspace. Without them, this test prints a message and
//! passes.

use crate::bench;
use airlag_study::matching::{Options, hold};

/// A constant, and the quantile that its bound brackets.
struct Bracket {
    link: &'static str,
    constant: &'static str,
    file: &'static str,
    size: usize,
    p: f64,
}

const fn of(
    (link, constant): (&'static str, &'static str),
    (file, size): (&'static str, usize),
    p: f64,
) -> Bracket {
    Bracket { link, constant, file, size, p }
}

const BRACKETS: &[Bracket] = &[
    of(("gpio-stm32-ll-o3", "trigger_handler"), ("gpio-fixture/ll-o3", 12), 0.5),
    of(("gpio-stm32-ll-o3", "turn"), ("gpio-fixture/ll-o3", 12), 0.5),
    of(("gpio-stm32-ll-og", "trigger_handler"), ("gpio-fixture/ll-og", 12), 0.01),
    of(("gpio-stm32-ll-og", "trigger_handler"), ("gpio-fixture/ll-og", 12), 0.5),
    of(("gpio-stm32-ll-og", "turn"), ("gpio-fixture/ll-og", 12), 0.99),
    of(("gpio-stm32-ll-og", "strobe_write"), ("gpio-fixture/ll-og", 12), 0.01),
    of(("gpio-stm32duino-o1", "trigger_handler"), ("gpio-fixture/stm32duino-o1", 12), 0.01),
    of(("gpio-stm32duino-o1", "turn"), ("gpio-fixture/stm32duino-o1", 12), 0.5),
    of(("gpio-stm32duino-o1", "turn"), ("gpio-fixture/stm32duino-o1", 12), 0.99),
    of(("gpio-stm32duino-o1", "strobe_write"), ("gpio-fixture/stm32duino-o1", 12), 0.01),
    of(("gpio-stm32duino-og", "trigger_handler"), ("gpio-fixture/stm32duino-og", 12), 0.01),
    of(("gpio-stm32duino-og", "trigger_handler"), ("gpio-fixture/stm32duino-og", 12), 0.5),
    of(("gpio-stm32duino-og", "turn"), ("gpio-fixture/stm32duino-og", 12), 0.99),
    of(("gpio-stm32duino-og", "strobe_write"), ("gpio-fixture/stm32duino-og", 12), 0.01),
    of(("nrf24-2m-raw", "spi_byte"), ("nrf24/2Mbps-12B", 12), 0.5),
    of(("nrf24-2m", "receive_per_byte"), ("nrf24/2Mbps-12B-padded", 12), 0.5),
    of(("nrf24-2m", "receive_per_byte"), ("nrf24/2Mbps-12B-padded", 12), 0.99),
    of(("nrf24-2m", "interrupt_entry"), ("nrf24/2Mbps-1024B", 1024), 0.5),
    of(("nrf24-2m", "rearm"), ("nrf24/2Mbps-1024B", 1024), 0.5),
    of(("nrf24-2m", "rearm_jitter"), ("nrf24/2Mbps-1024B", 1024), 0.5),
    of(("hc05-460800", "handover"), ("bt-spp-hc05/460800-12B", 12), 0.5),
    of(("hc05-460800", "host_serve"), ("bt-spp-hc05/460800-1024B", 1024), 0.5),
    of(("ble-bluedroid-write", "trigger_entry"), ("ble-bluedroid-esp32/12B-cs", 12), 0.01),
];

#[test]
#[ignore = "needs captures"]
fn the_ends_of_a_bound_bracket_the_quantile_it_is_read_off() {
    let mut missed = Vec::new();
    for &Bracket { link, constant, file, size, p } in BRACKETS {
        let Some(captured) = bench::real(file) else { continue };
        let profile = bench::profile(link, &[]);
        let bound = profile.parameters[constant].origin.bound().expect("it has a bound").clone();
        let at = |end: String| {
            let changed = bench::profile(link, &[(constant, &end)]);
            let found = hold(&changed, size, &captured, &Options::default()).expect("a match");
            let quantile =
                found.quantile_error.iter().find(|one| one.p == p).expect("one of these");
            (quantile.virtual_ns, quantile.captured_ns)
        };
        let ((low, real), (high, _)) = (at(bound.low.to_string()), at(bound.high.to_string()));
        if !(low <= real && real <= high) {
            missed.push(format!("{link} {constant}: {low} to {high} ns, captured {real}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
