//! Transactions and their one wire codec.

use super::codec::{
    DecodeError, EncodeError, Reader, Sink, graph_size, mining_bytes, outputs_size, value_size, vertex_id,
};
use super::nano::{Blueprint, NANO_ID, NanoHeader};
use super::{Amount, AmountVersion, Outpoint, TokenInfo, TokenUid, TokenVersion, VertexId};
use sha2::{Digest, Sha256};

/// Most inputs (the count is one byte).
pub const MAX_INPUTS: usize = 255;
/// Most outputs (the count is one byte).
pub const MAX_OUTPUTS: usize = 255;
/// Most bytes (full node 0.70 and later).
pub const MAX_TRANSACTION_BYTES: usize = 48_000;

const REGULAR: u8 = 1;
const CREATION: u8 = 2;
const BLUEPRINT: u8 = 6;

/// A transaction of version 1, of version 2 when it creates a token, or of version 6 when it is a blueprint.
#[derive(Clone, Debug, PartialEq)]
pub struct Transaction {
    /// Without a meaning yet, but for [`Transaction::AMOUNTS_V2`].
    pub signal_bits: u8,
    /// Custom tokens that outputs refer to; empty for a token creation.
    pub tokens: Vec<VertexId>,
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
    /// Makes it version 2.
    pub creates: Option<TokenCreation>,
    /// Makes it version 6.
    pub blueprint: Option<Box<Blueprint>>,
    /// Difficulty of the proof of work: 2^weight hashes expected.
    pub weight: f64,
    /// Unix seconds.
    pub timestamp: u32,
    /// Two once mined, none before.
    pub parents: Vec<VertexId>,
    pub nonce: u32,
    pub headers: Vec<Header>,
}

/// The token that a version 2 transaction creates.
pub type TokenCreation = TokenInfo;

/// An output spent, and the proof that it may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub spends: Outpoint,
    /** Empty until signed. */
    pub data: Vec<u8>,
}

/// Value put under a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// 1 to 2^63 cents, or parts of a cent; for authorities a bit mask: 1 mint, 2 melt.
    pub value: Amount,
    pub token_data: TokenData,
    /// At most 1,024 bytes; 256 to be standard.
    pub script: Vec<u8>,
}

/// The byte that says which token an output is of: bit 7 marks an authority, bits 0–6 are the token's index
/// (0 is HTR).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenData(pub u8);

impl TokenData {
    /// The bit that marks an authority.
    pub const AUTHORITY: u8 = 0x80;
    /// HTR.
    pub const NATIVE: Self = Self(0);
    /// The first custom token of the transaction.
    pub const FIRST: Self = Self(1);
    /// An amount of the token at `index` of the list, counted from 1.
    pub const fn token(index: u8) -> Self {
        Self(index & 0x7f)
    }
    /// An authority over the token at `index` of the list, counted from 1.
    pub const fn authority(index: u8) -> Self {
        Self(index | Self::AUTHORITY)
    }
    /// Place in the token list, counted from 1; 0 is HTR.
    pub const fn index(self) -> u8 {
        self.0 & 0x7f
    }
    /// Whether it is an authority and its value a bit mask.
    pub const fn is_authority(self) -> bool {
        self.0 & Self::AUTHORITY != 0
    }
}

impl Output {
    /// Authority bit that allows minting.
    pub const MINT: u8 = 1;
    /// Authority bit that allows melting.
    pub const MELT: u8 = 2;
}

impl Transaction {
    /// The signal bit that means that amounts are in units of 10^-18.
    pub const AMOUNTS_V2: u8 = 1;

    /// How it writes its amounts.
    pub const fn amounts(&self) -> AmountVersion {
        amounts_by(self.signal_bits)
    }

    /// 1, 2 for a token creation, or 6 for a blueprint.
    pub fn version(&self) -> u8 {
        match (&self.creates, &self.blueprint) {
            (Some(_), _) => CREATION,
            (None, Some(_)) => BLUEPRINT,
            (None, None) => REGULAR,
        }
    }

    /// The call of a contract that it makes.
    pub fn nano(&self) -> Option<&NanoHeader> {
        self.headers.iter().find_map(Header::call)
    }

    /// Whether the other one moves the same: such transactions differ in signatures and proof of work at
    /// most, and the ledger takes only one of them, because they spend the same.
    pub fn is_same_payment(&self, other: &Self) -> bool {
        !self.inputs.is_empty() && matches!((self.sighash(), other.sighash()), (Ok(a), Ok(b)) if a == b)
    }

