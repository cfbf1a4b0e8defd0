//! Request bodies that were compressed: `Content-Encoding` `gzip` and `deflate`, as `express.json` reads
//! them.

use axum::http::HeaderMap;
use axum::http::header::CONTENT_ENCODING;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use zeroize::Zeroizing;

/// The encodings that are read, as `Accept-Encoding` lists them.
pub(super) const SUPPORTED: &str = "gzip, deflate";
/// The first size of the buffer: it doubles until all has room, or the bound is reached.
const FIRST_BYTES: usize = 4 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentEncoding {
    Gzip,
    Deflate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InflateError {
    /// More than the bound.
    TooLarge,
    Invalid,
}

impl ContentEncoding {
    /// That of a body; `None` if it came as it is.
    ///
    /// # Errors
    /// The header's value, if it names an encoding that is not read, or several.
    pub fn of(headers: &HeaderMap) -> Result<Option<Self>, String> {
        let values = headers.get_all(CONTENT_ENCODING).iter();
        let values: Vec<_> = values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
        let value = values.join(", ");
        match value.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Ok(None),
            "gzip" | "x-gzip" => Ok(Some(Self::Gzip)),
            "deflate" => Ok(Some(Self::Deflate)),
            _ => Err(value),
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
        }
    }

    /// Inflates a whole body to at most `most` bytes. It takes no more memory than these, and no more time
    /// than it takes to read as many.
    pub fn decode(self, body: &[u8], most: usize) -> Result<Zeroizing<Vec<u8>>, InflateError> {
        match self {
            Self::Deflate => {
                let (text, rest) = inflate(body, TINFL_FLAG_PARSE_ZLIB_HEADER, most)?;
                if rest.is_empty() { Ok(text) } else { Err(InflateError::Invalid) }
            }
            Self::Gzip => {
                let data = after_gzip_header(body).ok_or(InflateError::Invalid)?;
                let (text, trailer) = inflate(data, 0, most)?;
                let length = text.len() as u32;
                let expected = [crc32(&text).to_le_bytes(), length.to_le_bytes()].concat();
                if trailer == expected { Ok(text) } else { Err(InflateError::Invalid) }
            }
        }
    }
}

/// One deflate stream, and the bytes after it.
fn inflate(data: &[u8], flags: u32, most: usize) -> Result<(Zeroizing<Vec<u8>>, &[u8]), InflateError> {
    let flags = flags | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let mut state = Box::<DecompressorOxide>::default();
    let (mut read, mut written) = (0, 0);
    let mut text = Zeroizing::new(vec![0; most.min(FIRST_BYTES)]);
    loop {
        let (status, taken, given) = decompress(&mut state, &data[read..], &mut text, written, flags);
        read += taken;
        written += given;
        match status {
            TINFLStatus::Done => {
                text.truncate(written);
                return Ok((text, &data[read..]));
            }
            TINFLStatus::HasMoreOutput if text.len() < most => {
                let size = (2 * text.len()).min(most);
                text.resize(size, 0);
            }
            TINFLStatus::HasMoreOutput => return Err(InflateError::TooLarge),
            _ => return Err(InflateError::Invalid),
        }
    }
}

/// RFC 1952, 2.3: the deflate stream and what follows it. A second member counts as invalid: no client sends
/// one, and a body of many tiny ones would cost more than its size.
fn after_gzip_header(body: &[u8]) -> Option<&[u8]> {
    const HEADER_CRC: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    let (&[0x1f, 0x8b, 8, flags, ..], mut rest) = body.split_first_chunk::<10>()? else { return None };
    if flags & !(1 | HEADER_CRC | EXTRA | NAME | COMMENT) != 0 {
        return None;
    }
    if flags & EXTRA != 0 {
        let (length, after) = rest.split_first_chunk::<2>()?;
        rest = after.get(usize::from(u16::from_le_bytes(*length))..)?;
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            let end = rest.iter().position(|byte| *byte == 0)?;
            rest = &rest[end + 1..];
        }
    }
    if flags & HEADER_CRC != 0 {
        let header = &body[..body.len() - rest.len()];
        let (check, after) = rest.split_first_chunk::<2>()?;
        if u16::from_le_bytes(*check) != crc32(header) as u16 {
            return None;
        }
        rest = after;
    }
    Some(rest)
}

