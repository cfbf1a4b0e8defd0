//! Limits on spending: what a transaction does, the rules for it, and what was spent before.
//!
//! A rule is a line of text, the same in settings, requests and on the command line. An amount has decimals
//! or names its unit; a token is `HTR`, its uid, or `*`: each token that no other rule of its kind names.
//!
//! ```text
//! spend 10.00 HTR per day            also per transaction, hour, lifetime; an hour and a day are the last 3,600
//!                                    and 86,400 seconds
//! spend 0.10 HTR per day unless approved by 1 of alice,bob
//!                                    what goes beyond needs their approval, and does not count then
//! mint 500 cents of * per transaction the same of tokens that are made; the right to mint goes to nobody else
//! to WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6      once there is a `to` or a `call`, money goes nowhere else
//! not to WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6
//! call CONTRACT                      any method of it, or `call CONTRACT METHOD`
//! ```
//!
//! An address is compared by its key, so that its forms on several networks are the same.
//!
//! This module knows no clock, no store and no caller. [`assess`] returns the rule that refuses a
//! transaction, or what is to be counted under which limits; [`Counters`] counts.

mod counters;
mod effects;
mod rule;

pub use counters::{Counted, Counters, DAY, PaymentId};
pub use effects::{Effects, Kinds};
use rule::Quantity;
pub use rule::{Cap, OtherNetwork, Period, Quorum, Rule, RuleError, Verb, Which};

use crate::ledger::{Address, Amount, TokenUid};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The beginning of each refusal.
pub const LIMIT: &str = "The limit";

/// The unit of counting: a key or wallet, a kind, a token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Account {
    pub scope: String,
    pub verb: Verb,
    pub token: TokenUid,
}

/// An amount that a transaction adds to an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    pub account: Account,
    pub amount: Amount,
}

/// The maximum of an account after a charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The index of the charge among the transaction's.
    pub charge: usize,
    /// In seconds; `None` for all time.
    pub window: Option<u32>,
    pub most: Amount,
    pub rule: String,
    /// Who may approve more.
    pub unless: Option<Arc<Quorum>>,
}

/// Approvals that a transaction needs, whatever was spent before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub of: Arc<Quorum>,
    pub why: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assessment {
    pub charges: Vec<Charge>,
    pub limits: Vec<Limit>,
    pub wanted: Vec<Wanted>,
}

#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    pub scope: &'a str,
    /// The owner, for refusals.
    pub whose: &'a str,
    pub rules: &'a [Rule],
}

/// Assesses a transaction that some keys have approved. Limits of which these are a quorum do not apply, and
/// it does not count under them.
///
/// # Errors
/// The rule that refuses it, whatever was spent before and whoever approves it.
pub fn assess(effects: &Effects, all: &[Rules<'_>], approvers: &[String]) -> Result<Assessment, String> {
    let mut assessment = Assessment::default();
    for rules in all {
        for verb in [Verb::Spend, Verb::Mint] {
            for (token, amount) in effects.amounts(verb) {
                assessment.add((rules, approvers), verb, *token, *amount)?;
            }
        }
        rules.check_places(effects)?;
    }
    Ok(assessment)
}

impl Assessment {
    /// Without the limits that approvals lift.
    #[must_use]
    pub fn if_approved(&self) -> Self {
        let limits = self.limits.iter().filter(|limit| limit.unless.is_none()).cloned().collect();
        Self { limits, charges: self.charges.clone(), wanted: Vec::new() }
    }

    fn add(
        &mut self,
        (rules, approvers): (&Rules<'_>, &[String]),
        verb: Verb,
        token: TokenUid,
        amount: Amount,
    ) -> Result<(), String> {
        let of_verb = || {
            rules.rules.iter().filter_map(move |rule| match rule {
                Rule::Cap(cap) if cap.verb == verb => Some((rule, cap)),
                _ => None,
            })
        };
        let is_named = of_verb().any(|(_, cap)| cap.which == Which::Token(token));
        let holds = |which: Which| which == Which::Token(token) || !is_named && which == Which::Each;
        // Amounts without the approval of a quorum are counted separately: approved ones don't count there.
        let mut places: Vec<(Option<&Arc<Quorum>>, usize)> = Vec::new();
        for (rule, cap) in of_verb().filter(|(_, cap)| holds(cap.which)) {
            let unless = cap.unless.as_ref();
            if unless.is_some_and(|quorum| quorum.is_met(approvers)) {
                continue;
            }
            let window = match cap.period {
                Period::Transaction if amount > cap.most => {
                    let name = rules.name(rule);
                    let Some(of) = unless.cloned() else {
                        return Err(refusal(&name, verb, token, amount, cap.most));
                    };
                    self.wanted
                        .push(Wanted { of, why: wants_approval(&name, verb, token, amount, cap.most) });
                    continue;
                }
                Period::Transaction => continue,
                Period::Lifetime => None,
                Period::Hour => Some(counters::HOUR),
                Period::Day => Some(DAY),
            };
            let known = places.iter().find(|(of, _)| *of == unless).map(|(_, place)| *place);
            let charge = known.unwrap_or_else(|| {
                // No key and no wallet can have this name.
                let more = unless.map(|quorum| format!(" unless approved by {quorum}")).unwrap_or_default();
                let account = Account { scope: format!("{}{more}", rules.scope), verb, token };
                self.charges.push(Charge { account, amount });
                places.push((unless, self.charges.len() - 1));
                self.charges.len() - 1
            });
            let (rule, unless) = (rules.name(rule), unless.cloned());
            self.limits.push(Limit { charge, window, most: cap.most, rule, unless });
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
                && effects.pays.iter().any(|to| to.is_same_key(*address))
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
        let may_get = |to: &Address| {
            self.rules.iter().any(|rule| matches!(rule, Rule::To(address) if address.is_same_key(*to)))
        };
        if let Some(address) = effects.pays.iter().find(|to| !may_get(to)) {
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

pub fn wants_approval(rule: &str, verb: Verb, token: TokenUid, amount: Amount, left: Amount) -> String {
    format!("{rule} wants approval for this: {} without approval.", beyond(verb, token, amount, left))
}

pub fn refusal(rule: &str, verb: Verb, token: TokenUid, amount: Amount, left: Amount) -> String {
    format!("{rule} refuses this: {}.", beyond(verb, token, amount, left))
}

fn beyond(verb: Verb, token: TokenUid, amount: Amount, left: Amount) -> String {
    let [amount, left] = [amount, left].map(|amount| Quantity(amount, Which::Token(token)).to_string());
    // A uid is long enough once.
    let left = left.split_once(" of ").map_or(&*left, |(cents, _)| cents);
    format!("it would {verb} {amount}, with {left} left")
}

pub(crate) type Amounts = BTreeMap<TokenUid, Amount>;
