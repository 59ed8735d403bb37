//! Bytes as a folder of two Logic 2 binary exports, kept and merged.
#![no_main]

use std::fs;

use airlag_fuzz::{options, sound};
use airlag_trace::{Error, Recorder, read, read_into};
use libfuzzer_sys::fuzz_target;

fn one_line(error: &Error) {
    let text = error.to_string();
    assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&length, bytes)) = bytes.split_first() else { return };
    let (one, two) = bytes.split_at(bytes.len().min(length.into()));
    let folder = std::env::temp_dir().join(format!("airlag-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    for (name, bytes) in [("digital_0.bin", one), ("digital_1.bin", two)] {
        fs::write(folder.join(name), bytes).expect("a temporary file");
    }
    let mut recorder = Recorder::within(options().memory);
    let whole = read(&folder, &options());
    let merged = read_into(&folder, &options(), &mut recorder);
    whole.as_ref().err().into_iter().chain(merged.as_ref().err()).for_each(one_line);
    assert_eq!(whole.is_ok(), merged.is_ok());
    if let Ok(whole) = whole {
        sound(&whole);
        assert_eq!(whole, recorder.into_trace());
    }
});
