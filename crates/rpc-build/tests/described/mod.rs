//! Messages of another library for the same `.proto`, and responses that are read in pieces.

use std::path::Path;

use airlag_rpc::service::Reply;
use protox::Compiler;
use protox::prost::Message as _;
use protox::prost_reflect::{DescriptorPool, DynamicMessage, Value};

/// The messages of a `.proto`.
pub struct Messages {
    pool: DescriptorPool,
    package: &'static str,
}

impl Messages {
    /// The messages of a file, by its path in this crate.
    pub fn of(proto: &str, package: &'static str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(proto);
        let folder = path.parent().expect("a folder");
        let mut compiler = Compiler::new([folder]).expect("a folder");
        compiler.include_imports(true).open_file(&path).expect("a .proto");
        Self { pool: compiler.descriptor_pool(), package }
    }

    /// The message `name` of these fields.
    pub fn message(&self, name: &str, fields: &[(&str, Value)]) -> DynamicMessage {
        let name = format!("{}.{name}", self.package);
        let descriptor = self.pool.get_message_by_name(&name).expect("a message");
        let mut message = DynamicMessage::new(descriptor);
        for (field, value) in fields {
            message.set_field_by_name(field, value.clone());
        }
        message
    }

    /// Bytes of this message.
    pub fn bytes(&self, name: &str, fields: &[(&str, Value)]) -> Vec<u8> {
        self.message(name, fields).encode_to_vec()
    }
}

/// The items of a reply, each read in pieces of these sizes, repeated cyclically.
pub fn pulled(mut reply: impl Reply, sizes: &[usize]) -> Vec<Vec<u8>> {
    let mut items = Vec::new();
    let mut sizes = sizes.iter().copied().cycle();
    while reply.next() {
        let mut item = Vec::new();
        loop {
            let mut piece = vec![0xA5; sizes.next().expect("a size")];
            let len = reply.read(&mut piece);
            item.extend(&piece[..len]);
            assert!(piece[len..].iter().all(|&byte| byte == 0xA5), "more is written than is told");
            if len < piece.len() {
                break;
            }
        }
        assert_eq!(reply.len(), item.len());
        assert_eq!(reply.read(&mut [0]), 0, "nothing is behind the end");
        items.push(item);
    }
    items
}
