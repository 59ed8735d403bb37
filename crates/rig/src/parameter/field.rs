//! Declaration of a kind's parameters, and the types generated from it.
//!
//! ```ignore
//! parameters! {
//!     /// What a profile of this kind sets.
//!     pub struct Parameters {
//!         /// air data rate
//!         rate: Rate = unit("kbit/s"),
//!         /// Tstby2a
//!         settle: Duration,
//!         /// how many times a frame is sent again
//!         retries: u8 = whole(0, 15, ""),
//!         /// losses on the air
//!         loss: FrameLoss,
//!     }
//! }
//! ```
//!
//! A field of a `parameters!` structure is a number, a time, a phase, a choice, or a group of
//! further fields. The comment of a field is its help text. From the fields, the macro
//! `parameters!` generates the typed structure that configures the bench. The macro also generates
//! the list of declarations, with which files and `--set` are validated and errors are reported.
//! For each field, the macro generates a [`Name`]. Code that refers to a misspelt parameter
//! therefore does not compile.

use airlag_sim::Duration;

use super::unit::ratio;
use super::{Domain, Known, OF_ENVIRONMENT, RANDOM, Value};
use crate::error::Error;
use crate::profile::Profile;

/// Name of a declared parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(&'static str);

impl Name {
    /// Creates a name; only for the `parameters!` macro.
    #[doc(hidden)]
    #[must_use]
    pub const fn declared(name: &'static str) -> Self {
        Self(name)
    }

    /// Spelling in files and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

/// Range, unit and default in a field's declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shape {
    unit: Option<&'static str>,
    range: Option<(f64, f64)>,
    default: Option<(&'static str, &'static str)>,
}

impl Shape {
    /// Adds a default and its justification.
    #[must_use]
    pub const fn or(mut self, value: &'static str, reason: &'static str) -> Self {
        self.default = Some((value, reason));
        self
    }
}

/// Sets the unit; the type determines the range.
#[must_use]
pub const fn unit(unit: &'static str) -> Shape {
    Shape { unit: Some(unit), range: None, default: None }
}

/// Returns a whole number from `low` to `high`; the unit may be empty.
#[must_use]
pub const fn whole(low: i64, high: i64, unit: &'static str) -> Shape {
    Shape { unit: Some(unit), range: Some((low as f64, high as f64)), default: None }
}

/// Returns a real number from `low` to `high`; the unit may be empty.
#[must_use]
pub const fn real(low: f64, high: f64, unit: &'static str) -> Shape {
    Shape { unit: Some(unit), range: Some((low, high)), default: None }
}

/// A type that a field of a declaration can have.
///
/// `By` satisfies the orphan rule: it is `()`, or a local type of a crate that declares the choices
/// of another crate's enumeration.
pub trait Field<By = ()>: Sized {
    /// Declares the parameters of a field `name`: one, or those of a group.
    fn declare(name: &'static str, about: &'static str, shape: Shape) -> Vec<Known>;

    /// Reads the field from a profile.
    fn read(profile: &Profile, name: &'static str) -> Result<Self, Error>;
}

/// Declares one parameter.
#[must_use]
pub fn one(
    name: &'static str,
    about: &'static str,
    shape: Shape,
    unit: &'static str,
    domain: impl FnOnce(Option<(f64, f64)>) -> Domain,
) -> Vec<Known> {
    let unit = shape.unit.unwrap_or(unit);
    vec![Known { name, unit, domain: domain(shape.range), about, default: shape.default }]
}

/// Implements [`Field`] for whole numbers.
macro_rules! whole_numbers {
    ($($number:ty),*) => {$(
        impl Field for $number {
            fn declare(name: &'static str, about: &'static str, shape: Shape) -> Vec<Known> {
                let all = (<$number>::MIN as f64, <$number>::MAX as f64);
                one(name, about, shape, "", |range| {
                    let (low, high) = range.unwrap_or(all);
                    Domain::Whole(low as i64, high as i64)
                })
            }

            fn read(profile: &Profile, name: &'static str) -> Result<Self, Error> {
                match profile.value(name)? {
                    &Value::Whole(whole) => {
                        Self::try_from(whole).map_err(|_| profile.missing(name))
                    }
                    _ => Err(profile.missing(name)),
                }
            }
        }
    )*};
}

whole_numbers!(u8, u16, u32, u64, usize, i32, i64);

impl Field for f64 {
    fn declare(name: &'static str, about: &'static str, shape: Shape) -> Vec<Known> {
        one(name, about, shape, "", |range| {
            let (low, high) = range.unwrap_or((0.0, 1.0));
            Domain::Real(low, high)
        })
    }

