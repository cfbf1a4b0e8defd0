//! What operations on a token's supply have in common.

use crate::api::check::Checker;
use crate::api::declare::Rule;
use crate::api::rules::{NOT_EMPTY, flag, or_noted, says_something};
use crate::api::{Compat, Kind, Refusal};
use crate::ledger::{Network, TokenUid, VertexId};
use crate::operations::addresses::{optional_address, own_address, refuse};
use crate::wallet::{Authority, AuthorityTo, PlanError};
use serde_json::Value;

/// A yes or no; what is left empty is a yes.
pub(crate) const DATA_FIRST: Rule<bool> = flag(true).or_null().read_by(|check, field, _| {
    let blank = field.value.is_some_and(|value| value.is_null() || value == "");
    Ok(blank || check.flag(field, true))
});

/// Refuses the address of an authority that is not created. Without `create_mint` or `create_melt`, one is.
pub(crate) fn refuse_unused_authorities(check: &mut Checker<'_>, compat: Compat) {
    refuse_unused(check, compat, true);
}

/// The same where an authority is created only on request.
pub(crate) fn refuse_authorities_not_requested(check: &mut Checker<'_>, compat: Compat) {
    refuse_unused(check, compat, false);
}

fn refuse_unused(check: &mut Checker<'_>, compat: Compat, default: bool) {
    if !compat.refuses_unused_fields() {
        return;
    }
    for (create, address) in
        [("create_mint", "mint_authority_address"), ("create_melt", "melt_authority_address")]
    {
        let creates = match check.field(create).value {
            Some(Value::Bool(yes)) => *yes,
            Some(Value::String(text)) => text != "false" && text != "0",
            Some(Value::Number(number)) => number.as_str() != "0",
            _ => default,
        };
        let field = check.field(address);
        if !creates && field.value.is_some_and(says_something) {
            check.unused(&field, "must be left out: no such authority is created");
        }
    }
}

/// Where an authority goes, if one is created.
pub(crate) fn authority(
    create: bool,
    to: Option<String>,
    allow_external: bool,
    network: Network,
    authority: Authority,
) -> Result<Option<AuthorityTo>, Refusal> {
    if !create {
        return Ok(None);
    }
    let address = if allow_external {
        optional_address(to, network)?
    } else {
        own_address(to, network, &PlanError::AuthorityNotMine(authority))?
    };
    Ok(Some(AuthorityTo { address, allow_external }))
}

/// The token that is minted or melted. Nobody has authorities over HTR, nor over what is no uid.
pub(crate) fn custom_token(text: &str, authority: Authority) -> Result<VertexId, Refusal> {
    match text.parse() {
        Ok(TokenUid::Custom(id)) => Ok(id),
        _ => Err(refuse(&PlanError::NoAuthority(authority))),
    }
}

/// A token's uid, as given.
pub(crate) const PROPOSED_TOKEN: Rule<String> =
    Rule::required(Kind::NonEmptyText, |check, field, context| {
        let uid = or_noted(check.formed_text(field, NOT_EMPTY))?;
        check.token_uid(field, uid, context.compat);
        Ok(uid.to_owned())
    });
