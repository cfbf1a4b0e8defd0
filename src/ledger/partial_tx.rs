//! Proposals of atomic swaps: transactions that several wallets make together, as text that each of them
//! passes on (wallet-lib: `PartialTx`), and the input data that each gives for its own inputs (wallet-lib:
//! `PartialTxInputData`).
//!
//! ```text
//! PartialTx|<transaction, unsigned>|<address>,<token>,<authorities>,<value>:…|<place of a change output>:…
//! PartialTxInputData|<what is signed>|<place of an input>:<input data>|…
//! ```
//!
//! What is said of the inputs is said by strangers: the ledger alone knows what they hold.

use super::{
    Address, Amount, DecodeError, EncodeError, Input, Network, Outpoint, Output, Script, SpentOutput,
    TokenData, TokenUid, Transaction, VertexId,
};
use litemap::LiteMap;
use std::fmt::Write;

const PREFIX: &str = "PartialTx";
const DATA_PREFIX: &str = "PartialTxInputData";
/// Longer texts are not read: more than the largest transaction has, in hexadecimal digits and described.
const MAX_TEXT: usize = 256 * 1024;
/// Most tokens that outputs can name.
const MAX_TOKENS: usize = 0x7f;
/// Input data is a signature or a few; a length has two bytes.
const MAX_INPUT_DATA: usize = u16::MAX as usize;

/// A transaction in the making.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartialTx {
    pub inputs: Vec<PartialInput>,
    pub outputs: Vec<PartialOutput>,
}

/// An output to be spent, and what somebody says that it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialInput {
    pub spends: Outpoint,
    pub holds: Holding,
    pub address: Address,
}

/// An output to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialOutput {
    pub holds: Holding,
    /// It pays an address, perhaps only after a time.
    pub script: Vec<u8>,
    pub is_change: bool,
}

/// What an input or output holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    pub token: TokenUid,
    /// Of an authority a bit mask: 1 mint, 2 melt.
    pub value: Amount,
    pub is_authority: bool,
}

impl Holding {
    /// An amount of a token.
    pub const fn amount(token: TokenUid, value: Amount) -> Self {
        Self { token, value, is_authority: false }
    }
    /// The bits of an authority; 0 of an amount.
    const fn authorities(self) -> u128 {
        if self.is_authority { self.value.cents() } else { 0 }
    }
    fn check(self, what: &'static str) -> Result<Self, PartialTxError> {
        let masks = 1..=u128::from(Output::MINT | Output::MELT);
        let fits = match self.is_authority {
            true => self.token != TokenUid::Native && masks.contains(&self.value.cents()),
            false => !self.value.is_zero() && self.value <= Amount::MAX_OUTPUT && self.value.part() == 0,
        };
        if fits { Ok(self) } else { Err(PartialTxError::Malformed(what)) }
    }
}

