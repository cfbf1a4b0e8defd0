//! `action/complete`: inputs for what goes out and is not there yet, and change for what is left over.

use super::TemplateProblem;
use super::draft::{Draft, Failure, Of, pay};
use super::select::Selection;
use crate::ledger::{Address, Amount, SignedAmount, TokenData, TokenUid, TokenVersion};
use crate::template::Scope;
use crate::wallet::{Authority, State};

struct Completion<'a> {
    change: Address,
    /// Only outputs of this address are spent.
    from: Option<&'a str>,
    timelock: Option<u32>,
    skip_selection: bool,
    skip_change: bool,
    now: u32,
}

impl State {
    pub(super) fn complete(&self, draft: &mut Draft<'_>, scope: Scope<'_>, now: u32) -> Result<(), Failure> {
        let only = scope.value("token")?.map(|_| scope.token("token")).transpose()?;
        let how = Completion {
            change: self.change_address(scope)?,
            from: scope.text("address")?.filter(|text| !text.is_empty()),
            timelock: scope.number("timelock")?,
            skip_selection: scope.flag("skipSelection", false)?,
            skip_change: scope.flag("skipChange", false)?,
            now,
        };
        let calculates_fee = scope.flag("calculateFee", false)?;
        let listed = draft.tokens.iter().map(|id| TokenUid::Custom(*id));
        let tokens = match only {
            Some(token) => vec![token],
            None => std::iter::once(TokenUid::Native).chain(listed).collect(),
        };
        let mut with_htr = tokens.contains(&TokenUid::Native);
        if calculates_fee && draft.creates_token() {
            let created = draft.balances.created.ok_or(TemplateProblem::NothingCreated)?;
            if draft.token_version == Some(TokenVersion::Deposit) {
                let amount = (-created.amount).to_amount().unwrap_or_default();
                let deposit = self.deposit_rate().deposit(amount).to_signed();
                draft.balances.of(TokenUid::Native).amount -= deposit;
            }
            with_htr = true;
        }
        for token in tokens.into_iter().filter(|token| *token != TokenUid::Native) {
            // What came in and went out before this: what is added below is counted in it no more.
            let place = self.complete_amount(draft, &how, token)?;
            if !scope.flag("skipAuthorities", false)? {
                for which in [Authority::Mint, Authority::Melt] {
                    self.complete_authorities(draft, &how, token, which, place)?;
                }
            }
        }
        let fee = if calculates_fee { fee_of(draft)? } else { Amount::ZERO };
        if !fee.is_zero() {
            draft.balances.of(TokenUid::Native).add_output(fee);
            draft.add_fee(TokenUid::Native, fee)?;
        }
        if with_htr || !fee.is_zero() {
            self.complete_amount(draft, &how, TokenUid::Native)?;
        }
        Ok(())
    }

    /// Gives the token's place in the list.
    fn complete_amount(
        &self,
        draft: &mut Draft<'_>,
        how: &Completion<'_>,
        token: TokenUid,
    ) -> Result<u8, Failure> {
        let place = draft.add_token(token)?;
        let missing = draft.balances.of(token).amount;
        let amount = missing.abs();
        if missing > SignedAmount::ZERO && !how.skip_change {
            draft.count_amount(Of::Token(token), amount)?;
            draft.add_output(-1, TokenData::token(place), amount, pay(how.change, how.timelock))?;
        } else if missing.is_negative() && !how.skip_selection {
            let selection = Selection { token, amount, address: how.from, position: -1 };
            let left = self.select_amount(draft, &selection)?;
            Self::add_change(draft, token, left, how.change)?;
        }
        Ok(place)
    }

    fn complete_authorities(
        &self,
        draft: &mut Draft<'_>,
        how: &Completion<'_>,
        token: TokenUid,
        which: Authority,
        place: u8,
    ) -> Result<(), Failure> {
        let missing = *draft.balances.of(token).authorities(which);
        let count = usize::try_from(missing.unsigned_abs()).unwrap_or(usize::MAX);
        if missing > 0 {
            draft.balances.of(token).add_authority_outputs(which, count);
            let script = pay(how.change, how.timelock);
            draft.add_authorities(-1, TokenData::authority(place), which, count, &script)?;
        } else if missing < 0 {
            self.select_authorities(draft, (token, which), count, None, -1, how.now)?;
        }
        Ok(())
    }
}

/// The fee of all fee tokens that are moved or created.
fn fee_of(draft: &Draft<'_>) -> Result<Amount, Failure> {
    let mut fee = match (draft.balances.created, draft.token_version) {
        (Some(created), Some(version)) => created.fee(version),
        _ => Amount::ZERO,
    };
    for (token, balance) in draft.balances.iter() {
        if let Some(version) = draft.version_of(*token)? {
            fee = fee.saturating_add(balance.fee(version));
        }
    }
    Ok(fee)
}
