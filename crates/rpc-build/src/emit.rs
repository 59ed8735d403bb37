//! Code generator of the trait of a service and of its adapter.

use std::collections::BTreeMap;

use micropb_gen::service::{MethodView, ServiceGenerator, ServiceView, TypeResolver};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use crate::schema::{Method, Pulled, Service, snake, upper_camel};

/// The services of a file, by name.
pub struct Services(pub BTreeMap<String, Service>);

impl ServiceGenerator for Services {
    fn generate(&mut self, view: &ServiceView, types: &dyn TypeResolver) -> TokenStream {
        // Only the messages of imported files are used.
        let Some(service) = self.0.get(view.name).filter(|_| view.package.is_empty()) else {
            return TokenStream::new();
        };
        let methods = view.methods.iter().zip(&service.methods).zip(0_u8..=u8::MAX);
        let methods: Vec<_> =
            methods.map(|((view, method), number)| Rpc::new(view, method, number, types)).collect();
        file(view.name, &service.doc, &methods)
    }
}

/// Streaming mode of an rpc.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Unary,
    Stream,
    Upload,
}

/// A method with its Rust names.
struct Rpc<'a> {
    /// Name in the `.proto`.
    name: Ident,
    /// Name on the wire.
    command: String,
    number: u8,
    way: Way,
    doc: &'a [String],
    request: TokenStream,
    response: TokenStream,
    /// Bytes field of the request that is passed separately.
    borrowed: Option<&'a Pulled>,
    /// Bytes field of the response that is passed separately, with its type.
    pulled: Option<(&'a Pulled, Ident)>,
}

impl<'a> Rpc<'a> {
    fn new(view: &MethodView, method: &'a Method, number: u8, types: &dyn TypeResolver) -> Self {
        let way = match (view.client_streaming, view.server_streaming) {
            (true, _) => Way::Upload,
            (_, true) => Way::Stream,
            _ => Way::Unary,
        };
        let pulled = method.response.as_ref();
        Self {
            name: ident(view.name),
            command: snake(view.name),
            number,
            way,
            doc: &method.doc,
            request: types.rust_path(view.input_type),
            response: types.rust_path(view.output_type),
            borrowed: method.request.as_ref(),
            pulled: pulled.map(|p| (p, format_ident!("{}{}", view.name, upper_camel(&p.name)))),
        }
    }

    fn items(&self) -> Ident {
        format_ident!("{}Items", self.name)
    }

    fn end(&self) -> Ident {
        format_ident!("{}_end", self.command)
    }

    fn abandon(&self) -> Ident {
        format_ident!("{}_abandon", self.command)
    }

