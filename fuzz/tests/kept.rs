//! Reads the inputs that earlier fuzzing kept.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use airlag_fuzz::TARGETS;

fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|_| panic!("no {}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kept")
}

#[test]
fn every_target_keeps_its_promises_on_what_was_kept() {
    let mut broken = Vec::new();
    for (name, target) in TARGETS {
        for path in inside(&kept().join(name)) {
            let bytes = fs::read(&path).unwrap();
            if catch_unwind(|| target(&bytes)).is_err() {
                broken.push(path);
            }
        }
    }
    assert!(broken.is_empty(), "{broken:?}");
}

#[test]
fn every_target_has_inputs_that_were_kept_and_a_program() {
    let names: BTreeSet<_> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let folders: BTreeSet<_> = inside(&kept())
        .iter()
        .filter(|folder| !inside(folder).is_empty())
        .map(|folder| folder.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    let programs: BTreeSet<_> = inside(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin"))
        .iter()
        .map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned())
        .filter(|name| name != "seeds")
        .collect();
    assert_eq!((&folders, &programs), (&names, &names));
}
