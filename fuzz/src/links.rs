//! Link profiles, and settings of one.

use std::str::from_utf8;
use std::sync::LazyLock;

use airlag_kinds::registry;
use airlag_rig::parameter::Value;
use airlag_rig::{Profile, family};

use crate::promise::one_line;

/// Text as a file of link profiles.
pub fn profiles(bytes: &[u8]) {
    let Ok(text) = from_utf8(bytes) else { return };
    match family::profiles("links/a.toml", text, airlag_kinds::ALL) {
        Ok(profiles) => {
            assert!(profiles.iter().all(|profile| profile.constants().count() > 0));
        }
        Err(error) => one_line(&error),
    }
}

/// One profile of each kind of link.
static KINDS: LazyLock<Vec<Profile>> = LazyLock::new(|| {
    let mut profiles = registry::all().expect("the profiles that come with airlag").to_vec();
    profiles.dedup_by_key(|profile| profile.kind);
    profiles
});

fn shown(value: &Value) -> String {
    match value {
        Value::Choice(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Text as the value of a parameter, as `--set` takes it; the first two bytes say of which kind of
/// link and which of its parameters. What is taken must be taken again as it is shown.
///
/// # Panics
/// If a value is not the same when it is set again.
pub fn setting(bytes: &[u8]) {
    let &[kind, parameter, ref text @ ..] = bytes else { return };
    let Ok(text) = from_utf8(text) else { return };
    let mut profile = KINDS[usize::from(kind) % KINDS.len()].clone();
    let names: Vec<_> = profile.constants().map(|constant| constant.name).collect();
    let name = names[usize::from(parameter) % names.len()];
    if let Err(error) = profile.set(name, text) {
        return one_line(&error);
    }
    let value = profile.parameters[name].value.clone();
    profile.set(name, &shown(&value)).expect("a value that was taken");
    assert_eq!(profile.parameters[name].value, value);
    // As the name of a parameter the same text is most likely none.
    profile.set(text, "1").err().iter().for_each(one_line);
}
