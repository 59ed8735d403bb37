//! Text as a Logic 2 CSV export.
#![no_main]

use airlag_fuzz::{kept, options, sound};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Some(trace) = kept(|sink| airlag_trace::saleae_csv::read(bytes, &options(), sink)) {
        sound(&trace);
    }
});
