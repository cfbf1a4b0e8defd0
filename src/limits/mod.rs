//! Limits on spending: what a transaction does, the rules for it, and what was spent before.
//!
//! A rule is a line of words, the same in settings, requests and on the command line. Amounts are whole
//! numbers of cents, a token is `HTR`, its uid, or `*`: each one that no other rule of its kind names.
//!
//! ```text
//! spend 1000 HTR per day             also per transaction, hour, lifetime; an hour and a day are the last 3,600
//!                                    and 86,400 seconds
//! mint 500 * per transaction         the same of tokens that are made; the right to mint goes to nobody else
//! to WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6      once there is a `to` or a `call`, money goes nowhere else
//! not to WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6
//! call CONTRACT                      any method of it, or `call CONTRACT METHOD`
//! ```
//!
//! Nothing here knows a clock, a store or who asks. [`assess`] says of a transaction which rule refuses it by
//! itself, and what is to be counted under which limits; [`Counters`] counts.

mod counters;
mod effects;
mod rule;

pub use counters::{Counted, Counters, DAY, PaymentId};
pub use effects::Effects;
pub use rule::{Cap, Period, Rule, RuleError, Verb, Which};

use crate::ledger::{Amount, TokenUid};
use std::collections::BTreeMap;

/// How each refusal begins.
pub const LIMIT: &str = "The limit";

/// What is counted together: of one key or wallet, of one kind, of one token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Account {
    /// Whose it is.
    pub scope: String,
    #[allow(missing_docs)]
    pub verb: Verb,
    #[allow(missing_docs)]
    pub token: TokenUid,
}

/// An amount that a transaction adds to an account.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Charge {
    pub account: Account,
    pub amount: Amount,
}

/// The most that an account may hold with a charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The place of the charge among those of the transaction.
    pub charge: usize,
    /// The last so many seconds; `None` for all time.
    pub window: Option<u32>,
    #[allow(missing_docs)]
    pub most: Amount,
    /// The rule, in words, and whose it is.
    pub rule: String,
}

/// A transaction that is to be counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Assessment {
    pub charges: Vec<Charge>,
    pub limits: Vec<Limit>,
}

/// The rules of a key or a wallet.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// What is counted together.
    pub scope: &'a str,
    /// Whose they are, as refusals say it.
    pub whose: &'a str,
    #[allow(missing_docs)]
    pub rules: &'a [Rule],
}

/// Looks at what a transaction does.
///
/// # Errors
/// Which rule refuses it, whatever was spent before.
pub fn assess(effects: &Effects, all: &[Rules<'_>]) -> Result<Assessment, String> {
    let mut assessment = Assessment::default();
    for rules in all {
        for verb in [Verb::Spend, Verb::Mint] {
            for (token, amount) in effects.amounts(verb) {
                assessment.add(rules, verb, *token, *amount)?;
            }
        }
        rules.check_places(effects)?;
    }
    Ok(assessment)
}

impl Assessment {
    fn add(&mut self, rules: &Rules<'_>, verb: Verb, token: TokenUid, amount: Amount) -> Result<(), String> {
        let of_verb = || {
            rules.rules.iter().filter_map(move |rule| match rule {
                Rule::Cap(cap) if cap.verb == verb => Some((rule, cap)),
                _ => None,
            })
        };
        let is_named = of_verb().any(|(_, cap)| cap.which == Which::Token(token));
        let holds = |which: Which| which == Which::Token(token) || !is_named && which == Which::Each;
        let mut place = None;
        for (rule, cap) in of_verb().filter(|(_, cap)| holds(cap.which)) {
            let window = match cap.period {
                Period::Transaction if amount > cap.most => {
                    return Err(refusal(&rules.name(rule), verb, amount, cap.most));
                }
                Period::Transaction => continue,
                Period::Lifetime => None,
                Period::Hour => Some(counters::HOUR),
                Period::Day => Some(DAY),
            };
            let charge = *place.get_or_insert_with(|| {
                let account = Account { scope: rules.scope.to_owned(), verb, token };
                self.charges.push(Charge { account, amount });
                self.charges.len() - 1
            });
            self.limits.push(Limit { charge, window, most: cap.most, rule: rules.name(rule) });
        }
        Ok(())
    }
}

impl Rules<'_> {
    fn name(&self, rule: &Rule) -> String {
        format!("{LIMIT} \"{rule}\" of {}", self.whose)
    }

    fn check_places(&self, effects: &Effects) -> Result<(), String> {
        let mints = |rule: &&Rule| matches!(rule, Rule::Cap(cap) if cap.verb == Verb::Mint);
        if let Some(rule) = self.rules.iter().find(mints).filter(|_| effects.hands_on_minting) {
            return Err(format!("{} refuses this: it hands on the right to mint.", self.name(rule)));
        }
        for rule in self.rules {
            if let Rule::NotTo(address) = rule
                && effects.pays.contains(address)
            {
                return Err(format!("{} refuses this.", self.name(rule)));
            }
        }
        let names_places = |rule: &Rule| matches!(rule, Rule::To(_) | Rule::Call(..));
        if !self.rules.iter().any(names_places) {
            return Ok(());
        }
        let refuse = |what: String| {
            Err(format!(
                "{LIMIT}s of {} refuse this: no `to` and no `call` of them names {what}.",
                self.whose
            ))
        };
        if let Some(address) = effects.pays.iter().find(|to| !self.rules.contains(&Rule::To((*to).clone()))) {
            return refuse(format!("the address {address}"));
        }
        if effects.pays_unknown {
            return refuse("an output that pays no address".to_owned());
        }
        if let Some((contract, method)) = &effects.calls {
            let allowed = |rule: &Rule| match rule {
                Rule::Call(allowed, None) => allowed == contract,
                Rule::Call(allowed, Some(of)) => allowed == contract && of == method,
                _ => false,
            };
            if !self.rules.iter().any(allowed) {
                return refuse(format!("the method {method:?} of {contract}"));
            }
        }
        Ok(())
    }
}

/// What is said where a limit would be passed.
pub fn refusal(rule: &str, verb: Verb, amount: Amount, left: Amount) -> String {
    format!("{rule} refuses this: it would {verb} {amount}, and {left} may be.")
}

/// The amounts of what a transaction does.
pub(crate) type Amounts = BTreeMap<TokenUid, Amount>;