/// The check value of gzip (IEEE 802.3).
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let (mut value, mut bit) = (byte as u32, 0);
            while bit < 8 {
                value = (value >> 1) ^ (0xedb8_8320 & (value & 1).wrapping_neg());
                bit += 1;
            }
            table[byte] = value;
            byte += 1;
        }
        table
    };
    let step = |crc: u32, byte: &u8| (crc >> 8) ^ TABLE[usize::from(crc as u8 ^ byte)];
    !bytes.iter().fold(u32::MAX, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};

    /// A gzip file with these flags, and what they say follows the header.
    fn gzip(text: &[u8], flags: u8, fields: &[u8]) -> Vec<u8> {
        let head = [0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3];
        let length = (text.len() as u32).to_le_bytes();
        [&head[..], fields, &compress_to_vec(text, 6), &crc32(text).to_le_bytes(), &length].concat()
    }

    fn decoded(encoding: ContentEncoding, body: &[u8], most: usize) -> Result<Vec<u8>, InflateError> {
        encoding.decode(body, most).map(|text| text.to_vec())
    }

    #[test]
    fn each_form_of_a_gzip_header_is_read() {
        let header_crc = |fields: &[u8]| {
            let head = [&[0x1f, 0x8b, 8, 2 | 8, 0, 0, 0, 0, 0, 3], fields].concat();
            [fields, &(crc32(&head) as u16).to_le_bytes()].concat()
        };
        let table: [(u8, &[u8]); 6] = [
            (0, b""),
            (1, b""),
            (4, b"\x03\0abc"),
            (8, b"a.json\0"),
            (16, b"a comment\0"),
            (4 | 8 | 16, b"\x01\0xname\0comment\0"),
        ];
        for (flags, fields) in table {
            assert_eq!(decoded(ContentEncoding::Gzip, &gzip(b"{}", flags, fields), 2), Ok(b"{}".to_vec()));
        }
        let checked = gzip(b"{}", 2 | 8, &header_crc(b"n\0"));
        assert_eq!(decoded(ContentEncoding::Gzip, &checked, 2), Ok(b"{}".to_vec()));
        let wrong = gzip(b"{}", 2 | 8, b"n\0\0\0");
        assert_eq!(decoded(ContentEncoding::Gzip, &wrong, 2), Err(InflateError::Invalid));
        assert_eq!(decoded(ContentEncoding::Gzip, &gzip(b"{}", 32, b""), 2), Err(InflateError::Invalid));
    }

    #[test]
    fn bodies_are_whole_and_nothing_follows_them() {
        let text = b"{\"a\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}";
        let zlib = compress_to_vec_zlib(text, 6);
        for (encoding, body) in
            [(ContentEncoding::Gzip, gzip(text, 0, b"")), (ContentEncoding::Deflate, zlib)]
        {
            assert_eq!(decoded(encoding, &body, text.len()), Ok(text.to_vec()));
            for length in 0..body.len() {
                assert_eq!(decoded(encoding, &body[..length], 100), Err(InflateError::Invalid), "{length}");
            }
            for extra in [&b"\0"[..], &body] {
                let longer = [&body, extra].concat();
                assert_eq!(decoded(encoding, &longer, 100), Err(InflateError::Invalid));
            }
            let mut damaged = body.clone();
            *damaged.last_mut().unwrap() ^= 1;
            assert_eq!(decoded(encoding, &damaged, 100), Err(InflateError::Invalid));
        }
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926, "the check value of the catalogue");
    }

    #[test]
    fn a_bomb_is_read_up_to_the_bound() {
        let zeros = vec![0; 10 << 20];
        for size in [FIRST_BYTES - 1, FIRST_BYTES, FIRST_BYTES + 1, 100_000] {
            let body = gzip(&zeros[..size], 0, b"");
            assert_eq!(decoded(ContentEncoding::Gzip, &body, size), Ok(zeros[..size].to_vec()));
            assert_eq!(decoded(ContentEncoding::Gzip, &body, size - 1), Err(InflateError::TooLarge));
        }
        let bomb = compress_to_vec_zlib(&zeros, 9);
        assert!(bomb.len() < 20_000, "{}", bomb.len());
        let (mut state, mut room) = (Box::<DecompressorOxide>::default(), vec![0; 100 * 1024]);
        let flags = TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, taken, given) = decompress(&mut state, &bomb, &mut room, 0, flags);
        assert_eq!((status, given), (TINFLStatus::HasMoreOutput, room.len()));
        assert!(taken < bomb.len() / 50, "the rest is not looked at");
        assert_eq!(decoded(ContentEncoding::Deflate, &bomb, 100 * 1024), Err(InflateError::TooLarge));
    }

    #[test]
    fn encodings_are_named_by_their_header() {
        let of = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(CONTENT_ENCODING, HeaderValue::from_str(value).unwrap());
            }
            ContentEncoding::of(&headers)
        };
        assert_eq!([of(&[]), of(&[""]), of(&["Identity"])], [(); 3].map(|()| Ok(None)));
        assert_eq!([of(&["GZIP"]), of(&["x-gzip"])], [(); 2].map(|()| Ok(Some(ContentEncoding::Gzip))));
        assert_eq!(of(&[" deflate "]), Ok(Some(ContentEncoding::Deflate)));
        for unknown in [&["br"][..], &["gzip, gzip"], &["identity, gzip"]] {
            assert_eq!(of(unknown), Err(unknown[0].to_owned()));
        }
        assert_eq!(of(&["gzip", "br"]), Err("gzip, br".to_owned()));
    }
}
