//! Decoding of requests, with optional access to fields without a copy.

use micropb::{DecodeError, MessageDecode, PbDecoder, WIRE_TYPE_LEN};

use crate::service::Fault;

/// Decodes the message in `request`. Unknown fields are skipped.
///
/// # Errors
///
/// [`Fault::TooLarge`] if a field is longer than its limit. [`Fault::Malformed`] for an invalid message.
pub fn decode<M: MessageDecode + Default>(request: &[u8]) -> Result<M, Fault> {
    let mut message = M::default();
    message.decode_from_bytes(request).map_err(fault)?;
    Ok(message)
}

/// Returns the bytes of field `number` in `request`, without a copy. Empty if the field is missing. The
/// last of several fields counts.
///
/// # Errors
///
/// [`Fault::TooLarge`] for more than `most` bytes. [`Fault::Malformed`] for an invalid message, and if the
/// field does not contain bytes.
pub fn bytes(request: &[u8], number: u32, most: usize) -> Result<&[u8], Fault> {
    let mut decoder = PbDecoder::new(request);
    let mut found: &[u8] = &[];
    while decoder.bytes_read() < request.len() {
        let tag = decoder.decode_tag().map_err(fault)?;
        if tag.field_num() != number {
            decoder.skip_wire_value(tag.wire_type()).map_err(fault)?;
            continue;
        }
        if tag.wire_type() != WIRE_TYPE_LEN {
            return Err(Fault::Malformed);
        }
        let len = decoder.decode_varint32().map_err(fault)? as usize;
        let begin = decoder.bytes_read();
        decoder.skip_bytes(len).map_err(fault)?;
        found = request.get(begin..decoder.bytes_read()).ok_or(Fault::Malformed)?;
    }
    if found.len() > most { Err(Fault::TooLarge) } else { Ok(found) }
}

fn fault<E>(error: DecodeError<E>) -> Fault {
    match error {
        DecodeError::Capacity => Fault::TooLarge,
        _ => Fault::Malformed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_between_other_fields() {
        let request = [0x08, 0x96, 0x01, 0x12, 3, 7, 8, 9, 0x1D, 1, 2, 3, 4];
        assert_eq!(bytes(&request, 2, 3), Ok(&[7, 8, 9][..]));
    }

    #[test]
    fn bytes_left_out_are_none() {
        assert_eq!(bytes(&[0x08, 1], 2, 3), Ok(&[][..]));
    }

    #[test]
    fn the_last_of_several_counts() {
        assert_eq!(bytes(&[0x12, 2, 7, 8, 0x12, 1, 9], 2, 3), Ok(&[9][..]));
    }

    #[test]
    fn one_byte_beyond_the_limit_is_too_large() {
        assert_eq!(bytes(&[0x12, 4, 1, 2, 3, 4], 2, 4), Ok(&[1, 2, 3, 4][..]));
        assert_eq!(bytes(&[0x12, 4, 1, 2, 3, 4], 2, 3), Err(Fault::TooLarge));
    }

    #[test]
    fn a_length_beyond_the_request_is_malformed() {
        for claim in [&[4][..], &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F], &[0x80]] {
            let mut request = [0x12; 9];
            request[1..=claim.len()].copy_from_slice(claim);
            assert_eq!(bytes(&request[..=claim.len()], 2, 99), Err(Fault::Malformed));
        }
    }

    #[test]
    fn a_number_where_bytes_are_expected_is_malformed() {
        assert_eq!(bytes(&[0x10, 4], 2, 99), Err(Fault::Malformed));
    }

    #[test]
    fn groups_are_malformed() {
        assert_eq!(bytes(&[0x0B, 0x0C], 2, 99), Err(Fault::Malformed));
    }
}
