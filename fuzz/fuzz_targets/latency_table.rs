//! Text as a table of latencies, and the head of anything as any format.
#![no_main]

use airlag_fuzz::{checked, options};
use airlag_trace::{Format, TableOptions, latency_table};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = Format::detect(bytes);
    let table = TableOptions { memory: options().memory, ..TableOptions::default() };
    if let Some(table) = checked(latency_table::read(bytes, &table)) {
        assert!(table.latencies_ns.iter().all(|&ns| ns >= 0) && !table.latencies_ns.is_empty());
    }
});
