//! # airlag-rpc-build: Rust code for a service from its `.proto`
//!
//! **Input:** a `.proto` file with a service, and limits for the fields of its messages. **Output:** one Rust
//! file with the messages, a trait with one method per rpc, and an adapter from this trait to
//! `airlag_rpc::service::Service`.
//!
//! ```text
//!  service.proto   → protox → descriptors ─┬→ schema (checked, with limits) → micropb-gen → messages ─┐
//!  service.options → options ──────────────┘                        └──────→ emit → trait, adapter ───┴→ file
//! ```
//!
//! - [`options`]: limits of message fields, in the options format of nanopb.
//! - [`schema`]: checks of the `.proto` file.
//! - [`emit`]: generation of the trait of a service, and of the adapter for this trait.
//! - [`error`]: errors in the input files.
//!
//! Generated code does not allocate: texts, bytes and lists have a largest length, and messages are not
//! recursive. It needs `airlag-rpc`, `heapless` and `micropb` (with its feature `container-heapless-0-9`).

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

/// Input of the generator.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The `.proto` with the service.
    pub proto: PathBuf,
    /// Folders for imports, searched before the folder of the `.proto`.
    pub include: Vec<PathBuf>,
    /// Options file. `None` means the file beside the `.proto` with the extension `.options`, if it
    /// exists.
    pub options: Option<PathBuf>,
}

/// Generates the Rust file of a service.
///
/// # Errors
///
/// [`Error`] for an invalid input.
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
    // The warnings concern skipped definitions, which are not used.
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

/// Header of the generated file. It disables lints that generated code violates.
fn head(proto: &Path) -> String {
    let name = proto.file_name().unwrap_or_default().to_string_lossy();
    format!(
        "//! Generated from `{name}` by airlag-rpc-build. Do not edit.\n\
         #![allow(missing_docs, reason = \"documented as far as the .proto is\")]\n\
         #![allow(nonstandard_style, unused, reason = \"names of the .proto; generic code\")]\n\
         #![allow(clippy::all, reason = \"generic code of messages\")]\n\n"
    )
}
