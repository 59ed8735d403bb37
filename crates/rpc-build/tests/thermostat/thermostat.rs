//! Generated from `thermostat.proto` by airlag-rpc-build. Do not edit.
#![allow(missing_docs, reason = "documented as far as the .proto is")]
#![allow(nonstandard_style, unused, reason = "names of the .proto; generic code")]
#![allow(clippy::all, reason = "generic code of messages")]

#[derive(Debug, Default, Clone, Copy)]
pub struct Target {
    /// *Note:* The presence of this field is tracked separately in the `_has` field. It's recommended to access this field via the accessor rather than directly.
    pub r#temperature: units_::Celsius,
    /// *Note:* The presence of this field is tracked separately in the `_has` field. It's recommended to access this field via the accessor rather than directly.
    pub r#hysteresis: i32,
    /// Tracks presence of optional and message fields
    pub _has: Target_::_Hazzer,
}
impl ::core::cmp::PartialEq for Target {
    fn eq(&self, other: &Self) -> bool {
        let mut ret = true;
        ret &= (self.r#temperature() == other.r#temperature());
        ret &= (self.r#hysteresis() == other.r#hysteresis());
        ret
    }
}
impl Target {
    /// Return a reference to `temperature` as an `Option`
    #[inline]
    pub fn r#temperature(&self) -> ::core::option::Option<&units_::Celsius> {
        self._has.r#temperature().then_some(&self.r#temperature)
    }
    /// Set the value and presence of `temperature`
    #[inline]
    pub fn set_temperature(&mut self, value: units_::Celsius) -> &mut Self {
        self._has.set_temperature();
        self.r#temperature = value.into();
        self
    }
    /// Return a mutable reference to `temperature` as an `Option`
    #[inline]
    pub fn mut_temperature(&mut self) -> ::core::option::Option<&mut units_::Celsius> {
        self._has.r#temperature().then_some(&mut self.r#temperature)
    }
    /// Clear the presence of `temperature`
    #[inline]
    pub fn clear_temperature(&mut self) -> &mut Self {
        self._has.clear_temperature();
        self
    }
    /// Take the value of `temperature` and clear its presence
    #[inline]
    pub fn take_temperature(&mut self) -> ::core::option::Option<units_::Celsius> {
        let val = self
            ._has
            .r#temperature()
            .then(|| ::core::mem::take(&mut self.r#temperature));
        self._has.clear_temperature();
        val
    }
    /// Builder method that sets the value of `temperature`. Useful for initializing the message.
    #[inline]
    pub fn init_temperature(mut self, value: units_::Celsius) -> Self {
        self.set_temperature(value);
        self
    }
    /// Return a reference to `hysteresis` as an `Option`
    #[inline]
    pub fn r#hysteresis(&self) -> ::core::option::Option<&i32> {
        self._has.r#hysteresis().then_some(&self.r#hysteresis)
    }
    /// Set the value and presence of `hysteresis`
    #[inline]
    pub fn set_hysteresis(&mut self, value: i32) -> &mut Self {
        self._has.set_hysteresis();
        self.r#hysteresis = value.into();
        self
    }
    /// Return a mutable reference to `hysteresis` as an `Option`
    #[inline]
    pub fn mut_hysteresis(&mut self) -> ::core::option::Option<&mut i32> {
        self._has.r#hysteresis().then_some(&mut self.r#hysteresis)
    }
    /// Clear the presence of `hysteresis`
    #[inline]
    pub fn clear_hysteresis(&mut self) -> &mut Self {
        self._has.clear_hysteresis();
        self
    }
    /// Take the value of `hysteresis` and clear its presence
    #[inline]
    pub fn take_hysteresis(&mut self) -> ::core::option::Option<i32> {
        let val = self
            ._has
            .r#hysteresis()
            .then(|| ::core::mem::take(&mut self.r#hysteresis));
        self._has.clear_hysteresis();
        val
    }
    /// Builder method that sets the value of `hysteresis`. Useful for initializing the message.
    #[inline]
    pub fn init_hysteresis(mut self, value: i32) -> Self {
        self.set_hysteresis(value);
        self
    }
}
impl ::micropb::MessageDecode for Target {
    fn decode<IMPL_MICROPB_READ: ::micropb::PbRead>(
        &mut self,
        decoder: &mut ::micropb::PbDecoder<IMPL_MICROPB_READ>,
        len: usize,
    ) -> Result<(), ::micropb::DecodeError<IMPL_MICROPB_READ::Error>> {
        use ::micropb::{PbBytes, PbString, PbVec, PbMap, FieldDecode};
        let before = decoder.bytes_read();
        while decoder.bytes_read() - before < len {
            let tag = decoder.decode_tag()?;
            match tag.field_num() {
                0 => return Err(::micropb::DecodeError::ZeroField),
                1u32 => {
                    if tag.wire_type() != 2u8 {
                        return Err(::micropb::DecodeError::WrongWireType);
                    }
                    let mut_ref = &mut self.r#temperature;
                    {
                        decoder.decode_submessage_delimited(mut_ref)?;
                    };
                    self._has.set_temperature();
                }
                2u32 => {
                    if tag.wire_type() != 0u8 {
                        return Err(::micropb::DecodeError::WrongWireType);
                    }
                    let mut_ref = &mut self.r#hysteresis;
                    {
                        let val = decoder.decode_sint32()?;
                        *mut_ref = val as _;
                    };
                    self._has.set_hysteresis();
                }
                _ => {
                    decoder.skip_wire_value(tag.wire_type())?;
                }
            }
        }
        Ok(())
    }
}
impl ::micropb::MessageEncode for Target {
    const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
        "calculate_max_size disabled",
    );
    fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
        &self,
        encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
    ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
        use ::micropb::{PbMap, FieldEncode};
        {
            if let ::core::option::Option::Some(val_ref) = self.r#temperature() {
                encoder.encode_varint32(10u32)?;
                val_ref.encode_len_delimited(encoder)?;
            }
        }
        {
            if let ::core::option::Option::Some(val_ref) = self.r#hysteresis() {
                encoder.encode_varint32(16u32)?;
                encoder.encode_sint32(*val_ref as _)?;
            }
        }
        Ok(())
    }
    fn compute_size(&self) -> usize {
        use ::micropb::{PbMap, FieldEncode};
        let mut size = 0;
        {
            if let ::core::option::Option::Some(val_ref) = self.r#temperature() {
                size
                    += 1usize
                        + ::micropb::size::sizeof_len_record(val_ref.compute_size());
            }
        }
        {
            if let ::core::option::Option::Some(val_ref) = self.r#hysteresis() {
                size += 1usize + ::micropb::size::sizeof_sint32(*val_ref as _);
            }
        }
        size
    }
}
/// Inner types for `Target`
pub mod Target_ {
    /// Compact bitfield for tracking presence of optional and message fields
    #[derive(Debug, Default, PartialEq, Clone, Copy)]
    pub struct _Hazzer([u8; 1]);
    impl _Hazzer {
        /// New hazzer with all fields set to off
        #[inline]
        pub const fn _new() -> Self {
            Self([0; 1])
        }
        /// Query presence of `temperature`
        #[inline]
        pub const fn r#temperature(&self) -> bool {
            (self.0[0] & 1) != 0
        }
        /// Set presence of `temperature`
        #[inline]
        pub const fn set_temperature(&mut self) -> &mut Self {
            let elem = &mut self.0[0];
            *elem |= 1;
            self
        }
        /// Clear presence of `temperature`
        #[inline]
        pub const fn clear_temperature(&mut self) -> &mut Self {
            let elem = &mut self.0[0];
            *elem &= !1;
            self
        }
        /// Builder method that sets the presence of `temperature`. Useful for initializing the Hazzer.
        #[inline]
        pub const fn init_temperature(mut self) -> Self {
            self.set_temperature();
            self
        }
        /// Query presence of `hysteresis`
        #[inline]
        pub const fn r#hysteresis(&self) -> bool {
            (self.0[0] & 2) != 0
        }
        /// Set presence of `hysteresis`
        #[inline]
        pub const fn set_hysteresis(&mut self) -> &mut Self {
            let elem = &mut self.0[0];
            *elem |= 2;
            self
        }
        /// Clear presence of `hysteresis`
        #[inline]
        pub const fn clear_hysteresis(&mut self) -> &mut Self {
            let elem = &mut self.0[0];
            *elem &= !2;
            self
        }
        /// Builder method that sets the presence of `hysteresis`. Useful for initializing the Hazzer.
        #[inline]
        pub const fn init_hysteresis(mut self) -> Self {
            self.set_hysteresis();
            self
        }
    }
}
#[derive(Debug, Default, Clone)]
pub struct State {
    pub r#mode: State_::Mode,
    pub r#windows: ::heapless::Vec<State_::Window, 4>,
    pub r#since: ::heapless::index_map::FnvIndexMap<::heapless::String<8>, i64, 4>,
    pub _self: ::heapless::Vec<::heapless::String<16>, 4>,
    pub r#history: ::heapless::Vec<f64, 4>,
    /// *Note:* The presence of this field is tracked separately in the `_has` field. It's recommended to access this field via the accessor rather than directly.
    pub r#target: Target,
    pub r#source: ::core::option::Option<State_::Source>,
    /// Tracks presence of optional and message fields
    pub _has: State_::_Hazzer,
}
impl ::core::cmp::PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        let mut ret = true;
        ret &= (self.r#mode == other.r#mode);
        ret &= (self.r#windows == other.r#windows);
        ret &= (self.r#since == other.r#since);
        ret &= (self._self == other._self);
        ret &= (self.r#history == other.r#history);
        ret &= (self.r#target() == other.r#target());
        ret &= (self.r#source == other.r#source);
        ret
    }
}
impl State {
    /// Return a reference to `target` as an `Option`
    #[inline]
    pub fn r#target(&self) -> ::core::option::Option<&Target> {
        self._has.r#target().then_some(&self.r#target)
    }
    /// Set the value and presence of `target`
    #[inline]
    pub fn set_target(&mut self, value: Target) -> &mut Self {
        self._has.set_target();
        self.r#target = value.into();
        self
    }
    /// Return a mutable reference to `target` as an `Option`
    #[inline]
    pub fn mut_target(&mut self) -> ::core::option::Option<&mut Target> {
        self._has.r#target().then_some(&mut self.r#target)
    }
    /// Clear the presence of `target`
    #[inline]
    pub fn clear_target(&mut self) -> &mut Self {
        self._has.clear_target();
        self
    }
    /// Take the value of `target` and clear its presence
    #[inline]
    pub fn take_target(&mut self) -> ::core::option::Option<Target> {
        let val = self._has.r#target().then(|| ::core::mem::take(&mut self.r#target));
        self._has.clear_target();
        val
    }
    /// Builder method that sets the value of `target`. Useful for initializing the message.
    #[inline]
    pub fn init_target(mut self, value: Target) -> Self {
        self.set_target(value);
        self
    }
}
impl ::micropb::MessageDecode for State {
    fn decode<IMPL_MICROPB_READ: ::micropb::PbRead>(
        &mut self,
        decoder: &mut ::micropb::PbDecoder<IMPL_MICROPB_READ>,
        len: usize,
    ) -> Result<(), ::micropb::DecodeError<IMPL_MICROPB_READ::Error>> {
        use ::micropb::{PbBytes, PbString, PbVec, PbMap, FieldDecode};
        let before = decoder.bytes_read();
        while decoder.bytes_read() - before < len {
            let tag = decoder.decode_tag()?;
            match tag.field_num() {
                0 => return Err(::micropb::DecodeError::ZeroField),
                1u32 => {
                    if tag.wire_type() != 0u8 {
                        return Err(::micropb::DecodeError::WrongWireType);
                    }
                    let mut_ref = &mut self.r#mode;
                    {
                        let val = decoder.decode_int32().map(|n| State_::Mode(n as _))?;
                        let val_ref = &val;
                        if val_ref.0 != 0 {
                            *mut_ref = val as _;
                        }
                    };
                }
                2u32 => {
                    if tag.wire_type() != 2u8 {
                        return Err(::micropb::DecodeError::WrongWireType);
                    }
                    let mut val: State_::Window = ::core::default::Default::default();
                    let mut_ref = &mut val;
                    {
                        decoder.decode_submessage_delimited(mut_ref)?;
                    };
                    if let (Err(_), false) = (
                        self.r#windows.pb_push(val),
                        decoder.ignore_repeated_cap_err,
                    ) {
                        return Err(::micropb::DecodeError::Capacity);
                    }
                }
                3u32 => {
                    if tag.wire_type() != 2u8 {
                        return Err(::micropb::DecodeError::WrongWireType);
                    }
                    if let Some((k, v)) = decoder
                        .decode_map_elem(
                            |mut_ref: &mut ::heapless::String<8>, decoder| {
                                decoder
                                    .decode_string(mut_ref, ::micropb::Presence::Explicit)?;
                                Ok(())
                            },
                            |mut_ref: &mut i64, decoder| {
                                let val = decoder.decode_int64()?;
                                *mut_ref = val as _;
                                Ok(())
                            },
                        )?
                    {
                        if let (Err(_), false) = (
                            self.r#since.pb_insert(k, v),
                            decoder.ignore_repeated_cap_err,
                        ) {
                            return Err(::micropb::DecodeError::Capacity);
                        }
                    }
                }
                4u32 => {
                    if tag.wire_type() != 2u8 {
                        return Err(::micropb::DecodeError::WrongWireType);
                    }
                    let mut val: ::heapless::String<16> = ::core::default::Default::default();
                    let mut_ref = &mut val;
                    {
                        decoder.decode_string(mut_ref, ::micropb::Presence::Explicit)?;
                    };
                    if let (Err(_), false) = (
                        self._self.pb_push(val),
                        decoder.ignore_repeated_cap_err,
                    ) {
                        return Err(::micropb::DecodeError::Capacity);
                    }
                }
                5u32 => {
                    if tag.wire_type() != 1u8
                        && tag.wire_type() != ::micropb::WIRE_TYPE_LEN
                    {
                        return Err(::micropb::DecodeError::WrongWireType);
                    }
                    if tag.wire_type() == ::micropb::WIRE_TYPE_LEN {
                        decoder
                            .decode_packed(
                                &mut self.r#history,
                                |decoder| decoder.decode_double().map(|v| v as _),
                            )?;
                    } else {
                        if let (Err(_), false) = (
                            self.r#history.pb_push(decoder.decode_double()? as _),
                            decoder.ignore_repeated_cap_err,
                        ) {
                            return Err(::micropb::DecodeError::Capacity);
                        }
                    }
                }
                8u32 => {
                    if tag.wire_type() != 2u8 {
                        return Err(::micropb::DecodeError::WrongWireType);
                    }
                    let mut_ref = &mut self.r#target;
                    {
                        decoder.decode_submessage_delimited(mut_ref)?;
                    };
                    self._has.set_target();
                }
                6u32 => {
                    let mut_ref = loop {
                        if let ::core::option::Option::Some(variant) = &mut self.r#source
                        {
                            if let State_::Source::Sensor(variant) = &mut *variant {
                                break &mut *variant;
                            }
                        }
                        self.r#source = ::core::option::Option::Some(
                            State_::Source::Sensor(::core::default::Default::default()),
                        );
                    };
                    let val = decoder.decode_fixed32()?;
                    *mut_ref = val as _;
                }
                7u32 => {
                    let mut_ref = loop {
                        if let ::core::option::Option::Some(variant) = &mut self.r#source
                        {
                            if let State_::Source::Remote(variant) = &mut *variant {
                                break &mut *variant;
                            }
                        }
                        self.r#source = ::core::option::Option::Some(
                            State_::Source::Remote(::core::default::Default::default()),
                        );
                    };
                    decoder.decode_bytes(mut_ref, ::micropb::Presence::Explicit)?;
                }
                _ => {
                    decoder.skip_wire_value(tag.wire_type())?;
                }
            }
        }
        Ok(())
    }
}
impl ::micropb::MessageEncode for State {
    const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
        "calculate_max_size disabled",
    );
    fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
        &self,
        encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
    ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
        use ::micropb::{PbMap, FieldEncode};
        {
            let val_ref = &self.r#mode;
            if val_ref.0 != 0 {
                encoder.encode_varint32(8u32)?;
                encoder.encode_int32(val_ref.0 as _)?;
            }
        }
        {
            for (i, val_ref) in self.r#windows.iter().enumerate() {
                encoder.encode_varint32(18u32)?;
                val_ref.encode_len_delimited(encoder)?;
            }
        }
        {
            for (i, (k, v)) in (&self.r#since).into_iter().enumerate() {
                let len = ::micropb::size::sizeof_map_elem(
                    k,
                    v,
                    |val_ref| { ::micropb::size::sizeof_len_record(val_ref.len()) },
                    |val_ref| { ::micropb::size::sizeof_int64(*val_ref as _) },
                );
                encoder.encode_varint32(26u32)?;
                encoder
                    .encode_map_elem(
                        len,
                        k,
                        2u8,
                        v,
                        0u8,
                        |encoder, val_ref| { encoder.encode_string(val_ref) },
                        |encoder, val_ref| { encoder.encode_int64(*val_ref as _) },
                    )?;
            }
        }
        {
            for (i, val_ref) in self._self.iter().enumerate() {
                encoder.encode_varint32(34u32)?;
                encoder.encode_string(val_ref)?;
            }
        }
        {
            if !self.r#history.is_empty() {
                let len = self.r#history.len() * 8usize;
                encoder.encode_varint32(42u32)?;
                encoder
                    .encode_packed(
                        len,
                        &self.r#history,
                        |encoder, val| {
                            let val_ref = &val;
                            encoder.encode_double(*val_ref)
                        },
                    )?;
            }
        }
        {
            if let ::core::option::Option::Some(val_ref) = self.r#target() {
                encoder.encode_varint32(66u32)?;
                val_ref.encode_len_delimited(encoder)?;
            }
        }
        if let Some(oneof) = &self.r#source {
            match &*oneof {
                State_::Source::Sensor(val_ref) => {
                    let val_ref = &*val_ref;
                    encoder.encode_varint32(53u32)?;
                    encoder.encode_fixed32(*val_ref as _)?;
                }
                State_::Source::Remote(val_ref) => {
                    let val_ref = &*val_ref;
                    encoder.encode_varint32(58u32)?;
                    encoder.encode_bytes(val_ref)?;
                }
            }
        }
        Ok(())
    }
    fn compute_size(&self) -> usize {
        use ::micropb::{PbMap, FieldEncode};
        let mut size = 0;
        {
            let val_ref = &self.r#mode;
            if val_ref.0 != 0 {
                size += 1usize + ::micropb::size::sizeof_int32(val_ref.0 as _);
            }
        }
        {
            for (i, val_ref) in self.r#windows.iter().enumerate() {
                size
                    += 1usize
                        + ::micropb::size::sizeof_len_record(val_ref.compute_size());
            }
        }
        {
            for (i, (k, v)) in (&self.r#since).into_iter().enumerate() {
                let len = ::micropb::size::sizeof_map_elem(
                    k,
                    v,
                    |val_ref| { ::micropb::size::sizeof_len_record(val_ref.len()) },
                    |val_ref| { ::micropb::size::sizeof_int64(*val_ref as _) },
                );
                size += ::micropb::size::sizeof_len_record(len) + 1usize;
            }
        }
        {
            for (i, val_ref) in self._self.iter().enumerate() {
                size += 1usize + ::micropb::size::sizeof_len_record(val_ref.len());
            }
        }
        {
            if !self.r#history.is_empty() {
                let len = self.r#history.len() * 8usize;
                size += 1usize + ::micropb::size::sizeof_len_record(len);
            }
        }
        {
            if let ::core::option::Option::Some(val_ref) = self.r#target() {
                size
                    += 1usize
                        + ::micropb::size::sizeof_len_record(val_ref.compute_size());
            }
        }
        if let Some(oneof) = &self.r#source {
            match &*oneof {
                State_::Source::Sensor(val_ref) => {
                    let val_ref = &*val_ref;
                    size += 1usize + 4;
                }
                State_::Source::Remote(val_ref) => {
                    let val_ref = &*val_ref;
                    size += 1usize + ::micropb::size::sizeof_len_record(val_ref.len());
                }
            }
        }
        size
    }
}
/// Inner types for `State`
pub mod State_ {
    #[derive(Debug, Default, PartialEq, Clone)]
    pub struct Window {
        pub r#name: ::heapless::String<12>,
        pub r#open: bool,
    }
    impl Window {}
    impl ::micropb::MessageDecode for Window {
        fn decode<IMPL_MICROPB_READ: ::micropb::PbRead>(
            &mut self,
            decoder: &mut ::micropb::PbDecoder<IMPL_MICROPB_READ>,
            len: usize,
        ) -> Result<(), ::micropb::DecodeError<IMPL_MICROPB_READ::Error>> {
            use ::micropb::{PbBytes, PbString, PbVec, PbMap, FieldDecode};
            let before = decoder.bytes_read();
            while decoder.bytes_read() - before < len {
                let tag = decoder.decode_tag()?;
                match tag.field_num() {
                    0 => return Err(::micropb::DecodeError::ZeroField),
                    1u32 => {
                        if tag.wire_type() != 2u8 {
                            return Err(::micropb::DecodeError::WrongWireType);
                        }
                        let mut_ref = &mut self.r#name;
                        {
                            decoder
                                .decode_string(mut_ref, ::micropb::Presence::Implicit)?;
                        };
                    }
                    2u32 => {
                        if tag.wire_type() != 0u8 {
                            return Err(::micropb::DecodeError::WrongWireType);
                        }
                        let mut_ref = &mut self.r#open;
                        {
                            let val = decoder.decode_bool()?;
                            let val_ref = &val;
                            if *val_ref {
                                *mut_ref = val as _;
                            }
                        };
                    }
                    _ => {
                        decoder.skip_wire_value(tag.wire_type())?;
                    }
                }
            }
            Ok(())
        }
    }
    impl ::micropb::MessageEncode for Window {
        const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
            "calculate_max_size disabled",
        );
        fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
            &self,
            encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
        ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
            use ::micropb::{PbMap, FieldEncode};
            {
                let val_ref = &self.r#name;
                if !val_ref.is_empty() {
                    encoder.encode_varint32(10u32)?;
                    encoder.encode_string(val_ref)?;
                }
            }
            {
                let val_ref = &self.r#open;
                if *val_ref {
                    encoder.encode_varint32(16u32)?;
                    encoder.encode_bool(*val_ref)?;
                }
            }
            Ok(())
        }
        fn compute_size(&self) -> usize {
            use ::micropb::{PbMap, FieldEncode};
            let mut size = 0;
            {
                let val_ref = &self.r#name;
                if !val_ref.is_empty() {
                    size += 1usize + ::micropb::size::sizeof_len_record(val_ref.len());
                }
            }
            {
                let val_ref = &self.r#open;
                if *val_ref {
                    size += 1usize + 1;
                }
            }
            size
        }
    }
    /// How it heats.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct Mode(pub i32);
    impl Mode {
        /// Maximum encoded size of the enum
        pub const _MAX_SIZE: usize = 10usize;
        pub const Off: Self = Self(0);
        pub const On: Self = Self(1);
    }
    impl core::default::Default for Mode {
        fn default() -> Self {
            Self(0)
        }
    }
    impl core::convert::From<i32> for Mode {
        fn from(val: i32) -> Self {
            Self(val)
        }
    }
    impl core::fmt::Debug for Mode {
        fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            match *self {
                Mode::Off => formatter.write_str("Off"),
                Mode::On => formatter.write_str("On"),
                Self(n) => formatter.debug_tuple("_Unknown").field(&n).finish(),
            }
        }
    }
    #[derive(Debug, PartialEq, Clone)]
    pub enum Source {
        Sensor(u32),
        Remote(::heapless::Vec<u8, 8>),
    }
    /// Compact bitfield for tracking presence of optional and message fields
    #[derive(Debug, Default, PartialEq, Clone, Copy)]
    pub struct _Hazzer([u8; 1]);
    impl _Hazzer {
        /// New hazzer with all fields set to off
        #[inline]
        pub const fn _new() -> Self {
            Self([0; 1])
        }
        /// Query presence of `target`
        #[inline]
        pub const fn r#target(&self) -> bool {
            (self.0[0] & 1) != 0
        }
        /// Set presence of `target`
        #[inline]
        pub const fn set_target(&mut self) -> &mut Self {
            let elem = &mut self.0[0];
            *elem |= 1;
            self
        }
        /// Clear presence of `target`
        #[inline]
        pub const fn clear_target(&mut self) -> &mut Self {
            let elem = &mut self.0[0];
            *elem &= !1;
            self
        }
        /// Builder method that sets the presence of `target`. Useful for initializing the Hazzer.
        #[inline]
        pub const fn init_target(mut self) -> Self {
            self.set_target();
            self
        }
    }
}
#[derive(Debug, Default, PartialEq, Clone)]
pub struct Program {
    pub r#name: ::heapless::String<40>,
}
impl Program {}
impl ::micropb::MessageDecode for Program {
    fn decode<IMPL_MICROPB_READ: ::micropb::PbRead>(
        &mut self,
        decoder: &mut ::micropb::PbDecoder<IMPL_MICROPB_READ>,
        len: usize,
    ) -> Result<(), ::micropb::DecodeError<IMPL_MICROPB_READ::Error>> {
        use ::micropb::{PbBytes, PbString, PbVec, PbMap, FieldDecode};
        let before = decoder.bytes_read();
        while decoder.bytes_read() - before < len {
            let tag = decoder.decode_tag()?;
            match tag.field_num() {
                0 => return Err(::micropb::DecodeError::ZeroField),
                2u32 => {
                    if tag.wire_type() != 2u8 {
                        return Err(::micropb::DecodeError::WrongWireType);
                    }
                    let mut_ref = &mut self.r#name;
                    {
                        decoder.decode_string(mut_ref, ::micropb::Presence::Implicit)?;
                    };
                }
                _ => {
                    decoder.skip_wire_value(tag.wire_type())?;
                }
            }
        }
        Ok(())
    }
}
impl ::micropb::MessageEncode for Program {
    const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
        "calculate_max_size disabled",
    );
    fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
        &self,
        encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
    ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
        use ::micropb::{PbMap, FieldEncode};
        {
            let val_ref = &self.r#name;
            if !val_ref.is_empty() {
                encoder.encode_varint32(18u32)?;
                encoder.encode_string(val_ref)?;
            }
        }
        Ok(())
    }
    fn compute_size(&self) -> usize {
        use ::micropb::{PbMap, FieldEncode};
        let mut size = 0;
        {
            let val_ref = &self.r#name;
            if !val_ref.is_empty() {
                size += 1usize + ::micropb::size::sizeof_len_record(val_ref.len());
            }
        }
        size
    }
}
#[derive(Debug, Default, PartialEq, Clone, Copy)]
pub struct Piece {
    pub r#offset: u64,
}
impl Piece {}
impl ::micropb::MessageDecode for Piece {
    fn decode<IMPL_MICROPB_READ: ::micropb::PbRead>(
        &mut self,
        decoder: &mut ::micropb::PbDecoder<IMPL_MICROPB_READ>,
        len: usize,
    ) -> Result<(), ::micropb::DecodeError<IMPL_MICROPB_READ::Error>> {
        use ::micropb::{PbBytes, PbString, PbVec, PbMap, FieldDecode};
        let before = decoder.bytes_read();
        while decoder.bytes_read() - before < len {
            let tag = decoder.decode_tag()?;
            match tag.field_num() {
                0 => return Err(::micropb::DecodeError::ZeroField),
                1u32 => {
                    if tag.wire_type() != 0u8 {
                        return Err(::micropb::DecodeError::WrongWireType);
                    }
                    let mut_ref = &mut self.r#offset;
                    {
                        let val = decoder.decode_varint64()?;
                        let val_ref = &val;
                        if *val_ref != 0 {
                            *mut_ref = val as _;
                        }
                    };
                }
                _ => {
                    decoder.skip_wire_value(tag.wire_type())?;
                }
            }
        }
        Ok(())
    }
}
impl ::micropb::MessageEncode for Piece {
    const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
        "calculate_max_size disabled",
    );
    fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
        &self,
        encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
    ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
        use ::micropb::{PbMap, FieldEncode};
        {
            let val_ref = &self.r#offset;
            if *val_ref != 0 {
                encoder.encode_varint32(8u32)?;
                encoder.encode_varint64(*val_ref as _)?;
            }
        }
        Ok(())
    }
    fn compute_size(&self) -> usize {
        use ::micropb::{PbMap, FieldEncode};
        let mut size = 0;
        {
            let val_ref = &self.r#offset;
            if *val_ref != 0 {
                size += 1usize + ::micropb::size::sizeof_varint64(*val_ref as _);
            }
        }
        size
    }
}
/// A room's heating: every kind of field, and bytes that are no part of a message on every way.
pub trait Thermostat {
    /// Source of `request` in an answer to `load_http_program`.
    type LoadHTTPProgramRequest: ::airlag_rpc::source::Source;
    /// Source of `request` in an answer to `log`.
    type LogRequest: ::airlag_rpc::source::Source;
    /// Items of an answer to `type`.
    type TypeItems: ::core::iter::Iterator<Item = State>;
    /// `set` of the .proto, without a comment there.
    ///
    /// # Errors
    ///
    /// [`Fault`](::airlag_rpc::service::Fault), which is reported to the central.
    fn set(
        &mut self,
        request: Target,
    ) -> ::core::result::Result<google_::protobuf_::Empty, ::airlag_rpc::service::Fault>;
    /// What is set, and since when.
    ///
    /// # Errors
    ///
    /// [`Fault`](::airlag_rpc::service::Fault), which is reported to the central.
    fn get_state(
        &mut self,
        request: google_::protobuf_::Empty,
    ) -> ::core::result::Result<State, ::airlag_rpc::service::Fault>;
    /// Loads a new program; the answer repeats it.
    ///
    /// # Errors
    ///
    /// [`Fault`](::airlag_rpc::service::Fault), which is reported to the central.
    fn load_http_program(
        &mut self,
        request: Program,
        request_bytes: &[u8],
    ) -> ::core::result::Result<
        (Program, Self::LoadHTTPProgramRequest),
        ::airlag_rpc::service::Fault,
    >;
    /// Pieces of a log.
    ///
    /// # Errors
    ///
    /// [`Fault`](::airlag_rpc::service::Fault), which is reported to the central.
    fn log(
        &mut self,
        item: Piece,
        item_bytes: &[u8],
    ) -> ::core::result::Result<(), ::airlag_rpc::service::Fault>;
    /// Processes the end of the items of `log`.
    ///
    /// # Errors
    ///
    /// [`Fault`](::airlag_rpc::service::Fault), which is reported to the central.
    fn log_end(
        &mut self,
    ) -> ::core::result::Result<
        (Program, Self::LogRequest),
        ::airlag_rpc::service::Fault,
    >;
    /// Discards the items of `log`, because the others are lost.
    fn log_abandon(&mut self);
    /// What was measured.
    ///
    /// # Errors
    ///
    /// [`Fault`](::airlag_rpc::service::Fault), which is reported to the central.
    fn r#type(
        &mut self,
        request: Target,
    ) -> ::core::result::Result<Self::TypeItems, ::airlag_rpc::service::Fault>;
}
/// The methods of [`Thermostat`], by number.
pub const THERMOSTAT_METHODS: &[::airlag_rpc::method::Method] = &[
    ::airlag_rpc::method::Method {
        name: "set",
        number: 0u8,
        kind: ::airlag_rpc::method::Kind::Unary,
    },
    ::airlag_rpc::method::Method {
        name: "get_state",
        number: 1u8,
        kind: ::airlag_rpc::method::Kind::Unary,
    },
    ::airlag_rpc::method::Method {
        name: "load_http_program",
        number: 2u8,
        kind: ::airlag_rpc::method::Kind::Unary,
    },
    ::airlag_rpc::method::Method {
        name: "log",
        number: 3u8,
        kind: ::airlag_rpc::method::Kind::Upload,
    },
    ::airlag_rpc::method::Method {
        name: "type",
        number: 4u8,
        kind: ::airlag_rpc::method::Kind::Stream,
    },
];
/// Answers of a [`Thermostat`] that are being sent.
pub enum ThermostatReply<T: Thermostat> {
    /// Answer of `set`.
    Set(
        ::airlag_rpc::answer::Single<
            ::airlag_rpc::source::Encoded<google_::protobuf_::Empty>,
        >,
    ),
    /// Answer of `get_state`.
    GetState(::airlag_rpc::answer::Single<::airlag_rpc::source::Encoded<State>>),
    /// Answer of `load_http_program`.
    LoadHTTPProgram(
        ::airlag_rpc::answer::Single<
            ::airlag_rpc::source::Pulled<Program, T::LoadHTTPProgramRequest>,
        >,
    ),
    /// Answer of `log`.
    Log(
        ::airlag_rpc::answer::Single<
            ::airlag_rpc::source::Pulled<Program, T::LogRequest>,
        >,
    ),
    /// Answer of `type`.
    Type(::airlag_rpc::answer::Items<T::TypeItems>),
}
impl<T: Thermostat> ::airlag_rpc::service::Reply for ThermostatReply<T> {
    fn len(&self) -> usize {
        match self {
            Self::Set(reply) => reply.len(),
            Self::GetState(reply) => reply.len(),
            Self::LoadHTTPProgram(reply) => reply.len(),
            Self::Log(reply) => reply.len(),
            Self::Type(reply) => reply.len(),
        }
    }
    fn read(&mut self, into: &mut [u8]) -> usize {
        match self {
            Self::Set(reply) => reply.read(into),
            Self::GetState(reply) => reply.read(into),
            Self::LoadHTTPProgram(reply) => reply.read(into),
            Self::Log(reply) => reply.read(into),
            Self::Type(reply) => reply.read(into),
        }
    }
    fn next(&mut self) -> bool {
        match self {
            Self::Set(reply) => reply.next(),
            Self::GetState(reply) => reply.next(),
            Self::LoadHTTPProgram(reply) => reply.next(),
            Self::Log(reply) => reply.next(),
            Self::Type(reply) => reply.next(),
        }
    }
}
/// A [`Thermostat`] as a service.
pub struct ThermostatServer<T>(pub T);
impl<T: Thermostat> ::airlag_rpc::service::Service for ThermostatServer<T> {
    type Reply = ThermostatReply<T>;
    fn methods(&self) -> &'static [&'static str] {
        &["set", "get_state", "load_http_program", "log", "type"]
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
        Ok(
            match method {
                "set" => {
                    Outcome::Reply(
                        ThermostatReply::Set(
                            ::airlag_rpc::answer::Single::new(
                                ::airlag_rpc::source::Encoded::new(
                                    self.0.set(::airlag_rpc::request::decode(request)?)?,
                                ),
                            ),
                        ),
                    )
                }
                "get_state" => {
                    Outcome::Reply(
                        ThermostatReply::GetState(
                            ::airlag_rpc::answer::Single::new(
                                ::airlag_rpc::source::Encoded::new(
                                    self.0.get_state(::airlag_rpc::request::decode(request)?)?,
                                ),
                            ),
                        ),
                    )
                }
                "load_http_program" => {
                    Outcome::Reply(
                        ThermostatReply::LoadHTTPProgram(
                            ::airlag_rpc::answer::Single::new({
                                let (response, bytes) = self
                                    .0
                                    .load_http_program(
                                        ::airlag_rpc::request::decode(request)?,
                                        ::airlag_rpc::request::bytes(request, 1u32, 600usize)?,
                                    )?;
                                ::airlag_rpc::source::Pulled::new(
                                    response,
                                    1u32,
                                    bytes,
                                    600usize,
                                )?
                            }),
                        ),
                    )
                }
                "log" => {
                    self.0
                        .log(
                            ::airlag_rpc::request::decode(request)?,
                            ::airlag_rpc::request::bytes(request, 2u32, 65535usize)?,
                        )?;
                    Outcome::Taken
                }
                "type" => {
                    Outcome::Stream(
                        ThermostatReply::Type(
                            ::airlag_rpc::answer::Items::new(
                                self.0.r#type(::airlag_rpc::request::decode(request)?)?,
                            ),
                        ),
                    )
                }
                _ => return Err(Fault::UnknownMethod),
            },
        )
    }
    fn end(
        &mut self,
        method: &str,
    ) -> ::core::result::Result<Self::Reply, ::airlag_rpc::service::Fault> {
        match method {
            "log" => {
                Ok(
                    ThermostatReply::Log(
                        ::airlag_rpc::answer::Single::new({
                            let (response, bytes) = self.0.log_end()?;
                            ::airlag_rpc::source::Pulled::new(
                                response,
                                1u32,
                                bytes,
                                600usize,
                            )?
                        }),
                    ),
                )
            }
            _ => Err(::airlag_rpc::service::Fault::UnknownMethod),
        }
    }
    fn abandon(&mut self, method: &str) {
        match method {
            "log" => self.0.log_abandon(),
            _ => {}
        }
    }
}
pub mod google_ {
    pub mod protobuf_ {
        #[derive(Debug, Default, PartialEq, Clone, Copy)]
        pub struct Empty {}
        impl Empty {}
        impl ::micropb::MessageDecode for Empty {
            fn decode<IMPL_MICROPB_READ: ::micropb::PbRead>(
                &mut self,
                decoder: &mut ::micropb::PbDecoder<IMPL_MICROPB_READ>,
                len: usize,
            ) -> Result<(), ::micropb::DecodeError<IMPL_MICROPB_READ::Error>> {
                use ::micropb::{PbBytes, PbString, PbVec, PbMap, FieldDecode};
                let before = decoder.bytes_read();
                while decoder.bytes_read() - before < len {
                    let tag = decoder.decode_tag()?;
                    match tag.field_num() {
                        0 => return Err(::micropb::DecodeError::ZeroField),
                        _ => {
                            decoder.skip_wire_value(tag.wire_type())?;
                        }
                    }
                }
                Ok(())
            }
        }
        impl ::micropb::MessageEncode for Empty {
            const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
                "calculate_max_size disabled",
            );
            fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
                &self,
                encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
            ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
                use ::micropb::{PbMap, FieldEncode};
                Ok(())
            }
            fn compute_size(&self) -> usize {
                use ::micropb::{PbMap, FieldEncode};
                let mut size = 0;
                size
            }
        }
    }
}
pub mod units_ {
    #[derive(Debug, Default, PartialEq, Clone, Copy)]
    pub struct Celsius {
        pub r#degrees: f32,
    }
    impl Celsius {}
    impl ::micropb::MessageDecode for Celsius {
        fn decode<IMPL_MICROPB_READ: ::micropb::PbRead>(
            &mut self,
            decoder: &mut ::micropb::PbDecoder<IMPL_MICROPB_READ>,
            len: usize,
        ) -> Result<(), ::micropb::DecodeError<IMPL_MICROPB_READ::Error>> {
            use ::micropb::{PbBytes, PbString, PbVec, PbMap, FieldDecode};
            let before = decoder.bytes_read();
            while decoder.bytes_read() - before < len {
                let tag = decoder.decode_tag()?;
                match tag.field_num() {
                    0 => return Err(::micropb::DecodeError::ZeroField),
                    1u32 => {
                        if tag.wire_type() != 5u8 {
                            return Err(::micropb::DecodeError::WrongWireType);
                        }
                        let mut_ref = &mut self.r#degrees;
                        {
                            let val = decoder.decode_float()?;
                            let val_ref = &val;
                            if *val_ref != 0.0 {
                                *mut_ref = val as _;
                            }
                        };
                    }
                    _ => {
                        decoder.skip_wire_value(tag.wire_type())?;
                    }
                }
            }
            Ok(())
        }
    }
    impl ::micropb::MessageEncode for Celsius {
        const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
            "calculate_max_size disabled",
        );
        fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
            &self,
            encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
        ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
            use ::micropb::{PbMap, FieldEncode};
            {
                let val_ref = &self.r#degrees;
                if *val_ref != 0.0 {
                    encoder.encode_varint32(13u32)?;
                    encoder.encode_float(*val_ref)?;
                }
            }
            Ok(())
        }
        fn compute_size(&self) -> usize {
            use ::micropb::{PbMap, FieldEncode};
            let mut size = 0;
            {
                let val_ref = &self.r#degrees;
                if *val_ref != 0.0 {
                    size += 1usize + 4;
                }
            }
            size
        }
    }
}
