//! `nano/execute`: the call of a contract and what its actions move; and what oracles sign.

use super::draft::{ContractCall, Draft, Failure, Moved, Of, pay};
use super::run::authority;
use super::{TemplateFact, TemplateFacts, TemplateProblem};
use crate::ledger::nano::{ActionKind, ArgType, ArgValue, NanoAction, NanoHeader, write_value};
use crate::ledger::{Address, TokenData};
use crate::nano_args::{arg_from_json, arg_to_json, args_from_json};
use crate::template::{Named, Scope};
use crate::wallet::{PlanError, State};
use serde_json::Value;

impl State {
    pub(super) fn call_contract(
        &self,
        draft: &mut Draft<'_>,
        scope: Scope<'_>,
        place: usize,
        now: u32,
    ) -> Result<(), Failure> {
        let contract = scope.id("id")?.expect("required");
        let method = scope.text("method")?.expect("required").to_owned();
        let caller = self.address_in("caller", scope.text("caller")?.expect("required"))?;
        let caller_index = self.index_of(&caller).ok_or(Failure::Plan(PlanError::CallerNotMine(caller)))?;
        let args = scope.args()?;
        let actions = scope.actions()?.map(|action| self.act(draft, &action, now));
        let actions = actions.collect::<Result<_, _>>()?;
        if draft.call.is_some() {
            return Err(TemplateProblem::SecondCall.into());
        }
        draft.call = Some(ContractCall { place, contract, method, args, actions, caller, caller_index });
        Ok(())
    }

    /// Adds what an action spends or pays. As in the reference library, what goes into the contract and comes
    /// out of it is not counted in the balance that `action/complete` evens out: selected inputs are.
    fn act(&self, draft: &mut Draft<'_>, action: &Named<'_>, now: u32) -> Result<Moved, Failure> {
        let scope = action.scope;
        let token = scope.token("token")?;
        let place = draft.add_token(token)?;
        match action.name {
            "deposit" => {
                let amount = scope.amount("amount")?;
                let is_created = scope.flag("useCreatedToken", false)?;
                if !is_created && !scope.flag("skipSelection", false)? {
                    self.select_with_change(draft, scope, amount, -1)?;
                }
                let of = if is_created { Of::Created } else { Of::Token(token) };
                Ok((ActionKind::Deposit, of, amount))
            }
            "withdrawal" => {
                let amount = scope.amount("amount")?;
                if !scope.flag("skipOutputs", false)? {
                    let to = self.address_or_current(scope)?;
                    draft.add_output(-1, TokenData::token(place), amount, pay(to, None))?;
                }
                Ok((ActionKind::Withdrawal, Of::Token(token), amount))
            }
            "grant_authority" => {
                let which = authority(scope)?.expect("required");
                if scope.value("createAnotherTo")?.is_some() {
                    // The reference library passes over it, and the authority is gone.
                    return Err(TemplateProblem::NotSupported("createAnotherTo").into());
                }
                if !scope.flag("useCreatedToken", false)? && !scope.flag("skipSelection", false)? {
                    let from = scope.text("address")?;
                    let from = from.map(|text| self.address_in("address", text)).transpose()?;
                    self.select_authorities(draft, (token, which), 1, from, -1, now)?;
                }
                Ok((ActionKind::GrantAuthority, Of::Token(token), which.bit().into()))
            }
            _ => {
                let which = authority(scope)?.expect("required");
                if !scope.flag("skipOutputs", false)? {
                    let script = pay(self.address_or_current(scope)?, None);
                    draft.add_authorities(-1, TokenData::authority(place), which, 1, &script)?;
                }
                Ok((ActionKind::AcquireAuthority, Of::Token(token), which.bit().into()))
            }
        }
    }

    fn address_or_current(&self, scope: Scope<'_>) -> Result<Address, Failure> {
        match scope.text("address")? {
            Some(text) => self.address_in("address", text),
            None => Ok(self.current_address()),
        }
    }

    /// The header of a call, once all tokens are known.
    pub(super) fn call_header(&self, draft: &Draft<'_>, call: &ContractCall) -> Result<NanoHeader, Failure> {
        let method = (call.contract, call.method.clone());
        let types = draft.request.facts.methods.get(&method);
        let types = types
            .ok_or_else(|| TemplateProblem::Unknown(TemplateFact::Method(method.0, method.1.clone())))?;
        let action = |(kind, of, amount): &Moved| {
            let token_index = match of {
                Of::Created if !draft.creates_token() => return Err(TemplateProblem::NoCreation),
                Of::Created => 1,
                Of::Token(token) => draft.place_of(*token).expect("actions add their tokens"),
            };
            Ok(NanoAction { kind: *kind, token_index, amount: *amount })
        };
        Ok(NanoHeader {
            id: call.contract,
            seqnum: self.calls.next(call.caller_index),
            args: args_from_json(types, &call.args, self.settings.network).map_err(TemplateProblem::from)?,
            actions: call.actions.iter().map(action).collect::<Result<_, _>>()?,
            caller: call.caller,
            script: Vec::new(),
            method: method.1,
        })
    }

    /// What an oracle says to a contract, signed by the address at an index: an argument for its methods.
    pub(super) fn oracle_data(&self, facts: &TemplateFacts, scope: Scope<'_>) -> Result<Value, Failure> {
        let (index, _) = self.address_at(facts, scope)?;
        let contract = scope.id("ncId")?.expect("required");
        let of = ArgType::parse(scope.text("type")?.expect("required")).map_err(TemplateProblem::from)?;
        let ArgType::Signed(inner, _) = &of else { return Err(TemplateProblem::NotSigned.into()) };
        let given = scope.value("data")?.unwrap_or(&Value::Null);
        let value = arg_from_json(inner, given, self.settings.network).map_err(TemplateProblem::Said)?;
        // The contract's id is signed, too: a signature for one contract is none for another.
        let written = write_value(inner, &value).map_err(|error| Failure::Plan(error.into()))?;
        let said = (index, [&contract.0[..], &written].concat());
        let Some(signature) = facts.signatures.get(&said) else {
            return Err(TemplateProblem::Unknown(TemplateFact::Signature(said.0, said.1)).into());
        };
        Ok(arg_to_json(&of, &ArgValue::Signed(Box::new(value), signature.clone())))
    }
}
