//! What comes out of a compressed body: as much as the limit allows, whatever the body promises.

use std::io::{self, Read};

use brotli_decompressor::Decompressor;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use thiserror::Error;

/// What this side understands, as it tells servers.
pub(super) const ACCEPTED: &str = "gzip, br, deflate";
/// Codings on top of each other.
const MAX_CODINGS: usize = 3;
const BUFFER_BYTES: usize = 16 * 1_024;
/// Low bits of the first byte of a zlib stream (RFC 1950): the method is deflate.
const ZLIB_METHOD: u8 = 8;

/// Undoes the codings that a `Content-Encoding` header names, in the order opposite to that in which they were applied.
///
/// `is_over` is asked between pieces, so that a long stream that yields little ends with its cell.
pub(super) fn decode(
    mut body: Vec<u8>,
    header: &str,
    limit: usize,
    is_over: &dyn Fn() -> bool,
) -> Result<Vec<u8>, CodingFault> {
    let codings: Vec<&str> = header
        .split(',')
        .map(str::trim)
        .filter(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity"))
        .collect();
    if codings.len() > MAX_CODINGS {
        return Err(CodingFault::Unknown(header.to_owned()));
    }
    for coding in codings.iter().rev() {
        let source = body.as_slice();
        body = match coding.to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => take(MultiGzDecoder::new(source), limit, is_over),
            "br" => take(Decompressor::new(source, BUFFER_BYTES), limit, is_over),
            // Servers send both what the name means and what it says.
            "deflate"
                if source
                    .first()
                    .is_some_and(|first| first & 0x0f == ZLIB_METHOD) =>
            {
                take(ZlibDecoder::new(source), limit, is_over)
            }
            "deflate" => take(DeflateDecoder::new(source), limit, is_over),
            _ => return Err(CodingFault::Unknown((*coding).to_owned())),
        }?;
    }
    Ok(body)
}

fn take(
    mut reader: impl Read,
    limit: usize,
    is_over: &dyn Fn() -> bool,
) -> Result<Vec<u8>, CodingFault> {
    let mut out = Vec::new();
    let mut buffer = [0; BUFFER_BYTES];
    loop {
        if is_over() {
            return Err(CodingFault::Over);
        }
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(out),
            Ok(read) => {
                if out.len() + read > limit {
                    return Err(CodingFault::TooLarge);
                }
                // A reader never tells more than the buffer holds.
                out.extend_from_slice(buffer.get(..read).unwrap_or_default());
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(CodingFault::Broken(error)),
        }
    }
}

/// Says why nothing came out of a body.
#[derive(Debug, Error)]
pub(crate) enum CodingFault {
    /// The body is compressed in a way that was not offered.
    #[error("unknown content encoding `{0}`")]
    Unknown(String),
    /// More came out than the limit allows.
    #[error("the content is too large")]
    TooLarge,
    /// The compressed stream is damaged.
    #[error("the compressed content is damaged")]
    Broken(#[source] io::Error),
    /// Nobody waits for the content any more.
    #[error("the cell has ended")]
    Over,
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;

    /// `hello` as brotli, in one block that is not compressed.
    const BROTLI: &[u8] = b"\x0b\x02\x80hello\x03";

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn decoded(body: &[u8], header: &str, limit: usize) -> Result<String, String> {
        decode(body.to_vec(), header, limit, &|| false)
            .map(|bytes| String::from_utf8(bytes).unwrap())
            .map_err(|fault| fault.to_string())
    }

    #[test]
    fn every_offered_coding_is_undone() {
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
        zlib.write_all(b"text").unwrap();
        let mut raw = DeflateEncoder::new(Vec::new(), Compression::best());
        raw.write_all(b"text").unwrap();
        let rows = [
            (gzip(b"text"), "gzip"),
            (gzip(b"text"), "X-GZIP"),
            (zlib.finish().unwrap(), "deflate"),
            (raw.finish().unwrap(), "deflate"),
            (gzip(&gzip(b"text")), "gzip, gzip"),
            (b"text".to_vec(), "identity"),
            (b"text".to_vec(), ""),
            ([gzip(b"te"), gzip(b"xt")].concat(), "gzip"),
        ];
        for (body, header) in rows {
            assert_eq!(
                decoded(&body, header, 100).as_deref(),
                Ok("text"),
                "{header}"
            );
        }
        assert_eq!(decoded(BROTLI, "br", 5).as_deref(), Ok("hello"));
        assert_eq!(
            decoded(BROTLI, "br", 4),
            Err("the content is too large".to_owned())
        );
    }

    #[test]
    fn a_bomb_costs_the_limit() {
        let bomb = gzip(&vec![0; 50_000_000]);
        assert_eq!(
            decoded(&bomb, "gzip", 1_000),
            Err("the content is too large".to_owned())
        );
        let nested = gzip(&bomb);
        assert_eq!(
            decoded(&nested, "gzip, gzip", 100_000),
            Err("the content is too large".to_owned())
        );
        assert_eq!(
            decoded(&nested, "gzip, gzip, gzip, gzip", 100_000),
            Err("unknown content encoding `gzip, gzip, gzip, gzip`".to_owned())
        );
    }

    #[test]
    fn damaged_and_unknown_streams_are_named() {
        for (body, header) in [
            (&b"no gzip"[..], "gzip"),
            (b"\xff\xff\xff", "br"),
            (b"\x78\x00zz", "deflate"),
        ] {
            assert_eq!(
                decoded(body, header, 100),
                Err("the compressed content is damaged".to_owned()),
                "{header}"
            );
        }
        let whole = gzip(b"some text that is cut");
        assert_eq!(
            decoded(&whole[..15], "gzip", 100),
            Err("the compressed content is damaged".to_owned())
        );
        assert_eq!(
            decoded(b"", "zstd", 100),
            Err("unknown content encoding `zstd`".to_owned())
        );
    }

    #[test]
    fn a_stream_ends_with_its_cell() {
        let fault = decode(gzip(b"text"), "gzip", 100, &|| true).unwrap_err();
        assert_eq!(fault.to_string(), "the cell has ended");
    }
}
