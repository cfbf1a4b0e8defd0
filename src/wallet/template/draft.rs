//! The transaction in the making.

use super::balance::Balances;
use super::{TemplateFact, TemplateProblem, TemplateRequest};
use crate::ledger::nano::{ActionKind, NanoHeader};
use crate::ledger::{
    Address, Amount, EncodeError, FeeEntry, Header, Input, MAX_INPUTS, MAX_OUTPUTS, Outpoint, Output, Script,
    SpentOutput, TokenData, TokenInfo, TokenUid, TokenVersion, Transaction, VertexId,
};
use crate::wallet::plan::{MAX_TOKENS, check_value, shuffle};
use crate::wallet::reserve::UtxoKey;
use crate::wallet::{Plan, PlanError, State};
use serde_json::Value;

pub(super) const REGULAR: u8 = 1;
pub(super) const CREATION: u8 = 2;

/// Why an instruction can't be carried out.
pub(super) enum Failure {
    /// It is told with the instruction's place.
    Here(TemplateProblem),
    Plan(PlanError),
}

impl<P: Into<TemplateProblem>> From<P> for Failure {
    fn from(problem: P) -> Self {
        Self::Here(problem.into())
    }
}

/// What an output is of.
#[derive(Clone, Copy)]
pub(super) enum Of {
    Token(TokenUid),
    /// The token that is created.
    Created,
}

/// What an action moves.
pub(super) type Moved = (ActionKind, Of, Amount);

/// A call in the making.
pub(super) struct ContractCall {
    pub place: usize,
    pub contract: VertexId,
    pub method: String,
    pub args: Vec<Value>,
    pub actions: Vec<Moved>,
    pub caller: Address,
    pub caller_index: u32,
}

pub(super) struct Draft<'a> {
    pub request: &'a TemplateRequest,
    pub version: u8,
    pub signal_bits: u8,
    pub name: Option<String>,
    pub symbol: Option<String>,
    pub token_version: Option<TokenVersion>,
    /// In the order in which outputs first were of them.
    pub tokens: Vec<VertexId>,
    /// With their places among the utxos, where they are the wallet's.
    pub inputs: Vec<(Outpoint, Option<UtxoKey>)>,
    pub outputs: Vec<Output>,
    pub balances: Balances,
    pub fees: Vec<(TokenUid, Amount)>,
    pub call: Option<ContractCall>,
    shuffles: u64,
}

/// What instructions have made.
pub(super) struct Built {
    pub transaction: Transaction,
    /// The utxos that it spends.
    pub slots: Vec<UtxoKey>,
    /// The index of the address whose key signs the call.
    pub caller: Option<u32>,
}

impl<'a> Draft<'a> {
    pub fn new(request: &'a TemplateRequest) -> Self {
        Self {
            request,
            version: REGULAR,
            signal_bits: 0,
            name: None,
            symbol: None,
            token_version: None,
            tokens: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            balances: Balances::default(),
            fees: Vec::new(),
            call: None,
            shuffles: 0,
        }
    }

    pub fn creates_token(&self) -> bool {
        self.version == CREATION
    }

    /// How a token is paid for; `None` for HTR. The node must have told.
    pub fn version_of(&self, token: TokenUid) -> Result<Option<TokenVersion>, Failure> {
        let TokenUid::Custom(id) = token else { return Ok(None) };
        let version = self.request.facts.tokens.get(&id).copied();
        version.map(Some).ok_or_else(|| TemplateProblem::Unknown(TemplateFact::Token(id)).into())
    }

    /// The place of a token in the list, where it is put if it is not there yet.
    pub fn add_token(&mut self, token: TokenUid) -> Result<u8, Failure> {
        self.version_of(token)?;
        let TokenUid::Custom(id) = token else { return Ok(0) };
        if self.creates_token() {
            return Err(TemplateProblem::TokenInCreation.into());
        }
        if !self.tokens.contains(&id) {
            if self.tokens.len() == MAX_TOKENS {
                return Err(Failure::Plan(PlanError::TooManyTokens(MAX_TOKENS + 1)));
            }
            self.tokens.push(id);
        }
        Ok(self.place_of(token).expect("just listed"))
    }

    /// The place of a token in the list, if it is there.
    pub fn place_of(&self, token: TokenUid) -> Option<u8> {
        let TokenUid::Custom(id) = token else { return Some(0) };
        let place = self.tokens.iter().position(|listed| *listed == id)?;
        Some(u8::try_from(place + 1).expect("few are listed"))
    }

    pub fn add_input(
        &mut self,
        position: i128,
        spends: Outpoint,
        slot: Option<UtxoKey>,
        output: &SpentOutput,
    ) -> Result<(), Failure> {
        if self.inputs.len() == MAX_INPUTS {
            return Err(Failure::Plan(EncodeError::TooManyInputs(MAX_INPUTS + 1).into()));
        }
        self.version_of(output.token)?;
        self.balances.of(output.token).add_input(output);
        insert(&mut self.inputs, position, (spends, slot));
        Ok(())
    }

    /// Adds an output of an amount, or of an authority, which is not counted here.
    pub fn add_output(
        &mut self,
        position: i128,
        token_data: TokenData,
        value: Amount,
        script: Vec<u8>,
    ) -> Result<(), Failure> {
        if self.outputs.len() == MAX_OUTPUTS {
            return Err(Failure::Plan(EncodeError::TooManyOutputs(MAX_OUTPUTS + 1).into()));
        }
        check_value(value).map_err(Failure::Plan)?;
        insert(&mut self.outputs, position, Output { value, token_data, script });
        Ok(())
    }

