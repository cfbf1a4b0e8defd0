//! The blueprints that the local network can execute.

use super::execution::{Contract, Failed, Method, Running, Value, is_initialize};
use crate::devnet::chain::script_eval::{ScriptContext, evaluate_script};
use crate::ledger::nano::{ActionKind, ArgType, ArgValue, Blueprint, Integer, write_value};
use crate::ledger::{Address, Amount, TokenUid, Transaction};
use k256::ecdsa::signature::hazmat::PrehashVerifier;
use k256::ecdsa::{Signature, VerifyingKey};
use sha2::{Digest, Sha256};

/// The id under which every full node knows Bet.
pub const BET: [u8; 32] = [
    0x3c, 0xb0, 0x32, 0x60, 0x0b, 0xdf, 0x7d, 0xb7, 0x84, 0x80, 0x0e, 0x4e, 0xa9, 0x11, 0xb1, 0x06, 0x76,
    0xfa, 0x2f, 0x67, 0x59, 0x1f, 0x82, 0xbb, 0x62, 0x62, 0x8c, 0x23, 0x4e, 0x77, 0x15, 0x95,
];
/// Most bytes of a blueprint's code (full node: `NC_ON_CHAIN_BLUEPRINT_CODE_MAX_SIZE_UNCOMPRESSED`).
const MAX_CODE_BYTES: usize = 240_000;

/// What a contract runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Bets on what an oracle will say.
    Bet,
    /// Holds authorities, and mints and melts.
    Authority,
}

impl Program {
    const ALL: [Self; 2] = [Self::Bet, Self::Authority];

    /// The name of its class.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bet => "Bet",
            Self::Authority => "AuthorityBlueprint",
        }
    }

    /// The program that stands for Python code, by the name of the class that the code exports.
    pub fn of_code(code: &[u8]) -> Result<Self, String> {
        let text = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(code, MAX_CODE_BYTES);
        let text = text.map_err(|_| "the blueprint's code can't be decompressed".to_owned())?;
        let text = String::from_utf8(text).map_err(|_| "the blueprint's code is not UTF-8".to_owned())?;
        if text.contains("__") {
            return Err("forbidden syntax: script contains dunder text".to_owned());
        }
        let mut lines = text.lines().skip_while(|line| line.trim_end() != "@export").skip(1);
        let class = lines.next().and_then(|line| line.strip_prefix("class "));
        let name = class.and_then(|class| class.split_once('(')).map(|(name, _)| name.trim());
        let name = name.ok_or_else(|| "Could not find a main Blueprint definition".to_owned())?;
        Self::ALL.into_iter().find(|program| program.name() == name).ok_or_else(|| {
            format!(
                "the local network can't execute the blueprint {name}: it knows Bet and AuthorityBlueprint"
            )
        })
    }

    /// What it can be asked to do.
    pub const fn methods(self) -> &'static [Method] {
        match self {
            Self::Bet => BET_METHODS,
            Self::Authority => AUTHORITY_METHODS,
        }
    }

    /// The types of a method's arguments.
    pub(super) fn types(self, method: &str) -> Option<Vec<ArgType>> {
        let (_, args, _) = self.methods().iter().find(|(name, ..)| *name == method)?;
        Some(args.iter().map(|(_, of)| ArgType::parse(of).expect("types of known methods")).collect())
    }
}

pub(super) fn verify_signature(tx: &Transaction, blueprint: &Blueprint) -> Result<(), String> {
    let key = VerifyingKey::from_sec1_bytes(&blueprint.public_key)
        .ok()
        .filter(|_| blueprint.public_key.len() == 33)
        .ok_or_else(|| "nc_pubkey is not a public key".to_owned())?;
    let digest = tx.sighash().map_err(|error| error.to_string())?;
    let signature = Signature::from_der(&blueprint.signature).map_err(|_| String::new())?;
    // The node's error has no text here.
    key.verify_prehash(&digest, &signature).map_err(|_| String::new())
}

// Bet: people deposit on results, an oracle says the result, and who was right withdraws a share of all.

