//! String types with a closed list of values, which the schema lists.

/// Declares a string type whose values another module lists.
macro_rules! words {
    ($($(#[doc = $about:literal])+ $name:ident: $all:expr;)+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(pub &'static str);

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let about = concat!($($about, "\n"),+).trim().replace("\n ", "\n");
                let all: Vec<&'static str> = $all;
                schemars::json_schema!({ "description": about, "type": "string", "enum": all })
            }
        }
    )+};
}
pub(crate) use words;
