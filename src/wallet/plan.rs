//! What building every kind of transaction has in common: outputs in the making, checks, and the seal that
//! makes it a plan.

use super::calls::CallNumber;
use super::reserve::UtxoKey;
use super::select::select_inputs;
use super::{Authority, AuthorityTo, Plan, PlanError, State};
use crate::ledger::nano::{ActionKind, Blueprint, NanoAction, NanoHeader};
use crate::ledger::{
    Address, Amount, AmountVersion, DATA_OUTPUT_COST, EncodeError, FeeEntry, Header, Input, MAX_DATA_OUTPUTS,
    MAX_INPUTS, MAX_OUTPUTS, MAX_STANDARD_SCRIPT_BYTES, MAX_TRANSACTION_BYTES, Outpoint, Output,
    PARENTS_BYTES, Script, TokenData, TokenInfo, TokenUid, TokenVersion, Transaction, VertexId,
};

/// What a transaction in units of 10^-18 is refused with on a network where coins have a worth.
const PARTS_STAY: &str = "outputs with parts of a cent are spent on private networks only, as nodes up to 0.70 read other amounts in \
                          the same bytes: send what other outputs hold";

/// Most custom tokens in the list of a transaction.
pub(super) const MAX_TOKENS: usize = 16;

/// What an output is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputToken {
    Token(TokenUid),
    /// The token that the transaction creates.
    Created,
}

/// What an action of a call moves.
type Moved = (ActionKind, TokenUid, Amount);

/// A transaction in the making.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) inputs: Vec<UtxoKey>,
    /// What each is of, whether it is an authority, its value and its script.
    pub(super) outputs: Vec<(OutputToken, bool, Amount, Vec<u8>)>,
    pub(super) creates: Option<TokenInfo>,
    /// A call of a contract, and what it moves; the actions of the header are made of these.
    pub(super) call: Option<(NanoHeader, Vec<Moved>)>,
    pub(super) blueprint: Option<Blueprint>,
    /// The index of the address whose key signs the call or the blueprint.
    pub(super) caller: Option<u32>,
    /// Places of the outputs that hold what is withdrawn from a contract.
    pub(super) withdrawals: Vec<usize>,
    /// Fees of fee tokens, in HTR.
    pub(super) fee: Amount,
    /// Shuffle the outputs, with this randomness.
    pub(super) shuffle: Option<u64>,
}

impl Draft {
    pub(super) fn room(&self) -> usize {
        MAX_INPUTS.saturating_sub(self.inputs.len())
    }
    pub(super) fn pay(&mut self, to: Address, of: OutputToken, value: Amount) {
        self.outputs.push((of, false, value, pay_script(to, None)));
    }
    pub(super) fn pay_later(&mut self, to: Address, of: OutputToken, value: Amount, timelock: Option<u32>) {
        self.outputs.push((of, false, value, pay_script(to, timelock)));
    }
    pub(super) fn authority(&mut self, to: Address, of: OutputToken, mask: u64) {
        self.outputs.push((of, true, mask.into(), pay_script(to, None)));
    }
    /// A data output whose script `data_scripts` made.
    pub(super) fn data(&mut self, script: Vec<u8>) {
        self.outputs.push((OutputToken::Token(TokenUid::Native), false, DATA_OUTPUT_COST, script));
    }
    /// Whether amounts must be in whole cents: a transaction with others is none that calls a contract of
    /// before, and a blueprint in one counts in units.
    pub(super) const fn is_in_cents(&self) -> bool {
        self.caller.is_some()
    }
    /// How many amounts of a token go out.
    pub(super) fn amounts_of(&self, token: TokenUid) -> usize {
        self.outputs
            .iter()
            .filter(|(of, authority, ..)| *of == OutputToken::Token(token) && !authority)
            .count()
    }
    /// Custom tokens of actions and outputs, in the order of the first ones: a token that is listed without
    /// either is refused by full nodes.
    fn tokens(&self) -> Vec<VertexId> {
        let actions = self.call.iter().flat_map(|(_, actions)| actions).map(|(_, token, _)| *token);
        let outputs = self.outputs.iter().filter_map(|(of, ..)| match of {
            OutputToken::Token(token) => Some(*token),
            OutputToken::Created => None,
        });
        let mut tokens = Vec::new();
        for token in actions.chain(outputs) {
            if let TokenUid::Custom(id) = token
                && !tokens.contains(&id)
            {
                tokens.push(id);
            }
        }
        tokens
    }
}

pub(super) fn pay_script(to: Address, timelock: Option<u32>) -> Vec<u8> {
    Script::Pay { to, timelock: timelock.filter(|t| *t != 0) }.to_bytes().expect("payments have scripts")
}