    /// Associated type of the trait, if any.
    fn associated(&self) -> Option<TokenStream> {
        let command = &self.command;
        if let Some((pulled, name)) = &self.pulled {
            let doc = format!(" Source of `{}` in an answer to `{command}`.", pulled.name);
            return Some(quote! { #[doc = #doc] type #name: ::airlag_rpc::source::Source; });
        }
        let (items, response) = (self.items(), &self.response);
        let doc = format!(" Items of an answer to `{command}`.");
        (self.way == Way::Stream).then(
            || quote! { #[doc = #doc] type #items: ::core::iter::Iterator<Item = #response>; },
        )
    }

    /// Type of its response in the trait.
    fn answer(&self) -> TokenStream {
        let response = &self.response;
        match &self.pulled {
            Some((_, name)) => quote! { (#response, Self::#name) },
            None => quote! { #response },
        }
    }

    /// Its method in the trait.
    fn signature(&self) -> TokenStream {
        let (method, request) = (ident(&self.command), &self.request);
        let (doc, fault) = (docs(self.doc, &self.command), quote! { ::airlag_rpc::service::Fault });
        let errors = quote! {
            #[doc = ""]
            #[doc = " # Errors"]
            #[doc = ""]
            #[doc = " [`Fault`](::airlag_rpc::service::Fault), which is reported to the central."]
        };
        let argument = if self.way == Way::Upload { "item" } else { "request" };
        let name = ident(argument);
        let borrowed = self.borrowed.map(|pulled| {
            let clashes = pulled.name == argument || pulled.name == "self";
            let bytes =
                if clashes { format!("{}_bytes", pulled.name) } else { pulled.name.clone() };
            let bytes = ident(&bytes);
            quote! { , #bytes: &[u8] }
        });
        let answer = match self.way {
            Way::Unary => self.answer(),
            Way::Stream => {
                let items = self.items();
                quote! { Self::#items }
            }
            Way::Upload => quote! { () },
        };
        let call = quote! {
            #doc
            #errors
            fn #method(&mut self, #name: #request #borrowed)
                -> ::core::result::Result<#answer, #fault>;
        };
        if self.way != Way::Upload {
            return call;
        }
        let (end, abandon, answer) = (self.end(), self.abandon(), self.answer());
        let doc = format!(" Processes the end of the items of `{}`.", self.command);
        let abandoned =
            format!(" Discards the items of `{}`, because the others are lost.", self.command);
        quote! {
            #call
            #[doc = #doc]
            #errors
            fn #end(&mut self) -> ::core::result::Result<#answer, #fault>;
            #[doc = #abandoned]
            fn #abandon(&mut self);
        }
    }

    /// Its variant of the reply.
    fn variant(&self) -> TokenStream {
        let (name, response) = (&self.name, &self.response);
        let doc = format!(" Answer of `{}`.", self.command);
        let answer = if self.way == Way::Stream {
            let items = self.items();
            quote! { Items<T::#items> }
        } else if let Some((_, bytes)) = &self.pulled {
            quote! { Single<::airlag_rpc::source::Pulled<#response, T::#bytes>> }
        } else {
            quote! { Single<::airlag_rpc::source::Encoded<#response>> }
        };
        quote! { #[doc = #doc] #name(::airlag_rpc::answer::#answer) }
    }

    /// A single response `value` as a reply.
    fn single(&self, reply: &Ident, value: &TokenStream) -> TokenStream {
        let name = &self.name;
        let source = match &self.pulled {
            Some((pulled, _)) => {
                let (number, most) = (pulled.number, pulled.most as usize);
                quote! {{
                    let (response, bytes) = #value;
                    ::airlag_rpc::source::Pulled::new(response, #number, bytes, #most)?
                }}
            }
            None => quote! { ::airlag_rpc::source::Encoded::new(#value) },
        };
        quote! { #reply::#name(::airlag_rpc::answer::Single::new(#source)) }
    }

    /// Code of a call.
    fn call(&self, reply: &Ident) -> TokenStream {
        let (command, name, method) = (&self.command, &self.name, ident(&self.command));
        let borrowed = self.borrowed.map(|pulled| {
            let (number, most) = (pulled.number, pulled.most as usize);
            quote! { , ::airlag_rpc::request::bytes(request, #number, #most)? }
        });
        let called = quote! { self.0.#method(::airlag_rpc::request::decode(request)? #borrowed)? };
        let outcome = match self.way {
            Way::Unary => {
                let reply = self.single(reply, &called);
                quote! { Outcome::Reply(#reply) }
            }
            Way::Stream => quote! {
                Outcome::Stream(#reply::#name(::airlag_rpc::answer::Items::new(#called)))
            },
            Way::Upload => quote! {{ #called; Outcome::Taken }},
        };
        quote! { #command => #outcome }
    }

    /// Code of the end of an upload.
    fn ended(&self, reply: &Ident) -> Option<TokenStream> {
        let (command, end) = (&self.command, self.end());
        let reply = self.single(reply, &quote! { self.0.#end()? });
        (self.way == Way::Upload).then(|| quote! { #command => Ok(#reply) })
    }

    /// Code of an abandoned upload.
    fn abandoned(&self) -> Option<TokenStream> {
        let (command, abandon) = (&self.command, self.abandon());
        (self.way == Way::Upload).then(|| quote! { #command => self.0.#abandon() })
    }

    /// Its entry in the list of methods.
    fn entry(&self) -> TokenStream {
        let (command, number) = (&self.command, self.number);
        let kind = match self.way {
            Way::Unary => quote! { Unary },
            Way::Stream => quote! { Stream },
            Way::Upload => quote! { Upload },
        };
        quote! {
            ::airlag_rpc::method::Method {
                name: #command, number: #number, kind: ::airlag_rpc::method::Kind::#kind,
            }
        }
    }
}

fn file(service: &str, doc: &[String], methods: &[Rpc]) -> TokenStream {
    let name = ident(service);
    let (server, reply) = (format_ident!("{service}Server"), format_ident!("{service}Reply"));
    let list = format_ident!("{}_METHODS", snake(service).to_ascii_uppercase());
    let doc = docs(doc, service);
    let list_doc = format!(" The methods of [`{service}`], by number.");
    let reply_doc = format!(" Answers of a [`{service}`] that are being sent.");
    let server_doc = format!(" A [`{service}`] as a service.");

    let associated: Vec<_> = methods.iter().filter_map(Rpc::associated).collect();
    // An unused type parameter would not compile.
    let (bound, of) = if associated.is_empty() {
        (quote! {}, quote! {})
    } else {
        (quote! { <T: #name> }, quote! { <T> })
    };
    let signatures = methods.iter().map(Rpc::signature);
    let variants = methods.iter().map(Rpc::variant);
    let entries = methods.iter().map(Rpc::entry);
    let commands = methods.iter().map(|method| &method.command);
    let calls = methods.iter().map(|method| method.call(&reply));
    let ends = methods.iter().filter_map(|method| method.ended(&reply));
    let abandons = methods.iter().filter_map(Rpc::abandoned);
    let names: Vec<_> = methods.iter().map(|method| &method.name).collect();
    quote! {
        #doc
        pub trait #name {
            #(#associated)*
            #(#signatures)*
        }

        #[doc = #list_doc]
        pub const #list: &[::airlag_rpc::method::Method] = &[#(#entries),*];

        #[doc = #reply_doc]
        pub enum #reply #bound { #(#variants),* }

        impl #bound ::airlag_rpc::service::Reply for #reply #of {
            fn len(&self) -> usize {
                match self { #(Self::#names(reply) => reply.len()),* }
            }

            fn read(&mut self, into: &mut [u8]) -> usize {
                match self { #(Self::#names(reply) => reply.read(into)),* }
            }

            fn next(&mut self) -> bool {
                match self { #(Self::#names(reply) => reply.next()),* }
            }
        }

        #[doc = #server_doc]
        pub struct #server<T>(pub T);

        impl<T: #name> ::airlag_rpc::service::Service for #server<T> {
            type Reply = #reply #of;

            fn methods(&self) -> &'static [&'static str] {
                &[#(#commands),*]
            }

            fn call(
                &mut self,
                method: &str,
                request: &[u8],
            ) -> ::core::result::Result<
                ::airlag_rpc::service::Outcome<Self::Reply>,
                ::airlag_rpc::service::Fault,
            > {
                use ::airlag_rpc::service::{Fault, Outcome};
                Ok(match method {
                    #(#calls,)*
                    _ => return Err(Fault::UnknownMethod),
                })
            }

            fn end(
                &mut self,
                method: &str,
            ) -> ::core::result::Result<Self::Reply, ::airlag_rpc::service::Fault> {
                match method {
                    #(#ends,)*
                    _ => Err(::airlag_rpc::service::Fault::UnknownMethod),
                }
            }

            fn abandon(&mut self, method: &str) {
                match method {
                    #(#abandons,)*
                    _ => {}
                }
            }
        }
    }
}

/// Comment in the `.proto`, or the name without a comment.
fn docs(lines: &[String], name: &str) -> TokenStream {
    if lines.is_empty() {
        let line = format!(" `{name}` of the .proto, without a comment there.");
        return quote! { #[doc = #line] };
    }
    quote! { #(#[doc = #lines])* }
}

/// An identifier, raw if it is a Rust keyword.
fn ident(name: &str) -> Ident {
    match syn::parse_str(name) {
        Ok(ident) => ident,
        // These four cannot be raw identifiers.
        Err(_) if matches!(name, "self" | "Self" | "super" | "crate") => format_ident!("{name}_"),
        Err(_) => Ident::new_raw(name, Span::call_site()),
    }
}
