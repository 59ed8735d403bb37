//! Descriptors without a package, so that the generated code is a single file without nested modules.

use std::collections::BTreeSet;

use protox::prost_reflect::DescriptorPool;
use protox::prost_reflect::prost_types::{DescriptorProto, FileDescriptorSet};

/// Descriptors of `pool`, with the files of `package` moved to the root and all references updated.
pub fn without_package(pool: &DescriptorPool, package: &str) -> FileDescriptorSet {
    let files = || pool.files().filter(|file| file.package_name() == package);
    let messages = pool.all_messages().filter(|m| m.parent_file().package_name() == package);
    let enums = pool.all_enums().filter(|e| e.parent_file().package_name() == package);
    let names = messages.map(|m| m.full_name().to_owned());
    let names: BTreeSet<String> = names.chain(enums.map(|e| e.full_name().to_owned())).collect();
    let names = Names { names, prefix: package.len() + 1 };

    let flat: BTreeSet<String> = files().map(|file| file.name().to_owned()).collect();
    let mut set = FileDescriptorSet {
        file: pool.files().map(|file| file.file_descriptor_proto().clone()).collect(),
    };
    for file in set.file.iter_mut().filter(|_| !package.is_empty()) {
        if file.name.as_ref().is_some_and(|name| flat.contains(name)) {
            file.package = None;
        }
        file.message_type.iter_mut().for_each(|message| names.shorten_in(message));
        for method in file.service.iter_mut().flat_map(|service| &mut service.method) {
            names.shorten(&mut method.input_type);
            names.shorten(&mut method.output_type);
        }
    }
    set
}

/// Names that are shortened.
struct Names {
    /// Full names without the leading dot.
    names: BTreeSet<String>,
    /// Number of bytes that are removed from each.
    prefix: usize,
}

impl Names {
    fn shorten(&self, name: &mut Option<String>) {
        let full = name.as_deref().and_then(|name| name.strip_prefix('.'));
        if let Some(full) = full.filter(|full| self.names.contains(*full)) {
            *name = Some(format!(".{}", &full[self.prefix..]));
        }
    }

    fn shorten_in(&self, message: &mut DescriptorProto) {
        message.field.iter_mut().for_each(|field| self.shorten(&mut field.type_name));
        message.nested_type.iter_mut().for_each(|nested| self.shorten_in(nested));
    }
}
