//! Bet: people deposit on results, an oracle says the result, and who was right withdraws a share of all.

use super::execution::{Failed, Running};
use super::state::{Contract, Method, Value};
use crate::devnet::chain::script_eval::{ScriptContext, evaluate_script};
use crate::ledger::Address;
use crate::ledger::nano::{ActionKind, ArgType, ArgValue, write_value};
use sha2::{Digest, Sha256};

pub(super) const METHODS: &[Method] = &[
    ("bet", &[("address", "Address"), ("score", "str")], Some("Make a bet.")),
    (
        "initialize",
        &[("oracle_script", "TxOutputScript"), ("token_uid", "TokenUid"), ("date_last_bet", "Timestamp")],
        None,
    ),
    (
        "set_result",
        &[("result", "SignedData[str]")],
        Some("Set final result. This method is called by the oracle."),
    ),
    ("withdraw", &[], Some("Withdraw tokens after the final result is set.")),
];

impl Running<'_> {
    pub(super) fn bet(&mut self, method: &str) -> Result<(), Failed> {
        match (method, self.args.clone().as_slice()) {
            ("initialize", [ArgValue::Bytes(oracle), ArgValue::Token(token), ArgValue::Timestamp(last)]) => {
                self.allow(&[])?;
                self.contract.set("oracle_script", Value::Bytes(oracle.clone()));
                self.contract.set("token_uid", Value::Token(*token));
                self.contract.set("date_last_bet", Value::Number((*last).into()));
                self.contract.set("final_result", Value::Nothing);
                self.contract.set("total", Value::Number(0));
                Ok(())
            }
            ("bet", [ArgValue::Address(address), ArgValue::Text(score)]) => {
                self.allow(&[ActionKind::Deposit])?;
                let amount = self.amount()?;
                if result(&self.contract).is_some() || self.block_time > self.last_bet() {
                    return Err("too late".to_owned());
                }
                self.contract.add("total", amount);
                self.contract.add(&format!("bets_total:{score}"), amount);
                self.contract.add(&bet_of(score, address), amount);
                Ok(())
            }
            ("set_result", [ArgValue::Signed(said, signature)]) => {
                self.allow(&[])?;
                if result(&self.contract).is_some() {
                    return Err("the result is set".to_owned());
                }
                self.check_oracle(said, signature)?;
                if let ArgValue::Text(text) = &**said {
                    self.contract.set("final_result", Value::Text(text.clone()));
                }
                Ok(())
            }
            ("withdraw", []) => {
                self.allow(&[ActionKind::Withdrawal])?;
                let amount = self.amount()?;
                let most = max_withdrawal(&self.contract, &self.caller).ok_or("there is no result")?;
                if amount > most {
                    return Err(format!("withdrawal amount is greater than available (max: {most})"));
                }
                let caller = self.caller;
                self.contract.add(&withdrawals_of(&caller), amount);
                Ok(())
            }
            _ => Err("no such method".to_owned()),
        }
    }

    /// Of the one action, which is of the contract's token.
    fn amount(&self) -> Result<u128, Failed> {
        let (_, token, amount) = self.single()?;
        match self.contract.fields.get("token_uid") {
            Some(Value::Token(own)) if *own == token => Ok(amount),
            _ => Err("invalid token".to_owned()),
        }
    }

    fn last_bet(&self) -> u32 {
        u32::try_from(self.contract.number("date_last_bet")).unwrap_or(u32::MAX)
    }

    fn check_oracle(&self, said: &ArgValue, signature: &[u8]) -> Result<(), Failed> {
        let Some(Value::Bytes(script)) = self.contract.fields.get("oracle_script") else {
            return Err("there is no oracle".to_owned());
        };
        let said = write_value(&ArgType::Text, said).map_err(|error| error.to_string())?;
        let sighash = Sha256::digest([&self.contract_id.0[..], &said].concat()).into();
        let context = ScriptContext { sighash, timestamp: self.block_time };
        evaluate_script(signature, script, &context).map_err(|_| "invalid signature".to_owned())
    }
}

fn bet_of(score: &str, address: &Address) -> String {
    format!("bets_address:{score}:{address}")
}

fn withdrawals_of(address: &Address) -> String {
    format!("withdrawals:{address}")
}

fn result(contract: &Contract) -> Option<&str> {
    match contract.fields.get("final_result") {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    }
}

/// Whether the oracle has said the result.
pub(in crate::devnet) fn has_result(contract: &Contract) -> bool {
    result(contract).is_some()
}

/// What an address may still withdraw; `None` before there is a result.
pub(in crate::devnet) fn max_withdrawal(contract: &Contract, address: &Address) -> Option<u128> {
    let won = winner_amount(contract, address)?;
    Some(won.saturating_sub(contract.number(&withdrawals_of(address))))
}

/// What an address has won; `None` before there is a result.
pub(in crate::devnet) fn winner_amount(contract: &Contract, address: &Address) -> Option<u128> {
    let result = result(contract)?;
    let of_result = contract.number(&format!("bets_total:{result}"));
    let of_address = contract.number(&bet_of(result, address));
    let total = contract.number("total");
    Some(of_address.checked_mul(total)?.checked_div(of_result).unwrap_or(0))
}
