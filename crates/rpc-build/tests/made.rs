//! Files that are committed are those that are made of their `.proto` today.

use std::fs;
use std::path::Path;

use airlag_rpc_build::{Input, generate};

fn is_made(proto: &str, code: &str) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = generate(&Input { proto: here.join(proto), ..Input::default() }).expect("a service");
    let committed = fs::read_to_string(here.join(code)).expect("a file");
    // One line says more than two files.
    let differ = made.lines().zip(committed.lines()).find(|(made, committed)| made != committed);
    assert_eq!(differ, None, "in crates/rpc-build: cargo run -- {proto} -o {code}");
    assert!(made == committed, "one of both ends before the other");
}

#[test]
fn the_benchmark_is_made_of_its_proto() {
    is_made("../rpc/proto/benchmark.proto", "../rpc/src/benchmark.rs");
}

#[test]
fn the_thermostat_is_made_of_its_proto() {
    is_made("tests/thermostat/thermostat.proto", "tests/thermostat/thermostat.rs");
}

#[test]
fn what_is_made_says_what_of() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let proto = here.join("../rpc/proto/benchmark.proto");
    let made = generate(&Input { proto, ..Input::default() }).expect("a service");
    assert!(made.starts_with("//! What `benchmark.proto` describes"), "{}", &made[..80]);
    assert!(!made.contains(env!("CARGO_MANIFEST_DIR")));
}

#[test]
fn nothing_of_what_is_made_allocates() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for proto in ["../rpc/proto/benchmark.proto", "tests/thermostat/thermostat.proto"] {
        let made = generate(&Input { proto: here.join(proto), ..Input::default() });
        let made = made.expect("a service");
        for word in ["alloc::", "std::", "Box<", "unsafe"] {
            assert!(!made.contains(word), "{word} in what is made of {proto}");
        }
    }
}
