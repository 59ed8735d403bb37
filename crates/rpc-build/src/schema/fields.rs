//! Limits of all fields.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use micropb_gen::Config;
use protox::prost_reflect::{
    Cardinality, FieldDescriptor, FileDescriptor, Kind, MessageDescriptor,
};

use super::Pulled;
use crate::error::Error;
use crate::options::{Limits, Rule, matches};

/// Largest length of a field without a limit of its own, because a command stores the length in 16 bits.
const MOST: u32 = u16::MAX as u32;

/// Configuration of the fields.
#[derive(Default)]
pub struct Fields {
    /// Configurations of messages and fields, by path without the package.
    pub configs: Vec<(String, Config)>,
    /// Fields that are passed separately, by full name of their message.
    pub pulled: BTreeMap<String, Pulled>,
}

/// Checks the fields of all messages of `file`, and of the messages that it uses from other files.
pub fn check(file: &FileDescriptor, rules: &[Rule], options: &Path) -> Result<Fields, Error> {
    let mut used = BTreeMap::new();
    let methods = || file.services().flat_map(|service| service.methods().collect::<Vec<_>>());
    let called: Vec<_> = methods().flat_map(|method| [method.input(), method.output()]).collect();
    for message in file.messages().chain(called.iter().cloned()) {
        reach(&message, &mut Vec::new(), &mut used)?;
    }
    let mut check = Check {
        package: file.package_name(),
        called: called.iter().map(|message| message.full_name().to_owned()).collect(),
        rules,
        met: BTreeSet::new(),
        options,
        fields: Fields::default(),
    };
    for message in used.values() {
        for field in message.fields() {
            check.field(&field)?;
        }
    }
    for rule in rules {
        if !check.met.contains(&rule.line) {
            let text = format!("`{}` is no field of a message that is used", rule.pattern);
            return Err(Error::Options { path: options.into(), line: rule.line, text });
        }
    }
    let skipped = file.parent_pool().all_messages().filter(|message| {
        let entry = message.is_map_entry();
        !entry && message.parent_message().is_none() && !holds_used(message, &used)
    });
    for message in skipped {
        let path = check.path(message.full_name());
        check.fields.configs.push((path, Config::new().skip(true)));
    }
    Ok(check.fields)
}

/// Messages that are used, by their full name.
type Used = BTreeMap<String, MessageDescriptor>;

/// Collects `message`, the messages defined in it, and the types of its fields.
fn reach(
    message: &MessageDescriptor,
    above: &mut Vec<String>,
    used: &mut Used,
) -> Result<(), Error> {
    let name = message.full_name().to_owned();
    if above.contains(&name) {
        return Err(Error::Recursive { message: name });
    }
    if used.insert(name.clone(), message.clone()).is_some() {
        return Ok(());
    }
    above.push(name);
    for field in message.fields() {
        if let Kind::Message(held) = field.kind() {
            reach(&held, above, used)?;
        }
    }
    above.pop();
    for child in message.child_messages() {
        reach(&child, &mut Vec::new(), used)?;
    }
    Ok(())
}

/// Whether `message`, or a message defined in it, is used.
fn holds_used(message: &MessageDescriptor, used: &Used) -> bool {
    used.contains_key(message.full_name())
        || message.child_messages().any(|child| holds_used(&child, used))
}

struct Check<'a> {
    package: &'a str,
    /// Names of requests and responses.
    called: BTreeSet<String>,
    rules: &'a [Rule],
    /// Line numbers of rules that match a field.
    met: BTreeSet<usize>,
    options: &'a Path,
    fields: Fields,
}

impl Check<'_> {
    /// Converts a full name to a path of the descriptors without the package.
    fn path(&self, name: &str) -> String {
        let short = name.strip_prefix(self.package).unwrap_or(name);
        if short.starts_with('.') { short.to_owned() } else { format!(".{name}") }
    }

    fn limits(&mut self, name: &str) -> Limits {
        let mut limits = Limits::default();
        for rule in self.rules.iter().filter(|rule| matches(&rule.pattern, name)) {
            self.met.insert(rule.line);
            limits = limits.then(rule.limits);
        }
        limits
    }

    fn unbounded(&self, field: &FieldDescriptor, what: &'static str, key: &'static str) -> Error {
        Error::Unbounded {
            field: field.full_name().into(),
            what,
            key,
            options: self.options.into(),
        }
    }

    fn field(&mut self, field: &FieldDescriptor) -> Result<(), Error> {
        let limits = self.limits(field.full_name());
        if limits.callback == Some(true) {
            return self.pulled(field, limits);
        }
        let path = self.path(field.full_name());
        // A field without presence is accessed directly; others have an accessor that checks their presence.
        let config = Config::new().no_accessors(!field.supports_presence());
        if field.is_map() {
            let count = limits.count.ok_or_else(|| self.unbounded(field, "a map", "max_count"))?;
            if !(count >= 2 && count.is_power_of_two()) {
                return Err(Error::MapSize { field: field.full_name().into(), count });
            }
            self.fields.configs.push((path, config.max_len(count)));
            // Keys and values are fields of an entry, which is a separate message here.
            return Ok(());
        }
        let most = match field.kind() {
            Kind::String => {
                let most = limits.text();
                Some(most.ok_or_else(|| self.unbounded(field, "a text", "max_length"))?)
            }
            Kind::Bytes => {
                let most = limits.bytes();
                Some(most.ok_or_else(|| self.unbounded(field, "bytes", "max_size"))?)
            }
            _ => None,
        };
        let limited = |config: Config| match most {
            Some(most) => config.max_bytes(most),
            None => config,
        };
        let configs = &mut self.fields.configs;
        if field.is_list() {
            let Some(count) = limits.count else {
                return Err(self.unbounded(field, "a list", "max_count"));
            };
            configs.push((format!("{path}.elem"), limited(Config::new())));
            configs.push((path, config.max_len(count)));
        } else if field.parent_message().is_map_entry() {
            let path = self.of_a_map(field);
            self.fields.configs.push((path, limited(Config::new())));
        } else {
            configs.push((path, limited(config)));
        }
        Ok(())
    }

    /// Path of the key or value of a map, below the field of the map.
    fn of_a_map(&self, field: &FieldDescriptor) -> String {
        let entry = field.parent_message();
        let holder = entry.parent_message();
        let mut fields = holder.iter().flat_map(|holder| holder.fields().collect::<Vec<_>>());
        let map = fields.find(|map| map.kind().as_message() == Some(entry));
        let map =
            map.map_or_else(|| entry.full_name().to_owned(), |map| map.full_name().to_owned());
        format!("{}.{}", self.path(&map), field.name())
    }

    fn pulled(&mut self, field: &FieldDescriptor, limits: Limits) -> Result<(), Error> {
        let message = field.parent_message();
        let refuse = |text| Err(Error::Callback { field: field.full_name().into(), text });
        if field.kind() != Kind::Bytes {
            return refuse("only a field of type bytes can be read on demand");
        }
        let alone = field.cardinality() == Cardinality::Optional && !field.supports_presence();
        if !alone {
            return refuse("it must be neither optional, required, repeated nor of a oneof");
        }
        if !self.called.contains(message.full_name()) {
            return refuse("only of a request or a response itself");
        }
        let pulled = Pulled {
            name: field.name().into(),
            number: field.number(),
            most: limits.bytes().unwrap_or(MOST),
        };
        if self.fields.pulled.insert(message.full_name().into(), pulled).is_some() {
            return refuse("only one field of a message");
        }
        let path = self.path(field.full_name());
        self.fields.configs.push((path, Config::new().skip(true)));
        Ok(())
    }
}
