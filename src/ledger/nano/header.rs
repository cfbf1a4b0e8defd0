//! Calls of contracts and blueprints: in the headers of transactions, and as histories show them.

use crate::ledger::codec::{DecodeError, EncodeError, Reader, Sink, leb128_size, value_size};
use crate::ledger::{Address, Amount, AmountVersion, Output, TokenUid, Transaction, VertexId};

/// The header's first byte.
pub(in crate::ledger) const NANO_ID: u8 = 0x10;
/// Greatest sequence number (it has eight bytes of seven bits).
pub const MAX_SEQNUM: u64 = (1 << 56) - 1;
const SEQNUM_BYTES: usize = 8;
const SCRIPT_LEN_BYTES: usize = 2;
/// What two bytes of seven bits can say.
const MAX_SCRIPT: usize = (1 << 14) - 1;

/// A call of a contract's method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NanoHeader {
    /// The contract; for [`INITIALIZE`](super::INITIALIZE) the blueprint that the new one is made of.
    pub id: VertexId,
    /// How many calls the caller's address has made before, or more; [`MAX_SEQNUM`] at most.
    pub seqnum: u64,
    /// ASCII.
    pub method: String,
    /// As [`write_args`](super::write_args) makes them.
    pub args: Vec<u8>,
    pub actions: Vec<NanoAction>,
    pub caller: Address,
    /// The caller's signature, as an input of a script that pays the caller has it; empty until signed.
    pub script: Vec<u8>,
}

/// What a call moves into or out of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NanoAction {
    pub kind: ActionKind,
    /// 0 is HTR, k the k-th token of the transaction's list.
    pub token_index: u8,
    /// For authorities a bit mask, as in outputs.
    pub amount: Amount,
}

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ActionKind {
    /// From the inputs into the contract.
    Deposit = 1,
    /// Out of the contract into the outputs.
    Withdrawal = 2,
    /// An authority of the inputs goes to the contract.
    GrantAuthority = 3,
    /// An authority of the contract's goes to the outputs.
    AcquireAuthority = 4,
}

impl ActionKind {
    pub const ALL: [Self; 4] =
        [Self::Deposit, Self::Withdrawal, Self::GrantAuthority, Self::AcquireAuthority];

    /// Whether its amount is the bit mask of an authority.
    pub const fn moves_authority(self) -> bool {
        matches!(self, Self::GrantAuthority | Self::AcquireAuthority)
    }
    /// As nodes and wallets write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deposit => "deposit",
            Self::Withdrawal => "withdrawal",
            Self::GrantAuthority => "grant_authority",
            Self::AcquireAuthority => "acquire_authority",
        }
    }
}

impl NanoHeader {
    /// Whether it creates a contract.
    pub fn is_creation(&self) -> bool {
        self.method == super::INITIALIZE
    }

    pub(in crate::ledger) fn size(&self, version: AmountVersion) -> usize {
        let actions: usize = self
            .actions
            .iter()
            .map(|action| 2 + value_size(action.amount, action.kind.moves_authority(), version))
            .sum();
        let head = 1 + 32 + leb128_size(self.seqnum) + 1 + self.method.len() + 2 + self.args.len();
        head + 1 + actions + 25 + leb128_size(self.script.len() as u64) + self.script.len()
    }

    /// Writes it, with the script or, as it is signed, without.
    pub(in crate::ledger) fn write(
        &self,
        sink: &mut impl Sink,
        is_signed_part: bool,
        version: AmountVersion,
    ) -> Result<(), EncodeError> {
        if self.seqnum > MAX_SEQNUM {
            return Err(EncodeError::TooLarge {
                what: "nano sequence number",
                number: self.seqnum,
                max: MAX_SEQNUM,
            });
        }
        if !self.method.is_ascii() {
            return Err(EncodeError::MethodNotAscii);
        }
        sink.put(&[NANO_ID]);
        sink.put(&self.id.0);
        sink.put_leb128(self.seqnum);
        sink.put_bytes8("nano method", self.method.as_bytes())?;
        sink.put_bytes16("nano arguments", &self.args)?;
        sink.put_len8("list of nano actions", self.actions.len())?;
        for action in &self.actions {
            sink.put(&[action.kind as u8, action.token_index]);
            sink.put_value(action.amount, action.kind.moves_authority(), version)?;
        }
        sink.put(&self.caller.to_bytes());
        let script = if is_signed_part { &[][..] } else { &self.script };
        if script.len() > MAX_SCRIPT {
            return Err(EncodeError::TooLong { what: "nano script", len: script.len(), max: MAX_SCRIPT });
        }
        sink.put_leb128(script.len() as u64);
        sink.put(script);
        Ok(())
    }

