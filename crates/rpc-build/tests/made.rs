//! The committed files equal the current output of the generator for their `.proto`.

use std::fs;
use std::path::Path;

use airlag_rpc_build::{Input, generate};

fn is_made(proto: &str, code: &str) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = generate(&Input { proto: here.join(proto), ..Input::default() }).expect("a service");
    let committed = fs::read_to_string(here.join(code)).expect("a file");
    // In a test failure, a single differing line is more useful than two whole files.
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
    assert!(made.starts_with("//! Generated from `benchmark.proto`"), "{}", &made[..80]);
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

#[test]
fn what_is_imported_is_looked_for_where_it_is_said() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/thermostat");
    let folder = tempfile::tempdir().expect("a folder");
    let proto = folder.path().join("oven.proto");
    let text = "syntax = \"proto3\"; import \"units.proto\"; \
        service Oven { rpc Heat(units.Celsius) returns (units.Celsius); }";
    fs::write(&proto, text).expect("written");
    let mut input = Input { proto, ..Input::default() };
    let told = generate(&input).expect_err("not found").to_string();
    assert!(told.ends_with("import 'units.proto' not found"), "{told}");
    input.include.push(here);
    let made = generate(&input).expect("a service");
    assert!(made.contains("fn heat(") && made.contains("pub struct Celsius"));
}

#[test]
fn limits_are_where_they_are_said_to_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let (proto, options) = (folder.path().join("a.proto"), folder.path().join("b.options"));
    let text = "syntax = \"proto3\"; message A { string text = 1; } \
        service S { rpc Do(A) returns (A); }";
    fs::write(&proto, text).expect("written");
    fs::write(&options, "A.text max_length:21").expect("written");
    let made = generate(&Input { proto, options: Some(options), ..Input::default() });
    assert!(made.expect("a service").contains("::heapless::String<21>"));
}
