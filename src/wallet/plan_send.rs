//! Sends: amounts to addresses, and data.

use super::plan::{Draft, OutputToken, check_data_count, check_value, data_script};
use super::reserve::UtxoKey;
use super::select::largest_first;
use super::{
    InputQuery, InputRequest, OutputRequest, Plan, PlanError, Planned, SendRequest, State, UtxoFilter,
};
use crate::ledger::{Amount, DATA_OUTPUT_COST, Outpoint, TokenUid, TokenVersion};
use litemap::LiteMap;

/// What the outputs take of each token, in the order of first appearance.
type Needs = Vec<(TokenUid, Amount)>;

impl State {
    /// Plans a send. `now` is the time in Unix seconds; the inputs stay reserved until `reserve_until`.
    ///
    /// Inputs are the caller's, then those selected for each custom token, then for HTR. Every token with
    /// something left over gets one change output, and if there is any, all outputs are shuffled, so that
    /// change can't be told by its place.
    ///
    /// # Errors
    /// [`PlanError`]: an output, the change address or a chosen input is not as it must be, the wallet holds
    /// too little, or the transaction would be larger than the network takes.
    pub fn plan_send(
        &mut self,
        request: &SendRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        self.utxos.advance_to(now);
        let draft = self.draft_send(request, now)?;
        self.finalize(draft, now, reserve_until)
    }

    fn draft_send(&self, request: &SendRequest, now: u32) -> Result<Draft, PlanError> {
        let mut draft = Draft::default();
        let needs = add_outputs(&mut draft, &request.outputs)?;
        let pays_fee = needs.iter().any(|(token, _)| is_fee_token(request, *token));
        let chosen = match &request.inputs {
            InputRequest::Chosen(outpoints) => self.chosen(outpoints, &needs, pays_fee, now)?,
            _ => Vec::new(),
        };
        draft.inputs.extend(&chosen);
        let mut given: LiteMap<TokenUid, Given> = LiteMap::new();
        for slot in chosen {
            let utxo = self.utxos.utxo(slot);
            let sum = given.entry(self.tokens.uid(utxo.token)).or_default();
            (sum.inputs, sum.value) = (sum.inputs + 1, sum.value.saturating_add(utxo.value.amount()));
        }
        for (token, need) in needs.iter().filter(|(token, _)| *token != TokenUid::Native) {
            let before = draft.inputs.len();
            self.balance_token(&mut draft, request, *token, *need, given.get(token), now)?;
            if is_fee_token(request, *token) {
                let inputs = draft.inputs.len() - before + given.get(token).map_or(0, |given| given.inputs);
                let fee = TokenVersion::Fee.fee(inputs, draft.amounts_of(*token));
                draft.fee = draft.fee.saturating_add(fee);
            }
        }
        let native = needs.iter().find(|(token, _)| *token == TokenUid::Native);
        let need = native.map_or(Amount::ZERO, |(_, need)| *need).saturating_add(draft.fee);
        let given = given.get(&TokenUid::Native);
        if need > Amount::ZERO || given.is_some() {
            self.balance_token(&mut draft, request, TokenUid::Native, need, given, now)?;
        }
        Ok(draft)
    }

    /// Adds what a token still lacks: inputs, unless the caller chose some, and change.
    fn balance_token(
        &self,
        draft: &mut Draft,
        request: &SendRequest,
        token: TokenUid,
        need: Amount,
        given: Option<&Given>,
        now: u32,
    ) -> Result<(), PlanError> {
        let change = match (given, &request.inputs) {
            (Some(given), _) => given.value.checked_sub(need).ok_or(PlanError::InputsTooSmall(token))?,
            (None, InputRequest::Query(query)) => self.fund_from(draft, query, token, need, now)?,
            (None, _) => self.fund(draft, token, need, |available| PlanError::Insufficient {
                token,
                required: need,
                available,
            })?,
        };
        if !change.is_zero() {
            let to = self.mine_or_current(request.change_address, PlanError::ChangeNotMine(Planned::Send))?;
            draft.pay(to, OutputToken::Token(token), change);
            draft.shuffle = Some(request.shuffle_seed);
        }
        Ok(())
    }

    /// The caller's inputs, in its order, if every one can be spent.
    fn chosen(
        &self,
        outpoints: &[Outpoint],
        needs: &Needs,
        pays_fee: bool,
        now: u32,
    ) -> Result<Vec<UtxoKey>, PlanError> {
        let mut slots = Vec::with_capacity(outpoints.len());
        for outpoint in outpoints {
            let slot = self.chosen_one(*outpoint, needs, pays_fee, now)?;
            if slots.contains(&slot) {
                let token = self.tokens.uid(self.utxos.utxo(slot).token);
                return Err(PlanError::GivenTwice { token, output: *outpoint });
            }
            slots.push(slot);
        }
        Ok(slots)
    }

