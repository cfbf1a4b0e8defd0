//! create-token and create-nft.

use crate::api::check::{Checker, Field, type_name};
use crate::api::integer::amount;
use crate::api::record::{self, Kind, Need};
use crate::api::texts::{
    AMOUNT_NEGATIVE, AMOUNT_ZERO, MAX_TOKEN_NAME_CHARS, MAX_TOKEN_SYMBOL_CHARS, TOKEN_VERSION_MISSING,
};
use crate::api::{Compat, Refusal};
use crate::ledger::{Amount, TokenVersion};
use serde_json::{Map, Value};

/// Whether an authority is created, and who gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorityRequest {
    /// Whether it is created.
    pub create: bool,
    /// Who gets it; `None` is the wallet's current address.
    pub address: Option<String>,
    /// Whether `address` may be of somebody else.
    pub allow_external: bool,
}

impl AuthorityRequest {
    /// Reads the three fields of the authority `name` (`mint` or `melt`).
    fn read(check: &mut Checker<'_>, name: &str, default: bool) -> Self {
        Self {
            create: check.boolean(&format!("create_{name}"), default),
            address: check.optional_address(&format!("{name}_authority_address")),
            allow_external: check.boolean(&format!("allow_external_{name}_authority_address"), false),
        }
    }
}

/// `POST /wallet/create-token`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateToken {
    /// At most 30 characters.
    pub name: String,
    /// At most 5 characters.
    pub symbol: String,
    /// Minted, in cents; at least 1.
    pub amount: Amount,
    /// Who gets the minted tokens; `None` is the wallet's current address.
    pub address: Option<String>,
    /// Where the change goes: an address of the wallet.
    pub change_address: Option<String>,
    /// The authority to mint more.
    pub mint: AuthorityRequest,
    /// The authority to melt.
    pub melt: AuthorityRequest,
    /// Texts kept in data outputs.
    pub data: Vec<String>,
    /// How the token is paid for.
    pub version: TokenVersion,
}

impl CreateToken {
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body_with_details(body);
        let name = token_text(&mut check, "name", MAX_TOKEN_NAME_CHARS, compat);
        let symbol = token_text(&mut check, "symbol", MAX_TOKEN_SYMBOL_CHARS, compat);
        let field = check.field("amount");
        // What is below is refused once the other fields are right.
        record::note("amount", Kind::Amount, Need::Required);
        let minted = check.any_integer(&field);
        let address = check.optional_address("address");
        let change_address = check.optional_address("change_address");
        let mint = AuthorityRequest::read(&mut check, "mint", true);
        let melt = AuthorityRequest::read(&mut check, "melt", true);
        let data = check.data_list("data", compat.checks_data_outputs_with_fields());
        let version = version(&mut check);
        check.finish()?;

        let minted = minted.unwrap_or_default();
        if minted == 0 {
            return Err(Refusal::failure(AMOUNT_ZERO));
        }
        Ok(Self {
            name: name.unwrap_or_default(),
            symbol: symbol.unwrap_or_default(),
            amount: amount(minted).ok_or_else(|| Refusal::failure(AMOUNT_NEGATIVE))?,
            address,
            change_address,
            mint,
            melt,
            data,
            version: version.ok_or_else(|| Refusal::failure(TOKEN_VERSION_MISSING))?,
        })
    }
}

/// The token version: 1 if not given; `None` for 0, which passes and is refused once the other fields are right.
fn version(check: &mut Checker<'_>) -> Option<TokenVersion> {
    let field = check.field("version");
    record::note("version", Kind::Numbers(&[1, 2]), Need::Optional);
    record::default("version", 1);
    match field.value {
        None => return Some(TokenVersion::Deposit),
        Some(Value::Number(number)) => match number.as_str() {
            "0" => return None,
            "1" => return Some(TokenVersion::Deposit),
            "2" => return Some(TokenVersion::Fee),
            _ => {}
        },
        Some(_) => {}
    }
    let msg = match field.value {
        Some(Value::String(text)) => format!("Invalid enum value. Expected 0 | 1 | 2, received '{text}'"),
        Some(number @ Value::Number(_)) => {
            format!("Invalid enum value. Expected 0 | 1 | 2, received '{number}'")
        }
        other => format!("Expected 0 | 1 | 2, received {}", other.map_or("undefined", type_name)),
    };
    check.problem(&field, msg, "must be 1 (paid by a deposit) or 2 (paid by fees)");
    None
}

/// `POST /wallet/create-nft`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateNft {
    /// At most 30 characters.
    pub name: String,
    /// At most 5 characters.
    pub symbol: String,
    /// Minted; at least 1.
    pub amount: Amount,
    /// What identifies the NFT: at most 150 characters.
    pub data: String,
    /// Who gets the minted tokens; `None` is the wallet's current address.
    pub address: Option<String>,
    /// Where the change goes: an address of the wallet.
    pub change_address: Option<String>,
    /// The authority to mint more; not created unless asked for.
    pub mint: AuthorityRequest,
    /// The authority to melt; not created unless asked for.
    pub melt: AuthorityRequest,
}

impl CreateNft {
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let name = token_text(&mut check, "name", MAX_TOKEN_NAME_CHARS, compat);
        let symbol = token_text(&mut check, "symbol", MAX_TOKEN_SYMBOL_CHARS, compat);
        let field = check.field("amount");
        let amount = check.positive_amount(&field);
        let field = check.field("data");
        let data = check.data(&field, compat.checks_data_outputs_with_fields());
        let address = check.optional_address("address");
        let change_address = check.optional_address("change_address");
        let mint = AuthorityRequest::read(&mut check, "mint", false);
        let melt = AuthorityRequest::read(&mut check, "melt", false);
        check.finish()?;
        Ok(Self {
            name: name.unwrap_or_default(),
            symbol: symbol.unwrap_or_default(),
            amount: amount.unwrap_or_default(),
            data: data.unwrap_or_default(),
            address,
            change_address,
            mint,
            melt,
        })
    }
}

/// A token's name or symbol.
fn token_text(check: &mut Checker<'_>, what: &'static str, max: usize, compat: Compat) -> Option<String> {
    let field = check.field(what);
    record::note(what, Kind::ShortText(max), Need::Required);
    let text = check.text(&field)?;
    within(check, &field, text, max, compat)
}

/// A token's name or symbol that is not too long.
pub(super) fn within<'a>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    text: &str,
    max: usize,
    compat: Compat,
) -> Option<String> {
    let length = text.chars().count();
    if length > max && compat.checks_token_text_with_fields() {
        let must = format!(
            "must have at most {max} characters (Token {} size is {length} but maximum size is {max})",
            field.path
        );
        check.too_long(field, max, must);
        return None;
    }
    Some(text.to_owned())
}
