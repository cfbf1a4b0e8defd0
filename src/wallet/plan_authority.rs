//! Authorities: spending one to use it, giving one away, destroying some.

use super::plan::{Draft, OutputToken};
use super::reserve::UtxoKey;
use super::{Authority, DelegateRequest, DestroyRequest, Plan, PlanError, State};
use crate::ledger::{Address, TokenUid};

impl State {
    /// Plans to give an authority to somebody. `now` is the time in Unix seconds; the input stays reserved
    /// until `reserve_until`.
    ///
    /// # Errors
    /// [`PlanError::NoAuthority`] if the wallet has none that is neither locked nor reserved.
    pub fn plan_delegate(
        &mut self,
        request: &DelegateRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        self.utxos.advance_to(now);
        let (token, which) = (TokenUid::Custom(request.token), request.authority);
        let mut draft = Draft::default();
        let spent = self.spend_authority(&mut draft, token, which, now)?;
        draft.authority(request.to, OutputToken::Token(token), which.bit());
        let keep = request.keep.then(|| self.current_address());
        self.restore_authority(&mut draft, token, which, spent, keep);
        self.finalize(draft, now, reserve_until)
    }

    /// Plans to destroy authorities. `now` is the time in Unix seconds; the inputs stay reserved until
    /// `reserve_until`.
    ///
    /// # Errors
    /// [`PlanError::NothingToSend`] for a count of 0, [`PlanError::NoAuthority`] if the wallet has fewer that
    /// are neither locked nor reserved, [`PlanError::Encode`] for more than a transaction has inputs.
    pub fn plan_destroy(
        &mut self,
        request: &DestroyRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        self.utxos.advance_to(now);
        let (token, which) = (TokenUid::Custom(request.token), request.authority);
        if request.count == 0 {
            return Err(PlanError::NothingToSend);
        }
        let slots = self.authorities_for(token, which, now);
        let slots = slots.get(..request.count).ok_or(PlanError::NoAuthority(which))?;
        let mut draft = Draft { inputs: slots.to_vec(), ..Draft::default() };
        for slot in slots {
            self.restore_authority(&mut draft, token, which, self.utxos.utxo(*slot).mask(), None);
        }
        self.finalize(draft, now, reserve_until)
    }

    /// Adds an authority to the inputs and gives its bits.
    pub(super) fn spend_authority(
        &self,
        draft: &mut Draft,
        token: TokenUid,
        which: Authority,
        now: u32,
    ) -> Result<u64, PlanError> {
        self.spend_authority_of(draft, token, which, None, now)
    }

    /// The same, of one address alone where it is given.
    pub(super) fn spend_authority_of(
        &self,
        draft: &mut Draft,
        token: TokenUid,
        which: Authority,
        address: Option<Address>,
        now: u32,
    ) -> Result<u64, PlanError> {
        let index = address.map(|address| self.index_of(&address).ok_or(PlanError::NoAuthority(which)));
        let index = index.transpose()?;
        let is_of = |slot: &UtxoKey| index.is_none_or(|index| self.utxos.utxo(*slot).address == index);
        let slot = self.authorities_for(token, which, now).into_iter().find(is_of);
        let slot = slot.ok_or(PlanError::NoAuthority(which))?;
        draft.inputs.push(slot);
        Ok(self.utxos.utxo(slot).mask())
    }

    /// Adds the authority again if it is kept. The other right of an authority that had both is never lost:
    /// it comes back to the current address.
    pub(super) fn restore_authority(
        &self,
        draft: &mut Draft,
        token: TokenUid,
        which: Authority,
        spent: u64,
        keep: Option<Address>,
    ) {
        if let Some(to) = keep {
            draft.authority(to, OutputToken::Token(token), which.bit());
        }
        let rest = spent & !which.bit();
        if rest != 0 {
            draft.authority(self.current_address(), OutputToken::Token(token), rest);
        }
    }

    /// Authorities that can be used, in the order of the store; those with no other right first.
    pub(super) fn authorities_for(&self, token: TokenUid, which: Authority, now: u32) -> Vec<UtxoKey> {
        let Some(token) = self.tokens.number(token) else { return Vec::new() };
        let utxos = &self.utxos;
        let usable = |slot: &UtxoKey| {
            utxos.utxo(*slot).grants(which) && !utxos.is_locked(*slot, now) && !utxos.is_reserved(*slot, now)
        };
        let (mut slots, others): (Vec<UtxoKey>, Vec<UtxoKey>) =
            utxos.authorities(token).filter(usable).partition(|slot| utxos.utxo(*slot).mask() == which.bit());
        slots.extend(others);
        slots
    }
}
