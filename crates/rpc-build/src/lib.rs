//! # airlag-rpc-build: from a `.proto` to the Rust that serves it
//!
//! **Enters:** a `.proto` with a service, and limits for its fields. **Leaves:** one Rust file: the messages,
//! a trait with a method an rpc, and what makes an `airlag_rpc::service::Service` of whoever implements it.
//!
//! ```text
//!  service.proto   → protox → descriptors ─┬→ schema (checked, with limits) → micropb-gen → messages ─┐
//!  service.options → options ──────────────┘                        └──────→ emit → trait, adapter ───┴→ file
//! ```
//!
//! - [`options`]: limits, in the file that nanopb has for them.
//! - [`schema`]: what a `.proto` has to be so that code can be made of it.
//! - [`emit`]: the trait and the adapter.
//! - [`error`]: what may be wrong, a line each.
//!
//! Nothing that is made allocates: texts, bytes and lists have a greatest length, and messages do not hold
//! themselves. Who uses the file needs `airlag-rpc`, `heapless` and `micropb` (with its feature
//! `container-heapless-0-9`) besides.

#![forbid(unsafe_code)]

pub mod emit;
pub mod error;
pub mod options;
pub mod schema;

use std::fs;
use std::path::{Path, PathBuf};

use micropb_gen::Generator;

pub use error::Error;
use schema::Schema;

/// What a service is made of.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The `.proto` with the service.
    pub proto: PathBuf,
    /// Where what it imports is looked for, before the folder it is in.
    pub include: Vec<PathBuf>,
    /// Limits of fields; none for the file beside the `.proto` whose name ends in `.options`, if there is one.
    pub options: Option<PathBuf>,
}

/// The Rust file of a service.
///
/// # Errors
///
/// [`Error`]: what is wrong with the input, in one line.
pub fn generate(input: &Input) -> Result<String, Error> {
    let beside = input.proto.with_extension("options");
    let found = input.options.clone().or_else(|| beside.is_file().then(|| beside.clone()));
    let rules = match &found {
        Some(path) => options::read(path)?,
        None => Vec::new(),
    };
    let limits = found.unwrap_or(beside);
    let schema = Schema::read(&input.proto, &input.include, &rules, &limits)?;

    let io = |error| Error::File { path: "a temporary folder".into(), error };
    let folder = tempfile::tempdir().map_err(io)?;
    let (set, messages) = (folder.path().join("set"), folder.path().join("messages.rs"));
    fs::write(&set, &schema.set).map_err(io)?;
    // It would tell of what it leaves out, which is what is not used.
    let mut generator = Generator::with_warning_callback(|_| {});
    generator.use_container_heapless().calculate_max_size(false);
    for (path, config) in schema.configs {
        generator.configure(&path, config);
    }
    generator.add_service_generator(emit::Services(schema.services));
    generator
        .compile_fdset_file(&set, &messages)
        .map_err(|error| Error::Messages { text: error::one_line(&error.to_string()) })?;
    let code = fs::read_to_string(&messages).map_err(io)?;
    Ok(format!("{}{code}", head(&input.proto)))
}

/// What stands before the code; the lints are those that the code of messages does not keep.
fn head(proto: &Path) -> String {
    let name = proto.file_name().unwrap_or_default().to_string_lossy();
    format!(
        "//! What `{name}` describes: made by airlag-rpc-build, not to be changed by hand.\n\
         #![allow(missing_docs, reason = \"it says as much as the .proto does\")]\n\
         #![allow(nonstandard_style, unused, reason = \"names of the .proto; code that fits any message\")]\n\
         #![allow(clippy::all, reason = \"code of messages, that fits any message\")]\n\n"
    )
}
