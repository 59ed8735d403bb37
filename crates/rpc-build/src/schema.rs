//! Checks of a `.proto`.

mod fields;
mod flat;
mod names;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use micropb_gen::Config;
use protox::Compiler;
use protox::prost::Message as _;
use protox::prost_reflect::{DescriptorPool, FileDescriptor, MessageDescriptor, ServiceDescriptor};

use crate::error::{Error, one_line};
use crate::options::Rule;

pub use names::{snake, upper_camel};

/// Largest number of methods, which one byte numbers.
const METHODS: usize = 256;

/// A checked `.proto`.
pub struct Schema {
    /// Descriptors of the file and its imports, without its package, so that names are short.
    pub set: Vec<u8>,
    /// Configurations of messages and fields, by path in `set`.
    pub configs: Vec<(String, Config)>,
    /// Its services by name.
    pub services: BTreeMap<String, Service>,
}

/// A service.
pub struct Service {
    /// Lines of its comment.
    pub doc: Vec<String>,
    /// Methods in order.
    pub methods: Vec<Method>,
}

/// A method.
pub struct Method {
    /// Lines of its comment.
    pub doc: Vec<String>,
    /// Bytes field of the request that is passed without a copy.
    pub request: Option<Pulled>,
    /// Bytes field of the response that is read while it is sent.
    pub response: Option<Pulled>,
}

/// A bytes field that is not stored in the message.
#[derive(Clone)]
pub struct Pulled {
    /// Name of the field.
    pub name: String,
    /// Number of the field.
    pub number: u32,
    /// Largest length, bytes.
    pub most: u32,
}

impl Schema {
    /// Reads and checks a `.proto`. `rules` are the limits in the file `options`.
    ///
    /// # Errors
    ///
    /// [`Error`] for an invalid `.proto`.
    pub fn read(
        proto: &Path,
        include: &[impl AsRef<Path>],
        rules: &[Rule],
        options: &Path,
    ) -> Result<Self, Error> {
        File::open(proto).map_err(|error| Error::File { path: proto.into(), error })?;
        let (pool, name) = compile(proto, include)?;
        let Some(file) = pool.get_file_by_name(&name) else {
            return Err(Error::NoService { proto: proto.into() });
        };
        if file.services().len() == 0 {
            return Err(Error::NoService { proto: proto.into() });
        }
        let fields = fields::check(&file, rules, options)?;
        names::check(&file, &fields)?;
        let services = file.services().map(|service| {
            let pulled = |message: &MessageDescriptor| fields.pulled.get(message.full_name());
            Ok((service.name().to_owned(), self::service(&service, pulled)?))
        });
        let services = services.collect::<Result<_, Error>>()?;
        let set = flat::without_package(&pool, file.package_name());
        Ok(Self { set: set.encode_to_vec(), configs: fields.configs, services })
    }
}

/// Descriptors of a `.proto`, and its name among them.
fn compile(proto: &Path, include: &[impl AsRef<Path>]) -> Result<(DescriptorPool, String), Error> {
    let folder = proto.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let include = include.iter().map(AsRef::as_ref).chain([folder]);
    // Only the debug format contains file, line and column.
    let described = |error: protox::Error| {
        let text = one_line(&format!("{error:?}"));
        let place = proto.display().to_string();
        let has_place = error.file().is_some_and(|file| text.contains(file));
        Error::Proto { text: if has_place { text } else { format!("{place}: {text}") } }
    };
    let mut compiler = Compiler::new(include).map_err(described)?;
    compiler.include_imports(true).include_source_info(true).open_file(proto).map_err(described)?;
    let opened = compiler.files().find(|file| !file.is_import());
    let name = opened.map(|file| file.name().to_owned()).unwrap_or_default();
    Ok((compiler.descriptor_pool(), name))
}

fn service<'a>(
    service: &ServiceDescriptor,
    pulled: impl Fn(&MessageDescriptor) -> Option<&'a Pulled>,
) -> Result<Service, Error> {
    let count = service.methods().len();
    if !(1..=METHODS).contains(&count) {
        return Err(Error::Methods { service: service.full_name().into(), count });
    }
    let methods = service.methods().map(|method| {
        let name = method.full_name();
        if method.is_client_streaming() && method.is_server_streaming() {
            return Err(Error::BothWays { method: name.into() });
        }
        let (request, response) = (pulled(&method.input()), pulled(&method.output()));
        if let (true, Some(Pulled { name: field, .. })) = (method.is_server_streaming(), response) {
            let field = format!("{}.{field}", method.output().full_name());
            let text = "items of a stream cannot be read on demand; limit the field with max_size";
            return Err(Error::Callback { field, text });
        }
        let doc = comment(&service.parent_file(), method.path());
        Ok(Method { doc, request: request.cloned(), response: response.cloned() })
    });
    let doc = comment(&service.parent_file(), service.path());
    Ok(Service { doc, methods: methods.collect::<Result<_, _>>()? })
}

/// Lines of the comment above the definition at `path`.
fn comment(file: &FileDescriptor, path: &[i32]) -> Vec<String> {
    let info = file.file_descriptor_proto().source_code_info.as_ref();
    let mut places = info.into_iter().flat_map(|info| &info.location);
    let text =
        places.find(|place| place.path == path).and_then(|place| place.leading_comments.as_ref());
    text.into_iter().flat_map(|text| text.lines()).map(str::to_owned).collect()
}