/// Refuses what no output can hold.
pub(super) fn check_value(value: Amount) -> Result<(), PlanError> {
    match value {
        Amount::ZERO => Err(EncodeError::ZeroValue.into()),
        value if value > Amount::MAX_OUTPUT => Err(EncodeError::ValueTooLarge.into()),
        _ => Ok(()),
    }
}

/// The scripts of data outputs, if the network takes that many and that long ones.
pub(super) fn data_scripts<'a>(
    texts: impl ExactSizeIterator<Item = &'a String>,
) -> Result<Vec<Vec<u8>>, PlanError> {
    check_data_count(texts.len())?;
    texts.map(|text| data_script(text)).collect()
}

/// Refuses more data outputs than the network takes.
pub(super) fn check_data_count(count: usize) -> Result<(), PlanError> {
    if count > MAX_DATA_OUTPUTS { Err(PlanError::TooManyDataOutputs(count)) } else { Ok(()) }
}

pub(super) fn data_script(text: &str) -> Result<Vec<u8>, PlanError> {
    // Besides the text: one byte that says to push, one of length, one to check a signature.
    if text.len() + 3 > MAX_STANDARD_SCRIPT_BYTES {
        return Err(PlanError::DataTooLong(text.len()));
    }
    Ok(Script::Data(text.to_owned()).to_bytes()?)
}

impl State {
    /// An address that must be the wallet's, or the current one.
    pub(super) fn mine_or_current(
        &self,
        address: Option<Address>,
        otherwise: PlanError,
    ) -> Result<Address, PlanError> {
        match address {
            Some(address) if self.index_of(&address).is_none() => Err(otherwise),
            Some(address) => Ok(address),
            None => Ok(self.current_address()),
        }
    }
    /// Where a new authority goes.
    pub(super) fn authority_address(&self, to: &AuthorityTo, which: Authority) -> Result<Address, PlanError> {
        match to.address {
            Some(address) if to.allow_external => Ok(address),
            address => self.mine_or_current(address, PlanError::AuthorityNotMine(which)),
        }
    }

    /// Selects utxos and adds them to the draft. Returns what they hold beyond `target`.
    pub(super) fn fund(
        &self,
        draft: &mut Draft,
        token: TokenUid,
        target: Amount,
        short: impl FnOnce(Amount) -> PlanError,
    ) -> Result<Amount, PlanError> {
        let room = draft.room();
        // A token that the wallet never had has no number, and no utxos either.
        let number = self.tokens.number(token).unwrap_or(u32::MAX);
        let preferred = |slot| self.is_preferred(slot);
        let slots = select_inputs(&self.utxos, number, target, room, draft.is_in_cents(), preferred)
            .map_err(|shortfall| shortfall.explain(token, room, short))?;
        let sum = self.sum(&slots);
        draft.inputs.extend(slots);
        Ok(sum.saturating_sub(target))
    }
    /// The most bytes that signing adds to an input.
    pub fn signed_input_bytes(&self) -> usize {
        self.addresses.keys().signed_input_bytes()
    }
    /// The least timestamp of a transaction that spends the utxo.
    pub(super) fn spendable_from(&self, slot: UtxoKey) -> u32 {
        self.created_at(slot).max(self.utxos.utxo(slot).timelock).saturating_add(1)
    }
    /// Whether a utxo can be spent without waiting for the next second, and is there whatever becomes of a
    /// call.
    pub(super) fn is_preferred(&self, slot: UtxoKey) -> bool {
        self.created_at(slot) < self.utxos.settled() && !self.may_be_undone(slot)
    }
    /// Whether the utxo is of a call of a contract that no block has yet: what comes out of the contract is
    /// there only if the call succeeds then.
    fn may_be_undone(&self, slot: UtxoKey) -> bool {
        let record = self.history.record(self.utxos.utxo(slot).place.0);
        record.packed.as_ref().is_some_and(|packed| packed.has_nano() && packed.head().first_block.is_none())
    }
    /// The timestamp of the transaction that has the utxo.
    fn created_at(&self, slot: UtxoKey) -> u32 {
        let record = self.history.record(self.utxos.utxo(slot).place.0);
        record.packed.as_ref().map_or(0, |packed| packed.timestamp())
    }
    pub(super) fn sum(&self, slots: &[UtxoKey]) -> Amount {
        slots.iter().map(|slot| self.utxos.utxo(*slot).value.amount()).sum()
    }

