//! Carrying instructions out.

use super::draft::{Built, Draft, Failure, Of, pay};
use super::select::{Selection, named_twice};
use super::{TemplateError, TemplateFact, TemplateFacts, TemplateProblem, TemplateRequest};
use crate::ledger::{
    Address, Amount, DATA_OUTPUT_COST, Outpoint, Script, SpentOutput, TokenData, TokenUid, TokenVersion,
    VertexId,
};
use crate::template::{Instruction, InstructionKind, Scope, ValueError, Variables};
use crate::wallet::{Authority, PlanError, State};
use serde_json::Value;
use std::borrow::Cow;

/// What the instructions make.
pub(super) fn run(state: &State, request: &TemplateRequest, now: u32) -> Result<Built, PlanError> {
    let mut draft = Draft::new(request);
    let mut variables = Variables::new();
    let instructions = &request.template.instructions;
    let at = |place: usize, failure| match failure {
        Failure::Plan(error) => error,
        Failure::Here(problem) => {
            let kind = instructions.get(place).map_or("end", |instruction| instruction.kind.name());
            PlanError::Template(Box::new(TemplateError { place, kind, problem }))
        }
    };
    for (place, instruction) in instructions.iter().enumerate() {
        let scope = instruction.scope(&variables);
        let done = match instruction.kind {
            InstructionKind::RawInput => state.raw_input(&mut draft, scope, now),
            InstructionKind::SelectUtxos => state.select_utxos(&mut draft, scope),
            InstructionKind::SelectAuthorities => state.authority_inputs(&mut draft, scope, now),
            InstructionKind::RawOutput => raw_output(&mut draft, scope),
            InstructionKind::DataOutput => data_output(&mut draft, scope),
            InstructionKind::TokenOutput => state.token_output(&mut draft, scope),
            InstructionKind::AuthorityOutput => state.authority_outputs(&mut draft, scope),
            InstructionKind::Shuffle => shuffle(&mut draft, scope),
            InstructionKind::Complete => state.complete(&mut draft, scope, now),
            InstructionKind::Config => config(&mut draft, scope),
            InstructionKind::SetVar => {
                let set = state.variable(&request.facts, instruction, &variables, now);
                set.map(|(name, value)| drop(variables.insert(name, value)))
            }
            InstructionKind::Nano => state.call_contract(&mut draft, scope, place, now),
            InstructionKind::Fee => fee(&mut draft, scope),
        };
        done.map_err(|failure| at(place, failure))?;
    }
    let call = draft
        .call
        .as_ref()
        .map(|call| state.call_header(&draft, call).map_err(|failure| at(call.place, failure)));
    let transaction = draft.transaction(call.transpose()?, now);
    let transaction = transaction.map_err(|failure| at(instructions.len(), failure))?;
    let caller = draft.call.map(|call| call.caller_index);
    let slots = draft.inputs.into_iter().filter_map(|(_, slot)| slot).collect();
    Ok(Built { transaction, slots, caller })
}

/// Where it is put.
fn position(scope: Scope<'_>) -> Result<i128, ValueError> {
    Ok(scope.number("position")?.unwrap_or(-1))
}

/// A right that is named.
pub(super) fn authority(scope: Scope<'_>) -> Result<Option<Authority>, ValueError> {
    let of = |name| if name == "mint" { Authority::Mint } else { Authority::Melt };
    Ok(scope.text("authority")?.map(of))
}

/// What an output is of.
fn of(scope: Scope<'_>) -> Result<Of, ValueError> {
    Ok(match scope.flag("useCreatedToken", false)? {
        true => Of::Created,
        false => Of::Token(scope.token("token")?),
    })
}

impl State {
    fn raw_input(&self, draft: &mut Draft<'_>, scope: Scope<'_>, now: u32) -> Result<(), Failure> {
        let tx = scope.id("txId")?.expect("required");
        let index: u8 = scope.number("index")?.expect("required, and within a byte");
        let spends = Outpoint { tx, index };
        let output = self.known_output(&draft.request.facts, tx, index)?;
        if output.unknown.is_some() {
            return Err(TemplateProblem::NotSupported("an output of a kind that is not known").into());
        }
        let token = output.token;
        if draft.spends(spends) {
            return Err(named_twice(token, spends));
        }
        let is_own = self.paid_index(&output.script).is_some();
        if !is_own && !draft.request.with_foreign_inputs {
            return Err(Failure::Plan(PlanError::NotFromTheWallet { token, output: spends }));
        }
        self.check_free(spends, None, now).map_err(Failure::Plan)?;
        let slot = self.slots_in_order(&[spends]).first().copied();
        draft.add_input(position(scope)?, spends, slot, &output)
    }