    /// Counts an amount that goes out, and gives the place of its token.
    pub fn count_amount(&mut self, of: Of, value: Amount) -> Result<u8, Failure> {
        match of {
            Of::Token(token) => {
                let place = self.add_token(token)?;
                self.balances.of(token).add_output(value);
                Ok(place)
            }
            Of::Created => {
                self.created()?.add_output(value);
                Ok(1)
            }
        }
    }

    /// The balance of the token that is created.
    pub fn created(&mut self) -> Result<&mut super::balance::Balance, Failure> {
        if !self.creates_token() {
            return Err(TemplateProblem::NoCreation.into());
        }
        if self.token_version.is_none() {
            return Err(TemplateProblem::NoTokenVersion.into());
        }
        Ok(self.balances.created.get_or_insert_default())
    }

    pub fn add_fee(&mut self, token: TokenUid, amount: Amount) -> Result<(), Failure> {
        let is_full = self.fees.len() > MAX_TOKENS;
        match self.fees.iter_mut().find(|(of, _)| *of == token) {
            Some((_, sum)) => *sum = sum.saturating_add(amount),
            // Fees are paid in HTR and in tokens that are listed.
            None if is_full => return Err(TemplateProblem::FeeToken(token).into()),
            None => self.fees.push((token, amount)),
        }
        Ok(())
    }

    pub fn shuffle_inputs(&mut self) {
        let seed = self.next_seed();
        shuffle(&mut self.inputs, seed);
    }

    pub fn shuffle_outputs(&mut self) {
        let seed = self.next_seed();
        shuffle(&mut self.outputs, seed);
    }

    fn next_seed(&mut self) -> u64 {
        self.shuffles += 1;
        self.request.shuffle_seed ^ self.shuffles.rotate_right(16)
    }

    /// What remains to be said when all instructions are carried out.
    pub fn transaction(&self, call: Option<NanoHeader>, now: u32) -> Result<Transaction, Failure> {
        let creates = match self.version {
            REGULAR => None,
            CREATION => {
                let (Some(name), Some(symbol)) = (&self.name, &self.symbol) else {
                    return Err(TemplateProblem::NoName.into());
                };
                let version = self.token_version.ok_or(TemplateProblem::CreationWithoutVersion)?;
                if !self.tokens.is_empty() {
                    return Err(TemplateProblem::CreationAfterTokens(self.tokens.len()).into());
                }
                Some(TokenInfo { name: name.clone(), symbol: symbol.clone(), version })
            }
            _ => return Err(TemplateProblem::Version.into()),
        };
        if self.signal_bits & Transaction::AMOUNTS_V2 != 0 {
            return Err(TemplateProblem::NotSupported("signal bit 0, for amounts of 18 decimals,").into());
        }
        let entry = |(token, amount): &(TokenUid, Amount)| {
            let token_index = self.place_of(*token).ok_or(TemplateProblem::FeeToken(*token))?;
            Ok(FeeEntry { token_index, amount: *amount })
        };
        let fees = self.fees.iter().map(entry).collect::<Result<Vec<_>, TemplateProblem>>()?;
        let fees = (!fees.is_empty()).then_some(Header::Fee(fees));
        let call = call.map(|header| Header::Nano(Box::new(header)));
        let input = |(spends, _): &(Outpoint, _)| Input { spends: *spends, data: Vec::new() };
        // What is left of inputs with parts of a cent; contracts count in cents.
        let has_parts = call.is_none() && self.outputs.iter().any(|output| output.value.part() != 0);
        Ok(Transaction {
            signal_bits: self.signal_bits | if has_parts { Transaction::AMOUNTS_V2 } else { 0 },
            tokens: self.tokens.clone(),
            inputs: self.inputs.iter().map(input).collect(),
            outputs: self.outputs.clone(),
            creates,
            blueprint: None,
            weight: 0.0,
            timestamp: now,
            parents: Vec::new(),
            nonce: 0,
            headers: call.into_iter().chain(fees).collect(),
        })
    }
}

impl State {
    /// Makes what a template has come to a plan, and reserves its inputs and the number of its call.
    pub(super) fn seal_template(
        &mut self,
        Built { transaction, slots, caller }: Built,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        let min_timestamp = slots.iter().map(|slot| self.spendable_from(*slot)).max().unwrap_or(0);
        let transaction = Transaction { timestamp: now.max(min_timestamp), ..transaction };
        let signers = slots.iter().map(|slot| self.utxos.utxo(*slot).address).collect();
        self.seal(transaction, &slots, (signers, caller), min_timestamp, reserve_until)
    }

    /// An address of the network.
    pub(super) fn address_in(&self, field: &'static str, text: &str) -> Result<Address, Failure> {
        Address::parse(text, self.settings.network)
            .map_err(|error| TemplateProblem::Address { field, text: error.to_string() }.into())
    }
}

/// The script that pays an address.
pub(super) fn pay(to: Address, timelock: Option<u32>) -> Vec<u8> {
    let timelock = timelock.filter(|time| *time != 0);
    Script::Pay { to, timelock }.to_bytes().expect("payments have scripts")
}

/// Puts something at a place as JavaScript's `splice` does: -1 is the end, less is counted from it.
fn insert<T>(list: &mut Vec<T>, position: i128, item: T) {
    let len = list.len();
    let place = match usize::try_from(position) {
        Ok(place) => place.min(len),
        Err(_) if position == -1 => len,
        Err(_) => len.saturating_sub(usize::try_from(position.unsigned_abs()).unwrap_or(usize::MAX)),
    };
    list.insert(place, item);
}