    fn chosen_one(
        &self,
        outpoint: Outpoint,
        needs: &Needs,
        pays_fee: bool,
        now: u32,
    ) -> Result<UtxoKey, PlanError> {
        let number = self.history.number(&outpoint.tx).ok_or(PlanError::InvalidInput)?;
        let packed = self.history.record(number).packed.as_ref().ok_or(PlanError::InvalidInput)?;
        let (output, _) = packed.output(outpoint.index).ok_or(PlanError::InvalidInput)?;
        if !self.sees(packed) {
            return Err(PlanError::InvalidInput);
        }
        let token = output.token;
        let wanted = needs.iter().any(|(t, _)| *t == token) || (pays_fee && output.token == TokenUid::Native);
        if !wanted {
            return Err(PlanError::InvalidInput);
        }
        if packed.voided() {
            return Err(PlanError::Voided { token, tx: outpoint.tx });
        }
        if self.addresses.paid_by(&output.script).is_none() {
            return Err(PlanError::NotFromTheWallet { token, output: outpoint });
        }
        if output.token_data.is_authority() {
            return Err(PlanError::IsAuthority { token, output: outpoint });
        }
        match self.utxos.find((number, outpoint.index)) {
            None => Err(PlanError::AlreadySpent { token, output: outpoint }),
            Some(slot) if self.utxos.is_locked(slot, now) || self.utxos.is_reserved(slot, now) => {
                Err(PlanError::LockedOrUsed { token, output: outpoint })
            }
            Some(slot) => Ok(slot),
        }
    }

    /// Selects among the utxos that match a query: the smallest one that suffices, else the largest ones
    /// until they do.
    pub(super) fn fund_from(
        &self,
        draft: &mut Draft,
        query: &InputQuery,
        token: TokenUid,
        need: Amount,
        now: u32,
    ) -> Result<Amount, PlanError> {
        let filter = UtxoFilter {
            token,
            address: query.address,
            smaller_than: query.smaller_than,
            bigger_than: query.bigger_than,
            maximum_amount: query.maximum_amount,
            max_utxos: query.max_utxos,
            only_available: true,
            only_whole: draft.is_in_cents(),
            ..UtxoFilter::default()
        };
        let listed = self.utxos(&filter, now);
        let find = |outpoint: &Outpoint| {
            let number = self.history.number(&outpoint.tx).expect("listed from the history");
            self.utxos.find((number, outpoint.index)).expect("listed from the utxos")
        };
        let mut slots: Vec<UtxoKey> = listed.utxos.iter().map(|utxo| find(&utxo.outpoint)).collect();
        self.utxos.sort_largest_first(&mut slots);
        let value = |slot: &UtxoKey| self.utxos.utxo(*slot).value.amount();
        let enough = slots.partition_point(|slot| value(slot) >= need);
        let room = draft.room();
        let taken = match enough.checked_sub(1) {
            Some(smallest) if room > 0 => {
                let least = value(&slots[smallest]);
                vec![slots[slots.partition_point(|slot| value(slot) > least)]]
            }
            _ => largest_first(&self.utxos, slots.into_iter(), need, room).map_err(|shortfall| {
                shortfall.explain(token, room, |_| PlanError::QueryInsufficient(token))
            })?,
        };
        let sum = self.sum(&taken);
        draft.inputs.extend(taken);
        Ok(sum.saturating_sub(need))
    }
}

/// What the caller's inputs hold of a token.
#[derive(Clone, Copy, Default)]
struct Given {
    inputs: usize,
    value: Amount,
}

fn is_fee_token(request: &SendRequest, token: TokenUid) -> bool {
    matches!(token, TokenUid::Custom(id) if request.fee_tokens.contains(&id))
}

/// Puts the caller's outputs into the draft.
fn add_outputs(draft: &mut Draft, outputs: &[OutputRequest]) -> Result<Needs, PlanError> {
    if outputs.is_empty() {
        return Err(PlanError::NothingToSend);
    }
    let data = outputs.iter().filter(|output| matches!(output, OutputRequest::Data(_))).count();
    check_data_count(data)?;
    let mut needs = Needs::new();
    for output in outputs {
        let (token, value) = match output {
            OutputRequest::Pay { to, value, token, timelock } => {
                check_value(*value)?;
                draft.pay_later(*to, OutputToken::Token(*token), *value, *timelock);
                (*token, *value)
            }
            OutputRequest::Data(text) => {
                draft.data(data_script(text)?);
                (TokenUid::Native, DATA_OUTPUT_COST)
            }
        };
        match needs.iter_mut().find(|(t, _)| *t == token) {
            Some((_, need)) => *need = need.saturating_add(value),
            None => needs.push((token, value)),
        }
    }
    Ok(needs)
}
