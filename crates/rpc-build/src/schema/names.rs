//! Conversion of names in the `.proto` to names in Rust and in commands.

use std::collections::BTreeMap;

use protox::prost_reflect::{FileDescriptor, ServiceDescriptor};

use super::fields::Fields;
use crate::error::Error;

/// Converts a name to snake_case, as used in commands. A new word starts at a capital letter that follows a
/// lower-case letter or a digit. In a sequence of capital letters, a new word also starts at the last
/// letter if a lower-case letter follows the sequence. `HTTPGet2All` becomes `http_get2_all`.
#[must_use]
pub fn snake(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut snake = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let ends = before.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        let after = letters.get(at + 1).is_some_and(char::is_ascii_lowercase);
        let last = before.is_some_and(|c| c.is_ascii_uppercase()) && after;
        if letter.is_ascii_uppercase() && (ends || last) {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// Converts a name in snake_case to UpperCamelCase.
#[must_use]
pub fn upper_camel(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect()
}

/// Names in use, with their definitions.
#[derive(Default)]
struct Taken(BTreeMap<String, String>);

impl Taken {
    fn take(&mut self, name: String, by: String) -> Result<(), Error> {
        match self.0.insert(name.clone(), by.clone()) {
            Some(first) => Err(Error::Twice { name, first, second: by }),
            None => Ok(()),
        }
    }
}

/// Checks that all definitions of the Rust file have different names.
pub fn check(file: &FileDescriptor, fields: &Fields) -> Result<(), Error> {
    let mut taken = Taken::default();
    // Generated code uses these short names.
    taken.take("Result".into(), "Rust's type".into())?;
    taken.take("T".into(), "the type parameter of the generated code".into())?;
    for message in file.messages() {
        taken.take(message.name().into(), format!("message {}", message.name()))?;
    }
    for one in file.enums() {
        taken.take(one.name().into(), format!("enum {}", one.name()))?;
    }
    for service in file.services() {
        let name = service.name();
        for made in [
            name.into(),
            format!("{name}Server"),
            format!("{name}Reply"),
            format!("{}_METHODS", snake(name).to_ascii_uppercase()),
        ] {
            taken.take(made, format!("service {name}"))?;
        }
        methods(&service, fields)?;
    }
    Ok(())
}

fn methods(service: &ServiceDescriptor, fields: &Fields) -> Result<(), Error> {
    let mut taken = Taken::default();
    for method in service.methods() {
        let by = format!("rpc {}", method.full_name());
        let name = snake(method.name());
        if method.is_client_streaming() {
            taken.take(format!("{name}_end"), format!("the end of {by}"))?;
        }
        if method.is_server_streaming() {
            taken.take(format!("{}Items", method.name()), format!("the items of {by}"))?;
        }
        if let Some(pulled) = fields.pulled.get(method.output().full_name()) {
            let type_name = format!("{}{}", method.name(), upper_camel(&pulled.name));
            taken.take(type_name, format!("{} of {by}", pulled.name))?;
        }
        taken.take(name, by)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_in_snake_case() {
        for (name, expected) in [
            ("Echo", "echo"),
            ("FlashRead", "flash_read"),
            ("HTTPGet2All", "http_get2_all"),
            ("getURL", "get_url"),
            ("Read_Once", "read_once"),
            ("ABC", "abc"),
        ] {
            assert_eq!(snake(name), expected);
        }
    }

    #[test]
    fn types_are_in_camel_case() {
        assert_eq!(upper_camel("raw_data_2"), "RawData2");
        assert_eq!(upper_camel("_data"), "Data");
    }
}
