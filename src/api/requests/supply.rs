//! mint-tokens and melt-tokens.

use crate::api::check::Checker;
use crate::api::record::{Kind, Need, note};
use crate::api::{Compat, Refusal};
use crate::ledger::Amount;
use serde_json::{Map, Value};

/// What minting and melting have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupplyRequest {
    /// The token's uid as given.
    pub token: String,
    /// In cents; at least 1.
    pub amount: Amount,
    /// Where the change goes: an address of the wallet.
    pub change_address: Option<String>,
    /// Whether another authority takes the place of the spent one.
    pub keep_authority: bool,
    /// Who gets the authority that takes the place of the spent one; `None` is the wallet's current address.
    pub authority_address: Option<String>,
    /// Whether `authority_address` may be of somebody else.
    pub allow_external_authority: bool,
    /// Texts kept in data outputs.
    pub data: Vec<String>,
    /// Whether data outputs come first, in reverse order, rather than last.
    pub unshift_data: bool,
}

impl SupplyRequest {
    fn read(check: &mut Checker<'_>, authority: &str, compat: Compat) -> Self {
        let field = check.field("token");
        let token = check.token(&field, Need::Required, compat).unwrap_or_default().to_owned();
        let field = check.field("amount");
        let unshift = check.field("unshift_data");
        note("unshift_data", Kind::Flag, Need::Nullable);
        let blank = unshift.value.is_some_and(|value| value.is_null() || value == "");
        Self {
            token,
            amount: check.positive_amount(&field).unwrap_or_default(),
            change_address: check.optional_address("change_address"),
            keep_authority: true,
            authority_address: check.optional_address(&format!("{authority}_authority_address")),
            allow_external_authority: check
                .boolean(&format!("allow_external_{authority}_authority_address"), false),
            unshift_data: blank || check.boolean("unshift_data", true),
            data: check.data_list("data", compat.checks_data_outputs_with_fields()),
        }
    }
}

/// `POST /wallet/mint-tokens`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MintTokens {
    #[allow(missing_docs)]
    pub supply: SupplyRequest,
    /// Who gets the minted tokens; `None` is the wallet's current address.
    pub address: Option<String>,
}

impl MintTokens {
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let supply = SupplyRequest::read(&mut check, "mint", compat);
        let address = check.optional_address("address");
        check.finish()?;
        Ok(Self { supply, address })
    }
}

/// `POST /wallet/melt-tokens`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeltTokens {
    #[allow(missing_docs)]
    pub supply: SupplyRequest,
    /// Who gets the returned deposit; `None` is the wallet's current address.
    pub deposit_address: Option<String>,
}

impl MeltTokens {
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let supply = SupplyRequest::read(&mut check, "melt", compat);
        let deposit_address = check.optional_address("deposit_address");
        check.finish()?;
        Ok(Self { supply, deposit_address })
    }
}
