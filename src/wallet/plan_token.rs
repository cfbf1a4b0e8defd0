//! Creating, minting and melting tokens. Their outputs stand in fixed orders, which wallets and explorers
//! have come to expect.

use super::plan::{Draft, OutputToken, check_value, data_scripts, minting_cost};
use super::{Authority, CreateTokenRequest, MeltRequest, MintRequest, Plan, PlanError, Planned, State};
use crate::ledger::{
    Address, Amount, DATA_OUTPUT_COST, TokenInfo, TokenUid, TokenVersion, validate_token_name,
    validate_token_symbol,
};

impl State {
    /// Plans the creation of a token or NFT. `now` is the time in Unix seconds; the inputs stay reserved
    /// until `reserve_until`.
    ///
    /// Outputs: HTR change, the minted units, mint authority, melt authority, and data before or after all of
    /// these.
    ///
    /// # Errors
    /// [`PlanError::Token`] for a name or symbol that is not allowed, [`PlanError::NotEnoughHtr`] for deposit
    /// or fee and data, and other [`PlanError`]s for an amount, an address or data that won't do.
    pub fn plan_create_token(
        &mut self,
        request: &CreateTokenRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        let parts = TokenParts::of(self, request)?;
        let change =
            self.mine_or_current(request.change_address, PlanError::ChangeNotMine(Planned::OfToken))?;
        self.utxos.advance_to(now);
        let cost = minting_cost(self, request.version, request.amount);
        let mut draft = Draft {
            creates: Some(parts.info()),
            fee: if request.version == TokenVersion::Fee { cost } else { Amount::ZERO },
            ..Draft::default()
        };
        let left = self.fund_htr(&mut draft, cost.saturating_add(parts.data.cost()))?;
        parts.data.first(&mut draft);
        add_change(&mut draft, change, TokenUid::Native, left);
        parts.add_minted(&mut draft);
        parts.data.last(&mut draft);
        self.finalize(draft, now, reserve_until)
    }

    /// Plans minting. `now` is the time in Unix seconds; the inputs stay reserved until `reserve_until`.
    ///
    /// Inputs: a mint authority, HTR. Outputs: HTR change, the minted units, a new mint authority, and data
    /// before or after all.
    ///
    /// # Errors
    /// [`PlanError::NoAuthority`], [`PlanError::NotEnoughHtr`] for deposit or fee and data, and other
    /// [`PlanError`]s for an amount, an address or data that won't do.
    pub fn plan_mint(
        &mut self,
        request: &MintRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        check_value(request.amount)?;
        let change =
            self.mine_or_current(request.change_address, PlanError::ChangeNotMine(Planned::OfToken))?;
        let keep = request.authority.as_ref().map(|to| self.authority_address(to, Authority::Mint));
        let keep = keep.transpose()?;
        let data = Data::new(&request.data, request.data_first)?;

        self.utxos.advance_to(now);
        let token = TokenUid::Custom(request.token);
        let cost = minting_cost(self, request.version, request.amount);
        let mut draft = Draft {
            fee: if request.version == TokenVersion::Fee { cost } else { Amount::ZERO },
            ..Draft::default()
        };
        let authority = self.spend_authority(&mut draft, token, Authority::Mint, now)?;
        let left = self.fund_htr(&mut draft, cost.saturating_add(data.cost()))?;
        data.first(&mut draft);
        add_change(&mut draft, change, TokenUid::Native, left);
        draft.pay(
            request.address.unwrap_or(self.current_address()),
            OutputToken::Token(token),
            request.amount,
        );
        self.restore_authority(&mut draft, token, Authority::Mint, authority, keep);
        data.last(&mut draft);
        self.finalize(draft, now, reserve_until)
    }

