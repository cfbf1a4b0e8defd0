//! A contract that is granted authorities, mints and melts with them, and lets them be acquired again.

use super::execution::{Failed, Running, is_initialize};
use super::state::Method;
use crate::ledger::nano::{ActionKind, ArgValue, Integer};
use crate::ledger::{Amount, TokenUid};

pub(super) const METHODS: &[Method] = &[
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
