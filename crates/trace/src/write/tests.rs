use super::*;
use crate::format::{ReadOptions, read};
use crate::trace::{Channel, Segment};

fn trace(end_ns: i64) -> Trace {
    let segment = Segment { begin_ns: 0, end_ns, initial: false, edges_ns: vec![10, 30] };
    let channels = vec![Channel { name: "a".to_owned(), segments: vec![segment] }];
    Trace { channels, ..Trace::default() }
}

/// An empty folder, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("airlag-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            names.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_end_of_the_name_chooses_the_format() {
    let format = |name: &str| WriteFormat::from_path(Path::new(name));
    assert_eq!(format("a.csv").unwrap(), WriteFormat::SaleaeCsv);
    assert_eq!(format("b/a.VCD").unwrap(), WriteFormat::Vcd);
    assert_eq!(format("a.b.sr").unwrap(), WriteFormat::Sigrok);
    assert_eq!(
        format("b/a.xlsx").unwrap_err().to_string(),
        "b/a.xlsx: \"a.xlsx\" names no format airlag writes; expected a name that ends in .csv, \
         .vcd or .sr"
    );
    assert!(format("csv").is_err());
}

#[test]
fn each_format_is_written_and_nothing_else_is_left() {
    let folder = Folder::new("write");
    for name in ["a.csv", "a.vcd", "a.sr"] {
        let path = folder.0.join(name);
        write(&path, &trace(70), WriteFormat::from_path(&path).unwrap()).unwrap();
        let read = read(&path, &ReadOptions::default()).unwrap();
        assert_eq!(read.channels, trace(70).channels, "{name}");
    }
    assert_eq!(folder.names(), ["a.csv", "a.sr", "a.vcd"]);
}

#[test]
fn a_trace_that_cannot_be_held_leaves_what_was_there() {
    let folder = Folder::new("refused");
    let path = folder.0.join("a.sr");
    fs::write(&path, "precious").unwrap();
    let refused = write(&path, &trace(90_000_000_001), WriteFormat::Sigrok).unwrap_err();
    assert!(refused.to_string().contains("a.sr: a sigrok session cannot hold"), "{refused}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    assert_eq!(folder.names(), ["a.sr"]);
    let nowhere = folder.0.join("none").join("a.csv");
    assert!(write(&nowhere, &trace(70), WriteFormat::SaleaeCsv).is_err());
    assert!(write(&folder.0, &trace(70), WriteFormat::SaleaeCsv).is_err());
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_device_a_device() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    let folder = Folder::new("links");
    let (file, link) = (folder.0.join("file.csv"), folder.0.join("link.csv"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    write(&link, &trace(70), WriteFormat::SaleaeCsv).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&file).unwrap().starts_with("Time [s],a\n"));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    let null = Path::new("/dev/null");
    write(null, &trace(70), WriteFormat::Vcd).unwrap();
    assert!(fs::metadata(null).unwrap().file_type().is_char_device());
}
