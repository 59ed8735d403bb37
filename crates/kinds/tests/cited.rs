//! Every entry of `links/sources.toml` is cited.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use airlag_kinds::registry;
use airlag_rig::sources::all;
use airlag_rig::{batteries, parts};

/// Text of all pages below `folder`, except the list of sources itself.
fn pages(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.into_iter().fold(String::new(), |text, path| match path.extension() {
        _ if path.is_dir() => text + &pages(&path),
        Some(ending) if ending == "md" && !path.ends_with("sources.md") => {
            text + &std::fs::read_to_string(&path).expect("a page")
        }
        _ => text,
    })
}

#[test]
fn every_document_is_cited_by_a_constant_a_figure_a_campaign_or_a_page() {
    let profiles = registry::all().expect("right files");
    let mut cited = BTreeSet::new();
    for profile in profiles {
        let constants = profile.parameters.values().filter_map(|one| one.origin.citation());
        cited.extend(constants.map(|citation| citation.key.as_str()));
        cited.extend(profile.published.iter().map(|figure| figure.cite.as_str()));
    }
    for part in parts::all().expect("right") {
        let citations = part.rows().filter_map(|(_, row)| row.origin.citation());
        cited.extend(citations.map(|citation| citation.key.as_str()));
    }
    for (_, battery) in batteries::all().expect("right") {
        let citations = battery.figures().filter_map(|one| one.origin.citation());
        cited.extend(citations.map(|citation| citation.key.as_str()));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let campaigns = std::fs::read_dir(root.join("campaigns")).expect("a folder");
    let files = campaigns.map(|file| file.expect("a file").path()).filter(|path| path.is_file());
    let beside = files.fold(String::new(), |text, path| {
        text + &std::fs::read_to_string(path).expect("a campaign")
    });
    let text = pages(&root.join("docs"));
    for (_, key, _) in all().expect("right") {
        let linked = text.contains(&format!("sources.md#{key})"));
        let beside = beside.contains(&format!("cite = \"{key}\""));
        assert!(linked || beside || cited.contains(key), "nobody cites {key}");
    }
}