    /// Whether the other one is this one with another proof of work.
    pub fn is_solved_from(&self, other: &Self) -> bool {
        self.is_same_payment(other) && self.inputs == other.inputs
    }

    /// The outputs that it spends, in the order of its inputs.
    pub fn spends(&self) -> Vec<Outpoint> {
        self.inputs.iter().map(|input| input.spends).collect()
    }

    /// Reads a whole transaction; every byte must be used and every value canonical.
    ///
    /// # Errors
    /// [`DecodeError::NotSupported`] for a version, [`Transaction::AMOUNTS_V2`], a header or a token
    /// creation that this wallet does not read; [`DecodeError::Malformed`] for a block, and for what no
    /// full node reads either.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        match bytes.first() {
            Some(signal_bits) if signal_bits & Self::AMOUNTS_V2 != 0 => {
                Err(DecodeError::NotSupported(format!("signal bits {signal_bits:#b}")))
            }
            _ => Self::from_bytes_with_v2(bytes),
        }
    }

    /// Reads amounts in units of 10^-18, too: only in this wallet's own bytes, or for what both versions
    /// have in common. Nodes up to 0.70 ignore the signal bit and read the bytes of others as other amounts
    /// to other addresses, so that a signature for what is shown here would be one for something else
    /// there.
    ///
    /// # Errors
    /// As [`Transaction::from_bytes`], but for that bit.
    pub fn from_bytes_with_v2(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let signal_bits = reader.u8("signal bits")?;
        let version = reader.u8("version")?;
        match version {
            REGULAR | CREATION | BLUEPRINT => {}
            0 | 3 | 5 => {
                return Err(DecodeError::malformed("transaction", format!("version {version} is a block")));
            }
            _ => return Err(DecodeError::NotSupported(format!("transaction version {version}"))),
        }
        let amounts = amounts_by(signal_bits);
        let token_count = if version != CREATION { reader.u8("number of tokens")? } else { 0 };
        let input_count = reader.u8("number of inputs")?;
        let output_count = reader.u8("number of outputs")?;
        let tokens = reader.many(token_count, |reader| reader.id("token uid"))?;
        let inputs = reader.many(input_count, Input::read)?;
        let outputs = reader.many(output_count, |reader| reader.output(amounts))?;
        let creates = if version == CREATION { Some(read_creation(&mut reader)?) } else { None };
        let blueprint = match version {
            BLUEPRINT => Some(Box::new(Blueprint::read(&mut reader)?)),
            _ => None,
        };
        let (weight, timestamp, parents) = reader.graph()?;
        let nonce = reader.array("nonce").map(u32::from_be_bytes)?;
        let headers = Header::read_all(&mut reader, amounts)?;
        Ok(Self {
            signal_bits,
            tokens,
            inputs,
            outputs,
            creates,
            blueprint,
            weight,
            timestamp,
            parents,
            nonce,
            headers,
        })
    }

    /// The transaction as the network has it: funds, graph, nonce and headers.
    ///
    /// # Errors
    /// [`EncodeError`] for more inputs, outputs, tokens, parents, fees or bytes of a field than their length
    /// can say, for a value that no output holds or that is not in whole cents where it must be, and for a
    /// token creation that lists tokens.
    pub fn to_bytes(&self) -> Result<Vec<u8>, EncodeError> {
        let mut bytes = Vec::with_capacity(self.size());
        self.write_funds(&mut bytes, Part::All)?;
        bytes.put_graph(self.weight, self.timestamp, &self.parents)?;
        bytes.put(&self.nonce.to_be_bytes());
        self.write_headers(&mut bytes, Part::All)?;
        Ok(bytes)
    }

    /// How many bytes [`Self::to_bytes`] gives.
    pub fn size(&self) -> usize {
        let inputs: usize = self.inputs.iter().map(|input| 35 + input.data.len()).sum();
        let middle = match &self.creates {
            Some(token) => 3 + token.name.len() + token.symbol.len(),
            None => 1 + 32 * self.tokens.len(),
        };
        let blueprint = self.blueprint.as_ref().map_or(0, |blueprint| blueprint.size());
        let headers =
            blueprint + self.headers.iter().map(|header| header.size(self.amounts())).sum::<usize>();
        4 + inputs
            + outputs_size(&self.outputs, self.amounts())
            + middle
            + graph_size(&self.parents)
            + 4
            + headers
    }

    /// The transaction id: hash over everything, the proof of work included.
    pub fn id(&self) -> Result<VertexId, EncodeError> {
        Ok(vertex_id(&self.mining_bytes()?, self.nonce.into()))
    }

    /// The digest that every input signs (double SHA-256 of the sighash bytes).
    ///
    /// # Errors
    /// [`EncodeError`] for what [`Transaction::to_bytes`] can't write either, but for parents and input data,
    /// which are not signed.
    pub fn sighash(&self) -> Result<[u8; 32], EncodeError> {
        let mut hasher = Sha256::new();
        self.write_sighash(&mut hasher)?;
        Ok(Sha256::digest(hasher.finalize()).into())
    }

    /// The bytes that are signed: funds with every input's data emptied, then the headers. Weight, timestamp,
    /// parents and nonce may change after signing.
    ///
    /// # Errors
    /// [`EncodeError`] for what [`Transaction::to_bytes`] can't write either, but for parents and input data,
    /// which are not signed.
    pub fn sighash_bytes(&self) -> Result<Vec<u8>, EncodeError> {
        let mut bytes = Vec::with_capacity(self.size());
        self.write_sighash(&mut bytes)?;
        Ok(bytes)
    }

    /// SHA-256 of funds, then of graph and headers: what the nonce is hashed with (64 bytes).
    pub fn mining_bytes(&self) -> Result<[u8; 64], EncodeError> {
        let (mut funds, mut graph) = (Sha256::new(), Sha256::new());
        self.write_funds(&mut funds, Part::All)?;
        graph.put_graph(self.weight, self.timestamp, &self.parents)?;
        self.write_headers(&mut graph, Part::All)?;
        Ok(mining_bytes(funds, graph))
    }

    /// Sum of the outputs that are no authorities, all tokens together: what weight depends on.
    pub fn outputs_sum(&self) -> Amount {
        self.outputs
            .iter()
            .filter(|output| !output.token_data.is_authority())
            .map(|output| output.value)
            .sum()
    }

    /// The token that `token_data` names in this transaction; `None` past the list, or for the token being
    /// created (whose uid is the id).
    pub fn token_at(&self, token_data: TokenData) -> Option<TokenUid> {
        match token_data.index().checked_sub(1) {
            None => Some(TokenUid::Native),
            Some(place) if self.creates.is_none() => {
                self.tokens.get(usize::from(place)).copied().map(TokenUid::Custom)
            }
            Some(_) => None,
        }
    }

    fn write_sighash(&self, sink: &mut impl Sink) -> Result<(), EncodeError> {
        self.write_spends_and_pays(sink, Part::Signed)?;
        self.write_headers(sink, Part::Signed)?;
        self.write_blueprint(sink, Part::Signed)
    }

    fn write_funds(&self, sink: &mut impl Sink, part: Part) -> Result<(), EncodeError> {
        self.write_spends_and_pays(sink, part)?;
        self.write_blueprint(sink, part)
    }

    /// The funds but for a blueprint.
    fn write_spends_and_pays(&self, sink: &mut impl Sink, part: Part) -> Result<(), EncodeError> {
        sink.put(&[self.signal_bits, self.version()]);
        if self.creates.is_none() {
            sink.put_len8("list of tokens", self.tokens.len())?;
        } else if !self.tokens.is_empty() {
            return Err(EncodeError::TokensInCreation(self.tokens.len()));
        }
        let input_count = u8::try_from(self.inputs.len());
        let output_count = u8::try_from(self.outputs.len());
        sink.put(&[
            input_count.map_err(|_| EncodeError::TooManyInputs(self.inputs.len()))?,
            output_count.map_err(|_| EncodeError::TooManyOutputs(self.outputs.len()))?,
        ]);
        self.tokens.iter().for_each(|token| sink.put(&token.0));
        for input in &self.inputs {
            let data = match part {
                Part::All => input.data.as_slice(),
                Part::Signed => &[],
            };
            sink.put(&input.spends.tx.0);
            sink.put(&[input.spends.index]);
            sink.put_bytes16("input data", data)?;
        }
        sink.put_outputs(&self.outputs, self.amounts())?;
        if let Some(token) = &self.creates {
            sink.put(&[token.version as u8]);
            sink.put_bytes8("token name", token.name.as_bytes())?;
            sink.put_bytes8("token symbol", token.symbol.as_bytes())?;
        }
        Ok(())
    }

    fn write_blueprint(&self, sink: &mut impl Sink, part: Part) -> Result<(), EncodeError> {
        match &self.blueprint {
            Some(_) if self.creates.is_some() => Err(EncodeError::CreationAndBlueprint),
            Some(blueprint) => blueprint.write(sink, part == Part::Signed),
            None => Ok(()),
        }
    }

    fn write_headers(&self, sink: &mut impl Sink, part: Part) -> Result<(), EncodeError> {
        let amounts = self.amounts();
        self.headers.iter().try_for_each(|header| header.write(sink, part == Part::Signed, amounts))
    }
}

