//! Boards with an image of airlag in the table `[trigger]` of a setup file: their serial devices and settings.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::table::{line, named, refused, table, whole};
use crate::error::Error;

/// Keys of `[trigger]` that are read here.
pub(super) const KEYS: [&str; 3] = ["sender", "receiver", "settings"];
/// Settings whose values are set for each run.
const OF_A_RUN: [&str; 4] = ["role", "size", "count", "period"];
/// Largest value of a setting: the largest integer in TOML.
const LARGEST: u64 = i64::MAX as u64;
const AT: &str = "[trigger]: ";

/// Boards of a link. Without a sender, there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Boards {
    /// Serial device of the board that sends.
    pub sender: Option<String>,
    /// Serial device of the board that receives.
    pub receiver: Option<String>,
    /// Settings of all runs, in the units of the boards.
    settings: BTreeMap<String, u64>,
}

impl Boards {
    /// Reads the boards of a table `[trigger]`.
    pub fn read(trigger: &Map<String, Value>) -> Result<Self, Error> {
        let device = |key: &str| trigger.get(key).map(|value| line(value, AT, key)).transpose();
        let (sender, receiver) = (device("sender")?, device("receiver")?);
        let given = trigger.get("settings");
        if sender.is_none() && (receiver.is_some() || given.is_some()) {
            return Err(refused(format!("{AT}no `sender`; write the serial device of its board")));
        }
        if sender.is_some() && sender == receiver {
            return Err(refused(format!("{AT}`sender` and `receiver` are the same device")));
        }
        let mut settings = BTreeMap::new();
        let right = "a table of settings, such as { channel = 80 }";
        let given = given.map(|value| table(value, AT, "settings", right)).transpose()?;
        for (name, value) in given.into_iter().flatten() {
            if OF_A_RUN.contains(&name.as_str()) {
                let name = named(name);
                return Err(refused(format!("{AT}`{name}` is set for each run; leave it out")));
            }
            settings.insert(name.clone(), whole(value, AT, name, 0, LARGEST)?);
        }
        Ok(Self { sender, receiver, settings })
    }

    /// Settings of both boards for a run. Empty without boards.
    pub fn settings(
        &self,
        size: Option<u64>,
        count: u64,
        period_ns: u64,
    ) -> Result<BTreeMap<String, u64>, Error> {
        if self.sender.is_none() {
            return Ok(BTreeMap::new());
        }
        if !period_ns.is_multiple_of(1_000) {
            let why = "boards set their period in whole microseconds";
            return Err(refused(format!("{AT}a period of {period_ns} ns; {why}")));
        }
        let size = size.map(|size| ("size".to_owned(), size));
        let stimulus = [("count".to_owned(), count), ("period".to_owned(), period_ns / 1_000)];
        Ok(self.settings.clone().into_iter().chain(size).chain(stimulus).collect())
    }
}
