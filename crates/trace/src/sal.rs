//! Reader of Saleae Logic 2 native captures, `.sal`.
//!
//! A `.sal` file is a zip archive with `meta.json` and one `digital-N.bin` per channel. The layout of
//! `digital-N.bin` is not published. The layout was derived from captures by comparison with their CSV
//! exports. The module `digital` checks the value of every constant whose meaning is unknown.
//!
//! `meta.json` has its own version, which is independent of the binary part. Only the names of the channels
//! are read from it, for all versions. Members with analogue samples and those of newer versions are skipped.
//!
//! Every `digital-N.bin` contains the wall-clock time of the start of the capture. Logic 2 may show only
//! a part of the capture, from sample A to sample B. The reader omits the samples outside this part, as
//! the CSV export does. The reader and the CSV export therefore give the same edges, start and end.

mod digital;

use std::collections::BTreeMap;
use std::io::{Read, Seek};

use serde_json::Value;

use self::digital::Digital;

use crate::archive::{Archive, Member};
use crate::error::{At, Place, Problem};
use crate::format::ReadOptions;
use crate::memory::Held;
use crate::select::Resolved;
use crate::sink::{Header, Sink};
use crate::trace::Trace;
use crate::wires;

const META: &str = "meta.json";

/// Whether an archive with these members is a Logic 2 capture.
pub(crate) fn looks_like<'a>(mut names: impl Iterator<Item = &'a str>) -> bool {
    names.any(|name| name == META || wire_number(name).is_some() || is_analog(name))
}

/// N of `digital-N.bin`.
fn wire_number(name: &str) -> Option<u32> {
    name.strip_prefix("digital-")?.strip_suffix(".bin")?.parse().ok()
}

fn is_analog(name: &str) -> bool {
    name.strip_prefix("analog-").is_some_and(|rest| rest.ends_with(".bin"))
}

/// Streams a `.sal` into `sink`, with its channels merged by time.
///
/// # Errors
/// With member and offset: a damaged or too large archive, an unknown version or constant, inconsistent
/// lengths, or truncated contents.
pub fn read<R: Read + Seek, S: Sink>(
    input: R,
    options: &ReadOptions,
    sink: &mut S,
) -> Result<(), At> {
    let archive = Archive::open(input, options.memory)?;
    let Opened { header, resolved, wires } = open(&archive, options)?;
    wires::merge(wires, header, resolved.invert, sink)
}

/// Reads a whole `.sal`. Faster than [`read`] into a recorder, because channels are not merged.
///
/// # Errors
/// Returns the errors of [`read`].
pub fn read_trace<R: Read + Seek>(input: R, options: &ReadOptions) -> Result<Trace, At> {
    let archive = Archive::open(input, options.memory)?;
    let Opened { header, resolved, wires } = open(&archive, options)?;
    let mut trace = Trace {
        epoch_unix_ns: header.epoch_unix_ns,
        sample_rate_hz: header.sample_rate_hz,
        ..Trace::default()
    };
    let mut held = Held::within(options.memory);
    for (index, (mut wire, name)) in wires.into_iter().zip(header.names).enumerate() {
        let invert = resolved.invert & (1 << index) != 0;
        trace.channels.push(wires::record(&mut wire, name, invert, &mut held)?);
    }
    Ok(trace)
}

/// Selected channels, ready to decode.
struct Opened<'a, R: Read + Seek> {
    header: Header,
    resolved: Resolved,
    wires: Vec<Digital<'a, R>>,
}

fn open<'a, R: Read + Seek>(
    archive: &'a Archive<R>,
    options: &ReadOptions,
) -> Result<Opened<'a, R>, At> {
    let members: BTreeMap<u32, &Member> =
        archive.members().iter().filter_map(|m| Some((wire_number(&m.name)?, m))).collect();
    if members.is_empty() && archive.members().iter().any(|m| is_analog(&m.name)) {
        return Err(Problem::NotDigital { found: "analogue samples only" }.into());
    }
    let meta = archive.whole(META, "a Logic 2 capture with its settings")?;
    let mut given = names(&meta).map_err(|p| p.at(Place::Member(META.into(), None)))?;
    if members.is_empty() {
        let member = "digital-0.bin".to_owned();
        let expected = "one digital-N.bin for each enabled channel";
        return Err(Problem::MissingMember { member, expected }.into());
    }
    let all: Vec<String> = members
        .keys()
        .map(|number| given.remove(number).unwrap_or_else(|| format!("Channel {number}")))
        .collect();
    let resolved = options.selection.resolve(&all)?;
    let members: Vec<&Member> = members.into_values().collect();
    let mut wires = Vec::with_capacity(resolved.positions.len());
    for &position in &resolved.positions {
        let member = members[position];
        let most_bytes = options.memory.share_bytes(resolved.positions.len());
        wires.push(Digital::open(archive.unpack(member)?, &member.name, most_bytes)?);
    }
    // The first shown instant of any channel is instant 0, as in a CSV with wall-clock timestamps.
    let origin_ns = wires.iter().map(Digital::begin_ns).min().unwrap_or(0);
    let mut epoch_unix_ns = None;
    for wire in &mut wires {
        epoch_unix_ns = Some(wire.start_at(origin_ns, epoch_unix_ns)?);
    }
    let header = Header {
        names: resolved.positions.iter().map(|&p| all[p].clone()).collect(),
        epoch_unix_ns,
        sample_rate_hz: wires.first().map(Digital::sample_rate_hz),
    };
    Ok(Opened { header, resolved, wires })
}

/// Names that the user gave to channels, by channel number.
fn names(meta: &[u8]) -> Result<BTreeMap<u32, String>, Problem> {
    let meta: Value = serde_json::from_slice(meta).map_err(|e| Problem::BadField {
        what: "the JSON text",
        found: e.to_string(),
        expected: "the settings Logic 2 writes".to_owned(),
    })?;
    let rows = meta["data"]["rowsSettings"].as_array().map(Vec::as_slice).unwrap_or_default();
    let named = rows.iter().filter_map(|row| {
        let name = row["name"].as_str().filter(|name| !name.trim().is_empty())?;
        Some((digital_number(&row["channel"])?, name.to_owned()))
    });
    Ok(named.collect())
}

/// Number of the channel of a row, if it is in `digital-N.bin`. Up to version 15 all digital channels are;
/// later versions have other instruments with separate numbers.
fn digital_number(channel: &Value) -> Option<u32> {
    let legacy = channel.get("category").is_none_or(|category| category == "legacy");
    if !legacy || channel["type"] != "Digital" {
        return None;
    }
    let number = ["deviceChannel", "index"].iter().find_map(|&key| channel[key].as_u64())?;
    u32::try_from(number).ok()
}

#[cfg(test)]
mod tests;