/// Why a proposal can't be read or put together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartialTxError {
    /// Not of the four parts, or longer than any proposal.
    #[error("Invalid PartialTx")]
    Form,
    /// A part that can't be read.
    #[error("Invalid PartialTx: {0}")]
    Malformed(&'static str),
    /// The transaction can't be read.
    #[error("Invalid PartialTx: {0}")]
    Transaction(#[from] DecodeError),
    /// It can't be written.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// An output that pays no address.
    #[error("Unsupported script type")]
    UnsupportedScript,
    /// A text of input data that can't be read, or is of another transaction.
    #[error("Invalid PartialTxInputData")]
    InputData,
}

impl PartialTx {
    /// Reads a proposal.
    ///
    /// # Errors
    /// [`PartialTxError`]. An address must be of `network`, and outputs must pay addresses.
    pub fn parse(text: &str, network: Network) -> Result<Self, PartialTxError> {
        use PartialTxError::Malformed;
        if text.len() > MAX_TEXT {
            return Err(PartialTxError::Form);
        }
        let mut parts = text.split('|');
        let (Some(PREFIX), Some(hex), Some(inputs), Some(change), None) =
            (parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(PartialTxError::Form);
        };
        let bytes =
            hex::decode(hex).map_err(|_| Malformed("its transaction is not in hexadecimal digits"))?;
        let transaction = Transaction::from_bytes(&bytes)?;
        if transaction.version() != 1 || !transaction.headers.is_empty() {
            return Err(Malformed("a swap creates no token and has no headers"));
        }
        let mut described = list(inputs);
        let read = |input: &Input| {
            let described = described.next().ok_or(Malformed("an input is not described"))?;
            PartialInput::parse(input.spends, described, network)
        };
        let inputs = transaction.inputs.iter().map(read).collect::<Result<_, _>>()?;
        if described.next().is_some() {
            return Err(Malformed("there are fewer inputs than are described"));
        }
        let read = |output: &Output| PartialOutput::read(output, &transaction, network);
        let mut partial =
            Self { inputs, outputs: transaction.outputs.iter().map(read).collect::<Result<_, _>>()? };
        for place in list(change) {
            let place = number(place).and_then(|place| usize::try_from(place).ok());
            let output = place.and_then(|place| partial.outputs.get_mut(place));
            output.ok_or(Malformed("there is no such output as is said to be change"))?.is_change = true;
        }
        // What has more tokens than outputs can name could be read, and not be written again.
        partial.transaction()?;
        Ok(partial)
    }

    /// The proposal as text.
    pub fn to_text(&self) -> Result<String, EncodeError> {
        let transaction = hex::encode(self.transaction()?.to_bytes()?);
        let inputs: Vec<_> = self.inputs.iter().map(PartialInput::described).collect();
        let change = self.outputs.iter().enumerate().filter(|(_, output)| output.is_change);
        let change: Vec<_> = change.map(|(place, _)| format!("{place:x}")).collect();
        Ok([PREFIX, &transaction, &inputs.join(":"), &change.join(":")].join("|"))
    }

    /// The transaction: unsigned, without parents and proof of work, and without weight and timestamp. It
    /// lists the tokens of its outputs, then those that only inputs have.
    ///
    /// # Errors
    /// [`EncodeError::TooLong`] for more tokens than outputs can name.
    pub fn transaction(&self) -> Result<Transaction, EncodeError> {
        let mut tokens: Vec<VertexId> = Vec::new();
        let holdings = self.outputs.iter().map(|output| output.holds);
        for holding in holdings.chain(self.inputs.iter().map(|input| input.holds)) {
            if let TokenUid::Custom(token) = holding.token
                && !tokens.contains(&token)
            {
                tokens.push(token);
            }
        }
        if tokens.len() > MAX_TOKENS {
            return Err(EncodeError::TooLong { what: "list of tokens", len: tokens.len(), max: MAX_TOKENS });
        }
        let token_data = |Holding { token, is_authority, .. }: Holding| {
            // HTR is not listed.
            let place = tokens.iter().position(|listed| token == TokenUid::Custom(*listed));
            let place = place.map_or(0, |place| 1 + u8::try_from(place).expect("checked above"));
            if is_authority { TokenData::authority(place) } else { TokenData::token(place) }
        };
        let input = |input: &PartialInput| Input { spends: input.spends, data: Vec::new() };
        let output = |output: &PartialOutput| Output {
            value: output.holds.value,
            token_data: token_data(output.holds),
            script: output.script.clone(),
        };
        Ok(Transaction {
            signal_bits: 0,
            inputs: self.inputs.iter().map(input).collect(),
            outputs: self.outputs.iter().map(output).collect(),
            tokens,
            creates: None,
            blueprint: None,
            weight: 0.0,
            timestamp: 0,
            parents: Vec::new(),
            nonce: 0,
            headers: Vec::new(),
        })
    }

    /// What goes in and comes out, by token. Authorities count as nothing.
    pub fn balance(&self) -> LiteMap<TokenUid, (Amount, Amount)> {
        let mut balance: LiteMap<_, (Amount, Amount)> = LiteMap::new();
        let value = |holds: Holding| if holds.is_authority { Amount::ZERO } else { holds.value };
        for PartialInput { holds, .. } in &self.inputs {
            let (inputs, _) = balance.entry(holds.token).or_default();
            *inputs = inputs.saturating_add(value(*holds));
        }
        for PartialOutput { holds, .. } in &self.outputs {
            let (_, outputs) = balance.entry(holds.token).or_default();
            *outputs = outputs.saturating_add(value(*holds));
        }
        balance
    }

    /// Whether as much comes out as goes in, of every token.
    pub fn is_complete(&self) -> bool {
        self.balance().values().all(|(inputs, outputs)| inputs == outputs)
    }

    /// Whether its inputs spend what they are said to: these are the outputs spent, in their order.
    pub fn agrees_with(&self, spends: &[SpentOutput], network: Network) -> bool {
        let agrees = |(input, spent): (&PartialInput, &SpentOutput)| {
            let script = Script::parse(&spent.script, network);
            let pays = matches!(script, Some(Script::Pay { to, .. }) if to == input.address);
            let holds = Holding {
                token: spent.token,
                value: spent.value,
                is_authority: spent.token_data.is_authority(),
            };
            pays && spent.unknown.is_none() && holds == input.holds
        };
        spends.len() == self.inputs.len() && self.inputs.iter().zip(spends).all(agrees)
    }
}

impl PartialInput {
    fn parse(spends: Outpoint, described: &str, network: Network) -> Result<Self, PartialTxError> {
        const WHAT: &str = "an input is described by address, token, authorities and value";
        let malformed = || PartialTxError::Malformed(WHAT);
        let mut parts = described.split(',');
        let (Some(address), Some(token), Some(authorities), Some(value), None) =
            (parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(malformed());
        };
        let [authorities, value] = [number(authorities), number(value)];
        let (authorities, value) = authorities.zip(value).ok_or_else(malformed)?;
        if authorities != 0 && authorities != value {
            return Err(PartialTxError::Malformed("an input's value is not that of its authorities"));
        }
        let holds = Holding {
            token: token.parse().map_err(|_| malformed())?,
            value: Amount::new(value),
            is_authority: authorities != 0,
        };
        Ok(Self {
            spends,
            holds: holds.check("an input holds nothing, or more than an output can")?,
            address: Address::parse(address, network)
                .map_err(|_| PartialTxError::Malformed("an input's address is none of this network"))?,
        })
    }

    fn described(&self) -> String {
        let Holding { token, value, .. } = self.holds;
        format!("{},{token},{:x},{:x}", self.address, self.holds.authorities(), value.cents())
    }
}

impl PartialOutput {
    fn read(output: &Output, transaction: &Transaction, network: Network) -> Result<Self, PartialTxError> {
        let Some(Script::Pay { .. }) = Script::parse(&output.script, network) else {
            return Err(PartialTxError::UnsupportedScript);
        };
        let token = transaction.token_at(output.token_data);
        let holds = Holding {
            token: token.ok_or(PartialTxError::Malformed("an output is of a token that is not listed"))?,
            value: output.value,
            is_authority: output.token_data.is_authority(),
        };
        let holds = holds.check("an output's authorities are none that there are")?;
        Ok(Self { holds, script: output.script.clone(), is_change: false })
    }
}

/// The elements of a list that may be empty.
fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(':').take(if text.is_empty() { 0 } else { usize::MAX })
}