    /// Makes the draft a plan and reserves its inputs. Nothing has changed if it fails.
    pub(super) fn finalize(&mut self, draft: Draft, now: u32, reserve_until: u32) -> Result<Plan, PlanError> {
        let tokens = draft.tokens();
        if draft.inputs.len() > MAX_INPUTS {
            return Err(EncodeError::TooManyInputs(draft.inputs.len()).into());
        }
        if draft.outputs.len() > MAX_OUTPUTS {
            return Err(EncodeError::TooManyOutputs(draft.outputs.len()).into());
        }
        let token_data = |of: OutputToken, authority: bool| {
            let index = match of {
                OutputToken::Token(TokenUid::Native) => 0,
                OutputToken::Created => 1,
                OutputToken::Token(TokenUid::Custom(id)) => {
                    1 + tokens.iter().position(|t| *t == id).expect("listed by tokens()") as u8
                }
            };
            if authority { TokenData::authority(index) } else { TokenData::token(index) }
        };
        let outputs = draft.outputs.into_iter().map(|(of, authority, value, script)| Output {
            value,
            token_data: token_data(of, authority),
            script,
        });
        let mut outputs: Vec<_> = outputs.collect();
        if let Some(seed) = draft.shuffle {
            shuffle(&mut outputs, seed);
        }
        let mut min_timestamp = 0;
        let mut inputs = Vec::with_capacity(draft.inputs.len());
        let mut signers = Vec::with_capacity(draft.inputs.len());
        for slot in &draft.inputs {
            let utxo = self.utxos.utxo(*slot);
            min_timestamp = min_timestamp.max(self.spendable_from(*slot));
            let spends = Outpoint { tx: self.id_of(utxo.place), index: utxo.place.1 };
            inputs.push(Input { spends, data: Vec::new() });
            signers.push(utxo.address);
        }
        let fee = (!draft.fee.is_zero()).then_some(FeeEntry { token_index: 0, amount: draft.fee });
        let call = draft.call.map(|(header, actions)| {
            let action = |(kind, token, amount)| NanoAction {
                kind,
                token_index: token_data(OutputToken::Token(token), false).index(),
                amount,
            };
            let actions = actions.into_iter().map(action).collect();
            Header::Nano(Box::new(NanoHeader { actions, ..header }))
        });
        // What is left of inputs with parts of a cent.
        let has_parts = outputs.iter().any(|output| output.value.part() != 0);
        let transaction = Transaction {
            signal_bits: if has_parts { Transaction::AMOUNTS_V2 } else { 0 },
            tokens,
            inputs,
            outputs,
            creates: draft.creates,
            blueprint: draft.blueprint.map(Box::new),
            weight: 0.0,
            timestamp: now.max(min_timestamp),
            parents: Vec::new(),
            nonce: 0,
            headers: call.into_iter().chain(fee.map(|entry| Header::Fee(vec![entry]))).collect(),
        };
        self.seal(transaction, &draft.inputs, (signers, draft.caller), min_timestamp, reserve_until)
    }

    /// Makes a transaction a plan and reserves its inputs, and the number of its call. Nothing has changed if
    /// it fails.
    pub(super) fn seal(
        &mut self,
        transaction: Transaction,
        inputs: &[UtxoKey],
        (signers, caller): (Vec<u32>, Option<u32>),
        min_timestamp: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        if transaction.tokens.len() > MAX_TOKENS {
            return Err(PlanError::TooManyTokens(transaction.tokens.len()));
        }
        // Amounts and their parts are known from a full node alone. It could have a wallet write them so, and
        // have what was signed read by nodes that ignore the signal bit: as other amounts, to anyone.
        if transaction.amounts() == AmountVersion::V2 && self.settings.network.amounts() == AmountVersion::V1
        {
            return Err(PlanError::NotTaken(PARTS_STAY.to_owned()));
        }
        let signatures = transaction.inputs.len() + usize::from(caller.is_some());
        let size = transaction.size() + signatures * self.signed_input_bytes() + PARENTS_BYTES;
        if size > MAX_TRANSACTION_BYTES {
            return Err(PlanError::TooLarge(size));
        }
        // What the checks above have missed is found here, while nothing is reserved.
        transaction.to_bytes()?;
        let reservation = self.utxos.reserve(inputs, reserve_until);
        if let (Some(address), Some(call)) = (caller, transaction.nano()) {
            self.calls.begin(reservation, CallNumber { address, seqnum: call.seqnum });
        }
        Ok(Plan { transaction, signers, caller, min_timestamp, reservation })
    }
}

/// The HTR that a token operation takes: the deposit for what it mints, or the fee for the token's outputs.
pub(super) fn minting_cost(state: &State, version: TokenVersion, minted: Amount) -> Amount {
    match version {
        TokenVersion::Deposit => state.settings.deposit.deposit(minted),
        TokenVersion::Fee => TokenVersion::Fee.fee(0, 1),
    }
}

/// Fisher and Yates, with the numbers of SplitMix64.
pub(super) fn shuffle<T>(items: &mut [T], mut seed: u64) {
    for last in (1..items.len()).rev() {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut random = seed;
        random = (random ^ (random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        random = (random ^ (random >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        random ^= random >> 31;
        items.swap(last, (random % (last as u64 + 1)) as usize);
    }
}