    /// An output as the wallet has it, or as the node has told.
    pub(super) fn known_output(
        &self,
        facts: &TemplateFacts,
        tx: VertexId,
        index: u8,
    ) -> Result<SpentOutput, Failure> {
        if let Some(packed) = self.history.find(&tx) {
            let output = packed.output(index).map(|(output, _)| output.unpack());
            return output.ok_or_else(|| TemplateProblem::NoSuchOutput.into());
        }
        let outputs = facts.outputs.get(&tx);
        let outputs = outputs.ok_or(TemplateProblem::Unknown(TemplateFact::Outputs(tx)))?;
        outputs.get(usize::from(index)).cloned().ok_or_else(|| TemplateProblem::NoSuchOutput.into())
    }

    fn select_utxos(&self, draft: &mut Draft<'_>, scope: Scope<'_>) -> Result<(), Failure> {
        self.select_with_change(draft, scope, scope.amount("fill")?, position(scope)?)
    }

    /// Selects inputs of an amount, and makes the change an output unless that is not wanted.
    pub(super) fn select_with_change(
        &self,
        draft: &mut Draft<'_>,
        scope: Scope<'_>,
        amount: Amount,
        position: i128,
    ) -> Result<(), Failure> {
        let token = scope.token("token")?;
        let selection = Selection { token, amount, address: scope.text("address")?, position };
        let given = scope.text("changeAddress")?;
        let left = self.select_amount(draft, &selection)?;
        if scope.flag("autoChange", true)? && !left.is_zero() {
            let change = given
                .map_or_else(|| Ok(self.current_address()), |text| self.address_in("changeAddress", text))?;
            Self::add_change(draft, token, left, change)?;
        }
        Ok(())
    }

    fn authority_inputs(&self, draft: &mut Draft<'_>, scope: Scope<'_>, now: u32) -> Result<(), Failure> {
        let which = authority(scope)?.expect("required");
        let address = scope.text("address")?.map(|text| self.address_in("address", text)).transpose()?;
        let count = scope.number("count")?.unwrap_or(1);
        let of = (scope.token("token")?, which);
        self.select_authorities(draft, of, count, address, position(scope)?, now)
    }

    fn token_output(&self, draft: &mut Draft<'_>, scope: Scope<'_>) -> Result<(), Failure> {
        let amount = scope.amount("amount")?;
        let (text, timelock) = (scope.text("address")?.expect("required"), scope.number("timelock")?);
        let place = draft.count_amount(of(scope)?, amount)?;
        let script = pay(self.address_in("address", text)?, timelock);
        draft.add_output(position(scope)?, TokenData::token(place), amount, script)
    }

    fn authority_outputs(&self, draft: &mut Draft<'_>, scope: Scope<'_>) -> Result<(), Failure> {
        let which = authority(scope)?.expect("required");
        let of = of(scope)?;
        if matches!(of, Of::Token(TokenUid::Native)) {
            return Err(TemplateProblem::NoToken.into());
        }
        let (text, timelock) = (scope.text("address")?.expect("required"), scope.number("timelock")?);
        let count = scope.number("count")?.unwrap_or(1);
        let token_data = draft.count_authorities(of, which, count)?;
        let script = pay(self.address_in("address", text)?, timelock);
        draft.add_authorities(position(scope)?, token_data, which, count, &script)
    }

    pub(super) fn change_address(&self, scope: Scope<'_>) -> Result<Address, Failure> {
        match scope.text("changeAddress")? {
            Some(text) => self.address_in("changeAddress", text),
            None => Ok(self.current_address()),
        }
    }

