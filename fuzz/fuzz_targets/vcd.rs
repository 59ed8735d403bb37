//! Text as a value change dump. What is read is written and must be read again as the same.
#![no_main]

use airlag_fuzz::{kept, options, sound};
use airlag_trace::vcd;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some(trace) = kept(|sink| vcd::read(bytes, &options(), sink)) else { return };
    sound(&trace);
    let mut text = Vec::new();
    vcd::write(&mut text, &trace).expect("memory takes everything");
    let again = kept(|sink| vcd::read(&text[..], &options(), sink));
    assert_eq!(again, Some(trace));
});