    fn read(profile: &Profile, name: &'static str) -> Result<Self, Error> {
        match *profile.value(name)? {
            Value::Real(real) => Ok(real),
            Value::Whole(whole) => Ok(whole as Self),
            _ => Err(profile.missing(name)),
        }
    }
}

impl Field for bool {
    fn declare(name: &'static str, about: &'static str, shape: Shape) -> Vec<Known> {
        one(name, about, shape, "", |_| Domain::Flag)
    }

    fn read(profile: &Profile, name: &'static str) -> Result<Self, Error> {
        match profile.value(name)? {
            &Value::Flag(flag) => Ok(flag),
            _ => Err(profile.missing(name)),
        }
    }
}

/// Up to 1,000 s, in nanoseconds unless declared otherwise.
impl Field for Duration {
    fn declare(name: &'static str, about: &'static str, shape: Shape) -> Vec<Known> {
        one(name, about, shape, "ns", |range| {
            let (low, high) = range.unwrap_or((0.0, 1e12));
            Domain::Whole(low as i64, high as i64)
        })
    }

    fn read(profile: &Profile, name: &'static str) -> Result<Self, Error> {
        let count = u64::read(profile, name)?;
        let of = profile.parameters.get(name).map_or("", |parameter| parameter.unit.as_str());
        let each = ratio(of, "ns").ok_or_else(|| profile.missing(name))?;
        Ok(Self::from_ns(count.saturating_mul(each as u64)))
    }
}

/// Initial phase of a periodic process at the start of the bench, as a fraction of its cycle.
/// `None` if the phase is drawn from the seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase(pub Option<f64>);

impl Field for Phase {
    fn declare(name: &'static str, about: &'static str, shape: Shape) -> Vec<Known> {
        one(name, about, shape, "", |_| Domain::Phase)
    }

    fn read(profile: &Profile, name: &'static str) -> Result<Self, Error> {
        match profile.value(name)? {
            Value::Choice(choice) if choice == RANDOM => Ok(Self(None)),
            _ => f64::read(profile, name).map(|share| Self(Some(share))),
        }
    }
}

/// A number. `None` stands for the value of the link's environment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByEnvironment(pub Option<f64>);

impl Field for ByEnvironment {
    fn declare(name: &'static str, about: &'static str, shape: Shape) -> Vec<Known> {
        one(name, about, shape, "", |range| {
            let (low, high) = range.unwrap_or((0.0, 1.0));
            Domain::RealOrEnvironment(low, high)
        })
    }

    fn read(profile: &Profile, name: &'static str) -> Result<Self, Error> {
        match profile.value(name)? {
            Value::Choice(choice) if choice == OF_ENVIRONMENT => Ok(Self(None)),
            _ => f64::read(profile, name).map(|number| Self(Some(number))),
        }
    }
}

/// Frequency error of a clock, parts per billion. The range is 200 ppm, which no crystal on the
/// market exceeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ppb(pub i32);

impl Field for Ppb {
    fn declare(name: &'static str, about: &'static str, shape: Shape) -> Vec<Known> {
        one(name, about, shape, "ppb", |range| {
            let (low, high) = range.unwrap_or((-200_000.0, 200_000.0));
            Domain::Whole(low as i64, high as i64)
        })
    }