    /// A variable's name and value.
    pub(super) fn variable<'t>(
        &self,
        facts: &TemplateFacts,
        instruction: &'t Instruction,
        variables: &Variables<'t>,
        now: u32,
    ) -> Result<(&'t str, Cow<'t, Value>), Failure> {
        // Neither is ever a variable itself.
        let field = |name| instruction.fields.get(name);
        let name = field("name").and_then(Value::as_str).expect("required");
        let Some(call) = instruction.scope(variables).call()? else {
            return Ok((name, Cow::Borrowed(field("value").unwrap_or(&Value::Null))));
        };
        let value = match call.name {
            "get_wallet_address" => match call.scope.value("index")? {
                Some(_) => self.address_at(facts, call.scope)?.1.to_string().into(),
                None => self.current_address().to_string().into(),
            },
            "get_oracle_script" => {
                let script = Script::Pay { to: self.address_at(facts, call.scope)?.1, timelock: None };
                hex::encode(script.to_bytes().expect("payments have scripts")).into()
            }
            "get_wallet_balance" => {
                let balance = self.balance(call.scope.token("token")?, now);
                match authority(call.scope)? {
                    Some(Authority::Mint) => balance.mint.0.into(),
                    Some(Authority::Melt) => balance.melt.0.into(),
                    None => Value::Number(
                        serde_json::Number::from_u128(balance.available.cents()).expect("any size"),
                    ),
                }
            }
            _ => self.oracle_data(facts, call.scope)?,
        };
        Ok((name, Cow::Owned(value)))
    }

    /// An index, and the wallet's address at it.
    pub(super) fn address_at(
        &self,
        facts: &TemplateFacts,
        scope: Scope<'_>,
    ) -> Result<(u32, Address), Failure> {
        let count = self.addresses.keys().count();
        let Some(index) = scope.number("index")?.filter(|index| *index < count) else {
            let text = format!("must be the index of an address, from 0 to {}", count - 1);
            return Err(TemplateProblem::Address { field: "index", text }.into());
        };
        let known = self.addresses.watched(index).or_else(|| facts.addresses.get(&index).copied());
        known
            .map(|address| (index, address))
            .ok_or_else(|| TemplateProblem::Unknown(TemplateFact::Address(index)).into())
    }
}

fn raw_output(draft: &mut Draft<'_>, scope: Scope<'_>) -> Result<(), Failure> {
    let (amount, which) = (scope.amount("amount")?, authority(scope)?);
    let script = scope.script("script")?.expect("required");
    let of = of(scope)?;
    let position = position(scope)?;
    match which {
        Some(which) => {
            let token_data = draft.count_authorities(of, which, 1)?;
            draft.add_authorities(position, token_data, which, 1, &script)
        }
        None if amount.is_zero() => Err(TemplateProblem::NoAmount.into()),
        None => {
            let place = draft.count_amount(of, amount)?;
            draft.add_output(position, TokenData::token(place), amount, script)
        }
    }
}

fn data_output(draft: &mut Draft<'_>, scope: Scope<'_>) -> Result<(), Failure> {
    let text = scope.text("data")?.expect("required");
    let place = draft.count_amount(of(scope)?, DATA_OUTPUT_COST)?;
    let script = crate::wallet::plan::data_script(text).map_err(Failure::Plan)?;
    draft.add_output(position(scope)?, TokenData::token(place), DATA_OUTPUT_COST, script)
}

fn shuffle(draft: &mut Draft<'_>, scope: Scope<'_>) -> Result<(), Failure> {
    let target = scope.text("target")?.expect("required");
    if target != "outputs" {
        draft.shuffle_inputs();
    }
    if target != "inputs" {
        draft.shuffle_outputs();
    }
    Ok(())
}

/// What is not given, or nothing, leaves what was said before; but for how a token is paid for, which is by a
/// deposit then.
fn config(draft: &mut Draft<'_>, scope: Scope<'_>) -> Result<(), Failure> {
    let byte = |name| Ok::<_, ValueError>(scope.number::<u8>(name)?.filter(|byte| *byte != 0));
    draft.version = byte("version")?.unwrap_or(draft.version);
    draft.signal_bits = byte("signalBits")?.unwrap_or(draft.signal_bits);
    let text = |name| Ok::<_, ValueError>(scope.text(name)?.map(str::to_owned));
    draft.name = text("tokenName")?.or(draft.name.take());
    draft.symbol = text("tokenSymbol")?.or(draft.symbol.take());
    match scope.number("tokenVersion")?.unwrap_or(TokenVersion::Deposit as u8) {
        1 => draft.token_version = Some(TokenVersion::Deposit),
        2 => draft.token_version = Some(TokenVersion::Fee),
        _ => {}
    }
    if scope.flag("createToken", false)? {
        if !draft.tokens.is_empty() {
            return Err(TemplateProblem::CreationAfterTokens(draft.tokens.len()).into());
        }
        draft.version = super::draft::CREATION;
    }
    Ok(())
}

fn fee(draft: &mut Draft<'_>, scope: Scope<'_>) -> Result<(), Failure> {
    draft.add_fee(scope.token("token")?, scope.amount("amount")?)
}