    /// Reads what follows the first byte.
    pub(in crate::ledger) fn read(
        reader: &mut Reader<'_>,
        version: AmountVersion,
    ) -> Result<Self, DecodeError> {
        let id = reader.id("nano contract")?;
        let seqnum = reader.leb128("nano sequence number", SEQNUM_BYTES)?;
        let method = reader.bytes8("nano method")?;
        if !method.is_ascii() {
            return Err(DecodeError::malformed("nano method", "not ASCII"));
        }
        let method = String::from_utf8(method.to_vec()).expect("ASCII is UTF-8");
        let args = reader.bytes16("nano arguments")?.to_vec();
        let count = reader.u8("number of nano actions")?;
        let actions = reader.many(count, |reader| NanoAction::read(reader, version))?;
        let caller = reader.address("nano caller")?;
        let script_len = reader.leb128("nano script", SCRIPT_LEN_BYTES)?;
        let script = reader.take("nano script", usize::try_from(script_len).expect("two bytes"))?.to_vec();
        Ok(Self { id, seqnum, method, args, actions, caller, script })
    }
}

impl NanoAction {
    fn read(reader: &mut Reader<'_>, version: AmountVersion) -> Result<Self, DecodeError> {
        const AMOUNT: &str = "amount of a nano action";
        let byte = reader.u8("nano action")?;
        let kind = ActionKind::ALL.into_iter().find(|kind| *kind as u8 == byte);
        let kind = kind.ok_or_else(|| DecodeError::NotSupported(format!("nano action of kind {byte}")))?;
        let token_index = reader.u8("token of a nano action")?;
        let number = reader.number(AMOUNT, version)?;
        let amount = Reader::value(AMOUNT, number, kind.moves_authority(), version)?;
        Ok(Self { kind, token_index, amount })
    }
}

// On-chain blueprints: what a transaction of version 6 has besides inputs and outputs.

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

// Calls of contracts and blueprints as the ledger's indexes show them.

/// What a transaction has to do with contracts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VertexNano {
    Call(NanoCall),
    /// It is a blueprint.
    Blueprint {
        /// The compressed public key of who put it on the ledger.
        public_key: Vec<u8>,
    },
}

/// A call of a contract's method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NanoCall {
    /// The contract; of a call that creates one, the transaction itself.
    pub contract: VertexId,
    /// What the contract is made of, where that is known.
    pub blueprint: Option<VertexId>,
    pub seqnum: u64,
    /// ASCII.
    pub method: String,
    /// As [`write_args`](super::write_args) makes them.
    pub args: Vec<u8>,
    pub caller: Address,
    pub actions: Vec<TokenAction>,
    /// The time that the node gives its context: Unix seconds.
    pub timestamp: Option<u32>,
}

/// What a call moves into or out of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenAction {
    pub kind: ActionKind,
    pub token: TokenUid,
    /// For authorities a bit mask.
    pub amount: Amount,
}

impl TokenAction {
    /// Whether an authority to mint is among what moves.
    pub const fn mints(&self) -> bool {
        self.amount.cents() & Output::MINT as u128 != 0
    }
    /// Whether an authority to melt is.
    pub const fn melts(&self) -> bool {
        self.amount.cents() & Output::MELT as u128 != 0
    }
}

impl VertexNano {
    /// The call, if it is one.
    pub const fn call(&self) -> Option<&NanoCall> {
        match self {
            Self::Call(call) => Some(call),
            Self::Blueprint { .. } => None,
        }
    }

    /// Of the transaction `id` as it is sent.
    pub fn of(transaction: &Transaction, id: VertexId) -> Option<Self> {
        if let Some(blueprint) = &transaction.blueprint {
            return Some(Self::Blueprint { public_key: blueprint.public_key.clone() });
        }
        let header = transaction.nano()?;
        let (contract, blueprint) = match header.is_creation() {
            true => (id, Some(header.id)),
            false => (header.id, None),
        };
        let NanoHeader { seqnum, method, args, caller, .. } = header.clone();
        let action = |action: &super::NanoAction| {
            let token = match transaction.token_at(crate::ledger::TokenData::token(action.token_index)) {
                None if transaction.creates.is_some() => TokenUid::Custom(id),
                token => token?,
            };
            Some(TokenAction { kind: action.kind, token, amount: action.amount })
        };
        let actions = header.actions.iter().map(action).collect::<Option<_>>()?;
        let call = NanoCall { contract, blueprint, seqnum, method, args, caller, actions, timestamp: None };
        Some(Self::Call(call))
    }
}