/// A number in hexadecimal digits, below 2^64 and a little above.
fn number(digits: &str) -> Option<u128> {
    let fits = (1..=17).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if fits { u128::from_str_radix(digits, 16).ok() } else { None }
}

/// The input data that the participants of a swap have given so far, by the places of the inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialTxInputData {
    /// What is signed, in hexadecimal digits: says which transaction it is of.
    signed: String,
    inputs: usize,
    data: LiteMap<u8, Vec<u8>>,
}

impl PartialTxInputData {
    /// What the inputs of a transaction have.
    pub fn of(transaction: &Transaction) -> Result<Self, EncodeError> {
        let signed = hex::encode(transaction.sighash_bytes()?);
        let given = (0..=u8::MAX).zip(&transaction.inputs).filter(|(_, input)| !input.data.is_empty());
        let mut data = LiteMap::new();
        for (place, input) in given {
            data.insert(place, input.data.clone());
        }
        Ok(Self { signed, inputs: transaction.inputs.len(), data })
    }

    /// Adds what a text has. Of several for one input, the last counts.
    ///
    /// # Errors
    /// [`PartialTxError::InputData`] if it can't be read, or is of another transaction: nothing is added
    /// then.
    pub fn add(&mut self, text: &str) -> Result<(), PartialTxError> {
        let mut parts = text.split('|');
        if (parts.next(), parts.next()) != (Some(DATA_PREFIX), Some(&self.signed)) {
            return Err(PartialTxError::InputData);
        }
        let read = |part: &str| {
            let (place, data) = part.split_once(':')?;
            let canonical = place.bytes().all(|digit| digit.is_ascii_digit());
            let place: u8 =
                place.parse().ok().filter(|place| canonical && usize::from(*place) < self.inputs)?;
            let data = hex::decode(data).ok()?;
            (1..=MAX_INPUT_DATA).contains(&data.len()).then_some((place, data))
        };
        let added = parts.map(|part| read(part).ok_or(PartialTxError::InputData));
        let added = added.collect::<Result<Vec<_>, _>>()?;
        for (place, data) in added {
            self.data.insert(place, data);
        }
        Ok(())
    }

    /// Whether there is data for every input.
    pub fn is_complete(&self) -> bool {
        self.data.len() == self.inputs
    }

    /// The places of the inputs that have no data.
    pub fn missing(&self) -> impl Iterator<Item = usize> + '_ {
        (0..=u8::MAX).take(self.inputs).filter(|place| !self.data.contains_key(place)).map(usize::from)
    }

    /// Puts the data into the inputs of the transaction that it is of.
    pub fn fill(self, transaction: &mut Transaction) {
        for (place, data) in self.data {
            if let Some(input) = transaction.inputs.get_mut(usize::from(place)) {
                input.data = data;
            }
        }
    }
}

impl std::fmt::Display for PartialTxInputData {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{DATA_PREFIX}|{}", self.signed)?;
        for (place, data) in &self.data {
            f.write_char('|')?;
            write!(f, "{place}:{}", hex::encode(data))?;
        }
        Ok(())
    }
}
