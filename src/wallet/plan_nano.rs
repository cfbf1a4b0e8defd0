//! Calls of contracts, and blueprints.

use super::plan::{Draft, OutputToken, check_value, minting_cost};
use super::plan_token::TokenParts;
use super::{
    ActionRequest, Authority, BlueprintRequest, CallRequest, InputQuery, Plan, PlanError, Planned,
    ReservationId, State,
};
use crate::ledger::nano::{ActionKind, Blueprint, NanoHeader};
use crate::ledger::{Address, Amount, TokenUid, TokenVersion};

impl State {
    /// Plans a call of a contract. `now` is the time in Unix seconds; the inputs, and the number of the call,
    /// stay reserved until `reserve_until`.
    ///
    /// Outputs: those of a token that is created, then for each action its change, its withdrawal or its
    /// authority, then the change of what the fee takes.
    ///
    /// # Errors
    /// [`PlanError`]: the caller or an address is another wallet's, the wallet holds too little for a deposit
    /// or the fee, has not the authority, or the fee is more than the caller wants.
    pub fn plan_call(
        &mut self,
        request: &CallRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        self.utxos.advance_to(now);
        // What one action takes, the next one must not.
        let mut taken = Vec::new();
        let draft = self.draft_call(request, now, reserve_until, &mut taken);
        taken.into_iter().for_each(|id| self.utxos.release(id));
        self.finalize(draft?, now, reserve_until)
    }

    fn draft_call(
        &mut self,
        request: &CallRequest,
        now: u32,
        until: u32,
        taken: &mut Vec<ReservationId>,
    ) -> Result<Draft, PlanError> {
        let caller = self.caller(request.caller)?;
        let header = NanoHeader {
            id: request.contract,
            seqnum: self.calls.next(caller),
            method: request.method.clone(),
            args: request.args.clone(),
            actions: Vec::new(),
            caller: request.caller,
            script: Vec::new(),
        };
        let mut draft = Draft { caller: Some(caller), ..Draft::default() };
        let mut deposit = Amount::ZERO;
        let mut data_cost = Amount::ZERO;
        if let Some(token) = &request.creates {
            let parts = TokenParts::of(self, token)?;
            data_cost = parts.data_cost();
            if token.version == TokenVersion::Deposit {
                deposit = minting_cost(self, token.version, token.amount);
            }
            draft.creates = Some(parts.info());
            parts.add_to(&mut draft);
        }
        let own_cost = deposit.saturating_add(data_cost);
        let mut to_fund = if request.contract_pays_deposit { Amount::ZERO } else { own_cost };
        for action in &request.actions {
            let before = draft.inputs.len();
            self.draft_action(&mut draft, action, &mut to_fund, now)?;
            taken.push(self.utxos.reserve(&draft.inputs[before..], until));
        }
        let actions = request.actions.iter().map(ActionRequest::moved).collect::<Vec<_>>();
        if draft.creates.is_some()
            && let Some(id) = actions.iter().find_map(|(_, token, _)| match token {
                TokenUid::Custom(id) => Some(*id),
                TokenUid::Native => None,
            })
        {
            return Err(PlanError::OtherTokenInCreation(id));
        }
        draft.call = Some((header, actions));
        draft.fee = self.fee_of_call(&draft, request);
        if let Some(most) = request.max_fee
            && draft.fee > most
        {
            return Err(PlanError::FeeTooHigh { fee: draft.fee, most });
        }
        let mut by_contract = Amount::ZERO;
        if request.contract_pays_deposit {
            by_contract = own_cost;
        }
        if request.contract_pays_fees {
            by_contract = by_contract.saturating_add(draft.fee);
        } else {
            to_fund = to_fund.saturating_add(draft.fee);
        }
        take_from_withdrawal(&mut draft, by_contract)?;
        if !to_fund.is_zero() {
            let left = self.fund(&mut draft, TokenUid::Native, to_fund, |available| {
                PlanError::NotEnoughHtr { required: to_fund, available }
            })?;
            let of_token = request.creates.as_ref().and_then(|token| token.change_address);
            let change = self.mine_or_current(of_token, PlanError::ChangeNotMine(Planned::OfToken))?;
            add_change(&mut draft, change, TokenUid::Native, left);
        }
        Ok(draft)
    }

