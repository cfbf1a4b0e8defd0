//! Authorities that instructions select and make.

use super::draft::{Draft, Failure, Of};
use crate::ledger::{Address, TokenData, TokenUid};
use crate::wallet::{Authority, PlanError, State};

impl State {
    /// Selects so many authorities and adds them to the draft.
    pub(super) fn select_authorities(
        &self,
        draft: &mut Draft<'_>,
        (token, which): (TokenUid, Authority),
        count: usize,
        address: Option<Address>,
        position: i128,
        now: u32,
    ) -> Result<(), Failure> {
        draft.version_of(token)?;
        let mut slots = self.authorities_for(token, which, now);
        let index = address.map(|address| self.index_of(&address));
        slots.retain(|slot| {
            !draft.has(*slot) && index.is_none_or(|index| index == Some(self.utxos.utxo(*slot).address))
        });
        let slots = slots.get(..count).ok_or(Failure::Plan(PlanError::NoAuthority(which)))?;
        self.add_inputs(draft, slots, position)
    }
}

impl Draft<'_> {
    /// Counts authorities that go out, and gives what says so of their outputs.
    pub(super) fn count_authorities(
        &mut self,
        of: Of,
        which: Authority,
        count: usize,
    ) -> Result<TokenData, Failure> {
        let place = match of {
            Of::Token(token) => {
                let place = self.add_token(token)?;
                self.balances.of(token).add_authority_outputs(which, count);
                place
            }
            Of::Created => {
                self.created()?.add_authority_outputs(which, count);
                1
            }
        };
        Ok(TokenData::authority(place))
    }

    /// Adds so many outputs of an authority.
    pub(super) fn add_authorities(
        &mut self,
        position: i128,
        token_data: TokenData,
        which: Authority,
        count: usize,
        script: &[u8],
    ) -> Result<(), Failure> {
        (0..count)
            .try_for_each(|_| self.add_output(position, token_data, which.bit().into(), script.to_vec()))
    }
}