    /// Plans melting. `now` is the time in Unix seconds; the inputs stay reserved until `reserve_until`.
    ///
    /// Inputs: a melt authority, the token, HTR if the returned deposit doesn't pay for data and fee.
    /// Outputs: change of the token, a new melt authority, the returned HTR, HTR change, and data before
    /// or after all.
    ///
    /// # Errors
    /// [`PlanError::NoAuthority`], [`PlanError::NotEnoughToMelt`], [`PlanError::NotEnoughHtr`] for data and
    /// fee, and other [`PlanError`]s for an amount, an address or data that won't do.
    pub fn plan_melt(
        &mut self,
        request: &MeltRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        check_value(request.amount)?;
        let change =
            self.mine_or_current(request.change_address, PlanError::ChangeNotMine(Planned::OfToken))?;
        let keep = request.authority.as_ref().map(|to| self.authority_address(to, Authority::Melt));
        let keep = keep.transpose()?;
        let data = Data::new(&request.data, request.data_first)?;

        self.utxos.advance_to(now);
        let token = TokenUid::Custom(request.token);
        let mut draft = Draft::default();
        let authority = self.spend_authority(&mut draft, token, Authority::Melt, now)?;
        let units_left = self.fund(&mut draft, token, request.amount, |available| {
            PlanError::NotEnoughToMelt { requested: request.amount, available }
        })?;
        let withdrawn = match request.version {
            TokenVersion::Deposit => self.settings.deposit.withdraw(request.amount),
            TokenVersion::Fee => {
                draft.fee = TokenVersion::Fee.fee(1, usize::from(!units_left.is_zero()));
                Amount::ZERO
            }
        };
        let owed = draft.fee.saturating_add(data.cost());
        let missing = owed.saturating_sub(withdrawn);
        let left = if missing.is_zero() { Amount::ZERO } else { self.fund_htr(&mut draft, missing)? };

        data.first(&mut draft);
        add_change(&mut draft, change, token, units_left);
        self.restore_authority(&mut draft, token, Authority::Melt, authority, keep);
        let deposit_to = request.deposit_address.unwrap_or(self.current_address());
        add_change(&mut draft, deposit_to, TokenUid::Native, withdrawn.saturating_sub(owed));
        add_change(&mut draft, change, TokenUid::Native, left);
        data.last(&mut draft);
        self.finalize(draft, now, reserve_until)
    }

    fn fund_htr(&self, draft: &mut Draft, required: Amount) -> Result<Amount, PlanError> {
        self.fund(draft, TokenUid::Native, required, |available| PlanError::NotEnoughHtr {
            required,
            available,
        })
    }
}

fn add_change(draft: &mut Draft, to: Address, token: TokenUid, left: Amount) {
    if !left.is_zero() {
        draft.pay(to, OutputToken::Token(token), left);
    }
}

/// What a token's creation puts into a transaction, once it has been looked at.
pub(super) struct TokenParts<'a> {
    request: &'a CreateTokenRequest,
    to: Address,
    mint: Option<Address>,
    melt: Option<Address>,
    data: Data,
}

impl<'a> TokenParts<'a> {
    pub(super) fn of(state: &State, request: &'a CreateTokenRequest) -> Result<Self, PlanError> {
        validate_token_name(&request.name)?;
        validate_token_symbol(&request.symbol)?;
        check_value(request.amount)?;
        state.mine_or_current(request.change_address, PlanError::ChangeNotMine(Planned::OfToken))?;
        let address_of = |to, which| state.authority_address(to, which);
        let mint = request.mint_authority.as_ref().map(|to| address_of(to, Authority::Mint)).transpose()?;
        let melt = request.melt_authority.as_ref().map(|to| address_of(to, Authority::Melt)).transpose()?;
        let data = Data::new(&request.data, request.data_first)?;
        Ok(Self { request, to: request.address.unwrap_or(state.current_address()), mint, melt, data })
    }
    pub(super) fn info(&self) -> TokenInfo {
        let CreateTokenRequest { name, symbol, version, .. } = self.request;
        TokenInfo { name: name.clone(), symbol: symbol.clone(), version: *version }
    }
    /// What the data outputs hold.
    pub(super) fn data_cost(&self) -> Amount {
        self.data.cost()
    }
    pub(super) fn add_to(&self, draft: &mut Draft) {
        self.data.first(draft);
        self.add_minted(draft);
        self.data.last(draft);
    }
    /// The minted units and the authorities.
    fn add_minted(&self, draft: &mut Draft) {
        draft.pay(self.to, OutputToken::Created, self.request.amount);
        for (to, authority) in [(self.mint, Authority::Mint), (self.melt, Authority::Melt)] {
            if let Some(to) = to {
                draft.authority(to, OutputToken::Created, authority.bit());
            }
        }
    }
}

/// Data outputs of a token operation.
struct Data {
    scripts: Vec<Vec<u8>>,
    first: bool,
}

impl Data {
    fn new(texts: &[String], first: bool) -> Result<Self, PlanError> {
        Ok(Self { scripts: data_scripts(texts.iter())?, first })
    }
    fn cost(&self) -> Amount {
        self.scripts.iter().map(|_| DATA_OUTPUT_COST).sum()
    }
    /// Data placed first comes in reverse order: the existing wallet puts each at the front in turn.
    fn first(&self, draft: &mut Draft) {
        if self.first {
            self.scripts.iter().rev().for_each(|script| draft.data(script.clone()));
        }
    }
    fn last(&self, draft: &mut Draft) {
        if !self.first {
            self.scripts.iter().for_each(|script| draft.data(script.clone()));
        }
    }
}
