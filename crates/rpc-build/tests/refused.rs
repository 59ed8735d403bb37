//! Definitions from which no service can be generated. Each gives an error of one line and exit
//! code 2.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use airlag_rpc_build::{Input, generate};

/// The error message for a `.proto` and its options.
fn told(proto: &str, options: Option<&str>) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.proto");
    fs::write(&path, proto).expect("written");
    if let Some(options) = options {
        fs::write(folder.path().join("s.options"), options).expect("written");
    }
    let made = generate(&Input { proto: path, ..Input::default() });
    let text = made.expect_err("refused").to_string();
    assert!(!text.contains('\n'), "{text}");
    text.replace(&format!("{}/", folder.path().display()), "")
}

const HEAD: &str = "syntax = \"proto3\"; package p; ";

/// A service `S` with one rpc `Do`, whose request and response have these fields.
fn service(request: &str, response: &str) -> String {
    format!(
        "{HEAD}service S {{ rpc Do(Q) returns (A); }} message Q {{ {request} }} message A {{ {response} }}"
    )
}

#[test]
fn what_is_no_proto_is_refused_with_its_place() {
    for (proto, expected) in [
        ("syntax = \"proto4\";", "s.proto:1:10: unknown syntax 'proto4'"),
        ("syntax = \"proto3\"; massage A {}", "s.proto:1:20: expected 'enum'"),
        ("syntax = \"proto3\"; message A {", "s.proto: expected"),
        ("syntax = \"proto3\"; import \"no.proto\";", "s.proto:1:20: import 'no.proto' not found"),
        ("syntax = \"proto3\"; message A { B b = 1; }", "name 'B' is not defined"),
        ("syntax = \"proto3\"; message A {} message A {}", "name 'A' is defined twice"),
        ("edition = \"2023\";", "but found 'edition'"),
    ] {
        let text = told(proto, None);
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_file_without_a_service_is_refused() {
    let expected =
        "s.proto: no service; write `service Name { rpc Method(Request) returns (Response); }`";
    assert_eq!(told("syntax = \"proto3\"; message A {}", None), expected);
}

#[test]
fn a_service_without_a_method_or_with_too_many_is_refused() {
    let proto = format!("{HEAD} service S {{}}");
    assert_eq!(told(&proto, None), "p.S: 0 rpcs; a service has 1 to 256");
    let rpcs: String = (0..257).map(|n| format!("rpc M{n}(A) returns (A); ")).collect();
    let proto = format!("{HEAD} message A {{}} service S {{ {rpcs} }}");
    assert!(told(&proto, None).starts_with("p.S: 257 rpcs; "));
}

#[test]
fn an_rpc_that_streams_both_ways_is_refused() {
    let proto =
        format!("{HEAD} message A {{}} service S {{ rpc Do(stream A) returns (stream A); }}");
    let expected =
        "p.S.Do: streams both ways; only the request or only the response may be a stream";
    assert_eq!(told(&proto, None), expected);
}

#[test]
fn a_field_of_any_length_is_refused() {
    for (field, what, key) in [
        ("string f = 1;", "a text", "max_length"),
        ("bytes f = 1;", "bytes", "max_size"),
        ("repeated int32 f = 1;", "a list", "max_count"),
        ("map<int32, int32> f = 1;", "a map", "max_count"),
        ("oneof o { string f = 1; }", "a text", "max_length"),
    ] {
        let text = told(&service(field, ""), None);
        let line = format!("s.options needs the line `p.Q.f {key}:`, and a number");
        assert_eq!(text, format!("p.Q.f: {what} without a limit; {line}"));
    }
    let text = told(&service("repeated string f = 1;", ""), Some("p.Q.f max_count:3"));
    assert!(text.starts_with("p.Q.f: a text without a limit"), "{text}");
    let text = told(&service("map<string, int32> f = 1;", ""), Some("p.Q.f max_count:4"));
    assert!(text.starts_with("p.Q.FEntry.key: a text without a limit"), "{text}");
}

#[test]
fn a_map_of_another_size_than_a_power_of_two_is_refused() {
    for (size, fine) in [(1, false), (2, true), (3, false), (8, true)] {
        let proto = service("map<int32, int32> f = 1; string g = 2;", "");
        let text = told(&proto, Some(&format!("p.Q.f max_count:{size}")));
        let refused = format!("p.Q.f: max_count:{size}; use a power of two, at least 2");
        assert_eq!(text != refused, fine, "{text}");
    }
}

#[test]
fn two_of_the_same_name_are_refused() {
    let both = |rpcs: &str, rest: &str| {
        let proto = format!("{HEAD} message A {{}} service S {{ {rpcs} }} {rest}");
        told(&proto, None)
    };
    for (rpcs, rest, expected) in [
        (
            "rpc GetIt(A) returns (A); rpc Get_It(A) returns (A);",
            "",
            "rpc p.S.GetIt and rpc p.S.Get_It would both be called `get_it`; rename one in the .proto",
        ),
        (
            "rpc UpEnd(A) returns (A); rpc Up(stream A) returns (A);",
            "",
            "rpc p.S.UpEnd and the end of rpc p.S.Up would both be called `up_end`",
        ),
        (
            "rpc Do(A) returns (A);",
            "message SServer {}",
            "message SServer and service S would both be called `SServer`",
        ),
        (
            "rpc Do(A) returns (A);",
            "message Result {}",
            "Rust's type and message Result would both be called `Result`",
        ),
        ("rpc Do(A) returns (A); rpc Do(A) returns (A);", "", "name 'p.S.Do' is defined twice"),
    ] {
        let text = both(rpcs, rest);
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn bytes_of_two_answers_of_the_same_name_are_refused_and_other_fields_are_not() {
    let proto = format!(
        "{HEAD} service S {{ rpc Get(Q) returns (A); rpc GetRaw(Q) returns (B); rpc Log(Q) returns (stream L); }} \
         message Q {{}} message A {{ bytes raw_data = 1; }} message B {{ bytes data = 1; }} \
         message L {{ repeated int32 items = 1; }}"
    );
    let text = told(&proto, Some("p.?.*data type:FT_CALLBACK\np.L.items max_count:2"));
    let expected =
        "raw_data of rpc p.S.Get and data of rpc p.S.GetRaw would both be called `GetRawData`";
    assert!(text.starts_with(expected), "{text}");

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.proto");
    fs::write(&path, proto).expect("written");
    fs::write(folder.path().join("s.options"), "p.?.*data max_size:9\np.L.items max_count:2")
        .expect("written");
    assert!(generate(&Input { proto: path, ..Input::default() }).is_ok());
}

#[test]
fn bytes_that_cannot_be_handed_on_are_refused() {
    for (proto, name, expected) in [
        (service("string f = 1;", ""), "p.Q.f", "only a field of type bytes"),
        (service("optional bytes f = 1;", ""), "p.Q.f", "neither optional,"),
        (service("repeated bytes f = 1;", ""), "p.Q.f", "neither optional,"),
        (service("oneof o { bytes f = 1; }", ""), "p.Q.f", "nor of a oneof"),
        (service("bytes f = 1; bytes g = 2;", ""), "p.Q.?", "only one field of a message"),
        (service("In f = 1; message In { bytes g = 1; }", ""), "p.Q.In.g", "of a request or a"),
        (
            service("", "bytes f = 1;").replace("returns (", "returns (stream "),
            "p.A.f",
            "limit the field with max_size",
        ),
    ] {
        let text = told(&proto, Some(&format!("{name} type:FT_CALLBACK")));
        assert!(text.contains(": FT_CALLBACK; ") && text.contains(expected), "{text}");
    }
}

#[test]
fn a_message_that_holds_itself_is_refused() {
    for fields in ["Q f = 1;", "repeated Q f = 1;", "In f = 1; message In { Q g = 1; }"] {
        let text = told(&service(fields, ""), Some("* max_count:2"));
        let rest = "recursive, so its size has no limit; refer to other messages by number";
        assert_eq!(text, format!("p.Q: {rest}"));
    }
}

#[test]
fn options_of_nothing_are_refused() {
    let text = told(&service("string f = 1;", ""), Some("p.Q.f max_size:3\np.Q.x max_size:3"));
    assert_eq!(text, "s.options:2: `p.Q.x` is no field of a message that is used");
    let text = told(&service("string f = 1;", ""), Some("p.Q.f max_sise:3"));
    assert!(text.starts_with("s.options:1: unknown option `max_sise:3`; known are"), "{text}");
}

fn run(words: &[&str]) -> Output {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/thermostat");
    let mut command = Command::new(env!("CARGO_BIN_EXE_airlag-rpc-build"));
    command.current_dir(folder).args(words).output().expect("it runs")
}

#[test]
fn a_command_line_that_cannot_be_followed_is_refused_in_one_line() {
    for (words, expected) in [
        (&[][..], "no .proto; "),
        (&["none.proto"], "none.proto: No such file"),
        (&["thermostat.proto", "-o"], "-o without a path; "),
        (&["thermostat.proto", "units.proto"], "more than one .proto; "),
        (&["--out", "x"], "unknown option --out; "),
        (&["units.proto"], "units.proto: no service; "),
        (&["thermostat.proto", "--options", "none"], "none: "),
        (&["thermostat.proto", "-o", "none/none.rs"], "none/none.rs: "),
    ] {
        let ran = run(words);
        let text = String::from_utf8(ran.stderr).expect("text");
        assert_eq!(ran.status.code(), Some(2), "{words:?}: {text}");
        assert!(text.starts_with("airlag-rpc-build: ") && text.contains(expected), "{text}");
        assert!(text.ends_with('\n') && text.lines().count() == 1, "{text}");
        assert_eq!(ran.stdout, b"", "{words:?}");
    }
}

#[test]
fn without_an_output_the_file_is_printed() {
    let ran = run(&["thermostat.proto"]);
    assert!(ran.status.success() && ran.stderr.is_empty());
    assert!(String::from_utf8(ran.stdout).expect("text").contains("pub trait Thermostat {"));
    let ran = run(&["--help"]);
    assert!(ran.status.success());
    assert!(String::from_utf8(ran.stdout).expect("text").starts_with("airlag-rpc-build SERVICE"));
}
