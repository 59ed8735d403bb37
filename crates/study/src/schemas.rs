//! JSON Schemas (2020-12) of the output of each command with `--json`, and of the questions.
//!
//! Additional keys are permitted, because later versions may add some.

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::answers::traffic::Call;
use crate::batch;
use crate::question::Question;
use crate::questions::{
    across, analyze, capacity, channels, compare, goodput, labels, links, load, probe, recommend,
    rpc, sensitivity, thread, time_base,
};
use crate::shapes::{
    self, boards, campaign, emulation, files, matched, ran, sweep, tuning, tunnel, tunnel_bench,
};

/// Schemas by command, with common definitions.
#[derive(Clone, Debug, Serialize)]
pub struct Schemas {
    /// Schema by command. A hyphen separates a command from its subcommand.
    pub commands: BTreeMap<&'static str, Schema>,
    /// Common definitions of the answers, by name.
    pub answers: Map<String, Value>,
    /// Schema of the input of [`ask`](crate::ask).
    pub question: Schema,
    /// Common definitions of the questions, by name.
    pub questions: Map<String, Value>,
}

/// Returns all schemas, with one line per command.
#[must_use]
pub fn schemas() -> Schemas {
    let mut all = Commands::new();
    all.add::<Vec<analyze::Answer>>("analyze");
    all.add::<files::Recorded>("record");
    all.add::<Vec<boards::Board>>("boards");
    all.add::<Vec<channels::Answer>>("channels");
    all.add::<Vec<compare::Answer>>("compare");
    all.add::<Vec<ran::Explained>>("explain");
    all.add::<Vec<links::Link>>("links");
    all.add::<Vec<ran::Ran>>("run");
    all.add::<Vec<goodput::Answer>>("goodput");
    all.add::<Vec<load::Answer>>("load");
    all.add::<Vec<capacity::Answer>>("capacity");
    all.add::<Vec<sensitivity::Answer>>("sensitivity");
    all.add::<Vec<matched::Matched>>("match");
    all.add::<recommend::Answer>("recommend");
    all.add::<tuning::Tuned>("tune");
    all.add::<tuning::Indices>("indices");
    all.add::<thread::Network>("thread");
    all.add::<Vec<emulation::EmulatedRun>>("emulate");
    all.add::<probe::Answer>("probe");
    all.add::<shapes::files::Reflected>("reflect");
    all.add::<Vec<campaign::Campaign>>("campaign");
    all.add::<sweep::Swept>("sweep");
    all.add::<Vec<files::Reported>>("report");
    all.add::<Vec<files::Converted>>("convert");
    all.add::<Vec<files::LessonRun>>("demo");
    all.add::<tunnel::Tunnel>("tunnel-up");
    all.add::<tunnel::Key>("tunnel-key");
    all.add::<Vec<tunnel::Check>>("tunnel-doctor");
    all.add::<Vec<tunnel_bench::TunnelLoad>>("tunnel-bench");
    all.add::<Vec<shapes::rpc::RpcTest>>("rpc-test");
    all.add::<Vec<rpc::Row>>("rpc-bench");
    all.share::<thread::Formed>();
    all.share::<thread::State>();
    all.share::<thread::Step>();
    all.share::<rpc::Published>();
    all.share::<Call>();
    all.share::<links::Source>();
    all.share::<links::Name>();
    all.share::<labels::Answer>();
    all.share::<links::Settable>();
    all.share::<across::Across>();
    all.share::<time_base::PulsePerSecond>();
    all.share::<batch::campaign::Campaign>();
    all.share::<batch::campaign::answer::Answer>();
    all.share::<batch::setup::Plan>();
    all.finish()
}

struct Commands {
    generator: SchemaGenerator,
    commands: BTreeMap<&'static str, Schema>,
}

impl Commands {
    fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let generator = settings.with_transform(Tidy { answer: true }).into_generator();
        Self { generator, commands: BTreeMap::new() }
    }

    fn add<T: JsonSchema>(&mut self, command: &'static str) {
        self.commands.insert(command, self.generator.subschema_for::<T>());
    }

    /// Adds a type that no command prints but that programs use.
    fn share<T: JsonSchema>(&mut self) {
        self.generator.subschema_for::<T>();
    }

    fn finish(mut self) -> Schemas {
        let settings = SchemaSettings::draft2020_12().for_deserialize();
        let mut asked = settings.with_transform(Tidy { answer: false }).into_generator();
        let question = asked.subschema_for::<Question>();
        Schemas {
            commands: self.commands,
            answers: self.generator.take_definitions(true),
            question,
            questions: asked.take_definitions(true),
        }
    }
}

/// Reduces a schema to the parts that readers in other languages need.
#[derive(Clone, Debug)]
struct Tidy {
    /// Whether this is an answer. In an answer, absent keys are never null except where [`NULLABLE`] is set,
    /// and later versions may add keys.
    answer: bool,
}

/// Keyword for a key that may be absent and, if present, may be null.
pub const NULLABLE: &str = "x-nullable";

impl Transform for Tidy {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        // Widths of Rust integers.
        schema.remove("format");
        // A question rejects unknown keys, but its copy in an answer accepts them.
        if self.answer && schema.get("additionalProperties") == Some(&Value::Bool(false)) {
            schema.remove("additionalProperties");
        }
        if let Some(Value::String(about)) = schema.get_mut("description") {
            *about = about.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        let required =
            schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let keys = schema.get_mut("properties").and_then(Value::as_object_mut);
        for (key, value) in keys.into_iter().flatten() {
            let Some(value) = value.as_object_mut() else { continue };
            let nullable = value.remove(NULLABLE).is_some();
            let optional = !required.iter().any(|one| one == key);
            if self.answer && optional && !nullable {
                not_null(value);
            }
        }
    }
}

/// Removes null from the types of a value.
fn not_null(value: &mut Map<String, Value>) {
    let null = Value::from("null");
    if let Some(Value::Array(types)) = value.get_mut("type") {
        types.retain(|one| *one != null);
        if let [only] = &types[..] {
            let only = only.clone();
            value.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = value.get_mut("anyOf") {
        choices.retain(|one| one.get("type") != Some(&null));
        if let [Value::Object(only)] = &choices[..] {
            let only = only.clone();
            value.remove("anyOf");
            value.extend(only);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_types_share_a_name() {
        let all = schemas();
        // The generator numbers a second type with the same name.
        let numbered = |name: &&String| {
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
            stem.len() < name.len()
                && (all.answers.contains_key(stem) || all.questions.contains_key(stem))
        };
        let twice: Vec<_> =
            all.answers.keys().chain(all.questions.keys()).filter(numbered).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn everything_is_described() {
        let all = schemas();
        for (name, one) in all.answers.iter().chain(&all.questions) {
            assert!(one.get("description").is_some(), "{name}");
            let keys = one.get("properties").and_then(Value::as_object).into_iter().flatten();
            for (key, value) in keys {
                assert!(value.get("description").is_some(), "{name}.{key}");
            }
        }
    }
}
