use std::fs;

use tempfile::TempDir;

use airlag_trace::format::{ReadOptions, read};
use airlag_trace::{Channel, Segment};

use super::*;

fn trace(end_ns: i64) -> Trace {
    let segment = Segment { begin_ns: 0, end_ns, initial: false, edges_ns: vec![10, 30] };
    let channels = vec![Channel { name: "a".to_owned(), segments: vec![segment] }];
    Trace { channels, ..Trace::default() }
}

fn names(folder: &TempDir) -> Vec<String> {
    let found = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> =
        found.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn each_format_is_written_and_nothing_else_is_left() {
    let folder = TempDir::new().unwrap();
    for name in ["a.csv", "a.vcd", "a.sr"] {
        let path = folder.path().join(name);
        write(&path, &trace(70), WriteFormat::from_path(&path).unwrap(), Replace::Same).unwrap();
        let read = read(&path, &ReadOptions::default()).unwrap();
        assert_eq!(read.channels, trace(70).channels, "{name}");
    }
    assert_eq!(names(&folder), ["a.csv", "a.sr", "a.vcd"]);
}

#[test]
fn a_trace_that_cannot_be_held_leaves_what_was_there() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.sr");
    fs::write(&path, "precious").unwrap();
    let refused =
        write(&path, &trace(90_000_000_001), WriteFormat::Sigrok, Replace::Anything).unwrap_err();
    assert!(refused.to_string().contains("a.sr: a sigrok session cannot represent"), "{refused}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    assert_eq!(names(&folder), ["a.sr"]);
    let nowhere = folder.path().join("none").join("a.csv");
    assert!(write(&nowhere, &trace(70), WriteFormat::SaleaeCsv, Replace::Anything).is_err());
    assert!(write(folder.path(), &trace(70), WriteFormat::SaleaeCsv, Replace::Anything).is_err());
}
