//! Registry of the built-in link profiles.
//!
//! [`names`] lists the built-in profiles in the order of their files, [`find`] returns one profile
//! by name, and [`all`] returns all profiles. `airlag links NAME` prints a [`Profile`]: its
//! description (`about`), its published figures by payload size (`published`), and its
//! [`constants`](Profile::constants) with name, value, unit, meaning and origin.
//!
//! The files of `links/` are compiled in, so the command works from any directory. User profiles
//! are read with [`airlag_rig::family::profiles`].

use std::sync::{LazyLock, OnceLock};

use airlag_rig::profile::named;
use airlag_rig::{Error, Profile, family};

/// A file of `links/`: its name without the extension, and its text.
macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../links/", $name, ".toml")))),*]
    };
}

/// All files of `links/`.
const FILES: &[(&str, &str)] = built_in![
    "gpio",
    "uart",
    "nrf24-2m",
    "nrf24-2m-raw",
    "nrf24-250k",
    "nrf24-250k-raw",
    "esb",
    "lora-sf7-250k",
    "lora-sf11-62k5",
    "lorawan",
    "meshtastic",
    "elrs",
    "ieee802154-blind",
    "ieee802154-ack",
    "espnow",
    "espnow-lr",
    "sik-64k",
    "hc05",
    "spp-esp32",
    "ble-bluedroid",
    "ble-nimble",
    "ble-nus",
    "ble-nus-early",
    "ble-sci",
    "ble-llpm",
    "btmesh",
    "rpc",
    "wifi",
    "websocket-esp32",
    "websocket-esp32c6",
    "websocket-pi4-ethernet",
    "websocket-pi4-wifi",
    "tcp-stream-softap",
    "wifi-module",
    "thread-up",
    "thread-down",
    "zigbee",
    "tunnel",
    "tunnel-naive",
];

type Read = Result<Vec<Profile>, Error>;

/// The profiles of each file. A file is parsed when one of its profiles is first requested, because
/// parsing all of them takes longer than the run of one link.
static READ: [OnceLock<Read>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];

fn read(place: usize) -> Result<&'static [Profile], Error> {
    let (file, text) = FILES[place];
    let read = READ[place].get_or_init(|| family::profiles(file, text, crate::ALL));
    read.as_deref().map_err(Clone::clone)
}

/// All profiles in one list, which is built only once, because a study requests it repeatedly.
static ALL: LazyLock<Read> = LazyLock::new(|| {
    let mut all = Vec::new();
    for place in 0..FILES.len() {
        all.extend_from_slice(read(place)?);
    }
    Ok(all)
});

/// Returns all profiles, in the order of the files.
///
/// # Errors
///
/// An error if a file in `links/` is invalid. Tests exclude this.
pub fn all() -> Result<&'static [Profile], Error> {
    ALL.as_deref().map_err(Clone::clone)
}

/// Names of all profiles.
pub fn names() -> Result<Vec<&'static str>, Error> {
    Ok(all()?.iter().map(|profile| profile.name.as_str()).collect())
}