const fn amounts_by(signal_bits: u8) -> AmountVersion {
    match signal_bits & Transaction::AMOUNTS_V2 {
        0 => AmountVersion::V1,
        _ => AmountVersion::V2,
    }
}

impl Input {
    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let spends =
            Outpoint { tx: reader.id("spent transaction")?, index: reader.u8("index of spent output")? };
        Ok(Self { spends, data: reader.bytes16("input data")?.to_vec() })
    }
}

fn read_creation(reader: &mut Reader<'_>) -> Result<TokenCreation, DecodeError> {
    let version = match reader.u8("token version")? {
        1 => TokenVersion::Deposit,
        2 => TokenVersion::Fee,
        0 => return Err(DecodeError::NotSupported("creation of a native token".to_owned())),
        other => return Err(DecodeError::malformed("token version", format!("{other} is unknown"))),
    };
    Ok(TokenCreation { name: reader.text8("token name")?, symbol: reader.text8("token symbol")?, version })
}

/// What of the signed things is written: inputs, callers, blueprints.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    All,
    /// Without their signatures, which can't cover themselves.
    Signed,
}

// Headers: optional parts after the nonce.

/// Most headers of one transaction (full node: `get_maximum_number_of_headers`).
const MAX_HEADERS: usize = 3;
const FEE_ID: u8 = 0x11;

