//! The protocol on the socket: frames of JSON, each after its length in four bytes (big-endian). One side
//! asks, the other answers, one at a time.

use crate::keys::Purpose;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::io::{self, ErrorKind};
use std::marker::PhantomData;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// A signer answers no other version.
pub const VERSION: u32 = 1;
/// In bytes: 255 previous transactions of the usual sizes are a fifth of it. Handling a frame may take six
/// times as much, because an error's message quotes it and is copied.
pub const MAX_QUESTION: u32 = 8 << 20;
/// In bytes: 256 signatures, each with its key, are a quarter of it.
pub const MAX_ANSWER: u32 = 256 << 10;
/// The remedy for a question that is too long.
pub(super) const REMEDY: &str = "spend fewer inputs, in several transactions";
/// Most characters of an error about a question, which may quote a whole frame.
const LONGEST_WHY: usize = 1_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    pub version: u32,
    /// As in `seedKey`.
    pub seed: String,
    pub ask: Ask,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[allow(clippy::large_enum_variant, reason = "a question is asked once")]
pub enum Ask {
    /// The change-level xpub of the seed's single-key wallet.
    Account,
    /// The seed's xpub as a participant in multisig wallets.
    Participant,
    #[serde(rename_all = "camelCase")]
    Sign {
        /// [`Purpose::name`].
        purpose: String,
        /// Makes signatures of the same thing differ (RFC 6979, 3.6).
        salt: Hex,
        what: What,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum What {
    Transaction {
        /// Without signatures and proof of work.
        bytes: Hex,
        /// The inputs to be signed, each with the index of the address whose key signs.
        #[serde(deserialize_with = "few")]
        inputs: Vec<(u8, u32)>,
        /// The index of the address that calls a contract or makes a blueprint.
        caller: Option<u32>,
        /// The outputs that pay the wallet, each with the index of the address.
        #[serde(deserialize_with = "few")]
        own: Vec<(u8, u32)>,
        #[serde(deserialize_with = "few")]
        previous: Vec<Hex>,
        /// The multisig wallet of which it is a share; `None` for the seed's single-key wallet.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        multisig: Option<Several>,
        /// The redeem scripts of inputs of other multisig wallets, by the inputs' indexes.
        #[serde(default, deserialize_with = "few", skip_serializing_if = "Vec::is_empty")]
        scripts: Vec<(u8, Hex)>,
    },
    /// Signed as Hathor wallets sign messages.
    Message {
        index: u32,
        text: String,
    },
    OracleData {
        index: u32,
        data: Hex,
    },
}

/// A multisig wallet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Several {
    pub num_signatures: u8,
    /// The account xpubs of all, `m/45'/280'/0'`.
    #[serde(deserialize_with = "few")]
    pub participants: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Answer {
    Account {
        /// Of the change level, `m/44'/280'/0'/0`, or a participant's, of `m/45'/280'/0'`.
        xpub: String,
    },
    /// A compressed public key and a signature (`r` and `s`, 64 bytes) for each input asked for, then for the
    /// caller.
    Signatures(#[serde(deserialize_with = "few")] Vec<(Hex, Hex)>),
    Refused {
        rule: String,
        why: String,
    },
}

impl Asked {
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let asked: Self = serde_json::from_slice(bytes).map_err(|error| short(&error))?;
        if asked.version != VERSION {
            return Err(format!("it is of version {}, and this signer speaks {VERSION}", asked.version));
        }
        if let Ask::Sign { purpose, .. } = &asked.ask
            && !Purpose::ALL.iter().any(|known| known.name() == purpose)
        {
            return Err(format!("{:?} is no purpose", short(purpose)));
        }
        Ok(asked)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hex(pub Vec<u8>);

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Decodes in place: a copy of the digits would be twice as long as the bytes.
        struct Digits;
        impl Visitor<'_> for Digits {
            type Value = Hex;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("hexadecimal digits")
            }
            fn visit_str<E: Error>(self, digits: &str) -> Result<Hex, E> {
                hex::decode(digits).map(Hex).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Digits)
    }
}

/// An untrusted text, cut off if it is long.
pub(super) fn short(text: &(impl fmt::Display + ?Sized)) -> String {
    struct Short(String, usize);
    impl fmt::Write for Short {
        fn write_str(&mut self, more: &str) -> fmt::Result {
            let fits = more.chars().take(self.1);
            self.1 -= fits.clone().count();
            self.0.extend(fits);
            if self.1 == 0 { Err(fmt::Error) } else { Ok(()) }
        }
    }
    let mut short = Short(String::new(), LONGEST_WHY);
    // The only error is that it was long enough.
    let _ = fmt::write(&mut short, format_args!("{text}"));
    short.0
}

/// Reads a frame; `None` if the other side has ended before one.
///
/// # Errors
/// The connection's error, or that the frame is longer than `most`.
pub async fn read_frame(stream: &mut (impl AsyncRead + Unpin), most: u32) -> io::Result<Option<Vec<u8>>> {
    match read_length(stream, most).await? {
        Some(length) => read_rest(stream, length).await.map(Some),
        None => Ok(None),
    }
}

/// As [`read_frame`]: [`ErrorKind::InvalidData`] if the frame is too long.
pub(super) async fn read_length(stream: &mut (impl AsyncRead + Unpin), most: u32) -> io::Result<Option<u32>> {
    let mut head = [0; 4];
    let begun = stream.read(&mut head).await?;
    if begun == 0 {
        return Ok(None);
    }
    stream.read_exact(&mut head[begun..]).await?;
    let length = u32::from_be_bytes(head);
    if length > most {
        return Err(io::Error::new(ErrorKind::InvalidData, too_long(length.into(), most)));
    }
    Ok(Some(length))
}

pub(super) async fn read_rest(stream: &mut (impl AsyncRead + Unpin), length: u32) -> io::Result<Vec<u8>> {
    // Reserved but not touched before the bytes come.
    let mut bytes = Vec::with_capacity(length as usize);
    stream.take(length.into()).read_to_end(&mut bytes).await?;
    if bytes.len() < length as usize {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

/// # Errors
/// The connection's error, or that the frame would be longer than [`MAX_QUESTION`].
pub async fn write_frame(stream: &mut (impl AsyncWrite + Unpin), value: &impl Serialize) -> io::Result<()> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, value).map_err(io::Error::other)?;
    let length = frame.len() - 4;
    let written = u32::try_from(length).ok().filter(|length| *length <= MAX_QUESTION);
    let too_long = || {
        let why = format!("{}: {REMEDY}", too_long(length as u64, MAX_QUESTION));
        io::Error::new(ErrorKind::InvalidInput, why)
    };
    frame[..4].copy_from_slice(&written.ok_or_else(too_long)?.to_be_bytes());
    stream.write_all(&frame).await?;
    stream.flush().await
}

fn too_long(length: u64, most: u32) -> String {
    format!("a frame of {length} bytes, and {most} can be at most")
}

// Lists are bounded like those of a transaction: without a bound, a frame of two bytes per element would take
// many times its length in memory.

/// As many signatures as a transaction has inputs, and the caller's.
const MOST: usize = 256;

/// Reads a list of at most [`MOST`] elements, and nothing of a longer one.
pub(super) fn few<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    struct Few<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Few<T> {
        type Value = Vec<T>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of {MOST} elements at most")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(element) = elements.next_element()? {
                if list.len() == MOST {
                    return Err(A::Error::custom(format!("a list has more than {MOST} elements")));
                }
                list.push(element);
            }
            Ok(list)
        }
    }
    from.deserialize_seq(Few(PhantomData))
}