/// Finds the profile called `name`.
///
/// # Errors
///
/// [`Error::UnknownLink`], with the nearest names.
pub fn find(name: &str) -> Result<Profile, Error> {
    // The name of a file is a prefix of its profiles' names.
    let likely = (0..FILES.len()).filter(|&place| name.starts_with(FILES[place].0));
    for place in likely {
        if let Some(found) = read(place)?.iter().find(|profile| profile.name == name) {
            return Ok(found.clone());
        }
    }
    named(all()?, name).cloned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use airlag_rig::origin::Source;

    use crate::calls;
    use airlag_rig::parameter::Known;

    use super::*;

    #[test]
    fn every_file_of_the_folder_is_built_in() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../links");
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            let path = entry.expect("a file").path();
            path.file_stem().expect("a name").to_string_lossy().into_owned()
        };
        let there: BTreeSet<String> = std::fs::read_dir(folder).expect("links").map(name).collect();
        let files = FILES.iter().map(|(file, _)| *file).chain(["sources", "parts", "batteries"]);
        assert_eq!(files.map(str::to_owned).collect::<BTreeSet<_>>(), there);
    }

    #[test]
    fn every_name_finds_the_profile_of_that_name() {
        let profiles = all().expect("right files");
        for profile in profiles {
            assert_eq!(find(&profile.name).as_ref(), Ok(profile));
        }
        assert_eq!(names().map(|names| names.len()), Ok(profiles.len()));
    }

    #[test]
    fn the_name_of_a_file_begins_those_of_its_profiles() {
        for (place, (file, _)) in FILES.iter().enumerate() {
            let profiles = read(place).expect("a right file");
            assert!(profiles.iter().all(|profile| profile.name.starts_with(file)), "{file}");
        }
    }

    #[test]
    fn a_misspelt_name_is_answered_with_the_nearest() {
        let error = find("nrf24-2mb").expect_err("there is none");
        assert_eq!(error.to_string(), "no link `nrf24-2mb`; did you mean `nrf24-2m`?");
        let error = find("uart-115200-irk").expect_err("there is none");
        assert_eq!(error.to_string(), "no link `uart-115200-irk`; did you mean `uart-115200-irq`?");
        // A prefix selects the family, however many letters are missing.
        let error = find("ble-nus").expect_err("there is none").to_string();
        assert!(error.starts_with("no link `ble-nus`; did you mean `ble-nus-"), "{error}");
        assert!(error.contains(" or `ble-nus-"), "{error}");
        let error = find("ieee802154-x").expect_err("there is none").to_string();
        assert!(error.contains("`ieee802154-"), "{error}");
        assert!(find("").is_err());
    }

    #[test]
    fn a_kind_interoperates_with_other_kinds_that_exist() {
        let named = |name: &str| crate::ALL.iter().any(|kind| kind.name() == name);
        for kind in crate::ALL {
            let all = kind.interoperable();
            assert!(all.iter().all(|&name| named(name) && name != kind.name()), "{all:?}");
        }
        let kind = |name| find(name).expect("built in").kind;
        let (esb, nrf24, uart) = (kind("esb-nrf52840"), kind("nrf24-2m"), kind("uart-115200-irq"));
        assert!(esb.interoperates(nrf24) && nrf24.interoperates(esb));
        assert!(!esb.interoperates(uart) && !uart.interoperates(esb));
    }

    #[test]
    fn a_parameter_may_be_what_it_says_it_may_be() {
        for kind in crate::ALL {
            for known in kind.parameters() {
                for word in known.words() {
                    assert!(known.admits(&known.read(word)), "{} {word}", known.name);
                }
                let Some((low, high)) = known.ends() else { continue };
                assert!(known.admits(&known.read(&low.to_string())), "{} {low}", known.name);
                // A whole cycle is the beginning of the next.
                let high = if known.words() == ["random"] { high / 2.0 } else { high };
                assert!(known.admits(&known.read(&high.to_string())), "{} {high}", known.name);
            }
        }
    }

    #[test]
    fn a_profile_shows_each_constant_with_unit_and_origin() {
        let profile = find("nrf24-2m").expect("built in");
        let constants: Vec<_> = profile.constants().collect();
        // Neighbours, the processor and call settings are listed only if they differ from their
        // defaults.
        let shown = |known: &&Known| constants.iter().any(|one| one.name == known.name);
        let (shown, left): (Vec<&Known>, Vec<&Known>) =
            profile.kind.parameters().iter().partition(shown);
        assert_eq!(shown.len(), constants.len());
        let aside = ["neighbours", "processor"];
        assert!(aside.iter().all(|name| left.iter().any(|known| known.name == *name)));
        let calls: Vec<Known> = calls::PARAMETERS.iter().flat_map(|declared| declared()).collect();
        let is_call = |known: &Known| calls.iter().any(|one| one.name == known.name);
        assert!(left.iter().all(|known| aside.contains(&known.name) || is_call(known)));
        let settle = constants.iter().find(|one| one.name == "settle").expect("a parameter");
        assert_eq!((settle.value.to_string(), settle.unit), ("130000".to_owned(), "ns"));
        assert_eq!(settle.origin.source, Source::Datasheet);
        assert!(settle.origin.to_string().ends_with("v1.0, 6.1.7, Tstby2a"));
        assert_eq!(
            profile.published.iter().map(|one| one.size).collect::<Vec<_>>(),
            [Some(12), Some(128), Some(1024)]
        );
    }
}