/// A part after the nonce. Others than these decode to [`DecodeError::NotSupported`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Header {
    /// Fees of fee-based tokens: 1 to 16 entries, each token once.
    Fee(Vec<FeeEntry>),
    /// A call of a contract.
    Nano(Box<NanoHeader>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeeEntry {
    /// 0 is HTR, k the k-th token of the list.
    pub token_index: u8,
    pub amount: Amount,
}

impl Header {
    pub(super) fn size(&self, version: AmountVersion) -> usize {
        match self {
            Self::Fee(entries) => {
                let size = |entry: &FeeEntry| 1 + value_size(entry.amount, false, version);
                2 + entries.iter().map(size).sum::<usize>()
            }
            Self::Nano(header) => header.size(version),
        }
    }
    /// Its entries, if it is a fee header.
    pub fn fees(&self) -> &[FeeEntry] {
        if let Self::Fee(entries) = self { entries } else { &[] }
    }
    /// The call of a contract, if it is one.
    pub fn call(&self) -> Option<&NanoHeader> {
        if let Self::Nano(header) = self { Some(header) } else { None }
    }
    /// Writes it. What is signed of a nano header is all but its script; of a fee header, all.
    pub(super) fn write(
        &self,
        sink: &mut impl Sink,
        is_signed_part: bool,
        version: AmountVersion,
    ) -> Result<(), EncodeError> {
        let entries = match self {
            Self::Fee(entries) => entries,
            Self::Nano(header) => return header.write(sink, is_signed_part, version),
        };
        sink.put(&[FEE_ID]);
        sink.put_len8("fee header", entries.len())?;
        entries.iter().try_for_each(|entry| {
            sink.put(&[entry.token_index]);
            sink.put_value(entry.amount, false, version)
        })
    }
    fn read(reader: &mut Reader<'_>, version: AmountVersion) -> Result<Self, DecodeError> {
        let kind = match reader.u8("header")? {
            FEE_ID => {
                let count = reader.u8("fee header")?;
                let entries = reader.many(count, |reader| {
                    let token_index = reader.u8("fee header")?;
                    let number = reader.number("fee", version)?;
                    Ok(FeeEntry { token_index, amount: Reader::value("fee", number, false, version)? })
                });
                return entries.map(Self::Fee);
            }
            NANO_ID => return NanoHeader::read(reader, version).map(|header| Self::Nano(Box::new(header))),
            0x12 => "shielded outputs",
            0x13 => "unshield balance",
            0x14 => "shielded mint",
            0x15 => "shielded melt",
            id => return Err(DecodeError::NotSupported(format!("unknown header {id:#04x}"))),
        };
        Err(DecodeError::NotSupported(format!("{kind} header")))
    }
    /// All headers, up to the end of the bytes.
    pub(super) fn read_all(
        reader: &mut Reader<'_>,
        version: AmountVersion,
    ) -> Result<Vec<Self>, DecodeError> {
        let mut headers = Vec::new();
        while !reader.is_empty() {
            if headers.len() == MAX_HEADERS {
                return Err(DecodeError::malformed("headers", format!("more than {MAX_HEADERS}")));
            }
            headers.push(Self::read(reader, version)?);
        }
        Ok(headers)
    }
}