    fn read(profile: &Profile, name: &'static str) -> Result<Self, Error> {
        i32::read(profile, name).map(Self)
    }
}

/// Declares parameters: see the documentation of `parameter/field.rs`.
#[macro_export]
macro_rules! parameters {
    (
        $(#[doc = $what:literal])*
        $vis:vis struct $name:ident {
            $($(#[doc = $about:literal])+ $field:ident : $type:ty $(= $shape:expr)?),* $(,)?
        }
    ) => {
        $(#[doc = $what])*
        #[derive(Clone, Copy, Debug)]
        $vis struct $name {
            $($(#[doc = $about])+ pub $field: $type,)*
        }

        #[allow(non_upper_case_globals, dead_code, reason = "a name is spelt as its field")]
        impl $name {
            $($(#[doc = $about])+
            pub const $field: $crate::parameter::Name =
                $crate::parameter::Name::declared(stringify!($field));)*
        }

        impl $crate::parameter::Field for $name {
            fn declare(
                _: &'static str,
                _: &'static str,
                _: $crate::parameter::Shape,
            ) -> Vec<$crate::parameter::Known> {
                #[allow(unused_imports, reason = "not every declaration has a range")]
                use $crate::parameter::{real, unit, whole};
                let mut all = Vec::new();
                $(
                    let shape = None$(.or(Some($shape)))?;
                    all.extend(<$type as $crate::parameter::Field<_>>::declare(
                        stringify!($field),
                        concat!($($about),+).trim_start(),
                        shape.unwrap_or_default(),
                    ));
                )*
                all
            }

            fn read(
                profile: &$crate::profile::Profile,
                _: &'static str,
            ) -> Result<Self, $crate::error::Error> {
                Ok(Self {
                    $($field: <$type as $crate::parameter::Field<_>>::read(
                        profile,
                        stringify!($field),
                    )?,)*
                })
            }
        }
    };
}

/// Declares an enumeration whose values are choices of a parameter, or registers an existing one:
/// `choices!(for Rate { Mbps1 = "1000", Mbps2 = "2000" })`.
#[macro_export]
macro_rules! choices {
    (
        $(#[doc = $what:literal])*
        $vis:vis enum $name:ident {
            $($(#[doc = $about:literal])+ $variant:ident = $text:literal),* $(,)?
        }
    ) => {
        $(#[doc = $what])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $($(#[doc = $about])+ $variant,)*
        }
        $crate::choices!(for $name { $($variant = $text),* });
    };
    (for $type:ty { $($variant:ident = $text:literal),* $(,)? }) => {
        const _: () = {
            /// Local type of the declaring crate, as required by
            /// [`Field`]($crate::parameter::Field).
            #[allow(missing_debug_implementations, reason = "there is none of it")]
            pub enum Here {}

            impl $crate::parameter::Field<Here> for $type {
                fn declare(
                    name: &'static str,
                    about: &'static str,
                    shape: $crate::parameter::Shape,
                ) -> Vec<$crate::parameter::Known> {
                    // A new variant does not compile until it has a text.
                    #[allow(dead_code, reason = "for the compiler to check")]
                    fn all(of: &$type) -> &'static str {
                        match of { $(<$type>::$variant => $text,)* }
                    }
                    let domain = $crate::parameter::Domain::Choice(&[$($text),*]);
                    $crate::parameter::one(name, about, shape, "", |_| domain)
                }

                fn read(
                    profile: &$crate::profile::Profile,
                    name: &'static str,
                ) -> Result<Self, $crate::error::Error> {
                    match profile.chosen(name)? {
                        $($text => Ok(<$type>::$variant),)*
                        _ => Err(profile.missing(name)),
                    }
                }
            }
        };
    };
}

/// Declares a number that is restricted to a few values.
#[macro_export]
macro_rules! numbers {
    ($(#[doc = $what:literal])+ $vis:vis struct $name:ident($type:ty) of $($number:literal),+) => {
        $(#[doc = $what])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis struct $name(pub $type);

        impl $crate::parameter::Field for $name {
            fn declare(
                name: &'static str,
                about: &'static str,
                shape: $crate::parameter::Shape,
            ) -> Vec<$crate::parameter::Known> {
                let domain = $crate::parameter::Domain::Choice(&[$(stringify!($number)),+]);
                $crate::parameter::one(name, about, shape, "", |_| domain)
            }

            fn read(
                profile: &$crate::profile::Profile,
                name: &'static str,
            ) -> Result<Self, $crate::error::Error> {
                match profile.chosen(name)? {
                    $(stringify!($number) => Ok(Self($number)),)+
                    _ => Err(profile.missing(name)),
                }
            }
        }
    };
}

pub use {choices, numbers, parameters};