pub(super) const BET_METHODS: &[Method] = &[
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

// A contract that is granted authorities, mints and melts with them, and lets them be acquired again.

pub(super) const AUTHORITY_METHODS: &[Method] = &[
    ("acquire_authority", &[], None),
    ("create_token", &[], None),
    ("create_token_no_deposit", &[], None),
    ("deposit_and_grant", &[("token_uid", "TokenUid")], None),
    ("grant_authority", &[], None),
    ("initialize", &[], None),
    ("melt", &[("token_uid", "TokenUid"), ("amount", "int")], None),
    ("mint", &[("token_uid", "TokenUid"), ("amount", "int")], None),
    ("revoke", &[("token_uid", "TokenUid"), ("revoke_mint", "bool"), ("revoke_melt", "bool")], None),
];

impl Running<'_> {
    pub(super) fn authority(&mut self, method: &str) -> Result<(), Failed> {
        let args = self.args.clone();
        let one = |kind| {
            self.allow(&[kind])?;
            self.single().map(drop)
        };
        match (method, args.as_slice()) {
            (method, []) if is_initialize(method) => one(ActionKind::Deposit),
            ("create_token", []) => one(ActionKind::Withdrawal),
            ("grant_authority", []) => one(ActionKind::GrantAuthority),
            ("acquire_authority", []) => one(ActionKind::AcquireAuthority),
            ("create_token_no_deposit", []) => self.allow(&[]),
            ("deposit_and_grant", [ArgValue::Token(token)]) => {
                self.allow(&[ActionKind::Deposit, ActionKind::GrantAuthority])?;
                let is_so = self.actions.len() == 2 && self.actions.iter().all(|(_, of, _)| of == token);
                if is_so { Ok(()) } else { Err("expect two actions of the token".to_owned()) }
            }
            ("mint", [ArgValue::Token(token), ArgValue::Int(amount)]) => self.mint(*token, cents(amount)?),
            ("melt", [ArgValue::Token(token), ArgValue::Int(amount)]) => self.melt(*token, cents(amount)?),
            ("revoke", [ArgValue::Token(token), ArgValue::Bool(mint), ArgValue::Bool(melt)]) => {
                self.allow(&[])?;
                let holding = self.contract.balances.entry(*token).or_default();
                if *mint && !holding.can_mint || *melt && !holding.can_melt {
                    return Err("it has not that authority".to_owned());
                }
                holding.can_mint &= !mint;
                holding.can_melt &= !melt;
                Ok(())
            }
            _ => Err("no such method".to_owned()),
        }
    }

    /// The deposit comes out of what the contract has in HTR.
    fn mint(&mut self, token: TokenUid, amount: u128) -> Result<(), Failed> {
        self.allow(&[])?;
        if !self.contract.holding(token).can_mint {
            return Err("it can't mint".to_owned());
        }
        let deposit = self.rate.deposit(Amount::new(amount)).cents();
        let native = self.contract.balances.entry(TokenUid::Native).or_default();
        native.amount = native.amount.checked_sub(deposit).ok_or("too little HTR")?;
        let holding = self.contract.balances.entry(token).or_default();
        holding.amount = holding.amount.checked_add(amount).ok_or("too much")?;
        Ok(())
    }

    fn melt(&mut self, token: TokenUid, amount: u128) -> Result<(), Failed> {
        self.allow(&[])?;
        let holding = self.contract.balances.entry(token).or_default();
        if !holding.can_melt {
            return Err("it can't melt".to_owned());
        }
        holding.amount = holding.amount.checked_sub(amount).ok_or("too little")?;
        let native = self.contract.balances.entry(TokenUid::Native).or_default();
        let returned = self.rate.withdraw(Amount::new(amount)).cents();
        native.amount = native.amount.checked_add(returned).ok_or("too much")?;
        Ok(())
    }
}

fn cents(amount: &Integer) -> Result<u128, Failed> {
    let amount: u128 = amount.to_string().parse().map_err(|_| "no amount")?;
    if amount == 0 { Err("no amount".to_owned()) } else { Ok(amount) }
}
