//! On-chain blueprints: what a transaction of version 6 has besides inputs and outputs.

use crate::ledger::codec::{DecodeError, EncodeError, Reader, Sink};

/// Most bytes of compressed code, with the byte that says its kind (full node:
/// `NC_ON_CHAIN_BLUEPRINT_CODE_MAX_SIZE_COMPRESSED`).
pub const MAX_CODE_BYTES: usize = 24_000;
/// Most bytes of the code itself (full node: `NC_ON_CHAIN_BLUEPRINT_CODE_MAX_SIZE_UNCOMPRESSED`).
pub const MAX_CODE_TEXT_BYTES: usize = 240_000;
/// The only form of all this that there is.
const FORM: u8 = 1;
/// The only kind of code that there is: Python, compressed by zlib.
const PYTHON_ZLIB: u8 = 1;

/// The code of a blueprint, signed by who puts it on the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blueprint {
    /// Python, compressed by zlib.
    pub code: Vec<u8>,
    /// The compressed public key of who signs.
    pub public_key: Vec<u8>,
    /// DER; empty until signed.
    pub signature: Vec<u8>,
}

impl Blueprint {
    pub(in crate::ledger) fn size(&self) -> usize {
        1 + 4 + 1 + self.code.len() + 1 + self.public_key.len() + 1 + self.signature.len()
    }

    /// Writes it, with the signature or, as it is signed, without.
    pub(in crate::ledger) fn write(
        &self,
        sink: &mut impl Sink,
        is_signed_part: bool,
    ) -> Result<(), EncodeError> {
        let len = 1 + self.code.len();
        if len > MAX_CODE_BYTES {
            return Err(EncodeError::TooLong { what: "compressed code", len, max: MAX_CODE_BYTES });
        }
        sink.put(&[FORM]);
        sink.put(&u32::try_from(len).expect("not that long").to_be_bytes());
        sink.put(&[PYTHON_ZLIB]);
        sink.put(&self.code);
        sink.put_bytes8("public key of a blueprint", &self.public_key)?;
        sink.put_bytes8("signature of a blueprint", if is_signed_part { &[] } else { &self.signature })
    }

    pub(in crate::ledger) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let form = reader.u8("form of a blueprint")?;
        if form != FORM {
            return Err(DecodeError::NotSupported(format!("blueprint of form {form}")));
        }
        let len = reader.array("length of code").map(u32::from_be_bytes)?;
        let len = usize::try_from(len).ok().filter(|len| (1..=MAX_CODE_BYTES).contains(len));
        let len = len.ok_or_else(|| {
            DecodeError::malformed("length of code", format!("not from 1 to {MAX_CODE_BYTES}"))
        })?;
        let kind = reader.u8("kind of code")?;
        if kind != PYTHON_ZLIB {
            return Err(DecodeError::NotSupported(format!("code of kind {kind}")));
        }
        Ok(Self {
            code: reader.take("code", len - 1)?.to_vec(),
            public_key: reader.bytes8("public key of a blueprint")?.to_vec(),
            signature: reader.bytes8("signature of a blueprint")?.to_vec(),
        })
    }
}
