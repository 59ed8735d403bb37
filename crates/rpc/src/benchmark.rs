//! Generated from `benchmark.proto` by airlag-rpc-build. Do not edit.
#![allow(missing_docs, reason = "documented as far as the .proto is")]
#![allow(nonstandard_style, unused, reason = "names of the .proto; generic code")]
#![allow(clippy::all, reason = "generic code of messages")]

/// Text to echo.
#[derive(Debug, Default, PartialEq, Clone)]
pub struct EchoRequest {
    /// Any text.
    pub r#message: ::heapless::String<256>,
}
impl EchoRequest {}
impl ::micropb::MessageDecode for EchoRequest {
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
                    let mut_ref = &mut self.r#message;
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
impl ::micropb::MessageEncode for EchoRequest {
    const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
        "calculate_max_size disabled",
    );
    fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
        &self,
        encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
    ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
        use ::micropb::{PbMap, FieldEncode};
        {
            let val_ref = &self.r#message;
            if !val_ref.is_empty() {
                encoder.encode_varint32(10u32)?;
                encoder.encode_string(val_ref)?;
            }
        }
        Ok(())
    }
    fn compute_size(&self) -> usize {
        use ::micropb::{PbMap, FieldEncode};
        let mut size = 0;
        {
            let val_ref = &self.r#message;
            if !val_ref.is_empty() {
                size += 1usize + ::micropb::size::sizeof_len_record(val_ref.len());
            }
        }
        size
    }
}
/// Text of the [`EchoRequest`].
#[derive(Debug, Default, PartialEq, Clone)]
pub struct EchoResponse {
    /// The same text.
    pub r#message: ::heapless::String<256>,
}
impl EchoResponse {}
impl ::micropb::MessageDecode for EchoResponse {
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
                    let mut_ref = &mut self.r#message;
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
impl ::micropb::MessageEncode for EchoResponse {
    const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
        "calculate_max_size disabled",
    );
    fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
        &self,
        encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
    ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
        use ::micropb::{PbMap, FieldEncode};
        {
            let val_ref = &self.r#message;
            if !val_ref.is_empty() {
                encoder.encode_varint32(10u32)?;
                encoder.encode_string(val_ref)?;
            }
        }
        Ok(())
    }
    fn compute_size(&self) -> usize {
        use ::micropb::{PbMap, FieldEncode};
        let mut size = 0;
        {
            let val_ref = &self.r#message;
            if !val_ref.is_empty() {
                size += 1usize + ::micropb::size::sizeof_len_record(val_ref.len());
            }
        }
        size
    }
}
/// Requested range of the flash memory.
#[derive(Debug, Default, PartialEq, Clone, Copy)]
pub struct FlashReadRequest {
    /// Offset of the first byte.
    pub r#address: u32,
    /// Number of bytes.
    pub r#length: u32,
}
impl FlashReadRequest {}
impl ::micropb::MessageDecode for FlashReadRequest {
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
                    let mut_ref = &mut self.r#address;
                    {
                        let val = decoder.decode_varint32()?;
                        let val_ref = &val;
                        if *val_ref != 0 {
                            *mut_ref = val as _;
                        }
                    };
                }
                2u32 => {
                    if tag.wire_type() != 0u8 {
                        return Err(::micropb::DecodeError::WrongWireType);
                    }
                    let mut_ref = &mut self.r#length;
                    {
                        let val = decoder.decode_varint32()?;
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
impl ::micropb::MessageEncode for FlashReadRequest {
    const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
        "calculate_max_size disabled",
    );
    fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
        &self,
        encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
    ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
        use ::micropb::{PbMap, FieldEncode};
        {
            let val_ref = &self.r#address;
            if *val_ref != 0 {
                encoder.encode_varint32(8u32)?;
                encoder.encode_varint32(*val_ref as _)?;
            }
        }
        {
            let val_ref = &self.r#length;
            if *val_ref != 0 {
                encoder.encode_varint32(16u32)?;
                encoder.encode_varint32(*val_ref as _)?;
            }
        }
        Ok(())
    }
    fn compute_size(&self) -> usize {
        use ::micropb::{PbMap, FieldEncode};
        let mut size = 0;
        {
            let val_ref = &self.r#address;
            if *val_ref != 0 {
                size += 1usize + ::micropb::size::sizeof_varint32(*val_ref as _);
            }
        }
        {
            let val_ref = &self.r#length;
            if *val_ref != 0 {
                size += 1usize + ::micropb::size::sizeof_varint32(*val_ref as _);
            }
        }
        size
    }
}
/// Content of a range of the flash memory.
#[derive(Debug, Default, PartialEq, Clone, Copy)]
pub struct FlashReadResponse {
    /// Offset of the first byte, as requested.
    pub r#address: u32,
}
impl FlashReadResponse {}
impl ::micropb::MessageDecode for FlashReadResponse {
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
                    let mut_ref = &mut self.r#address;
                    {
                        let val = decoder.decode_varint32()?;
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
impl ::micropb::MessageEncode for FlashReadResponse {
    const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
        "calculate_max_size disabled",
    );
    fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
        &self,
        encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
    ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
        use ::micropb::{PbMap, FieldEncode};
        {
            let val_ref = &self.r#address;
            if *val_ref != 0 {
                encoder.encode_varint32(8u32)?;
                encoder.encode_varint32(*val_ref as _)?;
            }
        }
        Ok(())
    }
    fn compute_size(&self) -> usize {
        use ::micropb::{PbMap, FieldEncode};
        let mut size = 0;
        {
            let val_ref = &self.r#address;
            if *val_ref != 0 {
                size += 1usize + ::micropb::size::sizeof_varint32(*val_ref as _);
            }
        }
        size
    }
}
/// Bytes to count.
#[derive(Debug, Default, PartialEq, Clone, Copy)]
pub struct DataWriteRequest {}
impl DataWriteRequest {}
impl ::micropb::MessageDecode for DataWriteRequest {
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
impl ::micropb::MessageEncode for DataWriteRequest {
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
/// Result of a [`DataWriteRequest`].
#[derive(Debug, Default, PartialEq, Clone, Copy)]
pub struct DataWriteResponse {
    /// Number of bytes received.
    pub r#length: u32,
}
impl DataWriteResponse {}
impl ::micropb::MessageDecode for DataWriteResponse {
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
                    let mut_ref = &mut self.r#length;
                    {
                        let val = decoder.decode_varint32()?;
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
impl ::micropb::MessageEncode for DataWriteResponse {
    const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
        "calculate_max_size disabled",
    );
    fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
        &self,
        encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
    ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
        use ::micropb::{PbMap, FieldEncode};
        {
            let val_ref = &self.r#length;
            if *val_ref != 0 {
                encoder.encode_varint32(8u32)?;
                encoder.encode_varint32(*val_ref as _)?;
            }
        }
        Ok(())
    }
    fn compute_size(&self) -> usize {
        use ::micropb::{PbMap, FieldEncode};
        let mut size = 0;
        {
            let val_ref = &self.r#length;
            if *val_ref != 0 {
                size += 1usize + ::micropb::size::sizeof_varint32(*val_ref as _);
            }
        }
        size
    }
}
/// Requested length of the stream.
#[derive(Debug, Default, PartialEq, Clone, Copy)]
pub struct CounterStreamRequest {
    /// Number of items.
    pub r#count: u32,
}
impl CounterStreamRequest {}
impl ::micropb::MessageDecode for CounterStreamRequest {
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
                    let mut_ref = &mut self.r#count;
                    {
                        let val = decoder.decode_varint32()?;
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
impl ::micropb::MessageEncode for CounterStreamRequest {
    const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
        "calculate_max_size disabled",
    );
    fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
        &self,
        encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
    ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
        use ::micropb::{PbMap, FieldEncode};
        {
            let val_ref = &self.r#count;
            if *val_ref != 0 {
                encoder.encode_varint32(8u32)?;
                encoder.encode_varint32(*val_ref as _)?;
            }
        }
        Ok(())
    }
    fn compute_size(&self) -> usize {
        use ::micropb::{PbMap, FieldEncode};
        let mut size = 0;
        {
            let val_ref = &self.r#count;
            if *val_ref != 0 {
                size += 1usize + ::micropb::size::sizeof_varint32(*val_ref as _);
            }
        }
        size
    }
}
/// An item of the stream.
#[derive(Debug, Default, PartialEq, Clone, Copy)]
pub struct CounterStreamResponse {
    /// Its number, from 0.
    pub r#seq: u32,
    /// Ten times that.
    pub r#value: i32,
}
impl CounterStreamResponse {}
impl ::micropb::MessageDecode for CounterStreamResponse {
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
                    let mut_ref = &mut self.r#seq;
                    {
                        let val = decoder.decode_varint32()?;
                        let val_ref = &val;
                        if *val_ref != 0 {
                            *mut_ref = val as _;
                        }
                    };
                }
                2u32 => {
                    if tag.wire_type() != 0u8 {
                        return Err(::micropb::DecodeError::WrongWireType);
                    }
                    let mut_ref = &mut self.r#value;
                    {
                        let val = decoder.decode_int32()?;
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
impl ::micropb::MessageEncode for CounterStreamResponse {
    const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
        "calculate_max_size disabled",
    );
    fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
        &self,
        encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
    ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
        use ::micropb::{PbMap, FieldEncode};
        {
            let val_ref = &self.r#seq;
            if *val_ref != 0 {
                encoder.encode_varint32(8u32)?;
                encoder.encode_varint32(*val_ref as _)?;
            }
        }
        {
            let val_ref = &self.r#value;
            if *val_ref != 0 {
                encoder.encode_varint32(16u32)?;
                encoder.encode_int32(*val_ref as _)?;
            }
        }
        Ok(())
    }
    fn compute_size(&self) -> usize {
        use ::micropb::{PbMap, FieldEncode};
        let mut size = 0;
        {
            let val_ref = &self.r#seq;
            if *val_ref != 0 {
                size += 1usize + ::micropb::size::sizeof_varint32(*val_ref as _);
            }
        }
        {
            let val_ref = &self.r#value;
            if *val_ref != 0 {
                size += 1usize + ::micropb::size::sizeof_int32(*val_ref as _);
            }
        }
        size
    }
}
/// An item of the upload.
#[derive(Debug, Default, PartialEq, Clone, Copy)]
pub struct CounterUploadRequest {
    /// Its number, from 0.
    pub r#seq: u32,
    /// Ten times that.
    pub r#value: i32,
}
impl CounterUploadRequest {}
impl ::micropb::MessageDecode for CounterUploadRequest {
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
                    let mut_ref = &mut self.r#seq;
                    {
                        let val = decoder.decode_varint32()?;
                        let val_ref = &val;
                        if *val_ref != 0 {
                            *mut_ref = val as _;
                        }
                    };
                }
                2u32 => {
                    if tag.wire_type() != 0u8 {
                        return Err(::micropb::DecodeError::WrongWireType);
                    }
                    let mut_ref = &mut self.r#value;
                    {
                        let val = decoder.decode_int32()?;
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
impl ::micropb::MessageEncode for CounterUploadRequest {
    const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
        "calculate_max_size disabled",
    );
    fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
        &self,
        encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
    ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
        use ::micropb::{PbMap, FieldEncode};
        {
            let val_ref = &self.r#seq;
            if *val_ref != 0 {
                encoder.encode_varint32(8u32)?;
                encoder.encode_varint32(*val_ref as _)?;
            }
        }
        {
            let val_ref = &self.r#value;
            if *val_ref != 0 {
                encoder.encode_varint32(16u32)?;
                encoder.encode_int32(*val_ref as _)?;
            }
        }
        Ok(())
    }
    fn compute_size(&self) -> usize {
        use ::micropb::{PbMap, FieldEncode};
        let mut size = 0;
        {
            let val_ref = &self.r#seq;
            if *val_ref != 0 {
                size += 1usize + ::micropb::size::sizeof_varint32(*val_ref as _);
            }
        }
        {
            let val_ref = &self.r#value;
            if *val_ref != 0 {
                size += 1usize + ::micropb::size::sizeof_int32(*val_ref as _);
            }
        }
        size
    }
}
/// Result of the upload.
#[derive(Debug, Default, PartialEq, Clone, Copy)]
pub struct CounterUploadResponse {
    /// Number of items received.
    pub r#received_count: u32,
}
impl CounterUploadResponse {}
impl ::micropb::MessageDecode for CounterUploadResponse {
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
                    let mut_ref = &mut self.r#received_count;
                    {
                        let val = decoder.decode_varint32()?;
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
impl ::micropb::MessageEncode for CounterUploadResponse {
    const MAX_SIZE: ::core::result::Result<usize, &'static str> = ::core::result::Result::Err(
        "calculate_max_size disabled",
    );
    fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
        &self,
        encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
    ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
        use ::micropb::{PbMap, FieldEncode};
        {
            let val_ref = &self.r#received_count;
            if *val_ref != 0 {
                encoder.encode_varint32(8u32)?;
                encoder.encode_varint32(*val_ref as _)?;
            }
        }
        Ok(())
    }
    fn compute_size(&self) -> usize {
        use ::micropb::{PbMap, FieldEncode};
        let mut size = 0;
        {
            let val_ref = &self.r#received_count;
            if *val_ref != 0 {
                size += 1usize + ::micropb::size::sizeof_varint32(*val_ref as _);
            }
        }
        size
    }
}
/// Calls with negligible processing time, which therefore measure the link.
pub trait Benchmark {
    /// Source of `data` in an answer to `flash_read`.
    type FlashReadData: ::airlag_rpc::source::Source;
    /// Items of an answer to `counter_stream`.
    type CounterStreamItems: ::core::iter::Iterator<Item = CounterStreamResponse>;
    /// Returns the text of the request.
    ///
    /// # Errors
    ///
    /// [`Fault`](::airlag_rpc::service::Fault), which is reported to the central.
    fn echo(
        &mut self,
        request: EchoRequest,
    ) -> ::core::result::Result<EchoResponse, ::airlag_rpc::service::Fault>;
    /// Reads a range of the flash memory.
    ///
    /// # Errors
    ///
    /// [`Fault`](::airlag_rpc::service::Fault), which is reported to the central.
    fn flash_read(
        &mut self,
        request: FlashReadRequest,
    ) -> ::core::result::Result<
        (FlashReadResponse, Self::FlashReadData),
        ::airlag_rpc::service::Fault,
    >;
    /// Accepts bytes, and returns their number.
    ///
    /// # Errors
    ///
    /// [`Fault`](::airlag_rpc::service::Fault), which is reported to the central.
    fn data_write(
        &mut self,
        request: DataWriteRequest,
        data: &[u8],
    ) -> ::core::result::Result<DataWriteResponse, ::airlag_rpc::service::Fault>;
    /// Streams the requested number of items.
    ///
    /// # Errors
    ///
    /// [`Fault`](::airlag_rpc::service::Fault), which is reported to the central.
    fn counter_stream(
        &mut self,
        request: CounterStreamRequest,
    ) -> ::core::result::Result<Self::CounterStreamItems, ::airlag_rpc::service::Fault>;
    /// Counts the items of an upload.
    ///
    /// # Errors
    ///
    /// [`Fault`](::airlag_rpc::service::Fault), which is reported to the central.
    fn counter_upload(
        &mut self,
        item: CounterUploadRequest,
    ) -> ::core::result::Result<(), ::airlag_rpc::service::Fault>;
    /// Processes the end of the items of `counter_upload`.
    ///
    /// # Errors
    ///
    /// [`Fault`](::airlag_rpc::service::Fault), which is reported to the central.
    fn counter_upload_end(
        &mut self,
    ) -> ::core::result::Result<CounterUploadResponse, ::airlag_rpc::service::Fault>;
    /// Discards the items of `counter_upload`, because the others are lost.
    fn counter_upload_abandon(&mut self);
}
/// The methods of [`Benchmark`], by number.
pub const BENCHMARK_METHODS: &[::airlag_rpc::method::Method] = &[
    ::airlag_rpc::method::Method {
        name: "echo",
        number: 0u8,
        kind: ::airlag_rpc::method::Kind::Unary,
    },
    ::airlag_rpc::method::Method {
        name: "flash_read",
        number: 1u8,
        kind: ::airlag_rpc::method::Kind::Unary,
    },
    ::airlag_rpc::method::Method {
        name: "data_write",
        number: 2u8,
        kind: ::airlag_rpc::method::Kind::Unary,
    },
    ::airlag_rpc::method::Method {
        name: "counter_stream",
        number: 3u8,
        kind: ::airlag_rpc::method::Kind::Stream,
    },
    ::airlag_rpc::method::Method {
        name: "counter_upload",
        number: 4u8,
        kind: ::airlag_rpc::method::Kind::Upload,
    },
];
/// Answers of a [`Benchmark`] that are being sent.
pub enum BenchmarkReply<T: Benchmark> {
    /// Answer of `echo`.
    Echo(::airlag_rpc::answer::Single<::airlag_rpc::source::Encoded<EchoResponse>>),
    /// Answer of `flash_read`.
    FlashRead(
        ::airlag_rpc::answer::Single<
            ::airlag_rpc::source::Pulled<FlashReadResponse, T::FlashReadData>,
        >,
    ),
    /// Answer of `data_write`.
    DataWrite(
        ::airlag_rpc::answer::Single<::airlag_rpc::source::Encoded<DataWriteResponse>>,
    ),
    /// Answer of `counter_stream`.
    CounterStream(::airlag_rpc::answer::Items<T::CounterStreamItems>),
    /// Answer of `counter_upload`.
    CounterUpload(
        ::airlag_rpc::answer::Single<
            ::airlag_rpc::source::Encoded<CounterUploadResponse>,
        >,
    ),
}
impl<T: Benchmark> ::airlag_rpc::service::Reply for BenchmarkReply<T> {
    fn len(&self) -> usize {
        match self {
            Self::Echo(reply) => reply.len(),
            Self::FlashRead(reply) => reply.len(),
            Self::DataWrite(reply) => reply.len(),
            Self::CounterStream(reply) => reply.len(),
            Self::CounterUpload(reply) => reply.len(),
        }
    }
    fn read(&mut self, into: &mut [u8]) -> usize {
        match self {
            Self::Echo(reply) => reply.read(into),
            Self::FlashRead(reply) => reply.read(into),
            Self::DataWrite(reply) => reply.read(into),
            Self::CounterStream(reply) => reply.read(into),
            Self::CounterUpload(reply) => reply.read(into),
        }
    }
    fn next(&mut self) -> bool {
        match self {
            Self::Echo(reply) => reply.next(),
            Self::FlashRead(reply) => reply.next(),
            Self::DataWrite(reply) => reply.next(),
            Self::CounterStream(reply) => reply.next(),
            Self::CounterUpload(reply) => reply.next(),
        }
    }
}
/// A [`Benchmark`] as a service.
pub struct BenchmarkServer<T>(pub T);
impl<T: Benchmark> ::airlag_rpc::service::Service for BenchmarkServer<T> {
    type Reply = BenchmarkReply<T>;
    fn methods(&self) -> &'static [&'static str] {
        &["echo", "flash_read", "data_write", "counter_stream", "counter_upload"]
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
                "echo" => {
                    Outcome::Reply(
                        BenchmarkReply::Echo(
                            ::airlag_rpc::answer::Single::new(
                                ::airlag_rpc::source::Encoded::new(
                                    self.0.echo(::airlag_rpc::request::decode(request)?)?,
                                ),
                            ),
                        ),
                    )
                }
                "flash_read" => {
                    Outcome::Reply(
                        BenchmarkReply::FlashRead(
                            ::airlag_rpc::answer::Single::new({
                                let (response, bytes) = self
                                    .0
                                    .flash_read(::airlag_rpc::request::decode(request)?)?;
                                ::airlag_rpc::source::Pulled::new(
                                    response,
                                    2u32,
                                    bytes,
                                    8192usize,
                                )?
                            }),
                        ),
                    )
                }
                "data_write" => {
                    Outcome::Reply(
                        BenchmarkReply::DataWrite(
                            ::airlag_rpc::answer::Single::new(
                                ::airlag_rpc::source::Encoded::new(
                                    self
                                        .0
                                        .data_write(
                                            ::airlag_rpc::request::decode(request)?,
                                            ::airlag_rpc::request::bytes(request, 1u32, 8192usize)?,
                                        )?,
                                ),
                            ),
                        ),
                    )
                }
                "counter_stream" => {
                    Outcome::Stream(
                        BenchmarkReply::CounterStream(
                            ::airlag_rpc::answer::Items::new(
                                self
                                    .0
                                    .counter_stream(::airlag_rpc::request::decode(request)?)?,
                            ),
                        ),
                    )
                }
                "counter_upload" => {
                    self.0.counter_upload(::airlag_rpc::request::decode(request)?)?;
                    Outcome::Taken
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
            "counter_upload" => {
                Ok(
                    BenchmarkReply::CounterUpload(
                        ::airlag_rpc::answer::Single::new(
                            ::airlag_rpc::source::Encoded::new(
                                self.0.counter_upload_end()?,
                            ),
                        ),
                    ),
                )
            }
            _ => Err(::airlag_rpc::service::Fault::UnknownMethod),
        }
    }
    fn abandon(&mut self, method: &str) {
        match method {
            "counter_upload" => self.0.counter_upload_abandon(),
            _ => {}
        }
    }
}
