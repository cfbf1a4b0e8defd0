//! What goes over the socket: frames of JSON, each after its length in four bytes (big-endian). One side
//! asks, the other answers, one after the other.

use crate::keys::Purpose;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::io::{self, ErrorKind};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The version of the protocol. A signer answers no other.
pub const VERSION: u32 = 1;
/// Most bytes of a frame: 255 previous transactions of the usual sizes are a tenth of it.
pub const MAX_FRAME: u32 = 16 << 20;

/// A question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// [`VERSION`].
    pub version: u32,
    /// Whose keys are meant: what `seedKey` says.
    pub seed: String,
    #[allow(missing_docs)]
    pub ask: Ask,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[allow(clippy::large_enum_variant, reason = "a question is asked once")]
pub enum Ask {
    /// The xpub of the change level of the seed's wallet of one key.
    Account,
    /// The xpub that stands for the seed in wallets of several keys.
    Participant,
    /// Signatures.
    #[serde(rename_all = "camelCase")]
    Sign {
        /// What they are for: [`Purpose::name`].
        purpose: String,
        /// Makes signatures of the same thing differ (RFC 6979, 3.6).
        salt: Hex,
        #[allow(missing_docs)]
        what: What,
    },
}

/// What is to be signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum What {
    /// A transaction, and everything that it takes to see what it does.
    Transaction {
        /// Its bytes, without signatures and proof of work.
        bytes: Hex,
        /// Places of inputs to be signed, each with the index of the address whose key signs.
        inputs: Vec<(u8, u32)>,
        /// The index of the address that calls a contract, or makes a blueprint.
        caller: Option<u32>,
        /// Places of outputs that pay the wallet, each with the index of the address.
        own: Vec<(u8, u32)>,
        /// The bytes of all that it spends.
        previous: Vec<Hex>,
        /// Of which wallet of several keys it is a share; without, it is of the seed's wallet of one key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        multisig: Option<Several>,
        /// The redeem scripts of inputs that are other wallets' of several keys, by their places.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        scripts: Vec<(u8, Hex)>,
    },
    /// A text, signed as Hathor wallets sign messages.
    #[allow(missing_docs)]
    Message { index: u32, text: String },
    /// What an oracle says.
    #[allow(missing_docs)]
    OracleData { index: u32, data: Hex },
}

/// A wallet of several keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Several {
    /// How many must sign.
    pub num_signatures: u8,
    /// The account xpubs of all, `m/45'/280'/0'`.
    pub participants: Vec<String>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Answer {
    /// The account.
    Account {
        /// Of the change level, `m/44'/280'/0'/0`, or a participant's, of `m/45'/280'/0'`.
        xpub: String,
    },
    /// A compressed public key and a signature (`r` and `s`, 64 bytes) for each input asked for, then for the
    /// caller.
    Signatures(Vec<(Hex, Hex)>),
    /// Nothing is signed.
    Refused {
        /// Which rule was not kept.
        rule: String,
        /// In plain words.
        why: String,
    },
}

impl Asked {
    /// Reads a frame.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let asked: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if asked.version != VERSION {
            return Err(format!("it is of version {}, and this signer speaks {VERSION}", asked.version));
        }
        if let Ask::Sign { purpose, .. } = &asked.ask
            && !Purpose::ALL.iter().any(|known| known.name() == purpose)
        {
            return Err(format!("{purpose:?} is no purpose"));
        }
        Ok(asked)
    }
}

/// Bytes, as hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hex(pub Vec<u8>);

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        hex::decode(&*text).map(Self).map_err(serde::de::Error::custom)
    }
}

/// Reads what a frame holds; `None` where the other side has ended between two.
///
/// # Errors
/// The connection's error, or that the frame is longer than [`MAX_FRAME`].
pub async fn read_frame(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; 4];
    let begun = stream.read(&mut head).await?;
    if begun == 0 {
        return Ok(None);
    }
    stream.read_exact(&mut head[begun..]).await?;
    let length = u32::from_be_bytes(head);
    if length > MAX_FRAME {
        return Err(io::Error::new(ErrorKind::InvalidData, "the frame is too long"));
    }
    // It grows with what really comes.
    let mut bytes = Vec::new();
    stream.take(length.into()).read_to_end(&mut bytes).await?;
    if bytes.len() < length as usize {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(bytes))
}

/// Writes a frame.
///
/// # Errors
/// The connection's error, or that it would be longer than [`MAX_FRAME`].
pub async fn write_frame(stream: &mut (impl AsyncWrite + Unpin), value: &impl Serialize) -> io::Result<()> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, value).map_err(io::Error::other)?;
    let length = u32::try_from(frame.len() - 4).ok().filter(|length| *length <= MAX_FRAME);
    let length =
        length.ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "the frame would be too long"))?;
    frame[..4].copy_from_slice(&length.to_be_bytes());
    stream.write_all(&frame).await?;
    stream.flush().await
}