    /// Adds what an action spends and pays. A deposit of HTR takes along what else is `to_fund`.
    fn draft_action(
        &self,
        draft: &mut Draft,
        action: &ActionRequest,
        to_fund: &mut Amount,
        now: u32,
    ) -> Result<(), PlanError> {
        match *action {
            ActionRequest::Deposit { token, amount, from, change } => {
                check_value(amount)?;
                let change = self.mine_or_current(change, PlanError::ChangeNotMine(Planned::Deposit))?;
                let also = if token == TokenUid::Native { std::mem::take(to_fund) } else { Amount::ZERO };
                let required = amount.saturating_add(also);
                let short = |available| PlanError::NotEnoughToDeposit { token, required, available };
                let left = match from {
                    None => self.fund(draft, token, required, short)?,
                    Some(_) => {
                        let query = InputQuery { address: from, ..InputQuery::default() };
                        self.fund_from(draft, &query, token, required, now).map_err(|error| match error {
                            PlanError::QueryInsufficient(_) => short(Amount::ZERO),
                            error => error,
                        })?
                    }
                };
                add_change(draft, change, token, left);
            }
            ActionRequest::Withdrawal { token, amount, to } => {
                check_value(amount)?;
                draft.withdrawals.push(draft.outputs.len());
                draft.pay(to, OutputToken::Token(token), amount);
            }
            ActionRequest::Grant { token, authority, from, keep } => {
                let keep =
                    keep.map(|keep| self.mine_or_current(Some(keep), PlanError::KeptNotMine(authority)));
                let keep = keep.transpose()?;
                let token = TokenUid::Custom(token);
                let spent = self.spend_authority_of(draft, token, authority, from, now);
                let spent = spent.map_err(|_| PlanError::NothingToGrant(authority))?;
                self.restore_authority(draft, token, authority, spent, keep);
            }
            ActionRequest::Acquire { token, authority, to } => {
                draft.authority(to, OutputToken::Token(TokenUid::Custom(token)), authority.bit());
            }
        }
        Ok(())
    }

    /// Of each fee token one cent for each amount that goes out or into the contract, or one if it only comes
    /// in; and of a fee token that is created one for what is minted.
    fn fee_of_call(&self, draft: &Draft, request: &CallRequest) -> Amount {
        let mut fee = match &request.creates {
            Some(token) if token.version == TokenVersion::Fee => TokenVersion::Fee.fee(0, 1),
            _ => Amount::ZERO,
        };
        for id in &request.fee_tokens {
            let token = TokenUid::Custom(*id);
            let count = |kind| {
                let moved = request.actions.iter().map(ActionRequest::moved);
                moved.filter(|(of_kind, of_token, _)| *of_kind == kind && *of_token == token).count()
            };
            let inputs = draft.inputs.iter().filter(|slot| {
                let utxo = self.utxos.utxo(**slot);
                !utxo.authority && self.tokens.uid(utxo.token) == token
            });
            let inputs = inputs.count() + count(ActionKind::Withdrawal);
            let outputs = draft.amounts_of(token) + count(ActionKind::Deposit);
            fee = fee.saturating_add(TokenVersion::Fee.fee(inputs, outputs));
        }
        fee
    }

    /// Plans a blueprint. Nothing is reserved but the plan's name.
    ///
    /// # Errors
    /// [`PlanError::CallerNotMine`], and [`PlanError::Encode`] or [`PlanError::TooLarge`] for too much code.
    pub fn plan_blueprint(
        &mut self,
        request: &BlueprintRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        self.utxos.advance_to(now);
        let caller = self.caller(request.address)?;
        let key = self.addresses.keys().public_key(caller);
        let key = key.ok_or(PlanError::CallerNotMine(request.address))?;
        let blueprint =
            Blueprint { code: request.code.clone(), public_key: key.to_vec(), signature: Vec::new() };
        let draft = Draft { caller: Some(caller), blueprint: Some(blueprint), ..Draft::default() };
        self.finalize(draft, now, reserve_until)
    }

    /// The index of the address that signs.
    fn caller(&self, address: Address) -> Result<u32, PlanError> {
        self.index_of(&address).ok_or(PlanError::CallerNotMine(address))
    }
}

impl ActionRequest {
    /// As the header has it.
    fn moved(&self) -> (ActionKind, TokenUid, Amount) {
        let right = |authority: &Authority| Amount::from(authority.bit());
        match self {
            Self::Deposit { token, amount, .. } => (ActionKind::Deposit, *token, *amount),
            Self::Withdrawal { token, amount, .. } => (ActionKind::Withdrawal, *token, *amount),
            Self::Grant { token, authority, .. } => {
                (ActionKind::GrantAuthority, TokenUid::Custom(*token), right(authority))
            }
            Self::Acquire { token, authority, .. } => {
                (ActionKind::AcquireAuthority, TokenUid::Custom(*token), right(authority))
            }
        }
    }

    /// The custom token that it moves.
    pub fn token(&self) -> TokenUid {
        self.moved().1
    }
}

/// Has what is withdrawn in HTR pay something.
fn take_from_withdrawal(draft: &mut Draft, cost: Amount) -> Result<(), PlanError> {
    if cost.is_zero() {
        return Ok(());
    }
    let native = OutputToken::Token(TokenUid::Native);
    let place = draft.withdrawals.iter().copied().find(|place| draft.outputs[*place].0 == native);
    let place = place.ok_or(PlanError::NothingWithdrawn(cost))?;
    let withdrawn = draft.outputs[place].2;
    let left = withdrawn.checked_sub(cost).ok_or(PlanError::WithdrawnTooLittle { withdrawn, cost })?;
    if left.is_zero() {
        draft.outputs.remove(place);
    } else {
        draft.outputs[place].2 = left;
    }
    Ok(())
}

fn add_change(draft: &mut Draft, to: Address, token: TokenUid, left: Amount) {
    if !left.is_zero() {
        draft.pay(to, OutputToken::Token(token), left);
    }
}
