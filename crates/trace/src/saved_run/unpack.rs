//! Unpacks a page to exactly its declared length.
//!
//! All codecs are written in Rust, so that a browser can read saved runs as well.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;
use parquet::basic::Compression;
use ruzstd::decoding::FrameDecoder;

/// Smallest window that every Zstandard decoder must support, RFC 8878 section 3.1.1.1.2. Encoders use larger
/// ones only for larger contents.
const WINDOW_BYTES: u64 = 8 << 20;

/// Whether pages with this compression can be unpacked.
pub(super) fn is_known(compression: Compression) -> bool {
    use Compression::{GZIP, LZ4_RAW, SNAPPY, UNCOMPRESSED, ZSTD};
    matches!(compression, UNCOMPRESSED | SNAPPY | GZIP(_) | ZSTD(_) | LZ4_RAW)
}

/// Unpacks `packed`, which must have `length` bytes unpacked. Returns `None` otherwise.
pub(super) fn unpack(compression: Compression, packed: &[u8], length: usize) -> Option<Vec<u8>> {
    // The operating system supplies zeroed memory, and reserves it only as it is written. A large declared
    // length alone therefore costs no memory.
    let mut unpacked = vec![0; length];
    let written = match compression {
        Compression::SNAPPY => {
            if snap::raw::decompress_len(packed).ok()? != length {
                return None;
            }
            snap::raw::Decoder::new().decompress(packed, &mut unpacked).ok()?
        }
        Compression::GZIP(_) => {
            let mut members = MultiGzDecoder::new(packed);
            members.read_exact(&mut unpacked).ok()?;
            // The checksum follows the last byte.
            if members.read(&mut [0]).ok()? != 0 {
                return None;
            }
            length
        }
        Compression::ZSTD(_) => {
            let mut frames = FrameDecoder::new();
            frames.set_max_window_size(WINDOW_BYTES.max(length as u64));
            frames.decode_all(packed, &mut unpacked).ok()?
        }
        Compression::LZ4_RAW => lz4_flex::block::decompress_into(packed, &mut unpacked).ok()?,
        _ => return None,
    };
    (written == length).then_some(unpacked)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::write::GzEncoder;
    use parquet::basic::{Compression, GzipLevel, ZstdLevel};
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::unpack;

    fn content() -> Vec<u8> {
        (0..20_000_u32).flat_map(|index| (index / 3).to_le_bytes()).collect()
    }

    fn packed() -> [(Compression, Vec<u8>); 4] {
        let content = content();
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(&content).unwrap();
        [
            (Compression::SNAPPY, snap::raw::Encoder::new().compress_vec(&content).unwrap()),
            (Compression::GZIP(GzipLevel::default()), gzip.finish().unwrap()),
            (
                Compression::ZSTD(ZstdLevel::default()),
                compress_to_vec(&content[..], CompressionLevel::Fastest),
            ),
            (Compression::LZ4_RAW, lz4_flex::block::compress(&content)),
        ]
    }

    #[test]
    fn every_codec_gives_back_what_was_packed() {
        for (compression, packed) in packed() {
            assert!(packed.len() < content().len(), "{compression:?}");
            let unpacked = unpack(compression, &packed, content().len());
            assert!(unpacked == Some(content()), "{compression:?}");
        }
    }

    #[test]
    fn another_length_than_the_header_claims_is_refused() {
        for (compression, packed) in packed() {
            let length = content().len();
            for claim in [0, 1, length / 2, length - 1, length + 1, 2 * length] {
                assert_eq!(unpack(compression, &packed, claim), None, "{compression:?} {claim}");
            }
        }
    }

    #[test]
    fn content_that_is_cut_short_is_refused() {
        for (compression, packed) in packed() {
            let length = content().len();
            for end in (0..packed.len()).step_by(101) {
                assert_eq!(unpack(compression, &packed[..end], length), None, "{compression:?}");
            }
        }
    }

    #[test]
    fn a_codec_of_another_kind_is_not_known() {
        assert_eq!(unpack(Compression::LZ4, b"", 0), None);
        assert!(!super::is_known(Compression::LZ4) && !super::is_known(Compression::LZO));
    }
}
